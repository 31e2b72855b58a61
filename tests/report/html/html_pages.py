"""Pages for tests: of fixtures, and of a fabric of 578 devices whose kinds are parsed once and copied."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from fat_tree import INTENT, NICS, Wired, plan_tree
from hostile_report import poison_report

from auditor.checks.catalogue import load_rules
from auditor.engine.audit import audit
from auditor.engine.build import build_report
from auditor.engine.causes import add_causes
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.child import Bounds
from auditor.engine.mapping import make_fabric_map
from auditor.engine.options import Options
from auditor.engine.result import Report
from auditor.fabric.topology import link_devices
from auditor.intent import fill_cable_lengths, parse_intent
from auditor.model.device import Device
from auditor.report.formats import render
from auditor.report.presentation import Presentation

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "fixtures"
LARGE = 578
_OF_EACH = 9
_FAULTS = {
    "leaf": ("mtu 9216", "mtu 1500"),
    "spine": ("priority-flow-control mode on", "priority-flow-control mode off"),
    "gpu": ('"mtu":9000', '"mtu":1500'),
}
"""By kind of device: a text of a dump, and the one in its place at every third device."""


@cache
def read_report(name: str, old: str = "") -> Report:
    """Return the report on a fixture, compared with the fixture *old* where one is named."""
    compared = str(FIXTURES / old) if old else None
    return audit(FIXTURES / name, Options(fabric_map=True, jobs=1, old=compared))


def write_page(report: Report, *, quotes_lines: bool = True) -> str:
    """Return the page of *report*, with paths relative to the repository."""
    lines = report.inputs.index_lines()
    return render("html", report, Presentation(lines, report.catalogue, here=str(ROOT), quotes_lines=quotes_lines))


@cache
def write_poisoned(evil: str) -> str:
    """Return the page of a fixture with *evil* behind each text that a dump may fill."""
    report = read_report("fabric-mixed")
    return render("html", poison_report(report, evil), Presentation(lambda *_: f"line{evil}", report.catalogue))


@cache
def read_large() -> Report:
    """Return the report on 578 devices of a fat tree: of nine seven are servers, one a leaf and one a spine."""
    intents, rules = parse_intent("roce-audit.yaml", INTENT), load_rules()
    devices = tuple(_copy_devices())
    fabric = fill_cable_lengths(link_devices(devices), intents)
    outcome = Outcome()
    for device in fabric.devices:
        outcome.add([check_device(device, intents, rules).close()])
    outcome.add([check_fabric(fabric, intents, rules).close()])
    report = build_report(fabric, intents, rules, outcome)
    report = replace(report, fabric_map=make_fabric_map(fabric, intents, {}))
    return add_causes(report, fabric, intents, Bounds(300, 4096, 2**30))


def _copy_devices() -> Iterator[Device]:
    switches = LARGE // _OF_EACH
    left = Counter({"leaf": switches, "spine": switches, "gpu": LARGE - 2 * switches})
    models: dict[tuple[str, bool], Device] = {}
    for number, each in enumerate(plan_tree(4 * NICS).devices(broken=False)):
        if not left[each.kind]:
            continue
        left[each.kind] -= 1
        key = each.kind, number % 3 == 0
        if key not in models:
            models[key] = _parse(each, *_FAULTS[each.kind]) if key[1] else each.parsed()
        yield each.copied(models[key])


def _parse(wired: Wired, right: str, wrong: str) -> Device:
    """Return the device of a dump with *wrong* in place of *right*."""
    text = wired.text()
    assert right in text
    return replace(wired, text=lambda: text.replace(right, wrong)).parsed()
