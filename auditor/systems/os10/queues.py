"""Egress queues by the queuing policy and the wred profiles that it names, and the buffers of no-drop classes."""

from collections.abc import Mapping
from dataclasses import replace

from auditor.grammar.layers import fall_back, is_silent
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.qos import Queue, Scheduler, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.policies import Action, WredProfile
from auditor.systems.os10.resolve import (
    NoDrop,
    QueueMap,
    explain_missing,
    find_binding,
    find_queue_map,
    find_single,
    list_numbers,
)
from auditor.systems.os10.statements import QUEUING, WRED, Statements

_HEADROOM = Unknown("from where OS10 counts a pause threshold is not documented")
RDMA_COLOR = "green"
"""The colour of packets that no policer has coloured."""


def build_queues(config: Config, body: Statements, silent: Unset) -> Setting[tuple[Queue, ...]]:
    """Return the queues that the queuing policy in effect names, and those that a written map of classes fills."""
    name = find_binding(config, body, QUEUING, silent)
    actions = _actions(config, name)
    if isinstance(actions, Unknown):
        return actions
    mapped = find_queue_map(config, body, silent)
    written = mapped.value if isinstance(mapped, Known) and mapped.origin is not Origin.DEFAULT else {}
    numbers = sorted({*actions, *(queue.value for queue in written.values())})
    found = tuple(_queue(config, number, actions.get(number), mapped, name) for number in numbers)
    if isinstance(name, Known):
        return Known(found, name.origin, name.where)
    return Known(found, Origin.INTENDED, mapped.where) if found and isinstance(mapped, Known) else name


def _actions(config: Config, name: Setting[str]) -> Mapping[int, Action] | Unknown:
    """Return what the policy does with each queue; Unknown where it or one of its class maps is missing."""
    if not isinstance(name, Known):
        return name if isinstance(name, Unknown) else {}
    policy = config.policy_maps.get(("queuing", name.value))
    if policy is None:
        return explain_missing(QUEUING, name.value)
    found: dict[int, Action] = {}
    for action in policy.classes:
        class_map = config.class_maps.get(("queuing", action.class_name))
        if class_map is None:
            return explain_missing("class-map type queuing", action.class_name)
        for number in list_numbers(class_map, "queue"):
            found.setdefault(number, action)
    return found


def _queue(config: Config, number: int, action: Action | None, mapped: QueueMap, policy: Setting[str]) -> Queue:
    silent = Unset(action.where if action else policy.where if isinstance(policy, Known | Unset) else None)
    fed: Setting[tuple[int, ...]] = silent
    if isinstance(mapped, Known):
        groups = tuple(sorted(group for group, queue in mapped.value.items() if queue.value == number))
        where = next((mapped.value[group].where for group in groups), None)
        fed = Known(groups, mapped.origin, where or mapped.where, mapped.reference)
    elif isinstance(mapped, Unknown):
        fed = mapped
    if action is None:
        return Queue(number, fed, ecn=silent, wred_drop=silent)
    plain = Queue(
        queue=number,
        priorities=fed,
        ecn=silent,
        wred_drop=silent,
        scheduler=fall_back(_scheduler(action), silent),
        bandwidth_percent=fall_back(action.bandwidth, silent),
        shape_gbps=fall_back(action.shape_gbps, silent),
    )
    return _with_wred(config, plain, action)


def _scheduler(action: Action) -> Setting[Scheduler]:
    """Return how a queue is served: `priority` makes it a strict one, else a share of the bandwidth a weighted one."""
    share = action.bandwidth
    if isinstance(action.scheduler, Unset) and isinstance(share, Known):
        return Known(Scheduler.DWRR, Origin.INTENDED, share.where)
    return share if is_silent(action.scheduler) and isinstance(share, Unknown) else action.scheduler


def _with_wred(config: Config, queue: Queue, action: Action) -> Queue:
    """Return the queue with what its wred profile does: mark where ECN is on in the profile, else drop."""
    profile = _profile(config, action)
    if isinstance(profile, Unset):
        return queue
    if isinstance(profile, Unknown):
        return replace(queue, ecn=profile, wred_drop=profile)
    if value_of(profile.ecn) is not True:
        unmarked = fall_back(profile.ecn, Known(value=False, origin=Origin.INTENDED, where=profile.where))
        return replace(queue, ecn=unmarked, wred_drop=_drops(profile))
    return _with_thresholds(replace(queue, ecn=profile.ecn), profile)


def _profile(config: Config, action: Action) -> WredProfile | Unset | Unknown:
    """Return the wred profile of a queue, Unset where it names none."""
    name = action.wred
    return config.wreds.get(name.value, explain_missing(WRED, name.value)) if isinstance(name, Known) else name


def _with_thresholds(queue: Queue, profile: WredProfile) -> Queue:
    """Return the queue with the thresholds of a profile that marks."""
    marked = replace(queue, wred_drop=Known((), Origin.INTENDED, profile.ecn.known().where))
    curve = profile.curves.get(RDMA_COLOR)
    if curve is None:
        return marked
    if not isinstance(curve, Known):
        return replace(marked, ecn_min=curve, ecn_max=curve, ecn_max_probability=curve)
    colors = tuple(color for color, each in profile.curves.items() if isinstance(each, Known))
    return replace(
        marked,
        ecn_min=Known(curve.value.low, Origin.INTENDED, curve.where),
        ecn_max=Known(curve.value.high, Origin.INTENDED, curve.where),
        ecn_max_probability=Known(curve.value.probability, Origin.INTENDED, curve.where),
        ecn_colors=Known(colors, Origin.INTENDED, profile.where),
    )


def _drops(profile: WredProfile) -> Setting[tuple[WredDrop, ...]]:
    unread = next((curve for curve in profile.curves.values() if isinstance(curve, Unknown)), None)
    if unread:
        return unread
    known = {color: curve for color, curve in profile.curves.items() if isinstance(curve, Known)}
    curves = tuple(
        WredDrop(color, each.value.low.bytes, each.value.high.bytes, each.value.probability)
        for color, each in known.items()
    )
    return Known(curves, Origin.INTENDED, next((each.where for each in known.values()), profile.where))


def build_priority_groups(nodrop: NoDrop, silent: Unset) -> Setting[tuple[PriorityGroup, ...]]:
    """Return one ingress buffer for each no-drop class, known here by the number of its traffic class.

    OS10 sizes it by itself unless the class does.
    """
    if isinstance(nodrop.others, Unknown):
        return nodrop.others
    groups = tuple(
        _group(number, action)
        for number, action in sorted(nodrop.classes.items())
        if isinstance(action.pause, Known) and action.pause.value
    )
    return Known(groups, Origin.INTENDED, groups[0].lossless.known().where if groups else silent.where)


def _group(number: int, action: Action) -> PriorityGroup:
    silent = Unset(action.where)
    size = action.buffer_size
    sized = not isinstance(size, Unset)
    cos = find_single(action)
    source = HeadroomSource.CONFIGURED if sized else HeadroomSource.GENERATED
    found = Known(source, Origin.INTENDED, action.pause.known().where)
    return PriorityGroup(
        pg=number,
        priorities=Known((cos.value,), cos.origin, cos.where) if isinstance(cos, Known) else cos,
        lossless=action.pause,
        size_bytes=size if sized else silent,
        xon_bytes=action.resume_threshold if sized else silent,
        xoff_bytes=_HEADROOM if sized else silent,
        headroom_source=size if isinstance(size, Unknown) else found,
        static_threshold_bytes=action.pause_threshold if sized else silent,
    )
