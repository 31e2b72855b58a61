"""What belongs to a map, a WRED policy or a scheduler policy, line by line; interfaces have a module of their own.

A context is told by its statements and not by indentation, which documents lose. Each reader returns the state of a
line that is its own, and None of one that is not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from auditor.grammar.numbers import decimal, expand
from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Key, Writer
from auditor.systems.sonic.vocabulary import MODELLED, NOT_MODELLED, UNRECOGNISED

KBYTE = 1000
"""The switch prints the bytes of its database divided by 1000."""
BYTES_PER_KBIT = 125
COLORS = ("green", "yellow", "red")
MAX_QUEUE = 47
PORT_SHAPER = "255"


class Context(Protocol):
    """A block of statements that a line opened at line `head`, indented by `indent`."""

    head: int
    indent: int

    def read(self, words: Sequence[str], index: int) -> LineState | None:
        """Read one line; *words* are without the `no` that may stand before them, which comes first as it is."""


@dataclass(slots=True)
class Other:
    """A block that says nothing of quality of service, or whose quality of service is not modelled.

    `word` is the one that it begins with.
    """

    head: int
    indent: int
    state: LineState = LineState.IGNORED
    word: str = ""

    def read(self, _words: Sequence[str], _index: int) -> LineState | None:
        """No line is told to be of such a block by its words."""
        return None


@dataclass(slots=True)
class QosMap:
    """`qos map TYPE NAME`: lines such as `dscp 24,26 traffic-class 3`."""

    writer: Writer
    kind: str
    name: str
    head: int
    indent: int

    def open(self) -> LineState:
        """Begin the map."""
        self.writer.begin(MAPS[self.kind][0], self.name, self.head)
        return MODELLED

    def read(self, words: Sequence[str], index: int) -> LineState | None:
        """Read one entry, for one code point or for a list of them."""
        table, _, source, target = MAPS[self.kind]
        negated = words[0] == "no"
        rest = list(words[1:] if negated else words)
        if rest[:1] != [source]:
            return None
        codes = expand(rest[1], 0, 63 if source == "dscp" else 7) if len(rest) > 1 else None
        if codes is None:
            return UNRECOGNISED
        if negated:
            return self.writer.drop(table, self.name, [str(code) for code in codes])
        is_whole = len(rest) == 4 and (rest[2] == target or (rest[2], target) == ("pg", "priority-group"))  # noqa: PLR2004
        values = expand(rest[3], 0, 63 if target == "dscp" else 7) if is_whole else None
        if values is None or len(values) != 1:
            return UNRECOGNISED
        said = dict.fromkeys((str(code) for code in codes), str(values[0]))
        return self.writer.put(table, self.name, said, index, self.head)


_CURVE = re.compile(
    r"(?P<color>green|yellow|red) minimum-threshold (?P<low>\S+) maximum-threshold (?P<high>\S+)"
    r"(?: drop-probability (?P<share>\d{1,3}))?"
)
_ECN = {"none": "ecn_none", "one": "ecn_none", "all": "ecn_all"}
"""Some releases print `none` as `one`."""


def kbytes(text: str) -> str:
    """Return kilobytes as the bytes of the database; empty where *text* is no number.

    >>> kbytes("2048"), kbytes("1048.576"), kbytes("x")
    ('2048000', '1048576', '')
    """
    number = decimal(text, 0, 1e9)
    return "" if number is None else str(round(number * KBYTE))


@dataclass(slots=True)
class Wred:
    """`qos wred-policy NAME`: thresholds in kilobytes for each colour, and which colours are marked."""

    writer: Writer
    name: str
    head: int
    indent: int

    def open(self) -> LineState:
        """Begin the policy."""
        self.writer.begin("WRED_PROFILE", self.name, self.head)
        return MODELLED

    def read(self, words: Sequence[str], index: int) -> LineState | None:
        """Read one line."""
        negated = words[0] == "no"
        rest = words[1:] if negated else words
        if rest[:1] == ["ecn"]:
            return self._ecn(rest[1:], index, negated=negated)
        if not rest or rest[0] not in COLORS:
            return None
        color = rest[0]
        fields = [f"wred_{color}_enable", *(f"{color}_{name}" for name in ("min_threshold", "max_threshold"))]
        fields.append(f"{color}_drop_probability")
        if negated:
            return self.writer.drop("WRED_PROFILE", self.name, fields)
        found = _CURVE.fullmatch(" ".join(rest))
        if found is None:
            return UNRECOGNISED
        values = ["true", kbytes(found["low"]), kbytes(found["high"]), found["share"]]
        said = {name: text for name, text in zip(fields, values, strict=True) if text is not None}
        return self.writer.put("WRED_PROFILE", self.name, said, index, self.head)

    def _ecn(self, colors: Sequence[str], index: int, *, negated: bool) -> LineState:
        if negated:
            return self.writer.drop("WRED_PROFILE", self.name, ["ecn"])
        named = "_".join(colors).replace(",", "_").removeprefix("ecn_")
        mode = _ECN.get(named, f"ecn_{named}")
        return self.writer.put("WRED_PROFILE", self.name, {"ecn": mode}, index, self.head)


def rate(text: str) -> str:
    """Return kilobits a second as the bytes a second of the database; empty where *text* is no number.

    >>> rate("80"), rate("")
    ('10000', '')
    """
    number = decimal(text, 0, 1e12)
    return "" if number is None else str(round(number * BYTES_PER_KBIT))


@dataclass(slots=True)
class Scheduler:
    """`qos scheduler-policy NAME`: below it `queue N` or `port`, and below these type, weight and rates.

    The database keeps each queue of a policy as an entry of its own, called `NAME@N`.
    """

    writer: Writer
    name: str
    head: int
    indent: int
    part: str = ""
    part_head: int = 0

    def open(self) -> LineState:
        """Begin the policy."""
        self.writer.begin("SCHEDULER", self.name, self.head, scheduler_parts(self.name))
        return MODELLED

    def read(self, words: Sequence[str], index: int) -> LineState | None:
        """Read one line."""
        negated = words[0] == "no"
        rest = list(words[1:] if negated else words)
        if rest == ["port"]:
            return self._open(PORT_SHAPER, index, negated=negated)
        if rest[:1] == ["queue"] and len(rest) == 2:  # noqa: PLR2004  `queue N`
            number = decimal(rest[1], 0, MAX_QUEUE)
            return UNRECOGNISED if number is None else self._open(str(int(number)), index, negated=negated)
        if not rest or rest[0] not in _SCHEDULER:
            return None
        if not self.part:
            return UNRECOGNISED
        if negated:
            return self.writer.drop("SCHEDULER", self.part, [_SCHEDULER[rest[0]]])
        return self._field(rest, index)

    def _open(self, number: str, index: int, *, negated: bool) -> LineState:
        self.part, self.part_head = f"{self.name}@{number}", index
        if negated:
            state = self.writer.drop("SCHEDULER", self.part)
            self.part = ""
            return state
        self.writer.begin("SCHEDULER", self.part, index)
        return MODELLED if number != PORT_SHAPER else NOT_MODELLED

    def _field(self, words: Sequence[str], index: int) -> LineState:
        name, text = words[0], words[1] if len(words) == 2 else ""  # noqa: PLR2004  name and value
        if name == "type":
            text = text.upper()
        elif name in {"pir", "cir"}:
            in_packets = self.writer.get("SCHEDULER", self.part, "meter_type") == "packets"
            text = text if in_packets else rate(text)
        state = self.writer.put("SCHEDULER", self.part, {_SCHEDULER[name]: text}, index, self.part_head)
        is_unused = name in {"cir", "cbs", "pbs"} or self.part.endswith(f"@{PORT_SHAPER}")
        return NOT_MODELLED if state is MODELLED and is_unused else state


_SCHEDULER = {
    "type": "type",
    "weight": "weight",
    "meter-type": "meter_type",
    "pir": "pir",
    "cir": "cir",
    "pbs": "pbs",
    "cbs": "cbs",
}


def scheduler_parts(name: str) -> list[Key]:
    """Return the entries that a scheduler policy may have."""
    return [("SCHEDULER", f"{name}@{number}") for number in (*range(MAX_QUEUE + 1), PORT_SHAPER)]
