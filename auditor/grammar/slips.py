"""Keywords that were typed with a slip: one letter lost, doubled, or swapped with the next one.

A switch refuses such a line; a configuration that is edited in a repository keeps it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

_LEAST = 5
"""Letters of a word: the slips of shorter ones are words of their own."""
_WORDS = """
action address asymmetric bandwidth buffer buffer-size cable-length class-map code-point code-points
congestion-notification-profile deadlock deadlock-detect detect-time discard-percentage discard-probability drop-level
drop-probability drop-profile drop-profile-map dscp-map dynamic-threshold enable explicit-congestion-notification
export fill-level flow-control flow-control-queue flowcontrol forwarding-class forwarding-classes headroom high-limit
import interface interval jumboframe kbytes level local-priority loss-priority lossless low-limit map-table match
max-mark-probability max-threshold maximum-threshold mbytes min-threshold minimum-threshold network-qos no-drop
no-loss pause pause-threshold percent pfc-cos pfc-priority pfc-watchdog policy-map polling-interval priorities
priority priority-flow-control priority-group protocol qos-group qos-map queue queue-num queue-profile queuing
random-detect remaining restore-time resume-threshold routing schedule-profile scheduler-map scheduler-policy
service-policy service-profile shared-headroom-size shutdown speed static-threshold strict strict-high switchport
threshold threshold-profile traffic-class transmit-rate trust trust-map tx-queue watch-dog-interval watchdog weight
weighting-constant wred-policy
"""
_OTHER_WORDS = frozenset({"bytes", "classmap", "eight", "math", "policymap", "rust", "seed"})
_SIGNS = '{}[]();:,"'


@lru_cache(maxsize=64)
def slips(words: tuple[str, ...]) -> Mapping[str, str]:
    """Return the slips of *words*, each with the word that was meant.

    >>> found = slips(("queue",))
    >>> found["quue"], found["queeu"], found["quueue"]
    ('queue', 'queue', 'queue')
    """
    known = [word for word in words if len(word) >= _LEAST]
    right = frozenset(known) | _OTHER_WORDS
    return {wrong: word for word in known for wrong in _slips(word) if wrong not in right}


def _slips(word: str) -> Iterator[str]:
    for place, letter in enumerate(word):
        before, after = word[:place], word[place + 1 :]
        yield before + after
        yield before + letter + letter + after
        yield before + after[:1] + letter + after[1:]


_KEYWORDS = slips(tuple(_WORDS.split()))


def list_slipped(lines: Iterable[str]) -> frozenset[str]:
    """Return those of *lines* that hold a slip: most dumps have none, so the words of all are asked at once.

    >>> sorted(list_slipped(["mtu 9216", "class type queing c-in-q3"]))
    ['class type queing c-in-q3']
    """
    distinct = frozenset(lines)
    words = {word.strip(_SIGNS) for word in set(" ".join(distinct).split())}
    return frozenset() if _KEYWORDS.keys().isdisjoint(words) else frozenset(filter(find_slip, distinct))


def find_slip(line: str, *, first_only: bool = False) -> tuple[str, str] | None:
    """Return the first word of a line that is a slip of a keyword of quality of service, and that keyword.

    *first_only*: only the line's first word may be one, as where the others may be names or prose.

    >>> find_slip("class type queing c-in-q3"), find_slip("class type queuing c-in-q3")
    (('queing', 'queuing'), None)
    """
    written = line.split()
    if first_only:
        written = written[written[:1] == ["no"] :][:1]
    words = [word.strip(_SIGNS) for word in written]
    if _KEYWORDS.keys().isdisjoint(words):
        return None
    return next((word, _KEYWORDS[word]) for word in words if word in _KEYWORDS)
