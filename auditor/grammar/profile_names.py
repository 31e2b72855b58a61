"""The names that a switch gives its own profiles of queues and its BGP process, for remedies that are typed at it."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from auditor.util.regex import regex

_PROFILE = regex(r"(?:drop-profile|qos wred queue table|qos (?:schedule|threshold)-profile) (?P<name>\S+)")
_PROCESS = regex(r"bgp [\d.]{1,21}", re.ASCII)


def read_profile_names(lines: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]:
    """Return what yields the view of BGP, and the profile that the first of the given blocks is.

    Blocks are the heads around lines in question.

    >>> dict(read_profile_names(["bgp 65001"])([["interface 1/1/1"], ["qos threshold-profile SLOPE"]]))
    {'process': 'bgp 65001', 'profile': 'SLOPE'}
    """
    process = next((match[0] for line in lines if (match := _PROCESS.match(line))), None)

    def list_names(blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
        if process:
            yield "process", process
        names = (match["name"] for heads in blocks for head in heads if (match := _PROFILE.match(head)))
        yield from (("profile", name) for name in islice(names, 1))

    return list_names
