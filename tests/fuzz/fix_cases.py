"""Cases of fixes: remedies typed into mutated dumps, and whole plans for mutated fabrics, within this process."""

import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path, PurePosixPath
from random import Random
from typing import Self
from unittest import mock

import settings_cases
from case import Broken, Case, decode
from jsonschema_rs import Draft202012Validator
from mutators import CHARACTERS, NUMBERS, RANGES, mutate
from pipeline import audit_fabric, audit_snapshot, make_unit, read_unit
from seeds import FOLDER, Material, choose

from auditor.checks.catalogue import load_rules
from auditor.diagnosis.apply import apply_remedy
from auditor.diagnosis.edit import Edit, apply_edits
from auditor.diagnosis.remedies import EXAMPLES, PLACE, list_typed
from auditor.engine.findings import Cause
from auditor.engine.fix import plan as planning
from auditor.engine.fix.plan import plan_fixes
from auditor.engine.fix.stanzas import list_stanzas
from auditor.engine.fix.suggest import add_suggestions
from auditor.engine.fix.values import FixedCause, FixPlan, FixState
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.sessions import split_captures
from auditor.inputs.snapshot import Snapshot, find
from auditor.intent import Intents, settle_intents
from auditor.model.fabric import End
from auditor.model.finding import FindingKind
from auditor.report import fix, fix_page
from auditor.report.fix_files import build_files
from auditor.report.formats import render
from auditor.report.presentation import Presentation
from auditor.systems import systems

MOST_BYTES = 12_000
"""Size of the largest mutant in a plan, which is audited some dozens of times."""


@cache
def list_templates() -> dict[str, list[str]]:
    """Return the remedies of all rules by the system for which they are written, their places empty."""
    found: dict[str, list[str]] = defaultdict(list)
    for rule in load_rules(settle_intents(None, ()).tuning):
        for key, text in rule.file.remedy.items():
            found[key.partition("/")[0]].append(text)
    return {os: texts for os, texts in found.items() if _applies(os)}


def _applies(os: str) -> bool:
    syntax = systems()[os].remedies if os in systems() else None
    return syntax is not None and syntax.apply is not None


def make_remedy(chance: Random, material: Material) -> Case:
    """Return a mutant of a dump, and a remedy for its system with facts by chance in its places, often mutated too."""
    os = chance.choice([each for each in list_templates() if each in material.dumps])
    seed = choose(chance, material.dumps[os])
    words = seed.text[:20_000].split() or ["x"]

    def fill(name: str) -> str:
        kind = chance.random()
        if kind < 0.5:
            return EXAMPLES.get(name, "3").replace("PORT", systems()[os].remedies.port)  # type: ignore[union-attr]
        return chance.choice(words) if kind < 0.8 else chance.choice((*NUMBERS, *RANGES, *CHARACTERS))

    text = "\n".join(chance.choice(list_templates()[os]) for _ in range(chance.choice((1, 1, 2, 3))))
    typed = PLACE.sub(lambda match: fill(match[1]), text.replace("? ", ""))
    if chance.random() < 0.4:
        typed = decode(mutate(chance, typed, material))
    data = mutate(chance, seed.text, material) if chance.random() < 0.7 else seed.text.encode("utf-8", "surrogatepass")
    return Case("remedy", {seed.name: data}, {"os": os, "typed": typed})


def run_remedy(case: Case) -> None:
    """Type the remedy twice, take it back, and read what came of the dump; the dump itself must stay as it was."""
    name, data = next(iter(case.files.items()))
    os, typed = case.told["os"], case.told["typed"]
    raw = parse_text(data, name, given=True)
    if not isinstance(raw, Raw):
        return
    before = tuple(split_captures(raw, identify_file(raw, None).heads))
    kept = repr(before)
    after = apply_remedy(typed, os, before)
    if repr(before) != kept:
        raise Broken(f"remedy of {os}: the dump itself was changed")
    if apply_remedy(typed, os, before) != after:
        raise Broken(f"remedy of {os}: the same lines do another thing")
    syntax = systems()[os].remedies
    if syntax and syntax.undo:
        syntax.undo(list_typed(typed), before)
    if after is not None:
        read_unit(make_unit(os, after))
        list(list_stanzas(list_typed(typed), before, after))
        apply_remedy(typed, os, after)


def make_plan(chance: Random, material: Material) -> Case:
    """Return a small fabric with a fault and with a mutant of one file or none."""
    folder = chance.choice([each for each in material.fabrics if each.name == "bad"] or list(material.fabrics))
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "expected.txt"
    }
    for name in chance.choices(list(files), k=chance.choice((1, 1, 2))) if files else ():
        mutant = mutate(chance, files[name].decode("utf-8", "replace"), material)
        files[name] = mutant if len(mutant) <= MOST_BYTES else files[name]
    return Case("fix", files, {"devices": str(chance.randrange(3))})


def make_suggestion(chance: Random, material: Material) -> Case:
    """Return the same as files that people write: without what a device prints at the head of its configuration."""
    plan = make_plan(chance, material)
    files = {name: data.replace(b"!Command: show", b"! taken from") for name, data in plan.files.items()}
    return Case("suggest", files)


class InProcess:
    """Stands for the rehearsal: audits in this process, so that whatever a reader or a check raises is seen."""

    def __init__(self, snapshot: Snapshot, declared: Intents | None, cables: Sequence[tuple[End, End]]) -> None:
        self._snapshot, self._declared, self._cables = snapshot, declared, cables

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def judge(self, change: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot) -> JudgedFabric:
        """Return the fabric with the report on it, of the dumps that *change* makes."""
        return audit_fabric(change(self._snapshot), self._declared, self._cables)


def run_plan(case: Case) -> None:
    """Plan the fixes of a fabric, write the plan in each form, and hold what it claims against audits of its own."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        case.write(Path(folder))
        declared, cables = settings_cases.read_beside(Path(folder))
        rehearsal = InProcess(find([folder]), declared, cables)
        with (
            mock.patch.object(planning, "Rehearsal", return_value=rehearsal),
            mock.patch.object(planning, "add_causes", lambda report, *_: report),
        ):
            plan = plan_fixes([folder], Options(jobs=1))
    _render(plan)
    _require_ids([each.cause for each in plan.fixes])
    _require_states(plan.fixes)
    _require_after(plan, lambda snapshot: audit_snapshot(snapshot, declared, cables))


def run_suggestion(case: Case) -> None:
    """Seek edits of the files of a fabric, show them in each form, and audit each by itself."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        case.write(Path(folder))
        declared, cables = settings_cases.read_beside(Path(folder))
        rehearsal = InProcess(find([folder]), declared, cables)
        judged = rehearsal.judge()
        report = add_suggestions(judged.report, judged, rehearsal.judge)
    shown = Presentation(rules=report.catalogue, source=report.inputs.index_lines())
    for kind in ("json", "sarif", "github-review", "terminal"):
        render(kind, report, shown).encode("utf-8", "surrogatepass")
    _require_ids(report.causes)
    known = _list_failed(report)
    for cause in report.causes:
        edits = {fix.file: fix.edits for fix in cause.fix}
        if edits:
            after = _list_failed(rehearsal.judge(partial(_edit_files, edits=edits)).report)
            if after & {found.fingerprint for found in cause.findings}:
                raise Broken(f"suggestion, cured: an edit for {cause.rule} leaves a finding of its cause")
            if not after <= known:
                raise Broken(f"suggestion, come: an edit for {cause.rule} brings findings")


def _require_ids(causes: Sequence[Cause]) -> None:
    """Raise Broken where two causes have one id: by it they are asked for, fixed, and known again."""
    if len({cause.id for cause in causes}) < len(causes):
        raise Broken("causes, ids: two causes have the same id")


def _edit_files(snapshot: Snapshot, edits: Mapping[str, Sequence[Edit]]) -> Snapshot:
    """Return the dumps with *edits* in their files; raises Broken for edits that are of no lines of them."""
    units = []
    for unit in snapshot.units:
        captures = []
        for each in unit.captures:
            own = edits.get(each.file, ())
            if any(edit.line < 1 or edit.line + edit.count > len(each.lines) + 1 for edit in own):
                raise Broken("suggestion, lines: an edit is of lines that the file does not have")
            captures.append(replace(each, lines=apply_edits(each.lines, own)))
        units.append(replace(unit, captures=tuple(captures)))
    return replace(snapshot, units=tuple(units))


@cache
def _find_validator() -> Callable[[object], bool]:
    return Draft202012Validator(fix.build_schema()).is_valid


def _render(plan: FixPlan) -> None:
    fix_page.render(plan).encode("utf-8", "surrogatepass")
    if not _find_validator()(json.loads(fix.render_json(plan))):
        raise Broken("plan, form: its JSON does not fit its schema")
    names = []
    for name, text in build_files(plan):
        names.append(name)
        text.encode("utf-8", "surrogateescape")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or max(map(len, path.parts)) > 255:
            raise Broken(f"plan, name: a file has the name {name[:300]!r}")
    if len(set(names)) < len(names):
        raise Broken("plan, names: two files have one name")


def _require_states(fixes: Sequence[FixedCause]) -> None:
    """Raise Broken where the state of a cause does not fit what is told of it."""
    for each in fixes:
        is_tried = each.state is not FixState.NOT_TRIED
        if is_tried != bool(each.steps) or is_tried == bool(each.why):
            raise Broken(f"plan, steps: {each.state} of {each.cause.rule}: {len(each.steps)} steps, why {each.why!r}")
        if (each.state is FixState.PARTLY) != bool(each.remain or each.come):
            left = len(each.remain), len(each.come)
            raise Broken(f"plan, state: {each.state} of {each.cause.rule} with {left} left and come")


def _require_after(plan: FixPlan, audit: Callable[[Snapshot], Report]) -> None:
    """Raise Broken unless an audit of the dumps with all lines typed says what the plan says."""
    before, after = _list_failed(plan.before), _list_failed(plan.after)
    if _list_failed(audit(plan.typed)) != after:
        raise Broken("plan, audit: an audit of the dumps after it is not that of the plan")
    if not plan.steps and plan.typed != plan.fabric.inputs:
        raise Broken("plan, typed: no step changes dumps")
    if plan.steps and plan.steps[-1].after not in (None, plan.after.count_levels()):
        raise Broken("plan, last step: the last step is not the end of it")
    cured = {found.fingerprint for each in plan.fixes if each.is_cured for found in each.cause.findings}
    if cured & after:
        raise Broken("plan, fixed: what is fixed is there after all lines are typed")
    come = {found.fingerprint for each in plan.fixes if each.is_gain for found in each.come}
    if not after <= before | come:
        raise Broken("plan, come: findings come that no fix tells of")
    if [each.number for each in plan.steps] != list(range(1, len(plan.steps) + 1)):
        raise Broken("plan, numbers: its steps are not counted from 1")


def _list_failed(report: Report) -> set[str]:
    return {found.fingerprint for found in report.of_kind(FindingKind.FAIL)}
