"""A configuration, the table of headroom and what show outputs say, joined to a switch."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.model.device import Device
from auditor.model.dump import Capture, Doubt, LineState, list_dump_files
from auditor.model.port import Port
from auditor.model.setting import Known, Setting, Unknown, value_of
from auditor.systems.sonic.assemble import Assembler
from auditor.systems.sonic.buffers import pools
from auditor.systems.sonic.config import Config
from auditor.systems.sonic.hardware import architecture, asic
from auditor.systems.sonic.learned import pools_that_run, with_learned
from auditor.systems.sonic.lookup import Lookup
from auditor.systems.sonic.names import unattached, undefined
from auditor.systems.sonic.operation import Operation
from auditor.systems.sonic.vlans import vlan_interfaces


@dataclass(frozen=True, slots=True)
class Named:
    """What a switch is called where its dumps do not tell, its operating system, and where the dumps are."""

    name: str
    os: str
    source: str


@dataclass(slots=True)
class Shown:
    """What lies beside the configuration: the table of headroom, show outputs, states of lines, doubts."""

    lookup: Lookup | None = None
    operation: Operation = field(default_factory=Operation)
    dumps: list[tuple[Capture, Sequence[LineState]]] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


def switch(named: Named, config: Config, shown: Shown, others: Sequence[Port] = ()) -> Device:
    """Return the switch that *config* and *shown* make; *others* are ports that the configuration does not show."""
    configured = (*Assembler(config, shown.lookup).ports(), *others)
    ports, contradictions = with_learned(configured, shown.operation, config)
    return Device(
        name=value_of(_metadata(config, "hostname", shown)) or named.name,
        kind="switch",
        os=named.os,
        source=named.source,
        ports=ports,
        os_version=_metadata(config, "sonic_os_version", shown),
        model=_metadata(config, "hwsku", shown),
        asic=asic(config, shown.operation.metadata),
        buffer_architecture=architecture(config, shown.operation.metadata),
        pools=pools_that_run(pools(config), shown.operation),
        undefined=undefined(config),
        unattached=unattached(config),
        dumps=list_dump_files(named.os, shown.dumps),
        doubts=(*shown.doubts, *contradictions),
        vlan_interfaces=vlan_interfaces(config),
    )


def _metadata(config: Config, name: str, shown: Shown) -> Setting[str]:
    """Return what the switch is said to be: as configured, else as an output shows it."""
    found = config.metadata.get(name) if config.metadata else None
    told = found if isinstance(found, Known) else shown.operation.metadata.get(name)
    if told:
        return told
    if config.metadata is None:
        return config.absent("DEVICE_METADATA")
    return Unknown(f"{config.title('DEVICE_METADATA')} has no {name}")
