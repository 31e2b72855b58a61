"""Fixes: what is typed for a cause is audited again, and what that says is told; nothing is claimed without it."""

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor import Options
from auditor.diagnosis.apply import apply_remedy
from auditor.engine import load
from auditor.engine.audit import judge_fabric
from auditor.engine.fix.plan import plan_fixes
from auditor.engine.fix.trial import Attempt, Trial
from auditor.engine.fix.values import FixedCause, FixPlan, FixState
from auditor.engine.rehearsal import Rehearsal
from auditor.grammar.entry import FILE as TYPED
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.finding import FindingKind
from auditor.report.fix import build_schema, render_json
from auditor.report.fix_page import render

from .settings import INTENT, LOSSLESS

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
NOBODY = "  service-policy type qos input NOBODY\n"
LEAST_OF_SWITCHES, LEAST_OF_HOSTS = 18, 16
"""Of the twenty faults of the pod's switches and of its hosts, those whose fix is audited again, or simulated."""


@pytest.fixture(scope="module", params=["fabric", "fabric-mixed"])
def plan(request: pytest.FixtureRequest) -> FixPlan:
    return plan_fixes([str(ROOT / "fixtures" / request.param)], Options(jobs=1), (), ())


@pytest.mark.long
def test_most_faults_of_the_pod_are_fixed_in_an_order_that_helps_at_each_step() -> None:
    """One test, so that the pod is audited once."""
    pod = plan_fixes([str(ROOT / "fixtures" / "pod-faulty")], Options(jobs=1), (), ())
    states = Counter(each.state for each in pod.fixes)
    assert states[FixState.RE_AUDITED] >= LEAST_OF_SWITCHES
    assert states[FixState.SIMULATED] >= LEAST_OF_HOSTS
    assert all(each.why for each in pod.fixes if each.state is FixState.NOT_TRIED)
    assert all(not each.steps for each in pod.fixes if each.cause.rule == "FLT001")
    assert pod.remaining_errors == 0
    _check_beginnings(pod)
    _check_order(pod)
    _check_reach(pod)
    _check_undo(pod)


def test_what_was_audited_again_is_gone_and_nothing_else_came(plan: FixPlan) -> None:
    """The last audit has all lines that hold together."""
    before, after = (
        {f.fingerprint for f in report.findings if f.kind == "fail"} for report in (plan.before, plan.after)
    )
    fixed = {f.fingerprint for each in plan.fixes if each.is_cured for f in each.cause.findings}
    assert fixed
    assert not fixed & after
    assert after <= before | {f.fingerprint for each in plan.fixes if each.is_gain for f in each.come}


def test_all_fixes_together_leave_no_error(plan: FixPlan) -> None:
    assert plan.remaining_errors == 0


def test_no_fix_can_be_left_out(plan: FixPlan, request: pytest.FixtureRequest) -> None:
    """Without any one of them, a finding of its cause stays."""
    gains = [each for each in plan.fixes if each.is_gain]
    with Rehearsal([str(ROOT / "fixtures" / request.node.callspec.params["plan"])], Options(jobs=1)) as rehearsal:
        trial = Trial(rehearsal, rehearsal.judge())
        for left_out in gains:
            after = trial.run(step for each in gains if each is not left_out for step in each.steps).report
            stays = {found.fingerprint for found in after.of_kind(FindingKind.FAIL)}
            assert stays & {found.fingerprint for found in left_out.cause.findings}, left_out.cause.message


def test_each_beginning_of_the_plan_was_audited_and_is_no_worse(plan: FixPlan) -> None:
    _check_beginnings(plan)


def _check_beginnings(pod: FixPlan) -> None:
    """Errors grow fewer with each step, nothing passes through, and each step is one device."""
    errors = [pod.before.count_levels()["error"], *((each.after or {}).get("error", -1) for each in pod.steps)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pod.remaining_errors
    assert all(each.after is not None and not each.passing for each in pod.steps)


def _check_order(pod: FixPlan) -> None:
    """Check that memory comes before pauses, and marking last."""
    first = {cause.rule: each.number for each in reversed(pod.steps) for cause in each.causes}
    assert first["BUF004"] < first["PFC001"] < first["ECN003"] < first["CLS002"] < first["MTU002"] < first["HST002"]
    assert first["HST002"] < first["CLS006"] < first["PFC004"]


def test_what_an_earlier_audit_of_the_same_dumps_did_changes_nothing(
    plan: FixPlan, request: pytest.FixtureRequest
) -> None:
    """The last report is that of the dumps with all steps typed, in an audit that knows nothing of those before it."""
    name = request.node.callspec.params["plan"]
    captures = defaultdict(list)
    for each in plan.steps:
        captures[each.device].append(each.text)
    sources = {device.name: device.source for device in plan.before.audited}

    def type_all(snapshot: Snapshot) -> Snapshot:
        lines = {sources[name]: "\n".join(texts) for name, texts in captures.items()}
        units = (
            replace(unit, captures=apply_remedy(lines[unit.source], unit.os, unit.captures) or unit.captures)
            if unit.source in lines
            else unit
            for unit in snapshot.units
        )
        return replace(snapshot, units=tuple(units))

    again = judge_fabric([str(ROOT / "fixtures" / name)], Options(jobs=1), type_all).report
    assert {f.fingerprint for f in again.findings} == {f.fingerprint for f in plan.after.findings}


def test_what_is_partly_fixed_says_what_remains_or_comes(plan: FixPlan) -> None:
    partly = [each for each in plan.fixes if each.state is FixState.PARTLY]
    assert len(partly) == len([each for each in plan.fixes if each.remain or each.come])


def test_the_document_has_its_schema(plan: FixPlan) -> None:
    from jsonschema import Draft202012Validator  # noqa: PLC0415  heavy, and of this test alone

    document = json.loads(render_json(plan))
    Draft202012Validator(build_schema()).validate(document)
    assert document["after"]["error"] < document["before"]["error"]


LEAF = f"""\
hostname {{name}}
feature lldp
interface Ethernet1/1
  priority-flow-control mode on
  priority-flow-control watch-dog-interval off
{LOSSLESS}"""


def test_a_folder_holds_the_plan_and_the_commands_of_each_device(run: Run, tmp_path: Path) -> None:
    dumps, plan = tmp_path / "dumps", tmp_path / "plan"
    dumps.mkdir()
    (dumps / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    (dumps / "leaf.cfg").write_text(LEAF.format(name="../../leaf1"), encoding="utf-8")
    run("fix", dumps, "-o", plan)
    names = sorted(path.relative_to(plan).as_posix() for path in plan.rglob("*") if path.is_file())
    (device,) = {name.split("/")[0] for name in names} - {"plan.md", "plan.json", "after"}
    own = ["commands.txt", "dump.diff", "undo.txt"]
    after = [f"after/{device}/{name}" for name in ("leaf.cfg", "manifest.json", "typed.txt")]
    assert names == sorted(["plan.md", "plan.json", *after, *(f"{device}/{name}" for name in own)])
    assert "watch-dog-interval on" in (plan / device / "commands.txt").read_text(encoding="utf-8")
    assert "rollback running-config checkpoint before-fix" in (plan / device / "undo.txt").read_text(encoding="utf-8")
    assert "+../../leaf1" not in (plan / device / "dump.diff").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dumps", "plan"]


@pytest.mark.parametrize("head", ["", "! Generated from leaf.j2\n"])
def test_a_template_is_to_be_changed_as_well(run: Run, tmp_path: Path, head: str) -> None:
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    (tmp_path / "leaf1.cfg").write_text(head + LEAF.format(name="leaf1"), encoding="utf-8")
    template = "leaf.j2" if head else None
    plan = json.loads(run("fix", tmp_path, "--format", "json")[1])
    assert plan["plan"]
    assert {each["template"] for each in plan["fixes"]} == {template}
    report = json.loads(run("check", tmp_path, "--format", "json")[1])
    assert {each["template"] for each in report["causes"]} == {template}
    formats = ("terminal", "sarif", "junit", "gitlab", "github", "markdown")
    for command in (("fix", tmp_path), *(("check", tmp_path, "--format", kind) for kind in formats)):
        assert ("generated from leaf" in run(*command)[1]) is bool(head)
    assert ("change leaf.j2 as well" in run("fix", tmp_path)[1]) is bool(head)


@pytest.mark.parametrize("name", ["fabric", "fabric-mixed"])
def test_a_fix_of_the_dumps_as_they_would_be_is_empty(name: str, run: Run, tmp_path: Path) -> None:
    before = json.loads(run("fix", ROOT / "fixtures" / name, "-o", tmp_path, "--format", "json")[1])
    shutil.copy(ROOT / "fixtures" / name / "roce-audit.yaml", tmp_path / "after")
    after = json.loads(run("fix", tmp_path / "after", "--format", "json")[1])
    assert before["plan"]
    assert (after["before"], after["plan"]) == (before["after"], [])
    assert json.loads((tmp_path / "plan.json").read_text(encoding="utf-8")) == before


def _check_undo(pod: FixPlan) -> None:
    """Check that what takes a step back leaves the dumps as they were: words, not the width of columns."""
    units = {unit.source: unit for unit in pod.fabric.inputs.units}
    sources = {device.name: device.source for device in pod.fabric.model.devices}
    steps = [step for step in pod.steps if step.os == "linux"]
    assert len(steps) >= LEAST_OF_HOSTS
    for step in steps:
        before = units[sources[step.device]].captures
        after = apply_remedy(step.text, step.os, before)
        assert step.undo is not None
        assert after is not None
        again = apply_remedy("\n".join(step.undo), step.os, after)
        assert again is not None
        assert after != before
        assert [len(capture.lines) for capture in again] == [len(capture.lines) for capture in before]
        changed = {number for number, pair in enumerate(zip(before, again, strict=True)) if pair[0] != pair[1]}
        assert all("mlxconfig" in before[number].command for number in changed)


def _check_reach(pod: FixPlan) -> None:
    """Check that a step says what it touches."""
    steps = {(step.device, cause.rule): step for step in pod.steps for cause in step.causes}
    off = steps["leaf1", "PFC001"].reach
    assert (off.ports, off.hosts, off.drain) == (("Ethernet1/5",), ("gpu05",), ("gpu05",))
    assert off.jobs == ("PyTorchJob training/llm, Worker, container pytorch",)
    assert "flap" in off.disrupts
    assert steps["gpu11", "MTU002"].reach.see == ("ip -j -d link", "ibv_devinfo -v")
    assert steps["spine1", "ECN003"].reach.hosts == ()


def test_a_changed_device_shows_in_the_hash_of_its_stanza(tmp_path: Path) -> None:
    found = []
    for other, name in (("", "a"), ("  description new\n", "b"), ("", "c")):
        text = LEAF.format(name="leaf1").replace("watch-dog-interval off\n", f"watch-dog-interval off\n{other}")
        folder = tmp_path / name
        folder.mkdir()
        (folder / "leaf1.cfg").write_text(text, encoding="utf-8")
        (folder / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
        plan = plan_fixes([str(folder)], Options(jobs=1), (), ())
        found.append({each.name: each.sha256 for step in plan.steps for each in step.stanzas})
    assert found[0] == found[2]
    assert found[0] != found[1]
    assert {name for name in found[0] if found[0][name] != found[1][name]} == {"interface Ethernet1/1"}


def test_an_inferred_intent_gives_no_commands(run: Run, tmp_path: Path) -> None:
    for name in ("leaf1", "leaf2", "leaf3"):
        mode = "off" if name == "leaf3" else "on"
        text = LEAF.format(name=name).replace("mode on", f"mode {mode}")
        (tmp_path / f"{name}.cfg").write_text(text, encoding="utf-8")
    document = json.loads(run("fix", tmp_path, "--format", "json")[1])
    rested = [each for each in document["fixes"] if each["why"] and "inferred intent" in each["why"]]
    assert rested
    assert all(not each["steps"] for each in rested)


@pytest.mark.parametrize(
    ("untried", "cured", "state"),
    [
        ("the value that is meant stands in no dump", 0, FixState.NOT_TRIED),
        ("the value that is meant stands in no dump", 1, FixState.PARTLY),
        ("", 0, FixState.PARTLY),
    ],
)
def test_lines_that_cannot_say_what_is_meant_and_cure_nothing_are_none(
    plan: FixPlan, untried: str, cured: int, state: FixState
) -> None:
    cause = next(each.cause for each in plan.fixes if len(each.cause.findings) > 1)
    attempt = Attempt(cause, [()], untried)
    attempt.record(FixedCause(cause, FixState.PARTLY, remain=cause.findings[cured:]))
    fixed = attempt.conclude()
    assert (fixed.state, fixed.why) == (state, "" if state is FixState.PARTLY else untried)


@pytest.mark.parametrize(
    ("age", "allowed", "is_refused"),
    [(3, ("--max-age", "2"), True), (3, ("--max-age", "3"), False), (None, ("--max-age", "999"), True), (3, (), False)],
)
def test_an_old_capture_gives_no_commands(
    run: Run, tmp_path: Path, age: int | None, allowed: tuple[str, ...], *, is_refused: bool
) -> None:
    taken = "" if age is None else f"!Time: {datetime.now().astimezone() - timedelta(age):%a %b %d %H:%M:%S %Y}\n"
    lines = "interface Ethernet1/2\n  service-policy type qos input NOBODY\n"
    text = f"!Command: show running-config\n{taken}{LEAF.format(name='leaf1')}{lines}"
    (tmp_path / "leaf1.cfg").write_text(text, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    _, out, err = run("fix", tmp_path, *allowed, "--format", "json")
    assert out, err
    fixes = json.loads(out)["fixes"]
    assert fixes
    assert all("too old" in (each["why"] or "") for each in fixes) == is_refused
    assert any(each["steps"] for each in fixes) != is_refused


def test_a_reference_to_nothing_is_taken_back(run: Run, tmp_path: Path) -> None:
    lines = f"interface Ethernet1/2\n{NOBODY}"
    (tmp_path / "leaf1.cfg").write_text(LEAF.format(name="leaf1") + lines, encoding="utf-8")
    (tmp_path / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    found = json.loads(run("check", tmp_path, "--format", "json")[1])["causes"]
    (wrong,) = [cause["id"] for cause in found if cause["rule"] == "CLS004"]
    (fix,) = json.loads(run("fix", tmp_path, "--cause", wrong, "--format", "json")[1])["fixes"]
    assert fix["state"] == "re-audited"


def test_what_no_fix_of_its_own_brought_is_of_those_at_its_device(tmp_path: Path) -> None:
    """Lines of several causes are tried beside others that do not hold in the end: each is held to the end itself."""
    profile = "qos profile RDMA\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    cables = [("tor1", "Ethernet5", "agg1", "Ethernet7"), ("tor2", "Ethernet5", "agg1", "Ethernet8")]
    ends = "".join(f"  - a: {{device: {a}, port: {b}}}\n    b: {{device: {c}, port: {d}}}\n" for a, b, c, d in cables)
    for name, text in {
        "links.yaml": f"schema: roce-audit/links/1\nlinks:\n{ends}",
        "tor1.cfg": "hostname tor1\ninterface Ethernet5\n   service-profile RDMA\n",
        "gpu1.txt": "$ cat /sys/class/net/ens3f0/ecn/roce_np/cnp_dscp\n48\n$\n",
        "tor2.cfg": f"hostname tor2\n{profile}interface Ethernet5\n   service-profile RDMA\n",
        "agg1.cfg": f"hostname agg1\n{profile}interface Ethernet7\n   service-profile RDMA\ninterface Ethernet8\n",
    }.items():
        (tmp_path / name).write_text(text)
    plan = plan_fixes([str(tmp_path)], Options(links=str(tmp_path / "links.yaml")))
    before, after = ({f.fingerprint for f in report.of_kind(FindingKind.FAIL)} for report in (plan.before, plan.after))
    held = [each for each in plan.fixes if each.is_gain]
    assert after - before == {found.fingerprint for each in held for found in each.come}
    assert not {found.fingerprint for each in held if each.is_cured for found in each.cause.findings} & after
    assert plan.remaining_errors <= plan.before.count_levels()["error"]


def test_one_cause_may_be_chosen(plan: FixPlan, run: Run, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["plan"]
    chosen = next(each.cause for each in plan.fixes if each.state is FixState.RE_AUDITED)
    document = json.loads(run("fix", ROOT / "fixtures" / name, "--cause", chosen.id[:8], "--format", "json")[1])
    assert [each["cause"] for each in document["fixes"]] == [chosen.id]


@pytest.mark.parametrize(("option", "name"), [("--cause", "0000"), ("--device", "leaf99")])
def test_a_name_that_nothing_has_is_refused(run: Run, tmp_path: Path, option: str, name: str) -> None:
    (tmp_path / "leaf1.cfg").write_text(LEAF.format(name="leaf1"), encoding="utf-8")
    status, out, err = run("fix", tmp_path, option, name)
    assert (status, out) == (2, "")
    assert name in err


WANTS = """\
schema: roce-audit/custom-rule/1
id: OUR00{number}
name: wants-{number}
level: error
for: port
summary: A port has another value than this rule wants.
why: The site says so.
require: {{properties: {{{field}: {{const: {value}}}}}}}
remedy:
  cisco_nxos: |
    interface {{port}}
      {line}
references: [our runbook]
"""


def plan_by_rules(folder: Path, lines: Sequence[str], second: tuple[str, str] = ("speed_gbps", "100")) -> FixPlan:
    """Return the plan for a port that two rules of the site find fault with, whose remedies have these *lines*."""
    (folder / "rules").mkdir()
    wants = ((1, "mtu_bytes", "9216", lines[0]), (2, *second, lines[1]))
    for number, field, value, line in wants:
        text = WANTS.format(number=number, field=field, value=value, line=line)
        (folder / "rules" / f"our{number}.yaml").write_text(text, encoding="utf-8")
    (folder / "configs").mkdir()
    port = "interface Ethernet1/1\n  no switchport\n  mtu 1500\n  speed 40000\n  no shutdown\n"
    text = f"hostname leaf1\nfeature lldp\n{port}interface Ethernet1/2\n  no switchport\n  mtu 9216\n  speed 100000\n"
    (folder / "configs" / "leaf1.cfg").write_text(text, encoding="utf-8")
    (folder / "configs" / "roce-audit.yaml").write_text(INTENT, encoding="utf-8")
    return plan_fixes([str(folder / "configs")], Options(rules=str(folder / "rules"), jobs=1))


SETS_MTU, SETS_SPEED = "mtu 9216", "speed 100000"


@pytest.mark.parametrize(
    ("lines", "is_exclusive"),
    [
        ((f"{SETS_MTU}\n      speed 40000", f"{SETS_SPEED}\n      mtu 1500"), True),
        ((SETS_MTU, f"{SETS_SPEED}\n      mtu 1500"), False),
        ((SETS_MTU, SETS_SPEED), False),
    ],
)
def test_fixes_that_undo_each_other_are_both_named(tmp_path: Path, lines: Sequence[str], is_exclusive: bool) -> None:
    """Where another order would do, they do not exclude each other."""
    plan = plan_by_rules(tmp_path, lines)
    first, second = (next(f for f in plan.fixes if f.cause.rule == rule) for rule in ("OUR001", "OUR002"))
    assert (first.excludes, second.excludes) == (((second.cause.id,), (first.cause.id,)) if is_exclusive else ((), ()))
    assert sum(each.is_cured for each in (first, second)) >= 1
    assert ("choose one" in render(plan)) is is_exclusive


OTHER_PORT = "\n    interface Ethernet1/2\n      speed 100000\n      no shutdown"


@pytest.mark.parametrize(
    ("lines", "comment", "is_own"),
    [
        ((SETS_MTU, SETS_MTU + OTHER_PORT), "", True),
        ((SETS_MTU + OTHER_PORT, SETS_MTU), "", False),
        ((SETS_MTU + OTHER_PORT, SETS_MTU), "! the link goes down", True),
    ],
)
def test_the_lines_that_change_the_fewest_ports_are_typed(
    tmp_path: Path, lines: Sequence[str], comment: str, is_own: bool
) -> None:
    """Both rules find fault with one line; the lines of either cure it."""
    plan = plan_by_rules(tmp_path, (lines[0], f"{lines[1]}\n      {comment}"), ("mtu_bytes", "9216"))
    (fix,) = (each for each in plan.fixes if each.cause.rule == "OUR001")
    (other,) = fix.alternatives
    assert (fix.state, len({found.rule for found in fix.cause.findings})) == (FixState.RE_AUDITED, 2)
    typed, beside = (steps[0].text for steps in (fix.steps, other.steps))
    wide, narrow = (beside, typed) if is_own == (lines[0] == SETS_MTU) else (typed, beside)
    assert ("Ethernet1/2" in wide, "Ethernet1/2" in narrow) == (True, False)
    assert f"changing {len(other.changed)} port" in render(plan)


@pytest.mark.children
def test_a_device_that_is_lost_with_its_lines_is_not_cured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that fails on what is typed leaves no finding of the device, and proves nothing."""
    read = load.read_device

    def fail_on_typed(unit: DeviceUnit, *rest: object) -> load.DeviceReading:
        if any(capture.file == TYPED for capture in unit.captures):
            raise ValueError
        return read(unit, *rest)

    monkeypatch.setattr("auditor.engine.load.read_device", fail_on_typed)
    (tmp_path / "leaf1.cfg").write_text(f"{LEAF.format(name='leaf1')}interface Ethernet1/2\n{NOBODY}", encoding="utf-8")
    plan = plan_fixes([str(tmp_path)], Options(jobs=1))
    (fix,) = (each for each in plan.fixes if each.cause.rule == "CLS004")
    assert not fix.is_cured
    assert fix.remain == fix.cause.findings
    assert plan.steps == ()


def test_each_alternative_cures_its_cause_alone(plan: FixPlan) -> None:
    folder = str(Path(plan.before.dumps[0].file).parents[1])
    with Rehearsal([folder], Options(jobs=1)) as rehearsal:
        trial = Trial(rehearsal, rehearsal.judge())
        for fix in plan.fixes:
            assert all(trial.cures([replace(fix, steps=other.steps)]) for other in fix.alternatives)
            assert bool(fix.changed) >= bool(fix.alternatives)


USES = {
    "nxos": ("feature lldp\n", "  service-policy type qos input NOWHERE\n"),
    "eos": ("! device: leaf1 (DCS-7060X6-64PE, EOS-4.32.0F)\n", "   service-profile NOWHERE\n"),
}


@pytest.mark.parametrize("system", USES)
@given(ports=st.sets(st.integers(1, 24), min_size=1, max_size=9))
def test_a_name_that_leads_nowhere_is_taken_back_wherever_it_is_used(system: str, ports: set[int]) -> None:
    """The finding names all lines that use it, and its lines to type are for all of them."""
    begun, use = USES[system]
    text = f"{begun}hostname leaf1\n" + "".join(f"interface Ethernet1/{port}\n{use}" for port in sorted(ports))
    with TemporaryDirectory() as folder:
        Path(folder, "leaf1.cfg").write_text(text, encoding="utf-8")
        plan = plan_fixes([folder], Options(jobs=1))
    (fix,) = [each for each in plan.fixes if each.cause.rule == "CLS004"]
    (found,) = fix.cause.findings
    assert fix.state is FixState.RE_AUDITED
    assert {found.line, *(place.line for place in found.related)} == {
        number for number, line in enumerate(text.splitlines(), 1) if "NOWHERE" in line
    }
    assert fix.steps[0].text.count("NOWHERE") == len(ports)
