"""Fixes for people: what was tried of each cause, the order to type them in, and what to type at each device."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from auditor.diagnosis.remedies import list_typed
from auditor.engine.findings import ReportedFinding
from auditor.engine.fix.values import Disturbance, FixedCause, FixPlan, FixState, PlannedStep
from auditor.report.causes import describe_origin, describe_place, fold_ports
from auditor.report.fix import READING, is_irreversible
from auditor.report.presentation import clean_text
from auditor.report.quote import join_port_names
from auditor.systems import systems
from auditor.systems.system import ChangeControl
from auditor.util.redact import redact

STOP = (
    "One step at a time. Stop, and take the step back, where discards, pauses or timeouts grow that did not grow "
    "before (`roce-audit pull --twice 60`), where a link stays down, or where an audit of new dumps says more than the "
    "step does."
)
OPEN_END = (
    "Nothing marks the end of a configuration of this system, so one that was cut short between two lines reads as "
    "whole: see that its last line is the device's."
)
_NAMED = 6
"""Names that are written out; of more, the first ones and their number."""


def render(plan: FixPlan) -> str:
    """Return *plan* as Markdown, which reads as text."""
    return "\n".join((*_list_head(plan), *_list_fixes(plan.fixes), *_list_steps(plan), *_list_devices(plan)))


def _list_head(plan: FixPlan) -> Iterator[str]:
    states = Counter(each.state for each in plan.fixes)
    counted = ", ".join(f"{states[state]} {state.value}" for state in FixState if states[state]) or "none"
    before, after = (_format_levels(report.count_levels()) for report in (plan.before, plan.after))
    yield from (
        "# Fix plan",
        "",
        f"{len(plan.fixes)} {'cause' if len(plan.fixes) == 1 else 'causes'}: {counted}.",
        f"Findings before: {before}; after: {after}.",
    )
    yield from ("", READING, "")


def _format_levels(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {level if count == 1 else f'{level}s'}" for level, count in counts.items())


def _list_fixes(fixes: Sequence[FixedCause]) -> Iterator[str]:
    yield from ("## Causes", "")
    for each in fixes:
        cause = each.cause
        yield f"- {cause.id} {cause.level.value}[{cause.rule}] {describe_place(cause)}: {clean_text(cause.message)}"
        if origin := describe_origin(cause):
            yield f"  {origin}"
        yield f"  {each.state.value}{f': {each.why}' if each.why else ''}"
        if each.alternatives:
            yield f"  its lines change {_count_ports(each.changed)}"
        for other in each.alternatives:
            typed = " / ".join(line.strip() for step in other.steps for line in list_typed(redact(step.text)))
            yield f"  or, changing {_count_ports(other.changed)}{_WORDS[other.disturbance]}: {clean_text(typed)}"
        if each.excludes:
            yield f"  excludes {', '.join(each.excludes)}: their lines and these undo each other; choose one"
        for word, found in (("remains", each.remain), ("comes", each.come)):
            yield from (f"  {word}: {line}" for line in _fold(found))
    yield ""


_WORDS = {
    Disturbance.NONE: "",
    Disturbance.TRAFFIC: ", in a maintenance window",
    Disturbance.LINK: ", while the link goes down",
}


def _count_ports(ports: Sequence[tuple[str, str]]) -> str:
    """Return how many ports these are."""
    if not ports:
        return "no port"
    return "1 port" if len(ports) == 1 else f"{len(ports)} ports"


def _fold(found: Sequence[ReportedFinding]) -> Iterator[str]:
    """Yield a line for each kind of finding, with its number of ports."""
    counted = Counter((each.rule, each.device, clean_text(each.message)) for each in found)
    for (rule, device, message), count in counted.items():
        many = f" ({count} ports)" if count > 1 else ""
        yield f"{rule} {device}: {message}{many}"


def _list_steps(plan: FixPlan) -> Iterator[str]:
    if not plan.steps:
        return
    yield from ("## Order", "", STOP, "")
    for step in plan.steps:
        rules = ", ".join(dict.fromkeys(cause.rule for cause in step.causes))
        first = ", the first of several: look at it before the others" if step.is_canary else ""
        yield f"{step.number}. {clean_text(step.device)}: {rules}{first}"
        yield from (f"   {line}" for line in _describe_step(step))
    yield ""


def _describe_step(step: PlannedStep) -> Iterator[str]:
    reach = step.reach
    touched = [
        f"{len(names)} {what if len(names) == 1 else f'{what}s'} ({_join(names)})"
        for names, what in ((reach.hosts, "host"), (reach.jobs, "job"))
        if names and names != (step.device,)
    ]
    ports = [fold_ports(reach.ports)] if reach.ports else ["the device"]
    yield f"touches {', '.join((*ports, *touched))}"
    if not set(reach.changed) <= set(reach.ports):
        yield f"changes {fold_ports(reach.changed)}, which share what is edited"
    if reach.disrupts:
        yield f"disturbs: {clean_text(reach.disrupts)}"
    if reach.drain:
        yield f"drain {_join(reach.drain)} first: the rail has no second leaf"
    if reach.see:
        yield f"see: {'; '.join(f'`{clean_text(command)}`' for command in reach.see)}"
    if templates := sorted({cause.template for cause in step.causes if cause.template}):
        yield f"change {' and '.join(templates)} as well: what is generated next would take this step back"
    if is_irreversible(step):
        yield "irreversible by lines of this plan: note the state before"
    yield f"then: {_format_levels(step.after)}" if step.after is not None else "not audited by itself"
    yield from (f"for the time being: {line}" for line in _fold(step.passing))


def _join(names: Sequence[str]) -> str:
    folded = clean_text(join_port_names(names))
    shown = ", ".join(map(clean_text, names[:_NAMED]))
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED and len(folded) > len(shown) else folded


def _list_devices(plan: FixPlan) -> Iterator[str]:
    for device, steps in group_by_device(plan).items():
        yield from (f"## {clean_text(device)}", "")
        syntax = systems()[steps[0].os].remedies
        yield from _list_control(syntax.control if syntax else None)
        if syntax and syntax.ends_open:
            yield from (OPEN_END, "")
        yield from ("```text", *format_commands(steps).splitlines(), "```", "")


def _list_control(control: ChangeControl | None) -> Iterator[str]:
    if control is None:
        return
    yield f"Keep the state before: `{control.keep}`. Look at the change: `{control.look}`."
    yield f"Take it back: `{control.undo}`. Save it: `{control.save}`."
    yield ""


def group_by_device(plan: FixPlan) -> Mapping[str, Sequence[PlannedStep]]:
    """Return the steps by their devices, in their order."""
    found: dict[str, list[PlannedStep]] = {}
    for step in plan.steps:
        found.setdefault(step.device, []).append(step)
    return found


def format_commands(steps: Sequence[PlannedStep]) -> str:
    """Return the lines to type at one device, those of each step below a comment with its number and causes."""
    return "".join(f"{_head(step)}\n{redact(step.text)}\n" for step in steps)


def format_undo(steps: Sequence[PlannedStep]) -> str:
    """Return the lines that take *steps* of one device back, those of the last one first."""
    syntax = systems()[steps[0].os].remedies
    control = syntax.control if syntax else None
    if control and all(step.undo is None for step in steps):
        sign = _sign(steps[0])
        return (
            f"{sign} kept before the change: {control.keep}\n{control.undo}\n"
            f"{sign} what runs is as before; for the next boot too: {control.save}\n"
        )
    return "".join(_format_undone(step) for step in reversed(steps))


def _format_undone(step: PlannedStep) -> str:
    if step.undo is None:
        return f"{_head(step)}\n{_sign(step)} irreversible: no line takes it back; note the state before\n"
    return f"{_head(step)}\n" + "".join(f"{redact(line)}\n" for line in step.undo)


def _head(step: PlannedStep) -> str:
    causes = ", ".join(f"{cause.id} {cause.rule}" for cause in step.causes)
    return f"{_sign(step)} step {step.number}: {causes}"


def _sign(step: PlannedStep) -> str:
    """Return what begins a comment in the syntax of a step."""
    comments = {line.lstrip()[0] for line in step.text.splitlines() if line.strip()} & {"#", "!"}
    return "#" if "#" in comments or step.os in _HASH else "!"


_HASH = frozenset({"sonic", "cumulus_nvue", "juniper_junos", "hp_comware", "huawei_vrp", "linux"})
