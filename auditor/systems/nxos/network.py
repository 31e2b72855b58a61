"""The network-qos policy in effect: which qos-groups drop nothing, the priorities of their pauses, and the MTU."""

from collections.abc import Iterator, Mapping

from auditor.grammar.classmaps import REST, ClassMap, Term
from auditor.grammar.layers import NOTHING, is_silent
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.nxos.actions import Action
from auditor.systems.nxos.configuration import Config
from auditor.systems.nxos.policies import DEFAULT_POLICY, FCOE_CLASS, PolicyMap, find_builtin_number, is_builtin
from auditor.util.regex import regex
from auditor.util.values import dataclass

PARTIAL = Unknown("the dump holds a part of the running configuration only")
_FCOE_COS = 3
"""The CoS of the FCoE system class of a Nexus 5000, until its class map is given others."""
MTU_REFERENCE = (
    "https://www.cisco.com/c/en/us/support/docs/switches/nexus-9000-series-switches/118994-config-nexus-00.html"
)
_MTU_BY_CLASS = regex(r"\d+\.\d+\(\d+\w?\)[NUA]\d")
"""Releases of Nexus 5000, 6000, 3000 and 3500, whose switched ports take the MTU of the network-qos class."""
_OF_NEXUS_9000 = regex(r"c-[48]q-nq")
"""Classes that the system of a Nexus 9000 defines, where each port has its MTU."""


@dataclass(frozen=True, slots=True)
class Group:
    """A qos-group as the network-qos policy in effect treats it."""

    number: int
    name: str
    pfc_priority: Setting[int]
    lossless: Setting[bool]
    mtu_bytes: Setting[int]
    action: Action


@dataclass(frozen=True, slots=True)
class NetworkQos:
    """The network-qos policy in effect; `priorities` are the no-drop ones, `groups` the classes it names."""

    priorities: Setting[tuple[int, ...]]
    groups: Mapping[int, Group]
    silent: Setting[bool]
    """What a qos-group that the policy does not name is: `lossless` of it."""
    default_mtu_bytes: Setting[int] = NOT_COLLECTED


def find_network_qos(config: Config) -> NetworkQos:
    """Return the network-qos policy in effect on the whole switch."""
    attached = config.system.policies.get(("network-qos", ""), NOTHING)
    if not isinstance(attached, Known):
        unsaid = attached if config.complete or not is_silent(attached) else PARTIAL
        return NetworkQos(unsaid, {}, unsaid)
    policy = config.policy_maps.get(("network-qos", attached.value))
    if policy is None and DEFAULT_POLICY.match(attached.value):
        return NetworkQos(Unset(attached.where), {}, Unset(attached.where))
    if policy is None:
        missing = Unknown(f"policy-map type network-qos {attached.value} is not in the dump")
        return NetworkQos(missing, {}, missing)
    groups: dict[int, Group] = {}
    paused: dict[int, None] = {}
    hidden: Unknown | None = None
    unclear: Unknown | None = None
    first: Where | None = None
    for action in policy.classes:
        class_map = config.class_maps.get(("network-qos", action.class_name))
        numbers = list_groups(action, class_map)
        drops_not = isinstance(action.pause, Known) and action.pause.value
        cos = _pause_cos(config, action, class_map, numbers or ())
        if drops_not and numbers is None:
            hidden = Unknown(f"class-map type network-qos {action.class_name} is not defined")
        elif drops_not and isinstance(cos, Unknown):
            unclear = cos
        elif drops_not and isinstance(cos, Known):
            paused.update(dict.fromkeys(cos.value))
            first = first or cos.where
        for number in numbers or ():
            groups[number] = Group(
                number, action.class_name, _single(cos), _lossless(action), _find_own_mtu(config, action), action
            )
    known = Known(tuple(sorted(paused)), Origin.INTENDED, first or attached.where)
    silent = hidden or Known(value=False, origin=Origin.INTENDED, where=policy.where)
    default = next((a for a in policy.classes if a.class_name == REST), None)
    default_mtu = _find_own_mtu(config, default) if default else NOT_COLLECTED
    return NetworkQos(hidden or unclear or known, groups, silent, default_mtu)


def _find_own_mtu(config: Config, action: Action) -> Setting[int]:
    """Return the MTU that the switch enforces for the packets of a class; others have it port by port."""
    if not isinstance(action.mtu, Known) or _OF_NEXUS_9000.match(action.class_name):
        return NOT_COLLECTED
    if config.version is None:
        return Unknown(f"the release tells whether class {action.class_name} has an MTU of its own, and is not known")
    return action.mtu if _MTU_BY_CLASS.match(config.version.value) else NOT_COLLECTED


def list_groups(action: Action, class_map: ClassMap | None) -> tuple[int, ...] | None:
    """Return the qos-groups of a network-qos or queuing class, None where nothing defines it."""
    if class_map:
        return tuple(v for t in class_map.terms if t.kind == "qos-group" for v in t.values)
    number = find_builtin_number(action.class_name)
    if number is not None:
        return (number,)
    return () if is_builtin(action.class_name) else None


def list_classes(config: Config, policy: PolicyMap) -> Iterator[tuple[Action, ClassMap | None]]:
    """Yield the classes of a type qos policy with their class maps; class-default is left out."""
    for action in policy.classes:
        written = config.class_maps.get(("qos", action.class_name))
        if action.class_name == FCOE_CLASS:
            own = ClassMap("qos", FCOE_CLASS, action.where, True, [Term("cos", (_FCOE_COS,), "", action.where)])
            yield action, written if written and written.terms else own
        elif not is_builtin(action.class_name):
            yield action, written


def _pause_cos(
    config: Config, action: Action, class_map: ClassMap | None, groups: tuple[int, ...]
) -> Setting[tuple[int, ...]]:
    """Return the priorities of a class's pauses: written, matched by its class map, or by the policies that fill it."""
    if not isinstance(action.pause, Known) or not action.pause.value or isinstance(action.pause_cos, Known):
        return action.pause_cos
    matched = tuple(v for t in (class_map.terms if class_map else ()) if t.kind == "cos" for v in t.values)
    if matched:
        return Known(matched, Origin.INTENDED, action.pause.where)
    sorted_in = {cos for policy in _in_force(config) if (cos := _cos_into(config, policy, groups)) != ()}
    if len(sorted_in) == 1 and (found := sorted_in.pop()):
        return Known(found, Origin.INTENDED, action.pause.where)
    return Unknown(f"class {action.class_name} pauses, but no pfc-cos says which priority")


def _in_force(config: Config) -> Iterator[PolicyMap]:
    """Yield the type qos input policies of the system and of all interfaces."""
    slot = ("qos", "input")
    bodies = (*(w.body for w in config.interfaces.values()), *config.profiles.values())
    attached = (config.system.policies.get(slot), *(body.policies.get(slot) for body in bodies))
    for name in dict.fromkeys(each.value for each in attached if isinstance(each, Known)):
        policy = config.policy_maps.get(("qos", name))
        if policy:
            yield policy


def _cos_into(config: Config, policy: PolicyMap, groups: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the CoS values that *policy* sorts into *groups*, none where it sorts by anything else."""
    taken: set[int] = set()
    found: set[int] = set()
    for action, class_map in list_classes(config, policy):
        terms = class_map.terms if class_map else ()
        cos = {v for t in terms if t.kind == "cos" for v in t.values} - taken
        if isinstance(action.qos_group, Known) and action.qos_group.value in groups:
            if not terms or any(t.kind != "cos" for t in terms):
                return None
            found |= cos
        taken |= cos
    return tuple(sorted(found))


def find_class_mtu(config: Config) -> Setting[int]:
    """Return the MTU of switched ports by the network-qos policy, Unset on a Nexus that sets it port by port."""
    if config.version is None or not _MTU_BY_CLASS.match(config.version.value):
        return Unset()
    attached = config.system.policies.get(("network-qos", ""), NOTHING)
    if not isinstance(attached, Known) or DEFAULT_POLICY.match(attached.value):
        return Unset()
    policy = config.policy_maps.get(("network-qos", attached.value))
    if policy is None:
        return Unknown(f"the MTU is that of policy-map type network-qos {attached.value}, which is not in the dump")
    default = next((a.mtu for a in policy.classes if a.class_name == REST), Unset())
    if isinstance(default, Known) and all(_same(a.mtu, default) for a in policy.classes):
        return Known(default.value, Origin.INTENDED, default.where, MTU_REFERENCE)
    return Unknown(f"the classes of policy-map type network-qos {policy.name} differ in their MTU")


def _same(one: Setting[int], other: Known[int]) -> bool:
    return isinstance(one, Known) and one.value == other.value


def _single(cos: Setting[tuple[int, ...]]) -> Setting[int]:
    if not isinstance(cos, Known):
        return cos
    if len(cos.value) == 1:
        return Known(cos.value[0], cos.origin, cos.where)
    return Unknown("the class has no pause priority" if not cos.value else "the class pauses several priorities")


def _lossless(action: Action) -> Setting[bool]:
    if isinstance(action.pause, Known):
        return action.pause
    return Known(value=False, origin=Origin.INTENDED, where=action.where)
