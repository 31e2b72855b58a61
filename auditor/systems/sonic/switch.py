"""Configuration, table of headroom and operational state, joined to a switch."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from auditor.grammar.running import ONLY_PART
from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Unknown, value_of
from auditor.systems.sonic.assemble import Assembler
from auditor.systems.sonic.buffers import list_pools
from auditor.systems.sonic.config import Config
from auditor.systems.sonic.hardware import find_architecture, find_asic
from auditor.systems.sonic.lookup import Lookup
from auditor.systems.sonic.merge import merge_operational, merge_pools
from auditor.systems.sonic.multipath import read_ecmp
from auditor.systems.sonic.names import list_unattached, list_undefined
from auditor.systems.sonic.operation import Operation
from auditor.systems.sonic.routing import read_routing
from auditor.systems.sonic.vlans import list_vlan_interfaces
from auditor.util.values import dataclass

_TABLES_OF_WHOLE = ("PORT", "DEVICE_METADATA")
"""Tables of which a whole configuration has one; others may be a file of their own, such as `qos.json`."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The fallback name of a switch, its operating system, and the place of its dumps."""

    name: str
    os: str
    source: str


@dataclass(slots=True)
class ShowEvidence:
    """The evidence beside the configuration: table of headroom, show outputs, line states, doubts."""

    lookup: Lookup | None = None
    operation: Operation = field(default_factory=Operation)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


def make_switch(named: Identity, config: Config, shown: ShowEvidence, others: Sequence[Port] = ()) -> Device:
    """Return the switch of *config* and *shown*; *others* are ports without a configuration in the dump."""
    configured = (*Assembler(config, shown.lookup).ports(), *others)
    ports, differences = merge_operational(configured, shown.operation, config)
    return Device(
        name=value_of(_metadata(config, "hostname", shown)) or named.name,
        kind="switch",
        os=named.os,
        source=named.source,
        ports=ports,
        os_version=_metadata(config, "sonic_os_version", shown),
        model=_metadata(config, "hwsku", shown),
        asic=find_asic(config, shown.operation.metadata),
        buffer_architecture=find_architecture(config, shown.operation.metadata),
        pools=merge_pools(list_pools(config), shown.operation),
        ecmp=read_ecmp(config),
        routing=read_routing(config),
        undefined=list_undefined(config),
        unattached=list_unattached(config),
        dumps=list_dump_files(named.os, shown.dumps),
        doubts=tuple(shown.doubts),
        differences=differences,
        vlan_interfaces=list_vlan_interfaces(config),
    )


def find_part(rows: Mapping[str, Sequence[object]]) -> Unknown | None:
    """Return why the names in *rows*, by table, are not all names of the switch; None for a whole configuration."""
    return ONLY_PART if any(rows.values()) and not any(rows.get(table) for table in _TABLES_OF_WHOLE) else None


def _metadata(config: Config, name: str, shown: ShowEvidence) -> Setting[str]:
    """Return a field of DEVICE_METADATA: as configured, else from an output."""
    found = config.metadata.get(name) if config.metadata else None
    told = found if isinstance(found, Known) else shown.operation.metadata.get(name)
    if told:
        return told
    if config.metadata is None:
        return config.absent("DEVICE_METADATA")
    return Unknown(f"{config.title('DEVICE_METADATA')} has no {name}")
