"""The names that a CloudEngine switch gives its own domains, for remedies that are typed at it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from auditor.grammar.profile_names import read_profile_names
from auditor.util.regex import regex

_TRUSTED = regex(r"\s*trust upstream (?P<name>(?!none\b)\S+)")
_DOMAIN = regex(r"diffserv domain (?P<name>\S+)")
BUILT_IN = "default"
"""The domain of a port that names none."""


def read_own_names(lines: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]:
    """Return what yields the domain by which the switch sorts packets, as its policy, the profile and the BGP process.

    It is that of the first of the given blocks, the heads around lines in question; else the domain of most ports.

    >>> dict(read_own_names([" trust upstream ds1", " trust upstream ds2", " trust upstream ds2"])([]))
    {'policy': 'ds2'}
    >>> dict(read_own_names([])([["diffserv domain ds1"]])), dict(read_own_names([])([]))
    ({'policy': 'ds1'}, {'policy': 'default'})
    """
    used = Counter(match["name"] for line in lines if (match := _TRUSTED.match(line)))
    usual = max(used, key=lambda name: used[name], default=BUILT_IN)
    list_profiles = read_profile_names(lines)

    def list_names(blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
        named = (match["name"] for heads in blocks for head in heads if (match := _DOMAIN.match(head)))
        yield from list_profiles(blocks)
        yield "policy", next(named, usual)

    return list_names
