"""What show outputs of SONiC say, while they are read."""

from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.grammar.operational import Counts, Meeting
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, PeerPort, WatchdogAction
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Where


@dataclass(slots=True)
class PortOperation:
    """What show outputs say of one port."""

    where: Where
    pfc_priorities: Known[tuple[int, ...]] | None = None
    asymmetric: Known[bool] | None = None
    watchdog_action: Known[WatchdogAction] | None = None
    detection_ms: Known[float] | None = None
    restoration_ms: Known[float] | None = None
    peer: Setting[PeerPort] = NOT_COLLECTED
    other_peers: tuple[Known[PeerPort], ...] = ()
    headroom_limit_bytes: Known[int] | None = None
    counters: Counts = field(default_factory=dict)
    enabled: Known[bool] | None = None
    speed_gbps: Known[float] | None = None
    lanes: Known[int] | None = None
    fec: Known[str] | None = None
    mtu: Known[int] | None = None
    forwarding: Known[Forwarding] | None = None
    lag: Known[str | None] | None = None
    alias: str = ""


@dataclass(slots=True)
class Operation:
    """What all show outputs of a switch say: by port, and profiles and pools by table and name.

    `metadata` is what they say of the switch itself, by the field of DEVICE_METADATA that has it. `meeting` is of the
    output that is being read.
    """

    ports: dict[str, PortOperation] = field(default_factory=dict)
    entries: dict[tuple[str, str], dict[str, Known[str]]] = field(default_factory=dict)
    polling_ms: Known[float] | None = None
    metadata: dict[str, Known[str]] = field(default_factory=dict)
    meeting: Meeting = field(default_factory=Meeting)

    def port(self, name: str, where: Where) -> PortOperation:
        """Return what was learned of a port so far."""
        return self.ports.setdefault(name, PortOperation(where))


Read = Callable[[Capture, Operation], list[LineState]]
