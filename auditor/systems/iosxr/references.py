"""Undefined references, and definitions without a use."""

from collections.abc import Iterator

from auditor.grammar.classmaps import REST
from auditor.model.device import NamedObject, unite_uses
from auditor.model.setting import Known, Setting, Where
from auditor.systems.iosxr.configuration import Config
from auditor.systems.iosxr.policies import QOS, serves_queues

_POLICY, _CLASS = "policy-map", "class-map"


def find_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to names that the dump does not define: policies, classes, access lists."""
    return unite_uses(NamedObject(*each) for each in _list_lost(config))


def _list_lost(config: Config) -> Iterator[tuple[str, str, Where]]:
    for name, where in _list_policies(config):
        if (QOS, name) not in config.policy_maps:
            yield _POLICY, name, where
    for policy in config.policy_maps.values():
        for action in policy.classes:
            if action.class_name != REST and (QOS, action.class_name) not in config.class_maps:
                yield _CLASS, action.class_name, action.where
    yield from config.list_lost_lists()


def _list_policies(config: Config) -> Iterator[tuple[str, Where]]:
    """Yield the policies that interfaces and other policies use."""
    for written in config.interfaces.values():
        for found in (written.body.input, *written.body.outputs.values()):
            yield from _place(found, written.where)
    for policy in config.policy_maps.values():
        for action in policy.classes:
            yield from _place(action.child, policy.where)


def _place(found: Setting[str], head: Where) -> Iterator[tuple[str, Where]]:
    if isinstance(found, Known) and found.where:
        yield found.value, found.where.at(head)


def find_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the policy maps attached nowhere, and the class maps that no policy map uses."""
    attached = {name for name, _ in _list_policies(config)}
    used = {action.class_name for policy in config.policy_maps.values() for action in policy.classes}
    policies = (
        NamedObject(_POLICY, each.name, each.where, slot="output" if serves_queues(each) else "input")
        for each in config.policy_maps.values()
        if each.name not in attached
    )
    classes = (
        NamedObject(_CLASS, each.name, each.where)
        for each in config.class_maps.values()
        if each.type == QOS and each.name not in used
    )
    return (*policies, *classes)
