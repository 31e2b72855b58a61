"""Agreement: what NICs of one name must share across hosts, where too few agree for a majority to be held to."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from auditor.checks.base import Params, Whole
from auditor.checks.fleet import OutlierParams
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.port import PfcMode, PortConfig
from auditor.model.setting import Known, Setting, Unknown, is_chosen, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_NONE = Unknown("the port has none")


def _read_paused(config: PortConfig) -> Setting[tuple[int, ...]]:
    pfc = config.pfc
    return pfc.priorities if value_of(pfc.mode) is PfcMode.ON and is_chosen(pfc.priorities) else _NONE


SHARED: Mapping[str, Callable[[PortConfig], Setting[int] | Setting[tuple[int, ...]]]] = {
    "MTU": lambda config: config.ethernet.ip_mtu_bytes,
    "RDMA path MTU": lambda config: config.nic.active_mtu_bytes if config.nic else _NONE,
    "PFC priorities": _read_paused,
    "RDMA DSCP": lambda config: config.nic.roce_dscp if config.nic else _NONE,
    "RDMA traffic class": lambda config: config.nic.traffic_class if config.nic else _NONE,
}
"""What both ends of a connection must have alike."""


@dataclass(frozen=True, slots=True)
class Likes:
    """The NICs of one name of several hosts, and what each has for one setting."""

    what: str
    name: str
    values: tuple[tuple[Attached, Known[int] | Known[tuple[int, ...]]], ...]


def list_likes(given: Whole, _params: object) -> Iterable[Likes]:
    """Return each shared setting of RoCE NICs that are up, by role and name, of two hosts or more."""
    groups: dict[tuple[str, str, str], list[tuple[Attached, Known[int] | Known[tuple[int, ...]]]]] = {}
    for device in given.fabric.devices:
        role = given.intents.of(device.own_name).role or ""
        for port in device.ports if device.kind == "host" else ():
            nic = port.config.nic
            if nic is None or value_of(nic.link_up) is False or not takes_part(port.config):
                continue
            name = value_of(port.rdma.name) or port.name
            for what, read in SHARED.items():
                value = read(port.config)
                if isinstance(value, Known):
                    groups.setdefault((what, name, role), []).append((Attached(device, port), value))
    return tuple(
        Likes(what, name, tuple(values))
        for (what, name, _), values in groups.items()
        if len({at.device.name for at, _ in values}) > 1
    )


def hosts_disagree(given: Likes, _params: Params, _context: object) -> Iterator[Finding]:
    """Of two hosts that differ one is wrong, whichever it is."""
    by_value: dict[object, list[tuple[Attached, Known[int] | Known[tuple[int, ...]]]]] = {}
    for at, value in given.values:
        by_value.setdefault(value.value, []).append((at, value))
    most = OutlierParams()
    count, total = max(map(len, by_value.values())), len(given.values)
    if len(by_value) == 1 or (total >= most.least_peers and count >= most.least_share * total):
        return  # of an outlier another rule tells
    (own, *_), *others = sorted(by_value.values(), key=len)
    at, value = own
    told = "; ".join(f"{_format(rest[0][1].value)} at {_describe(rest)}" for rest in others)
    related = (
        Related(f"{_format(rest[0][1].value)} here", where)
        for rest in others
        if (where := rest[0][0].port.locate(rest[0][1].where))
    )
    yield Finding(
        f"{given.what} of {given.name} is {_format(value.value)}, but {told}: its peers must have the same",
        at.port.locate(value.where) or at.port.where,
        key=f"{given.what} {given.name}",
        related=tuple(related),
        device=at.device.name,
        port=at.port.name,
    )


def _describe(ports: list[tuple[Attached, Known[int] | Known[tuple[int, ...]]]]) -> str:
    first = ports[0][0].device.name
    return first if len(ports) == 1 else f"{first} and {len(ports) - 1} more"


def _format(value: int | tuple[int, ...]) -> str:
    return (",".join(map(str, value)) or "none") if isinstance(value, tuple) else str(value)
