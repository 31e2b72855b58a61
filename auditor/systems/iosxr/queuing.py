"""`show qos interface`: what each virtual output queue of a port may hold, as the switch runs it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from auditor.grammar.operational import Ports
from auditor.grammar.thresholds import fill_setting
from auditor.model.dump import Capture, LineState
from auditor.model.port import Port
from auditor.model.qos import Queue
from auditor.model.setting import Known, Origin, Unset
from auditor.systems.iosxr.counters import find_port
from auditor.systems.iosxr.resolve import VOQ

HEAD = re.compile(r"Interface (?P<port>\S{1,60}) ifh 0x[0-9a-f]{1,16}\s+-- (?P<way>input|output) policy\Z")
_BASE = re.compile(r"VOQ Base:\s+(?P<number>\d{1,9})\Z")
_QUEUE = re.compile(r"Egressq Queue ID\s+=\s+(?P<number>\d{1,9})\b")
_LIMIT = re.compile(r"TailDrop Threshold\s+=\s+(?P<bytes>\d{1,15}) bytes\b")
_FORMS = (HEAD, _BASE, _QUEUE, _LIMIT)
_CLASSES, _UNKNOWN = range(8), -1
Limits = dict[str, dict[int, Known[int]]]
"""What queues may hold in bytes, by port and traffic class."""


def read_queuing(capture: Capture, ports: Ports) -> list[LineState]:
    """Return which lines of the output tell of a port, a queue, or what the queue may hold."""
    for index, line in enumerate(capture.lines):
        head = HEAD.match(line.strip())
        if head:
            find_port(ports, head["port"], capture.where(index))
    return [
        LineState.MODELLED if any(form.match(line.strip()) for form in _FORMS) else LineState.IGNORED
        for line in capture.lines
    ]


def read_limits(captures: Iterable[Capture]) -> Limits:
    """Return what the queues on departure may hold: the queues of a port are numbered from its base, by class."""
    found: Limits = {}
    for capture in captures:
        port, base, number = "", _UNKNOWN, _UNKNOWN
        for index, line in enumerate(capture.lines):
            head, first, queue, limit = (form.match(line.strip()) for form in _FORMS)
            if head:
                port, base, number = head["port"] if head["way"] == "output" else "", _UNKNOWN, _UNKNOWN
            elif first:
                base = int(first["number"])
            elif queue:
                number = int(queue["number"]) - base if base != _UNKNOWN else _UNKNOWN
            elif limit and port and number in _CLASSES:
                limits = found.setdefault(port, {})
                limits.setdefault(number, Known(int(limit["bytes"]), Origin.LEARNED, capture.where(index)))
    return found


def add_limits(ports: Sequence[Port], limits: Limits) -> tuple[Port, ...]:
    """Return *ports* with the limits of queues that no line gives in bytes; a port without queues has those shown."""
    return tuple(_add_limits(port, limits[port.name]) if port.name in limits else port for port in ports)


def _add_limits(port: Port, limits: Mapping[int, Known[int]]) -> Port:
    queues = port.config.queues
    known = {queue.queue: queue for queue in queues.value} if isinstance(queues, Known) else {}
    for number, limit in limits.items():
        queue = known.get(number) or Queue(number, location=VOQ, static_threshold_bytes=Unset(limit.where))
        known[number] = replace(queue, static_threshold_bytes=fill_setting(queue.static_threshold_bytes, limit))
    origin, where = (queues.origin, queues.where) if isinstance(queues, Known) else (Origin.LEARNED, None)
    every = tuple(known[number] for number in sorted(known))
    return replace(port, config=replace(port.config, queues=Known(every, origin, where)))
