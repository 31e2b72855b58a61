"""Policies in effect turned into classes, maps, queues and priority groups, with every reference followed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from auditor.grammar.classactions import find_scheduler
from auditor.grammar.classmaps import REST
from auditor.grammar.marking import find_marking
from auditor.grammar.policing import list_policers
from auditor.grammar.policysorting import find_undefined_class, sort_packets
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.qos import (
    Classification,
    Marking,
    Policer,
    Queue,
    Threshold,
    TrafficClass,
    WredDrop,
)
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.iosxr.actions import Action
from auditor.systems.iosxr.buffers import PauseBuffer, PauseProfile
from auditor.systems.iosxr.configuration import Config
from auditor.systems.iosxr.policies import QOS, PolicyMap
from auditor.systems.iosxr.statements import PFC_PAGE, QOS_PAGE
from auditor.util.values import dataclass

_FEW_QUEUES = 4
VOQ = "voq"
"""Where the queues stand: a port's packets wait at the port of arrival, in virtual output queues."""


@dataclass(frozen=True, slots=True)
class Pausing:
    """The traffic classes that a location never drops, by the profile of PFC; `silent` holds for all others."""

    buffers: Mapping[int, Known[PauseBuffer]]
    silent: Setting[bool]
    priorities: Setting[tuple[int, ...]]

    def is_lossless(self, number: int) -> Setting[bool]:
        """Return whether a traffic class is lossless."""
        found = self.buffers.get(number)
        return Known(value=True, origin=Origin.INTENDED, where=found.where) if found else self.silent


def find_pausing(profile: PauseProfile | None, silent: Unset | Unknown) -> Pausing:
    """Return what a profile pauses, by *silent* where the location has none."""
    if profile is None:
        return Pausing({}, silent, silent)
    unread = next((each for each in profile.buffers.values() if isinstance(each, Unknown)), None)
    if unread:
        return Pausing(profile.known, unread, unread)
    where = next((each.where for each in profile.known.values()), profile.where)
    no = Known(value=False, origin=Origin.INTENDED, where=where)
    return Pausing(profile.known, no, Known(tuple(profile.known), Origin.INTENDED, where))


_BY_POLICY = Unknown("the sizes of `pause` in a policy are not modelled")
_OF_POLICY = PauseBuffer(is_external=False, pause=_BY_POLICY, headroom=_BY_POLICY)


def add_paused(config: Config, pausing: Pausing, policies: Iterable[PolicyMap]) -> Pausing:
    """Return *pausing* with the traffic classes that classes of *policies* pause, by `set` or `match traffic-class`."""
    buffers = dict(pausing.buffers)
    for numbers, action in chain.from_iterable(list_served(config, policy) for policy in policies):
        if isinstance(action.pause, Known):
            own = (action.qos_group.value,) if isinstance(action.qos_group, Known) else numbers
            buffer = Known(_OF_POLICY, Origin.INTENDED, action.pause.where)
            buffers = {**dict.fromkeys(own, buffer), **buffers}
    if buffers.keys() == pausing.buffers.keys():
        return pausing
    where = next(each.where for number, each in buffers.items() if number not in pausing.buffers)
    no = Known(value=False, origin=Origin.INTENDED, where=where)
    silent = pausing.silent if isinstance(pausing.silent, Unknown) else no
    priorities = Known(tuple(sorted(buffers)), Origin.INTENDED, where)
    return Pausing(dict(sorted(buffers.items())), silent, priorities)


def build_classification(config: Config, pausing: Pausing, attached: Setting[str], silent: Unset) -> Classification:
    """Return the classification by the policy on arrival *attached*, by *silent* without a policy."""
    if not isinstance(attached, Known):
        unsaid = silent if isinstance(attached, Unset) else attached
        return Classification(unsaid, _list_traffic_classes(config, pausing, {}, silent.where), *[unsaid] * 4)
    policy = config.policy_maps.get((QOS, attached.value))
    pairs = [each for each in config.pair_classes(policy) if each[0].class_name != REST] if policy else []
    undefined = find_undefined_class(pairs)
    if policy is None or undefined:
        what = f"class-map {undefined}" if undefined else f"policy-map {attached.value}"
        return Classification(*[Unknown(f"{what} is not in the dump")] * 6)
    default = next((_find_class(each) for each in policy.classes if each.class_name == REST), None)
    found = sort_packets(pairs, _find_class, default, config.acls)
    classes = _list_traffic_classes(config, pausing, found.names, attached.where)
    return found.classify(classes, attached.where, Unset(policy.where))


def _find_class(action: Action) -> Known[str]:
    """Return the traffic class into which a class sorts its packets, 0 where it does not say."""
    if isinstance(action.qos_group, Known):
        return Known(str(action.qos_group.value), Origin.INTENDED, action.qos_group.where)
    return Known("0", Origin.DEFAULT, action.where, QOS_PAGE)


_SHARED_QUEUES = Unknown("`hw-module profile qos voq-mode 4` gives a port four queues, which traffic classes share")


def _list_traffic_classes(
    config: Config, pausing: Pausing, names: Mapping[int, str], where: Where | None
) -> Setting[tuple[TrafficClass, ...]]:
    """Return traffic class 0 and those that a policy or the profile of PFC names, in their order."""
    numbers = sorted({0, *names, *pausing.buffers})
    classes = tuple(_build_class(number, names.get(number, ""), pausing, where) for number in numbers)
    if isinstance(config.queue_mode, Unknown) or value_of(config.queue_mode) == _FEW_QUEUES:
        classes = tuple(replace(each, queue=_SHARED_QUEUES) for each in classes)
    return Known(classes, Origin.INTENDED if names else Origin.DEFAULT, where, "" if names else PFC_PAGE)


def _build_class(number: int, name: str, pausing: Pausing, where: Where | None) -> TrafficClass:
    own: Known[int] = Known(number, Origin.DEFAULT, where, PFC_PAGE)
    return TrafficClass(
        id=str(number),
        name=name or f"traffic-class {number}",
        internal=own,
        pfc_priority=own,
        queue=own,
        pg=own,
        lossless=pausing.is_lossless(number),
    )


def build_policers(config: Config, attached: Setting[str]) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the classes of the policy on arrival *attached* police."""
    policy = config.policy_maps.get((QOS, attached.value)) if isinstance(attached, Known) else None
    if not isinstance(attached, Known) or policy is None:
        return Unknown(f"policy-map {attached.value} is not in the dump") if isinstance(attached, Known) else attached
    return list_policers(config.pair_classes(policy), config.acls, attached.where)


def build_marking(config: Config, attached: Setting[str], outputs: Iterable[PolicyMap]) -> Marking:
    """Return the marking by the policy on arrival *attached*; policies on departure may mark by qos-group."""
    writers = [policy.name for policy in outputs if any(isinstance(each.dscp, Known) for each in policy.classes)]
    if writers:
        why = Unknown(f"policy-map {writers[0]} marks what departs, which is not modelled")
        return Marking(why, why, why)
    policy = config.policy_maps.get((QOS, attached.value)) if isinstance(attached, Known) else None
    return find_marking(policy.classes, policy.where) if policy else Marking()


def list_served(config: Config, policy: PolicyMap) -> Iterator[tuple[tuple[int, ...], Action]]:
    """Yield the traffic classes of each queue of a policy with its actions; class-default serves traffic class 0."""
    for action, class_map in config.pair_classes(policy):
        terms = class_map.terms if class_map else []
        numbers = tuple(value for term in terms if term.kind == "traffic-class" for value in term.values)
        yield (0,) if action.class_name == REST else numbers, action


def find_child(config: Config, policy: PolicyMap) -> tuple[PolicyMap | None, Action | None]:
    """Return the policy that serves the queues, and the class of a policy above it that holds the port's rate.

    The policy is None where the dump does not hold it.
    """
    parent = next((each for each in policy.classes if isinstance(each.child, Known)), None)
    if parent is None or not isinstance(parent.child, Known):
        return policy, None
    return config.policy_maps.get((QOS, parent.child.value)), parent


def build_queues(
    config: Config, attached: Setting[str], pausing: Pausing, silent: Unset
) -> tuple[Setting[tuple[Queue, ...]], Setting[float]]:
    """Return the queues of the policy on departure *attached*, and the rate of the whole port."""
    if not isinstance(attached, Known):
        own = _list_marked(pausing) if isinstance(attached, Unset) else ()
        return (
            Known(own, Origin.INTENDED, own[0].ecn.where) if own and isinstance(own[0].ecn, Known) else attached
        ), silent
    named = config.policy_maps.get((QOS, attached.value))
    policy, parent = find_child(config, named) if named else (None, None)
    if policy is None:
        name = parent.child.value if parent and isinstance(parent.child, Known) else attached.value
        return Unknown(f"policy-map {name} is not in the dump"), silent
    found: dict[int, Queue] = {}
    for numbers, action in list_served(config, policy):
        for number in numbers:
            found.setdefault(number, _build_queue(number, action, pausing.buffers.get(number)))
    for queue in _list_marked(pausing):
        found.setdefault(queue.queue, queue)
    queues = Known(tuple(found[number] for number in sorted(found)), Origin.INTENDED, attached.where)
    return queues, parent.shape_gbps if parent and isinstance(parent.shape_gbps, Known) else silent


def _list_marked(pausing: Pausing) -> tuple[Queue, ...]:
    """Return the queues that no policy serves, and that mark by the profile of PFC."""
    marked = ((number, each) for number, each in pausing.buffers.items() if each.value.ecn_min)
    return tuple(_build_queue(number, Action("", each.where or Where("", 0)), each) for number, each in marked)


def _build_queue(number: int, action: Action, buffer: Known[PauseBuffer] | None) -> Queue:
    """Return a queue; where its policy has no thresholds, those count that the profile of PFC writes for it."""
    silent = Unset(action.where)
    marks, low, high, share = action.ecn, action.low, action.high, action.probability
    if buffer and buffer.value.ecn_min and isinstance(low, Unset):
        marks = marks if isinstance(marks, Known) else Known(value=True, origin=Origin.INTENDED, where=buffer.where)
        low, high = _at(buffer, buffer.value.ecn_min), _at(buffer, buffer.value.ecn_max)
        told = buffer.value.probability
        share = Known(told, Origin.INTENDED, buffer.where) if told is not None else Unset(buffer.where)
    is_marking = isinstance(marks, Known) and marks.value
    return Queue(
        queue=number,
        priorities=Known((number,), Origin.INTENDED, action.where),
        location=VOQ,
        ecn=marks,
        ecn_min=low if is_marking else silent,
        ecn_max=high if is_marking else silent,
        ecn_max_probability=share if is_marking else silent,
        wred_drop=_list_drops(action, marks),
        scheduler=find_scheduler(action),
        bandwidth_percent=action.bandwidth,
        bandwidth_basis=action.basis,
        weight=action.weight,
        level=action.level,
        static_threshold_bytes=action.queue_limit,
        shape_gbps=action.shape_gbps,
        shape_percent=action.shape_percent,
    )


def _at(buffer: Known[PauseBuffer], found: Threshold | None) -> Setting[Threshold]:
    return Known(found, Origin.INTENDED, buffer.where) if found else Unset(buffer.where)


def _list_drops(action: Action, marks: Setting[bool]) -> Setting[tuple[WredDrop, ...]]:
    """Return the curve by which a queue drops: the thresholds of one that does not mark."""
    if isinstance(marks, Known) and marks.value:
        return Known((), Origin.INTENDED, marks.where)
    if not isinstance(action.low, Known):
        return action.low if isinstance(action.low, Unknown) else Unset(action.where)
    high = action.high.value.bytes if isinstance(action.high, Known) else None
    share = action.probability.value if isinstance(action.probability, Known) else None
    return Known((WredDrop("any", action.low.value.bytes, high, share),), Origin.INTENDED, action.low.where)


def build_priority_groups(pausing: Pausing) -> Setting[tuple[PriorityGroup, ...]]:
    """Return the buffers on arrival: one for each traffic class of the profile of PFC."""
    if not isinstance(pausing.priorities, Known):
        return pausing.priorities
    groups = tuple(_build_group(number, each) for number, each in pausing.buffers.items())
    return Known(groups, Origin.INTENDED, pausing.priorities.where)


def _build_group(number: int, buffer: Known[PauseBuffer]) -> PriorityGroup:
    where = buffer.where
    return PriorityGroup(
        pg=number,
        priorities=Known((number,), Origin.DEFAULT, where, PFC_PAGE),
        lossless=Known(value=True, origin=Origin.INTENDED, where=where),
        size_bytes=NOT_COLLECTED,
        xon_bytes=NOT_COLLECTED,
        xoff_bytes=_count_bytes(buffer, buffer.value.headroom),
        headroom_source=_find_source(buffer),
        static_threshold_bytes=_count_bytes(buffer, buffer.value.pause),
    )


_OWN_SIZES = Unknown("the switch chooses the size, which `show controllers npu priority-flow-control` prints")


def _find_source(buffer: Known[PauseBuffer]) -> Setting[HeadroomSource]:
    """Return who sizes the headroom: the switch itself, where no line gives a size."""
    if not buffer.value.has_sizes:
        return Known(HeadroomSource.GENERATED, Origin.INTENDED, buffer.where)
    is_written = buffer.value.headroom is not None
    return Known(HeadroomSource.CONFIGURED, Origin.INTENDED, buffer.where) if is_written else Unset(buffer.where)


def _count_bytes(buffer: Known[PauseBuffer], found: Threshold | Unknown | None) -> Setting[int]:
    if isinstance(found, Unknown):
        return found
    if found is None:
        return Unset(buffer.where) if buffer.value.has_sizes else _OWN_SIZES
    if found.bytes is None:
        return Unknown("the size is written as a time or a share, which the port's speed turns into bytes")
    return Known(int(found.bytes), Origin.INTENDED, buffer.where)
