"""Devices, ports and objects that the base of a comparison audited, and the head does not."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params
from auditor.model.extent import AuditedDevice, AuditedPair, AuditedPort, RuleExtent, sum_extents
from auditor.model.finding import Finding
from auditor.util.listing import join_first

MAX_NAMES = 8
"""Ports that a message names; it counts the rest."""


def list_pairs(pair: AuditedPair, _context: object) -> Iterable[AuditedPair]:
    """Return the pair itself."""
    return (pair,)


def no_longer_audited(pair: AuditedPair, _params: Params, _context: object) -> Iterator[Finding]:
    """Yield a finding for a device that the head does not audit, else one for each kind of loss on the device."""
    before, after = pair.before, pair.after
    if after is None:
        count = f" with {_count_ports(len(before.ports))}" if before.ports else ""
        why = pair.why or "no file of the head holds it"
        yield Finding(f"the base audits this device{count}, and the head does not: {why}", before.where, key="device")
        return
    here = {port.name: port for port in after.ports}
    gone = [port for port in before.ports if port.name not in here]
    if gone:
        other = f"; read as {after.os}, at the base as {before.os}" if after.os != before.os else ""
        message = f"the head does not audit {_name_ports(gone)} of {_count_ports(len(before.ports))}{other}"
        yield _report_ports(before, gone, message, "ports")
    stayed = [(port, here[port.name]) for port in before.ports if port.name in here and here[port.name].is_up]
    left = [old for old, new in stayed if old.carries_rdma and not new.carries_rdma]
    if left:
        message = f"the rules of RDMA no longer judge {_name_ports(left)}, in use for RDMA at the base"
        yield _report_ports(before, left, message, "rdma")
    uncabled = [old for old, new in stayed if old.peer in pair.present and not new.peer]
    if uncabled:
        message = f"the rules of links no longer judge {_name_ports(uncabled)}: the head knows no cable there"
        yield _report_ports(before, uncabled, message, "cables")
    opened: dict[str, list[AuditedPort]] = {}
    for old, new in stayed:
        if old.extents != new.extents:
            for rule in _list_opened(old.count(), new.count()):
                opened.setdefault(rule, []).append(old)
    for rule in _list_opened(sum_extents(before.extents), sum_extents(after.extents)):
        opened.setdefault(rule, [])
    if opened:
        names = {port.name for ports in opened.values() for port in ports}
        ports = [port for port in before.ports if port.name in names]
        named = f" on {_name_ports(ports)}" if ports else ""
        message = f"{', '.join(sorted(opened))} decided{named} at the base; the dumps of the head leave that open"
        yield _report_ports(before, ports, message, "open")


def _list_opened(before: Mapping[str, RuleExtent], after: Mapping[str, RuleExtent]) -> Iterator[str]:
    """Yield the rules that decided more objects before, and leave more open after."""
    for rule, old in before.items():
        new = after.get(rule)
        if new and new.decided < old.decided and new.open > old.open:
            yield rule


def _report_ports(device: AuditedDevice, ports: Sequence[AuditedPort], message: str, key: str) -> Finding:
    where = next((port.where for port in ports if port.where), device.where)
    return Finding(message, where, key=key)


def _count_ports(count: int) -> str:
    return f"{count} port{'' if count == 1 else 's'}"


def _name_ports(ports: Collection[AuditedPort]) -> str:
    names = [port.name for port in ports]
    return f"{_count_ports(len(names))} ({join_first(names, MAX_NAMES)})"
