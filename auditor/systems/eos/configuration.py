"""The statements of a running configuration, each with its line."""

from dataclasses import field

from auditor.grammar.layers import NOTHING
from auditor.grammar.policyconfig import PolicyConfig
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.setting import Known, Setting
from auditor.systems.eos.maps import Maps
from auditor.systems.eos.mmu import Mmu
from auditor.systems.eos.policies import Step
from auditor.systems.eos.statements import Interface
from auditor.util.values import dataclass


@dataclass(slots=True)
class Config(PolicyConfig[Interface, Step]):
    """All statements of a running configuration.

    `pfc_all` is the switch-wide line that turns PFC off on every port. `mtu` and `forwarding` hold for ports that are
    silent. `mmu_applied` names the MMU queue profile in effect, `peer_link` the port-channel to the other switch of an
    MLAG pair.
    """

    model: Known[str] | None = None
    maps: Maps = field(default_factory=dict)
    rewrite: Setting[bool] = NOTHING
    profiles: dict[str, Interface] = field(default_factory=dict)
    interface_profiles: dict[str, Interface] = field(default_factory=dict)
    mmu_profiles: dict[str, Mmu] = field(default_factory=dict)
    mmu_applied: Setting[str] = NOTHING
    pfc_all: Setting[PfcMode] = NOTHING
    timeout_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    polling_ms: Setting[float] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    peer_link: Setting[str] = NOTHING
