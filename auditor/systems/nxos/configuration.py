"""The statements of a running configuration, each with its line."""

from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING
from auditor.grammar.running import InterfaceStanzas
from auditor.model.dump import LineState
from auditor.model.routing import Routing
from auditor.model.setting import Known, Setting, Where
from auditor.model.spreading import HashField, Spreading
from auditor.systems.nxos.policies import PolicyMap
from auditor.systems.nxos.statements import Interface, SystemQos


@dataclass(slots=True)
class Breakout:
    """A port that an `interface breakout` line makes."""

    parent: str
    speed_gbps: Known[float]


@dataclass(slots=True)
class Config:
    """All statements of a running configuration."""

    file: str
    states: dict[int, list[LineState]] = field(default_factory=dict)
    name: Known[str] | None = None
    version: Known[str] | None = None
    captured_at: str | None = None
    complete: bool = False
    is_part: bool = False
    is_qos_only: bool = False
    """It shows quality of service alone: other statements of an interface may exist."""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    routing: Routing = field(default_factory=Routing)
    system: SystemQos = field(default_factory=SystemQos)
    interfaces: dict[str, InterfaceStanzas[Interface]] = field(default_factory=dict)
    profiles: dict[str, Interface] = field(default_factory=dict)
    vlan_policies: list[Known[str]] = field(default_factory=list)
    breakouts: dict[str, Setting[Breakout]] = field(default_factory=dict)
    pfc_override: Setting[str] = NOTHING
    """The line that stands above every port's own PFC mode."""
    switchports_shut: Setting[bool] = NOTHING
    """Whether a switched port is shut where its stanza is silent."""
    is_switchport: Setting[bool] = NOTHING
    """Whether a port is a switched one where its stanza is silent."""
    hash_fields: Setting[frozenset[HashField]] = NOTHING
    hash_seed: Setting[int] = NOTHING
    paths: dict[str, Setting[int]] = field(default_factory=dict)
    balanced: dict[str, Where] = field(default_factory=dict)
    """Ports over which dynamic load balancing spreads packets, each with its line."""
    balancing: Setting[Spreading] = NOTHING
    watchdog: Setting[bool] = NOTHING
    watchdog_interval_ms: Setting[float] = NOTHING
    watchdog_multiplier: Setting[int] = NOTHING
