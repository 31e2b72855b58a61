"""The public view of a device as one flat table: a cell for each setting, by the names of the port view."""

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any, TypeAlias

from auditor.model.device import Device
from auditor.model.setting import Known, Where, value_of
from auditor.util.values import dataclass
from auditor.view.documents import StateView
from auditor.view.port_view import device_view

Key: TypeAlias = tuple[str, str]
"""A port, empty for the device, and the path of a setting, such as `queues[3].ecn_min_bytes`."""
ABSENT, NOT_SET = "absent", "not set"
_NOTHING = frozenset({ABSENT, NOT_SET})
"""Texts for a setting without a value: what held it is gone, or no line sets it."""
NEXT_BOOT = "nic.next_boot"
FOLLOWED: Mapping[str, str] = {
    **dict.fromkeys(("pfc_tx_priorities", "pfc_rx_priorities"), "pfc_priorities"),
    **dict.fromkeys(("ip_mtu_bytes", "max_frame_bytes"), "mtu_bytes"),
}
"""Settings that mostly follow another one, which this names."""
_IDS: Mapping[str, str] = {
    "queues": "queue",
    "priority_groups": "pg",
    "classes": "id",
    "gids": "index",
    **dict.fromkeys(("pools", "workloads", "templates", "networks"), "name"),
}
"""The field that tells the members of a list apart; those of other lists have their position."""
_NOT_OF_DEVICE = {"name", "kind", "source", "captured_at", "asic", "role", "buffer_architecture", "ports"}
_NOT_OF_PORT = {
    *("name", "aliases", "counters", "state", "pfc_oper", "global_pause", "dscp_to_priority", "pcp_to_priority"),
}
"""What is no setting: names, counters, what runs, and summaries of other fields."""
_NOT_OF_PART = frozenset({"link_up", "next_boot", "firmware_default", "location", "temperature_c", "rx_power_dbm"})
"""What is no setting within a part of a port: what runs, what is to come, and readings."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a setting as text, the line that proves it, and whether a vendor's default decides."""

    text: str
    file: str | None = None
    line: int | None = None
    is_default: bool = False


def is_alike(one: str, other: str) -> bool:
    """Return whether two texts are of one value; two without a value are.

    >>> is_alike("absent", "not set"), is_alike("absent", "3")
    (True, False)
    """
    return one == other or {one, other} <= _NOTHING


@dataclass(slots=True)
class Table:
    """The settings of a device; `parts` are the lists and maps whose members are all known."""

    cells: dict[Key, Cell] = field(default_factory=dict)
    parts: set[Key] = field(default_factory=set)

    def find(self, key: Key) -> Cell | None:
        """Return a cell; an absent one where the list that should hold it is known, None where that is not known."""
        if key in self.cells:
            return self.cells[key]
        return Cell(ABSENT) if any(part in self.parts for part in _list_parts(key)) else None


def _list_parts(key: Key) -> Iterator[Key]:
    """Yield the nearest list or map around a setting, and for a setting of a port that is gone the device."""
    port, path = key
    head, bracket, _ = path.rpartition("[")
    if bracket:
        yield port, head


def list_cells(device: Device) -> Table:
    """Return the settings of *device*."""
    table, view = Table(), device_view(device, with_state=True)
    whole = _Filler(table, "", {})
    for name, value in view.model_dump(mode="json", exclude=_NOT_OF_DEVICE).items():
        whole.add(name, value, f"/{name}")
    for path, where in _list_places(device):
        if ("", path) in table.cells:
            table.cells["", path] = replace(table.cells["", path], file=where.file, line=where.line)
    for port in view.ports:
        filler = _Filler(table, port.name, port.state or {})
        for name, value in port.model_dump(mode="json", exclude=_NOT_OF_PORT).items():
            filler.add(name, value, f"/{name}")
    return table


def list_next_boot(device: Device) -> Table:
    """Return what the next boot changes at the NICs of *device*; nothing at a NIC is absent from a table that is known.

    The paths are those of `list_cells`, where it is a setting of the port view that changes.
    """
    table = Table()
    for port in device.ports:
        changed = port.config.nic.next_boot if port.config.nic else None
        if not isinstance(changed, Known):
            continue
        table.parts.add((port.name, NEXT_BOOT))
        for name, value in changed.value.items():
            where = port.locate(value.where)
            table.cells[port.name, f"{NEXT_BOOT}[{name}]"] = Cell(
                value.value, where.file if where else None, where.line if where else None
            )
    return table


def _list_places(device: Device) -> Iterator[tuple[str, Where]]:
    """Yield the line of each setting of the whole device, which the view leaves out."""
    named: list[tuple[str, object]] = [("os_version", device.os_version), ("model", device.model)]
    named += [(f"ecmp.{each.name}", getattr(device.ecmp, each.name)) for each in fields(device.ecmp)]
    for each in fields(device.host) if device.host else ():
        values = getattr(device.host, each.name)
        inner = values.value if isinstance(values, Known) else None
        named += (
            [(f"host.{each.name}.{key}", value) for key, value in inner.items()] if isinstance(inner, Mapping) else []
        )
    for job in device.jobs.workloads if device.jobs else ():
        at = f"jobs.workloads[{job.name}]"
        named += [(f"{at}.environment.{key}", value) for key, value in job.environment.items()]
        named += [(f"{at}.resources.{key}", value) for key, value in (value_of(job.resources) or {}).items()]
    yield from ((path, value.where) for path, value in named if isinstance(value, Known) and value.where)


@dataclass(frozen=True, slots=True)
class _Filler:
    """Puts the fields of one port, or of the device, into a table."""

    table: Table
    port: str
    states: Mapping[str, StateView]

    def add(self, path: str, value: Any, pointer: str) -> None:  # noqa: ANN401  JSON
        """Add the setting at *path*, or all that it holds."""
        if path.endswith((".ecn_min", ".ecn_max")):
            value = _describe_threshold(value)
        if isinstance(value, dict) and path != "peer":
            self._add_map(path, value, pointer)
        elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            self._add_members(path, value, pointer)
        elif cell := _make_cell(value, _find_state(pointer, self.states)):
            self.table.cells[self.port, path] = cell

    def _add_map(self, path: str, value: Mapping[str, Any], pointer: str) -> None:
        is_table = pointer in self.states
        if is_table:
            self.table.parts.add((self.port, path))
        for name, inner in value.items():
            if name not in _NOT_OF_PART:
                self.add(f"{path}[{name}]" if is_table else f"{path}.{name}", inner, f"{pointer}/{name}")

    def _add_members(self, path: str, value: list[dict[str, Any]], pointer: str) -> None:
        self.table.parts.add((self.port, path))
        key = _IDS.get(path.rpartition(".")[2], "")
        for number, each in enumerate(value):
            own = str(each.get(key, number))
            for name, inner in each.items():
                if name not in _NOT_OF_PART and name != key:
                    self.add(f"{path}[{own}].{name}", inner, f"{pointer}/{number}/{name}")


def _describe_threshold(value: Mapping[str, Any] | None) -> str | None:
    """Return a threshold in a unit without a size; another one is in the field in bytes."""
    return None if value is None or value["unit"] == "bytes" else f"{value['value']:g} {value['unit']}"


def _find_state(pointer: str, states: Mapping[str, StateView]) -> StateView | None:
    """Return the state of the field at *pointer*, or of what holds it."""
    while pointer:
        if pointer in states:
            return states[pointer]
        pointer = pointer.rpartition("/")[0]
    return None


def _make_cell(value: Any, state: StateView | None) -> Cell | None:  # noqa: ANN401  JSON
    """Return the cell of a value, None where the dumps do not determine it."""
    if value is None:
        is_unset = state is not None and state.state == "unset"
        return Cell(NOT_SET, state.file, state.line) if state and is_unset else None
    if state is None:
        return Cell(_format(value))
    return Cell(_format(value), state.file, state.line, state.origin == "default")


def _format(value: Any) -> str:  # noqa: ANN401  JSON
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"  # noqa: PLR2004  bytes stay whole
    if isinstance(value, list):
        return ",".join(map(_format, value)) or "none"
    if isinstance(value, dict):
        return " ".join(_format(each) for each in value.values() if each is not None)
    return str(value)
