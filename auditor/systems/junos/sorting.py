"""The bindings of a port, and its forwarding classes and tables."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from auditor.model.qos import ValueMap
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.junos.definitions import NOTHING, Cos, ForwardingClass, Notification
from auditor.systems.junos.names import matches_pattern
from auditor.util.regex import regex
from auditor.util.values import dataclass

DOCS = "https://www.juniper.net/documentation/us/en/software/junos"
DEFAULT_CLASSES = f"{DOCS}/traffic-mgmt-qfx/topics/concept/cos-qfx-series-default-settings-understanding.html"
DEFAULT_QUEUE = f"{DOCS}/cos/topics/concept/cos-ipv6-protocols-default-forwarding-jpr-solution.html"
DEFAULT_CLASSIFIER = f"{DOCS}/cos/topics/concept/default-dscp-table-cos-config-guide.html"
PARTIAL = Unknown("the dump is a part of a configuration, and what is missing may say otherwise")
_BUILT_IN = {"best-effort": (0, False), "fcoe": (3, True), "no-loss": (4, True), "network-control": (7, False)}
"""The unicast forwarding classes that need no definition on QFX: queue, and whether they are lossless."""
_DEFAULT = "default"
"""The name of the classifiers that are built in."""
IPV4_KINDS, IPV6_KINDS, PCP_KINDS = ("dscp", "inet-precedence"), ("dscp-ipv6",), ("ieee-802.1",)
"""The kinds of table that read the header of IPv4, those that read that of IPv6, and those that read a tag."""
_WITHOUT_IPV6_TABLES = regex(r"qfx(?:5130|5220|5700)", re.IGNORECASE)
"""Models that have no tables for IPv6 and sort it by those for IPv4: DOCS, below it
traffic-mgmt-qfx/topics/task/cos-classifiers-qfx-series-cli.html."""


@dataclass(frozen=True, slots=True)
class PortBindings:
    """The bindings of a port: by its own name, by wildcards, and through its bundle.

    `where` is the closest entry; `unbound` has the line that removed the congestion notification profile.
    """

    where: Where | None = None
    profile: Known[str] | None = None
    unbound: Unset = NOTHING
    scheduler_map: Known[str] | None = None
    control: Known[str] | None = None
    classifiers: tuple[tuple[str, Known[str]], ...] = ()
    rewrites: tuple[tuple[str, Known[str]], ...] = ()
    fixed_class: Known[str] | None = None
    class_sets: tuple[tuple[str, Known[str]], ...] = ()

    def classifier(self, *kinds: str) -> tuple[str, Known[str]] | None:
        """Return kind and name of the bound classifier of the first of *kinds*, None without one."""
        names = dict(self.classifiers)
        return next(((kind, names[kind]) for kind in kinds if kind in names), None)


def find_bindings(cos: Cos, names: tuple[str, ...]) -> PortBindings:
    """Return the bindings of the first of *names*, a port; the next name, its bundle, fills the gaps.

    Each statement of the closest matching entry wins: that entry comes first.
    """
    found = [
        b
        for name in names
        for b in cos.bindings
        if b.pattern == name or (b.is_wild and matches_pattern(b.pattern, name))
    ]
    return PortBindings(
        where=found[0].where if found else None,
        profile=next((b.profile for b in found if b.profile), None),
        unbound=next((b.unbound for b in found if b.unbound.where), NOTHING),
        scheduler_map=next((b.scheduler_map for b in found if b.scheduler_map), None),
        control=next((b.control for b in found if b.control), None),
        classifiers=_merge([b.classifiers for b in found]),
        rewrites=_merge([b.rewrites for b in found]),
        fixed_class=next((b.fixed_class for b in found if b.fixed_class), None),
        class_sets=_merge([b.class_sets for b in found]),
    )


def _merge(tables: list[dict[str, Known[str]]]) -> tuple[tuple[str, Known[str]], ...]:
    found: dict[str, Known[str]] = {}
    for table in tables:
        for key, name in table.items():
            found.setdefault(key, name)
    return tuple(found.items())


def list_forwarding_classes(cos: Cos) -> Mapping[str, ForwardingClass]:
    """Return the defined classes, and the built-in classes with a reference or a queue of their own.

    A class defined without `no-loss` is lossy, whatever its name.
    """
    found = {name: _explicit(each) for name, each in cos.classes.items()}
    taken = {each.queue.value for each in found.values() if isinstance(each.queue, Known)}
    named = _list_class_names(cos)
    where = cos.where
    for name, (queue, lossless) in _BUILT_IN.items():
        if name in found or (name not in named and queue in taken) or where is None:
            continue
        if name in named or not lossless:
            found[name] = ForwardingClass(
                name,
                where,
                Known(queue, Origin.DEFAULT, where, DEFAULT_CLASSES),
                NOTHING,
                Known(lossless, Origin.DEFAULT, where, DEFAULT_CLASSES),
            )
    return found


_OTHERWISE = frozenset({10, 12, 14, 46, 48, 56})
"""DSCPs that the built-in classifier puts into other classes than best-effort; which ones exist differs by model."""


def _list_built_in(kind: str, bound: Known[str]) -> dict[int, Known[str]]:
    """Return the code points of the built-in classifier that are best-effort, with the line that binds it."""
    if kind not in {*IPV4_KINDS[:1], *IPV6_KINDS}:
        return {}
    to = Known("best-effort", Origin.INTENDED, bound.where, DEFAULT_CLASSIFIER)
    return {point: to for point in range(64) if point not in _OTHERWISE}


def _explicit(found: ForwardingClass) -> ForwardingClass:
    if not isinstance(found.lossless, Unset):
        return found
    return replace(
        found, lossless=Known(value=False, origin=Origin.DEFAULT, where=found.where, reference=DEFAULT_CLASSES)
    )


def _list_class_names(cos: Cos) -> set[str]:
    """Return the names of the forwarding classes in tables and maps."""
    tables = (name.value for table in cos.classifiers.values() for name in table.points.values())
    marked = (name for table in cos.rewrites.values() for name in table.points)
    return {*tables, *marked, *(name for table in cos.scheduler_maps.values() for name in table)}


@dataclass(frozen=True, slots=True)
class Sorting:
    """The bindings and classes that sort the packets of a port."""

    cos: Cos
    classes: Mapping[str, ForwardingClass]
    bound: PortBindings
    complete: bool
    model: str = ""

    @property
    def shares_tables(self) -> bool:
        """Whether the switch sorts IPv6 by its tables for IPv4, by its documentation."""
        return _WITHOUT_IPV6_TABLES.match(self.model) is not None

    def table(self, *kinds: str) -> Setting[ValueMap]:
        """Return the code points of the port's classifier, with those of its imported classifiers.

        Of the built-in classifier of DSCPs those are among them that are best-effort on all models; for the others, and
        for tags, see `imports_default`.
        """
        named = self.bound.classifier(*kinds)
        if named is None:
            return NOTHING
        kind, bound_name = named
        points: dict[int, Known[str]] = {}
        for name in self._chain(kind, bound_name):
            found = self.cos.classifiers.get((kind, name.value))
            if found is None and name.value != _DEFAULT:
                return Unknown(f"classifier {kind} {name.value} is not in the dump")
            own = _list_built_in(kind, bound_name) if name.value == _DEFAULT else found.points if found else {}
            points = own | points
        if kind == "inet-precedence":
            points = {8 * level + low: name for level, name in points.items() for low in range(8)}
        return Known(dict(sorted(points.items())), Origin.INTENDED, bound_name.where)

    def _chain(self, kind: str, name: Known[str]) -> Iterator[Known[str]]:
        """Yield the name of a classifier, then those of its imported classifiers in their order."""
        seen: set[str] = set()
        following: Known[str] | None = name
        while following and following.value not in seen:
            seen.add(following.value)
            yield following
            found = self.cos.classifiers.get((kind, following.value))
            following = found.imports if found else None

    def imports_default(self, *kinds: str) -> bool:
        """Return whether the built-in classifier sorts the code points outside the port's table."""
        named = self.bound.classifier(*kinds)
        return named is not None and any(name.value == _DEFAULT for name in self._chain(*named))

    def default_class(self, *kinds: str) -> Setting[str]:
        """Return the class of packets outside the tables of *kinds* and of tags: the class of queue 0."""
        if self.bound.fixed_class:
            return self.bound.fixed_class
        if self.imports_default(*kinds) or self.imports_default(*PCP_KINDS):
            return Unknown("the built-in classifier sorts what the tables do not name, and no capture shows it")
        for found in self.classes.values():
            if isinstance(found.queue, Known) and found.queue.value == 0:
                return Known(found.name, Origin.DEFAULT, found.queue.where, DEFAULT_QUEUE)
        return NOTHING if self.complete else PARTIAL

    def profile(self) -> Notification | Unknown | None:
        """Return the congestion notification profile of the port, None without one."""
        name = self.bound.profile
        if name is None:
            return None if self.complete else PARTIAL
        found = self.cos.notifications.get(name.value)
        return found or Unknown(f"congestion notification profile {name.value} is not in the dump")
