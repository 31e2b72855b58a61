"""Bonds of a host and the virtual functions on their members."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.nic import Nic
from auditor.model.port import Port
from auditor.model.setting import Known, Undetermined, value_of
from auditor.util.values import dataclass

_STANDBY = "active-backup"


@dataclass(frozen=True, slots=True)
class BondMember:
    """A NIC in a bond that shares itself with virtual functions, and the bond's mode (empty where no dump tells)."""

    port: Port
    nic: Nic
    bond: str
    mode: str


def list_shared_members(device: Device, _context: Context) -> Iterable[BondMember]:
    """Return NICs in a bond that have virtual functions, unless only one member of the bond is in use at a time."""
    modes = (value_of(device.host.bonds) if device.host else None) or {}
    found = []
    for port in device.ports:
        nic, bond = port.config.nic, port.lag.value if isinstance(port.lag, Known) else None
        if nic and bond and value_of(nic.virtual_functions):
            found.append(BondMember(port, nic, bond, modes[bond].value if bond in modes else ""))
    return tuple(member for member in found if _STANDBY not in member.mode)


def functions_on_one_member(member: BondMember, _params: Params, _context: Context) -> Iterator[Finding]:
    """Virtual functions of a legacy switch know nothing of the bond: half of what comes back takes the other cable."""
    eswitch, name = member.nic.eswitch_mode, member.port.name
    if not isinstance(eswitch, Known):
        raise Undetermined(
            f"in {member.bond}, and no capture shows how it forwards for its virtual functions",
            member.port.where,
            port=name,
        )
    if eswitch.value != "legacy":
        return
    if not member.mode:
        why = f"has virtual functions, and no capture shows the mode of {member.bond}"
        raise Undetermined(why, member.port.where, port=name)
    count = member.nic.virtual_functions.known()
    shown = member.port.locate(count.where)
    related = (Related(f"{count.value} virtual functions", shown),) if shown else ()
    message = f"its virtual functions ({count.value}) are no part of its bond {member.bond} in legacy mode"
    yield Finding(message, member.port.locate(eswitch.where), key="functions", related=related, port=name)
