"""The statements of a running configuration, each with its line."""

from dataclasses import field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING
from auditor.grammar.running import InterfaceStanzas
from auditor.model.dump import LineState
from auditor.model.setting import Known, Setting
from auditor.systems.os10.hardware import LaneGroup
from auditor.systems.os10.maps import CodePoints, TrafficClassMap
from auditor.systems.os10.policies import PolicyMap, WredProfile
from auditor.systems.os10.statements import Statements, SystemQos
from auditor.util.values import dataclass


@dataclass(slots=True)
class Config:
    """All statements of a running configuration; `system` is what `system qos` binds for every port."""

    file: str
    states: dict[int, list[LineState]]
    name: Setting[str] = NOTHING
    model: Known[str] | None = None
    version: Known[str] | None = None
    complete: bool = False
    has_system: bool = False
    """The dump shows `system qos`, and so all that is bound for every port."""
    system: SystemQos = field(default_factory=SystemQos)
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap] = field(default_factory=dict)
    wreds: dict[str, WredProfile] = field(default_factory=dict)
    dot1p_maps: dict[str, CodePoints] = field(default_factory=dict)
    dscp_maps: dict[str, CodePoints] = field(default_factory=dict)
    queue_maps: dict[str, TrafficClassMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    interfaces: dict[str, InterfaceStanzas[Statements]] = field(default_factory=dict)
    breakouts: dict[str, Setting[float]] = field(default_factory=dict)
    """The speed in Gb/s of each port that an `interface breakout` line makes, by the port that it splits."""
    port_groups: dict[str, LaneGroup] = field(default_factory=dict)
    peer_links: dict[str, Setting[bool]] = field(default_factory=dict)
    """Ports that join the two switches of a VLT pair."""
