"""Profiles of the object model to what they mean for a port: classification, marking, queues, PFC and link pause."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import LinkPause, Pfc, PfcMode
from auditor.model.qos import (
    Classification,
    Marking,
    Queue,
    Scheduler,
    Threshold,
    TrafficClass,
    Trust,
    Unit,
    ValueMap,
    WredDrop,
)
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.cumulus.implied import QOS_PAGE, ROCE_PAGE, default_maps, roce
from auditor.systems.cumulus.names import numbers
from auditor.systems.cumulus.objects import Node, known, number, or_silent, switch

T = TypeVar("T")
PRIORITIES = range(8)
_TRUSTS = {"l2": Trust.PCP, "l3": Trust.DSCP, "both": Trust.BOTH, "port": Trust.NONE}
_MAX_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Pausing:
    """What a PFC profile amounts to; `headroom` are its buffer sizes, the same for each of its priorities."""

    pfc: Pfc
    headroom: PriorityGroup
    cable_length_m: Setting[float]


def pausing(profile: Node | None, silent: Unset, *, is_documented: bool) -> Pausing:
    """Return what a PFC profile says; without priorities nothing is paused, and both directions run unless told.

    Of a release whose defaults are not documented nothing is known where no profile is written.
    """
    listed = _keys(profile, "switch-priority")
    if not listed and not is_documented:
        return Pausing(Pfc(), PriorityGroup(0), silent)
    if not listed:
        nothing: Known[tuple[int, ...]] = Known((), Origin.DEFAULT, silent.where, QOS_PAGE)
        off = Known(PfcMode.OFF, Origin.DEFAULT, silent.where, QOS_PAGE)
        pfc = Pfc(off, priorities=nothing, tx_priorities=nothing, rx_priorities=nothing)
        return Pausing(pfc, PriorityGroup(0), silent)
    first = next(iter(listed.values())).proof
    paused = Known(tuple(listed), first.origin, first.where, first.reference)
    tx, rx = _direction(profile, "tx", paused), _direction(profile, "rx", paused)
    runs = bool(tx.value or rx.value)
    mode = Known(PfcMode.ON if runs else PfcMode.OFF, first.origin, first.where if runs else tx.where, first.reference)
    cable = known(profile, "cable-length", number)
    length: Setting[float] = Known(10, Origin.DEFAULT, silent.where, QOS_PAGE)
    if isinstance(cable, Known):
        length = Known(float(cable.value), cable.origin, cable.where, cable.reference)
    pfc = Pfc(mode, priorities=paused, tx_priorities=tx, rx_priorities=rx)
    return Pausing(pfc, _headroom(profile), length)


def _direction(profile: Node | None, name: str, paused: Known[tuple[int, ...]]) -> Known[tuple[int, ...]]:
    on = known(profile, name, switch)
    if not isinstance(on, Known):
        return paused
    return Known(paused.value if on.value else (), on.origin, on.where, on.reference)


def _headroom(profile: Node | None) -> PriorityGroup:
    """Return the buffer of each lossless priority: what is not written, the switch works out by itself."""
    size, xoff = known(profile, "port-buffer", number), known(profile, "xoff-threshold", number)
    xon = known(profile, "xon-threshold", number)
    source = Known(HeadroomSource.GENERATED, Origin.DEFAULT, None, QOS_PAGE)
    headroom: Setting[int] = Unset()
    if isinstance(xoff, Known) and isinstance(size, Known):
        source = Known(HeadroomSource.CONFIGURED, xoff.origin, xoff.where)
        headroom = Known(size.value - xoff.value, xoff.origin, xoff.where)
    return PriorityGroup(
        0,
        size_bytes=size,
        static_threshold_bytes=xoff,
        xon_offset_bytes=xon,
        xoff_bytes=headroom,
        headroom_source=source,
    )


_POOLS = {"lossless": "roce-lossless", "lossless-single-ipool": "default-lossy"}
"""The ingress pool of lossless traffic by RoCE mode."""


def priority_groups(pausing_: Pausing, classes: tuple[TrafficClass, ...], root: Node) -> tuple[PriorityGroup, ...]:
    """Return the ingress buffers of the lossless priorities; each has one of its own, under the priority's number."""
    mode = roce(root)
    name, page = (
        ("default-lossless", QOS_PAGE) if mode is None else (_POOLS.get(mode.value, "default-lossless"), ROCE_PAGE)
    )
    pool = Known(name, Origin.DEFAULT, None, page)
    buffer = root.at("qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer")
    return tuple(
        replace(
            pausing_.headroom,
            pg=c.internal.value,
            priorities=Known((c.internal.value,), c.internal.origin, c.internal.where),
            lossless=c.lossless,
            alpha=known(buffer, "shared-alpha", alpha),
            pool=pool,
        )
        for c in classes
        if isinstance(c.internal, Known) and isinstance(c.lossless, Known) and c.lossless.value
    )


def alpha(text: str) -> float | None:
    """Return a dynamic threshold's factor.

    >>> alpha("alpha_2"), alpha("ALPHA_1_8"), alpha("alpha_0"), alpha("alpha_infinity")
    (2.0, 0.125, 0.0, None)
    """
    digits = text.lower().removeprefix("alpha_").split("_")
    if not all(part.isdecimal() and len(part) < 4 for part in digits):  # noqa: PLR2004  factors go from 1/128 to 64
        return None
    over = int(digits[1]) if len(digits) > 1 else 1
    return int(digits[0]) / over if over else None


def link_pause(profile: Node | None, silent: Unset) -> LinkPause:
    """Return what a link-pause profile says; Unset where a port has none, Unknown where the profile is silent."""
    if profile is None:
        return LinkPause(silent, silent)
    unsaid = Unknown("the link-pause profile does not say, and its default is not documented")

    def said(name: str) -> Setting[bool]:
        on = known(profile, name, switch)
        return on if isinstance(on, Known) else unsaid

    return LinkPause(said("rx"), said("tx"))


def classification(
    profile: Node | None, classes: tuple[TrafficClass, ...], root: Node, silent: Unset
) -> Classification:
    """Return how a mapping profile sorts packets; what it does not map, it maps as every profile does."""
    trust = known(profile, "trust", _TRUSTS.get)
    default = known(profile, "port-default-sp", _priority)
    return Classification(
        trust=or_silent(trust, silent),
        classes=Known(classes, Origin.DEFAULT, silent.where, QOS_PAGE),
        dscp_to_class=_map(profile, "dscp", 63, root),
        pcp_to_class=_map(profile, "pcp", 7, root),
        default_class=default if isinstance(default, Known) else Known("0", Origin.DEFAULT, silent.where, QOS_PAGE),
        classifiers=Known((), Origin.DEFAULT, silent.where, QOS_PAGE),
        dscp_before_pcp=True,
    )


def _priority(text: str) -> str | None:
    return text if numbers(text, 0, 7) else None


def _map(profile: Node | None, kind: str, highest: int, root: Node) -> Setting[ValueMap]:
    entries: dict[int, Known[str]] = {}
    is_whole = profile is not None and profile.at(f"{kind}-only") is not None
    for node in (None if is_whole else default_maps(root), profile):
        for point, entry in _keys(node, kind, highest).items():
            priority = known(entry, "switch-priority", _priority)
            if isinstance(priority, Known):
                entries[point] = priority
    written = [entry for entry in entries.values() if entry.origin is Origin.INTENDED]
    proof = written[-1] if written else next(iter(entries.values()), None)
    if proof is None:
        return Known({}, Origin.INTENDED, profile.proof.where if profile else None)
    return Known(entries, proof.origin, proof.where, proof.reference)


def traffic_classes(root: Node, pfc: Pfc) -> tuple[TrafficClass, ...]:
    """Return the eight switch priorities with their queues; the priorities that PFC pauses are lossless."""
    mapping = root.at("qos", "egress-queue-mapping", "default-global")
    queues = _keys(mapping, "switch-priority")
    return tuple(
        traffic_class(priority, known(queues.get(priority), "traffic-class", number), pfc) for priority in PRIORITIES
    )


def traffic_class(priority: int, queue: Setting[int], pfc: Pfc) -> TrafficClass:
    """Return a switch priority, which feeds *queue*, and is lossless where PFC pauses it."""
    own = Known(priority, Origin.DEFAULT, None, QOS_PAGE)
    paused = pfc.tx_priorities if isinstance(pfc.tx_priorities, Known) else pfc.priorities
    lossless: Setting[bool] = paused if not isinstance(paused, Known) else _as_lossless(priority, paused)
    is_lossless = isinstance(lossless, Known) and lossless.value
    return TrafficClass(
        id=str(priority),
        name=f"switch priority {priority}",
        internal=own,
        pfc_priority=own,
        queue=queue,
        pg=own if is_lossless else Unset(),
        lossless=lossless,
    )


def _as_lossless(priority: int, paused: Known[tuple[int, ...]]) -> Known[bool]:
    return Known(priority in paused.value, paused.origin, paused.where, paused.reference)


def marking(profile: Node | None, silent: Unset) -> Marking:
    """Return what a remark profile writes into leaving packets."""
    rewrite = known(profile, "rewrite", lambda text: text in {"l2", "l3", "both"})
    to_dscp: dict[str, Known[int]] = {}
    to_pcp: dict[str, Known[int]] = {}
    where: Where | None = None
    for priority, entry in _keys(profile, "switch-priority").items():
        for kind, table in (("dscp", to_dscp), ("pcp", to_pcp)):
            point = known(entry, kind, number)
            if isinstance(point, Known):
                table[str(priority)] = point
                where = point.where
    applied = or_silent(rewrite, silent)
    if where is None:
        unwritten: Setting[Mapping[str, Known[int]]] = Known({}, Origin.DEFAULT, silent.where, QOS_PAGE)
        return Marking(unwritten, unwritten, applied)
    return Marking(Known(to_dscp, Origin.INTENDED, where), Known(to_pcp, Origin.INTENDED, where), applied)


@dataclass(frozen=True, slots=True)
class Egress:
    """The profiles that make a port's queues."""

    marking: Node | None
    scheduler: Node | None
    shaper: Node | None


def queues(egress: Egress, classes: tuple[TrafficClass, ...], silent: Unset) -> tuple[Queue, ...]:
    """Return the queues that something feeds or that a profile speaks of."""
    curves, shares = _keys(egress.marking, "traffic-class", 15), _keys(egress.scheduler, "traffic-class", 15)
    shapers = _keys(egress.shaper, "traffic-class", 15)
    fed = {c.queue.value for c in classes if isinstance(c.queue, Known)}
    return tuple(
        _shaped(
            _scheduled(
                _marked(_fed(number_, classes, silent), curves.get(number_), silent), shares.get(number_), silent
            ),
            shapers.get(number_),
        )
        for number_ in sorted({*fed, *curves, *shares, *shapers})
    )


def _fed(queue: int, classes: tuple[TrafficClass, ...], silent: Unset) -> Queue:
    feeding = [c for c in classes if isinstance(c.queue, Known) and c.queue.value == queue]
    proofs = [c.queue for c in feeding if isinstance(c.queue, Known)]
    proof = next((p for p in proofs if p.origin is Origin.INTENDED), proofs[0] if proofs else None)
    found = tuple(c.internal.value for c in feeding if isinstance(c.internal, Known))
    if proof is None:
        return Queue(queue, priorities=Known((), Origin.DEFAULT, silent.where, QOS_PAGE))
    return Queue(queue, priorities=Known(found, proof.origin, proof.where, proof.reference))


def _marked(queue: Queue, curve: Node | None, silent: Unset) -> Queue:
    """Add the marking curve; a queue that a profile names marks unless told otherwise, all others do not."""
    no_drops: Setting[tuple[WredDrop, ...]] = Known((), Origin.DEFAULT, silent.where, QOS_PAGE)
    if curve is None:
        off: Known[bool] = Known(value=False, origin=Origin.DEFAULT, where=silent.where, reference=QOS_PAGE)
        return replace(queue, ecn=off, wred_drop=no_drops, ecn_min=silent, ecn_max=silent, ecn_max_probability=silent)
    ecn, red = known(curve, "ecn", switch), known(curve, "red", switch)
    low, high = (_either(curve, f"{name}-threshold", f"{name}-threshold-bytes") for name in ("min", "max"))
    share = known(curve, "probability", _share)
    on: Known[bool] = (
        ecn
        if isinstance(ecn, Known)
        else Known(value=True, origin=curve.proof.origin, where=curve.proof.where, reference=curve.proof.reference)
    )
    probability = (
        share
        if isinstance(share, Known)
        else Known(1.0, Origin.DEFAULT, curve.proof.where, curve.proof.reference or QOS_PAGE)
    )
    dropping = isinstance(red, Known) and red.value and not on.value
    drops = no_drops
    if isinstance(red, Known) and dropping:
        limits = [t.value.bytes if isinstance(t, Known) else None for t in (low, high)]
        drops = Known((WredDrop("all", limits[0], limits[1], probability.value),), red.origin, red.where)
    return replace(queue, ecn=on, ecn_min=low, ecn_max=high, ecn_max_probability=probability, wred_drop=drops)


def _either(curve: Node, *names: str) -> Setting[Threshold]:
    found = [known(curve, name, _threshold) for name in names]
    said = (t for kind in (Known, Unset) for t in found if isinstance(t, kind) and t.where)
    return next(said, Unset(curve.proof.where))


def _threshold(text: str) -> Threshold | None:
    size = number(text)
    return None if size is None else Threshold(size, Unit.BYTES)


def _share(text: str) -> float | None:
    percent = number(text)
    return percent / _MAX_PERCENT if percent is not None and percent <= _MAX_PERCENT else None


_SCHEDULERS = {"strict": Scheduler.STRICT, "dwrr": Scheduler.DWRR}


def _scheduled(queue: Queue, share: Node | None, silent: Unset) -> Queue:
    """Add the scheduling; a queue that a scheduler does not name has a weight of 0."""
    if share is None:
        unnamed: Known[float] = Known(0.0, Origin.DEFAULT, silent.where, QOS_PAGE)
        return replace(
            queue,
            scheduler=Known(Scheduler.DWRR, Origin.DEFAULT, silent.where, QOS_PAGE),
            bandwidth_percent=unnamed,
            bandwidth_basis=Known("remaining", Origin.DEFAULT, silent.where, QOS_PAGE),
        )
    mode = known(share, "mode", _SCHEDULERS.get)
    percent = known(share, "bw-percent", number)
    nothing = Unset(share.proof.where)
    if isinstance(mode, Known) and mode.value is Scheduler.STRICT:
        return replace(queue, scheduler=mode, bandwidth_percent=nothing, bandwidth_basis=nothing)
    if not isinstance(percent, Known):
        return replace(queue, scheduler=mode, bandwidth_percent=nothing, bandwidth_basis=nothing)
    return replace(
        queue,
        scheduler=mode,
        bandwidth_percent=Known(float(percent.value), percent.origin, percent.where, percent.reference),
        bandwidth_basis=Known("remaining", percent.origin, percent.where, percent.reference),
    )


def _shaped(queue: Queue, shaper: Node | None) -> Queue:
    rate = known(shaper, "max-rate", number)
    if not isinstance(rate, Known):
        return replace(queue, shape_gbps=Unset(rate.where) if isinstance(rate, Unset) else rate)
    return replace(queue, shape_gbps=Known(rate.value / 1e6, rate.origin, rate.where))


def _keys(node: Node | None, name: str, highest: int = 7) -> Mapping[int, Node]:
    """Return the numbered entries below *name*, by number."""
    holder = node.at(name) if node else None
    return dict(sorted(_numbered(holder.children, highest))) if holder else {}


def _numbered(children: Mapping[str, Node], highest: int) -> Iterator[tuple[int, Node]]:
    for text, child in children.items():
        found = numbers(text, 0, highest)
        if found and len(found) == 1:
            yield found[0], child
