"""Schedulers, the scheduler maps, and the parts of the shared buffer."""

from collections.abc import Iterator

from auditor.model.qos import Scheduler
from auditor.model.setting import Known, Setting, Unknown
from auditor.systems.junos.definitions import NOTHING, Cos, Partition, SchedulerStatements
from auditor.systems.junos.reading import StatementReader, parse_rate
from auditor.systems.junos.tree import StatementNode

_ECN = "explicit-congestion-notification"
_LEVELS = {"strict-high": 2, "high": 1}
"""On QFX10000 the two are strict, and `strict-high` goes first."""
_STRICT = frozenset({"strict-high", "strict-priority", "high", "low-latency"})
_LIMITS = frozenset({"exact", "rate-limit"})


def read_schedulers(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `schedulers`."""
    for entry in reading.entries(top):
        found = SchedulerStatements(entry.word, reading.where(entry))
        reading.set_aside(entry, "buffer-dynamic-threshold", "excess-rate", "excess-priority")
        found.buffer_percent = _buffer_size(reading, entry)
        found.ecn = reading.flag(entry, _ECN) or reading.silent(entry, _ECN)
        found.drops = list(_drop_maps(reading, entry))
        level = reading.name(entry, "priority")
        found.scheduler = reading.silent(entry, "priority")
        if level:
            kind = Scheduler.STRICT if level.value in _STRICT else Scheduler.DWRR
            found.scheduler = Known(kind, level.origin, level.where)
            if level.value in _LEVELS:
                found.level = Known(_LEVELS[level.value], level.origin, level.where)
        found.percent, found.rate_gbps = _rate(reading, entry, "transmit-rate")
        found.limited = _find_limit(reading, entry)
        found.shape_percent, found.shape_gbps = _rate(reading, entry, "shaping-rate")
        cos.schedulers[entry.word] = found


def _buffer_size(reading: StatementReader, entry: StatementNode) -> Setting[float]:
    """Return the share of the buffer in percent; Unknown where it is the rest, or written as a time."""
    size = reading.block(entry, "buffer-size")
    if size is None:
        return reading.silent(entry, "buffer-size")
    for word in size.below():
        reading.mark(word)
    kind = next((word.word for word in reversed(list(size.active()))), None)
    if kind == "percent":
        return reading.number(size, "percent", high=100)
    if kind is None:
        return reading.silent(size, "percent")
    return Unknown(f"buffer-size {kind} is no share that the configuration tells")


def _rate(reading: StatementReader, entry: StatementNode, key: str) -> tuple[Setting[float], Setting[float]]:
    """Return a rate as percent and as Gb/s; a statement has at most one of the two."""
    rate = reading.block(entry, key)
    if rate is None:
        silent = reading.silent(entry, key)
        return silent, silent
    for word in rate.below():
        reading.mark(word)
    for word in reversed(list(rate.active())):
        if word.word == "percent":
            return reading.number(rate, "percent", high=100), NOTHING
        amount = parse_rate(word.word)
        if amount is not None:
            known = reading.read_word(word)
            return NOTHING, Known(amount / 1e9, known.origin, known.where)
    silent = reading.silent(rate, "percent")
    return silent, silent


def _find_limit(reading: StatementReader, entry: StatementNode) -> Known[str] | None:
    """Return the word that makes a transmit rate a limit too, None without one.

    https://www.juniper.net/documentation/us/en/software/junos/cli-reference/topics/ref/statement/transmit-rate-edit-cos.html
    """
    rate = reading.block(entry, "transmit-rate")
    words = (word for word in rate.below() if word.word in _LIMITS) if rate else ()
    return next((reading.read_word(word) for word in words), None)


def _drop_maps(reading: StatementReader, entry: StatementNode) -> Iterator[tuple[str, Known[str]]]:
    for level in reading.entries(entry, "drop-profile-map", "loss-priority"):
        for word in level.below():
            reading.mark(word)
            name = word.last() if word.word == "drop-profile" else None
            if name:
                yield level.word, reading.read_word(name)


def read_scheduler_maps(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `scheduler-maps`: each forwarding class and its scheduler."""
    for entry in reading.entries(top):
        table = cos.scheduler_maps.setdefault(entry.word, {})
        cos.map_lines[entry.word] = reading.where(entry)
        for name in reading.entries(entry, "forwarding-class"):
            scheduler = reading.name(name, "scheduler")
            if scheduler:
                table[name.word] = scheduler


def read_controls(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `traffic-control-profiles`, which name a scheduler map for a port or for a set of classes on it."""
    for entry in reading.entries(top):
        reading.set_aside(entry, "guaranteed-rate", "shaping-rate", "delay-buffer-rate", "overhead-accounting")
        cos.controls[entry.word] = (reading.where(entry), reading.name(entry, "scheduler-map"))


def read_class_sets(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `forwarding-class-sets`."""
    for entry in reading.entries(top):
        cos.class_sets[entry.word] = reading.where(entry)
        for word in entry.below():
            reading.mark(word)


def read_shared_buffer(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `shared-buffer`: its partitions, each in percent."""
    for direction in ("ingress", "egress"):
        side = reading.block(top, direction)
        if side is None:
            continue
        reading.number(side, "percent")
        for entry in reading.entries(side, "buffer-partition"):
            found = Partition(direction, entry.word, reading.where(entry))
            found.percent = reading.number(entry, "percent", high=100)
            found.threshold = reading.whole(entry, "dynamic-threshold", high=10)
            cos.partitions.append(found)
