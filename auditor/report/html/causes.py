"""Causes for the page: where, what it costs and disturbs, what proves it, and what to type."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.checks.catalogue import ANY
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.fix.reach import describe_disruption, find_disturbance
from auditor.engine.fix.values import Disturbance
from auditor.report import counters
from auditor.report.causes import describe_cost, describe_origin, describe_place, fold_ports
from auditor.report.html.index import SIGNS, Index, name_tier
from auditor.report.physical import summarise_physical
from auditor.report.presentation import Presentation, clean_text
from auditor.report.site_address import find_rule_page
from auditor.util.redact import redact
from auditor.util.values import dataclass

FIRST = 10
"""Causes at the top of the page."""
WORDS: Mapping[Disturbance, str] = {
    Disturbance.NONE: "no disturbance known",
    Disturbance.TRAFFIC: "disturbs traffic",
    Disturbance.LINK: "takes the link down",
}
"""What typing the lines does to traffic."""
MOST_PLACES = 12
"""Quoted lines of a cause."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a dump: what it says about the cause, its place, and its text, empty where it is not quoted."""

    message: str
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownPorts:
    """Ports of a device in one line, empty for the device itself; `number` is None for a device without a map."""

    device: str
    number: int | None
    folded: str


@dataclass(frozen=True, slots=True)
class ShownCause:
    """A cause as the page shows it."""

    number: int
    id: str
    rule: str
    page: str
    name: str
    level: str
    sign: str
    state: str
    place: str
    device: str
    devices: Sequence[str]
    tiers: Sequence[str]
    message: str
    why: str
    cost: str
    findings: int
    port_count: int
    ports: Sequence[ShownPorts]
    hosts: Sequence[str]
    jobs: Sequence[str]
    origin: str
    counters: str
    verdict: str
    physical: str
    by_inference: bool
    disturbs: str
    disruption: str
    remedy: str
    remedy_os: str
    is_typed: bool
    likewise: str
    lines: Sequence[ShownLine]
    also: Sequence[int]
    edits: Sequence[str]


def list_causes(index: Index, shown: Presentation) -> list[ShownCause]:
    """Return the causes of the report, the costliest of the worst first."""
    numbers = {cause.id: number for number, cause in enumerate(index.causes)}
    why = {rule.file.id: rule.file.why for rule in index.report.catalogue}
    return [_show(number, cause, index, shown, numbers, why) for number, cause in enumerate(index.causes)]


def _show(  # noqa: PLR0913, PLR0917  what surrounds a cause
    number: int, cause: Cause, index: Index, shown: Presentation, numbers: dict[str, int], why: dict[str, str]
) -> ShownCause:
    remedy = cause.remedy if cause.remedy and cause.remedy.text else None
    judged = [found.counters.verdict.value for found in cause.findings if found.counters]
    return ShownCause(
        number=number,
        id=cause.id,
        rule=cause.rule,
        page=find_rule_page(cause.rule) or "",
        name=cause.name,
        level=cause.level.value,
        sign=SIGNS[cause.level.value],
        state=_describe_state(cause),
        place=describe_place(cause),
        device=cause.device,
        devices=cause.devices,
        tiers=sorted({name_tier(found.tier) for device in cause.devices if (found := index.devices.get(device))}),
        message=cause.message,
        why=why.get(cause.rule, ""),
        cost=describe_cost(cause),
        findings=len(cause.findings),
        port_count=len(cause.ports),
        ports=list(_fold_ports(cause, index)),
        hosts=cause.hosts,
        jobs=cause.jobs,
        origin=describe_origin(cause),
        counters=counters.summarise_group(cause.findings, places=False) or "",
        verdict=next((each for each in ("confirmed", "exposed", "no sign yet") if each in judged), ""),
        physical=summarise_physical(cause.findings, shown.path),
        by_inference=any(found.by_inference for found in cause.findings),
        disturbs=WORDS[find_disturbance(remedy.text)] if remedy else "",
        disruption=describe_disruption(remedy.text) if remedy else "",
        remedy="\n".join(clean_text(line) for line in redact(remedy.text).splitlines()) if remedy else "",
        remedy_os=remedy.os if remedy else "",
        is_typed=bool(remedy and remedy.os != ANY),
        likewise=_say_likewise(cause),
        lines=list(_quote(cause, shown)),
        also=[numbers[each] for each in cause.also if each in numbers],
        edits=[line for fix in cause.fix for line in _list_edit(fix.file, shown)],
    )


def _list_edit(file: str, shown: Presentation) -> Iterator[str]:
    yield f"an edit of {shown.path(file)}, audited again: see `check --suggest`"


def _describe_state(cause: Cause) -> str:
    states = {found.is_new for found in cause.findings}
    if states == {None}:
        return ""
    return "spread" if cause.has_spread else "new" if True in states else "unchanged"


def _say_likewise(cause: Cause) -> str:
    """Return where else the same lines are typed, with other names in them; empty where nowhere."""
    remedy = cause.remedy
    if not remedy or not remedy.text or remedy.os == ANY:
        return ""
    words = set(remedy.text.split())
    named = sum(port in words for _, port in cause.ports)
    count, what = (len(cause.ports) - named, "port") if named else (len(cause.devices) - 1, "device")
    return f"{count:,} other {what if count == 1 else f'{what}s'}" if count else ""


def _fold_ports(cause: Cause, index: Index) -> Iterator[ShownPorts]:
    by_device: dict[str, list[str]] = {device: [] for device in cause.devices}
    for device, port in cause.ports:
        by_device[device].append(port)
    for device, ports in by_device.items():
        number = index.numbers[device] if device in index.devices else None
        yield ShownPorts(device, number, fold_ports(ports) if ports else "")


def _quote(cause: Cause, shown: Presentation) -> Iterator[ShownLine]:
    """Yield the line of the cause and those that it does not agree with, each once."""
    first = cause.root
    places = [(first.message if cause.file == first.file else cause.message, cause.file, cause.line)]
    places += [(each.message, each.file, each.line) for each in first.related]
    seen = set()
    for message, file, line in places[:MOST_PLACES]:
        if file is not None and line is not None and (file, line) not in seen:
            seen.add((file, line))
            yield ShownLine(message, f"{shown.path(file)}:{line}", quote(shown, first, file, line))


def quote(shown: Presentation, found: ReportedFinding, file: str, line: int) -> str:
    """Return the text of a line, empty where it is not to be quoted."""
    return "" if found.is_of_base else (shown.source(file, line) or "").strip()
