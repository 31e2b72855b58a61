"""Policies in effect turned into classes, maps, queues and priority groups, with every reference followed."""

from collections.abc import Mapping
from typing import TypeAlias

from auditor.grammar.classactions import find_scheduler
from auditor.grammar.classmaps import REST
from auditor.grammar.layers import is_silent
from auditor.grammar.marking import find_marking
from auditor.grammar.policing import list_policers
from auditor.grammar.policysorting import PolicySorting, find_undefined_class, sort_packets
from auditor.model.buffers import HeadroomSource, PriorityGroup
from auditor.model.qos import (
    Classification,
    Marking,
    Policer,
    Queue,
    TrafficClass,
    WredDrop,
)
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.nxos.actions import Action, RandomDetect
from auditor.systems.nxos.configuration import Config
from auditor.systems.nxos.network import PARTIAL, Group, NetworkQos, list_classes, list_groups
from auditor.systems.nxos.policies import DEFAULT_POLICY, PolicyMap

ONE_NUMBER = "the built-in classes c-8q-nqN, c-in-qN and c-out-8q-qN stand for qos-group N"


SortedBy: TypeAlias = dict[str, PolicySorting | Unknown]
"""The sorting of each type qos policy by its name, computed at its first port."""


def build_classification(
    config: Config, network: NetworkQos, attached: Setting[str], silent: Unset, sorted_by: SortedBy
) -> Classification:
    """Return the classification by the type qos input policy *attached*, by *silent* without a policy."""
    if not isinstance(attached, Known):
        return _classify_without_policy(config, network, silent if is_silent(attached) else attached)
    policy = config.policy_maps.get(("qos", attached.value))
    if policy is None:
        missing = Unknown(f"policy-map type qos {attached.value} is not in the dump")
        return Classification(*[missing] * 6)
    if attached.value not in sorted_by:
        undefined = find_undefined_class(list_classes(config, policy))
        missing = Unknown(f"class-map type qos {undefined} is not in the dump")
        sorted_by[attached.value] = missing if undefined else _sort_packets(config, policy)
    found = sorted_by[attached.value]
    if isinstance(found, Unknown):
        return Classification(*[found] * 6)
    return found.classify(_classes(network, found.names, attached.where), attached.where, Unset(attached.where))


def _classify_without_policy(config: Config, network: NetworkQos, silent: Unset | Unknown) -> Classification:
    """Return the classification of a port without a type qos input policy."""
    by_cos = any(k == "queuing" and any(t.kind == "cos" for t in m.terms) for (k, _), m in config.class_maps.items())
    why = None if config.complete else PARTIAL
    if config.complete and config.vlan_policies:
        names = ", ".join(sorted({policy.value for policy in config.vlan_policies}))
        why = Unknown(f"policy {names} classifies the packets of some VLANs")
    elif by_cos:
        why = Unknown("class maps of type queuing choose the queues by CoS, whatever the qos-group")
    if why:
        return Classification(*[why] * 6)
    return Classification(silent, _classes(network, {}, None), silent, silent, silent, silent)


def _sort_packets(config: Config, policy: PolicyMap) -> PolicySorting:
    """Return how *policy* sorts packets; its classes are defined."""
    rests = [each.qos_group for each in policy.classes if each.class_name == REST]
    default = next((Known(str(e.value), Origin.INTENDED, e.where) for e in rests if isinstance(e, Known)), None)
    return sort_packets(list_classes(config, policy), _find_group, default, config.acls)


def _find_group(action: Action) -> Known[str]:
    """Return the qos-group into which a class sorts its packets, 0 where it does not say."""
    group = action.qos_group
    value, where = (group.value, group.where) if isinstance(group, Known) else (0, action.where)
    return Known(str(value), Origin.INTENDED, where)


def _classes(
    network: NetworkQos, names: Mapping[int, str], attached: Where | None
) -> Setting[tuple[TrafficClass, ...]]:
    """Return the qos-groups that a policy or the network-qos policy names, and group 0, in their order."""
    if isinstance(network.priorities, Unknown) and not network.groups and not names:
        return network.priorities
    numbers = sorted({0, *names, *network.groups})
    where = attached or (network.priorities.where if isinstance(network.priorities, Known) else None)
    classes = tuple(_class(n, network, names.get(n), where) for n in numbers)
    return Known(classes, Origin.INTENDED, where) if where else Known(classes, Origin.DEFAULT, reference=ONE_NUMBER)


def _class(number: int, network: NetworkQos, name: str | None, where: Where | None) -> TrafficClass:
    group = network.groups.get(number)
    own: Known[int] = Known(number, Origin.DEFAULT, where, ONE_NUMBER)
    return TrafficClass(
        id=str(number),
        name=name or (REST if number == 0 else group.name if group else f"qos-group {number}"),
        internal=own,
        pfc_priority=group.pfc_priority if group else NOT_COLLECTED,
        queue=own,
        pg=own,
        lossless=group.lossless if group else network.silent,
        mtu_bytes=group.mtu_bytes if group else network.default_mtu_bytes if number == 0 else NOT_COLLECTED,
    )


def build_policers(config: Config, attached: Setting[str]) -> Setting[tuple[Known[Policer], ...]]:
    """Return what the classes of the type qos policy *attached* police."""
    if not isinstance(attached, Known):
        return attached if config.complete or not is_silent(attached) else PARTIAL
    policy = config.policy_maps.get(("qos", attached.value))
    if policy is None:
        return Unknown(f"policy-map type qos {attached.value} is not in the dump")
    rests = ((each, None) for each in policy.classes if each.class_name == REST)
    return list_policers((*list_classes(config, policy), *rests), config.acls, attached.where)


def build_marking(config: Config, attached: Setting[str]) -> Marking:
    """Return the marking by the type qos policy *attached*."""
    policy = config.policy_maps.get(("qos", attached.value)) if isinstance(attached, Known) else None
    return find_marking(policy.classes, policy.where) if policy else Marking()


def build_queues(config: Config, attached: Setting[str]) -> Setting[tuple[Queue, ...]]:
    """Return the egress queues of the type queuing output policy *attached*."""
    if not isinstance(attached, Known):
        return attached if config.complete or not is_silent(attached) else PARTIAL
    policy = config.policy_maps.get(("queuing", attached.value))
    if policy is None and DEFAULT_POLICY.match(attached.value):
        return Unset(attached.where)
    if policy is None:
        return Unknown(f"policy-map type queuing {attached.value} is not in the dump")
    if any(_by_marking(config, action) for action in policy.classes):
        return Unknown(f"the classes of policy-map type queuing {policy.name} are queues of a line card, chosen by CoS")
    found: dict[int, Queue] = {}
    for action in policy.classes:
        numbers = list_groups(action, config.class_maps.get(("queuing", action.class_name)))
        if numbers:
            found.setdefault(numbers[0], _queue(numbers, action))
    return Known(tuple(found[n] for n in sorted(found)), Origin.INTENDED, attached.where)


def _by_marking(config: Config, action: Action) -> bool:
    """Return whether the class map of a queue matches CoS or DSCP, as on a Nexus 7000."""
    class_map = config.class_maps.get(("queuing", action.class_name))
    return class_map is not None and any(t.kind in {"cos", "dscp"} for t in class_map.terms)


def _queue(numbers: tuple[int, ...], action: Action) -> Queue:
    wred = action.wred if isinstance(action.wred, RandomDetect) else None
    marks: Setting[bool] = action.wred.ecn if isinstance(action.wred, RandomDetect) else action.wred
    drops: Setting[tuple[WredDrop, ...]] = wred.ecn if wred and isinstance(wred.ecn, Unknown) else Unset(action.where)
    if wred and isinstance(wred.ecn, Known):
        low, high = (t.value.bytes if isinstance(t, Known) else None for t in (wred.low, wred.high))
        share = wred.probability.value if isinstance(wred.probability, Known) else None
        curve = () if wred.ecn.value else (WredDrop("any", low, high, share),)
        drops = Known(curve, Origin.INTENDED, wred.where)
    ecn = wred if wred and isinstance(wred.ecn, Known) and wred.ecn.value else None
    return Queue(
        queue=numbers[0],
        priorities=Known(numbers, Origin.INTENDED, action.where),
        ecn=marks,
        ecn_min=ecn.low if ecn else Unset(action.where),
        ecn_max=ecn.high if ecn else Unset(action.where),
        ecn_max_probability=ecn.probability if ecn else Unset(action.where),
        wred_drop=drops,
        scheduler=find_scheduler(action),
        bandwidth_percent=action.bandwidth,
        bandwidth_basis=action.basis,
        level=action.level,
        static_threshold_bytes=action.queue_limit,
        alpha=action.queue_alpha,
        shape_gbps=action.shape_gbps,
    )


def build_priority_groups(
    config: Config, network: NetworkQos, attached: Setting[str]
) -> Setting[tuple[PriorityGroup, ...]]:
    """Return the input buffers: one for each no-drop qos-group, sized by the type queuing input policy *attached*."""
    if isinstance(network.silent, Unknown):
        return network.silent
    policy = config.policy_maps.get(("queuing", attached.value)) if isinstance(attached, Known) else None
    if isinstance(attached, Known) and policy is None and not DEFAULT_POLICY.match(attached.value):
        return Unknown(f"policy-map type queuing {attached.value} is not in the dump")
    sized = {
        number: action
        for action in (policy.classes if policy else ())
        for number in list_groups(action, config.class_maps.get(("queuing", action.class_name))) or ()
    }
    groups = (g for _, g in sorted(network.groups.items()) if isinstance(g.lossless, Known) and g.lossless.value)
    where = attached.where if isinstance(attached, Known) else network.silent.where
    return Known(tuple(_priority_group(g, sized.get(g.number)) for g in groups), Origin.INTENDED, where)


def _priority_group(group: Group, sized: Action | None) -> PriorityGroup:
    action = sized if sized and isinstance(sized.buffer_size, Known) else group.action
    size, threshold = action.buffer_size, action.pause_threshold
    written = isinstance(size, Known)
    headroom: Setting[int] = Unset(group.action.where)
    if isinstance(size, Known) and isinstance(threshold, Known):
        headroom = Known(max(size.value - threshold.value, 0), Origin.INTENDED, size.where)
    source = HeadroomSource.CONFIGURED if written else HeadroomSource.GENERATED
    cos = group.pfc_priority
    return PriorityGroup(
        pg=group.number,
        priorities=Known((cos.value,), cos.origin, cos.where) if isinstance(cos, Known) else cos,
        lossless=group.lossless,
        size_bytes=size,
        xon_bytes=action.resume_threshold,
        xoff_bytes=headroom,
        headroom_source=Known(source, Origin.INTENDED, action.where),
        static_threshold_bytes=threshold,
        made_for_cable_m=Known(_OWN_CABLE_M, Origin.DEFAULT, action.where, _OWN_HEADROOM)
        if isinstance(size, Unset)
        else NOT_COLLECTED,
    )


_OWN_CABLE_M = 100.0
_OWN_HEADROOM = (
    "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000/105x/configuration/qos/cisco-nexus-9000-series-nx-os-"
    "quality-of-service-configuration-guide-105x/m-configuring-priority-flow-control.html"
)
"""The longest cable for which a switch sizes headroom by itself; beyond it the size must be written."""
