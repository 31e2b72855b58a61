"""Port-channels: what their members have in common, and what is at the other end of each member."""

from collections import Counter
from collections.abc import Iterable, Iterator

from auditor.checks.base import Cable, Context, Params
from auditor.checks.settings import BUFFERS, LINK, PATHS, Key, ReadSettings, format_value, read_port
from auditor.model.device import Device
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Related
from auditor.model.port import Port
from auditor.model.setting import Known, Where
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_MOST_SHOWN = 2
_LENGTH: Key = (BUFFERS, "the cable length (m)")
_APART = frozenset({(LINK, "the port"), (PATHS, "spreading"), _LENGTH})
"""Settings that members of a port-channel may have otherwise."""
_OF_LENGTH = ("the headroom (bytes) of ", "the size (bytes) of ", "xon (bytes) of ", "the xon offset (bytes) of ")
"""What is sized by the length of the cable, which may be another at each member."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The members of a port-channel of a switch that are up."""

    name: str
    members: tuple[Port, ...]


def list_bundles(device: Device, context: Context) -> Iterable[Bundle]:
    """Return the port-channels of a switch with two members or more, of which one carries RDMA."""
    found: dict[str, list[Port]] = {}
    for port in device.ports if device.kind == "switch" else ():
        name = _find_lag(port)
        if name and not port.config.ethernet.is_shut:
            found.setdefault(name, []).append(port)
    ecn_only = context.intent.is_ecn_only
    return tuple(
        Bundle(name, tuple(ports))
        for name, ports in found.items()
        if len(ports) > 1 and any(takes_part(port.config, ecn_only=ecn_only) for port in ports)
    )


def _find_lag(port: Port) -> str | None:
    return port.lag.value if isinstance(port.lag, Known) else None


def members_differ(given: Bundle, _params: Params, _context: Context) -> Iterator[Finding]:
    """The hash puts each flow on one member, so a member that treats RDMA otherwise hits some flows alone."""
    shapes = {id(port.config): port for port in given.members}
    if len(shapes) == 1:
        return
    read = {shape: read_port(port.config) for shape, port in shapes.items()}
    usual_id, _ = Counter(id(port.config) for port in given.members).most_common(1)[0]
    usual, usual_port = read[usual_id], shapes[usual_id]
    for port in given.members:
        own = read[id(port.config)]
        told, first = tell_differences(own, usual)
        if first is None:
            continue
        proof = usual_port.locate(find_place(usual, first)) or usual_port.where
        yield Finding(
            f"differs from other members of {given.name}: {told}",
            port.locate(find_place(own, first)) or port.where,
            key=f"{given.name} {port.name}",
            related=(Related(f"{usual_port.name} of {given.name}", proof),) if proof else (),
            port=port.name,
        )


def tell_differences(own: ReadSettings, usual: ReadSettings) -> tuple[str, Key | None]:
    """Return in what a member differs from another, in words, and the first setting; empty and None if in nothing."""
    by_length = _OF_LENGTH if _differs(own, usual, _LENGTH) else ()
    alike = (key for key in own.values if key not in _APART and not key[1].startswith(by_length))
    keys = [key for key in alike if _differs(own, usual, key)]
    told = [f"{key[1]} is {format_value(own.find(key))}, not {format_value(usual.find(key))}" for key in keys]
    more = [f"and {len(keys) - _MOST_SHOWN} more"] if len(keys) > _MOST_SHOWN else []
    return "; ".join((*told[:_MOST_SHOWN], *more)), keys[0] if keys else None


def _differs(own: ReadSettings, usual: ReadSettings, key: Key) -> bool:
    one, other = own.find(key), usual.find(key)
    return isinstance(one, Known) and isinstance(other, Known) and one.value != other.value


def find_place(read: ReadSettings, key: Key) -> Where | None:
    """Return the line of a setting, None where it is not known."""
    found = read.find(key)
    return found.where if isinstance(found, Known) else None


def list_bundled_cables(cable: Cable, _context: object) -> Iterable[Cable]:
    """Return links between switches that are up at both ends, of which one end is in a port-channel."""
    ends = (cable.a, cable.b)
    is_between = all(end.device.kind == "switch" and end.device.part is None for end in ends)
    return (cable,) if is_between and not cable.is_shut and any(_find_lag(end.port) for end in ends) else ()


def bundle_one_sided(cable: Cable, _params: Params, _context: object) -> Iterator[Finding]:
    """A member whose other end is a port by itself forwards nothing, or makes a loop where nothing negotiates."""
    for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
        own, theirs = near.known(near.port.lag), far.known(far.port.lag)
        if own.value and not theirs.value:
            yield _report_one_sided(near, far, own.value, own.where)


def _report_one_sided(near: Attached, far: Attached, name: str, where: Where | None) -> Finding:
    return Finding(
        f"is in {name}, but {far.end} at the other end of the cable is in no port-channel",
        near.port.locate(where) or near.port.where,
        key=str(far.end),
        related=(Related(f"{far.end} is a port by itself", far.port.where),) if far.port.where else (),
        device=near.device.name,
        port=near.port.name,
    )
