"""The statements of a running configuration that matter, each with its line."""

from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.model.dump import LineState
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.systems.nxos.policies import PolicyMap
from auditor.systems.nxos.statements import Interface, System

_NOTHING = Unset()


@dataclass(slots=True)
class Written:
    """One interface as written: its stanza's head, the statements (shared by equal stanzas), and its own lines."""

    where: Where
    body: Interface
    lag: Known[str | None] | None = None
    description: str | None = None
    vlans: tuple[str, ...] = ()
    """What says which VLANs it carries, and whether it is addressed."""


@dataclass(slots=True)
class Breakout:
    """A port that an `interface breakout` line makes."""

    where: Where
    parent: str
    speed_gbps: Known[float]


@dataclass(slots=True)
class Config:
    """All statements of a running configuration."""

    file: str
    states: list[LineState]
    name: Known[str] | None = None
    version: Known[str] | None = None
    captured_at: str | None = None
    complete: bool = False
    is_part: bool = False
    is_qos_only: bool = False
    """It shows the quality of service alone: what it does not say of an interface may be written all the same."""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    system: System = field(default_factory=System)
    interfaces: dict[str, Written] = field(default_factory=dict)
    profiles: dict[str, Interface] = field(default_factory=dict)
    vlan_policies: list[Known[str]] = field(default_factory=list)
    breakouts: dict[str, Breakout] = field(default_factory=dict)
    pfc_override: Unknown | None = None
    """Why no port's own PFC mode can be relied on."""
    watchdog: Setting[bool] = _NOTHING
    watchdog_interval_ms: Setting[float] = _NOTHING
    watchdog_multiplier: Setting[int] = _NOTHING
