"""Rules on objects: what is counted, what stays open, where a finding points, and what makes it the same finding."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.checks.base import Check, Params, Scope
from auditor.checks.catalogue import Rule, RuleFile
from auditor.engine.build import MAX_DOUBTS, build_report
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.findings import ReportedFinding
from auditor.engine.load import read_device
from auditor.inputs.rawtext import Problem, Skipped
from auditor.inputs.snapshot import find
from auditor.intent import infer_intents
from auditor.model.device import Device
from auditor.model.dump import Doubt, DumpFile, LineState
from auditor.model.fabric import End, Fabric, Link
from auditor.model.finding import Finding, FindingKind, Level, Related
from auditor.model.nic import Nic, RdmaDevice
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Undetermined, Unset, Where, value_of

INTENTS = infer_intents([])
INSIDE = Where("any.cfg", 2, relative=True)
SHARED = PortConfig()


def leaf(*configs: PortConfig, name: str = "leaf1", start: int = 10) -> Device:
    ports = (Port(f"Ethernet1/{n}", c, Where(f"{name}.cfg", start * n)) for n, c in enumerate(configs, 1))
    return Device(name, "switch", "x", f"{name}.cfg", tuple(ports))


def rule(run: Callable[..., Iterator[Finding]], scope: Scope = Scope.PORT, objects: int = 1) -> Rule:
    file = RuleFile(
        id="TST001",
        name="some-rule",
        level=Level.WARNING,
        scope=scope,
        check="x",
        summary="A summary.",
        why="Some reason.",
        remedy={"any": "x"},
        references=["x"],
    )
    return Rule(file, "pack", Check(scope, run, lambda given, _context: (given,) * objects), Params())


def fails(_given: object, _params: object, _context: object) -> Iterator[Finding]:
    yield Finding("wrong", INSIDE, key="priority 3", related=(Related("there", INSIDE),))


def is_open(_given: object, _params: object, _context: object) -> Iterator[Finding]:
    raise Undetermined("not collected", INSIDE)
    yield


def fails_and_is_open(given: object, params: object, context: object) -> Iterator[Finding]:
    yield from fails(given, params, context)
    yield from is_open(given, params, context)


def passes(_given: object, _params: object, _context: object) -> Iterator[Finding]:
    yield from ()


@pytest.mark.parametrize(
    ("run", "failed", "left_open", "kinds"),
    [
        (passes, 0, 0, []),
        (fails, 3, 0, [FindingKind.FAIL]),
        (is_open, 0, 3, [FindingKind.OPEN]),
        (fails_and_is_open, 3, 3, [FindingKind.FAIL, FindingKind.OPEN]),
    ],
)
def test_every_port_is_counted_and_one_unknown_blinds_no_other(
    run: Callable[..., Iterator[Finding]], failed: int, left_open: int, kinds: list[FindingKind]
) -> None:
    outcome = check_device(leaf(SHARED, SHARED, PortConfig()), INTENTS, [rule(run)])
    assert (outcome.checked["TST001"], outcome.failed["TST001"], outcome.open["TST001"]) == (3, failed, left_open)
    assert sorted({f.kind for f in outcome.findings}) == kinds


COUNTS = st.dictionaries(st.sampled_from(["PFC001", "ECN001", "MTU001"]), st.integers(0, 3)).map(Counter)
BROKEN = st.dictionaries(st.sampled_from(["TST001", "TST002"]), st.tuples(st.sampled_from("ab"), st.integers(1, 3)))


@settings(deadline=None)
@given(st.lists(st.tuples(COUNTS, COUNTS, COUNTS, BROKEN), max_size=5))
def test_parts_add_up_to_the_whole(parts: list[tuple[Counter[str], Counter[str], Counter[str], Any]]) -> None:
    whole = Outcome()
    whole.add(Outcome(checked=a, failed=b, open=c, broken=broken).close() for a, b, c, broken in parts)
    for number, total in enumerate((whole.checked, whole.failed, whole.open)):
        assert dict(total) == {
            rule: sum(part[number][rule] for part in parts)
            for rule in {rule for part in parts for rule in part[number]}
        }
    for rule, (first, count) in whole.broken.items():
        told = [part[3][rule] for part in parts if rule in part[3]]
        assert (first, count) == (told[0][0], sum(number for _, number in told))
    assert whole.broken.keys() == {rule for part in parts for rule in part[3]}


def test_devices_alike_share_one_tally() -> None:
    one, other = (check_device(leaf(SHARED, name=name), INTENTS, [rule(fails)]).close() for name in ("a", "b"))
    assert one.tally is other.tally
    assert one.findings != other.findings


def test_ports_that_share_a_configuration_are_judged_once_and_each_has_its_own_line() -> None:
    seen = []

    def run(given: object, params: object, context: object) -> Iterator[Finding]:
        seen.append(given)
        yield from fails(given, params, context)

    outcome = check_device(leaf(SHARED, SHARED, PortConfig()), INTENTS, [rule(run)])
    assert len(seen) == 2
    places = {f.port: (f.file, f.line, [(p.file, p.line) for p in f.related]) for f in outcome.findings}
    assert places == {f"Ethernet1/{n}": ("leaf1.cfg", 10 * n + 2, [("leaf1.cfg", 10 * n + 2)]) for n in (1, 2, 3)}


def test_a_rule_of_nics_judges_each_port_by_itself() -> None:
    def names_device(port: Port, _params: object, _context: object) -> Iterator[Finding]:
        if value_of(port.rdma.name) != "mlx5_0":
            yield Finding(f"not {value_of(port.rdma.name)}", INSIDE)

    config = PortConfig(nic=Nic())
    names = ("mlx5_0", "mlx5_1", "mlx5_0")
    ports = [
        Port(f"eth{n}", config, Where("gpu1.txt", n), rdma=RdmaDevice(Known(name, Origin.LEARNED)))
        for n, name in enumerate(names, 1)
    ]
    plain = rule(names_device)
    device = Device("gpu1", "host", "linux", "gpu1.txt", (*ports, Port("lo", SHARED)))
    outcome = check_device(device, INTENTS, [replace(plain, check=replace(plain.check, by_nic=True))])
    assert [(found.port, found.line, found.message) for found in outcome.findings] == [("eth2", 4, "not mlx5_1")]
    assert (outcome.checked, outcome.failed) == ({"TST001": 3}, {"TST001": 1})
    assert [each.ports for each in outcome.extents if each.extents] == [("eth1", "eth2", "eth3")]


def test_a_finding_without_a_place_points_at_its_port() -> None:
    def run(*_: object) -> Iterator[Finding]:
        yield Finding("wrong", None)

    (found,) = check_device(leaf(SHARED), INTENTS, [rule(run)]).findings
    assert (found.file, found.line) == ("leaf1.cfg", 10)


def test_the_level_is_the_rules_unless_the_finding_has_its_own() -> None:
    def run(*_: object) -> Iterator[Finding]:
        yield Finding("a", None, key="a")
        yield Finding("b", None, key="b", level=Level.NOTE)

    assert [f.level for f in check_device(leaf(SHARED), INTENTS, [rule(run)]).findings] == [Level.WARNING, Level.NOTE]


def prints(device: Device, key: str = "", rule_id: str = "TST001") -> set[str]:
    def run(*_: object) -> Iterator[Finding]:
        yield Finding("wrong", INSIDE, key=key)

    made = rule(run)
    made = replace(made, file=made.file.model_copy(update={"id": rule_id}))
    return {f.fingerprint for f in check_device(device, INTENTS, [made]).findings}


def test_a_fingerprint_moves_with_no_line_and_changes_with_all_else() -> None:
    base = prints(leaf(SHARED))
    assert len(base) == 1
    assert prints(leaf(SHARED, start=99)) == base
    others = [
        prints(leaf(SHARED, name="leaf2")),
        prints(leaf(SHARED), key="priority 4"),
        prints(leaf(SHARED), rule_id="TST002"),
        prints(leaf(SHARED, SHARED)) - base,
    ]
    assert len({frozenset(each) for each in [base, *others]}) == 5


def cabled() -> Fabric:
    devices = (leaf(SHARED, name="a"), leaf(SHARED, name="b", start=70))
    return Fabric(devices, (Link(End("a", "Ethernet1/1"), End("b", "Ethernet1/1"), ("lldp",), confirmed=True),))


def test_a_rule_of_links_names_the_end_at_fault() -> None:
    def run(given: Any, *_: object) -> Iterator[Finding]:  # noqa: ANN401  a cable
        where = given.b.port.locate(INSIDE)
        yield Finding("wrong", where, device=given.b.device.name, port=given.b.port.name)

    (found,) = check_fabric(cabled(), INTENTS, [rule(run, Scope.LINK)]).findings
    assert (found.device, found.port, found.file, found.line) == ("b", "Ethernet1/1", "b.cfg", 72)


def test_links_to_what_was_not_dumped_are_not_judged() -> None:
    fabric = replace(cabled(), devices=cabled().devices[:1])
    assert check_fabric(fabric, INTENTS, [rule(fails, Scope.LINK)]).checked["TST001"] == 0


def test_what_the_far_end_leaves_open_points_at_the_far_end() -> None:
    def run(given: Any, *_: object) -> Iterator[Finding]:  # noqa: ANN401  a cable
        inside = replace(INSIDE, file=f"{given.b.device.name}.cfg")
        given.b.known(Unset(inside))
        return iter(())

    (found,) = check_fabric(cabled(), INTENTS, [rule(run, Scope.LINK)]).findings
    assert found.file == "b.cfg"


def test_a_report_counts_rules_that_were_checked_on_nothing() -> None:
    outcome = check_device(leaf(), INTENTS, [rule(fails)])
    made = build_report(Fabric((leaf(),), ()), INTENTS, [rule(fails)], outcome)
    assert [(c.rule, c.checked, c.failed, c.open) for c in made.rules] == [("TST001", 0, 0, 0)]


def test_a_report_tells_what_was_not_read_and_not_understood() -> None:
    doubts = [Doubt(Where("leaf1.cfg", n), f"qos {n}", "odd") for n in range(1, MAX_DOUBTS + 4)]
    dump = DumpFile("leaf1.cfg", "x", (LineState.MODELLED, LineState.UNRECOGNISED))
    device = replace(leaf(), doubts=(*doubts, Doubt(Where("leaf1.cfg", 99), "cut", "cut", fatal=True)), dumps=(dump,))
    made = build_report(
        Fabric((device,), ()),
        INTENTS,
        [],
        check_device(device, INTENTS, []),
        problems=[Problem("bad.cfg", 7, "cut")],
        skipped=[Skipped("notes.txt", "no dump")],
        warnings=["two devices"],
    )
    assert [(p.file, p.line, p.message) for p in made.problems] == [("bad.cfg", 7, "cut")]
    assert [(s.file, s.message) for s in made.skipped] == [("notes.txt", "no dump")]
    assert [(d.file, d.device, d.states) for d in made.dumps] == [
        ("leaf1.cfg", "leaf1", {"modelled": 1, "unrecognised": 1})
    ]
    assert made.warnings[0].message == "two devices"
    assert [w.line for w in made.warnings[1:-1]] == list(range(1, MAX_DOUBTS + 1))
    assert "3 more lines" in made.warnings[-1].message


CONFIG = """\
hostname leaf1
feature lldp
policy-map type qos UNUSED
  class class-default
    set qos-group 0
interface Ethernet1/1
  service-policy type qos input NOWHERE
interface Ethernet1/2
  priority-flow-control mode on
"""


def audited(root: Path, text: str) -> Mapping[str, ReportedFinding]:
    from auditor.checks.catalogue import load_rules  # noqa: PLC0415  the real rules, for this test only

    (root / "leaf1.cfg").write_text(text)
    (unit,) = find([str(root)]).units
    return {
        f.fingerprint: f
        for f in check_device(read_device(unit).device, INTENTS, load_rules()).findings
        if f.kind is FindingKind.FAIL
    }


def test_fingerprints_of_a_real_dump_stay_when_lines_are_inserted_above(tmp_path: Path) -> None:
    before = audited(tmp_path, CONFIG)
    after = audited(tmp_path, "!\n" * 7 + CONFIG.replace("interface", "vlan 9\n  name x\ninterface", 1))
    assert len(before) >= 3
    assert before.keys() == after.keys()
    assert all((before[key].line or 0) + 7 <= (after[key].line or 0) for key in before)
