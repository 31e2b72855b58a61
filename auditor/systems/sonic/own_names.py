"""The names that a switch gives its own profiles, for remedies that are typed at it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from auditor.util.regex import regex

_PROFILED = regex(r' *"wred_profile": "(?P<name>[^"\s]+)"')


def list_own_names(lines: Sequence[str], _blocks: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the WRED profile of most queues, whose thresholds stay as they are.

    >>> dict(list_own_names(['    "wred_profile": "SU1"'], []))["wred_profile"]
    'SU1'
    """
    profiles = Counter(match["name"] for line in lines if (match := _PROFILED.match(line)))
    if profiles:
        yield "wred_profile", profiles.most_common(1)[0][0]
        yield "thresholds", "# the thresholds are those of the other ports"
