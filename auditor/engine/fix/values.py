"""Fixes as values: what was tried of each cause, and the plan."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum

from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.inputs.snapshot import Snapshot
from auditor.util.values import dataclass


class FixState(StrEnum):
    """What became of a cause when its remedy was typed into the dumps."""

    RE_AUDITED = "re-audited"
    """Its findings are gone, and no other came."""
    SIMULATED = "simulated"
    """The same, where the stated effect of a host's tools was laid over its captures."""
    PARTLY = "partly"
    """Some remain, or others came."""
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Step:
    """Lines to type at one device."""

    device: str
    os: str
    text: str


class Disturbance(IntEnum):
    """What the comments of lines say of the traffic while they take effect."""

    NONE = 0
    TRAFFIC = 1
    LINK = 2
    """The link goes down."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Lines that cure a cause alone, the ports whose settings they change, and what they disturb."""

    steps: tuple[Step, ...]
    changed: tuple[tuple[str, str], ...]
    disturbance: Disturbance


@dataclass(frozen=True, slots=True)
class FixedCause:
    """A cause with what was tried; `why` says why nothing was. `remain` and `come` are findings after it.

    `excludes` are the ids of causes whose lines and these undo each other: one of them has to be chosen.
    `alternatives` are other lines that cure it; where there are some, `changed` are the ports that its own ones change.
    """

    cause: Cause
    state: FixState
    steps: tuple[Step, ...] = ()
    why: str = ""
    remain: tuple[ReportedFinding, ...] = ()
    come: tuple[ReportedFinding, ...] = ()
    excludes: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()

    @property
    def is_cured(self) -> bool:
        """Whether a second audit found nothing left of the cause and nothing new."""
        return self.state in {FixState.RE_AUDITED, FixState.SIMULATED}

    @property
    def is_gain(self) -> bool:
        """Whether its lines belong into the plan: what is left and what comes is less severe than what was there."""
        left = (found.level.rank for found in (*self.remain, *self.come))
        return self.is_cured or (self.state is FixState.PARTLY and min(left) > self.cause.level.rank)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a step touches: ports of its device, hosts at these ports, and jobs that may run on these hosts.

    `changed` are the ports whose settings it changes, as the audit after it reads them: more than `ports`, which have
    the findings, where many share what is edited. `disrupts` is what its lines say of a disturbance, empty where they
    say nothing. `drain` are the hosts whose link drops, and that have no second way into the fabric for that rail.
    `see` are commands that show the effect.
    """

    ports: tuple[str, ...]
    hosts: tuple[str, ...]
    jobs: tuple[str, ...]
    disrupts: str = ""
    drain: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stanza:
    """A part of a dump that a step changes; `sha256` is that of its redacted lines, None where the dump lacks it."""

    name: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """What is typed at one device before anything is typed at the next one; `number` counts from 1.

    `is_canary`: the first of several devices with one cause. `after` counts the findings of each level once this step
    and all before it are typed; None where that was not audited. `passing` are findings that come here and go with a
    later step. `undo` are the lines that take it back, None where only the device's own means do.
    """

    number: int
    device: str
    os: str
    causes: tuple[Cause, ...]
    text: str
    reach: Reach
    stanzas: tuple[Stanza, ...]
    undo: tuple[str, ...] | None
    is_canary: bool = False
    after: Mapping[str, int] | None = None
    passing: tuple[ReportedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class FixPlan:
    """The causes in dumps with their fixes, the order to type them in, and the report on the dumps after all steps.

    `fabric` is that of `before`; `typed` are its dumps after all steps, one for one.
    """

    before: Report
    fixes: tuple[FixedCause, ...]
    steps: tuple[PlannedStep, ...]
    after: Report
    fabric: JudgedFabric
    typed: Snapshot

    @property
    def remaining_errors(self) -> int:
        """How many errors would remain."""
        return self.after.count_levels()["error"]
