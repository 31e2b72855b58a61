"""Steps of a change as values: what each was to set, and what captures show of it."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from auditor.engine.drift.model import Change, Moment
from auditor.inputs.rawtext import Problem
from auditor.util.values import dataclass
from auditor.view.table import Cell, Key


class Stage(StrEnum):
    """How far a change has come."""

    WRITTEN = "written"
    """The next boot will run with it."""
    RUNNING = "running"
    PROGRAMMED = "programmed"
    """Outputs of the hardware's state agree."""
    CLEARED = "cleared"
    """A second audit does not find the causes any more."""
    QUIET = "quiet"
    """The counters that the fault moves stand still between the last two captures."""


class Answer(StrEnum):
    """Whether a stage is reached."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    NOT_SHOWN = "not shown"


class Outcome(StrEnum):
    """What became of a step."""

    IN_EFFECT = "in effect"
    PARTLY = "partly applied"
    NOT_APPLIED = "not applied"
    UNDONE = "undone"
    OTHER = "applied otherwise"
    NOT_SAVED = "not saved"
    WAITS = "waits for a reboot"
    NOT_PROGRAMMED = "not programmed"
    NOT_CLEARED = "fault remains"
    NOT_QUIET = "counters still grow"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Step:
    """Lines for one device, or an approved change; `see` are commands that show the effect."""

    name: str
    device: str
    title: str
    causes: tuple[str, ...] = ()
    os: str = ""
    text: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """A setting that a step changes; `after` is None where any other value than *before* will do."""

    device: str
    key: Key
    before: Cell | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Observation:
    """What the last capture shows of a setting; `found` is None where no capture shows it."""

    aim: Aim
    found: Cell | None
    answer: Answer


@dataclass(frozen=True, slots=True)
class VerifiedStep:
    """A step with its outcome and the stages that it reached.

    `wrong` are the settings that are not as meant, or are not shown, of all `settings`; `why` says in words what the
    outcome rests on, and `capture` what would tell more.
    """

    step: Step
    outcome: Outcome
    stages: Mapping[Stage, Answer] = field(default_factory=dict)
    settings: int = 0
    wrong: tuple[Observation, ...] = ()
    why: str = ""
    capture: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """The steps of a change, and what else changed between the first and the last of `moments`."""

    moments: tuple[Moment, ...]
    steps: tuple[VerifiedStep, ...]
    others: tuple[Change, ...]
    unseen: Sequence[str]
    problems: tuple[Problem, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all steps are in effect."""
        return all(each.outcome is Outcome.IN_EFFECT for each in self.steps)
