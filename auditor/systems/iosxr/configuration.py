"""The statements of a running configuration, each with its line."""

from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING
from auditor.grammar.running import InterfaceStanzas
from auditor.model.dump import LineState
from auditor.model.routing import Routing
from auditor.model.setting import Known, Setting
from auditor.model.spreading import HashField
from auditor.systems.iosxr.buffers import PauseProfile
from auditor.systems.iosxr.policies import PolicyMap
from auditor.systems.iosxr.statements import Interface, WatchdogStatements


@dataclass(slots=True)
class Optics:
    """The statements of `controller optics`: the ports that the cage is broken out into, by their names."""

    numbers: str
    lanes: Setting[tuple[str, ...]] = NOTHING


@dataclass(slots=True)
class Config(WatchdogStatements):
    """All statements of a running configuration; `profiles` holds those of PFC by their locations."""

    file: str = ""
    states: dict[int, list[LineState]] = field(default_factory=dict)
    name: Known[str] | None = None
    version: Known[str] | None = None
    captured_at: str | None = None
    complete: bool = False
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    routing: Routing = field(default_factory=Routing)
    interfaces: dict[str, InterfaceStanzas[Interface]] = field(default_factory=dict)
    profiles: dict[str, PauseProfile] = field(default_factory=dict)
    optics: dict[str, Optics] = field(default_factory=dict)
    hash_fields: Setting[frozenset[HashField]] = NOTHING
    paths: dict[str, Setting[int]] = field(default_factory=dict)
