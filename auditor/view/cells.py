"""The public view of a device as a table of its settings, by the names of the port view."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any

from auditor.model.device import Device
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Setting, Unset, Where, value_of
from auditor.util.values import dataclass
from auditor.view.documents import PortView
from auditor.view.host_documents import NicView
from auditor.view.port_view import device_view, read_port
from auditor.view.states import StateReader
from auditor.view.table import NO_PORT, NOT_SET, Listing, PortTable, Proof, Table, make_cell

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
_OWN = frozenset({"mac", "lag", "parent", "peer", "hardware", "nic.rdma_device", "nic.gids"})
"""The fields of a port that are its own; all others are of its configuration, which its likes share."""
_NOT_OF_PART = frozenset({"link_up", "next_boot", "firmware_default", "location", "temperature_c", "rx_power_dbm"})
"""What is no setting within a part of a port: what runs, what is to come, and readings."""
_RANKS: Mapping[str, int] = {
    path: rank
    for rank, path in enumerate(
        path
        for name in PortView.model_fields
        for path in ([f"nic.{inner}" for inner in NicView.model_fields] if name == "nic" else [name])
    )
}
"""The fields of a port and of its NIC in their order."""


def list_cells(device: Device) -> Table:
    """Return the settings of *device*."""
    whole = _Lister({})
    for name, value in device_view(replace(device, ports=())).model_dump(mode="json", exclude=_NOT_OF_DEVICE).items():
        whole.add(name, value, f"/{name}")
    proofs = whole.listing.proofs
    for path, where in _list_places(device):
        if path in proofs:
            proofs[path] = proofs[path]._replace(where=where)
    tables = {"": PortTable(NO_PORT, whole.listing)}
    shared: dict[int, Listing] = {}
    for port in device.ports:
        if id(port.config) not in shared:
            shared[id(port.config)] = _list_fields(Port("", port.config))
        bare = PortConfig(nic=port.config.nic and Nic())
        own = _list_fields(replace(port, config=bare, counters=None), _OWN)
        tables[port.name] = PortTable(port, shared[id(port.config)], own)
    return Table(tables)


def _list_fields(port: Port, names: Container[str] = _RANKS.keys() - _OWN) -> Listing:
    """Return the settings in the fields *names* of the view of a port."""
    read = StateReader(port, keep=True)
    view = PortView.model_validate(read_port(port, read)).model_dump(mode="json", exclude=_NOT_OF_PORT)
    view |= {f"nic.{name}": value for name, value in (view.pop("nic") or {}).items() if name not in _NOT_OF_PART}
    lister = _Lister(read.settings or {})
    for name in filter(names.__contains__, view):
        lister.rank = _RANKS[name]
        lister.add(name, view[name], f"/{name.replace('.', '/')}")
    return lister.listing


def list_next_boot(device: Device) -> Table:
    """Return what the next boot changes at the NICs of *device*; nothing at a NIC is absent from a table that is known.

    The paths are those of `list_cells`, where it is a setting of the port view that changes.
    """
    tables: dict[str, PortTable] = {}
    for port in device.ports:
        changed = port.config.nic.next_boot if port.config.nic else None
        if isinstance(changed, Known):
            placed = {
                f"{NEXT_BOOT}[{name}]": make_cell(value.value, port.locate(value.where))
                for name, value in changed.value.items()
            }
            tables[port.name] = PortTable(port, placed=placed, known=frozenset({NEXT_BOOT}))
    return Table(tables)


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


@dataclass(slots=True)
class _Lister:
    """Lists the settings in the fields of a view, each with the setting of the model that it is of."""

    settings: Mapping[str, Setting[Any]]
    rank: int = 0
    listing: Listing = field(default_factory=Listing)

    def add(self, path: str, value: Any, pointer: str) -> None:  # noqa: ANN401  JSON
        """Add the setting at *path*, or all that it holds."""
        if path.endswith((".ecn_min", ".ecn_max")):
            value = _describe_threshold(value)
        if isinstance(value, dict) and path != "peer":
            self._add_map(path, value, pointer)
        elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            self._add_members(path, value, pointer)
        else:
            self._add_text(path, value, _find_setting(pointer, self.settings))

    def _add_text(self, path: str, value: Any, setting: Setting[Any] | None) -> None:  # noqa: ANN401  JSON
        """Add the text of a value, unless the dumps do not determine it."""
        if value is None and not isinstance(setting, Unset):
            return
        where = setting.where if isinstance(setting, Known | Unset) else None
        is_default = isinstance(setting, Known) and setting.origin is Origin.DEFAULT
        self.listing.texts[path] = NOT_SET if value is None else _format(value)
        self.listing.proofs[path] = Proof(self.rank, where, is_default)

    def _add_map(self, path: str, value: Mapping[str, Any], pointer: str) -> None:
        is_table = pointer in self.settings
        if is_table:
            self.listing.parts.add(path)
        for name, inner in value.items():
            if name not in _NOT_OF_PART:
                self.add(f"{path}[{name}]" if is_table else f"{path}.{name}", inner, f"{pointer}/{name}")

    def _add_members(self, path: str, value: list[dict[str, Any]], pointer: str) -> None:
        self.listing.parts.add(path)
        key = _IDS.get(path.rpartition(".")[2], "")
        for number, each in enumerate(value):
            own = str(each.get(key, number))
            for name, inner in each.items():
                if name not in _NOT_OF_PART and name != key:
                    self.add(f"{path}[{own}].{name}", inner, f"{pointer}/{number}/{name}")


def _describe_threshold(value: Mapping[str, Any] | None) -> str | None:
    """Return a threshold in a unit without a size; another one is in the field in bytes."""
    return None if value is None or value["unit"] == "bytes" else f"{value['value']:g} {value['unit']}"


def _find_setting(pointer: str, settings: Mapping[str, Setting[Any]]) -> Setting[Any] | None:
    """Return the setting of the field at *pointer*, or of what holds it."""
    while pointer:
        if pointer in settings:
            return settings[pointer]
        pointer = pointer.rpartition("/")[0]
    return None


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
