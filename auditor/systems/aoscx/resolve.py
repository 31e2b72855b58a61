"""Statements in effect on a port of an AOS-CX switch turned into its configuration."""

from collections.abc import Mapping
from typing import TypeVar

from auditor.grammar import assemble
from auditor.grammar.body import PortBody, QueueBody, QueueStatements
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.layers import NOTHING, fall_back, overlay, take_later
from auditor.grammar.steps import find_rewriting
from auditor.model.port import Forwarding, PortConfig, RateLimits
from auditor.model.qos import Classification, Marking, Queue, Scheduler, TrafficClass, Trust, ValueMap, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.aoscx.acls import find_access
from auditor.systems.aoscx.flowcontrol import GUIDE
from auditor.systems.aoscx.maps import COS_PAGE, DEFAULT_COS, DEFAULT_DSCP, DSCP_PAGE
from auditor.systems.aoscx.pausing import build_groups, build_pfc, find_cable_length
from auditor.systems.aoscx.policies import find_sorting
from auditor.systems.aoscx.profiles import QUEUE_PROFILE, QueueMap
from auditor.systems.aoscx.statements import MARKINGS, REWRITE_PAGE, SCHEDULE, THRESHOLD
from auditor.systems.aoscx.switch import AosCx

T = TypeVar("T")
PCP_PAGE = f"{GUIDE}, Flow control and lossless buffering: a priority code point, by the CoS map"
QUEUE_PAGE = (
    "https://techhub.hpe.com/eginfolib/Aruba/8400_10.01/5200-5140/GUID-BF0A2EE4-9802-4AC4-A69E-3D32407AD6AF.html"
)
"""The queue profile that a switch begins with gives each local priority the queue of its number."""
SCHEDULE_PAGE = "AOS-CX Storage and Lossless Ethernet guide, QoS schedule profile: factory-default, strict"
"""The profile that is applied at first shares the bandwidth among eight queues of weight 1; `strict` has no weights."""
_LEAVING = {"cos": (1, 0, 2, 3, 4, 5, 6, 7), "dscp": (8, 0, 16, 24, 32, 40, 48, 56)}
"""What `show qos egress-rewrite-map default` prints on the page of `qos egress-rewrite`, by local priority."""
_BY_POLICY = Unknown("a policy on what leaves the port may write a DSCP")
FACTORY_PROFILES = frozenset({"factory-default", "default"})
PRIORITIES = range(8)
_SEVERAL = Unknown("not one known 802.1p priority alone maps to this local priority, as PFC wants it")


def resolve(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> PortConfig:
    """Return the configuration of a port; the switch's trust and profiles hold where it has none of its own."""
    mtu = fall_back(body.mtu, nothing)
    sorting = find_sorting(config, body)
    return PortConfig(
        ethernet=assemble.build_ethernet(body, nothing, mtu=mtu, ip=_largest_packet(body, mtu, nothing), frame=nothing),
        pfc=build_pfc(config, body, nothing),
        pause=assemble.build_pause(body, nothing),
        classification=sorting.classify(_classification(config, body, nothing), str),
        marking=_marking(config, body, nothing, find_rewriting(sorting.steps)),
        queues=_queues(config, body, nothing),
        priority_groups=build_groups(config, body, nothing),
        cable_length_m=find_cable_length(body, nothing),
        access=find_access(config, body, nothing),
        limits=RateLimits(fall_back(body.shape_gbps, nothing), sorting.police(nothing)),
    )


def _marking(config: ViewConfig[AosCx], body: PortBody, nothing: Unset, rewritten: Unknown | None) -> Marking:
    """Return what a policy, or a port that trusts no marking, writes into what arrives; else what is written last."""
    trust = value_of(_find_trust(config, body, nothing))
    reads = trust is not None and trust is not Trust.NONE
    if why := rewritten or (body.rewrite if isinstance(body.rewrite, Unknown) and not reads else None):
        return Marking(why, assemble.NOT_READ, why, on_arrival=True)
    if not isinstance(body.policy_out, Unset):
        return Marking(_BY_POLICY, assemble.NOT_READ, _BY_POLICY)
    said = [body.leaving.get(kind, NOTHING) for kind in MARKINGS]
    if all(isinstance(each, Unset) for each in said):
        return Marking(assemble.NOT_READ, assemble.NOT_READ, nothing)
    tables = [_find_written(config, kind, each, nothing) for kind, each in zip(MARKINGS, said, strict=True)]
    return Marking(tables[1], tables[0], next((each for each in said if isinstance(each, Known)), said[1]))


def _find_written(
    config: ViewConfig[AosCx], kind: str, is_on: Setting[bool], nothing: Unset
) -> Setting[Mapping[str, Known[int]]]:
    """Return what the marking of each local priority becomes on its way out of a port that rewrites it."""
    if not isinstance(is_on, Known):
        return fall_back(is_on, nothing)
    table: dict[str, Known[int]] = {}
    for priority in PRIORITIES:
        default = Known(_LEAVING[kind][priority], Origin.DEFAULT, is_on.where, REWRITE_PAGE)
        said = config.switch.leaving.get((kind, priority), NOTHING)
        found = default if config.complete and isinstance(said, Unset) else said
        if isinstance(found, Known):
            table[str(priority)] = found
    return Known(table, is_on.origin, is_on.where)


def _find_trust(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Setting[Trust]:
    return fall_back(config.switch.trust, nothing) if isinstance(body.trust, Unset) else body.trust


def _largest_packet(body: PortBody, mtu: Setting[int], nothing: Unset) -> Setting[int]:
    """Return the largest IP packet: a routed port has an IP MTU beside the MTU of its frames."""
    if not isinstance(body.forwarding, Known):
        return Unknown("whether the port is routed or switched is not written")
    return fall_back(body.ip_mtu, nothing) if body.forwarding.value is Forwarding.ROUTED else mtu


def _classification(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Classification:
    switch = config.switch
    trust = _find_trust(config, body, nothing)
    default_dscp, default_cos = (DEFAULT_DSCP, DEFAULT_COS) if config.complete else ({}, {})
    default = {point: Known(to, Origin.DEFAULT, nothing.where, DSCP_PAGE) for point, to in default_dscp.items()}
    cos = {point: Known(to, Origin.DEFAULT, nothing.where, COS_PAGE) for point, to in default_cos.items()}
    paused = {**default_cos} | {point: value_of(to) for point, to in switch.cos.items()}
    classes = tuple(_class(config, body, number, paused, nothing) for number in PRIORITIES)
    return Classification(
        trust=trust,
        classes=Known(classes, Origin.DEFAULT, nothing.where),
        dscp_to_class=_map(default, switch.dscp, nothing),
        pcp_to_class=_map(cos, switch.cos, nothing),
        default_class=_find_untrusted_class(config, trust, body.untrusted, nothing),
        classifiers=nothing,
    )


def _map(default: dict[int, Known[int]], own: dict[int, Setting[int]], nothing: Unset) -> Setting[ValueMap]:
    """Return the classes of code points: an entry that was taken back is the default's, one that is unknown is none."""
    unread = {point for point, to in own.items() if isinstance(to, Unknown)}
    table = {point: to for point, to in default.items() if point not in unread}
    table |= {point: to for point, to in own.items() if isinstance(to, Known)}
    if not table:
        return Unknown("what maps code points is not in this part of the configuration")
    entries = {point: Known(str(to.value), to.origin, to.where, to.reference) for point, to in sorted(table.items())}
    return Known(entries, Origin.INTENDED, nothing.where)


def _find_untrusted_class(
    config: ViewConfig[AosCx], trust: Setting[Trust], untrusted: Setting[int], nothing: Unset
) -> Setting[str]:
    """Return the class of packets whose marking is not read: the port's, or CoS 0's; with trust, other rules hold."""
    default = Known(DEFAULT_COS[0], Origin.DEFAULT, nothing.where, COS_PAGE) if config.complete else NOTHING
    own = config.switch.cos.get(0, NOTHING) if isinstance(untrusted, Unset) else untrusted
    of_cos_0 = default if isinstance(own, Unset) else own
    reads_none = value_of(trust) is Trust.NONE or (isinstance(trust, Unset) and config.complete)
    if not reads_none or not isinstance(of_cos_0, Known):
        return Unknown("the class of what no line maps is on no page of the vendor that could be read")
    return Known(str(of_cos_0.value), of_cos_0.origin, of_cos_0.where, of_cos_0.reference)


def _class(
    config: ViewConfig[AosCx], body: PortBody, number: int, cos: Mapping[int, int | None], nothing: Unset
) -> TrafficClass:
    """Return a local priority, which PFC pauses under the one 802.1p priority that *cos* maps to it."""
    sources = [point for point, to in cos.items() if to in {number, None}]
    is_one = len(sources) == 1 and cos[sources[0]] == number
    is_free = bool(cos) and not any(value_of(body.no_drop.get(point, nothing)) for point in sources)
    priority: Setting[int] = Known(sources[0], Origin.DEFAULT, nothing.where, PCP_PAGE) if is_one else _SEVERAL
    said = body.no_drop.get(sources[0], nothing) if is_one else nothing
    lossless = assemble.find_lossless(fall_back(body.pfc_mode, nothing), said)
    return TrafficClass(
        id=str(number),
        name=f"local priority {number}",
        internal=Known(number, Origin.DEFAULT, nothing.where),
        pfc_priority=priority,
        queue=_queue_of(config, number, nothing),
        pg=priority,
        lossless=lossless if is_one or is_free else _SEVERAL,
    )


def _queue_of(config: ViewConfig[AosCx], number: int, nothing: Unset) -> Setting[int]:
    found = _find_queues(config, nothing)
    if isinstance(found, Unknown):
        return found
    entry = found.get(number, NOTHING)
    return Unknown(f"the queue profile does not map local priority {number} in the dump") if _is_open(entry) else entry


def _is_open(entry: Setting[int]) -> bool:
    return isinstance(entry, Unset)


def _find_queues(config: ViewConfig[AosCx], nothing: Unset) -> dict[int, Setting[int]] | Unknown:
    """Return the queues of local priorities by the profile in effect."""
    applied = config.switch.applied.get(QUEUE_PROFILE, NOTHING)
    if isinstance(applied, Unknown):
        return applied
    name = value_of(applied)
    if name is None and not config.complete:
        return Unknown("which queue profile is applied is not in this part of the configuration")
    table = config.find(QUEUE_PROFILE, name, QueueMap) if name else None
    if table is not None:
        return table.queues
    if name is None or name in FACTORY_PROFILES:
        return {number: Known(number, Origin.DEFAULT, nothing.where, QUEUE_PAGE) for number in PRIORITIES}
    return Unknown(f"{QUEUE_PROFILE} {name} is not in the dump")


def _queues(config: ViewConfig[AosCx], body: PortBody, nothing: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the queues of the profiles in effect: the port's own, else the switch's.

    What a profile says that is not in the dump is open, and what the other one says is not.
    """
    said: dict[int, QueueBody] = {}
    unread: dict[str, Unknown] = {}
    for kind in (SCHEDULE, THRESHOLD):
        own = body.names.get(kind, NOTHING)
        applied = config.switch.applied.get(kind, NOTHING) if isinstance(own, Unset) else own
        profile = _find_profile(config, kind, applied, body)
        if isinstance(profile, Unknown):
            unread[kind] = profile
        else:
            said = overlay(QueueStatements(body.where, said), profile, take_later).queues
    if unread and not said:
        return next(iter(unread.values()))
    written = assemble.fill_queues(PortBody(body.where, queues=said))
    return assemble.build_queues(written, nothing, lambda number, queue: _queue(config, number, queue, unread))


def _find_profile(
    config: ViewConfig[AosCx], kind: str, applied: Setting[str], body: PortBody
) -> QueueStatements | Unknown:
    if isinstance(applied, Unknown):
        return applied
    name = value_of(applied)
    if name is None and (kind == THRESHOLD or not config.complete):
        return QueueStatements(body.where)
    found = config.find(kind, name, QueueStatements) if name else None
    if found is None and kind == SCHEDULE and name in {None, "factory-default", "strict"}:
        return _build_factory_schedule(body, is_strict=name == "strict")
    return found or Unknown(f"{kind} {name} is not in the dump")


def _build_factory_schedule(body: PortBody, *, is_strict: bool) -> QueueStatements:
    """Return a schedule profile that each switch has."""

    def default(value: T) -> Known[T]:
        return Known(value, Origin.DEFAULT, body.where, SCHEDULE_PAGE)

    queue = QueueBody(
        body.where,
        scheduler=default(Scheduler.STRICT if is_strict else Scheduler.DWRR),
        weight=NOTHING if is_strict else default(1),
    )
    return QueueStatements(body.where, dict.fromkeys(PRIORITIES, queue))


def _queue(config: ViewConfig[AosCx], number: int, said: QueueBody, unread: Mapping[str, Unknown]) -> Queue:
    silent = Unset(said.where)
    turns, marking = (unread.get(kind) for kind in (SCHEDULE, THRESHOLD))
    found = _find_queues(config, silent)
    fed: Setting[tuple[int, ...]] = found if isinstance(found, Unknown) else _list_fed(found, number)
    drops = [drop for drop in said.drops.values() if isinstance(drop, Known)]
    malformed = next((drop for drop in said.drops.values() if isinstance(drop, Unknown)), None)
    return Queue(
        queue=number,
        priorities=fed,
        ecn=marking or fall_back(said.ecn, silent),
        ecn_min=marking or fall_back(said.ecn_min, silent),
        ecn_max=marking or fall_back(said.ecn_max, silent),
        ecn_max_probability=marking or fall_back(said.probability, silent),
        wred_drop=marking or malformed or _list_drops(drops, said, silent),
        scheduler=turns or fall_back(said.scheduler, silent),
        weight=turns or fall_back(said.weight, silent),
        shape_gbps=turns or fall_back(said.shape_gbps, silent),
    )


def _list_fed(queues: dict[int, Setting[int]], number: int) -> Setting[tuple[int, ...]]:
    """Return the local priorities of a queue."""
    unread = next((to for to in queues.values() if isinstance(to, Unknown)), None)
    known = {priority: to for priority, to in queues.items() if isinstance(to, Known)}
    first = next(iter(known.values()), None)
    if unread or first is None:
        return unread or Unknown("the queue profile in effect maps no local priority")
    return Known(tuple(sorted(p for p, to in known.items() if to.value == number)), first.origin, first.where)


def _list_drops(drops: list[Known[WredDrop]], said: QueueBody, silent: Unset) -> Setting[tuple[WredDrop, ...]]:
    """Return what a queue drops at random, nothing where a profile only makes it mark."""
    if drops:
        return Known(tuple(drop.value for drop in drops), Origin.INTENDED, drops[0].where)
    return Known((), Origin.INTENDED, said.ecn.where) if isinstance(said.ecn, Known) else silent
