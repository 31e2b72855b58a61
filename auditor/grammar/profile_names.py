"""The names that a switch gives its own profiles of queues and its BGP process, for remedies that are typed at it."""

import re
from collections.abc import Iterator, Sequence

from auditor.util.regex import regex

_PROFILE = regex(r"(?:drop-profile|qos wred queue table|qos (?:schedule|threshold)-profile) (?P<name>\S+)")
_PROCESS = regex(r"bgp [\d.]{1,21}", re.ASCII)


def list_profile_names(lines: Sequence[str], blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the profile that the first of *blocks* is, the heads around lines in question, and the view of BGP.

    >>> dict(list_profile_names(["bgp 65001"], [["interface 1/1/1"], ["qos threshold-profile SLOPE"]]))
    {'process': 'bgp 65001', 'profile': 'SLOPE'}
    """
    processes = (match[0] for line in lines if (match := _PROCESS.match(line)))
    yield from (("process", found) for found in list(processes)[:1])
    names = (match["name"] for heads in blocks for head in heads if (match := _PROFILE.match(head)))
    for name in names:
        yield "profile", name
        return
