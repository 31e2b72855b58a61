"""Bindings in effect turned into classes, maps, queues and priority groups, with every reference followed."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING, fall_back, prefer_own
from auditor.grammar.marking import find_marking
from auditor.model.qos import Classification, Marking, TrafficClass, Trust, ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.os10 import maps
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.maps import CLASSES, CodePoints
from auditor.systems.os10.policies import Action
from auditor.systems.os10.statements import DEFAULT_MAP, NETWORK_QOS, QOS, TC_MAP, TRUST_DOT1P, TRUST_DSCP, Statements
from auditor.systems.os10.steps import classify_by, find_unread_marking
from auditor.util.values import dataclass

QueueMap: TypeAlias = Setting[Mapping[int, Known[int]]]
"""Traffic class to queue, each entry with the line that proves it."""
PARTIAL = Unknown("the dump holds a part of the running configuration only")


def find_binding(config: Config, body: Statements, slot: str, silent: Unset) -> Setting[str]:
    """Return the name bound in a slot: the interface's own, else that of `system qos`; *silent* where there is none."""
    name = prefer_own(config.system.bindings.get(slot, NOTHING), body.bindings.get(slot, NOTHING))
    return fall_back(name, silent if config.complete or config.has_system else PARTIAL)


def explain_missing(slot: str, name: str) -> Unknown:
    """Return why what hangs on a name is not known: nothing defines it."""
    return Unknown(f"{slot} {name} is not in the dump")


@dataclass(frozen=True, slots=True)
class NoDrop:
    """What the network-qos policy in effect makes of each class; `others` is what a class that it does not name is."""

    priorities: Setting[tuple[int, ...]]
    classes: Mapping[int, Action]
    others: Setting[bool]


def find_no_drop(config: Config, body: Statements, silent: Unset) -> NoDrop:
    """Return the no-drop classes of a port."""
    name = find_binding(config, body, NETWORK_QOS, silent)
    if not isinstance(name, Known):
        return NoDrop(name, {}, name)
    policy = config.policy_maps.get(("network-qos", name.value))
    if policy is None:
        undefined = explain_missing(NETWORK_QOS, name.value)
        return NoDrop(undefined, {}, undefined)
    classes: dict[int, Action] = {}
    paused: dict[int, None] = {}
    unclear: Unknown | None = None
    first: Where | None = None
    for action in policy.classes:
        class_map = config.class_maps.get(("network-qos", action.class_name))
        for group in list_numbers(class_map, "qos-group"):
            classes[group] = action
        if isinstance(action.pause, Unset) or value_of(action.pause) is False:
            continue
        if isinstance(action.pause, Unknown):
            unclear = action.pause
        elif class_map is None:
            unclear = explain_missing("class-map type network-qos", action.class_name)
        elif isinstance(action.pfc_cos, Known):
            paused.update(dict.fromkeys(action.pfc_cos.value))
            first = first or action.pfc_cos.where
        elif isinstance(action.pfc_cos, Unknown):
            unclear = action.pfc_cos
        else:
            unclear = Unknown(f"class {action.class_name} pauses, but no pfc-cos says which priority")
    known = Known(tuple(sorted(paused)), Origin.INTENDED, first or name.where)
    others = unclear or Known(value=False, origin=Origin.INTENDED, where=policy.where)
    return NoDrop(unclear or known, classes, others)


def list_numbers(class_map: ClassMap | None, kind: str) -> tuple[int, ...]:
    """Return the numbers of one *kind*, `qos-group` or `queue`, that a class map matches."""
    terms = class_map.terms if class_map else ()
    return tuple(value for term in terms if term.kind == kind for value in term.values)


def find_queue_map(config: Config, body: Statements, silent: Unset) -> QueueMap:
    """Return the queue of each class: by the map that is bound, else the queue of its own number."""
    name = find_binding(config, body, TC_MAP, silent)
    if isinstance(name, Unknown):
        return name
    if isinstance(name, Unset) or name.value == DEFAULT_MAP:
        return Known(maps.build_default_queues(), Origin.DEFAULT, name.where, maps.DEFAULT_QUEUE_PAGE)
    found = config.queue_maps.get(name.value)
    entries = maps.filter_entries(found.entries) if found else explain_missing(TC_MAP, name.value)
    return entries if isinstance(entries, Unknown) else Known(entries, name.origin, name.where)


def build_classification(config: Config, body: Statements, nodrop: NoDrop, silent: Unset) -> Classification:
    """Return how a port sorts packets: by what it trusts, by a policy of type qos, or not at all."""
    classes = _classes(nodrop, find_queue_map(config, body, silent), silent)
    policy, dot1p, dscp = (find_binding(config, body, slot, silent) for slot in (QOS, TRUST_DOT1P, TRUST_DSCP))
    trusted = {trust: name for trust, name in ((Trust.PCP, dot1p), (Trust.DSCP, dscp)) if isinstance(name, Known)}
    unread = (each for each in (policy, dot1p, dscp) if isinstance(each, Unknown))
    unknown = next((each for each in unread if each is not PARTIAL or not (trusted or isinstance(policy, Known))), None)
    if isinstance(policy, Known) and trusted:
        unknown = Unknown(f"policy {policy.value} and a trust map classify; which comes first is not documented")
    elif isinstance(policy, Known) and unknown is None:
        return classify_by(config, policy, classes)
    if unknown:
        return Classification(unknown, classes, unknown, unknown, unknown, unknown)
    proof: Known[str] | Unset = next(iter(trusted.values()), silent)
    return Classification(
        trust=_trust(config, trusted, silent),
        classes=classes,
        dscp_to_class=_table(TRUST_DSCP, dscp, config.dscp_maps, maps.build_default_dscp),
        pcp_to_class=_table(TRUST_DOT1P, dot1p, config.dot1p_maps, maps.build_default_dot1p),
        default_class=Unset(proof.where),
        classifiers=Unset(proof.where),
    )


_MIXED = Unknown("whether a trust map of the port puts `system qos`'s of another kind out of force is not documented")


def _trust(config: Config, trusted: Mapping[Trust, Known[str]], silent: Unset) -> Setting[Trust]:
    """Return what a port trusts; Unknown where its own map is of one kind and that of `system qos` of the other."""
    if not trusted:
        return silent
    first = next(iter(trusted.values()))
    if len(trusted) == 1:
        return Known(next(iter(trusted)), first.origin, first.where)
    of_system = {any(name is own for own in config.system.bindings.values()) for name in trusted.values()}
    return _MIXED if len(of_system) > 1 else Known(Trust.BOTH, first.origin, first.where)


def _table(
    slot: str, name: Setting[str], known: Mapping[str, CodePoints], default: Callable[[], ValueMap]
) -> Setting[ValueMap]:
    """Return the map that is bound; silence is for the defaults: what is not trusted is not read."""
    if not isinstance(name, Known):
        return name
    if name.value == DEFAULT_MAP:
        return Known(default(), name.origin, name.where)
    found = known.get(name.value)
    entries = maps.filter_entries(found.entries) if found else explain_missing(slot, name.value)
    return entries if isinstance(entries, Unknown) else Known(entries, name.origin, name.where)


def build_marking(config: Config, body: Statements, silent: Unset) -> Marking:
    """Return what the policy of type qos in effect writes into the packets that it classifies."""
    name = find_binding(config, body, QOS, silent)
    policy = config.policy_maps.get(("qos", name.value)) if isinstance(name, Known) else None
    if policy is None:
        return Marking()
    unread = find_unread_marking(policy)
    return Marking(unread, unread, unread) if unread else find_marking(policy.classes, policy.where)


def _classes(nodrop: NoDrop, queues: QueueMap, silent: Unset) -> Setting[tuple[TrafficClass, ...]]:
    """Return all traffic classes: there are eight, whether or not anything names them."""
    found = tuple(_class(number, nodrop, queues) for number in CLASSES)
    return Known(found, Origin.DEFAULT, silent.where, maps.DEFAULT_QUEUE_PAGE)


_UNMAPPED = Unknown("the qos-map in force does not name the class, and where such a class goes is not documented")


def _class(number: int, nodrop: NoDrop, queues: QueueMap) -> TrafficClass:
    action = nodrop.classes.get(number)
    lossless: Setting[bool] = nodrop.others
    priority: Setting[int] = Unset(nodrop.others.where if isinstance(nodrop.others, Known) else None)
    if action:
        off = Known(value=False, origin=Origin.INTENDED, where=action.where)
        lossless = off if isinstance(action.pause, Unset) else action.pause
        priority = Unset(action.where) if value_of(lossless) is False else find_single(action)
    queue = queues.value.get(number, _UNMAPPED) if isinstance(queues, Known) else queues
    return TrafficClass(
        id=str(number),
        name=action.class_name if action else f"traffic class {number}",
        internal=Known(number, Origin.DEFAULT, action.where if action else None, maps.DEFAULT_QUEUE_PAGE),
        pfc_priority=priority,
        queue=queue,
        lossless=lossless,
    )


def find_single(action: Action) -> Setting[int]:
    """Return the one priority that a class pauses; silent where it pauses none."""
    cos = action.pfc_cos
    if not isinstance(cos, Known):
        return fall_back(cos, Unset(action.where))
    if len(cos.value) == 1:
        return Known(cos.value[0], cos.origin, cos.where)
    return Unknown("the class pauses several priorities") if cos.value else Unset(action.where)
