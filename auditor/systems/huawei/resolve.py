"""Statements in effect on a port of a CloudEngine switch turned into its configuration."""

from dataclasses import replace

from auditor.grammar import assemble
from auditor.grammar.body import DROP_PROFILE, PortBody, QueueBody
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.layers import NOTHING, fall_back, overlay, prefer_own
from auditor.grammar.steps import find_rewriting, find_sorting
from auditor.model.port import PfcMode, PortConfig, RateLimits, Watchdog, WatchdogAction
from auditor.model.qos import PHBS, Classification, Marking, Queue, TrafficClass, ValueMap, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.huawei.ai import AI, AiService
from auditor.systems.huawei.drops import DropProfile
from auditor.systems.huawei.ets import BUILT_IN, ETS, EtsProfile, schedule_queues
from auditor.systems.huawei.policies import POLICY, SYNTAX
from auditor.systems.huawei.spreading import find_spreading
from auditor.systems.huawei.statements import DOMAIN, PFC_PROFILE
from auditor.systems.huawei.switch import Domain, PfcProfile, Vrp

PHB_PAGE = (
    "https://www.easymanua.ls/huawei/quidway-s7700/manual/663993?p=11: the internal priorities BE to CS7 use the "
    "queues 0 to 7"
)
DOMAIN_PAGE = "CloudEngine CE6800 V300R023 Command Reference, display diffserv domain"
"""A new domain maps 802.1p priority N to internal priority N, and the DSCPs 8N to 8N+7 to internal priority N."""
PROFILE_PAGE = "CloudEngine CE6800 V300R023 Command Reference, priority (DCB PFC view)"
DEFAULT_PRIORITY = 3
"""The priority that the default PFC profile pauses."""
PRECISION_MS = 10.0
"""The unit of the periods of deadlock detection by default: `dcb pfc deadlock-detect interval`."""
PFC_PAGE = (
    "https://support.huawei.com/enterprise/en/doc/EDOC1100155250/d0f9d596/configuring-pfc: PFC is enabled for the "
    "priorities that are mapped to the queues; 802.1p priority 3 uses queue 3 by default"
)
ECN_PAGE = (
    "https://support.huawei.com/enterprise/en/doc/EDOC1100138142/4b49cfb7/configuring-ecn: a queue with ECN marks "
    "instead of dropping at random"
)
_NO_SCHEDULER = Unknown("what schedules the queues of all ports is not in this part of the configuration")
_NO_DEFAULT_CLASS = Unknown("the class of what no line maps is on no page of the vendor that could be read")


def resolve(config: ViewConfig[Vrp], body: PortBody, nothing: Unset) -> PortConfig:
    """Return the configuration of a port."""
    named = body.names.get(PFC_PROFILE, NOTHING)
    profile = config.find(PFC_PROFILE, value_of(named) or "", PfcProfile)
    unread: dict[int, Setting[bool]] = dict.fromkeys(range(len(PHBS)), named) if isinstance(named, Unknown) else {}
    own = profile.no_drop if profile else {}
    is_silent = not own and not value_of(named) and (profile is not None or config.complete)
    if is_silent:
        where = profile.where if profile else nothing.where
        own = {DEFAULT_PRIORITY: Known(value=True, origin=Origin.DEFAULT, where=where, reference=PROFILE_PAGE)}
    body = replace(body, no_drop=unread or own)
    mode = fall_back(body.pfc_mode, nothing)
    domain = _domain(config, body)
    sorting = find_sorting(config, POLICY, body.policy, config.switch.policy, SYNTAX)
    return PortConfig(
        ethernet=assemble.build_framed(body, nothing),
        pfc=assemble.build_pfc(body, nothing, mode, _watchdog(config, profile, mode, nothing)),
        pause=assemble.build_pause(body, nothing),
        classification=sorting.classify(_classification(config, domain, body, mode, nothing), PHBS.__getitem__),
        marking=_marking(domain, body, nothing, find_rewriting(sorting.steps)),
        priority_groups=assemble.build_groups(body),
        queues=_queues(config, body, nothing),
        limits=RateLimits(fall_back(body.shape_gbps, nothing), sorting.police(nothing)),
        spreading=find_spreading(config),
    )


def _watchdog(config: ViewConfig[Vrp], profile: PfcProfile | None, mode: Setting[PfcMode], nothing: Unset) -> Watchdog:
    """Return deadlock detection, which belongs to a PFC profile: it runs where the port uses that."""
    if not isinstance(mode, Known) or mode.value is PfcMode.OFF:
        return Watchdog(nothing, nothing, nothing, nothing, nothing, nothing)
    watched = {n: each for n, each in profile.watched.items() if isinstance(each, Known)} if profile else {}
    if watched:
        proof = next(iter(watched.values())).where
        on = Known(value=True, origin=Origin.INTENDED, where=proof)
        priorities = Known(tuple(sorted(watched)), Origin.INTENDED, proof)
        found = [each.value for each in watched.values()]
        detection, recovery = (
            _period(config, proof, {getattr(each, name) for each in found}) for name in ("detection", "recovery")
        )
        return Watchdog(on, detection, recovery, assemble.NOT_READ, _action(config), priorities)
    detection, recovery = (fall_back(each, nothing) for each in (config.switch.detection_ms, config.switch.recovery_ms))
    if isinstance(detection, Known):
        why = Unknown("a deadlock timer is written, but not whether any priority is watched")
        return Watchdog(why, detection, recovery, assemble.NOT_READ, assemble.NOT_READ, why)
    return Watchdog(nothing, nothing, nothing, nothing, nothing, nothing)


def _action(config: ViewConfig[Vrp]) -> Setting[WatchdogAction]:
    """Return what happens to packets while a deadlock is resolved; by default that differs between models."""
    found = list(config.switch.recovery.values())
    if len({value_of(each) for each in found}) > 1:
        return Unknown("the slots differ in what happens to packets while a deadlock is resolved")
    return found[0] if found else Unknown("what happens to packets by default differs between models")


def _period(config: ViewConfig[Vrp], proof: Where | None, counts: set[int]) -> Setting[float]:
    """Return a period in ms, whose *counts* are in units of the precision."""
    precision = config.switch.precision_ms
    if isinstance(precision, Unknown):
        return precision
    if len(counts) > 1:
        return Unknown("the watched priorities differ in this period")
    return Known(counts.pop() * (value_of(precision) or PRECISION_MS), Origin.INTENDED, proof)


def _domain(config: ViewConfig[Vrp], body: PortBody) -> Domain | Unknown:
    named = body.names.get(DOMAIN, NOTHING)
    if isinstance(named, Unknown):
        return named
    name = value_of(named) or "default"
    domain = config.find(DOMAIN, name, Domain)
    if domain is None and name != "default":
        return Unknown(f"diffserv domain {name} is not in the dump")
    if domain is None and not config.complete:
        return Unknown("the diffserv domain default is not in this part of the configuration")
    return domain or Domain(body.where)


def _map(domain: Domain | Unknown, field: str, width: int) -> Setting[ValueMap]:
    """Return the internal priorities of code points, of which *width* have the same by default."""
    if isinstance(domain, Unknown):
        return domain
    own: dict[int, Setting[int]] = getattr(domain, field)
    entries = {
        point: Known(PHBS[point // width], Origin.DEFAULT, domain.where, DOMAIN_PAGE)
        for point in range(width * len(PHBS))
        if not isinstance(own.get(point), Unknown)
    }
    written = {point: to for point, to in own.items() if isinstance(to, Known)}
    entries |= {point: Known(PHBS[to.value], to.origin, to.where) for point, to in written.items()}
    if not written:
        return Known(entries, Origin.DEFAULT, domain.where, DOMAIN_PAGE)
    return Known(entries, Origin.INTENDED, next(iter(written.values())).where)


def _classification(
    config: ViewConfig[Vrp], domain: Domain | Unknown, body: PortBody, mode: Setting[PfcMode], nothing: Unset
) -> Classification:
    proof = next((each for each in config.switch.by_internal.values() if isinstance(each, Known)), None)
    classes = tuple(_class(number, body, mode, proof, nothing) for number in range(len(PHBS)))
    return Classification(
        trust=fall_back(body.trust, nothing),
        classes=Known(classes, Origin.DEFAULT, nothing.where, PHB_PAGE),
        dscp_to_class=_map(domain, "dscp", 8),
        pcp_to_class=_map(domain, "pcp", 1),
        default_class=_NO_DEFAULT_CLASS,
        classifiers=nothing,
    )


def _class(
    number: int, body: PortBody, mode: Setting[PfcMode], proof: Known[bool] | None, nothing: Unset
) -> TrafficClass:
    """Return the class of an internal priority, which *proof* says that PFC pauses; else it is by default."""
    paused = Known(number, Origin.DEFAULT, nothing.where, PFC_PAGE)
    lossless: Setting[bool] = body.no_drop.get(number, nothing)
    if isinstance(mode, Known) and mode.value is PfcMode.OFF:
        lossless = Known(False, mode.origin, mode.where)
    elif body.no_drop and number not in body.no_drop:
        first = next(iter(body.no_drop.values()))
        lossless = Known(False, Origin.INTENDED, first.where) if isinstance(first, Known) else nothing
    return TrafficClass(
        id=PHBS[number],
        name=f"PHB {PHBS[number].upper()}",
        internal=Known(number, Origin.DEFAULT, nothing.where, PHB_PAGE),
        pfc_priority=replace(paused, origin=proof.origin, where=proof.where, reference="") if proof else paused,
        queue=Known(number, Origin.DEFAULT, nothing.where, PHB_PAGE),
        pg=paused,
        lossless=assemble.find_lossless(mode, lossless),
    )


def _marking(domain: Domain | Unknown, body: PortBody, nothing: Unset, rewritten: Unknown | None) -> Marking:
    rewrite = fall_back(body.rewrite, nothing)
    if rewritten:
        return Marking(rewritten, assemble.NOT_READ, rewritten)
    own = {} if isinstance(domain, Unknown) else domain.to_dscp
    written = {phb: to for phb, to in own.items() if isinstance(to, Known)}
    if not written:
        return Marking(assemble.NOT_READ, assemble.NOT_READ, rewrite)
    first = next(iter(written.values()))
    return Marking(Known(written, Origin.INTENDED, first.where), assemble.NOT_READ, rewrite)


def _queues(config: ViewConfig[Vrp], body: PortBody, nothing: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the queues: by the ETS profile or what is written for all ports where the port itself is silent."""
    if turns := _find_turns(config, body):
        body = overlay(PortBody(body.where, queues=turns), body, prefer_own)
    if config.switch.queues:
        body = overlay(PortBody(body.where, queues=config.switch.queues), body, prefer_own)
    learning = _list_learning(config, body)
    if learning:
        body = replace(body, queues={number: QueueBody(body.where) for number in learning} | body.queues)
    return assemble.build_queues(
        assemble.fill_queues(body),
        nothing,
        lambda number, said: _learn(_queue(config, number, said), learning.get(number)),
    )


def _find_turns(config: ViewConfig[Vrp], body: PortBody) -> dict[int, QueueBody]:
    """Return how the queues are served by the ETS profile that the port applies, nothing without one."""
    named = body.names.get(ETS, NOTHING)
    if isinstance(named, Unset):
        return {}
    if isinstance(named, Unknown):
        return schedule_queues(named)
    profile = config.find(ETS, named.value, EtsProfile)
    if profile is None and named.value == BUILT_IN and config.complete:
        profile = EtsProfile(body.where)
    return schedule_queues(profile or Unknown(f"{ETS} {named.value} is not in the dump"))


AI_THRESHOLDS = Unknown("the switch works out the thresholds of ECN for this queue by itself (AI ECN)")


def _list_learning(config: ViewConfig[Vrp], body: PortBody) -> dict[int, Known[bool]]:
    """Return the lossless queues whose thresholds the switch works out by itself, with the line that says so."""
    service = config.find(AI, "", AiService)
    if service is None or not value_of(service.enabled):
        return {}
    return {
        n: on for n, on in service.queues.items() if isinstance(on, Known) and value_of(body.no_drop.get(n, NOTHING))
    }


def _learn(queue: Queue, learning: Known[bool] | None) -> Queue:
    if learning is None:
        return queue
    return replace(
        queue,
        ecn=learning,
        ecn_min=AI_THRESHOLDS,
        ecn_max=AI_THRESHOLDS,
        ecn_max_probability=AI_THRESHOLDS,
        wred_drop=Known((), Origin.INTENDED, learning.where),
    )


def _queue(config: ViewConfig[Vrp], number: int, said: QueueBody) -> Queue:
    silent = Unset(said.where)
    name = value_of(said.profile)
    profile = config.find(DROP_PROFILE, name, DropProfile) if name else None
    unseen: Setting[bool] = Unknown(f"drop-profile {name} is not in the dump") if name and not profile else silent
    unseen = said.profile if isinstance(said.profile, Unknown) else unseen
    curve = profile or DropProfile(said.where)
    ecn = fall_back(said.ecn, silent if config.complete or not isinstance(unseen, Unknown) else unseen)
    is_marking = isinstance(ecn, Known) and ecn.value
    low, high, probability = curve.find_curve() if is_marking else (curve.ecn_min, curve.ecn_max, curve.probability)
    return Queue(
        queue=number,
        priorities=Known((number,), Origin.DEFAULT, said.where, PHB_PAGE),
        ecn=ecn,
        ecn_min=fall_back(low, silent),
        ecn_max=fall_back(high, silent),
        ecn_max_probability=fall_back(probability, silent),
        wred_drop=_drops(curve, ecn, unseen, silent),
        scheduler=fall_back(said.scheduler, silent if config.complete else _NO_SCHEDULER),
        weight=fall_back(said.weight, silent),
        shape_gbps=fall_back(said.shape_gbps, silent),
        shape_percent=fall_back(said.shape_percent, silent),
        alpha=fall_back(said.alpha, silent),
        static_threshold_bytes=fall_back(said.limit, silent),
    )


def _drops(
    profile: DropProfile, ecn: Setting[bool], unseen: Setting[bool], silent: Unset
) -> Setting[tuple[WredDrop, ...]]:
    if isinstance(unseen, Unknown):
        return unseen
    if isinstance(ecn, Known) and ecn.value:
        return Known((), Origin.DEFAULT, ecn.where, ECN_PAGE)
    drops = [drop for drop in profile.drops.values() if isinstance(drop, Known)]
    if not drops or isinstance(ecn, Unknown):
        return ecn if isinstance(ecn, Unknown) else silent
    return Known(tuple(drop.value for drop in drops), Origin.INTENDED, drops[0].where)
