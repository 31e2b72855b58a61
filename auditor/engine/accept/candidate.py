"""A device that is to be accepted, with its settings, its first line, and the far ends of its cables."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from auditor.engine.attempts import Attempts
from auditor.engine.result import Report
from auditor.inputs.rawtext import Problem
from auditor.model.device import Device
from auditor.model.fabric import Attached, End, Fabric, Link
from auditor.model.hardware import Module
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Unset, Where, value_of
from auditor.util.values import dataclass
from auditor.view.cells import list_cells
from auditor.view.size import MOST_VALUES, is_too_large
from auditor.view.table import NOT_SET, Cell, PortTable, Table, make_cell

_SIZED = "cable_length_m"
"""A setting that the intent gives to ports whose dumps show none."""
_MAPS = ("dcqcn", "accelerations", "cc_slots", "requested")
"""Maps of a NIC whose members have lines of their own."""
_SWITCHES = ("dcqcn_np", "dcqcn_rp")
"""Switches of a NIC by priority; the first one that is off is the line to see."""


@dataclass(frozen=True, slots=True)
class FarEnd:
    """The far end of a cable by the names of its device and port, and the line that names it."""

    device: str
    port: str
    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A device with its settings by name and, by port, the far ends of its cables; `where` is its first line."""

    device: Device
    table: Table
    far: Mapping[str, FarEnd]
    where: Where | None

    @property
    def name(self) -> str:
        """The name of the device in the audit."""
        return self.device.name


class Candidates:
    """Makes a candidate of each device; `problems` say why a device has no settings."""

    def __init__(self, fabric: Fabric, report: Report) -> None:
        self._attempts = Attempts()
        self._far: dict[str, dict[str, FarEnd]] = {}
        for end, far in map_far_ends(fabric).items():
            self._far.setdefault(end.device, {})[end.port] = far
        self._places = {device.name: device.where for device in report.audited}

    @property
    def problems(self) -> list[Problem]:
        """Why the settings of a device are not judged."""
        return self._attempts.problems

    def list_far(self, device: str) -> Mapping[str, FarEnd]:
        """Return the far ends of the cables of a device, by port."""
        return self._far.get(device, {})

    def make(self, device: Device) -> Candidate:
        """Return *device* as a candidate; without settings where they cannot be listed."""
        if is_too_large(device):
            why = f"its {len(device.ports)} ports repeat their tables: more than {MOST_VALUES} values"
            self.problems.append(Problem(device.source, None, f"{device.name}: not judged: {why}"))
            table = Table()
        else:
            table = self._attempts.run(f"settings of {device.name}", lambda: list_settings(device), Table())
        return Candidate(device, table, self.list_far(device.name), self._places.get(device.name))


def list_settings(device: Device) -> Table:
    """Return the settings of *device* with its hardware and the memory of its cards; without lengths of the intent."""
    tables = list_cells(device).ports
    return Table({name: _add_own(own) if name else own for name, own in tables.items()})


def _add_own(table: PortTable) -> PortTable:
    """Return the settings of a port with its hardware and the memory of its card."""
    port = table.port
    placed: dict[str, Cell | None] = {}
    length = table.get(_SIZED)
    if length and not length.file:
        placed[_SIZED] = None
    for path, setting in _list_hardware(port):
        cell = _make_cell(port, setting)
        if cell and table.get(path) is None:
            placed.setdefault(path, cell)
    for path, where in _list_places(port):
        cell, place = placed.get(path) or table.get(path), port.locate(where)
        if cell and place:
            placed[path] = replace(cell, file=place.file, line=place.line)
    has_memory = port.config.nic is not None and isinstance(port.config.nic.nv, Known)
    return replace(table, placed=placed, known=frozenset({"nic.nv"} if has_memory else ()))


def _list_places(port: Port) -> Iterator[tuple[str, Where | None]]:
    """Yield the line of each member of a map or list of a NIC that has lines of its own."""
    nic = port.config.nic
    for name in _MAPS if nic else ():
        for key, known in (value_of(getattr(nic, name)) or {}).items():
            yield f"nic.{name}[{key}]", known.where
    for name in _SWITCHES if nic else ():
        off = [known.where for known in (value_of(getattr(nic, name)) or {}).values() if not known.value]
        yield from ((f"nic.{name}", where) for where in off[:1])
    for gid in value_of(port.rdma.gids) or ():
        yield from ((f"nic.gids[{gid.index}].{name}", gid.where) for name in ("gid", "type", "netdev"))


def _list_hardware(port: Port) -> Iterator[tuple[str, Setting[Any]]]:
    for each in fields(port.hardware):
        value = getattr(port.hardware, each.name)
        if isinstance(value, Module):
            yield from ((f"hardware.{each.name}.{part.name}", getattr(value, part.name)) for part in fields(value))
        else:
            yield f"hardware.{each.name}", value
    memory = port.config.nic.nv if port.config.nic else None
    for name, known in (value_of(memory) or {}).items() if memory else ():
        yield f"nic.nv[{name}]", known


def _make_cell(port: Port, setting: Setting[Any]) -> Cell | None:
    """Return the cell of a value, None where the dumps do not determine it."""
    if not isinstance(setting, Known | Unset):
        return None
    where = port.locate(setting.where)
    if isinstance(setting, Unset):
        return make_cell(NOT_SET, where)
    value = setting.value
    return make_cell(f"{value:g}" if isinstance(value, float) else str(value), where)


def map_far_ends(fabric: Fabric) -> Mapping[End, FarEnd]:
    """Return the far end of each port by its own dump; else by the one link that ends there.

    A port has none where its dump names several, or several other dumps name it.
    """
    links: dict[End, list[tuple[End, Link]]] = {}
    for link in fabric.links:
        links.setdefault(link.a, []).append((link.b, link))
        links.setdefault(link.b, []).append((link.a, link))
    ends = fabric.ends()
    found: dict[End, FarEnd] = {}
    for near, several in links.items():
        own = [far for far, link in several if near in link.told_by] or [far for far, _ in several]
        if len(own) == 1:
            place = _locate(ends.get(near)) or _locate(ends.get(own[0]))
            file, line = (place.file, place.line) if place else (None, None)
            found[near] = FarEnd(own[0].device, own[0].port, file, line)
    return found


def _locate(end: Attached | None) -> Where | None:
    """Return the line of the dump of *end* that names its neighbour."""
    peer = end.port.peer if end else None
    return end.port.locate(peer.where) if end and isinstance(peer, Known) else None
