"""Statements in effect on a port of a Comware switch turned into its configuration."""

from typing import Any

from auditor.grammar import assemble
from auditor.grammar.body import PortBody, QueueBody, QueueStatements
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.layers import NOTHING, fall_back, overlay, prefer_own
from auditor.grammar.steps import find_rewriting, find_sorting
from auditor.model.port import PortConfig, RateLimits, Watchdog
from auditor.model.qos import Classification, Marking, Queue, TrafficClass, ValueMap, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.comware.policies import POLICY, SYNTAX
from auditor.systems.comware.statements import WRED_TABLE
from auditor.systems.comware.switch import MAP_TABLE, Comware, MapTable

MAP_PAGE = (
    "https://www.manualowl.com/m/Hewlett-Packard/6125XLG/Manual/381293?page=31: 802.1p priority and local precedence 3 "
    "to 7 are one number, DSCP 8N to 8N+7 is 802.1p priority N, and the queue has the number of the local precedence"
)
SAME_BY_DEFAULT = range(3, 8)
"""802.1p priorities whose local precedence is the same on all models that are documented; 0 to 2 differ."""
PRECEDENCES = range(8)
_NO_LIMITS = Unknown("no line sets the limits of green packets, whose defaults differ between models")
_TIMES = Unknown("the unit of the deadlock timer is on no page of the vendor that could be read")


def resolve(config: ViewConfig[Comware], body: PortBody, nothing: Unset) -> PortConfig:
    """Return the configuration of a port; what is written for all ports holds where it is silent."""
    body = overlay(config.switch.ports, body, prefer_own)
    lp = _precedences(config, nothing)
    sorting = find_sorting(config, POLICY, body.policy, config.switch.policy, SYNTAX)
    return PortConfig(
        ethernet=assemble.build_framed(body, nothing),
        pfc=assemble.build_pfc(body, nothing, fall_back(body.pfc_mode, nothing), _watchdog(config, body, lp, nothing)),
        pause=assemble.build_pause(body, nothing),
        classification=sorting.classify(_classification(config, body, lp, nothing), str),
        marking=Marking(*[find_rewriting(sorting.steps) or assemble.NOT_READ] * 3),
        queues=_queues(config, body, nothing),
        priority_groups=assemble.build_groups(body),
        limits=RateLimits(fall_back(body.shape_gbps, nothing), sorting.police(nothing)),
    )


def _precedences(config: ViewConfig[Comware], nothing: Unset) -> dict[int, Known[int]]:
    """Return the local precedence of each 802.1p priority that a line or the documented default gives."""
    default = {n: Known(n, Origin.DEFAULT, nothing.where, MAP_PAGE) for n in SAME_BY_DEFAULT}
    own = _entries(config, "dot1p-lp")
    return {n: to for n, to in default.items() if not isinstance(own.get(n), Unknown)} | _select_known(own)


def _entries(config: ViewConfig[Comware], name: str) -> dict[int, Setting[int]]:
    """Return the entries of a map table."""
    table = config.find(MAP_TABLE, name, MapTable)
    return table.values if table else {}


def _select_known(entries: dict[int, Setting[int]]) -> dict[int, Known[int]]:
    """Return the entries that are in effect; one that was taken back is the default's."""
    return {point: to for point, to in entries.items() if isinstance(to, Known)}


def _watchdog(config: ViewConfig[Comware], body: PortBody, lp: dict[int, Known[int]], nothing: Unset) -> Watchdog:
    watched: Setting[tuple[int, ...]] = nothing
    own = {precedence: on for precedence, on in config.switch.watched.items() if isinstance(on, Known)}
    if own:
        priorities = tuple(sorted(p for p, to in lp.items() if to.value in own))
        watched = Known(priorities, Origin.INTENDED, next(iter(own.values())).where)
    return Watchdog(
        enabled=fall_back(body.watchdog, nothing),
        detection_ms=_TIMES,
        restoration_ms=_TIMES,
        polling_ms=assemble.NOT_READ,
        action=fall_back(config.switch.action, nothing),
        priorities=watched,
    )


def _classification(
    config: ViewConfig[Comware], body: PortBody, lp: dict[int, Known[int]], nothing: Unset
) -> Classification:
    classes = tuple(_class(number, body, lp, nothing) for number in PRECEDENCES)
    pcp = {priority: Known(str(to.value), to.origin, to.where, to.reference) for priority, to in sorted(lp.items())}
    return Classification(
        trust=fall_back(body.trust, nothing),
        classes=Known(classes, Origin.DEFAULT, nothing.where, MAP_PAGE),
        dscp_to_class=Known(_by_dscp(config, lp), Origin.INTENDED, nothing.where),
        pcp_to_class=Known(pcp, Origin.INTENDED, nothing.where),
        default_class=Unknown("802.1p priorities 0 to 2 have local precedences that differ between models"),
        classifiers=nothing,
    )


def _by_dscp(config: ViewConfig[Comware], lp: dict[int, Known[int]]) -> ValueMap:
    """Return the class of each DSCP: by its 802.1p priority and that one's local precedence, or directly."""
    direct, to_priority = _select_known(_entries(config, "dscp-lp")), _select_known(_entries(config, "dscp-dot1p"))
    found: dict[int, Known[str]] = {}
    for dscp in range(64):
        written = direct.get(dscp) or to_priority.get(dscp)
        precedence = direct.get(dscp) or lp.get(written.value if written else dscp // 8)
        if precedence is not None:
            proof = written or precedence
            found[dscp] = Known(str(precedence.value), proof.origin, proof.where, proof.reference)
    return found


def _class(number: int, body: PortBody, lp: dict[int, Known[int]], nothing: Unset) -> TrafficClass:
    """Return a local precedence; PFC pauses it under the 802.1p priority that maps to it, if that is one."""
    sources = [priority for priority, to in lp.items() if to.value == number]
    several = Unknown("which 802.1p priority this local precedence is paused under is not one and known")
    priority: Setting[int] = several
    lossless: Setting[bool] = several
    if len(sources) == 1:
        source = lp[sources[0]]
        priority = Known(sources[0], source.origin, source.where, source.reference)
        lossless = assemble.find_lossless(body.pfc_mode, body.no_drop.get(sources[0], nothing))
    return TrafficClass(
        id=str(number),
        name=f"local precedence {number}",
        internal=Known(number, Origin.DEFAULT, nothing.where, MAP_PAGE),
        pfc_priority=priority,
        queue=Known(number, Origin.DEFAULT, nothing.where, MAP_PAGE),
        pg=priority,
        lossless=lossless,
    )


def _queues(config: ViewConfig[Comware], body: PortBody, nothing: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the queues; what a missing table says of marking is open, and scheduling is not."""
    named = body.names.get(WRED_TABLE, NOTHING)
    name = value_of(named)
    table = config.find(WRED_TABLE, name, QueueStatements) if name else None
    unread = named if isinstance(named, Unknown) else None
    if name and table is None:
        unread = Unknown(f"{WRED_TABLE} {name} is not in the dump")
    if value_of(config.switch.learns_ecn):
        unread = Unknown("the switch sets its thresholds of ECN by itself")
    body = overlay(PortBody(body.where, queues=table.queues if table else {}), body, prefer_own)
    if unread and not body.queues:
        return unread
    body = assemble.fill_queues(body) if unread else body
    return assemble.build_queues(body, nothing, lambda number, said: _queue(number, said, unread))


def _queue(number: int, said: QueueBody, unread: Unknown | None) -> Queue:
    """Return a queue; *unread* is why its marking and dropping are open."""
    silent = Unset(said.where)
    marks = isinstance(said.ecn, Known) and said.ecn.value
    curve = _find_curve(said) if marks else silent
    limits = _NO_LIMITS if marks else silent
    return Queue(
        queue=number,
        priorities=Known((number,), Origin.DEFAULT, said.where, MAP_PAGE),
        ecn=unread or fall_back(said.ecn, silent),
        ecn_min=unread or _read(curve, "low", limits),
        ecn_max=unread or _read(curve, "high", limits),
        ecn_max_probability=unread or _read(curve, "probability", silent),
        wred_drop=unread or (Known((), Origin.INTENDED, _place(said.ecn)) if marks else _list_drops(said, silent)),
        scheduler=said.scheduler if not isinstance(said.scheduler, Unset) else assemble.NOT_READ,
        weight=fall_back(said.weight, silent),
        shape_gbps=fall_back(said.shape_gbps, silent),
    )


def _find_curve(said: QueueBody) -> Setting[WredDrop]:
    """Return the curve of the green packets, by the last line that speaks of them."""
    drops = [said.drops.get(colour, NOTHING) for colour in ("any", "green")]
    known = [drop for drop in drops if isinstance(drop, Known)]
    if known:
        return max(known, key=lambda drop: drop.where.line if drop.where else 0)
    return next((drop for drop in drops if isinstance(drop, Unknown)), Unset(said.where))


def _list_drops(said: QueueBody, silent: Unset) -> Setting[tuple[WredDrop, ...]]:
    known = [drop for drop in said.drops.values() if isinstance(drop, Known)]
    if not known:
        return silent
    drops = tuple(
        WredDrop(each.color, each.min_bytes, each.max_bytes, each.probability) for each in (k.value for k in known)
    )
    return Known(drops, Origin.INTENDED, known[0].where)


def _read(curve: Setting[WredDrop], name: str, silent: Setting[Any]) -> Setting[Any]:
    """Return a field of *curve*, *silent* if no line writes the curve."""
    if isinstance(curve, Known):
        return Known(getattr(curve.value, name), curve.origin, curve.where)
    return silent if isinstance(curve, Unset) else curve


def _place(setting: Setting[bool]) -> Where | None:
    return setting.where if isinstance(setting, Known) else None
