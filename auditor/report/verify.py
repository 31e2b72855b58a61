"""A verification for people: the steps that are not in effect first, each with what the captures show instead."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from auditor.engine.drift.model import Place
from auditor.engine.verify.values import Answer, Observation, Outcome, Stage, Verification, VerifiedStep
from auditor.report.causes import fold_ports
from auditor.report.drift import list_change, name_moment
from auditor.report.presentation import clean_text
from auditor.report.quote import join_port_names
from auditor.util.printable import printable

WIDTH = 100
MOST_SETTINGS = 4
"""Settings of one step that are spelled out."""
_ORDER = tuple(outcome for outcome in Outcome if outcome is not Outcome.IN_EFFECT)


def render(verification: Verification) -> str:
    """Return the verification as text."""
    lines = [describe(verification)]
    for outcome in _ORDER:
        lines += _list_group(outcome, [each for each in verification.steps if each.outcome is outcome])
    done = [each for each in verification.steps if each.outcome is Outcome.IN_EFFECT]
    lines += ["", f"in effect ({len(done)})", *(_clip(f"  {name_step(each)}") for each in done)] if done else []
    lines += _list_unproved(done)
    lines += _list_others(verification)
    return "".join(f"{printable(line)}\n" for line in lines)


def describe(verification: Verification) -> str:
    """Return the result in one line."""
    done = sum(each.outcome is Outcome.IN_EFFECT for each in verification.steps)
    first, last = verification.moments[0], verification.moments[-1]
    span = f"from {name_moment(first)} to {name_moment(last)}"
    return f"{done} of {len(verification.steps)} steps in effect, {span}"


def name_step(verified: VerifiedStep) -> str:
    """Return a step by its name, device and title."""
    title = f": {verified.step.title}" if verified.step.title else ""
    return clean_text(f"{verified.step.name} {verified.step.device}{title}")


def _clip(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 4].rstrip()} ..."


def describe_stages(verified: VerifiedStep) -> str:
    """Return the stages with their answers in one line."""
    return ", ".join(f"{stage.value}: {answer.value}" for stage, answer in verified.stages.items())


def _list_group(outcome: Outcome, steps: Sequence[VerifiedStep]) -> Iterator[str]:
    if not steps:
        return
    yield ""
    yield f"{outcome.value} ({len(steps)})"
    for each in steps:
        yield from wrap(name_step(each), WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        yield from (f"    {line}" for line in list_details(each))


def list_details(verified: VerifiedStep) -> Iterator[str]:
    """Yield what the captures show of a step that is not in effect, a line each."""
    groups = _group(verified.wrong)
    for text, places, first in groups[:MOST_SETTINGS]:
        yield clean_text(f"{_describe_places(places)}{text}")
        if first.found and first.found.file:
            yield clean_text(f"--> {first.found.file}:{first.found.line}")
    if len(groups) > MOST_SETTINGS:
        yield f"and {len(groups) - MOST_SETTINGS} more settings"
    if verified.why:
        yield clean_text(verified.why)
    if verified.stages:
        yield describe_stages(verified)
    if verified.capture:
        yield clean_text(f"capture: {'; '.join(verified.capture)}")


def _group(wrong: Sequence[Observation]) -> list[tuple[str, list[Place], Observation]]:
    """Return each setting in words with the places that show it alike, and the first of them."""
    found: dict[str, tuple[list[Place], Observation]] = {}
    for each in wrong:
        places, _ = found.setdefault(describe_setting(each), ([], each))
        places.append((each.aim.device, each.aim.key[0]))
    return [(text, places, first) for text, (places, first) in found.items()]


def _describe_places(places: Sequence[Place]) -> str:
    """Return ports of the device of a step, or the devices of a listed change with the number of their ports."""
    devices = list(dict.fromkeys(device for device, _ in places))
    ports = [port for _, port in places if port]
    if len(devices) == 1:
        return f"{fold_ports(ports)} " if ports else ""
    return f"{join_port_names(devices)}, {len(ports)} ports: " if ports else f"{join_port_names(devices)}: "


def describe_setting(each: Observation) -> str:
    """Return a setting with its values before and after, and the one that it should have."""
    before = each.aim.before.text if each.aim.before else "unknown"
    now = each.found.text if each.found else "not shown"
    wanted = "another value" if each.aim.after is None else each.aim.after
    return f"{each.aim.key[1]}: {now}, expected {wanted} (before: {before})"


def _list_unproved(done: Sequence[VerifiedStep]) -> Iterator[str]:
    """Yield how many steps in effect lack the proof of a stage."""
    missing = {
        stage: sum(each.stages.get(stage) is Answer.NOT_SHOWN for each in done)
        for stage in (Stage.WRITTEN, Stage.PROGRAMMED, Stage.CLEARED, Stage.QUIET)
    }
    told = ", ".join(f"{stage.value} of {count}" for stage, count in missing.items() if count)
    if told:
        yield f"  not shown: {told}"
    if missing[Stage.QUIET]:
        yield "  a second capture after the change, given behind the first, shows whether counters stand still"


def _list_others(verification: Verification) -> Iterator[str]:
    if verification.others:
        yield ""
        yield f"what else changed ({len(verification.others)})"
        for change in sorted(verification.others, key=lambda each: bool(each.explained_by)):
            yield from list_change(change)
    if verification.unseen:
        yield ""
        yield f"not in the last capture ({len(verification.unseen)})"
        yield from (f"  {clean_text(name)}" for name in verification.unseen)
