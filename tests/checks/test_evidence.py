"""A rule without its evidence is open: taking captures away makes no object of a rule's fixtures pass.

From each fixture of each rule, captures are taken away one command at a time, and all commands but one. What a rule
declares (`rests_on`) are exactly the captures without which its fixtures come out otherwise.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.campaigns import list_due
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.load import DeviceReading, distinguish_devices, read_device
from auditor.engine.sides import today
from auditor.fabric.topology import link_devices, read_links
from auditor.inputs.snapshot import DeviceUnit, find
from auditor.intent import Intents, add_ballots, fill_cable_lengths, parse_intent, settle_intents
from auditor.model.dump import Capture
from auditor.model.fabric import End
from auditor.systems import systems
from auditor.systems.linux.commands import FILES
from auditor.systems.linux.identify import identify
from auditor.systems.linux.show import KNOWN

CASES = sorted(path for path in (Path(__file__).parents[2] / "fixtures" / "rules").glob("*/*") if path.is_dir())
MAY_PASS = {
    "setting-differs-from-peers": "a port of which the dumps tell nothing is no peer; the others may agree",
    "lossless-priority-without-headroom": "headroom that the switch makes by itself is not missing",
}
"""Rules that judge an object by what is left, and why."""
RULES = {rule.file.name: rule for rule in load_rules()}


@dataclass(frozen=True, slots=True)
class Case:
    """A fixture of a rule: its dumps, its cables, and the intent by which the rule judges the whole of it."""

    rule: Rule
    units: Sequence[DeviceUnit]
    cables: tuple[tuple[End, End], ...]
    intents: Intents


@cache
def read_once(unit: DeviceUnit) -> DeviceReading:
    """Return what a reader makes of *unit*: a device that loses no capture is not read again."""
    return read_device(unit)


@cache
def read_case(folder: Path) -> Case:
    """Return the case in *folder*."""
    settings, links = folder / "roce-audit.yaml", folder / "links.yaml"
    with contextlib.chdir(folder):
        units = find(["."], used=[settings.name, links.name]).units
    declared = parse_intent(settings.name, settings.read_text("utf-8")) if settings.exists() else None
    cables = read_links(links.name, links.read_text("utf-8")) if links.exists() else ()
    intents = settle_intents(declared, [add_ballots(read_once(unit).ballot for unit in units)])
    return Case(RULES[folder.parent.name], units, cables, intents)


def judge(case: Case, units: Sequence[DeviceUnit]) -> Outcome:
    """Return what the rule of *case* finds in *units*."""
    devices, _ = distinguish_devices(read_once(unit).device for unit in units if unit.captures)
    fabric = link_jobs_to_nodes(fill_cable_lengths(link_devices(devices, case.cables), case.intents))
    intents = replace(case.intents, due=list_due(case.intents, fabric, today()))
    outcome = check_fabric(fabric, intents, [case.rule])
    for device in fabric.devices:
        outcome.add([check_device(device, intents, [case.rule]).close()])
    return outcome


def count_passes(case: Case, units: Sequence[DeviceUnit]) -> int:
    """Return how many objects the rule of *case* judges in *units* and finds nothing in."""
    outcome, number = judge(case, units), case.rule.file.id
    return max(0, outcome.checked[number] - outcome.failed[number] - outcome.open[number])


def name_command(unit: DeviceUnit, capture: Capture) -> str:
    return systems()[unit.os].recognise(capture) or capture.command


def list_poorer(units: Sequence[DeviceUnit]) -> Iterator[tuple[str, Sequence[DeviceUnit]]]:
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


FILE = re.compile(
    r"/(?:sys/(?:class/(?P<kind>net|infiniband)/[^/\s]+/(?P<part>\w+)|kernel/\w+/\w+|module/\w+|bus/\w+)|proc/\w+|etc/[\w.]+)"
)
NAMED = {"net": "IF", "netdev": "IF", "infiniband": "DEV", "rdma": "DEV", "device": "DEV", "card": "N"}


def name_output(unit: DeviceUnit, capture: Capture) -> str:
    """Return the kind of *capture*, as rules declare it: the command as documented, or the files' folder."""
    system, name = systems()[unit.os], name_command(unit, capture)
    if system.kind == "jobs":
        return "files of jobs"
    if name in system.whole:
        return "configuration"
    identified = identify(capture, KNOWN) if unit.os == "linux" else None
    if identified is None:
        return name
    if identified.command is not FILES:
        return re.sub(
            r"\{(\w+)\}", lambda match: NAMED.get(match[1], match[1]), re.sub(r"[\[\]]", "", identified.command.name)
        )
    path = FILE.search(name)
    assert path
    return f"/sys/class/{path['kind']}/{NAMED[path['kind']]}/{path['part']}" if path["kind"] else path[0]


def list_findings(case: Case, units: Sequence[DeviceUnit]) -> tuple[int, Counter[tuple[object, ...]]]:
    """Return how many objects the rule of *case* judges in *units*, and what it finds."""
    outcome = judge(case, units)
    found: Counter[tuple[object, ...]] = Counter(
        (each.kind, each.device, each.port, each.message, each.level) for each in outcome.findings
    )
    return outcome.checked[case.rule.file.id], found


@cache
def list_decisive(name: str) -> tuple[str, ...]:
    """Return the kinds of captures without which a fixture of the rule *name* comes out otherwise."""
    decisive: set[str] = set()
    for case in (read_case(folder) for folder in CASES if folder.parent.name == name and not (folder / "old").is_dir()):
        whole = list_findings(case, case.units)
        kinds = {name_output(unit, capture) for unit in case.units for capture in unit.captures}
        for kind in kinds - decisive:
            units = (
                replace(unit, captures=tuple(c for c in unit.captures if name_output(unit, c) != kind))
                for unit in case.units
            )
            if list_findings(case, tuple(units)) != whole:
                decisive.add(kind)
    return tuple(sorted(decisive))


@pytest.mark.parametrize(
    "name", sorted(name for name, rule in RULES.items() if rule.check.scope is not Scope.COMPARISON)
)
def test_a_rule_declares_the_captures_that_decide_its_fixtures(name: str) -> None:
    """Those alone: without another capture, its fixtures come out as they do with it.

    `python tests/tools/rewrite_golden.py evidence` writes what is declared.
    """
    assert RULES[name].file.rests_on == list_decisive(name) != ()
