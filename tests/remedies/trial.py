"""The remedies of all rules, typed into the fixtures that fail, and what a second audit says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from auditor.checks.catalogue import ANY, RuleFile, load_rules
from auditor.diagnosis.apply import apply_remedy
from auditor.engine.audit import judge_fabric
from auditor.engine.findings import ReportedFinding
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.remedies import Remedies
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.systems import systems
from auditor.systems.linux.effects.apply import list_unstated

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
GOLDEN = Path(__file__).parents[1] / "golden" / "remedies.txt"


@dataclass(frozen=True, slots=True)
class Case:
    """A rule and a folder of dumps in which it finds faults."""

    rule: RuleFile
    folder: Path


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a finding: `cleared`, `stays`, `others` (it cleared and others came), or why nothing did.

    `missing`: the finding lacks a fact for the remedy, as where the intent is inferred. `not shown`: no capture of the
    host shows what the lines change. `not typed`: no dump of the device takes the lines.
    """

    os: str
    state: str
    detail: str


def list_cases() -> Iterator[Case]:
    """Yield each rule with each of its folders of faults."""
    for rule in load_rules():
        for folder in sorted((FIXTURES / rule.file.name).glob("bad*")):
            yield Case(rule.file, folder)


def list_lines(case: Case) -> Iterator[str]:
    """Yield a golden line for each remedy that is tried on a case."""
    for each in try_case(case):
        yield f"{case.rule.id} {case.folder.name}: {each.os}: {each.state}: {each.detail}"


def try_case(case: Case) -> Iterator[Tried]:
    """Yield what becomes of each finding for which the rule has a remedy that can be typed, those alike once."""
    links = case.folder / "links.yaml"
    options = Options(jobs=1, links=str(links) if links.exists() else None)
    fabric = judge_fabric(case.folder, options)
    remedies, devices = (
        Remedies(fabric.report, fabric.model, fabric.intents),
        {device.name: device for device in fabric.model.devices},
    )
    tried: set[tuple[str, str]] = set()
    for found in _list_failures(fabric).values():
        device, remedy = devices.get(found.device), remedies.find(found)
        if found.rule != case.rule.id or device is None or remedy is None or remedy.os == ANY:
            continue
        syntax = systems()[device.os].remedies
        shape = (device.os, "".join(" " if letter.isdigit() else letter for letter in found.message))
        if shape in tried or remedy.key in case.rule.untried or syntax is None or syntax.apply is None:
            continue
        tried.add(shape)
        if not remedy.lines:
            yield Tried(device.os, "missing", f"{remedy.missing or 'maker'}: {found.message}")
            continue
        change = TypedRemedy(remedy.text, device.source)
        again = judge_fabric(case.folder, options, change)
        yield (
            _compare(found, device.os, fabric, again)
            if change.is_typed
            else Tried(device.os, _say_why_not(device.os, remedy.lines), found.message)
        )


def _say_why_not(os: str, lines: Sequence[str]) -> str:
    return "not shown" if os == "linux" and lines and not list_unstated(lines) else "not typed"


@dataclass(slots=True)
class TypedRemedy:
    """A change to dumps: a remedy is typed at the device from *source*; `is_typed` says whether its dumps took it."""

    text: str
    source: str
    is_typed: bool = False

    def __call__(self, snapshot: Snapshot) -> Snapshot:
        """Return the dumps after the remedy was typed."""
        return replace(snapshot, units=tuple(map(self._type, snapshot.units)))

    def _type(self, unit: DeviceUnit) -> DeviceUnit:
        captures = apply_remedy(self.text, unit.os, unit.captures) if unit.source == self.source else None
        self.is_typed |= captures is not None
        return unit if captures is None else replace(unit, captures=captures)


def _list_failures(fabric: JudgedFabric) -> Mapping[str, ReportedFinding]:
    return {found.fingerprint: found for found in fabric.report.findings if found.kind == "fail"}


def _compare(found: ReportedFinding, os: str, before: JudgedFabric, after: JudgedFabric) -> Tried:
    old, new = _list_failures(before), _list_failures(after)
    if found.fingerprint in new:
        return Tried(os, "stays", f"{found.device}: {new[found.fingerprint].message}")
    come = [f"{each.rule} {each.device}: {each.message}" for name, each in new.items() if name not in old]
    come += [each.message for each in after.report.problems if each not in before.report.problems]
    return Tried(os, "others" if come else "cleared", "; ".join((f"{found.device}: {found.message}", *come)))
