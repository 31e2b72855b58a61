"""The names that a switch gives its own profiles of queues, for remedies that are typed at it."""

import re
from collections.abc import Iterator, Sequence

_PROFILE = re.compile(r"(?:drop-profile|qos wred queue table|qos (?:schedule|threshold)-profile) (?P<name>\S+)")


def list_profile_names(_lines: Sequence[str], blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the profile that the first of *blocks* is, the heads around lines in question.

    >>> dict(list_profile_names([], [["interface 1/1/1"], ["qos threshold-profile SLOPE"]]))
    {'profile': 'SLOPE'}
    """
    names = (match["name"] for heads in blocks for head in heads if (match := _PROFILE.match(head)))
    for name in names:
        yield "profile", name
        return
