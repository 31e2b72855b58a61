"""The statements of a running configuration, each with its line."""

from dataclasses import field

from auditor.grammar.layers import NOTHING
from auditor.grammar.policyconfig import PolicyConfig
from auditor.model.setting import Known, Setting, Where
from auditor.model.spreading import Spreading
from auditor.systems.nxos.actions import Action
from auditor.systems.nxos.statements import Interface, SystemQos
from auditor.util.values import dataclass


@dataclass(slots=True)
class Breakout:
    """A port that an `interface breakout` line makes."""

    parent: str
    speed_gbps: Known[float]


@dataclass(slots=True)
class Config(PolicyConfig[Interface, Action]):
    """All statements of a running configuration."""

    is_part: bool = False
    is_qos_only: bool = False
    """It shows quality of service alone: other statements of an interface may exist."""
    system: SystemQos = field(default_factory=SystemQos)
    profiles: dict[str, Interface] = field(default_factory=dict)
    vlan_policies: list[Known[str]] = field(default_factory=list)
    breakouts: dict[str, Setting[Breakout]] = field(default_factory=dict)
    pfc_override: Setting[str] = NOTHING
    """The line that stands above every port's own PFC mode."""
    switchports_shut: Setting[bool] = NOTHING
    """Whether a switched port is shut where its stanza is silent."""
    is_switchport: Setting[bool] = NOTHING
    """Whether a port is a switched one where its stanza is silent."""
    balanced: dict[str, Where] = field(default_factory=dict)
    """Ports over which dynamic load balancing spreads packets, each with its line."""
    balancing: Setting[Spreading] = NOTHING
    watchdog: Setting[bool] = NOTHING
    watchdog_interval_ms: Setting[float] = NOTHING
    watchdog_multiplier: Setting[int] = NOTHING
