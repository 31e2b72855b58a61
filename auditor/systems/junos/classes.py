"""Forwarding classes, and the tables that classify arriving packets and mark leaving ones."""

from collections.abc import Iterator

from auditor.model.setting import Known, Origin
from auditor.systems.junos.codepoints import BITS, parse_code_point
from auditor.systems.junos.definitions import ClassifierTable, Cos, ForwardingClass, RewriteTable
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode

QUEUES, PRIORITIES = 11, 7
"""The highest numbers: queues 8 to 11 carry multicast."""


def read_aliases(reading: StatementReader, top: StatementNode) -> None:
    """Read `code-point-aliases`, to which later tables refer."""
    for kind in reading.entries(top):
        for alias in reading.entries(kind):
            bits = next(reading.entries(alias), None)
            value = parse_code_point(kind.word, bits.word, {}) if bits else None
            if value is not None:
                reading.aliases.setdefault(kind.word, {})[alias.word] = value


def read_forwarding_classes(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `class NAME queue-num N no-loss pfc-priority P`, and the older `queue N NAME`."""
    for entry in reading.entries(top, "class"):
        _options(reading, _class(reading, cos, entry), entry)
    for number in reading.entries(top, "queue"):
        for entry in reading.entries(number):
            found = _class(reading, cos, entry)
            found.queue = reading.small(number, QUEUES)
            reading.mark(entry)
            _options(reading, found, entry)


def _class(reading: StatementReader, cos: Cos, entry: StatementNode) -> ForwardingClass:
    return cos.classes.setdefault(entry.word, ForwardingClass(entry.word, reading.where(entry)))


def _options(reading: StatementReader, found: ForwardingClass, entry: StatementNode) -> None:
    for word in entry.below():
        reading.mark(word)
    queue, priority = entry.last("queue-num"), entry.last("pfc-priority")
    if queue:
        found.queue = reading.small(queue, QUEUES)
    if priority:
        found.pfc_priority = reading.small(priority, PRIORITIES)
    found.lossless = reading.flag(entry, "no-loss") or found.lossless


def read_classifiers(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read the tables of code points to forwarding classes, without MPLS."""
    for kind, entry in _tables(reading, top):
        found = ClassifierTable(kind, entry.word, reading.where(entry))
        found.imports = reading.name(entry, "import")
        for name, points in _by_class(reading, entry, "code-points"):
            for point in points.active():
                value = reading.code_point(kind, point)
                if value is not None:
                    found.points[value] = Known(name, Origin.INTENDED, reading.where(point))
        cos.classifiers[kind, entry.word] = found


def read_rewrites(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read the tables of forwarding classes to code points; the lowest loss priority wins."""
    for kind, entry in _tables(reading, top):
        found = RewriteTable(kind, entry.word, reading.where(entry))
        reading.name(entry, "import")
        for name, points in _by_class(reading, entry, "code-point"):
            for point in points.active():
                value = reading.code_point(kind, point)
                if value is not None:
                    found.points.setdefault(name, Known(value, Origin.INTENDED, reading.where(point)))
        cos.rewrites[kind, entry.word] = found


def _tables(reading: StatementReader, top: StatementNode) -> Iterator[tuple[str, StatementNode]]:
    for kind in top.active():
        if kind.word not in BITS:
            reading.set_aside(kind)
            continue
        for entry in reading.entries(kind):
            yield kind.word, entry


def _by_class(reading: StatementReader, entry: StatementNode, key: str) -> Iterator[tuple[str, StatementNode]]:
    """Yield each forwarding class of a table with the code points of its loss priorities, the lowest first."""
    for found in reading.entries(entry, "forwarding-class"):
        for priority in sorted(reading.entries(found, "loss-priority"), key=lambda p: p.word != "low"):
            points = reading.block(priority, key)
            if points:
                yield found.word, points
