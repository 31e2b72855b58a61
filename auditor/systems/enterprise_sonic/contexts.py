"""The blocks of maps, WRED policies and scheduler policies.

Statements decide the block of a line, because documents lose indentation.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from auditor.grammar.numbers import decimal, expand
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Setting, Unset, Where
from auditor.systems.enterprise_sonic.block import QOS_PAGE, QosBlock, field, parse_word
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Key, Place
from auditor.systems.sonic.vocabulary import MODELLED, NOT_MODELLED, UNRECOGNISED
from auditor.util.regex import regex
from auditor.util.values import dataclass

KBYTE = 1000
"""The switch prints the bytes of its database divided by 1000."""
BYTES_PER_KBIT = 125
COLORS = ("green", "yellow", "red")
MAX_QUEUE = 47
PORT_SHAPER = "255"
ENTRIES = "entries"
PARTS = "parts"


@dataclass(slots=True)
class OtherBlock:
    """A block without quality of service, or with unmodelled quality of service.

    `word` is its first word.
    """

    head: int
    indent: int
    state: LineState = LineState.IGNORED
    word: str = ""

    def read(self, _text: str, _where: Where) -> LineState | None:
        """Return None: the words of a line never identify such a block."""
        return None


@dataclass(slots=True)
class QosMapBlock(QosBlock):
    """`qos map TYPE NAME`: lines such as `dscp 24,26 traffic-class 3`."""

    kind: str
    name: str

    def open(self) -> LineState:
        """Begin the map."""
        self.writer.begin(MAPS[self.kind][0], self.name, self.head)
        return MODELLED

    @property
    def table(self) -> Table["QosMapBlock"]:
        """Return the statements of the map's type."""
        return QOS_MAPS[self.kind]

    def places(self, _name: str, member: object = None) -> Iterator[Place]:
        """Yield the entry of a code point."""
        yield MAPS[self.kind][0], self.name, str(member)


def _map_table(source: str, target: str) -> Table[QosMapBlock]:
    """Return the statements of a map that sends code points of *source* to a value of *target*."""

    def codes(arguments: Arguments) -> tuple[int, ...] | None:
        return expand(arguments["codes"], 0, _highest(source))

    def write(body: QosMapBlock, arguments: Arguments, where: Where) -> LineState | None:
        sources, values = codes(arguments), expand(arguments["value"], 0, _highest(target))
        if sources is None or values is None or len(values) != 1:
            return None
        return body.put_each(ENTRIES, str(values[0]), where, sources)

    words = "pg|priority-group" if target == "priority-group" else target
    return Table(
        (
            Statement(
                f"{source} {{codes}} {words} {{value*}}",
                f"{source} 3 {target} 3",
                write,
                Negation(QOS_PAGE, member=(ENTRIES, codes)),
            ),
        )
    )


def _highest(word: str) -> int:
    return 63 if word == "dscp" else 7


QOS_MAPS: Mapping[str, Table[QosMapBlock]] = {kind: _map_table(source, to) for kind, (_, _, source, to) in MAPS.items()}

_CURVE = regex(
    r"minimum-threshold (?P<low>\S+) maximum-threshold (?P<high>\S+)(?: drop-probability (?P<share>\d{1,3}))?"
)
_ECN = {"none": "ecn_none", "one": "ecn_none", "all": "ecn_all"}
"""Some releases print `none` as `one`."""


def convert_kbytes(text: str) -> str:
    """Return kilobytes as the bytes of the database; empty where *text* is no number.

    >>> convert_kbytes("2048"), convert_kbytes("1048.576"), convert_kbytes("x")
    ('2048000', '1048576', '')
    """
    number = decimal(text, 0, 1e9)
    return "" if number is None else str(round(number * KBYTE))


def _ecn(text: str) -> str:
    """Return the mode of `ecn COLOURS` in the database's form."""
    named = text.replace(" ", "_").replace(",", "_").removeprefix("ecn_")
    return _ECN.get(named, f"ecn_{named}")


def _curve(color: str) -> Statement["WredBlock"]:
    """Return the statement of the thresholds of a colour."""
    enabled, low, high, share = (
        f"wred_{color}_enable",
        f"{color}_min_threshold",
        f"{color}_max_threshold",
        f"{color}_drop_probability",
    )

    def write(body: WredBlock, arguments: Arguments, where: Where) -> LineState | None:
        found = _CURVE.fullmatch(arguments["curve"])
        if found is None:
            return None
        texts = {enabled: "true", low: convert_kbytes(found["low"]), high: convert_kbytes(found["high"])}
        return body.put({**texts, share: found["share"]} if found["share"] else texts, where)

    example = f"{color} minimum-threshold 100 maximum-threshold 300 drop-probability 40"
    return Statement(f"{color} {{curve*}}", example, write, Negation(QOS_PAGE, (enabled, low, high, share)))


@dataclass(slots=True)
class WredBlock(QosBlock):
    """`qos wred-policy NAME`: thresholds in kilobytes for each colour, and the marked colours."""

    name: str

    @property
    def table(self) -> Table["WredBlock"]:
        """Return the statements of a policy."""
        return WRED

    def open(self) -> LineState:
        """Begin the policy."""
        self.writer.begin("WRED_PROFILE", self.name, self.head)
        return MODELLED

    def places(self, name: str, _member: object = None) -> Iterator[Place]:
        """Yield the field of the policy."""
        yield "WRED_PROFILE", self.name, name


WRED: Table[WredBlock] = Table(
    (
        field("ecn {value*}", "ecn", example="ecn green", page=QOS_PAGE, convert=_ecn),
        *(_curve(color) for color in COLORS),
    )
)


def convert_rate(text: str) -> str:
    """Return kilobits a second as the bytes a second of the database; empty where *text* is no number.

    >>> convert_rate("80"), convert_rate("")
    ('10000', '')
    """
    number = decimal(text, 0, 1e12)
    return "" if number is None else str(round(number * BYTES_PER_KBIT))


_PART = regex(r"(?:no )?(?:port|queue \S+)\Z")


@dataclass(slots=True)
class SchedulerBlock(QosBlock):
    """`qos scheduler-policy NAME`: queues or the port below it, and type, weight and rates below these.

    The database keeps each queue of a policy as an own entry `NAME@N`.
    """

    name: str
    number: str = ""
    part_head: int = 0

    @property
    def table(self) -> Table["SchedulerBlock"]:
        """Return the statements of a policy and of its queues."""
        return SCHEDULER

    def open(self) -> LineState:
        """Begin the policy."""
        self.writer.begin("SCHEDULER", self.name, self.head, list_scheduler_entries(self.name))
        return MODELLED

    @property
    def start(self) -> int:
        """Return the line that begins the queue."""
        return self.part_head

    def read(self, text: str, where: Where) -> LineState | None:
        """Read one line; a rate belongs to the queue above it."""
        if not SCHEDULER.begins(text):
            return None
        word = SCHEDULER.split(text)[1].partition(" ")[0]
        if word in {"queue", "port"}:
            return SCHEDULER.read(self, text, where) if _PART.match(text) else None
        return SCHEDULER.read(self, text, where) if self.number else UNRECOGNISED

    def begin(self, number: str, index: int) -> None:
        """Begin a queue, or the shaper of the port."""
        self.number, self.part_head = number, index
        self.writer.begin("SCHEDULER", f"{self.name}@{number}", index)

    def places(self, name: str, member: object = None) -> Iterator[Place]:
        """Yield a field of the current queue, or the whole queue *member*."""
        if member is not None:
            yield "SCHEDULER", f"{self.name}@{member}", ""
        elif self.number:
            yield "SCHEDULER", f"{self.name}@{self.number}", name

    def assign_members(self, name: str, keys: Iterable[Any], found: Setting[str]) -> None:
        """Remove queues and close the open queue."""
        QosBlock.assign_members(self, name, keys, found)
        if isinstance(found, Unset):
            self.number = ""


def _queues(arguments: Arguments) -> tuple[int, ...] | None:
    number = decimal(arguments["number"], 0, MAX_QUEUE)
    return None if number is None else (int(number),)


def _open_queue(body: SchedulerBlock, arguments: Arguments, where: Where) -> LineState | None:
    found = _queues(arguments)
    body.number = ""
    if found is None:
        return None
    body.begin(str(found[0]), body.writer.index(where))
    return MODELLED


def _open_port(body: SchedulerBlock, _arguments: Arguments, where: Where) -> LineState:
    body.begin(PORT_SHAPER, body.writer.index(where))
    return NOT_MODELLED


def _queue_statement(word: str, example: str) -> Statement[SchedulerBlock]:
    """Return the statement of a queue's field; committed rates, bursts and port fields are not modelled."""
    name = word.replace("-", "_")

    def write(body: SchedulerBlock, arguments: Arguments, where: Where) -> LineState | None:
        text = parse_word(arguments["value"])
        if text is None:
            return None
        if word == "type":
            text = text.upper()
        elif word in {"pir", "cir"}:
            part = f"{body.name}@{body.number}"
            in_packets = body.writer.get("SCHEDULER", part, "meter_type") == "packets"
            text = text if in_packets else convert_rate(text)
        state = body.put({name: text}, where)
        is_unused = word in {"cir", "cbs", "pbs"} or body.number == PORT_SHAPER
        return NOT_MODELLED if state is MODELLED and is_unused else state

    return Statement(f"{word} {{value*}}", f"{word} {example}", write, Negation(QOS_PAGE, (name,)))


SCHEDULER: Table[SchedulerBlock] = Table(
    (
        Statement("queue {number}", "queue 4", _open_queue, Negation(QOS_PAGE, member=(PARTS, _queues))),
        Statement("port", "port", _open_port, Negation(QOS_PAGE, member=(PARTS, lambda _: (PORT_SHAPER,)))),
        _queue_statement("type", "dwrr"),
        _queue_statement("weight", "50"),
        _queue_statement("meter-type", "bytes"),
        _queue_statement("pir", "40000000"),
        _queue_statement("cir", "10000000"),
        _queue_statement("pbs", "8192"),
        _queue_statement("cbs", "8192"),
    )
)


def list_scheduler_entries(name: str) -> list[Key]:
    """Return the possible entries of a scheduler policy."""
    return [("SCHEDULER", f"{name}@{number}") for number in (*range(MAX_QUEUE + 1), PORT_SHAPER)]
