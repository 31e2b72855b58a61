"""The documents of the report as JSON (schema `roce-audit/report/2`)."""

from typing import Literal

from pydantic import Field

from auditor.diagnosis.counters import Confirmation
from auditor.engine.campaigns import Progress
from auditor.model.finding import FindingKind, Level, LossKind
from auditor.report.band import BandView
from auditor.view.base import ClosedView


class TrafficView(ClosedView):
    """A traffic class of the intent."""

    name: str
    kind: Literal["rdma", "cnp", "storage", "heartbeat", "other"]
    dscp: list[int] | None
    priority: int | None
    lossless: bool | None


class IntentView(ClosedView):
    """What the fabric is meant to be; `declared` false: inferred, `evidence` says from how many ports.

    `changed_rules` says what the site changes of the rules, one line each.
    """

    declared: bool
    preset: str | None
    evidence: list[str]
    traffic: list[TrafficView]
    lossless_priorities: list[int] | None
    design: Literal["lossless", "ecn-only"] | None
    congestion_control: Literal["dcqcn", "rtt", "programmable", "none"] | None
    path_mtu_bytes: int | None
    cable_length_m: float | None
    oversubscription: float | None
    gpus_per_nic: int | None
    incast: int | None
    rails: Literal[True] | None
    homing: Literal["single", "dual"] | None
    roles: list[str | None]
    changed_rules: list[str]


class SummaryView(ClosedView):
    """Counts; `error`, `warning` and `note` count failures."""

    devices: int
    ports: int
    links: int
    error: int
    warning: int
    note: int
    open: int
    ignored: int
    clean: bool = Field(description="an intent is declared, something was checked, nothing is found, ignored or open")


class RuleView(ClosedView):
    """Numbers of objects that a rule checked, failed and left open."""

    rule: str
    checked: int
    failed: int
    open: int
    page: str | None = Field(
        default=None, description="the rule's page in the documentation", exclude_if=lambda page: page is None
    )


class PlaceView(ClosedView):
    """A line of a dump, with a message."""

    message: str
    file: str
    line: int


class SimulationView(ClosedView):
    """A packet simulation with likely inputs: the mean of `seeds` random starts with its range of 95 %.

    The bands beside it hold the ends of the unknown inputs too.
    """

    seeds: int
    goodput_lost: BandView
    events: int
    cut: bool = Field(description="the limit of events ended a run, whose values cover the time until then")


class CostView(ClosedView):
    """What a failure costs while so many senders meet; fractions but for the queue; two significant digits.

    `goodput_lost` is the part of RDMA goodput that is lost beside the same link without the fault.
    """

    senders: int
    goodput_lost: BandView
    loss_ratio: BandView
    pause_fraction: BandView
    peak_queue_bytes: BandView
    goodput_fraction: BandView
    victim_goodput_fraction: BandView
    matters_most: str | None
    simulation: SimulationView | None = Field(default=None, description="null: closed forms")
    why_not_simulated: str | None = Field(default=None, description="null: simulated, or not asked for")


class ImpactView(ClosedView):
    """The cost of a failure for few and for many senders; `why_none` gives the reason for no estimate."""

    fault: LossKind
    why_none: str | None
    costs: list[CostView]
    assumptions: list[str]


class GrowthView(ClosedView):
    """What a counter counted since an earlier sample, in `seconds`; all of its value where it was reset since."""

    count: int
    seconds: float | None = Field(description="null where a sample has no time")
    was_reset: bool


class EvidenceView(ClosedView):
    """A counter of a port, and the line that shows it; counts since it was cleared or the device booted."""

    device: str
    port: str
    name: str
    value: int
    file: str
    line: int
    growth: GrowthView | None = Field(description="null without an earlier sample")
    since: str | None = Field(description="when the counter was cleared, null where the dump does not tell")


class CountersView(ClosedView):
    """The evidence from counters: those that prove the fault, or all candidates without a sign.

    `beside` are counters that explain and prove nothing: microseconds of pauses, bits that error correction corrected.
    """

    verdict: Confirmation
    evidence: list[EvidenceView]
    beside: list[EvidenceView]


class PhysicalView(ClosedView):
    """A value that a port, or the module in it, tells of itself: it may explain a fault, and proves none."""

    device: str
    port: str
    name: str = Field(description="a field of a module in the port view, or a counter")
    value: str | int | float
    unit: str = Field(description="empty for names and counts")
    file: str
    line: int


class PortView(ClosedView):
    """A port of a device."""

    device: str
    port: str


class FindingView(ClosedView):
    """A finding; lines count from 1; a field that does not apply is null."""

    rule: str
    name: str
    pack: str
    level: Level
    kind: FindingKind
    device: str
    port: str | None
    peer: str | None = Field(description="the device at the other end of the cable")
    message: str
    file: str | None
    line: int | None
    related: list[PlaceView]
    fingerprint: str
    ignored: str | None = Field(description="why the site ignores it")
    by_inference: bool = Field(description="it rests on an inferred intent")
    state: Literal["new", "unchanged"] | None = Field(description="null where nothing was compared")
    estimate: ImpactView | None
    counters: CountersView | None = Field(description="null where no counter was captured that could show the fault")
    physical: list[PhysicalView] = Field(
        default_factory=list,
        exclude_if=lambda facts: not facts,
        description="what may explain the fault at both ends of the cable; absent where nothing is known",
    )
    circle: list[PortView] = Field(
        default=[],
        exclude_if=lambda circle: not circle,
        description="ports whose pauses wait for each other, one after the other; absent for other faults",
    )


class RemedyView(ClosedView):
    """What to type for a cause; `os` is `any` for lines that every system shares."""

    os: str
    text: str
    lasts: bool | None = Field(description="whether it outlasts a reboot; null where the remedy does not say")
    maintenance_window: bool


class UplinksView(ClosedView):
    """How many of the uplinks of a switch with hosts the ports of a cause are: flows hash over all of them."""

    device: str
    ports: int
    uplinks: int


class EditView(ClosedView):
    """New lines in place of `count` lines of a file from number `line` on; with a count of 0, before that line."""

    file: str
    line: int
    count: int
    lines: list[str]


class FixView(ClosedView):
    """Edits of the configuration files themselves: an audit with them finds nothing of the cause, and nothing new."""

    state: Literal["re-audited"]
    edits: list[EditView]


class CauseView(ClosedView):
    """What is wrong at one place, with all findings that go when it is fixed; of a fleet, the first of its places."""

    id: str = Field(description="stays the same as fingerprints do")
    rule: str
    name: str
    level: Level = Field(description="the worst of its findings")
    device: str
    file: str | None
    line: int | None
    devices: list[str]
    ports: list[PortView]
    message: str
    findings: list[str] = Field(description="their fingerprints")
    also: list[str] = Field(description="causes to be fixed as well before the findings go")
    cost: ImpactView | None = Field(description="that of the costliest finding")
    hosts: list[str] = Field(description="hosts whose flows meet the place")
    jobs: list[str] = Field(description="jobs that may run on these hosts")
    uplinks: UplinksView | None = Field(description="its ports among the uplinks of one switch; null: other ports")
    template: str | None = Field(description="what the configurations say that they are generated from")
    owners: list[str] = Field(
        default=[], description="who is in charge of its places (`owners:`)", exclude_if=lambda owners: not owners
    )
    remedy: RemedyView | None
    fix: FixView | None = Field(description="edits of files that cure it (`check --suggest`); null: none is known")


class DumpView(ClosedView):
    """A dump, and the number of its lines in each state."""

    file: str
    os: str
    device: str
    states: dict[str, int]
    captured: str | None = Field(
        default=None, exclude_if=lambda day: day is None, description="its day; absent where no record proves one"
    )


class NoticeView(ClosedView):
    """A warning, an unreadable dump, a skipped file, or neighbours that were not seen."""

    message: str
    file: str | None
    line: int | None


class ComparisonView(ClosedView):
    """The base of the comparison, the gone failures, and the edits of intent and ignores."""

    base: str
    new: int
    unchanged: int
    fixed: list[FindingView]
    lost: list[FindingView] = Field(description="gone with their device, or open now")
    edits: list[NoticeView]


class ExpectationView(ClosedView):
    """What the site expects every audit to see, and how much of it was seen."""

    seen: int = Field(description="expected devices of which a dump was given, with the captures expected of them")
    expected: int
    max_age_days: int | None = Field(description="the greatest age of a capture, null for any")
    oldest_days: int | None = Field(description="the age of the oldest capture, null where none is known or asked for")
    undated: int = Field(description="files of unknown age")
    met: bool


class MovementView(ClosedView):
    """A device of a campaign, and how far it has come; of a version the one that it has, with its line."""

    device: str
    stage: str | None
    progress: Progress
    shown: str | None
    file: str | None
    line: int | None


class MixedJobView(ClosedView):
    """A job that may run on devices that have moved and on others, and the versions that these show."""

    job: str
    versions: list[str]


class CampaignView(ClosedView):
    """A campaign of the site."""

    name: str
    reason: str
    until: str = Field(description="its last day")
    begun: bool
    over: bool
    counts: dict[Progress, int]
    devices: list[MovementView]
    mixed_jobs: list[MixedJobView] = Field(description="jobs that may run on devices that have moved and on others")


class ReportView(ClosedView):
    """The whole report."""

    schema_: Literal["roce-audit/report/2"] = Field(default="roce-audit/report/2", alias="schema")
    intent: IntentView
    summary: SummaryView
    rules: list[RuleView]
    findings: list[FindingView]
    causes: list[CauseView] = Field(description="causes of the failures, the worst first")
    dumps: list[DumpView]
    warnings: list[NoticeView]
    problems: list[NoticeView]
    skipped: list[NoticeView]
    unseen: list[NoticeView] = Field(description="neighbours of which no dump was given, and what `expect:` misses")
    sight: str = Field(
        description="how much of what the site expects was seen, in words; empty where it expects nothing"
    )
    expectation: ExpectationView | None
    campaigns: list[CampaignView] = Field(
        default=[], description="`campaigns:` of the intent", exclude_if=lambda campaigns: not campaigns
    )
    compared: ComparisonView | None
