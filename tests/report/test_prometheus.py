"""The sums for Prometheus: its own parser reads them, they add up to the report, and no fabric makes them endless."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

import auditor
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.result import DumpCount, Report, ReportComparison, RuleCount, Sight
from auditor.inputs.dates import CaptureDate
from auditor.inputs.snapshot import Snapshot
from auditor.model.extent import AuditedDevice, AuditedPort, RuleExtent
from auditor.model.finding import FindingKind, Level
from auditor.model.setting import Where
from auditor.report import prometheus
from auditor.report.formats import render
from auditor.report.presentation import Presentation

pytestmark = pytest.mark.read_once

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
PROMTOOL_NAME = re.compile(r"roce_audit_[a-z]+(?:_[a-z]+)*")
Series = dict[tuple[str, ...], float]


@pytest.fixture(scope="module")
def report() -> Report:
    return auditor.audit(FABRIC, auditor.Options(jobs=1))


def read(report: Report) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Return the samples of each metric, as Prometheus reads them."""
    text = render("prometheus", report, Presentation())
    families = list(text_string_to_metric_families(text))
    assert {family.type for family in families} == {"gauge"}
    assert all(family.documentation for family in families)
    samples = [(each.name, each.labels, each.value) for family in families for each in family.samples]
    keys = [(name, *sorted(labels.items())) for name, labels, _ in samples]
    assert len(set(keys)) == len(keys) == sum(not line.startswith("#") for line in text.splitlines())
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for name, labels, value in samples:
        found.setdefault(name.removeprefix("roce_audit_"), []).append((labels, value))
    return found


def pick(report: Report, metric: str, *names: str) -> Series:
    """Return the samples of a metric by the values of some labels."""
    return {tuple(labels.get(name, "") for name in names): value for labels, value in read(report)[metric]}


def make_finding(device: str = "leaf1", **changes: Any) -> ReportedFinding:  # noqa: ANN401  any field
    found = ReportedFinding(
        Level.ERROR, FindingKind.FAIL, "PFC001", "pfc-off", "pfc", device, "Ethernet1/1", "PFC is off", None, None, (),
        "a" * 64,
    )  # fmt: skip
    return replace(found, **changes)


def make_report(*causes: Cause, **changes: Any) -> Report:  # noqa: ANN401  any field
    findings = tuple(found for cause in causes for found in cause.findings)
    report = Report({"declared": True}, 1, 1, 0, (RuleCount("PFC001", 4, 1, 1),), findings, (), causes=causes)
    return replace(report, **changes)


def make_cause(number: int, *findings: ReportedFinding, **changes: Any) -> Cause:  # noqa: ANN401  any field
    return replace(Cause(f"{number}", findings[0], None, None, findings), **changes)


def test_the_sums_are_those_of_the_report(report: Report) -> None:
    read_values = read(report)
    causes = read_values["causes"]
    assert sum(value for _, value in causes) == len(report.causes) > 0
    wanted = {(cause.rule, cause.level.value, cause.device) for cause in report.causes}
    assert {(own["rule"], own["level"], own["device"]) for own, value in causes if value} == wanted
    failed = report.of_kind(FindingKind.FAIL)
    for level in Level:
        found = sum(value for labels, value in read_values["findings"] if labels["level"] == level.value)
        assert found == sum(each.level is level for each in failed)
    for what in ("checked", "failed", "open"):
        assert pick(report, f"objects_{what}", "rule") == {(c.rule,): getattr(c, what) for c in report.rules}
    assert sum(value for _, value in read_values["ports"]) == report.ports
    assert pick(report, "devices") == {(): report.devices}


def test_names_follow_the_conventions(report: Report) -> None:
    for line in render("prometheus", report, Presentation()).splitlines():
        name = re.split(r"[ {]", line.removeprefix("# HELP ").removeprefix("# TYPE "))[0]
        assert PROMTOOL_NAME.fullmatch(name), name
        assert not name.endswith(("_total", "_count", "_sum", "_bucket"))


def test_a_clean_fabric_has_a_series_for_each_level() -> None:
    clean = make_report()
    for metric in ("causes", "findings"):
        assert pick(clean, metric, "level") == {("error",): 0, ("warning",): 0, ("note",): 0}
    assert pick(clean, "clean") == {(): 1}


def test_ports_are_judged_partly_judged_or_not() -> None:
    decided, left, nothing = (((RuleExtent("A", *counts),),) for counts in ((1, 0), (0, 1), (0, 0)))
    extents = {"a": decided, "b": (*decided, *left), "c": left, "d": (), "e": nothing}
    ports = tuple(AuditedPort(name, extents=own) for name, own in extents.items())
    device = AuditedDevice("leaf1", "cisco_nxos", "leaf1", Where("leaf1", 1), "leaf1", ports)
    assert pick(make_report(audited=(device,)), "ports", "device", "state") == {
        ("leaf1", "judged"): 1,
        ("leaf1", "partly"): 1,
        ("leaf1", "not_judged"): 3,
    }


def test_owners_and_states_of_causes() -> None:
    new, old = make_finding(is_new=True), make_finding(is_new=False)
    causes = (make_cause(1, new, old, owners=("network", "storage")), make_cause(2, old))
    report = make_report(*causes, compared=ReportComparison("main"))
    counted = pick(report, "causes", "owner", "state")
    assert counted[("network and storage", "new")] == counted[("", "unchanged")] == 1


def test_the_oldest_capture_of_a_device_has_a_time() -> None:
    noon = datetime(2026, 11, 23, 12, tzinfo=UTC)
    dates = {
        "a": CaptureDate(noon.date(), time=noon),
        "b": CaptureDate(date(2026, 11, 24)),
        "c": CaptureDate(noon.date()),
    }
    dumps = tuple(
        DumpCount(file, "x", device, {})
        for file, device in zip("abcd", ("leaf1", "leaf1", "leaf2", "leaf3"), strict=True)
    )
    report = make_report(dumps=dumps, inputs=replace(Snapshot(()), dates=dates))
    midnight = datetime(2026, 11, 23, tzinfo=UTC).timestamp()
    assert pick(report, "capture_timestamp_seconds", "device") == {
        ("leaf1",): noon.timestamp(),
        ("leaf2",): midnight,
    }


def test_what_the_site_expects() -> None:
    report = make_report(expectation=Sight(3, 4, (), is_enough=False))
    assert [pick(report, name)[()] for name in ("expected_devices", "expected_devices_seen", "expectation_met")] == [
        4, 3, 0,
    ]  # fmt: skip
    assert "expected_devices" not in read(make_report())


def test_a_large_fabric_has_a_bounded_number_of_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prometheus, "MOST_SERIES", 3)
    found = [make_finding(f"leaf{number}") for number in range(9)]
    audited = [
        AuditedDevice(each.device, "x", "x", Where("x", 1), each.device, (AuditedPort("e"),)) for each in found
    ]  # fmt: skip
    dates = {f"f{n}": CaptureDate(date(2026, 1, 9 - n)) for n in range(9)}
    dumps = tuple(DumpCount(f"f{n}", "x", f"leaf{n}", {}) for n in range(9))
    inputs = replace(Snapshot(()), dates=dates)
    causes = [make_cause(number, each) for number, each in enumerate(found)]
    report = make_report(*causes, audited=tuple(audited), dumps=dumps, inputs=inputs)
    for metric in ("causes", "findings", "ports"):
        values = read(report)[metric]
        assert sum(value for _, value in values) == len(found)
        assert [value for labels, value in values if "device" not in labels and value] == [6]
        assert sum("device" in labels for labels, _ in values) == prometheus.MOST_SERIES
    times = pick(report, "capture_timestamp_seconds", "device")
    assert [*times] == [("leaf8",), ("leaf7",), ("leaf6",), ("",)]
    assert times["",] == datetime(2026, 1, 4, tzinfo=UTC).timestamp()


@given(st.text(), st.text())
def test_any_name_is_a_label_that_prometheus_reads(device: str, owner: str) -> None:
    report = make_report(make_cause(1, make_finding(device), owners=(owner,)), make_cause(2, make_finding("leaf1")))
    assert sum(value for _, value in read(report)["causes"]) == len(report.causes)


def test_a_label_keeps_quotes_and_backslashes() -> None:
    name = 'leaf "1" \\n\\'
    assert ("error", name) in pick(make_report(make_cause(1, make_finding(name))), "findings", "level", "device")
