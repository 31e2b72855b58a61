"""Names that lead nowhere: references to what nothing defines, and definitions that nothing in effect uses."""

from collections.abc import Iterator

from auditor.grammar.classmaps import REST
from auditor.model.device import NamedObject, unite_uses
from auditor.model.setting import Known, Setting, Unset, Where
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.policies import QOS
from auditor.systems.eos.statements import Interface

_PROFILE = "qos profile"
_COMMANDS = "interface profile"
_POLICY = "policy-map type quality-of-service"
_CLASS = "class-map type qos"
_ACL = "access list"
_MMU = "MMU queue profile"


def find_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to profiles, policy maps, class maps and access lists that the dump does not define."""
    defined = {
        _PROFILE: config.profiles.keys(),
        _COMMANDS: config.interface_profiles.keys(),
        _POLICY: {name for _, name in config.policy_maps},
        _CLASS: {name for _, name in config.class_maps} | {REST},
        _ACL: config.acls.keys(),
        _MMU: config.mmu_profiles.keys(),
    }
    return unite_uses(NamedObject(*each) for each in _references(config) if each[1] not in defined[each[0]])


def find_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the profiles and policy maps attached nowhere, and the class maps that no policy map uses.

    One MMU queue profile is applied at a time; where none is, the switch has its default one.
    """
    used = {(kind, name) for kind, name, _ in _references(config)}
    defined = (
        *(NamedObject(_PROFILE, name, profile.where) for name, profile in config.profiles.items()),
        *(NamedObject(_POLICY, name, policy.where) for (_, name), policy in config.policy_maps.items()),
        *(NamedObject(_CLASS, c.name, c.where) for c in config.class_maps.values() if c.type == QOS),
        *(
            NamedObject(_MMU, name, profile.where, guards=isinstance(config.mmu_applied, Unset))
            for name, profile in config.mmu_profiles.items()
        ),
    )
    return tuple(name for name in defined if (name.kind, name.name) not in used)


def _references(config: Config) -> Iterator[tuple[str, str, Where]]:
    for written in config.interfaces.values():
        yield from _of(written.body, written.where)
    for profile in (*config.profiles.values(), *config.interface_profiles.values()):
        yield from _of(profile, profile.where)
    for policy in config.policy_maps.values():
        for step in policy.classes:
            yield _CLASS, step.class_name, step.where
    applied = config.mmu_applied
    if isinstance(applied, Known) and applied.where:
        yield _MMU, applied.value, applied.where
    for class_map in config.class_maps.values():
        for term in class_map.terms:
            if term.kind == "acl":
                yield _ACL, term.name, term.where


def _of(body: Interface, head: Where) -> Iterator[tuple[str, str, Where]]:
    named: tuple[tuple[str, Setting[str]], ...] = (
        (_PROFILE, body.profile),
        (_COMMANDS, body.interface_profile),
        (_POLICY, body.policy),
    )
    for kind, name in named:
        if isinstance(name, Known) and name.where:
            yield kind, name.value, name.where.at(head)
