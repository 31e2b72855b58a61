"""The names that a switch gives its own profiles, for remedies that are typed at it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from auditor.util.regex import regex

_PROFILED = regex(r' *"wred_profile": "(?P<name>[^"\s]+)"')


def read_own_names(lines: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], Iterator[tuple[str, str]]]:
    """Return what yields the WRED profile of most queues, whose thresholds stay as they are, whatever the block.

    >>> dict(read_own_names(['    "wred_profile": "SU1"'])([]))["wred_profile"]
    'SU1'
    """
    profiles = Counter(match["name"] for line in lines if (match := _PROFILED.match(line)))
    found = [("wred_profile", name) for name, _ in profiles.most_common(1)]
    found += [("thresholds", "# the thresholds are those of the other ports")] if found else []
    return lambda _blocks: iter(found)
