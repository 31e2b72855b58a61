"""Classification of arriving packets and marking of leaving ones."""

from collections.abc import Mapping

from auditor.model.qos import NO_NUMBER, Classification, Ipv6Sorting, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.systems.junos.definitions import NOTHING, ForwardingClass
from auditor.systems.junos.pfc import find_pfc_priority
from auditor.systems.junos.sorting import IPV4_KINDS, IPV6_KINDS, PARTIAL, PCP_KINDS, Sorting
from auditor.util.values import dataclass

NO_REWRITES = "https://www.juniper.net/documentation/en_US/junos12.3/topics/concept/cos-qfx-series-rewrite-rules-understanding.html"


def resolve_classification(sorting: Sorting, nothing: Unset) -> Classification:
    """Return the classification of arriving packets."""
    ipv4 = _by_header(sorting, IPV4_KINDS, nothing)
    ipv6 = _by_header(sorting, IPV6_KINDS, nothing)
    has_one = bool(sorting.bound.classifier(*IPV4_KINDS)) is not bool(sorting.bound.classifier(*IPV6_KINDS))
    if has_one and sorting.bound.classifier(*IPV6_KINDS):
        ipv4 = _make_unknown("IPv6", "IPv4")
    elif has_one:
        ipv6 = ipv4 if sorting.shares_tables else _make_unknown("IPv4", "IPv6")
    classes = tuple(make_traffic_class(sorting, found) for found in sorting.classes.values())
    where = sorting.cos.where
    return Classification(
        trust=ipv4.trust,
        classes=Known(classes, Origin.INTENDED, where) if where else (nothing if sorting.complete else PARTIAL),
        dscp_to_class=ipv4.dscp_to_class,
        pcp_to_class=_table(sorting, PCP_KINDS, ipv4.trust, nothing),
        default_class=ipv4.default_class,
        classifiers=Known((), Origin.INTENDED, nothing.where) if sorting.complete else PARTIAL,
        ipv6=None if ipv6 == ipv4 else Ipv6Sorting(ipv6.dscp_to_class, ipv6.trust, ipv6.default_class),
    )


@dataclass(frozen=True, slots=True)
class _HeaderSorting:
    """The classification of packets of one version of IP."""

    trust: Setting[Trust]
    dscp_to_class: Setting[ValueMap]
    default_class: Setting[str]


def _make_unknown(bound_for: str, other: str) -> _HeaderSorting:
    unknown = Unknown(_ONE_HEADER.format(bound_for, other))
    return _HeaderSorting(unknown, unknown, unknown)


def _by_header(sorting: Sorting, kinds: tuple[str, ...], nothing: Unset) -> _HeaderSorting:
    """Return the classification by a table of one of *kinds*, and by the table for tags."""
    dscp, pcp = sorting.bound.classifier(*kinds), sorting.bound.classifier(*PCP_KINDS)
    trust: Setting[Trust] = _UNBOUND if sorting.complete else PARTIAL
    if dscp or pcp:
        kind = Trust.BOTH if dscp and pcp else Trust.DSCP if dscp else Trust.PCP
        proof = dscp or pcp
        trust = Known(kind, Origin.INTENDED, proof[1].where if proof else None)
    elif sorting.bound.fixed_class:
        trust = Known(Trust.NONE, Origin.INTENDED, sorting.bound.fixed_class.where)
    return _HeaderSorting(trust, _table(sorting, kinds, trust, nothing), sorting.default_class(*kinds))


_UNBOUND = Unknown(
    "no classifier is bound to the port, and which one the switch then uses is not documented for all modes"
)


_ONE_HEADER = (
    "only a table for {} is bound to the port, and which one {} is sorted by then differs from switch to switch"
)


def _table(sorting: Sorting, kinds: tuple[str, ...], trust: Setting[Trust], nothing: Unset) -> Setting[ValueMap]:
    found = sorting.table(*kinds)
    if found is not NOTHING:
        return found
    return Known({}, Origin.INTENDED, trust.where or nothing.where) if isinstance(trust, Known) else trust


def make_traffic_class(sorting: Sorting, found: ForwardingClass) -> TrafficClass:
    """Return a forwarding class as a traffic class; its number beside the queue is its pause priority."""
    priority = find_pfc_priority(sorting, found)
    internal: Setting[int] = priority if isinstance(priority, Known) else NO_NUMBER
    return TrafficClass(
        id=found.name,
        name=found.name,
        internal=internal,
        pfc_priority=priority,
        queue=found.queue,
        pg=Unknown("Junos does not show which priority group a class uses"),
        lossless=found.lossless,
    )


def resolve_marking(sorting: Sorting, nothing: Unset) -> Marking:
    """Return the marking of leaving packets; no rewrite rule applies by default."""
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
