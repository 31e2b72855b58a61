"""Undefined references, and definitions without a use."""

from collections.abc import Iterator, Mapping

from auditor.model.device import NO_DROP_CLASS, NamedObject, unite_uses
from auditor.model.setting import Known, Setting, Where
from auditor.systems.nxos.configuration import Config
from auditor.systems.nxos.policies import BUILTIN_POLICY, PolicyMap, is_builtin
from auditor.systems.nxos.statements import Slot

_TYPES = ("qos", "queuing", "network-qos")


def find_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to names that the dump does not define: policies, classes, access lists, port-profiles."""
    return unite_uses(NamedObject(*each) for each in (*_references(config), *_list_profiles(config)))


def _references(config: Config) -> Iterator[tuple[str, str, Where]]:
    for (kind, _), policy in _attachments(config):
        name = policy.value
        if kind in _TYPES and (kind, name) not in config.policy_maps and not BUILTIN_POLICY.match(name):
            yield f"policy-map type {kind}", name, _place(policy)
    for (kind, _), policy_map in config.policy_maps.items():
        for action in policy_map.classes:
            if not is_builtin(action.class_name) and (kind, action.class_name) not in config.class_maps:
                yield f"class-map type {kind}", action.class_name, action.where
    yield from config.list_lost_lists()


def _list_profiles(config: Config) -> Iterator[tuple[str, str, Where]]:
    for written in config.interfaces.values():
        profile = written.body.profile
        if isinstance(profile, Known) and profile.value not in config.profiles:
            yield "port-profile", profile.value, _place(profile).at(written.where)


def _name_slot(policy: PolicyMap) -> str:
    """Return the words behind `service-policy` that take a policy into effect; empty where its classes do not tell."""
    if policy.type != "queuing":
        return "type qos input" if policy.type == "qos" else f"type {policy.type}"
    ways = {"input" if each.class_name.startswith("c-in") else "output" for each in policy.classes}
    return f"type queuing {ways.pop()}" if len(ways) == 1 else ""


def find_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the policy maps attached nowhere, and the class maps that no policy map uses."""
    attached = {(slot[0], policy.value) for slot, policy in _attachments(config)}
    used = {(kind, a.class_name) for (kind, _), p in config.policy_maps.items() for a in p.classes}
    guarded = any(kind == "queuing" and way == "input" for (kind, way), _ in _attachments(config))
    policies = (
        NamedObject(
            f"policy-map type {p.type}",
            p.name,
            p.where,
            gives=NO_DROP_CLASS if p.type == "network-qos" else "",
            slot=_name_slot(p),
            guards=not guarded and any(isinstance(c.buffer_size, Known) for c in p.classes),
        )
        for key, p in config.policy_maps.items()
        if key not in attached and p.type in _TYPES and not BUILTIN_POLICY.match(p.name)
    )
    classes = (
        NamedObject(f"class-map type {c.type}", c.name, c.where)
        for key, c in config.class_maps.items()
        if key not in used and c.type in _TYPES and not is_builtin(c.name)
    )
    return (*policies, *classes)


def _attachments(config: Config) -> Iterator[tuple[tuple[str, str], Known[str]]]:
    yield from _select_known(config.system.policies)
    yield from ((("qos", "input"), policy) for policy in config.vlan_policies)
    for profile in config.profiles.values():
        yield from _select_known(profile.policies)
    for written in config.interfaces.values():
        for slot, policy in _select_known(written.body.policies):
            where = _place(policy).at(written.where)
            yield slot, Known(policy.value, policy.origin, where)


def _select_known(policies: Mapping[Slot, Setting[str]]) -> Iterator[tuple[Slot, Known[str]]]:
    """Yield the attached policies without those that were taken back."""
    for slot, policy in policies.items():
        if isinstance(policy, Known):
            yield slot, policy


def _place(policy: Known[str]) -> Where:
    return policy.where or Where("", 0)
