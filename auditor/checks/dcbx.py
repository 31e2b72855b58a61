"""LLDP and DCBX at the host: one agent per port, and none that undoes what was set by hand."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, Whole, format_priorities
from auditor.intent import Intent
from auditor.model.device import Device
from auditor.model.fabric import End
from auditor.model.finding import Facts, Finding, LossKind, Related
from auditor.model.nic import Nic
from auditor.model.port import PfcMode, Port
from auditor.model.setting import Known, Origin, Setting, Undetermined, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_AGENTS = ("lldpad", "lldpd")
_UNWILLING: Facts = (("dcbx_owner", "os"), ("willing", "off"), ("willing_setting", "FALSE"))
"""For a remedy: what the tools of the makers call a host that follows no switch."""
_TELLING = frozenset({"NVIDIA", "Intel"})
"""Vendors whose captures tell of the adapter's own agent and of its DCBX."""
_FIRMWARE = "the adapter's firmware runs DCBX, and is willing"


@dataclass(frozen=True, slots=True)
class Agents:
    """The LLDP agents of a port: running daemons of the host, and the adapter."""

    device: Device
    port: Port
    daemons: tuple[tuple[str, Known[str]], ...]


def _list_daemons(device: Device) -> tuple[tuple[str, Known[str]], ...]:
    services = (value_of(device.host.services) if device.host else None) or {}
    return tuple((name, services[name]) for name in _AGENTS if name in services and services[name].value == "active")


def list_agents(device: Device, _context: Context) -> Iterable[Agents]:
    """Return the RoCE ports of hosts on which a daemon speaks LLDP."""
    daemons = _list_daemons(device)
    return tuple(Agents(device, port, daemons) for port in device.ports if daemons and takes_part(port.config))


def two_agents(given: Agents, _params: Params, _context: Context) -> Iterator[Finding]:
    """A switch that hears two agents on a port does not know whom to follow, and stops PFC that DCBX agrees on."""
    nic = given.port.config.nic
    speakers: list[tuple[str, Known[object]]] = [(f"the daemon {name}", state) for name, state in given.daemons]
    agent = nic.firmware_lldp if nic else None
    if isinstance(agent, Known) and agent.value:
        speakers.append(("the adapter's firmware", agent))
    if len(speakers) > 1:
        (_, first), *others = speakers[::-1]
        related = (Related(f"{name} speaks LLDP", state.where) for name, state in others if state.where)
        yield Finding(
            f"{' and '.join(name for name, _ in speakers)} speak LLDP on this port: the switch sees two neighbours",
            given.port.locate(first.where) or given.port.where,
            related=tuple(related),
            key="agents",
            device=given.device.name,
            port=given.port.name,
            facts=tuple(_list_needless(given)),
        )
    elif nic and _may_tell(nic) and not isinstance(agent, Known):
        raise Undetermined(
            f"{given.port.name}: no capture shows whether the adapter's firmware speaks LLDP besides "
            f"{given.daemons[0][0]}: mlxconfig -d DEV -e q (NVIDIA), ethtool --show-priv-flags IF (Intel)",
            given.port.where,
        )


def _list_needless(given: Agents) -> Iterator[tuple[str, str]]:
    """Yield the agent to switch off: lldpad beside lldpd, else the adapter's own."""
    if len(given.daemons) > 1:
        yield "daemon", "lldpad"
        return
    yield "agent_port", given.port.name
    yield from _list_device("agent_device", given.port)


def _list_device(name: str, port: Port) -> Iterator[tuple[str, str]]:
    device = value_of(port.rdma.name)
    if device:
        yield name, device


def list_hand_set_nics(port: Port, _context: Context) -> Iterable[Port]:
    """Return RoCE NICs on which PFC was set by hand, for some priority."""
    if port.config.nic is None or not takes_part(port.config):
        return ()
    priorities = port.config.pfc.priorities
    if not isinstance(priorities, Known) or priorities.origin is not Origin.INTENDED:
        return ()
    return (port,) if priorities.value and value_of(port.config.pfc.mode) is PfcMode.ON else ()


@dataclass(frozen=True, slots=True)
class ToldPort:
    """A port whose neighbour, of which there is no dump, says by DCBX for which priorities PFC is enabled."""

    device: Device
    port: Port
    intent: Intent


def list_told(given: Whole, _context: object) -> Iterable[ToldPort]:
    """Return the ports of hosts with a neighbour that speaks DCBX; where both ends were dumped, PFC003 judges both."""
    ends = given.fabric.ends()
    linked = {end for link in given.fabric.links for end in (link.a, link.b) if link.a in ends and link.b in ends}
    return tuple(
        ToldPort(device, port, given.intents.of(device.own_name))
        for device in given.fabric.devices
        for port in device.ports
        if isinstance(port.config.pfc.peer_priorities, Known) and End(device.name, port.name) not in linked
    )


def neighbour_tells_pfc_off(given: ToldPort, _params: Params, _context: object) -> Iterator[Finding]:
    """A neighbour that does not pause a priority drops its packets, and goes on sending when it is paused."""
    pfc = given.port.config.pfc
    told, paused = pfc.peer_priorities.known(), pfc.priorities.known()
    meant = value_of(given.intent.lossless)
    lost = set(paused.value if meant is None else set(paused.value) & set(meant)) - set(told.value)
    if not lost:
        return
    peer = value_of(given.port.peer)
    whom = f"{peer.device} {peer.port}" if peer else "the neighbour"
    says = f"for priority {format_priorities(told.value)} alone" if told.value else "for no priority"
    where = given.port.locate(told.where)
    proof = given.port.locate(paused.where)
    yield Finding(
        f"{whom} says by DCBX that PFC is on {says}, but this port pauses priority {format_priorities(sorted(lost))}",
        where or proof,
        key="told",
        related=(Related("the priorities that this port pauses", proof),) if proof and where else (),
        device=given.device.name,
        port=given.port.name,
        loss=LossKind.NOT_HONOURED,
    )


def pfc_overwritable(port: Port, _params: Params, context: Context) -> Iterator[Finding]:
    """A NIC that is willing takes the switch's PFC and ETS at the next change of the link; so does lldpad's."""
    nic = port.config.nic
    paused = format_priorities(port.config.pfc.priorities.known().value)
    if nic is None:
        return
    lldpad = next((state for name, state in _list_daemons(context.device) if name == "lldpad"), None)
    willing = (*_UNWILLING, *_list_device("willing_device", port))
    causes: tuple[tuple[bool | None, Setting[object] | None, str, Facts], ...] = (
        (value_of(nic.dcbx_willing), nic.dcbx_willing, "DCBX is willing: what the switch says replaces it", willing),
        (_is_firmware_in_charge(nic), nic.firmware_lldp, f"{_FIRMWARE}: what the switch says replaces it", willing),
        (lldpad is not None, lldpad, "the daemon lldpad runs and writes its own over it", (("daemon", "lldpad"),)),
    )
    found = [(setting, why, facts) for is_so, setting, why, facts in causes if is_so and isinstance(setting, Known)]
    for setting, why, facts in found:
        yield Finding(f"PFC on priority {paused} was set by hand, but {why}", setting.where, key=why, facts=facts)
    if not found and not isinstance(nic.dcbx_willing, Known) and _may_tell(nic):
        raise Undetermined("no capture shows whether DCBX may replace the PFC settings: dcb dcbx|ets show dev IF")
    if not found and _is_firmware_in_charge(nic) is None:
        raise Undetermined(
            "no capture shows whether the adapter's firmware may replace the PFC settings: "
            "ethtool --show-priv-flags IF, dcb dcbx show dev IF"
        )
    if not found and not _are_daemons_told(context.device):
        raise Undetermined("no capture shows whether lldpad runs, which may replace the PFC settings: systemctl")


def _is_firmware_in_charge(nic: Nic) -> bool | None:
    """Return whether the firmware of an Intel NIC runs DCBX, which then is willing, while the host sets the NIC.

    None where no capture tells.
    """
    vendor, agent, mode = value_of(nic.vendor), value_of(nic.firmware_lldp), value_of(nic.dcbx_mode)
    if vendor not in {"Intel", None} or agent is False or mode == "firmware":
        return False
    if agent and mode:
        return True
    return None if vendor else False


def _may_tell(nic: Nic) -> bool:
    """Return whether the NIC is of a vendor whose captures tell of its agent and of DCBX, as far as is known."""
    vendor = value_of(nic.vendor)
    return vendor is None or vendor in _TELLING


def _are_daemons_told(device: Device) -> bool:
    return isinstance(device.host.services, Known) if device.host else False
