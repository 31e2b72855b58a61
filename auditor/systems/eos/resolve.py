"""Statements in effect turned into classes, maps, queues and priority groups, with every reference followed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from auditor.grammar.layers import fall_back, is_silent
from auditor.grammar.policing import list_policers
from auditor.grammar.policymaps import PolicyMap
from auditor.grammar.statements import NOWHERE
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.port import Forwarding, RateLimits
from auditor.model.qos import (
    Classification,
    Classifier,
    Marking,
    Queue,
    Threshold,
    TrafficClass,
    Unit,
    ValueMap,
    WredDrop,
)
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.maps import (
    CLASSES,
    COS,
    DSCP,
    ONE_NUMBER,
    QUEUE,
    TO_COS,
    TO_DSCP,
    complete_map,
    doubt_of,
    select_entries,
)
from auditor.systems.eos.mmu import Mmu
from auditor.systems.eos.policies import QOS, Step, list_classifiers
from auditor.systems.eos.rates import Rate
from auditor.systems.eos.statements import Curve, Interface, TxQueue
from auditor.util.regex import regex

T = TypeVar("T")
P = TypeVar("P")
PARTIAL = Unknown("the dump holds a part of the running configuration only")
PFC_NUMBER = "https://www.arista.com/en/um-eos/eos-dcbx-and-flow-control: PFC priority N pauses traffic class N"
BYTES_PER_US_AT_1_GBPS = 125


def build_classification(config: Config, body: Interface, nothing: Unset) -> Classification:
    """Return how a port sorts packets: by the switch-wide maps, and before them by its own policy."""
    silent = nothing.where or Where(config.file, 1)
    dscp: Setting[ValueMap] = PARTIAL
    pcp: Setting[ValueMap] = PARTIAL
    default: Setting[str] = PARTIAL
    if _has_maps(config):
        by_dscp = complete_map(config.maps, DSCP, 64, silent)
        by_cos = complete_map(config.maps, COS, 8, silent)
        dscp = doubt_of(config.maps, DSCP) or Known(by_dscp, Origin.INTENDED, silent)
        pcp = doubt_of(config.maps, COS) or Known(by_cos, Origin.INTENDED, silent)
        is_routed = value_of(body.forwarding) is Forwarding.ROUTED
        point, table, map_ = (body.dscp, by_dscp, dscp) if is_routed else (body.cos, by_cos, pcp)
        default = map_ if isinstance(map_, Unknown) else _own_class(point, table)
    for own, name in ((body.own_dscp_map, "DSCP"), (body.own_cos_map, "CoS")):
        if isinstance(own, Known):
            unread = Unknown(f"the port's own {name} map {own.value} is not modelled")
            default = unread
            dscp, pcp = (unread, pcp) if name == "DSCP" else (dscp, unread)
    return Classification(
        trust=fall_back(body.trust, nothing),
        classes=Known(tuple(_class(config, body, n, nothing) for n in CLASSES), Origin.DEFAULT, silent, ONE_NUMBER),
        dscp_to_class=dscp,
        pcp_to_class=pcp,
        default_class=default,
        classifiers=_classifiers(config, body, nothing),
    )


def _own_class(point: Setting[int], table: ValueMap) -> Setting[str]:
    """Return the class of packets without a marking: that of the port's own code point, whose default is 0."""
    if isinstance(point, Unknown):
        return point
    entry = table[value_of(point) or 0]
    return replace(entry, origin=point.origin, where=point.where) if isinstance(point, Known) else entry


def _has_maps(config: Config) -> bool:
    """Return whether the dump shows the switch-wide maps."""
    return config.complete or any(isinstance(entry, Known) for entry in config.maps.values())


def _classifiers(config: Config, body: Interface, nothing: Unset) -> Setting[tuple[Known[Classifier], ...]]:
    policy = _find_policy(config, body, nothing)
    if not isinstance(policy, PolicyMap):
        return policy
    return list_classifiers(policy, config.pair_classes(policy), config.acls)


def _find_policy(config: Config, body: Interface, nothing: Unset) -> PolicyMap[Step] | Unset | Unknown:
    """Return the policy on what arrives at a port; *nothing* where it has none."""
    name = body.policy
    if not isinstance(name, Known):
        return name if isinstance(name, Unknown) or not is_silent(name) else nothing
    missing = Unknown(f"policy-map type quality-of-service {name.value} is not in the dump")
    return config.policy_maps.get((QOS, name.value), missing)


def build_limits(config: Config, body: Interface, speed_gbps: float | None, nothing: Unset) -> RateLimits:
    """Return the rate limit of what a port sends, and those of the classes that arrive."""
    policy = _find_policy(config, body, nothing)
    shape = _shape(body.shape, Units("", speed_gbps), nothing)
    if not isinstance(policy, PolicyMap):
        return RateLimits(shape, policy)
    return RateLimits(shape, list_policers(config.pair_classes(policy), config.acls, policy.where))


def _class(config: Config, body: Interface, number: int, nothing: Unset) -> TrafficClass:
    queue: Setting[int] = PARTIAL
    if _has_maps(config):
        queue = config.maps.get((QUEUE, number), nothing)
        queue = Known(number, Origin.DEFAULT, queue.where, ONE_NUMBER) if isinstance(queue, Unset) else queue
    lossless: Setting[bool] = body.no_drop.get(number, nothing)
    if isinstance(body.hidden, Unknown) and not isinstance(lossless, Known):
        lossless = body.hidden
    return TrafficClass(
        id=str(number),
        name=f"traffic-class {number}",
        internal=Known(number, Origin.DEFAULT, nothing.where, ONE_NUMBER),
        pfc_priority=Known(number, Origin.DEFAULT, nothing.where, PFC_NUMBER),
        queue=queue,
        lossless=lossless,
    )


def build_marking(config: Config) -> Marking:
    """Return what leaving packets are rewritten to, and whether the switch rewrites their DSCP."""
    if not _has_maps(config):
        return Marking(PARTIAL, PARTIAL, PARTIAL if is_silent(config.rewrite) else config.rewrite)
    return Marking(_rewritten(config, TO_DSCP), _rewritten(config, TO_COS), config.rewrite, has_more=True)


def _rewritten(config: Config, name: str) -> Setting[Mapping[str, Known[int]]]:
    entries = select_entries(config.maps, name)
    where = next((entry.where for entry in entries.values()), None)
    table = {str(number): to for number, to in sorted(entries.items())}
    return doubt_of(config.maps, name) or Known(table, Origin.INTENDED, where)


def build_queues(
    config: Config, body: Interface, speed_gbps: float | None, nothing: Unset
) -> Setting[tuple[Queue, ...]]:
    """Return the egress queues in the statements of the port, its profile or its port-channel."""
    if isinstance(body.hidden, Unknown):
        return body.hidden
    if not body.queues:
        return nothing
    units = Units(config.model.value if config.model else "", speed_gbps)
    mmu = _find_mmu(config)
    found = (
        _add_buffer(mmu, units, nothing, _queue(config, number, said, units))
        for number, said in sorted(body.queues.items())
    )
    return Known(tuple(found), Origin.INTENDED, next(iter(body.queues.values())).where)


class Units:
    """What the units of a threshold hold on one port: time by its speed, segments by the switch's model."""

    def __init__(self, model: str, speed_gbps: float | None) -> None:
        self.speed_gbps = speed_gbps
        segment = next((size for pattern, size in _SEGMENTS if pattern.match(model)), None)
        self._bytes = {
            Unit.MICROSECONDS: None if speed_gbps is None else speed_gbps * BYTES_PER_US_AT_1_GBPS,
            Unit.SEGMENTS: segment,
        }

    def with_size(self, threshold: Threshold | None) -> Threshold | None:
        """Return *threshold* with the size of its unit, where that is known.

        >>> Units("DCS-7060CX-32S", 100).with_size(Threshold(3000, Unit.MICROSECONDS)).bytes
        37500000
        """
        return replace(threshold, unit_bytes=self._bytes.get(threshold.unit)) if threshold else None

    def rate(self, shape: Rate) -> float | None:
        """Return a shaping rate in Gb/s, None where it is a share of a speed that is not known."""
        if not shape.is_percent:
            return shape.value
        return None if self.speed_gbps is None else self.speed_gbps * shape.value / 100


_SEGMENTS = ((regex(r"(?:DCS-)?7(?:050[QST]X2?|060CX2?|260[CQ]X3?)-"), 208),)
"""Models built of a Trident II, II+, Tomahawk, Tomahawk+ or Tomahawk 2: their buffers are given out in cells of 208
bytes, and EOS calls a cell a segment."""


def _queue(config: Config, number: int, said: TxQueue, units: Units) -> Queue:
    silent = Unset(said.where)
    ecn = said.ecn
    share = said.guaranteed if isinstance(said.bandwidth, Unset) else said.bandwidth
    basis = "remaining" if share is said.bandwidth else "line"
    to_queue = select_entries(config.maps, QUEUE)
    fed = tuple(n for n in CLASSES if (to_queue[n].value if n in to_queue else n) == number)
    return Queue(
        queue=number,
        priorities=doubt_of(config.maps, QUEUE) or Known(fed, Origin.INTENDED, said.where)
        if _has_maps(config)
        else PARTIAL,
        ecn=_each(ecn, lambda _: True, silent),
        ecn_min=_each(ecn, lambda curve: units.with_size(curve.low), silent),
        ecn_max=_each(ecn, lambda curve: units.with_size(curve.high), silent),
        ecn_max_probability=_each(ecn, lambda curve: curve.probability, silent),
        wred_drop=_drops(said, units, silent),
        scheduler=_each(said.scheduler, lambda scheduler: scheduler, silent),
        bandwidth_percent=_each(share, lambda percent: percent, silent),
        bandwidth_basis=_each(share, lambda _: basis, silent),
        shape_gbps=_shape(said.shape, units, silent),
    )


def _shape(rate: Setting[Rate], units: Units, silent: Unset) -> Setting[float]:
    found = _each(rate, units.rate, silent)
    if found is silent and isinstance(rate, Known):
        return Unknown("the rate is a share of the port's speed, which is not known")
    return found


def _each(setting: Setting[T], part: Callable[[T], P | None], silent: Unset) -> Setting[P]:
    """Return a part of what is written; *silent* where nothing is, or where what is written does not hold the part."""
    if not isinstance(setting, Known):
        return silent if is_silent(setting) else setting
    value = part(setting.value)
    return silent if value is None else Known(value, setting.origin, setting.where)


def _drops(said: TxQueue, units: Units, silent: Unset) -> Setting[tuple[WredDrop, ...]]:
    unread = next((curve for curve in said.drops.values() if isinstance(curve, Unknown)), None)
    if unread:
        return unread
    written = {level: curve for level, curve in said.drops.items() if isinstance(curve, Known)}
    if not written:
        return next((curve for curve in said.drops.values() if isinstance(curve, Unset)), silent)
    curves = tuple(_drop(level, curve.value, units) for level, curve in written.items())
    return Known(curves, Origin.INTENDED, next(iter(written.values())).where)


def _drop(level: int | None, curve: Curve, units: Units) -> WredDrop:
    low, high = units.with_size(curve.low), units.with_size(curve.high)
    return WredDrop(
        color="any" if level is None else f"drop-precedence {level}",
        min_bytes=low.bytes if low else None,
        max_bytes=high.bytes if high else None,
        probability=curve.probability,
    )


def _find_mmu(config: Config) -> Mmu | Unknown:
    """Return the MMU queue profile that is applied; an empty one without, Unknown where the dump lacks it."""
    applied = config.mmu_applied
    if isinstance(applied, Known):
        return config.mmu_profiles.get(applied.value, _UNSEEN_MMU)
    return applied if isinstance(applied, Unknown) else Mmu(NOWHERE)


def _add_buffer(mmu: Mmu | Unknown, units: Units, nothing: Unset, queue: Queue) -> Queue:
    """Return *queue* with its part of the buffer by the MMU queue profile."""
    if isinstance(mmu, Unknown):
        return replace(queue, reserved_bytes=mmu, alpha=mmu)
    number, silent = queue.queue, nothing if mmu.where == NOWHERE else Unset(mmu.where)
    return replace(
        queue,
        reserved_bytes=_amount(mmu.kept.get(number, silent), units, silent),
        alpha=fall_back(mmu.shares.get(number, silent), silent),
    )


_UNSEEN_MMU = Unknown("the MMU queue profile that is applied is not in the dump")


def _amount(setting: Setting[Threshold], units: Units, nothing: Unset) -> Setting[int]:
    """Return a buffer's size in bytes; Unknown where it is in cells of a size that is not known."""
    if not isinstance(setting, Known):
        return nothing if is_silent(setting) else setting
    sized = units.with_size(setting.value)
    if sized is None or sized.bytes is None:
        return Unknown("the size is written in cells, whose size is known for some models only")
    return Known(round(sized.bytes), setting.origin, setting.where)


def _find_source(headroom: Setting[Threshold], where: Where | None) -> Setting[HeadroomSource]:
    """Return who sizes the headroom; unknown where a line of the profile that sizes it was not understood."""
    if isinstance(headroom, Unknown):
        return headroom
    is_written = isinstance(headroom, Known)
    return Known(HeadroomSource.CONFIGURED if is_written else HeadroomSource.GENERATED, Origin.INTENDED, where)


def build_priority_groups(config: Config, body: Interface, nothing: Unset) -> Setting[tuple[PriorityGroup, ...]]:
    """Return one ingress buffer for each priority that is never dropped.

    EOS sizes its headroom by itself unless the MMU queue profile that is applied does.
    """
    if isinstance(body.hidden, Unknown):
        return body.hidden
    unread = next((said for said in body.no_drop.values() if isinstance(said, Unknown)), None)
    if unread:
        return unread
    written = {n: said for n, said in sorted(body.no_drop.items()) if isinstance(said, Known) and said.value}
    applied = config.mmu_applied
    profile = config.mmu_profiles.get(applied.value) if isinstance(applied, Known) else None
    mmu = profile or Mmu(NOWHERE)
    units = Units(config.model.value if config.model else "", None)
    unseen = isinstance(applied, Known) and profile is None
    groups = tuple(
        PriorityGroup(
            pg=number,
            priorities=Known((number,), Origin.DEFAULT, said.where, PFC_NUMBER),
            lossless=said,
            reserved_bytes=_amount(mmu.reserved, units, nothing),
            xoff_bytes=_amount(mmu.headroom, units, nothing),
            headroom_source=_UNSEEN_MMU if unseen else _find_source(mmu.headroom, said.where),
            alpha=fall_back(mmu.threshold, nothing),
        )
        for number, said in written.items()
    )
    return Known(groups, Origin.INTENDED, groups[0].lossless.known().where if groups else nothing.where)
