"""The remedies of all rules, typed into the fixtures that fail, and what a second audit says."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from auditor.checks.catalogue import ANY, RuleFile, load_rules
from auditor.diagnosis.apply import apply_remedy
from auditor.engine.audit import JudgedFabric, judge_fabric
from auditor.engine.options import Options
from auditor.engine.remedies import Remedies
from auditor.engine.result import ReportedFinding
from auditor.inputs.snapshot import DeviceUnit, Snapshot

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"


@dataclass(frozen=True, slots=True)
class Case:
    """A rule and a folder of dumps in which it finds faults."""

    rule: RuleFile
    folder: Path


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a finding: `cleared`, `stays`, `others` (it cleared and others came), `missing`, `no remedy`."""

    os: str
    state: str
    detail: str


def list_cases() -> Iterator[Case]:
    """Yield each rule with each of its folders of faults."""
    for rule in load_rules():
        for folder in sorted((FIXTURES / rule.file.name).glob("bad*")):
            yield Case(rule.file, folder)


def try_case(case: Case) -> Iterator[Tried]:
    """Yield what becomes of each finding of the rule, those alike on one system once."""
    links = case.folder / "links.yaml"
    options = Options(jobs=1, links=links if links.exists() else None)
    fabric = judge_fabric(case.folder, options)
    remedies, devices = Remedies(fabric), {device.name: device for device in fabric.model.devices}
    before = _list_failures(fabric)
    tried: set[tuple[str, str]] = set()
    for found in before.values():
        device = devices.get(found.device)
        if found.rule != case.rule.id or device is None:
            continue
        remedy = remedies.find(found)
        shape = (device.os, "".join(" " if letter.isdigit() else letter for letter in found.message))
        if shape in tried or device.os in case.rule.untried:
            continue
        tried.add(shape)
        if remedy is None or remedy.os == ANY:
            yield Tried(device.os, "no remedy", found.message)
            continue
        if not remedy.text:
            yield Tried(device.os, "missing", f"{remedy.missing}: {found.message}")
            continue
        source = device.source
        typed = 0

        def change(snapshot: Snapshot) -> Snapshot:
            nonlocal typed
            units = []
            for unit in snapshot.units:
                captures = apply_remedy(remedy.text, unit.os, unit.captures) if unit.source == source else None
                typed += captures is not None
                units.append(unit if captures is None else replace(unit, captures=captures))
            return replace(snapshot, units=tuple(units))

        again = judge_fabric(case.folder, options, change)
        if not typed:
            yield Tried(device.os, "not typed", found.message)
            continue
        yield _compare(device.os, found, before, _list_failures(again), [p.message for p in again.report.problems if p not in fabric.report.problems])


def _list_failures(fabric: JudgedFabric) -> dict[str, ReportedFinding]:
    return {found.fingerprint: found for found in fabric.report.findings if found.kind == "fail"}


def _compare(os: str, found: ReportedFinding, before: dict[str, ReportedFinding], after: dict[str, ReportedFinding], problems: list[str]) -> Tried:
    if found.fingerprint in after:
        return Tried(os, "stays", after[found.fingerprint].message)
    come = [f"{each.rule} {each.device} {each.message}" for name, each in after.items() if name not in before] + problems
    return Tried(os, "others" if come else "cleared", f"{found.message} | {'; '.join(come)}")
