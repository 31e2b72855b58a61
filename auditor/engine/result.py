"""A report as data: checked objects, findings, and open objects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from auditor.checks.catalogue import Rule
from auditor.diagnosis.impact import FREE
from auditor.engine.campaigns import CampaignState
from auditor.engine.fabric_map import FabricMap
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.result_rows import list_cause_rows, list_finding_rows
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents, Retirement
from auditor.model.extent import AuditedDevice
from auditor.model.finding import FindingKind, Level
from auditor.util.natsort import natural
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Numbers of objects that a rule checked, failed and left open."""

    rule: str
    checked: int
    failed: int
    open: int


@dataclass(frozen=True, slots=True)
class DumpCount:
    """A dump, and the number of its lines in each state."""

    file: str
    os: str
    device: str
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message about the dumps or the change, with its place; None without a place."""

    message: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of what is expected was seen. `missing` says what was not; `is_enough`: the floor of the site is met.

    `max_age_days` is the greatest age of a capture, None for any; then `oldest_days` is the age of the oldest one, None
    where no age is known, and `undated` counts the files of unknown age.
    """

    seen: int
    expected: int
    missing: tuple[Notice, ...]
    is_enough: bool
    max_age_days: int | None = None
    oldest_days: int | None = None
    undated: int = 0

    def __str__(self) -> str:
        """Return the numbers in words."""
        words = [f"seen {self.seen} of {self.expected} expected devices"] if self.expected else []
        words += [f"oldest capture {format_days(self.oldest_days)}"] if self.oldest_days is not None else []
        words += [f"{count_files(self.undated)} of unknown age"] if self.undated else []
        return ", ".join(words)

    def explain_unmet(self) -> Iterator[str]:
        """Yield a message for each expectation that is not met."""
        if not self.is_enough:
            yield f"{self}, which is below the floor of `expect:`; give the missing dumps"
        if self.max_age_days is None:
            return
        limit = f"`expect:` allows {format_days(self.max_age_days)}"
        if self.oldest_days is not None and self.oldest_days > self.max_age_days:
            yield f"oldest capture {format_days(self.oldest_days)}, but {limit}; take the captures again"
        if self.undated:
            how = "take them with `roce-audit pull` or the script of `roce-audit collect-script`"
            yield f"{count_files(self.undated)} of unknown age, but {limit}; {how}"


def format_days(count: int) -> str:
    """Return a number of days in words."""
    return "1 day" if count == 1 else f"{count} days"


def count_files(count: int) -> str:
    """Return a number of files in words."""
    return "1 file" if count == 1 else f"{count} files"


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """The comparison with a base: its name, the gone failures, and the edits of intent and ignores.

    `lost` are failures that can no longer be judged: the device is gone, or what its dumps say leaves the rule open.
    `edits` are changes to intent and ignores, which are part of the change that is judged by them.
    """

    base: str
    fixed: tuple[ReportedFinding, ...] = ()
    lost: tuple[ReportedFinding, ...] = ()
    edits: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The whole result of an audit.

    `problems` are dumps that could not be read and checks of a site that raised something: they make exit status 2.
    `skipped` are files that are no dumps, and ports whose RDMA is no RoCE.
    `unseen` are neighbours of which no dump was given, and what the site expects besides; `expectation` says how much
    of that was seen, None where the site expects nothing. `causes` are those of the failures, the worst first.
    `campaigns` are those of the site with how far each has come. `fabric_map` is there where the options ask for it.
    `audited` are the devices and ports that were judged, and `retired` those that may leave, for a later comparison.
    `catalogue` are the rules that ran, `judged_by` the intents as campaigns leave them, and `inputs` the dumps:
    renderers explain findings by them and quote their lines.
    """

    intent: Mapping[str, Any]
    devices: int
    ports: int
    links: int
    rules: tuple[RuleCount, ...]
    findings: tuple[ReportedFinding, ...]
    dumps: tuple[DumpCount, ...]
    warnings: tuple[Notice, ...] = ()
    problems: tuple[Notice, ...] = ()
    skipped: tuple[Notice, ...] = ()
    unseen: tuple[Notice, ...] = ()
    expectation: Sight | None = None
    compared: ReportComparison | None = None
    causes: tuple[Cause, ...] = ()
    campaigns: tuple[CampaignState, ...] = ()
    fabric_map: FabricMap | None = field(default=None, repr=False)
    audited: tuple[AuditedDevice, ...] = field(default=(), repr=False, compare=False)
    retired: tuple[Retirement, ...] = field(default=(), repr=False, compare=False)
    catalogue: tuple[Rule, ...] = field(default=(), repr=False, compare=False)
    judged_by: Intents | None = field(default=None, repr=False, compare=False)
    inputs: Snapshot = field(default=Snapshot(()), repr=False, compare=False)

    @property
    def sight(self) -> str:
        """How much of what the site expects was seen, in words; empty where it expects nothing."""
        return str(self.expectation or "")

    def of_kind(self, kind: FindingKind) -> tuple[ReportedFinding, ...]:
        """Return the findings of one kind."""
        return tuple(f for f in self.findings if f.kind is kind)

    @property
    def relevant(self) -> tuple[ReportedFinding, ...]:
        """The failures that decide the exit status: all, or the new ones after a comparison."""
        return tuple(f for f in self.of_kind(FindingKind.FAIL) if f.is_new is not False)

    @property
    def relevant_causes(self) -> tuple[Cause, ...]:
        """The causes of failures that decide the exit status: all, or those with a new failure after a comparison."""
        return tuple(cause for cause in self.causes if any(found.is_new is not False for found in cause.findings))

    @property
    def is_clean(self) -> bool:
        """Whether the fabric is clean: a declared intent, a checked object, no finding, no problem."""
        checked = any(count.checked for count in self.rules)
        return bool(self.intent["declared"]) and checked and not self.problems and not self.findings

    def count_levels(self) -> Mapping[str, int]:
        """Return the number of failures of each level."""
        return count_by_level(self.of_kind(FindingKind.FAIL))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return each finding as a flat dictionary of texts, numbers, booleans and None, with the same keys in each.

        The keys are those of `ReportedFinding` without its related places; secrets in texts are blanked.
        `goodput_lost`, with `goodput_lost_low` and `goodput_lost_high`, is the lost fraction of RDMA goodput for
        `INCASTS[0]` senders; `counters` is the verdict of the device's own counters; `cause` is the id of its cause.
        """
        return list_finding_rows(self.findings, self.causes)

    def list_causes(self) -> list[dict[str, Any]]:
        """Return each cause, the worst first, as a flat dictionary with the same keys in each.

        The keys are those of a cause in the JSON report (`roce-audit/report/2`). `findings` lists fingerprints: they
        and `id`, which is `cause` there, lead to the rows of `to_dicts`. `goodput_lost` and its bounds are those of the
        costliest finding; keys that begin with `remedy_` are None where the rule has no remedy for the system. Values
        are texts, numbers, booleans, None, and lists of texts.
        """
        return list_cause_rows(self.causes)


def count_by_level(findings: Sequence[ReportedFinding]) -> Mapping[str, int]:
    """Return the number of *findings* of each level."""
    return {level.value: sum(f.level is level for f in findings) for level in Level}


def sort_worst_first(findings: Sequence[ReportedFinding]) -> tuple[ReportedFinding, ...]:
    """Return findings grouped by device, the device with the worst finding first, then by level, cost, place and rule.

    Of two devices whose worst findings have one level, that with the costliest comes first, then that with more.
    """
    harmless: tuple[int, tuple[float, ...], int] = (len(Level), FREE, 0)
    worst: dict[str, tuple[int, tuple[float, ...], int]] = {}
    for found in findings:
        if found.kind is not FindingKind.FAIL:
            continue
        rank, cost, count = worst.get(found.device, harmless)
        if found.level.rank < rank:
            worst[found.device] = (found.level.rank, found.cost_rank, -1)
        elif found.level.rank == rank:
            worst[found.device] = (rank, min(cost, found.cost_rank), count - 1)
    return tuple(
        sorted(
            findings,
            key=lambda f: (
                worst.get(f.device, harmless),
                natural(f.device),
                f.level.rank,
                f.cost_rank,
                f.file or "",
                f.line or 0,
                f.rule,
                natural(f.port or ""),
            ),
        )
    )
