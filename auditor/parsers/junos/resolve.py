"""How a port sorts arriving packets, and what it writes into those that leave."""

from collections.abc import Mapping

from auditor.model.qos import Classification, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.parsers.junos.definitions import NOTHING, ForwardingClass
from auditor.parsers.junos.pfc import pfc_priority
from auditor.parsers.junos.sorting import DSCP_KINDS, PARTIAL, PCP_KINDS, Sorting

NO_REWRITES = "https://www.juniper.net/documentation/en_US/junos12.3/topics/concept/cos-qfx-series-rewrite-rules-understanding.html"


def classification(sorting: Sorting, nothing: Unset) -> Classification:
    """Return how arriving packets are sorted."""
    bound_here = sorting.bound
    dscp, pcp = bound_here.classifier(*DSCP_KINDS), bound_here.classifier(*PCP_KINDS)
    trust: Setting[Trust] = _UNBOUND if sorting.complete else PARTIAL
    if dscp or pcp:
        kind = Trust.BOTH if dscp and pcp else Trust.DSCP if dscp else Trust.PCP
        proof = dscp or pcp
        trust = Known(kind, Origin.INTENDED, proof[1].where if proof else None)
    elif bound_here.fixed_class:
        trust = Known(Trust.NONE, Origin.INTENDED, bound_here.fixed_class.where)
    classes = tuple(traffic_class(sorting, found) for found in sorting.classes.values())
    where = sorting.cos.where
    return Classification(
        trust=trust,
        classes=Known(classes, Origin.INTENDED, where) if where else (nothing if sorting.complete else PARTIAL),
        dscp_to_class=_table(sorting, DSCP_KINDS, trust, nothing),
        pcp_to_class=_table(sorting, PCP_KINDS, trust, nothing),
        default_class=sorting.default_class(),
        classifiers=Known((), Origin.INTENDED, nothing.where) if sorting.complete else PARTIAL,
    )


_UNBOUND = Unknown(
    "no classifier is bound to the port, and which one the switch then uses is not documented for all modes"
)


def _table(sorting: Sorting, kinds: tuple[str, ...], trust: Setting[Trust], nothing: Unset) -> Setting[ValueMap]:
    found = sorting.table(*kinds)
    if found is not NOTHING:
        return found
    return Known({}, Origin.INTENDED, trust.where or nothing.where) if isinstance(trust, Known) else trust


def traffic_class(sorting: Sorting, found: ForwardingClass) -> TrafficClass:
    """Return a forwarding class as the model has it: its one number beside its queue is the priority of its pauses."""
    priority = pfc_priority(sorting, found)
    internal: Setting[int] = priority if isinstance(priority, Known) else _NO_NUMBER
    return TrafficClass(
        id=found.name,
        name=found.name,
        internal=internal,
        pfc_priority=priority,
        queue=found.queue,
        pg=Unknown("Junos does not show which priority group a class uses"),
        lossless=found.lossless,
    )


_NO_NUMBER = Unknown("Junos gives a class that is never paused no number beside its queue")


def marking(sorting: Sorting, nothing: Unset) -> Marking:
    """Return what the port writes into leaving packets; no rewrite rule applies by default."""
    found: dict[str, Setting[Mapping[str, Known[int]]]] = {}
    for kind, name in sorting.bound.rewrites:
        table = sorting.cos.rewrites.get((kind, name.value))
        points = dict(table.points) if table else {}
        unseen = Unknown(f"rewrite rule {kind} {name.value} is not in the dump")
        found.setdefault(
            "pcp" if kind in PCP_KINDS else "dscp",
            Known(points, Origin.INTENDED, table.where) if table else unseen,
        )
    first = next((name for _, name in sorting.bound.rewrites), None)
    none: Known[Mapping[str, Known[int]]] = Known({}, Origin.DEFAULT, nothing.where, NO_REWRITES)
    silent: Setting[Mapping[str, Known[int]]] = none if sorting.complete else PARTIAL
    unbound: Setting[bool] = nothing if sorting.complete else PARTIAL
    return Marking(
        found.get("dscp", silent),
        found.get("pcp", silent),
        Known(value=True, origin=Origin.INTENDED, where=first.where) if first else unbound,
    )
