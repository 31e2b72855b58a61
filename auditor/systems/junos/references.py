"""Undefined references, and definitions without an active user."""

from collections.abc import Iterator

from auditor.model.device import NamedObject, unite_uses
from auditor.model.setting import Known, Where
from auditor.systems.junos.config import Config
from auditor.systems.junos.definitions import Binding, Cos
from auditor.systems.junos.sorting import list_forwarding_classes

_PROFILE, _MAP, _SCHEDULER = "congestion-notification-profile", "scheduler-map", "scheduler"
_CLASS, _DROP, _CONTROL = "forwarding-class", "drop-profile", "traffic-control-profile"
_BUILT_IN = frozenset({"best-effort", "expedited-forwarding", "assured-forwarding", "network-control", "mcast"})
"""Classes that some switch of the family has without a definition, beside those that are modelled."""


def list_undefined(config: Config) -> tuple[NamedObject, ...]:
    """Return the references to names that the dump does not define."""
    defined = _list_definitions(config.cos)
    dangling = (
        NamedObject(kind, name.value, name.where)
        for kind, name in _references(config.cos)
        if (kind, name.value) not in defined and name.value != "default" and name.where
    )
    return (*unite_uses(config.groups.undefined), *unite_uses(dangling))


def list_unattached(config: Config) -> tuple[NamedObject, ...]:
    """Return the definitions without a reference; forwarding classes and aliases need none."""
    used = {(kind, name.value) for kind, name in _references(config.cos)}
    found = (
        NamedObject(kind, name, where)
        for (kind, name), where in _list_definitions(config.cos).items()
        if where and kind != _CLASS and (kind, name) not in used
    )
    return (*config.groups.unapplied, *found)


def _list_definitions(cos: Cos) -> dict[tuple[str, str], Where | None]:
    return {
        **{(f"classifier {kind}", name): table.where for (kind, name), table in cos.classifiers.items()},
        **{(f"rewrite-rule {kind}", name): table.where for (kind, name), table in cos.rewrites.items()},
        **{(_PROFILE, name): found.where for name, found in cos.notifications.items()},
        **{(_MAP, name): where for name, where in cos.map_lines.items()},
        **{(_SCHEDULER, name): found.where for name, found in cos.schedulers.items()},
        **{(_DROP, name): found.where for name, found in cos.drop_profiles.items()},
        **{(_CONTROL, name): where for name, (where, _) in cos.controls.items()},
        **{(_CLASS, name): found.where for name, found in list_forwarding_classes(cos).items()},
        **{(_CLASS, name): None for name in _BUILT_IN},
    }


def _references(cos: Cos) -> Iterator[tuple[str, Known[str]]]:
    for binding in cos.bindings:
        yield from _of_binding(binding)
    for table in cos.classifiers.values():
        if table.imports:
            yield f"classifier {table.kind}", table.imports
        yield from ((_CLASS, name) for name in table.points.values())
    for schedulers in cos.scheduler_maps.values():
        for class_name, name in schedulers.items():
            yield _SCHEDULER, name
            yield _CLASS, Known(class_name, name.origin, name.where)
    for scheduler in cos.schedulers.values():
        yield from ((_DROP, name) for _, name in scheduler.drops)
    yield from ((_MAP, name) for _, name in cos.controls.values() if name)


def _of_binding(binding: Binding) -> Iterator[tuple[str, Known[str]]]:
    named = (
        (_PROFILE, binding.profile),
        (_MAP, binding.scheduler_map),
        (_CONTROL, binding.control),
        (_CLASS, binding.fixed_class),
    )
    yield from ((kind, name) for kind, name in named if name)
    yield from ((_CONTROL, name) for name in binding.class_sets.values())
    yield from ((f"classifier {kind}", name) for kind, name in binding.classifiers.items())
    yield from ((f"rewrite-rule {kind}", name) for kind, name in binding.rewrites.items())
