"""The class-of-service part of a configuration as definitions and bindings, without resolving references."""

from collections.abc import Callable, Mapping

from auditor.model.dump import LineState
from auditor.systems.junos.classes import read_aliases, read_classifiers, read_forwarding_classes, read_rewrites
from auditor.systems.junos.congestion import read_drop_profiles, read_notifications
from auditor.systems.junos.definitions import Binding, Cos
from auditor.systems.junos.names import is_plain, rank_pattern
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.scheduling import (
    read_class_sets,
    read_controls,
    read_scheduler_maps,
    read_schedulers,
    read_shared_buffer,
)
from auditor.systems.junos.tree import StatementNode

_PARTS: Mapping[str, Callable[[StatementReader, StatementNode, Cos], None]] = {
    "forwarding-classes": read_forwarding_classes,
    "classifiers": read_classifiers,
    "rewrite-rules": read_rewrites,
    "congestion-notification-profile": read_notifications,
    "drop-profiles": read_drop_profiles,
    "schedulers": read_schedulers,
    "scheduler-maps": read_scheduler_maps,
    "traffic-control-profiles": read_controls,
    "forwarding-class-sets": read_class_sets,
    "shared-buffer": read_shared_buffer,
}
_PROFILE = "congestion-notification-profile"
_IRRELEVANT = frozenset(
    {"host-outbound-traffic", "traceoptions", "application-maps", "fabric", "loss-priority-maps", "routing-instances"}
)
_NOT_MODELLED = frozenset(
    {
        "dedicated-buffer",
        "dedicated-buffer-profile",
        "drop-congestion-notification",
        "forwarding-class-map",
        "multi-destination",
        "policy-map",
        "system-defaults",
        "tri-color",
    }
)


def read_cos(reading: StatementReader) -> Cos:
    """Return class of service from the tree; mark its lines."""
    cos = Cos()
    top = reading.block(reading.written.root, "class-of-service")
    if top is None:
        return cos
    cos.where = reading.where(top)
    aliases = reading.block(top, "code-point-aliases")
    if aliases:
        read_aliases(reading, aliases)
    for name, read in _PARTS.items():
        found = reading.block(top, name)
        if found:
            read(reading, found, cos)
    for entry in reading.entries(top, "interfaces"):
        _binding(reading, entry, cos)
    cos.bindings.sort(key=lambda binding: rank_pattern(binding.pattern))
    for child in top.active():
        if child.word in _NOT_MODELLED:
            reading.set_aside(child)
        elif child.word in _IRRELEVANT:
            for inner in (child, *child.below()):
                reading.mark(inner, LineState.IGNORED)
    return cos


def _binding(reading: StatementReader, entry: StatementNode, cos: Cos) -> None:
    if entry.word == "interface-set":
        reading.set_aside(entry)
        return
    found = Binding(entry.word, reading.where(entry), not is_plain(entry.word))
    found.profile = reading.name(entry, _PROFILE)
    found.unbound = reading.silent(entry, _PROFILE)
    _logical(reading, entry, found)
    for unit in sorted(reading.entries(entry, "unit"), key=lambda unit: unit.word not in {"0", "*"}):
        _logical(reading, unit, found)
    for name in reading.entries(entry, "forwarding-class-set"):
        control = reading.name(name, "output-traffic-control-profile")
        if control:
            found.class_sets[name.word] = control
    reading.set_aside(entry, "dedicated-buffer-profile", "input", "shaping-rate", "drop-congestion-notification")
    cos.bindings.append(found)


def _logical(reading: StatementReader, holder: StatementNode, found: Binding) -> None:
    """Read the bindings of a port or a unit; a unit fills the gaps of its port."""
    scheduler_map = reading.name(holder, "scheduler-map")
    control = reading.name(holder, "output-traffic-control-profile")
    fixed = reading.name(holder, "forwarding-class")
    found.scheduler_map = found.scheduler_map or scheduler_map
    found.control = found.control or control
    found.fixed_class = found.fixed_class or fixed
    for key, table in (("classifiers", found.classifiers), ("rewrite-rules", found.rewrites)):
        for kind in reading.entries(holder, key):
            name = reading.name(kind)
            if name:
                table.setdefault(kind.word, name)
