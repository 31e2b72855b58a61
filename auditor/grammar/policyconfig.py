"""A running configuration whose class maps and policy maps sort and serve packets: what such systems share."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING, Layer
from auditor.grammar.policymaps import PolicyClass, PolicyMap
from auditor.grammar.running import InterfaceStanzas
from auditor.model.dump import LineState
from auditor.model.routing import Routing
from auditor.model.setting import Known, Setting, Where
from auditor.model.spreading import HashField

S = TypeVar("S", bound=Layer)
A = TypeVar("A", bound=PolicyClass)
_REMOVED = re.compile(
    r"no (?P<kind>class-map|policy-map)(?: type (?P<type>\S+))?(?: match-(?:any|all))? (?P<name>\S+)\Z"
)


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
