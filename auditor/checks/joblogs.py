"""Faults that libraries and tools name in their logs, and jobs that run without RDMA."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Params, Whole
from auditor.fabric.gid import is_link_local
from auditor.fabric.job_settings import INDEXES, has_variable, list_job_settings, uses_rdma
from auditor.fabric.other_fabrics import has_no_roce
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import Finding, Level, Related
from auditor.model.setting import value_of
from auditor.model.text_facts import LogEntry
from auditor.systems.jobs.signs import Sign, load_signs
from auditor.util.values import dataclass

_SOCKETS = "nccl-uses-sockets"
_REASONS = (
    "nccl-rdma-disabled",
    "nccl-cannot-open-device",
    "open-device-fails",
    "nccl-no-libibverbs",
    "provider-missing",
    "no-device-visible",
    "device-list-fails",
    "nccl-no-device",
)
_NAMED_INDEXES = 4


@dataclass(frozen=True, slots=True)
class JobLog:
    """The log of a device, with the lines whose sign no other rule reports."""

    entries: tuple[LogEntry, ...]
    device: Device
    fabric: Fabric


def list_logs(given: Whole, _params: object) -> Iterable[JobLog]:
    """Return the devices with a log."""
    found = []
    for device in given.fabric.devices:
        is_socket = any(entry.sign == _SOCKETS for entry in device.text.entries)
        spared = {_SOCKETS, *(_REASONS if is_socket else ())}
        own = (entry for entry in device.text.entries if load_signs()[entry.sign].topic not in {"memory", "fact"})
        entries = tuple(entry for entry in own if entry.sign not in spared)
        if entries or device.text.log:
            found.append(JobLog(entries, device, given.fabric))
    return tuple(found)


def library_reports_fault(given: JobLog, _params: Params, _context: object) -> Iterator[Finding]:
    """A library that names its fault knows more than any configuration: the line has a meaning and a remedy."""
    for entry in given.entries:
        sign = load_signs()[entry.sign]
        message = "; ".join(filter(None, (_fill(sign.cause, entry), _advise(given, sign), _fill(sign.check, entry))))
        count = f" ({entry.count} lines)" if entry.count > 1 else ""
        key = " ".join((sign.name, *entry.values.values()))
        level = Level.NOTE if sign.topic == "reach" and has_no_roce(given.fabric.devices) else Level(sign.level)
        yield Finding(f"{message}{count}", entry.where, key=key, level=level, device=given.device.name)


class _Blank(dict[str, str]):
    """Values of a line; a value that the line does not name is the word for it."""

    def __missing__(self, key: str) -> str:
        return {"device": "the device", "port": "the port", "error": "no error is named"}.get(key, key)


def _fill(text: str, entry: LogEntry) -> str:
    return text.format_map(_Blank(entry.values))


def _advise(given: JobLog, sign: Sign) -> str:
    """Return what the other captures say of the GID index and of the devices that the job may use."""
    if sign.topic not in {"gid", "reach"} or has_no_roce(given.fabric.devices):
        return ""
    library = "UCX" if sign.name.startswith(("ucx", "address-handle")) else "NCCL"
    name = INDEXES[library]
    parts = []
    if library == "UCX" and sign.topic == "reach" and not has_variable(given.fabric, "UCX_NET_DEVICES"):
        parts.append("no capture sets UCX_NET_DEVICES, so UCX uses all devices, also those that do not reach the peer")
    settings = [known.value for each in list_job_settings(given.fabric) if (known := each.variables.get(name))]
    if settings:
        parts.append(f"the job sets {name}={settings[0]}")
    elif not has_variable(given.fabric, name):
        default = "before 2.21 takes GID index 0" if library == "NCCL" else "chooses by itself"
        parts.append(f"no capture sets {name}: {library} {default}")
    indexes = _list_routable_indexes(given.fabric)
    if indexes:
        parts.append(f"RoCE v2 with a routable address is {' and '.join(indexes[:_NAMED_INDEXES])}")
    elif not sign.check:
        parts.append(f"set {name} to the index of RoCE v2 that `show_gids` lists, and test with `ib_write_bw -x INDEX`")
    return "; ".join(parts)


def _list_routable_indexes(fabric: Fabric) -> list[str]:
    """Return the GID indexes of RoCE v2 with a routable address, each with its device."""
    found = dict.fromkeys(
        f"index {row.index} of {row.device}"
        for device in fabric.devices
        for row in device.text.gid_rows
        if row.version == "v2" and not is_link_local(row.gid)
    )
    for device in fabric.devices:
        for port in device.ports:
            for gid in value_of(port.rdma.gids) or ():
                if gid.type == "v2" and not is_link_local(gid.gid):
                    found[f"index {gid.index} of {value_of(port.rdma.name) or port.name}"] = None
    return list(found)


def list_nccl_logs(given: Whole, _params: object) -> Iterable[JobLog]:
    """Return the devices with a log, with the lines that concern the choice between RDMA and sockets."""
    wanted = {_SOCKETS, *_REASONS}
    return tuple(
        JobLog(tuple(entry for entry in device.text.entries if entry.sign in wanted), device, given.fabric)
        for device in given.fabric.devices
        if device.text.log
    )


def falls_back_to_sockets(given: JobLog, _params: Params, _context: object) -> Iterator[Finding]:
    """NCCL that finds no RDMA network runs over TCP, many times slower, and says so in its log alone."""
    sockets = next((entry for entry in given.entries if entry.sign == _SOCKETS), None)
    if sockets is None:
        return
    reasons = sorted((e for e in given.entries if e.sign in _REASONS), key=lambda e: _REASONS.index(e.sign))
    head = "NCCL uses TCP sockets, not RDMA"
    if not reasons:
        level = None if uses_rdma(given.fabric) else Level.NOTE
        message = f"{head}, and no line of the log says why; start the job with NCCL_DEBUG=INFO"
        yield Finding(message, sockets.where, key="sockets", level=level, device=given.device.name)
        return
    reason = reasons[0]
    sign = load_signs()[reason.sign]
    message = f"{head}: {_fill(sign.cause, reason)}; {_fill(sign.check, reason)}"
    related = (Related("NCCL uses sockets", sockets.where),)
    yield Finding(message, reason.where, key="sockets", related=related, device=given.device.name)
