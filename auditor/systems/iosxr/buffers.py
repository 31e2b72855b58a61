"""`hw-module profile priority-flow-control`: where a traffic class pauses, how much headroom it has, where it marks."""

from dataclasses import field
from typing import Any

from auditor.grammar.assign import assign_members
from auditor.grammar.rows import skip
from auditor.grammar.statements import Arguments, Negation, Statement, Table, setting
from auditor.model.dump import LineState
from auditor.model.qos import Threshold
from auditor.model.setting import Known, Setting, Unknown, Where
from auditor.systems.iosxr.statements import MODELS
from auditor.systems.iosxr.units import SIZE_UNITS, make_threshold
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class PauseBuffer:
    """The buffer of a no-drop traffic class; None stands for what its line leaves out. Probability 0..1.

    `is_external`: it reaches into the memory beside the chip (`buffer-extended`).
    """

    is_external: bool
    pause: Threshold | Unknown | None = None
    headroom: Threshold | Unknown | None = None
    ecn_min: Threshold | None = None
    ecn_max: Threshold | None = None
    probability: float | None = None

    @property
    def has_sizes(self) -> bool:
        """Whether a line gives a size; the switch chooses them where none does."""
        return bool(self.pause or self.headroom)


@dataclass(slots=True)
class PauseProfile:
    """The profile of one location, its buffers by traffic class."""

    where: Where
    buffers: dict[int, Setting[PauseBuffer]] = field(default_factory=dict)

    @property
    def known(self) -> dict[int, Known[PauseBuffer]]:
        """The buffers whose lines could be read."""
        return {number: each for number, each in sorted(self.buffers.items()) if isinstance(each, Known)}


_SIZE = regex(
    rf"(?P<what>pause-threshold|headroom|ecn|max-threshold) (?P<amount>\d{{1,12}})(?: (?P<unit>{SIZE_UNITS}))?\Z"
)
_SHARE = regex(r"probability-percentage (?P<share>100|\d{1,2})\Z")
_NEXT = regex(r" (?=pause-threshold|headroom|ecn|max-threshold|probability-percentage)")
_FIELDS = {"pause-threshold": "pause", "headroom": "headroom", "ecn": "ecn_min", "max-threshold": "ecn_max"}


_NO_UNIT = Unknown("the headroom in external memory is written without a unit")
HARDWARE_MODEL = f"{MODELS}/7101/Cisco-IOS-XR-um-8000-hw-module-profile-cfg.yang"


def _list_classes(arguments: Arguments) -> tuple[int, ...] | None:
    word = arguments["number"]
    return (
        (int(word),) if word.isascii() and word.isdecimal() and len(word) == 1 and int(word) <= max(_CLASSES) else None
    )


_CLASSES = tuple(range(8))


def parse_buffer(text: str, *, is_external: bool) -> PauseBuffer | None:
    """Return the buffer of the words behind a traffic class, None where one is malformed.

    Sizes without a unit are bytes; what a headroom in external memory counts is open (HARDWARE_MODEL).

    >>> parse_buffer("pause-threshold 9 kbytes headroom 7 bytes probability-percentage 5", is_external=False).headroom
    Threshold(value=7, unit=<Unit.BYTES: 'bytes'>, unit_bytes=None)
    """
    sizes: dict[str, Any] = {}
    share: float | None = None
    for part in _NEXT.split(text) if text else ():
        size, probability = _SIZE.match(part), _SHARE.match(part)
        if size and is_external and size["what"] == "headroom" and not size["unit"]:
            sizes["headroom"] = _NO_UNIT
        elif size:
            sizes[_FIELDS[size["what"]]] = make_threshold(size["amount"], size["unit"] or "bytes")
        elif probability:
            share = int(probability["share"]) / 100
        else:
            return None
    return PauseBuffer(is_external, probability=share, **sizes)


def _make_row(word: str, example: str, *, is_external: bool) -> Statement[PauseProfile]:
    def write(profile: PauseProfile, arguments: Arguments, where: Where) -> LineState | None:
        numbers, found = _list_classes(arguments), parse_buffer(arguments["sizes"], is_external=is_external)
        if numbers is None or found is None:
            return None
        assign_members(profile, "buffers", numbers, setting(found, where))
        return LineState.MODELLED

    form = f"{word} traffic-class {{number}} {{sizes*}}"
    return Statement(form, example, write, Negation(HARDWARE_MODEL, member=("buffers", _list_classes), every=_CLASSES))


PROFILE: Table[PauseProfile] = Table(
    (
        _make_row(
            "buffer-internal",
            "buffer-internal traffic-class 3 pause-threshold 403200 bytes headroom 441600 bytes ecn 224640 bytes",
            is_external=False,
        ),
        _make_row(
            "buffer-extended",
            "buffer-extended traffic-class 4 pause-threshold 10 ms headroom 19200",
            is_external=True,
        ),
        skip("buffer-extended|buffer-internal ..."),
    )
)
