"""Classification of arriving packets by forwarding class, and the code points of leaving ones."""

from auditor.model.port import PfcMode
from auditor.model.qos import Classification, Ipv6Sorting, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.srlinux.bindings import PortBindings
from auditor.systems.srlinux.config import Config, ForwardingClass
from auditor.systems.srlinux.names import parse_dscp
from auditor.systems.srlinux.pausing import Pausing
from auditor.systems.srlinux.tree import Stanza

DSCP_PAGE = (
    "https://documentation.nokia.com/srlinux/25-3/books/qos/dscp-classifier-policy-configuration-input-traffic.html"
)
"""A DSCP that the bound policy does not have goes to forwarding class 0."""
DOT1P_PAGE = "https://documentation.nokia.com/srlinux/24-3/books/qos/dot1p-classification-mark.html"
"""Priorities of tags sort packets other than IP alone."""
DEFAULT_PAGE = "https://infocenter.nokia.com/public/SRLINUX200R6A/topic/com.srlinux.configbasics/html/configb-qos.html"
"""The default policy: DSCP 8N to 8N+7 go to forwarding class N."""
QUEUE_PAGE = "https://documentation.nokia.com/srlinux/24-10/books/qos/named-queues-forward-classes.html"
"""Forwarding class N goes to queue N where no statement says otherwise."""
REWRITE_PAGE = (
    "https://documentation.nokia.com/srlinux/24-3/books/qos/dscp-rewrite-rule-policy-configuration-output-traffic.html"
)
"""A class that the bound policy does not have leaves with DSCP 0."""
_CODE_POINTS, _OF_A_CLASS = 64, 8
_CLASSIFIERS = ("input", "classifiers")
_REWRITES = ("output", "rewrite-rules")


def read_classification(config: Config, bound: PortBindings, pausing: Pausing, nothing: Unset) -> Classification:
    """Return how a port sorts packets: IP by DSCP, whatever its tag says."""
    both = bound.find_in_units(_CLASSIFIERS, "dscp-policy")
    ipv4, ipv6 = (bound.find_in_units(_CLASSIFIERS, f"{each}-dscp-policy") for each in ("ipv4", "ipv6"))
    of_ipv4 = _table(config, both if isinstance(ipv4, Unset) else ipv4, bound, nothing)
    of_ipv6 = _table(config, both if isinstance(ipv6, Unset) else ipv6, bound, nothing)
    return Classification(
        trust=Known(Trust.DSCP, Origin.DEFAULT, nothing.where, DOT1P_PAGE),
        classes=Known(
            tuple(_read_class(each, pausing, nothing) for each in config.classes), Origin.INTENDED, nothing.where
        ),
        dscp_to_class=of_ipv4,
        pcp_to_class=Known({}, Origin.DEFAULT, nothing.where, DOT1P_PAGE),
        default_class=_default_class(config, bound, nothing),
        classifiers=Known((), Origin.INTENDED, nothing.where),
        ipv6=None if of_ipv6 == of_ipv4 else Ipv6Sorting(of_ipv6),
    )


def _find_default(bound: PortBindings) -> Known[str] | Unset | Unknown:
    own = bound.find_in_units((*_CLASSIFIERS, "default"), "forwarding-class")
    return bound.find_in_units(_CLASSIFIERS, "default-forwarding-class") if isinstance(own, Unset) else own


def _default_class(config: Config, bound: PortBindings, nothing: Unset) -> Setting[str]:
    own = _find_default(bound)
    if not isinstance(own, Unset):
        return own
    first = config.class_by_index(0)
    return Known(first.name, Origin.DEFAULT, nothing.where, DSCP_PAGE) if first else Unknown("no class has index 0")


def _table(config: Config, policy: Setting[str], bound: PortBindings, nothing: Unset) -> Setting[ValueMap]:
    """Return the class of each DSCP by the policy that is bound, else by the default policy."""
    if isinstance(policy, Unknown):
        return policy
    if isinstance(policy, Known) and policy.value != "default":
        found = config.find("classifiers", "dscp-policy", policy.value)
        if found is None:
            return Unknown(f"dscp-policy {policy.value} is not in the dump")
        return Known(_read_policy(found), Origin.INTENDED, policy.where)
    if isinstance(policy, Unset) and not isinstance(_find_default(bound), Unset):
        return Unknown("whether the default policy or the default class decides is on no page that could be read")
    numbers = {dscp: config.class_by_index(dscp // _OF_A_CLASS) for dscp in range(_CODE_POINTS)}
    where = policy.where or nothing.where
    table = {dscp: Known(each.name, Origin.DEFAULT, where, DEFAULT_PAGE) for dscp, each in numbers.items() if each}
    return Known(table, Origin.DEFAULT, where, DEFAULT_PAGE)


def _read_policy(policy: Stanza) -> ValueMap:
    found: dict[int, Known[str]] = {}
    for entry in policy.entries("dscp"):
        dscp, name = parse_dscp(entry.node.word), entry.word("forwarding-class")
        if dscp is not None and isinstance(name, Known):
            found[dscp] = name
    return found


def _read_class(found: ForwardingClass, pausing: Pausing, nothing: Unset) -> TrafficClass:
    where = found.stanza.where if found.stanza else nothing.where
    index = found.index
    number: Setting[int] = Unknown(f"no line gives forwarding class {found.name} an index")
    if index is not None:
        number = Known(index, Origin.INTENDED if found.stanza else Origin.DEFAULT, where, QUEUE_PAGE)
    queue = found.queue if isinstance(found.queue, Known) else number
    priority = pausing.find_priority(found, value_of(queue))
    return TrafficClass(
        id=found.name,
        name=found.name,
        internal=number,
        pfc_priority=priority,
        queue=queue,
        pg=priority,
        lossless=_is_lossless(pausing, priority, nothing),
    )


def _is_lossless(pausing: Pausing, priority: Setting[int], nothing: Unset) -> Setting[bool]:
    """Return whether a class is no-drop; one that is so at other ports is so in the switch, where PFC is off here."""
    mode = pausing.mode
    if value_of(mode) is not PfcMode.ON:
        return (
            Known(value=True, origin=priority.origin, where=priority.where)
            if isinstance(priority, Known)
            else _off(mode)
        )
    paused = pausing.priorities
    if not isinstance(paused, Known):
        return paused
    if isinstance(priority, Unknown):
        return priority
    is_paused = isinstance(priority, Known) and priority.value in paused.value
    return Known(is_paused, paused.origin, paused.where or nothing.where)


def _off(mode: Setting[PfcMode]) -> Setting[bool]:
    return Known(value=False, origin=mode.origin, where=mode.where) if isinstance(mode, Known) else mode


def read_marking(config: Config, bound: PortBindings, nothing: Unset) -> Marking:
    """Return the code points that leaving packets get: none without a policy, 0 for a class that it does not have."""
    both = bound.find_in_units(_REWRITES, "dscp-policy")
    policy = bound.find_in_units(_REWRITES, "ipv4-dscp-policy") if isinstance(both, Unset) else both
    if isinstance(policy, Unknown):
        return Marking(policy, nothing, policy)
    if isinstance(policy, Unset):
        return Marking(nothing, nothing, policy if policy.where else nothing)
    found = config.find("rewrite-rules", "dscp-policy", policy.value)
    if found is None:
        return Marking(Unknown(f"dscp-policy {policy.value} is not in the dump"), nothing, Known(True, policy.origin))
    table: dict[str, Known[int]] = {
        each.name: Known(0, Origin.DEFAULT, policy.where, REWRITE_PAGE) for each in config.classes
    }
    table |= {entry.node.word: said for entry in found.entries("map") if (said := _read_dscp(entry))}
    return Marking(
        class_to_dscp=Known(table, policy.origin, policy.where),
        class_to_pcp=nothing,
        rewrite=Known(value=True, origin=policy.origin, where=policy.where),
    )


def _read_dscp(entry: Stanza) -> Known[int] | None:
    """Return the code point of a class: that of its packets of low drop probability, which is the default."""
    for path in (("drop-probability", "low", "dscp"), ("dscp",)):
        word = entry.word(*path)
        number = parse_dscp(word.value) if isinstance(word, Known) else None
        if number is not None and isinstance(word, Known):
            return Known(number, word.origin, word.where)
    return None
