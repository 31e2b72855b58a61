"""A port: what is its own (name, place, neighbour) and what it may share with its likes (`PortConfig`)."""

from collections.abc import Mapping
from enum import StrEnum

from auditor.model.buffers import PriorityGroup
from auditor.model.counters import Growth
from auditor.model.hardware import Hardware
from auditor.model.nic import Nic, RdmaDevice
from auditor.model.qos import Classification, Marking, Policer, Queue
from auditor.model.setting import HEAD, NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.model.spreading import Spreading
from auditor.util.values import dataclass


class PfcMode(StrEnum):
    """How priority flow control (IEEE 802.1Qbb) is configured; `auto` leaves it to DCBX."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


class WatchdogAction(StrEnum):
    """What the PFC watchdog does with a queue that stays paused."""

    DROP = "drop"
    FORWARD = "forward"
    ALERT = "alert"


class Forwarding(StrEnum):
    """Layer 3 or layer 2 port."""

    ROUTED = "routed"
    SWITCHED = "switched"


@dataclass(frozen=True, slots=True)
class Watchdog:
    """The PFC watchdog in effect on a port; times in milliseconds.

    `is_forced`: it acts on the queues of lossless priorities at all times, whether they are paused or not.
    """

    enabled: Setting[bool] = NOT_COLLECTED
    detection_ms: Setting[float] = NOT_COLLECTED
    restoration_ms: Setting[float] = NOT_COLLECTED
    polling_ms: Setting[float] = NOT_COLLECTED
    action: Setting[WatchdogAction] = NOT_COLLECTED
    priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    is_forced: Setting[bool] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Pfc:
    """Priority flow control of a port.

    `priorities` are those it treats as no-drop when PFC runs, also where the mode is `auto`; `tx_priorities` those for
    which it sends pauses, `rx_priorities` those whose pauses it honours: they differ where PFC is asymmetric.
    `peer_priorities` are those for which the neighbour says by DCBX that PFC is enabled (IEEE Std 802.1Q, PFC
    Configuration TLV).
    """

    mode: Setting[PfcMode] = NOT_COLLECTED
    oper: Setting[bool] = NOT_COLLECTED
    priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    tx_priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    rx_priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    peer_priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    watchdog: Watchdog = Watchdog()


@dataclass(frozen=True, slots=True)
class LinkPause:
    """IEEE 802.3x link pause: honoured (`rx`) and sent (`tx`)."""

    rx: Setting[bool] = NOT_COLLECTED
    tx: Setting[bool] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Ethernet:
    """Link settings. `mtu_bytes` is as the OS counts it; the other two are comparable across operating systems.

    `ip_mtu_bytes` is the largest IP packet, `max_frame_bytes` the largest frame received, FCS counted, no preamble.
    `negotiates`: the port negotiates the link (IEEE 802.3, clauses 28 and 73). `loopback`: it returns what it sends.
    """

    enabled: Setting[bool] = NOT_COLLECTED
    speed_gbps: Setting[float] = NOT_COLLECTED
    lanes: Setting[int] = NOT_COLLECTED
    fec: Setting[str] = NOT_COLLECTED
    mtu_bytes: Setting[int] = NOT_COLLECTED
    ip_mtu_bytes: Setting[int] = NOT_COLLECTED
    max_frame_bytes: Setting[int] = NOT_COLLECTED
    forwarding: Setting[Forwarding] = NOT_COLLECTED
    tagged: Setting[bool] = NOT_COLLECTED
    negotiates: Setting[bool] = NOT_COLLECTED
    loopback: Setting[bool] = NOT_COLLECTED

    @property
    def is_shut(self) -> bool:
        """Whether the port is known to be shut down."""
        return isinstance(self.enabled, Known) and self.enabled.value is False


@dataclass(frozen=True, slots=True)
class AccessList:
    """An access list on what arrives at a port: whether it lets RoCEv2 pass, None where addresses decide."""

    name: str
    passes_roce: bool | None


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Rate limits of a port beside those of its queues.

    `shape_gbps` is the rate of all that it sends together; `policers` are the classes of its policy on arrival, in
    their order, none where no class has a rate.
    """

    shape_gbps: Setting[float] = NOT_COLLECTED
    policers: Setting[tuple[Known[Policer], ...]] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class PortConfig:
    """What a port is configured to do: one object for all ports that are configured alike.

    `spreading`: what the switch keeps together that it sends over this port and its equals.
    """

    ethernet: Ethernet = Ethernet()
    pfc: Pfc = Pfc()
    pause: LinkPause = LinkPause()
    classification: Classification = Classification()
    marking: Marking = Marking()
    queues: Setting[tuple[Queue, ...]] = NOT_COLLECTED
    priority_groups: Setting[tuple[PriorityGroup, ...]] = NOT_COLLECTED
    cable_length_m: Setting[float] = NOT_COLLECTED
    limits: RateLimits = RateLimits()
    access: Setting[AccessList] = NOT_COLLECTED
    spreading: Setting[Spreading] = NOT_COLLECTED
    nic: Nic | None = None


@dataclass(frozen=True, slots=True)
class PeerPort:
    """The neighbour as a dump names it: the device, the port, and by what evidence.

    `mac` is the address of its port where that is told beside another name of the port.
    """

    device: str
    port: str
    evidence: str
    mac: str = ""


_NO_HARDWARE = Hardware()
_NO_RDMA = RdmaDevice()
ALONE: Known[str | None] = Known(None, Origin.INTENDED, HEAD)
"""The port-channel or the parent of a port that has none, as the head of its stanza says."""
PEER_LINK = "peer-link"


@dataclass(frozen=True, slots=True)
class Port:
    """A physical or breakout port of a switch, or a netdev of a host; `where` is the head of its stanza.

    `parts` are the heads of its other stanzas, where its configuration stands in several places (a row of each table).
    `rows` are lines of these parts that tell of this port: from them count the places in the configuration of a NIC.
    `counters` are by the names that the dump, or the parser where it names none, gives them (`auditor.model.counters`).
    `growths` say how each of them grew since an earlier sample, None without one, and `counted_since` when each was
    cleared, in the words of the dump.
    `other_peers` are neighbours beyond `peer` that one output shows: further LLDP agents on the wire.
    `headroom_limit_bytes` is how much headroom the platform lets all priority groups of the port have together, 0 where
    it has no such limit. `hardware` is the card of a host port, and the module that is plugged in. `mlag` is the number
    by which two switches know the port-channel of the port that they share, PEER_LINK where it joins these two.
    """

    name: str
    config: PortConfig
    where: Where | None = None
    aliases: tuple[str, ...] = ()
    mac: Setting[str] = NOT_COLLECTED
    lag: Setting[str | None] = NOT_COLLECTED
    mlag: Setting[str] = NOT_COLLECTED
    parent: Setting[str | None] = NOT_COLLECTED
    peer: Setting[PeerPort] = NOT_COLLECTED
    other_peers: tuple[Known[PeerPort], ...] = ()
    headroom_limit_bytes: Setting[int] = NOT_COLLECTED
    description: str | None = None
    counters: Mapping[str, Known[int]] | None = None
    growths: Mapping[str, Growth] | None = None
    counted_since: Mapping[str, str] | None = None
    parts: tuple[Where, ...] = ()
    hardware: Hardware = _NO_HARDWARE
    rdma: RdmaDevice = _NO_RDMA
    rows: tuple[Where, ...] = ()

    @property
    def heads(self) -> tuple[Where | None, ...]:
        """The places from which relative ones count, each at the number that these have as their `part`."""
        return (self.where, *self.parts, *map(self.locate, reversed(self.rows)))

    def locate(self, where: Where | None) -> Where | None:
        """Return *where* as an absolute place: relative ones count from this port's stanza."""
        if where is None or not where.relative:
            return where
        if where.part > 0:
            return where.at(self.parts[where.part - 1])
        head = self.locate(self.rows[-1 - where.part]) if where.part else self.where
        return where.at(head) if head else where
