"""Findings as they leave the program, and their causes."""

from auditor.diagnosis.counters import CounterVerdict
from auditor.diagnosis.edit import Edit
from auditor.diagnosis.impact import FREE, Impact
from auditor.diagnosis.physical import PhysicalFact
from auditor.diagnosis.remedies import Remedy
from auditor.fabric.reach import Share
from auditor.model.finding import Facts, FindingKind, Level, LossKind, Symptom
from auditor.util.natsort import natural
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a dump, with a message; `is_at_odds` and `is_alike` as in `auditor.model.finding.Related`."""

    message: str
    file: str
    line: int
    is_at_odds: bool = False
    is_alike: bool = False


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding as it leaves the program; `file` and `line` (from 1) are its one primary place, None where it has none.

    `fingerprint` stays the same while rule, device, object and key do, wherever the line moves. `impact` is what the
    failure costs, None where the loss model has nothing to say. `ignored` is the reason for which a site lives with it.
    `by_inference`: it rests on what the fabric is taken to be, because nobody declared it. `peer` is the device at the
    other end of the cable at `port`, empty where none is known. `is_new` says whether a comparison finds it on the
    later side alone; None: nothing was compared. `counters` is what those of the dumps say of the fault that `symptom`
    would show, None where none was captured that could. `is_of_base`: the place is one of the base of the comparison.
    `is_certain`: it keeps its level although it rests on an inferred intent. `facts` are what its remedy needs to know.
    `gives_way`: a finding of another rule at the same line of the same port stands in its place. `physical` are facts
    at both ends of the cable at `port` that may explain the failure. `circle` are ports that wait for each other.
    """

    level: Level
    kind: FindingKind
    rule: str
    name: str
    pack: str
    device: str
    port: str | None
    message: str
    file: str | None
    line: int | None
    related: tuple[Place, ...]
    fingerprint: str
    loss: LossKind | None = None
    impact: Impact | None = None
    ignored: str = ""
    by_inference: bool = False
    peer: str = ""
    is_new: bool | None = None
    symptom: Symptom | None = None
    counters: CounterVerdict | None = None
    is_of_base: bool = False
    is_certain: bool = False
    facts: Facts = ()
    gives_way: bool = False
    physical: tuple[PhysicalFact, ...] = ()
    circle: tuple[tuple[str, str], ...] = ()

    @property
    def cost_rank(self) -> tuple[float, ...]:
        """A sorting key that puts the greatest loss of goodput first."""
        return self.impact.rank if self.impact else FREE


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Edits of a configuration file; `shown` are the first and last lines of the parts that a change shows of it.

    `shown` is None where nothing was compared.
    """

    file: str
    edits: tuple[Edit, ...]
    shown: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """What is wrong at one place, with all *findings* that go when it is fixed.

    `file` and `line` are the place, and `root` is the finding that speaks of it. Causes of a fleet have findings at
    several devices of one role; their place is that of the first. `id` stays the same as fingerprints do. `also` are
    causes to be fixed as well before the findings go. `remedy` are the lines to type, None where the rule has none for
    the system. `hosts` are those whose flows meet the place: at its ports, or behind its switch; `jobs` may run on
    these. `share` says how many of the uplinks of one switch its ports are, None for other ports. `template` is what
    the configurations say that they are generated from, None where they name none, or not the same one. `fix` are edits
    of files that an audit found to cure it; empty where none were sought. `owners` are in charge of its places.
    """

    id: str
    root: ReportedFinding
    file: str | None
    line: int | None
    findings: tuple[ReportedFinding, ...]
    also: tuple[str, ...] = ()
    remedy: Remedy | None = None
    hosts: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    share: Share | None = None
    template: str | None = None
    fix: tuple[FileEdit, ...] = ()
    owners: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """The id of the rule that speaks of the place."""
        return self.root.rule

    @property
    def name(self) -> str:
        """The name of that rule."""
        return self.root.name

    @property
    def message(self) -> str:
        """What is wrong there; where worse follows from it, that stands in front."""
        worst = min(self.findings, key=lambda found: found.level.rank)
        own = self.root.message
        return own if worst.level.rank == self.root.level.rank else f"{worst.message}: {own}"

    @property
    def device(self) -> str:
        """The device to edit, the first one of a fleet."""
        return self.root.device

    @property
    def level(self) -> Level:
        """The worst level of its findings."""
        return min((found.level for found in self.findings), key=lambda level: level.rank)

    @property
    def has_spread(self) -> bool:
        """Whether a comparison knows some of its findings, and others are new."""
        return {found.is_new for found in self.findings} >= {True, False}

    @property
    def cost_rank(self) -> tuple[float, ...]:
        """A sorting key that puts the greatest loss of goodput first."""
        return min(found.cost_rank for found in self.findings)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of its findings, those of a fleet by their names."""
        return tuple(sorted({found.device for found in self.findings}, key=natural))

    @property
    def ports(self) -> tuple[tuple[str, str], ...]:
        """The ports of its findings, each with its device."""
        named = {(found.device, found.port) for found in self.findings if found.port}
        return tuple(sorted(named, key=lambda each: (natural(each[0]), natural(each[1]))))
