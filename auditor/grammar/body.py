"""The statements of an interface, each with its line."""

from dataclasses import field
from typing import TypeVar

from auditor.grammar.layers import NOTHING
from auditor.model.port import Forwarding, PfcMode
from auditor.model.qos import Scheduler, Threshold, Trust, WredDrop
from auditor.model.setting import Known, Origin, Setting, Where
from auditor.util.values import dataclass

T = TypeVar("T")
DROP_PROFILE = "drop-profile"
"""The kind of name that a queue may use."""


@dataclass(slots=True)
class QueueBody:
    """The statements of one egress queue; `profile` names a drop profile, `drops` are keyed by colour.

    `limit` is what it may hold of the buffer in bytes, `alpha` the factor of what is free, where the limit is dynamic.
    """

    where: Where
    ecn: Setting[bool] = NOTHING
    ecn_min: Setting[Threshold] = NOTHING
    ecn_max: Setting[Threshold] = NOTHING
    probability: Setting[float] = NOTHING
    drops: dict[str, Setting[WredDrop]] = field(default_factory=dict)
    profile: Setting[str] = NOTHING
    scheduler: Setting[Scheduler] = NOTHING
    weight: Setting[int] = NOTHING
    shape_gbps: Setting[float] = NOTHING
    shape_percent: Setting[float] = NOTHING
    reserved: Setting[int] = NOTHING
    limit: Setting[int] = NOTHING
    alpha: Setting[float] = NOTHING


@dataclass(slots=True)
class BufferBody:
    """The statements of one priority's buffer on arrival, sizes in bytes.

    `xoff` is the depth at which it pauses, or `alpha` the factor of what is free; `xon` is the depth at which it
    resumes, or `xon_offset` how far that is below. `headroom` is what it holds beyond the pause.
    """

    where: Where
    reserved: Setting[int] = NOTHING
    headroom: Setting[int] = NOTHING
    xoff: Setting[int] = NOTHING
    alpha: Setting[float] = NOTHING
    xon: Setting[int] = NOTHING
    xon_offset: Setting[int] = NOTHING


@dataclass(slots=True)
class QueueStatements:
    """The statements of a profile or of the whole switch on its egress queues."""

    where: Where
    queues: dict[int, QueueBody] = field(default_factory=dict)

    def queue(self, number: int, where: Where) -> QueueBody:
        """Return the statements of a queue, begun at *where* if there are none yet."""
        return self.queues.setdefault(number, QueueBody(where))


@dataclass(slots=True)
class PortStatements:
    """The statements of a stanza of interfaces that every command line has."""

    where: Where
    enabled: Setting[bool] = NOTHING
    speed_gbps: Setting[float] = NOTHING
    mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    tagged: Setting[bool] = NOTHING
    pause_rx: Setting[bool] = NOTHING
    pause_tx: Setting[bool] = NOTHING
    pfc_mode: Setting[PfcMode] = NOTHING


@dataclass(slots=True)
class PortBody(PortStatements):
    """The statements of one stanza that ports with equal stanzas share.

    `no_drop` is keyed by priority, and so are `honoured_only`, whose pauses the port obeys and does not send, and
    `sent_only`, where it is the other way about. `names` holds the named objects that the port uses, by their kind.
    `policy` is a traffic policy that sorts arriving packets, `policy_out` one for those that leave, `shape_gbps` the
    rate of all that the port sends. `buffers` are those on arrival, by priority, whose headroom is for a cable of
    `cable_m`. `untrusted` is the class of what arrives with a marking that is not read, and `leaving` which of a
    packet's markings the port rewrites as it leaves.
    """

    ip_mtu: Setting[int] = NOTHING
    max_frame: Setting[int] = NOTHING
    trust: Setting[Trust] = NOTHING
    policy: Setting[str] = NOTHING
    policy_out: Setting[str] = NOTHING
    no_drop: dict[int, Setting[bool]] = field(default_factory=dict)
    honoured_only: dict[int, Setting[bool]] = field(default_factory=dict)
    sent_only: dict[int, Setting[bool]] = field(default_factory=dict)
    watchdog: Setting[bool] = NOTHING
    rewrite: Setting[bool] = NOTHING
    untrusted: Setting[int] = NOTHING
    leaving: dict[str, Setting[bool]] = field(default_factory=dict)
    names: dict[str, Setting[str]] = field(default_factory=dict)
    queues: dict[int, QueueBody] = field(default_factory=dict)
    buffers: dict[int, BufferBody] = field(default_factory=dict)
    cable_m: Setting[float] = NOTHING
    shape_gbps: Setting[float] = NOTHING
    fec: Setting[str] = NOTHING
    negotiates: Setting[bool] = NOTHING
    loopback: Setting[bool] = NOTHING

    def queue(self, number: int, where: Where) -> QueueBody:
        """Return the statements of a queue, begun at *where* if there are none yet."""
        return self.queues.setdefault(number, QueueBody(where))

    def buffer(self, priority: int, where: Where) -> BufferBody:
        """Return the statements of a priority's buffer, begun at *where* if there are none yet."""
        return self.buffers.setdefault(priority, BufferBody(where))


@dataclass(slots=True)
class Own:
    """The statements in which ports with else equal stanzas differ."""

    lag: Setting[str] = NOTHING
    mlag: Setting[str] = NOTHING
    description: Setting[str] = NOTHING


def intend(value: T, where: Where) -> Known[T]:
    """Return a configured value with its line."""
    return Known(value, Origin.INTENDED, where)
