"""The statements of a running configuration, each with its line."""

from dataclasses import dataclass, field

from auditor.grammar.acl import Acl
from auditor.grammar.classmaps import ClassMap
from auditor.grammar.layers import NOTHING
from auditor.grammar.running import InterfaceStanzas
from auditor.model.dump import LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.routing import Routing
from auditor.model.setting import Known, Setting
from auditor.model.spreading import HashField
from auditor.systems.eos.maps import Maps
from auditor.systems.eos.mmu import Mmu
from auditor.systems.eos.policies import PolicyMap
from auditor.systems.eos.statements import Interface


@dataclass(slots=True)
class Config:
    """All statements of a running configuration.

    `pfc_all` is the switch-wide line that turns PFC off on every port. `mtu` and `forwarding` hold for ports that are
    silent. `mmu_applied` names the MMU queue profile in effect.
    """

    file: str
    states: dict[int, list[LineState]] = field(default_factory=dict)
    name: Known[str] | None = None
    model: Known[str] | None = None
    version: Known[str] | None = None
    complete: bool = False
    maps: Maps = field(default_factory=dict)
    rewrite: Setting[bool] = NOTHING
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[str, PolicyMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    routing: Routing = field(default_factory=Routing)
    interfaces: dict[str, InterfaceStanzas[Interface]] = field(default_factory=dict)
    profiles: dict[str, Interface] = field(default_factory=dict)
    interface_profiles: dict[str, Interface] = field(default_factory=dict)
    mmu_profiles: dict[str, Mmu] = field(default_factory=dict)
    mmu_applied: Setting[str] = NOTHING
    pfc_all: Setting[PfcMode] = NOTHING
    timeout_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    polling_ms: Setting[float] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    hash_fields: Setting[frozenset[HashField]] = NOTHING
    hash_seed: Setting[int] = NOTHING
    paths: dict[str, Setting[int]] = field(default_factory=dict)
    mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
