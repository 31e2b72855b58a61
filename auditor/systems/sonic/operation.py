"""The operational state of a SONiC switch, filled output by output."""

from collections.abc import Callable
from dataclasses import field

from auditor.grammar.operational import Counts, Meeting
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.port import Forwarding, PeerPort, WatchdogAction
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Where
from auditor.util.values import dataclass

_NO_MODULE = Module()


@dataclass(slots=True)
class PortOperation:
    """The operational state of one port."""

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
    counted_since: dict[str, str] = field(default_factory=dict)
    enabled: Known[bool] | None = None
    speed_gbps: Known[float] | None = None
    lanes: Known[int] | None = None
    fec: Known[str] | None = None
    mtu: Known[int] | None = None
    forwarding: Known[Forwarding] | None = None
    lag: Known[str | None] | None = None
    alias: str = ""
    module: Module = _NO_MODULE


@dataclass(frozen=True, slots=True)
class SwitchRefusal:
    """A row that the switch did not take: table, empty where none is named, key, message, and the line that says so."""

    table: str
    key: str
    message: str
    where: Where


@dataclass(slots=True)
class Operation:
    """The operational state of a switch: ports by name, profiles and pools by table and name.

    `metadata` are values of the switch itself by field of DEVICE_METADATA. `meeting` collects the neighbours of the
    current output. `logged`: a log or a reply was read that would name refused rows.
    """

    ports: dict[str, PortOperation] = field(default_factory=dict)
    entries: dict[tuple[str, str], dict[str, Known[str]]] = field(default_factory=dict)
    polling_ms: Known[float] | None = None
    metadata: dict[str, Known[str]] = field(default_factory=dict)
    meeting: Meeting = field(default_factory=Meeting)
    logged: bool = False
    refusals: dict[tuple[str, str, str], SwitchRefusal] = field(default_factory=dict)

    def port(self, name: str, where: Where) -> PortOperation:
        """Return the operational state of a port so far."""
        return self.ports.setdefault(name, PortOperation(where))


Read = Callable[[Capture, Operation], list[LineState]]
