"""Reports as text: quoted lines, ranges of ports, nothing that repaints a terminal, and JSON that keeps its schema."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from auditor.checks.catalogue import load_rules
from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.diagnosis.remedies import Remedy, list_examples
from auditor.diagnosis.typical_cost import estimate_typical_cost
from auditor.engine.findings import Cause, Place, ReportedFinding
from auditor.engine.result import DumpCount, Notice, Report, RuleCount
from auditor.model.finding import FindingKind, Level, LossKind
from auditor.report import explain, terminal
from auditor.report import json as as_json
from auditor.report.presentation import Presentation
from auditor.report.quote import join_port_names

GOLDEN = Path(__file__).parents[1] / "golden" / "report" / "terminal.txt"
LINES = {
    ("leaf1.cfg", 7): "  service-policy type qos input NOWHERE",
    ("leaf1.cfg", 118): "username admin password 5 $5$Kd8fhs$9gJ role network-admin",
    ("spine1.cfg", 1203): "\tmtu 9216",
}
NO_INTENT = {
    "declared": False,
    "preset": None,
    "evidence": ["lossless priorities 3: 4 of 5 ports with PFC on"],
    "traffic": [{"name": "RDMA", "kind": "rdma", "dscp": [26], "priority": 3, "lossless": None}],
    "lossless_priorities": [3],
    "design": "lossless",
    "congestion_control": None,
    "path_mtu_bytes": None,
    "cable_length_m": None,
    "oversubscription": None,
    "gpus_per_nic": None,
    "incast": None,
    "rails": None,
    "homing": None,
    "roles": [None, "leaf"],
    "changed_rules": [],
}


def source(file: str, line: int) -> str | None:
    return LINES.get((file, line))


def found(port: str | None = "Ethernet1/1", line: int | None = 7) -> ReportedFinding:
    return ReportedFinding(
        rule="CLS004",
        name="undefined-reference",
        pack="classification",
        level=Level.ERROR,
        kind=FindingKind.FAIL,
        device="leaf1",
        port=port,
        message="policy-map NOWHERE is used here and defined nowhere",
        file="leaf1.cfg" if line else None,
        line=line,
        related=(),
        fingerprint="0" * 64,
    )


def counted(port: str, value: int) -> CounterVerdict:
    """Return what one counter of a port says, and one of its neighbour."""
    evidence = (
        Evidence("leaf1", port, "rx_pfc_3", value, "leaf1.cfg", 130),
        Evidence("host1", "ens1f0", "tx_prio3_pause", value, "host1.txt", 7),
    )
    return CounterVerdict(Confirmation.CONFIRMED if value else Confirmation.NO_SIGN, evidence)


FINDINGS = (
    found("Ethernet1/1"),
    replace(found("Ethernet1/2"), counters=counted("Ethernet1/2", 0)),
    replace(found("Ethernet1/3"), counters=counted("Ethernet1/3", 4512)),
    found("Ethernet1/7"),
    replace(
        found("Ethernet1/9", 118),
        rule="MTU001",
        name="peer-mtu-too-small",
        message="takes 1500",
        counters=counted("Ethernet1/9", 0),
        related=(Place("spine1 Ethernet1/1 may send 9216 bytes", "spine1.cfg", 1203),),
    ),
    replace(found(line=None), level=Level.WARNING, message="has no place", device="spine1"),
    replace(found("Ethernet1/4"), kind=FindingKind.OPEN, message="not collected"),
)
REPORT = Report(
    intent=NO_INTENT,
    devices=2,
    ports=64,
    links=1,
    rules=(RuleCount("CLS004", 64, 5, 1), RuleCount("MTU001", 1, 1, 0)),
    findings=FINDINGS,
    dumps=(DumpCount("leaf1.cfg", "cisco_nxos", "leaf1", {"modelled": 118}),),
    warnings=(Notice("two devices are named x"), Notice("not understood: 'qos'", "leaf1.cfg", 9)),
    problems=(Notice("the dump ends inside a line", "leaf2.cfg", 12), Notice("empty", "leaf3.cfg")),
    skipped=(Notice("unknown content", "notes.txt"),),
    unseen=(Notice("spine9: named by leaf1; no dump of it was given", "leaf1.cfg", 4),),
)


def test_the_terminal_report() -> None:
    shown = Presentation(source, listed=[FindingKind.OPEN], has_statistics=True)
    assert terminal.render(REPORT, shown) == GOLDEN.read_text()


def test_open_is_listed_on_request_only_and_always_counted() -> None:
    text = terminal.render(REPORT, Presentation(source))
    assert "not collected" not in text
    assert "1 not judged" in text


def test_colour_is_for_terminals() -> None:
    assert "\x1b" not in terminal.render(REPORT, Presentation(source))
    assert "\x1b[" in terminal.render(REPORT, Presentation(source, colour=True))


def test_secrets_in_quoted_lines_are_hidden() -> None:
    text = terminal.render(REPORT, Presentation(source))
    assert "username admin password 5 <redacted> role network-admin" in text


def test_a_line_is_quoted_up_to_a_width() -> None:
    text = terminal.render(REPORT, Presentation(lambda _file, _line: "x" * 10_000))
    assert max(map(len, text.splitlines())) < 250


HOSTILE = "\x1b[31m\x9b2J\x07\u202e\n\r\x00"
EVIL = frozenset(HOSTILE) - set("[31m2J\n")


@pytest.mark.parametrize(
    "report",
    [
        replace(REPORT, findings=(replace(found(), message=f"policy {HOSTILE}"),)),
        replace(REPORT, findings=(replace(found(), file=f"{HOSTILE}.cfg"),)),
        replace(REPORT, findings=(replace(found(), port=HOSTILE),)),
        replace(REPORT, findings=(replace(found(port=HOSTILE), file=None, line=None),)),
        replace(REPORT, findings=(replace(found(), related=(Place(HOSTILE, HOSTILE, 7),)),)),
        replace(REPORT, warnings=(Notice(HOSTILE, HOSTILE),)),
        replace(REPORT, problems=(Notice(HOSTILE, HOSTILE, 1),)),
        replace(REPORT, skipped=(Notice(HOSTILE, HOSTILE),)),
        replace(REPORT, unseen=(Notice(HOSTILE, HOSTILE),)),
        replace(REPORT, findings=(replace(found(), device=HOSTILE),)),
        replace(REPORT, findings=(replace(found(), device=HOSTILE, kind=FindingKind.OPEN),)),
        replace(REPORT, findings=(replace(found(), port=HOSTILE, kind=FindingKind.OPEN),)),
    ],
    ids=[
        "message",
        "file",
        "port",
        "port without a place",
        "related",
        "warning",
        "problem",
        "skipped",
        "unseen",
        "device",
        "open device",
        "open port",
    ],
)
def test_control_characters_never_reach_the_terminal(report: Report) -> None:
    shown = Presentation(lambda _file, _line: f"  description {HOSTILE}", listed=[FindingKind.OPEN])
    assert not EVIL & set(terminal.render(report, shown))
    for count in (1, 6):  # six are more than the first screen holds
        assert not EVIL & set(terminal.render(add_causes(report, count), replace(shown, is_whole=True)))


def add_causes(report: Report, count: int) -> Report:
    """Return *report* with each of its failures as so many causes."""
    remedy = Remedy("cisco_nxos", f"interface {HOSTILE}\n  mtu 9216")
    failed = report.of_kind(FindingKind.FAIL)
    causes = (Cause(f"{n}", f, f.file, f.line, (f,), remedy=remedy) for f in failed for n in range(count))
    return replace(report, causes=tuple(causes))


@pytest.mark.parametrize(
    ("names", "short"),
    [
        ([], ""),
        (["Ethernet1/1"], "Ethernet1/1"),
        (["Ethernet1/1", "Ethernet1/2"], "Ethernet1/1-2"),
        (["Ethernet1/1", "Ethernet1/3"], "Ethernet1/1, Ethernet1/3"),
        (["Ethernet1/9", "Ethernet1/10", "Ethernet1/11"], "Ethernet1/9-11"),
        (["Ethernet1/32", "Ethernet2/1"], "Ethernet1/32, Ethernet2/1"),
        (["Ethernet1/1/1", "Ethernet1/1/2", "Ethernet1/2/1"], "Ethernet1/1/1-2, Ethernet1/2/1"),
        (["ens1f0np0", "ens1f1np1"], "ens1f0np0, ens1f1np1"),
        (["swp1", "bond"], "swp1, bond"),
    ],
)
def test_neighbouring_ports_are_one_range(names: list[str], short: str) -> None:
    assert join_port_names(names) == short


@pytest.mark.parametrize("report", [REPORT, Report(NO_INTENT, 0, 0, 0, (), (), ())], ids=["full", "empty"])
def test_the_json_report_keeps_its_schema(report: Report) -> None:
    document = json.loads(as_json.render(report, Presentation(source)))
    Draft202012Validator.check_schema(as_json.build_schema())
    Draft202012Validator(as_json.build_schema()).validate(document)
    assert document["schema"] == "roce-audit/report/2"


def test_the_json_report_holds_the_whole_report() -> None:
    document = json.loads(as_json.render(REPORT, Presentation(source)))
    assert document["summary"] == {
        "devices": 2,
        "ports": 64,
        "links": 1,
        "error": 5,
        "warning": 1,
        "note": 0,
        "open": 1,
        "ignored": 0,
        "clean": False,
    }
    first = document["findings"][4]
    assert first["related"] == [
        {"message": "spine1 Ethernet1/1 may send 9216 bytes", "file": "spine1.cfg", "line": 1203}
    ]
    assert document["findings"][5]["file"] is None
    assert [len(document[name]) for name in ("rules", "findings", "dumps", "warnings", "problems", "skipped")] == [
        2,
        7,
        1,
        2,
        2,
        1,
    ]


def test_every_rule_is_explained_whole() -> None:
    for rule in load_rules():
        text = explain.render(rule)
        for part in (rule.file.id, rule.file.name, rule.file.summary, *rule.file.references):
            assert part in text
        assert " ".join(rule.file.why.split()) in " ".join(text.split())
        for system, remedy in list_examples(rule.file):
            assert f"remedy, {explain.name_remedy(system, rule.file.remedy)}:" in text
            assert all(line.strip() in text for line in remedy.splitlines())
        assert rule.file.decided
        assert " ".join(rule.file.decided.split()) in " ".join(text.split())
        assert rule.file.example
        for example in (rule.file.example.bad, rule.file.example.good):
            assert all(line.strip() in text for line in example.splitlines())
        assert "on a 400 Gb/s link" in text
        assert (explain.NO_ESTIMATE in text) is not bool(rule.check.losses)


def test_a_typical_cost_is_that_of_the_loss_model() -> None:
    (rule,) = (each for each in load_rules() if each.file.id == "MTU001")
    assert list(explain.list_typical_costs(rule)) == [
        "1500 bytes taken, 9000 sent: costs 100 % of RDMA goodput while an incast lasts"
    ]
    for fault in LossKind:
        impact = estimate_typical_cost(fault)
        assert impact.costs
        assert not impact.why_none
        assert fault in explain.FAULTY
