"""What an interface or `system qos` has written, each statement with its line."""

from dataclasses import dataclass, field

from auditor.grammar.layers import NOTHING
from auditor.model.port import Forwarding, PfcMode
from auditor.model.setting import Setting, Where

NETWORK_QOS = "policy-map type network-qos"
QUEUING = "policy-map type queuing"
QOS = "policy-map type qos"
TRUST_DOT1P = "trust dot1p-map"
TRUST_DSCP = "trust dscp-map"
TC_MAP = "qos-map traffic-class"
WRED = "wred"
DEFAULT_MAP = "default"
"""The name by which a map that OS10 itself defines is bound."""


@dataclass(slots=True)
class Statements:
    """What is written in one stanza; `bindings` is keyed by what the bound name is: `policy-map type queuing`."""

    where: Where
    enabled: Setting[bool] = NOTHING
    speed_gbps: Setting[float] = NOTHING
    fec: Setting[str] = NOTHING
    mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    tagged: Setting[bool] = NOTHING
    pause_rx: Setting[bool] = NOTHING
    pause_tx: Setting[bool] = NOTHING
    pfc_mode: Setting[PfcMode] = NOTHING
    bindings: dict[str, Setting[str]] = field(default_factory=dict)
