"""CPU time of what is done with findings grows with their number, for a fault at each port of each switch system."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from clock import grows, measure
from lines import WRITERS

from auditor.checks.base import Scope
from auditor.checks.catalogue import load_rules
from auditor.engine.audit import judge_fabric
from auditor.engine.causes import find_causes
from auditor.engine.findings import ReportedFinding
from auditor.engine.ignores import apply_ignores
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.intent.ignore import Ignore
from auditor.model.finding import FindingKind, Level
from auditor.report.formats import FORMATS, render
from auditor.report.presentation import Presentation

pytestmark = [pytest.mark.guard, pytest.mark.long]

FEW, MANY = 64, 256
"""Ports of a switch; beyond 20,000 lines no block is followed, which would hide that cost grows with both."""
LINES_A_PORT = 40
_MTU = re.compile(r'(\bmtu"?:? "?|\b(?:maximum-frame-size|max-frame-size|jumbo frame|jumboframe enable) )\d{4,5}')
RULE = next(rule for rule in load_rules() if rule.check.scope is Scope.PORT)
INTENT = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
path_mtu_bytes: 4096
"""
Judge = Callable[[int], JudgedFabric]


@pytest.fixture(params=[False, True], ids=["one fault", "a fault of its own"])
def judge(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Judge]:
    """Return what judges a switch of so many ports, each with too small an MTU: the same one, or one of its own."""

    def write(writer: str, ports: int) -> JudgedFabric:
        switch: Any = import_module(writer).switch
        text = (
            json.dumps(switch(ports), indent=4) if writer == "sonic" else "\n".join(switch(ports, LINES_A_PORT * ports))
        )
        numbers = count(1500, request.param)
        folder = tmp_path / f"{writer}{ports}"
        folder.mkdir()
        (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
        (folder / "switch.cfg").write_text(_MTU.sub(lambda found: f"{found[1]}{next(numbers)}", text), encoding="utf-8")
        return judge_fabric([folder], Options(jobs=1))

    return lambda writer: cache(partial(write, writer))


def make_comments(count: int) -> list[Ignore]:
    """Return ignores in comments, one above each line of a dump."""
    return [Ignore((RULE.file.id,), "it may", "leaf.cfg", n + 1, lines=range(n + 1, n + 2)) for n in range(count)]


def make_entries(count: int) -> list[Ignore]:
    """Return ignores of the intent, one for each device."""
    return [Ignore((RULE.file.id,), "it may", "roce-audit.yaml", n + 1, devices=(f"leaf{n}",)) for n in range(count)]


@pytest.mark.parametrize("writer", WRITERS)
def test_causes_are_found_in_the_time_of_their_findings(writer: str, judge: Callable[[str], Judge]) -> None:
    judged = judge(writer)

    def search(ports: int, limit_s: float) -> float:
        found = judged(ports)
        return measure(lambda: find_causes(found.report, found.model, found.intents), limit_s)

    few, many = (len(judged(ports).report.of_kind(FindingKind.FAIL)) for ports in (FEW, MANY))
    assert few >= FEW / 4
    assert many >= 4 * few - FEW / 4
    assert not grows(search, (FEW, MANY))


@pytest.mark.parametrize("form", [make_comments, make_entries])
def test_ignores_are_applied_in_the_time_of_their_findings(form: Callable[[int], list[Ignore]]) -> None:

    @cache
    def find(count: int) -> list[ReportedFinding]:
        told = (Level.ERROR, FindingKind.FAIL, RULE.file.id, RULE.file.name, RULE.pack)
        return [ReportedFinding(*told, f"leaf{n}", "1", "mtu", "leaf.cfg", n + 1, (), str(n)) for n in range(count)]

    def apply(count: int, limit_s: float) -> float:
        found, ignores = find(count), form(count)
        return measure(lambda: apply_ignores(found, ignores, load_rules(), None), limit_s)

    decided, told = apply_ignores(find(FEW), form(FEW), load_rules(), None)
    assert {each.kind for each in decided} == {FindingKind.IGNORED}
    assert not told
    assert not grows(apply, (16 * FEW, 16 * MANY))


@pytest.mark.parametrize("writer", ["audit_nxos", "sonic"])
def test_a_report_is_written_in_the_time_of_its_findings(writer: str, judge: Callable[[str], Judge]) -> None:
    judged = judge(writer)

    @cache
    def complete(ports: int) -> Report:
        found = judged(ports)
        return replace(found.report, causes=find_causes(found.report, found.model, found.intents))

    def write(kind: str, ports: int, limit_s: float) -> float:
        report = complete(ports)
        return measure(
            lambda: render(kind, report, Presentation(report.inputs.index_lines(), report.catalogue)), limit_s
        )

    assert complete(FEW).causes
    assert not {kind: growth for kind in FORMATS if (growth := grows(partial(write, kind), (FEW, MANY)))}
