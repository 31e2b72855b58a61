"""Physical facts at both ends of a cable: what is plugged in, what it measures, and what the link has counted.

They may explain a fault, and are none by themselves: no threshold judges them.
"""

from collections.abc import Iterator, Mapping, Sequence

from auditor.diagnosis.counters import CounterVerdict
from auditor.model.counters import CounterKind, select_counters
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.setting import Known
from auditor.util.values import dataclass

_COUNTERS = (CounterKind.LINK_DOWN, CounterKind.CORRUPT, CounterKind.CORRECTED)
_OF_MODULE: Mapping[str, str] = {
    "part_number": "",
    "kind": "",
    "length_m": "m",
    "temperature_c": "C",
    "rx_power_dbm": "dBm",
}
"""The fields of a module that are shown, each with its unit."""


@dataclass(frozen=True, slots=True)
class PhysicalFact:
    """A value that a port, or the module in it, tells of itself, and the line that shows it.

    `name` is that of a field of a module in the port view, or of a counter.
    """

    device: str
    port: str
    name: str
    value: str | float
    unit: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CableEnd:
    """The port of a finding that a cable may explain, and what its counters say already."""

    device: str
    port: str
    counters: CounterVerdict | None = None


def list_physical(fabric: Fabric, cabled: Sequence[CableEnd | None]) -> tuple[tuple[PhysicalFact, ...], ...]:
    """Return the facts at both ends of the cable of each finding, none for None."""
    return tuple(tuple(_list_facts(each, fabric)) if each else () for each in cabled)


def _list_facts(cabled: CableEnd, fabric: Fabric) -> Iterator[PhysicalFact]:
    near = End(cabled.device, cabled.port)
    counted = cabled.counters
    shown = {(e.device, e.port, e.name) for e in (*counted.evidence, *counted.beside)} if counted else set()
    for attached in (fabric.ends().get(near), fabric.far_ends().get(near)):
        if attached:
            yield from _describe_module(attached)
            yield from (each for each in _count_link(attached) if (each.device, each.port, each.name) not in shown)


def _describe_module(end: Attached) -> Iterator[PhysicalFact]:
    for name, unit in _OF_MODULE.items():
        setting = getattr(end.port.hardware.module, name)
        if isinstance(setting, Known):
            yield from _make_fact(end, name, setting, unit)


def _count_link(end: Attached) -> Iterator[PhysicalFact]:
    """Yield the counters of the link that are not zero."""
    for kind in _COUNTERS:
        for counter in select_counters(end.port.counters, kind):
            if counter.value.value:
                yield from _make_fact(end, counter.name, counter.value, "")


def _make_fact(end: Attached, name: str, known: Known[str | float], unit: str) -> Iterator[PhysicalFact]:
    where = end.port.locate(known.where)
    if where:
        yield PhysicalFact(end.device.name, end.port.name, name, known.value, unit, where.file, where.line)
