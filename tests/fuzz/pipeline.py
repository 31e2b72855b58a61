"""The steps of an audit within this process, so that what one device raises is not caught, and claims about results."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from case import Broken
from jsonschema_rs import Draft4Validator, Draft202012Validator
from prometheus_client.parser import text_string_to_metric_families

from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.job import link_jobs_to_nodes
from auditor.engine.attempts import FAILED
from auditor.engine.build import build_report
from auditor.engine.causes import find_causes
from auditor.engine.check import Outcome, check_device, check_fabric
from auditor.engine.load import distinguish_devices, read_device
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.fabric.topology import link_devices, list_unknown_ends
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Intents, Votes, add_ballots, fill_cable_lengths, settle_intents
from auditor.intent.ignore import parse_comments
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.fabric import End, Fabric
from auditor.model.finding import FindingKind
from auditor.report import json as as_json
from auditor.report.formats import FORMATS, render
from auditor.report.presentation import Presentation
from auditor.util.redact_lines import redact_lines
from auditor.view import documents
from auditor.view.cells import list_cells
from auditor.view.port_view import coverage_view, fabric_view
from auditor.view.size import is_too_large

SARIF = Path(__file__).parents[1] / "report" / "schemas" / "sarif-schema-2.1.0.json"
LISTED = 5


@cache
def _validator(name: str) -> Callable[[Any], bool]:
    if name == "sarif":
        return Draft4Validator(json.loads(SARIF.read_text(encoding="utf-8"))).is_valid
    schemas: dict[str, Callable[[], Any]] = {
        "json": as_json.build_schema,
        "port-view": documents.port_view_schema,
        "coverage": documents.coverage_schema,
    }
    return Draft202012Validator(schemas[name]()).is_valid


def read_unit(unit: DeviceUnit) -> tuple[Device, Votes]:
    """Return the device of *unit* with its votes; each line of its dumps has a state."""
    reading = read_device(unit)
    lengths: dict[str, int] = {}
    for capture in unit.captures:
        lengths[capture.file] = max(lengths.get(capture.file, 0), capture.first_line - 1 + len(capture.lines))
    for dump in reading.device.dumps:
        if len(dump.states) > lengths.get(dump.file, 0):
            raise Broken(f"states of {unit.os}: {len(dump.states)} states of {lengths.get(dump.file)} lines")
    for doubt in reading.device.doubts:
        _require_line(doubt.where.file, doubt.where.line, lengths, f"doubt of {unit.os}")
    return reading.device, add_ballots([reading.ballot])


def audit_snapshot(
    snapshot: Snapshot,
    declared: Intents | None = None,
    cables: Sequence[tuple[End, End]] = (),
    site: Sequence[Rule] = (),
) -> Report:
    """Return the report on *snapshot*; raises whatever a reader or a check raises."""
    return audit_fabric(snapshot, declared, cables, site).report


def audit_fabric(
    snapshot: Snapshot,
    declared: Intents | None = None,
    cables: Sequence[tuple[End, End]] = (),
    site: Sequence[Rule] = (),
) -> JudgedFabric:
    """Return the fabric in *snapshot* with the report on it; raises whatever a reader or a check raises."""
    reads = [read_unit(unit) for unit in snapshot.units]
    devices, warnings = distinguish_devices(device for device, _ in reads)
    return audit_devices(devices, [votes for _, votes in reads], snapshot, declared, cables, site, warnings)


def audit_devices(  # noqa: PLR0913, PLR0917  the parts of an audit
    devices: Sequence[Device],
    votes: Iterable[Votes],
    snapshot: Snapshot,
    declared: Intents | None = None,
    cables: Sequence[tuple[End, End]] = (),
    site: Sequence[Rule] = (),
    warnings: Sequence[str] = (),
) -> JudgedFabric:
    """Return the fabric of *devices* with the report on it."""
    intents = settle_intents(declared, votes)
    rules = (*load_rules(intents.tuning), *site)
    fabric = link_jobs_to_nodes(fill_cable_lengths(link_devices(tuple(devices), cables), intents))
    outcome = Outcome()
    for device in fabric.devices:
        outcome.add([check_device(device, intents, rules).close()])
    outcome.add([check_fabric(fabric, intents, rules).close()])
    comments = [comment for unit in snapshot.units for each in unit.captures for comment in parse_comments([each])]
    report = build_report(
        fabric,
        intents,
        rules,
        outcome,
        problems=snapshot.problems,
        skipped=snapshot.skipped,
        warnings=(*warnings, *list_unknown_ends(fabric, cables)),
        ignores=(*intents.ignores, *comments),
        inputs=snapshot,
    )
    failed = [problem.message for problem in report.problems if FAILED in problem.message]
    if failed:
        raise Broken(f"report: {failed[0]}")
    report = replace(report, causes=find_causes(report, fabric, intents))
    _require_places(report, snapshot)
    _require_causes(report)
    return JudgedFabric(fabric, intents, report, snapshot)


def _require_causes(report: Report) -> None:
    """Raise Broken unless each failure is in one cause, whose place is one of its findings'."""
    inside = [id(found) for cause in report.causes for found in cause.findings]
    if sorted(inside) != sorted(id(found) for found in report.of_kind(FindingKind.FAIL)):
        raise Broken("causes: not each failure is in one of them")
    for cause in report.causes:
        places = {(found.file, found.line) for found in cause.findings}
        places |= {(place.file, place.line) for found in cause.findings for place in found.related}
        if (cause.file, cause.line) not in places:
            raise Broken(f"causes: the place of {cause.rule} is none of its findings'")


def _require_places(report: Report, snapshot: Snapshot) -> None:
    """Raise Broken where a finding is at a file or a line that is not there."""
    lengths: dict[str, int] = {}
    for unit in snapshot.units:
        for capture in unit.captures:
            lengths[capture.file] = max(lengths.get(capture.file, 0), capture.first_line - 1 + len(capture.lines))
    for found in report.findings:
        _require_line(found.file, found.line, lengths, f"finding of {found.rule}")
        for place in found.related:
            _require_line(place.file, place.line, lengths, f"related place of {found.rule}")


def _require_line(file: str | None, line: int | None, lengths: dict[str, int], who: str) -> None:
    if file is None:
        return
    if file not in lengths:
        raise Broken(f"{who}: no file {file!r}")
    if line is not None and not 1 <= line <= max(1, lengths[file]):
        raise Broken(f"{who}: line {line} of {lengths[file]} in {file!r}")


def render_report(report: Report, kinds: Sequence[str] = FORMATS) -> None:
    """Render *report* in each of *kinds*; raises Broken where a text is not of its format."""
    for kind in kinds:
        text = render(kind, report, Presentation(report.inputs.index_lines(), report.catalogue))
        text.encode("utf-8")
        if kind in {"json", "sarif"} and not _validator(kind)(json.loads(text)):
            raise Broken(f"format {kind}: does not fit its schema")
        if kind == "gitlab":
            json.loads(text)
        if kind == "junit":
            ET.fromstring(text)  # noqa: S314  our own text
        if kind == "csv":
            list(csv.reader(StringIO(text, newline=""), strict=True))
        if kind == "prometheus":
            list(text_string_to_metric_families(text))


def render_views(devices: Sequence[Device]) -> None:
    """Write what `show` prints of *devices*, and hold it against its schemas."""
    small = tuple(device for device in devices if not is_too_large(device))
    for with_state in (False, True):
        shown = fabric_view(Fabric(small, ()), with_state=with_state).model_dump_json(by_alias=True)
        document = json.loads(shown)
        if not with_state and not _validator("port-view")(document):
            raise Broken("format port-view: does not fit its schema")
        if negative := next(_list_negative(document), ""):
            raise Broken(f"port view: {negative} is below 0")
    for device in small:
        table = list_cells(device)
        if lost := next((key for key in table.cells if table.find(key) is None), None):
            raise Broken(f"drift: {lost} is not found in its own table")
    if not _validator("coverage")(json.loads(coverage_view(devices).model_dump_json(by_alias=True))):
        raise Broken("format coverage: does not fit its schema")


_AMOUNT = re.compile(r".*_(?:bytes|gbps|percent|ms|us|m)")


def _list_negative(part: Any, name: str = "") -> Iterator[str]:  # noqa: ANN401  any JSON
    """Yield the names of amounts in *part* that are below zero."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _list_negative(value, key)
    elif isinstance(part, list):
        for value in part:
            yield from _list_negative(value, name)
    elif isinstance(part, int | float) and part < 0 and _AMOUNT.fullmatch(name):
        yield name


def redact_text(lines: Sequence[str]) -> None:
    """Redact *lines*; raises Broken where a line is lost, or a second pass changes what the first has left."""
    shown = redact_lines(lines)
    if len(shown) != len(lines):
        raise Broken(f"redaction: {len(lines)} lines became {len(shown)}")
    again = redact_lines(shown)
    if again != shown:
        before, after = next((a, b) for a, b in zip(shown, again, strict=True) if a != b)
        raise Broken(f"redaction: not idempotent: {before[:200]!r} became {after[:200]!r}")


def make_unit(os: str, captures: Iterable[Capture]) -> DeviceUnit:
    """Return a device of *captures*."""
    return DeviceUnit("device", "device", os, tuple(captures))


def split_text(text: str) -> tuple[str, ...]:
    """Return the lines of a capture."""
    return tuple(text.removesuffix("\n").split("\n"))


def list_findings(report: Report) -> Iterator[str]:
    """Yield the fingerprints of all findings."""
    yield from (found.fingerprint for found in report.findings)
