"""The intent of a fabric as data: traffic classes, design, congestion control, and roles that differ."""

from collections.abc import Collection
from dataclasses import field, replace
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase

from auditor.intent.ignore import Ignore
from auditor.model.fabric import End
from auditor.model.finding import Level
from auditor.model.nic import CcEngine
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Setting, Unknown, Where, value_of
from auditor.util.values import dataclass


class TrafficKind(StrEnum):
    """The kind of traffic in a class."""

    RDMA = "rdma"
    CNP = "cnp"
    STORAGE = "storage"
    HEARTBEAT = "heartbeat"
    OTHER = "other"


class Design(StrEnum):
    """The protection of RDMA under congestion: PFC, or ECN alone."""

    LOSSLESS = "lossless"
    ECN_ONLY = "ecn-only"


class Homing(StrEnum):
    """The number of leaves of a host."""

    SINGLE = "single"
    DUAL = "dual"


NO_DESIGN = Unknown("the intent says nothing of the design")
NO_CONTROL = Unknown("the intent says nothing of congestion control")


@dataclass(frozen=True, slots=True)
class Traffic:
    """A traffic class of the fabric: how it is marked, the priority it belongs to, and whether it may be dropped.

    `family` is the version of IP of the packets that are looked at.
    """

    name: str
    kind: TrafficKind
    dscp: Setting[tuple[int, ...]]
    priority: Setting[int]
    lossless: Setting[bool]
    family: IpFamily = IpFamily.IPV4

    @property
    def title(self) -> str:
        """The name, with the version of IP for IPv6."""
        return f"{self.name} over IPv6" if self.family is IpFamily.IPV6 else self.name

    def by_dscp(self) -> "tuple[Traffic, ...]":
        """Return the class once for each of its DSCPs; unchanged without a known DSCP."""
        if not isinstance(self.dscp, Known):
            return (self,)
        return tuple(replace(self, dscp=replace(self.dscp, value=(point,))) for point in self.dscp.value)


@dataclass(frozen=True, slots=True)
class Decision:
    """A field that one level (`fabric`, `site ams1`, ...) sets: its value in words, its line, and why."""

    what: str
    value: str
    level: str
    file: str
    line: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """The intent for one device.

    `lossless` are the priorities that never drop; `path_mtu_bytes` the RDMA payload per packet (256 to 4096);
    `cable_length_m` what a port's cable is taken to be where nothing tells. `evidence` says, for an inferred intent,
    from how many ports each value was taken. Matters of design are declared, or nobody asks for them:
    `oversubscription`, how much more capacity may lead down than up at a switch (1: none), how many GPUs share a NIC,
    `incast`, how many senders may start at once towards one NIC without being paused, rails and homing. `ip` are the
    versions of IP that RDMA uses, none where nothing tells. `nothing_marks`: nobody says what slows senders down, no
    queue marks and no NIC answers marks. `decided` are the lines that declare it, level by level.
    """

    declared: bool
    evidence: tuple[str, ...]
    traffic: tuple[Traffic, ...]
    lossless: Setting[tuple[int, ...]]
    path_mtu_bytes: Setting[int]
    cable_length_m: Setting[float]
    role: str | None = None
    design: Setting[Design] = NO_DESIGN
    congestion_control: Setting[CcEngine] = NO_CONTROL
    preset: str | None = None
    oversubscription: float | None = None
    gpus_per_nic: int | None = None
    incast: int | None = None
    rails: bool = False
    homing: Homing | None = None
    ip: tuple[IpFamily, ...] = ()
    nothing_marks: bool = False
    decided: tuple[Decision, ...] = field(default=(), repr=False, compare=False)

    @property
    def families(self) -> tuple[IpFamily, ...]:
        """The versions of IP that RDMA uses (default: IPv4)."""
        return self.ip or (IpFamily.IPV4,)

    def of_kind(self, *kinds: TrafficKind) -> tuple[Traffic, ...]:
        """Return the traffic classes of *kinds*."""
        return tuple(t for t in self.traffic if t.kind in kinds)

    @property
    def is_ecn_only(self) -> bool:
        """Whether the intent declares a fabric without pauses."""
        return self.declared and value_of(self.design) is Design.ECN_ONLY

    @property
    def uses_dcqcn(self) -> bool:
        """Whether senders slow down by marks and CNPs (default: True)."""
        is_meant = not self.declared or value_of(self.congestion_control) in {None, CcEngine.DCQCN}
        return is_meant and not self.nothing_marks


@dataclass(frozen=True, slots=True)
class Role:
    """The intent for the devices whose names match one of the patterns, and one of each group in `within`."""

    devices: tuple[str, ...]
    intent: Intent
    within: tuple[tuple[str, ...], ...] = ()

    def covers(self, device: str) -> bool:
        """Return whether this is the intent for *device*, unless another one comes first."""
        groups = (self.devices, *self.within)
        return all(any(fnmatchcase(device, pattern) for pattern in patterns) for patterns in groups)


@dataclass(frozen=True, slots=True)
class Stage:
    """Devices that move together in a campaign."""

    name: str
    devices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Campaign:
    """What devices move to until a day: another intent (None: the same), versions of firmware and of systems.

    The names of its devices match each group of `within`. `done` are those that have moved. `firmware` has versions by
    model of the NIC, `os_versions` by system. `general` and `roles` are all intents as they are meant afterwards.
    """

    name: str
    reason: str
    until: date
    start: date | None
    within: tuple[tuple[str, ...], ...]
    stages: tuple[Stage, ...] = ()
    done: tuple[str, ...] = ()
    general: Intent | None = None
    roles: tuple[Role, ...] = ()
    firmware: tuple[tuple[str, str], ...] = ()
    os_versions: tuple[tuple[str, str], ...] = ()
    file: str = ""
    line: int = 1

    def covers(self, device: str) -> bool:
        """Return whether *device* is to move."""
        return all(any(fnmatchcase(device, pattern) for pattern in patterns) for patterns in self.within)

    def is_done(self, device: str) -> bool:
        """Return whether *device* is declared to have moved."""
        return any(fnmatchcase(device, pattern) for pattern in self.done)

    def find_stage(self, device: str) -> str:
        """Return the stage of *device*, empty for those without one."""
        found = (s.name for s in self.stages if any(fnmatchcase(device, pattern) for pattern in s.devices))
        return next(found, "")

    def of(self, device: str) -> Intent | None:
        """Return the intent of *device* afterwards; None where the campaign changes no intent."""
        return next((role.intent for role in self.roles if role.covers(device)), self.general)


@dataclass(frozen=True, slots=True)
class DueVersion:
    """A version that a device should have by now: it is declared to have it, or the campaign is over.

    `shown` is the one that it has, with its line; `is_late`: it has another one.
    """

    device: str
    port: str
    shown: str
    where: Where | None
    wanted: str
    campaign: str
    why: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class RuleTuning:
    """The changes of a site to one rule, by id or name, with their line; None and empty values keep the default."""

    rule: str
    file: str
    line: int
    enabled: bool = True
    level: Level | None = None
    params: tuple[tuple[str, int | float | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Tuning:
    """The changes of a site to the rules; `packs_off` are disabled packs, each with file and line."""

    rules: tuple[RuleTuning, ...] = ()
    packs_off: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CableLength:
    """The length in metres of cables between devices whose names match the two patterns."""

    between: tuple[str, str]
    length_m: float

    def covers(self, a: str, b: str) -> bool:
        """Return whether the patterns match devices *a* and *b*, in either order."""
        one, other = self.between
        return any(fnmatchcase(near, one) and fnmatchcase(far, other) for near, far in ((a, b), (b, a)))


@dataclass(frozen=True, slots=True)
class Retirement:
    """A device, by a pattern, that may leave the audit; only its ports that match `ports` where there are any.

    `expires` is the last day on which they may.
    """

    device: str
    ports: tuple[str, ...]
    reason: str
    file: str
    line: int
    expires: date | None = None

    def covers(self, device: str, port: str | None = None) -> bool:
        """Return whether *port* of *device* may leave; without a port, whether the whole device may."""
        named = fnmatchcase(device, self.device)
        if not self.ports or not named:
            return named
        return port is not None and any(fnmatchcase(port, pattern) for pattern in self.ports)


@dataclass(frozen=True, slots=True)
class Owner:
    """Who is in charge where patterns match the device, the port, and a job where `jobs` names some."""

    owner: str
    devices: tuple[str, ...] = ("*",)
    ports: tuple[str, ...] = ("*",)
    jobs: tuple[str, ...] = ()

    def covers(self, device: str, port: str, jobs: Collection[str]) -> bool:
        """Return whether this is in charge of *port* of *device* (empty: of the device), which *jobs* use."""
        ends = ((device, self.devices), (port, self.ports))
        if not all(any(fnmatchcase(name, pattern) for pattern in patterns) for name, patterns in ends):
            return False
        return not self.jobs or any(fnmatchcase(job, pattern) for job in jobs for pattern in self.jobs)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What an audit must see: which devices, of which commands each must have a capture, and how old a capture may be.

    `devices` are patterns of names with a number, `captures` patterns with the beginnings of commands. `floor` is the
    share of the devices below which the audit fails, of 1. `inventory` is the path of an inventory in `folder`, that of
    the file that declares it; empty without one. `max_age_days` is None where captures of any age are fine. `file` and
    `line` say where the expectation is declared.
    """

    devices: tuple[tuple[str, int], ...]
    captures: tuple[tuple[str, tuple[str, ...]], ...]
    floor: float
    file: str
    line: int
    inventory: str = ""
    folder: str = ""
    max_age_days: int | None = None


@dataclass(frozen=True, slots=True)
class Intents:
    """The intent of a fabric and of its roles, with what else the site declares.

    `expected` is None without `expect:`.
    """

    general: Intent
    roles: tuple[Role, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    tuning: Tuning = Tuning()
    cables: tuple[CableLength, ...] = ()
    links: tuple[tuple[End, End], ...] = ()
    retired: tuple[Retirement, ...] = ()
    expected: Expectation | None = None
    owners: tuple[Owner, ...] = ()
    campaigns: tuple[Campaign, ...] = ()
    due: tuple[DueVersion, ...] = ()

    def find_owner(self, device: str, port: str, jobs: Collection[str] = ()) -> str:
        """Return who is in charge of *port* of *device*, which *jobs* use; empty without an owner."""
        return next((each.owner for each in self.owners if each.covers(device, port, jobs)), "")

    def of(self, device: str) -> Intent:
        """Return the intent of the first role that matches *device*, else the general intent."""
        return next((role.intent for role in self.roles if role.covers(device)), self.general)
