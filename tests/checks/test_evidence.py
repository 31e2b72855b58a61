"""A rule without its evidence is open: taking captures away makes no object of a rule's fixtures pass.

From each fixture of each rule, captures are taken away one command at a time, and all commands but one.
"""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.check import check_device, check_fabric
from auditor.engine.load import distinguish_devices, read_device
from auditor.fabric.topology import link_devices, read_links
from auditor.inputs.snapshot import DeviceUnit, find
from auditor.intent import Intents, fill_cable_lengths, parse_intent, settle_intents
from auditor.model.dump import Capture
from auditor.model.fabric import End
from auditor.systems import systems

CASES = sorted(path for path in (Path(__file__).parents[2] / "fixtures" / "rules").glob("*/*") if path.is_dir())
MAY_PASS = {
    "setting-differs-from-peers": "a port of which the dumps tell nothing is no peer; the others may agree",
    "lossless-priority-without-headroom": "only where another port has headroom is its absence here known",
}
"""Rules that judge an object by what is left, and why."""
RULES = {rule.file.name: rule for rule in load_rules()}


@dataclass(frozen=True, slots=True)
class Case:
    """A fixture of a rule: its dumps, its cables, and the intent by which the rule judges the whole of it."""

    rule: Rule
    units: tuple[DeviceUnit, ...]
    cables: tuple[tuple[End, End], ...]
    intents: Intents


@cache
def read_case(folder: Path) -> Case:
    """Return the case in *folder*."""
    settings, links = folder / "roce-audit.yaml", folder / "links.yaml"
    with contextlib.chdir(folder):
        units = find(["."], used=[settings.name, links.name]).units
    declared = parse_intent(settings.name, settings.read_text("utf-8")) if settings.exists() else None
    cables = read_links(links.name, links.read_text("utf-8")) if links.exists() else ()
    intents = settle_intents(declared, [read_device(unit).votes for unit in units])
    return Case(RULES[folder.parent.name], units, cables, intents)


def count_passes(case: Case, units: Sequence[DeviceUnit]) -> int:
    """Return how many objects the rule of *case* judges in *units* and finds nothing in."""
    devices, _ = distinguish_devices(read_device(unit).device for unit in units if unit.captures)
    fabric = link_jobs_to_nodes(fill_cable_lengths(link_devices(devices, case.cables), case.intents))
    outcome = check_fabric(fabric, case.intents, [case.rule])
    for device in fabric.devices:
        outcome.add(check_device(device, case.intents, [case.rule]))
    number = case.rule.file.id
    return max(0, outcome.checked[number] - outcome.failed[number] - outcome.open[number])


def name_command(unit: DeviceUnit, capture: Capture) -> str:
    return systems()[unit.os].recognise(capture) or capture.command


def list_poorer(units: Sequence[DeviceUnit]) -> Iterator[tuple[str, tuple[DeviceUnit, ...]]]:
    """Yield what is done, and the units with fewer captures."""
    names = sorted({name_command(unit, capture) for unit in units for capture in unit.captures})
    for name in names if len(names) > 1 else ():
        yield f"without {name}", tuple(_keep(unit, {*names} - {name}) for unit in units)
        yield f"only {name}", tuple(_keep(unit, {name}) for unit in units)


def _keep(unit: DeviceUnit, names: Collection[str]) -> DeviceUnit:
    return replace(unit, captures=tuple(c for c in unit.captures if name_command(unit, c) in names))


@pytest.mark.parametrize(
    "folder",
    [case for case in CASES if not (case / "old").is_dir() and case.parent.name not in MAY_PASS],
    ids=lambda folder: f"{folder.parent.name}/{folder.name}",
)
def test_taking_captures_away_makes_nothing_pass(folder: Path) -> None:
    case = read_case(folder)
    whole = count_passes(case, case.units)
    assert [what for what, units in list_poorer(case.units) if count_passes(case, units) > whole] == []


@pytest.mark.parametrize("name", MAY_PASS)
def test_a_rule_that_may_pass_does(name: str) -> None:
    cases = [read_case(case) for case in CASES if case.parent.name == name]
    assert any(count_passes(c, units) > count_passes(c, c.units) for c in cases for _, units in list_poorer(c.units))
