"""Cost of a fault: the inputs of the estimate from the port at fault, its peer and the intent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.estimate.answer import Band, Estimate, Simulation
from auditor.estimate.link import (
    ASSUMED_ECN,
    HOST_CABLE_M,
    INCAST,
    LEAF_CABLE_M,
    MESSAGE_BYTES,
    Dcqcn,
    Ecn,
    LinkModel,
    NoEstimate,
    Pause,
    Range,
    usual,
)
from auditor.estimate.mtu import PATH_MTUS, active_mtu, compute_lost_fraction
from auditor.fabric.chip import find_chip, is_voq
from auditor.fabric.dcqcn import make_dcqcn
from auditor.intent import Intent, Intents, TrafficKind
from auditor.model.fabric import Attached, End, Fabric
from auditor.model.finding import LossKind
from auditor.model.nic import CcEngine, Nic
from auditor.model.port import PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import Known, Setting, Undetermined, value_of
from auditor.packet.classify import find_lossless_class, find_queue
from auditor.util.values import dataclass

PAUSES: Mapping[LossKind, Pause] = {
    LossKind.LOSSY: Pause.LOSSY,
    LossKind.NOT_SENT: Pause.NOT_SENT,
    LossKind.NOT_HONOURED: Pause.IGNORED,
}
"""Losses through PFC, and the state of the pauses."""
FASTEST_GBPS = 10_000
"""Upper limit of a believable port speed."""
INCASTS = (int(INCAST.likely), int(INCAST.high))
"""Incasts for which costs are estimated: the ranks of a host on one rail, and an all-to-all of a small job."""
FREE = (0.0, 0.0) * len(INCASTS)
"""The rank of a finding without cost or with unknown cost."""
_NONE = Band(0.0, 0.0, 0.0)
_ALL = Band(1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class PortLoss:
    """A port and the loss that its fault causes."""

    device: str
    port: str
    loss: LossKind


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a fault for one number of senders."""

    senders: int
    estimate: Estimate

    @property
    def goodput_lost(self) -> Band:
        """The lost share of RDMA goodput, compared with the same link without the fault."""
        return _invert(self.estimate.efficiency)

    @property
    def lost_by_seeds(self) -> Band | None:
        """The lost share over the random starts of a simulation, with likely inputs; None in closed forms."""
        found = self.estimate.simulation
        return _invert(found.efficiency) if isinstance(found, Simulation) else None


def _invert(kept: Band) -> Band:
    return Band(1 - kept.high, 1 - kept.likely, 1 - kept.low)


@dataclass(frozen=True, slots=True)
class Impact:
    """Cost of a fault at one port for each of `INCASTS`, or the reason why there is no estimate.

    `links` are the links of the costs; empty where the cost follows from sizes alone.
    """

    loss: LossKind
    costs: tuple[Cost, ...] = ()
    why_none: str = ""
    links: tuple[LinkModel, ...] = ()

    @property
    def rank(self) -> tuple[float, ...]:
        """A sorting key, the costliest first: what is likely with few senders, what is possible, then with many."""
        lost = (cost.goodput_lost for cost in self.costs)
        return tuple(-part for band in lost for part in (band.likely, band.high)) or FREE


@dataclass(frozen=True, slots=True)
class _Site:
    """The port at fault, the port at the other end of its cable, and the intent."""

    here: Attached
    peer: Attached | None
    intent: Intent

    @property
    def ends(self) -> tuple[PortConfig, ...]:
        """The configurations of both ends, the port at fault first."""
        return tuple(end.port.config for end in (self.here, self.peer) if end)

    @property
    def is_edge(self) -> bool:
        """Whether the cable leads from a host to a switch: one sender of an incast has the fault, not all."""
        kinds = {end.device.kind for end in (self.here, self.peer) if end}
        return kinds == {"host", "switch"}

    @property
    def switch(self) -> Attached | None:
        """The end at a switch, the port at fault first."""
        return next((end for end in (self.here, self.peer) if end and end.device.kind == "switch"), None)


def estimate_impacts(fabric: Fabric, intents: Intents, losses: Sequence[PortLoss]) -> tuple[Impact | None, ...]:
    """Return the cost of each fault, None if the port is not in the fabric; equal links share one estimate."""
    sites = list(_find_sites(fabric, intents, losses))
    asked = [_make_links(site, each.loss) if site else () for site, each in zip(sites, losses, strict=True)]
    links = [link for each in asked if not isinstance(each, str) for link in each]
    answers = _assess(links) if links else {}
    return tuple(
        _estimate_impact(site, each.loss, alike, answers) if site else None
        for site, each, alike in zip(sites, losses, asked, strict=True)
    )


def _assess(links: Sequence[LinkModel]) -> Mapping[LinkModel, Estimate | NoEstimate]:
    from auditor.estimate.assess import assess  # noqa: PLC0415  numpy is slow to import, and a sound fabric needs none

    return dict(zip(links, assess(links), strict=True))


def _find_sites(fabric: Fabric, intents: Intents, losses: Sequence[PortLoss]) -> Iterator[_Site | None]:
    for each in losses:
        end = End(each.device, each.port)
        here = fabric.ends().get(end)
        yield _Site(here, fabric.far_ends().get(end), intents.of(here.device.own_name)) if here else None


def _estimate_impact(
    site: _Site, loss: LossKind, links: tuple[LinkModel, ...] | str, answers: Mapping[LinkModel, Estimate | NoEstimate]
) -> Impact:
    if isinstance(links, str):
        return Impact(loss, why_none=links)
    if loss is LossKind.BLACK_HOLE:
        return _estimate_black_hole(site)
    return make_impact(loss, links, answers)


def make_impact(
    loss: LossKind, links: tuple[LinkModel, ...], answers: Mapping[LinkModel, Estimate | NoEstimate]
) -> Impact:
    """Return the impact of a fault from the estimates of *links*, one for each of `INCASTS`."""
    costs = []
    for link in links:
        answer = answers[link]
        if isinstance(answer, NoEstimate):
            return Impact(loss, why_none=answer.value, links=links)
        costs.append(Cost(int(link.incast.likely), answer))
    return Impact(loss, tuple(costs), links=links)


def _make_links(site: _Site, loss: LossKind) -> tuple[LinkModel, ...] | str:
    """Return the link for each of `INCASTS`, or the reason why the link is unknown."""
    link = _make_link(site, loss)
    if isinstance(link, str):
        return link
    return vary_senders(link)


def vary_senders(link: LinkModel) -> tuple[LinkModel, ...]:
    """Return *link* for each of `INCASTS`."""
    return tuple(replace(link, incast=Range(n, n, n, f"assumed: {n} senders at once")) for n in INCASTS)


def _make_link(site: _Site, loss: LossKind) -> LinkModel | str:
    """Return the link with this single fault, or the reason why the link is unknown."""
    speed = _find_first(config.ethernet.speed_gbps for config in site.ends)
    if speed is None or not 0 < speed <= FASTEST_GBPS:
        return "the dumps do not show the port's speed"
    switch = site.switch
    asic = find_chip(switch.device) if switch else None
    sound = replace(
        usual(speed, asic),
        cable_m=_find_cable(site),
        mtu_bytes=_find_payload(site),
        ecn=_find_curve(site) if site.intent.uses_dcqcn else None,
        uncovered=_find_uncovered(site),
    )
    sound = _add_nic(sound, site)
    return break_link(sound, loss, _find_headroom(site.here.port.config), is_edge=site.is_edge)


def _add_nic(link: LinkModel, site: _Site) -> LinkModel:
    """Return the link with the congestion control and the recovery of the NIC at its end, as far as they are known."""
    nic = next((config.nic for config in site.ends if config.nic), None)
    repeats = nic is not None and _repeats_one_by_one(nic)
    known = nic is not None and value_of(nic.retransmission) is not None
    recovery = "from the dump" if repeats or known else link.recovery_why
    link = replace(link, selective_repeat=repeats, recovery_why=recovery)
    if not site.intent.uses_dcqcn:
        return link
    given = {name: each.value for name, each in (value_of(nic.dcqcn) or {}).items()} if nic else {}
    found = make_dcqcn(value_of(nic.vendor), given) if nic and given else None
    return replace(link, dcqcn=found or Dcqcn(), control_why="from the dump" if found else link.control_why)


def break_link(sound: LinkModel, loss: LossKind, headroom: Range | None, *, is_edge: bool) -> LinkModel:
    """Return *sound* with a fault; *headroom* is the size of a short headroom."""
    if loss in {LossKind.NOT_SENT, LossKind.NOT_HONOURED} and is_edge:
        return replace(sound, pause=Pause.IGNORED, deaf=1)
    if loss is LossKind.NO_MARKS:
        return replace(sound, ecn=None)
    if loss is LossKind.NO_REACTION:
        return replace(sound, dcqcn=None)
    if loss is LossKind.SHORT_HEADROOM:
        return replace(sound, headroom_bytes=headroom)
    return replace(sound, pause=PAUSES.get(loss, Pause.HONOURED))


def _find_first(settings: Iterator[Setting[float]]) -> float | None:
    return next((setting.value for setting in settings if isinstance(setting, Known)), None)


def _find_cable(site: _Site) -> Range:
    known = _find_first(config.cable_length_m for config in site.ends)
    if known is not None:
        return Range(known, known, known, "from the dump")
    if (declared := value_of(site.intent.cable_length_m)) is not None:
        return Range(declared, declared, declared, "from the intent")
    between = site.peer is not None and site.peer.device.kind == site.here.device.kind
    return LEAF_CABLE_M if between else HOST_CABLE_M


def _find_payload(site: _Site) -> int:
    """Return the payload of a full RDMA packet on this link, bytes."""
    active = [value_of(config.nic.active_mtu_bytes) for config in site.ends if config.nic]
    mtus = [mtu for config in site.ends if (mtu := value_of(config.ethernet.ip_mtu_bytes))]
    by_port = active_mtu(min(mtus)) if mtus else None
    said = (*active, value_of(site.intent.path_mtu_bytes), by_port)
    return next((size for size in said if size in PATH_MTUS), max(PATH_MTUS))


def _find_curve(site: _Site) -> Ecn:
    """Return the marking curve of the RDMA queue at the switch, else the assumed curve."""
    switch = site.switch
    queue = _find_rdma_queue(switch.port.config, site.intent) if switch else None
    if queue is None:
        return ASSUMED_ECN
    low, high = value_of(queue.ecn_min), value_of(queue.ecn_max)
    pmax = value_of(queue.ecn_max_probability)
    if low is None or high is None or low.bytes is None or high.bytes is None:
        return ASSUMED_ECN
    try:
        return Ecn(low.bytes, high.bytes, ASSUMED_ECN.pmax if pmax is None else pmax)
    except ValueError:
        return ASSUMED_ECN


def _find_rdma_queue(config: PortConfig, intent: Intent) -> Queue | None:
    for traffic in intent.of_kind(TrafficKind.RDMA):
        try:
            found = find_lossless_class(config, traffic.priority.known().value)
            return find_queue(config, found) if found else None
        except Undetermined:
            continue
    return None


def _find_headroom(config: PortConfig) -> Range | None:
    """Return the least headroom of a no-drop priority group."""
    groups = value_of(config.priority_groups) or ()
    sizes = [size for group in groups if value_of(group.lossless) and (size := value_of(group.xoff_bytes)) is not None]
    return Range(min(sizes), min(sizes), min(sizes), "from the dump") if sizes else None


def _find_uncovered(site: _Site) -> NoEstimate | None:
    if site.switch and is_voq(site.switch.device):
        return NoEstimate.VOQ
    if value_of(site.intent.congestion_control) in {CcEngine.RTT, CcEngine.PROGRAMMABLE}:
        return NoEstimate.OTHER_CONTROL
    for config in site.ends:
        if config.nic and value_of(config.nic.cc_engine) in {CcEngine.RTT, CcEngine.PROGRAMMABLE}:
            return NoEstimate.OTHER_CONTROL
        if config.nic and _repeats_one_by_one(config.nic):
            return NoEstimate.SELECTIVE_REPEAT
    return None


def _repeats_one_by_one(nic: Nic) -> bool:
    """Return whether the NIC is shown to repeat lost packets alone, as it must where packets overtake each other."""
    switches: Mapping[str, Known[bool]] = value_of(nic.accelerations) or {}
    forced = switches.get("selective_repeat_forced_en")
    is_chosen = value_of(nic.retransmission) == "selective_repeat" or value_of(nic.adaptive_routing)
    return bool(is_chosen or (forced and forced.value))


def _estimate_black_hole(site: _Site) -> Impact:
    """Return the cost of an MTU below the peer's: the port drops every larger packet."""
    taken = value_of(site.here.port.config.ethernet.ip_mtu_bytes)
    sent = value_of(site.peer.port.config.ethernet.ip_mtu_bytes) if site.peer else None
    if taken is None or sent is None:
        return Impact(LossKind.BLACK_HOLE, why_none="the dumps do not show the MTU of both ends")
    return estimate_mtu_loss(sent, taken)


def estimate_mtu_loss(sent: int, taken: int) -> Impact:
    """Return the cost of IP packets up to *sent* bytes at a port that takes at most *taken* bytes."""
    path_mtu = active_mtu(sent)
    if not path_mtu or taken <= 0:
        return Impact(
            LossKind.BLACK_HOLE, why_none=f"an MTU of {sent if not path_mtu else taken} passes no RDMA at all"
        )
    lost = compute_lost_fraction(int(MESSAGE_BYTES.likely), path_mtu, taken)
    if not lost:
        return Impact(LossKind.BLACK_HOLE, why_none=f"RDMA packets of path MTU {path_mtu} still pass")
    estimate = Estimate(
        loss=Band(lost, lost, lost),
        paused=_NONE,
        peak_queue_bytes=_NONE,
        goodput=_NONE,
        victim_goodput=_ALL,
        efficiency=_NONE,
        assumptions=(("path_mtu", f"{path_mtu}, which an MTU of {sent} gives"),),
        matters_most=None,
    )
    return Impact(LossKind.BLACK_HOLE, tuple(Cost(senders, estimate) for senders in INCASTS))
