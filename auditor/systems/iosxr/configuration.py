"""The statements of a running configuration, each with its line."""

from dataclasses import field

from auditor.grammar.layers import NOTHING
from auditor.grammar.policyconfig import PolicyConfig
from auditor.model.setting import Setting
from auditor.systems.iosxr.actions import Action
from auditor.systems.iosxr.bridges import BridgeDomains
from auditor.systems.iosxr.buffers import PauseProfile
from auditor.systems.iosxr.statements import Interface, WatchdogStatements
from auditor.util.values import dataclass


@dataclass(slots=True)
class Optics:
    """The statements of `controller optics`: the ports that the cage is broken out into, by their names."""

    numbers: str
    lanes: Setting[tuple[str, ...]] = NOTHING


@dataclass(slots=True)
class Config(PolicyConfig[Interface, Action]):
    """All statements of a running configuration.

    `profiles` holds those of PFC by their locations, `queue_mode` the number of virtual output queues of a port.
    """

    profiles: dict[str, PauseProfile] = field(default_factory=dict)
    queue_mode: Setting[int] = NOTHING
    optics: dict[str, Optics] = field(default_factory=dict)
    bridges: BridgeDomains = field(default_factory=dict)
    watchdog: WatchdogStatements = field(default_factory=WatchdogStatements)
