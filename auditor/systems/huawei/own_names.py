"""The names that a CloudEngine switch gives its own domains, for remedies that are typed at it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.grammar.profile_names import list_profile_names
from auditor.util.regex import regex

_TRUSTED = regex(r"\s*trust upstream (?P<name>(?!none\b)\S+)")
_DOMAIN = regex(r"diffserv domain (?P<name>\S+)")
BUILT_IN = "default"
"""The domain of a port that names none."""


def list_own_names(lines: Sequence[str], blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the domain by which the switch sorts packets, as its policy, and the profile and BGP process in question.

    It is that of the first of *blocks*, the heads around lines in question; else the domain of most ports.

    >>> dict(list_own_names([" trust upstream ds1", " trust upstream ds2", " trust upstream ds2"], []))
    {'policy': 'ds2'}
    >>> dict(list_own_names([], [["diffserv domain ds1"]])), dict(list_own_names([], []))
    ({'policy': 'ds1'}, {'policy': 'default'})
    """
    named = [match["name"] for heads in blocks for head in heads if (match := _DOMAIN.match(head))]
    used = Counter(match["name"] for line in lines if (match := _TRUSTED.match(line)))
    yield from list_profile_names(lines, blocks)
    yield "policy", next(iter(named), "") or max(used, key=lambda name: used[name], default=BUILT_IN)
