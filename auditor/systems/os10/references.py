"""Names that lead nowhere: references to what nothing defines, and definitions that nothing in effect uses."""

from collections.abc import Iterator, Mapping

from auditor.model.device import NO_DROP_CLASS, NamedObject, unite_uses
from auditor.model.setting import Known, Setting, Where
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.policies import QOS_TYPES
from auditor.systems.os10.statements import DEFAULT_MAP, TC_MAP, TRUST_DOT1P, TRUST_DSCP, WRED

_ACL = "access list"
_OF_THE_SYSTEM = frozenset({"class-trust", "class-default"})
"""Class maps that OS10 itself defines."""
_MAPS = frozenset({TC_MAP, TRUST_DOT1P, TRUST_DSCP})


def find_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to maps, policies, profiles and access lists that the dump does not define."""
    defined = {(name.kind, name.name) for name in _definitions(config)}
    return unite_uses(NamedObject(*each) for each in _references(config) if each[:2] not in defined)


def find_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the maps, policies and profiles that nothing uses."""
    used = {(kind, name) for kind, name, _ in _references(config)}
    return tuple(n for n in _definitions(config) if n.kind != _ACL and (n.kind, n.name) not in used)


def _definitions(config: Config) -> Iterator[NamedObject]:
    for (kind, name), policy in config.policy_maps.items():
        gives = NO_DROP_CLASS if kind == "network-qos" else ""
        yield NamedObject(f"policy-map type {kind}", name, policy.where, gives=gives)
    for (kind, name), class_map in config.class_maps.items():
        yield NamedObject(f"class-map type {kind}", name, class_map.where)
    yield from (NamedObject(WRED, name, profile.where) for name, profile in config.wreds.items())
    yield from (NamedObject(TRUST_DOT1P, name, found.where) for name, found in config.dot1p_maps.items())
    yield from (NamedObject(TRUST_DSCP, name, found.where) for name, found in config.dscp_maps.items())
    yield from (NamedObject(TC_MAP, name, found.where) for name, found in config.queue_maps.items())
    yield from (NamedObject(_ACL, name, acl.where) for name, acl in config.acls.items())


def _references(config: Config) -> Iterator[tuple[str, str, Where]]:
    yield from _bound(config.system.bindings, None)
    for written in config.interfaces.values():
        yield from _bound(written.body.bindings, written.where)
    for (kind, _), policy in config.policy_maps.items():
        for action in policy.classes:
            if kind in QOS_TYPES and action.class_name not in _OF_THE_SYSTEM:
                yield f"class-map type {kind}", action.class_name, action.where
            if isinstance(action.wred, Known) and action.wred.where:
                yield WRED, action.wred.value, action.wred.where
    for class_map in config.class_maps.values():
        for term in class_map.terms:
            if term.kind == "acl":
                yield _ACL, term.name, term.where


def _bound(bindings: Mapping[str, Setting[str]], head: Where | None) -> Iterator[tuple[str, str, Where]]:
    for slot, name in bindings.items():
        if isinstance(name, Known) and name.where and not (slot in _MAPS and name.value == DEFAULT_MAP):
            yield slot, name.value, name.where.at(head) if head else name.where
