"""Cabling of hosts to leaves under the intent: rails, and the number of leaves of each bond or host."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.checks.base import Params, Whole
from auditor.fabric.placement import name_nic, number_pods
from auditor.intent import Homing
from auditor.model.device import Device
from auditor.model.fabric import Attached, End
from auditor.model.finding import Finding, Related
from auditor.model.nic import Function
from auditor.model.setting import Known, Setting, Where, value_of
from auditor.packet.classify import takes_part
from auditor.util.natsort import natural
from auditor.util.values import dataclass

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RailNic:
    """A NIC of a host, the leaf that its cable leads to (empty where no dump tells), and the line that says so."""

    nic: Attached
    leaf: str = ""
    where: Where | None = None

    @property
    def name(self) -> str:
        """The name of the NIC on every host of its kind: its RDMA device, else its interface."""
        return name_nic(self.nic)


@dataclass(frozen=True, slots=True)
class Rail:
    """The NICs of one name of all hosts of a pod; without a name, the NICs of a host of which no cable is known."""

    name: str
    nics: tuple[RailNic, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """A bond of a host, or its NICs that are in none, and how many leaves it is meant to reach."""

    name: str
    homing: Homing
    nics: tuple[RailNic, ...]


def list_rails(given: Whole, _params: object) -> Iterable[Rail]:
    """Return NICs of one name on hosts of one pod, where the intent says at both ends that they are rails."""
    own_names = {device.name: device.own_name for device in given.fabric.devices}
    leaves = {
        leaf for leaf, _ in given.find_once(_map_leaves).values() if given.intents.of(own_names.get(leaf, leaf)).rails
    }
    hosts = [
        on_rails
        for device, nics in given.find_once(_list_hosts)
        if given.intents.of(device.own_name).rails
        and (on_rails := tuple(each for each in nics if not each.leaf or each.leaf in leaves))
    ]
    cabled = [nics for nics in hosts if any(each.leaf for each in nics)]
    pods = number_pods([frozenset(each.leaf for each in nics if each.leaf) for nics in cabled])
    groups: dict[tuple[int, str], list[RailNic]] = {}
    for pod, nics in zip(pods, cabled, strict=True):
        for each in nics:
            groups.setdefault((pod, each.name), []).append(each)
    blind = (Rail("", nics) for nics in hosts if not any(each.leaf for each in nics))
    return (*(Rail(name, tuple(nics)) for (_, name), nics in groups.items()), *blind)


def wrong_rail(rail: Rail, _params: Params, _context: object) -> Iterator[Finding]:
    """A NIC on another leaf than its like sends through the spines what was meant to stay below one leaf."""
    told = [each for each in rail.nics if each.leaf]
    counted = Counter(each.leaf for each in told)
    usual, most = counted.most_common(1)[0] if counted else ("", 0)
    if most * 2 > len(told):
        like = next(each for each in told if each.leaf == usual)
        for each in told:
            if each.leaf != usual:
                rest = f"{rail.name} of {most} of the {len(told)} hosts of its pod to {usual}"
                yield _make_finding(each, f"goes to {each.leaf}, but {rest}", rail.name, like)
    elif told:
        leaves = ", ".join(f"{leaf} ({count})" for leaf, count in counted.most_common(_SHOWN))
        more = f" and {len(counted) - _SHOWN} more" if len(counted) > _SHOWN else ""
        message = f"goes to {told[0].leaf}; {rail.name} of the hosts of its pod goes to {leaves}{more}"
        other = next(each for each in told if each.leaf != told[0].leaf)
        yield _make_finding(told[0], message, rail.name, other)
    _require_leaves(rail.nics)


def list_homes(given: Whole, _params: object) -> Iterable[Home]:
    """Return each bond of a host, and its NICs that are in none, where the intent says how they are homed.

    A rail without a bond is cabled to one leaf by its nature.
    """
    found = []
    for device, nics in given.find_once(_list_hosts):
        intent = given.intents.of(device.own_name)
        groups: dict[str, list[RailNic]] = {}
        for each in nics:
            groups.setdefault(_unwrap(each.nic.port.lag), []).append(each)
        if intent.rails:
            groups.pop("", None)
        if intent.homing:
            found += [Home(name or "its NICs", intent.homing, tuple(own)) for name, own in groups.items()]
    return found


def wrong_homing(home: Home, _params: Params, _context: object) -> Iterator[Finding]:
    """A host on one leaf is gone with it; one on two where one was meant takes ports that were planned for others."""
    leaves = sorted({each.leaf for each in home.nics if each.leaf}, key=natural)
    is_dual, reaches_more = home.homing is Homing.DUAL, len(leaves) > 1
    if not reaches_more:  # with the cables that no dump tells of it may
        _require_leaves(home.nics)
    if is_dual is not reaches_more:
        verb = "go" if home.name == "its NICs" else "goes"
        where = f"{len(leaves)} leaves ({', '.join(leaves)})" if reaches_more else f"one leaf ({leaves[0]})"
        message = f"{home.name} {verb} to {where}, but the intent wants {home.homing.value} homing"
        yield _make_finding(home.nics[0], message, home.name, home.nics[-1])


def _make_finding(at: RailNic, message: str, key: str, other: RailNic) -> Finding:
    there = f"{other.nic.end} goes to {other.leaf}"
    related = (Related(there, other.where),) if other.where and other is not at else ()
    return Finding(message, at.where, key=key, related=related, device=at.nic.device.name, port=at.nic.port.name)


def _require_leaves(nics: Sequence[RailNic]) -> None:
    """Raise Undetermined if a NIC of *nics* has no known leaf."""
    blind = next((each.nic for each in nics if not each.leaf), None)
    if blind:
        raise blind.make_undetermined("no dump tells to which leaf its cable leads")


def _list_hosts(given: Whole) -> Sequence[tuple[Device, tuple[RailNic, ...]]]:
    """Return each host with its physical NICs that take part in RDMA, by themselves or in a bond that does."""
    leaves = given.find_once(_map_leaves)
    found = []
    for device in given.fabric.devices:
        if device.kind != "host":
            continue
        roce = {port.name for port in device.ports if port.config.nic and takes_part(port.config)}
        nics = []
        for port in device.ports:
            function = value_of(port.config.nic.function) if port.config.nic else None
            is_part = port.name in roce or _unwrap(port.lag) in roce
            if is_part and function not in {Function.VF, Function.BOND} and not _unwrap(port.parent):
                leaf, where = leaves.get(End(device.name, port.name), ("", None))
                nics.append(RailNic(Attached(device, port), leaf, where or port.where))
        found.append((device, tuple(nics)))
    return found


def _unwrap(setting: Setting[str | None]) -> str:
    return (setting.value or "") if isinstance(setting, Known) else ""


def _map_leaves(given: Whole) -> Mapping[End, tuple[str, Where | None]]:
    """Return for each port of a host the switch at the other end, and the line that tells of the cable."""
    hosts = {device.name for device in given.fabric.devices if device.kind == "host"}
    ends = given.fabric.ends()
    found: dict[End, tuple[str, Where | None]] = {}
    for link in given.fabric.links:
        for near, far in ((link.a, link.b), (link.b, link.a)):
            if near.device in hosts and far.device not in hosts:
                told = [ends[end] for end in (near, far) if end in ends and isinstance(ends[end].port.peer, Known)]
                place = told[0].port.locate(told[0].port.peer.known().where) if told else None
                found.setdefault(near, (far.device, place))
    return found
