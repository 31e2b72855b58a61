"""Congestion notification profiles (PFC and its watchdog) and drop profiles (the curves of WRED and ECN)."""

from auditor.grammar.numbers import decimal
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin
from auditor.systems.junos.classes import QUEUES
from auditor.systems.junos.definitions import Cos, DropProfile, Notification, WatchdogStatements
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode

_ACTIONS = ("watchdog-action", "pfc-watchdog-action", "action")


def read_notifications(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read `congestion-notification-profile`: `input` is for sent pauses, `output` for honoured ones."""
    for entry in reading.entries(top):
        found = Notification(entry.word, reading.where(entry))
        into, out = reading.block(entry, "input"), reading.block(entry, "output")
        watchdog = reading.block(entry, "pfc-watchdog")
        if into:
            _input(reading, into, found)
        if out:
            _output(reading, out, found)
        found.unwatched = reading.silent(entry, "pfc-watchdog")
        if watchdog:
            found.watchdog = _watchdog(reading, watchdog)
        cos.notifications[entry.word] = found


def _input(reading: StatementReader, into: StatementNode, found: Notification) -> None:
    found.cable_length_m = reading.number(into, "cable-length", high=1e6)
    for kind in ("dscp", "ieee-802.1"):
        for point in reading.entries(into, kind, "code-point"):
            value = reading.code_point(kind, point)
            if value is None:
                continue
            pfc = reading.block(point, "pfc")
            if pfc:
                reading.set_aside(pfc, "mru")
                found.pauses[kind, value] = reading.where(point)
            if reading.name(point, "xon") or (pfc and reading.name(pfc, "xon")):
                found.xon.add((kind, value))


def _output(reading: StatementReader, out: StatementNode, found: Notification) -> None:
    found.honours = {}
    for point in reading.entries(out, "ieee-802.1", "code-point"):
        value = reading.code_point("ieee-802.1", point)
        if value is None:
            continue
        queues = reading.block(point, "flow-control-queue")
        numbers = []
        for queue in queues.active() if queues else ():
            number = decimal(queue.word, 0, QUEUES)
            reading.mark(queue, LineState.UNRECOGNISED if number is None else LineState.MODELLED)
            numbers += [] if number is None else [int(number)]
        proof = next(queues.active(), queues) if queues else None
        if proof:
            found.honours[value] = (tuple(numbers), reading.where(proof))


def _watchdog(reading: StatementReader, found: StatementNode) -> WatchdogStatements:
    return WatchdogStatements(
        reading.where(found),
        reading.whole(found, "detection", high=1000),
        reading.number(found, "poll-interval", high=1e6),
        reading.number(found, "recovery", high=1e7),
        next((name for key in _ACTIONS if (name := reading.name(found, key))), reading.silent(found, _ACTIONS[0])),
    )


def read_drop_profiles(reading: StatementReader, top: StatementNode, cos: Cos) -> None:
    """Read curves: `interpolate` with two lists, or steps of a fill level and its probability."""
    for entry in reading.entries(top):
        found = DropProfile(entry.word, reading.where(entry))
        curve = reading.block(entry, "interpolate")
        if curve:
            found.levels = _percents(reading, curve, "fill-level")
            found.chances = _percents(reading, curve, "drop-probability")
        for level in reading.entries(entry, "fill-level"):
            fill, chance = _percent(reading, level), reading.number(level, "drop-probability", high=100)
            if fill and isinstance(chance, Known):
                found.levels.append(fill)
                found.chances.append(chance)
        cos.drop_profiles[entry.word] = found


def _percents(reading: StatementReader, curve: StatementNode, key: str) -> list[Known[float]]:
    values = reading.block(curve, key)
    return [value for each in values.active() if (value := _percent(reading, each))] if values else []


def _percent(reading: StatementReader, found: StatementNode) -> Known[float] | None:
    value = decimal(found.word, 0, 100)
    reading.mark(found, LineState.UNRECOGNISED if value is None else LineState.MODELLED)
    return None if value is None else Known(value, Origin.INTENDED, reading.where(found))
