"""`show qos interface`: what each virtual output queue of a port may hold and how it is served, as the switch runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from auditor.grammar.operational import Ports
from auditor.grammar.thresholds import fill_setting
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.qos import Queue, Scheduler
from auditor.model.setting import Known, Origin, Unset, Where
from auditor.systems.iosxr.counters import find_port
from auditor.systems.iosxr.resolve import VOQ
from auditor.util.regex import regex

HEAD = regex(r"Interface (?P<port>\S{1,60}) ifh 0x[0-9a-f]{1,16}\s+-- (?P<way>input|output) policy\Z")
_BASE = regex(r"VOQ Base:\s+(?P<number>\d{1,9})\Z")
_QUEUE = regex(r"Egressq Queue ID\s+=\s+(?P<number>\d{1,9})(?: \((?P<kind>HP|LP|Default)\w{0,4}\b.{0,20}\))?")
_LIMIT = regex(r"TailDrop Threshold\s+=\s+(?P<bytes>\d{1,15}) bytes\b")
_MOST = regex(r"Queue Max\. BW\.\s+=\s+\d{1,12} kbps \((?P<percent>\d{1,3}) %\)\Z")
_FORMS = (HEAD, _BASE, _QUEUE, _LIMIT, _MOST)
_CLASSES, _UNKNOWN = range(8), -1
_HIGH = "HP"
"""High priority: what a class with `priority level` gets."""
LearnedQueues = dict[str, dict[int, Queue]]
"""The queues that outputs show, by port and traffic class."""


def read_queuing(capture: Capture, ports: Ports) -> list[LineState]:
    """Return which lines of the output tell of a port, a queue, or how the queue is served."""
    for index, line in enumerate(capture.lines):
        head = HEAD.match(line.strip())
        if head:
            find_port(ports, head["port"], capture.where(index))
    return [
        LineState.MODELLED if any(form.match(line.strip()) for form in _FORMS) else LineState.IGNORED
        for line in capture.lines
    ]


def read_queues(captures: Iterable[Capture]) -> LearnedQueues:
    """Return the queues on departure as they run: those of a port are numbered from its base, by class."""
    found: LearnedQueues = {}
    for capture in captures:
        port, base, number = "", _UNKNOWN, _UNKNOWN
        for index, line in enumerate(capture.lines):
            text = line.strip()
            head, first, queue = (form.match(text) for form in (HEAD, _BASE, _QUEUE))
            if head:
                port, base, number = head["port"] if head["way"] == "output" else "", _UNKNOWN, _UNKNOWN
            elif first:
                base = int(first["number"])
            elif queue:
                number = int(queue["number"]) - base if base != _UNKNOWN else _UNKNOWN
            if port and number in _CLASSES:
                where = capture.where(index)
                known = found.setdefault(port, {})
                known[number] = _learn(known.get(number) or _begin(number, where), text, where)
    return found


def _begin(number: int, where: Where) -> Queue:
    silent = Unset(where)
    return Queue(number, location=VOQ, static_threshold_bytes=silent, scheduler=silent, shape_percent=silent)


def _learn(queue: Queue, text: str, where: Where) -> Queue:
    """Return *queue* with what one line tells of it.

    `WRED not configured` leaves ECN open: the PFC profile of a card may mark.
    """
    kind, limit, most = (form.match(text) for form in (_QUEUE, _LIMIT, _MOST))
    if kind and kind["kind"] == _HIGH:
        return replace(queue, scheduler=Known(Scheduler.STRICT, Origin.LEARNED, where))
    if limit:
        return replace(queue, static_threshold_bytes=Known(int(limit["bytes"]), Origin.LEARNED, where))
    if most:
        return replace(queue, shape_percent=Known(float(most["percent"]), Origin.LEARNED, where))
    return queue


def add_queues(ports: Sequence[Port], learned: LearnedQueues) -> tuple[Port, ...]:
    """Return *ports* with what outputs show of queues and no line says; a port without queues has those shown."""
    return tuple(_add_queues(port, learned[port.name]) if port.name in learned else port for port in ports)


def _add_queues(port: Port, learned: Mapping[int, Queue]) -> Port:
    queues = port.config.queues
    known = {queue.queue: queue for queue in queues.value} if isinstance(queues, Known) else {}
    for number, seen in learned.items():
        queue = known.get(number)
        known[number] = _merge(queue, seen) if queue else seen
    origin, where = (queues.origin, queues.where) if isinstance(queues, Known) else (Origin.LEARNED, None)
    every = tuple(known[number] for number in sorted(known))
    return replace(port, config=replace(port.config, queues=Known(every, origin, where)))


def _merge(queue: Queue, seen: Queue) -> Queue:
    return replace(
        queue,
        static_threshold_bytes=fill_setting(queue.static_threshold_bytes, seen.static_threshold_bytes),
        scheduler=fill_setting(queue.scheduler, seen.scheduler),
        shape_percent=fill_setting(queue.shape_percent, seen.shape_percent),
    )
