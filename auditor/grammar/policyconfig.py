"""A running configuration whose class maps and policy maps sort and serve packets: what such systems share."""

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING, Layer
from auditor.grammar.multipath import build_ecmp
from auditor.grammar.operational import Ports, add_operational, compare_operation
from auditor.grammar.policymaps import PolicyClass, PolicyMap
from auditor.grammar.running import ONLY_PART, InterfaceStanzas
from auditor.model.device import Device, NamedObject
from auditor.model.dump import LineState
from auditor.model.port import Port
from auditor.model.routing import Routing
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Where
from auditor.model.spreading import HashField
from auditor.util.regex import regex
from auditor.util.values import dataclass

S = TypeVar("S", bound=Layer)
A = TypeVar("A", bound=PolicyClass)
Find: TypeAlias = Callable[[Any], tuple[NamedObject, ...]]
"""Returns names of a configuration that lead nowhere, or that nothing uses."""
_REMOVED = regex(r"no (?P<kind>class-map|policy-map)(?: type (?P<type>\S+))?(?: match-(?:any|all))? (?P<name>\S+)\Z")


@dataclass(slots=True)
class PolicyConfig(Generic[S, A]):
    """All statements of a running configuration.

    `states` are those of the lines of each capture, by its identity. `complete` tells a whole configuration from an
    excerpt, in which a missing line proves nothing.
    """

    file: str
    states: dict[int, list[LineState]] = field(default_factory=dict)
    name: Known[str] | None = None
    version: Known[str] | None = None
    captured_at: str | None = None
    complete: bool = False
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap[A]] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    routing: Routing = field(default_factory=Routing)
    interfaces: dict[str, InterfaceStanzas[S]] = field(default_factory=dict)
    hash_fields: Setting[frozenset[HashField]] = NOTHING
    hash_seed: Setting[int] = NOTHING
    paths: dict[str, Setting[int]] = field(default_factory=dict)

    def describe(
        self, device: Device, ports: tuple[Port, ...], learned: Ports, find_undefined: Find, find_unattached: Find
    ) -> Device:
        """Return *device* as configured: its *ports* with what outputs show of them, its names, and its routing."""
        is_whole = self.complete
        return replace(
            device,
            name=self.name.value if self.name else device.name,
            ports=add_operational(ports, learned),
            differences=compare_operation(ports, learned),
            os_version=self.version or NOT_COLLECTED,
            ecmp=build_ecmp(self.hash_fields, self.hash_seed, self.paths, is_whole=is_whole),
            captured_at=self.captured_at,
            undefined=find_undefined(self) if is_whole else (),
            part=None if is_whole else ONLY_PART,
            unattached=find_unattached(self) if is_whole else (),
            routing=self.routing,
        )

    def pair_classes(self, policy: PolicyMap[A]) -> Iterator[tuple[A, ClassMap | None]]:
        """Yield the classes of a policy with their class maps."""
        for action in policy.classes:
            yield action, self.class_maps.get((policy.type, action.class_name))

    def remove_map(self, text: str) -> bool:
        """Remove the class map or policy map that a `no` line takes back; return whether it is such a line."""
        removed = _REMOVED.match(text)
        if removed is None:
            return False
        key = (removed["type"] or "qos", removed["name"])
        if removed["kind"] == "class-map":
            self.class_maps.pop(key, None)
        else:
            self.policy_maps.pop(key, None)
        return True

    def list_lost_lists(self) -> Iterator[tuple[str, str, Where]]:
        """Yield the access lists that class maps name and that the dump does not define, each with its line."""
        for class_map in self.class_maps.values():
            for term in class_map.terms:
                if term.kind == "acl" and term.name not in self.acls:
                    yield "access list", term.name, term.where
