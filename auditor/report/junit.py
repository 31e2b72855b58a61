"""The report as JUnit XML: a suite per rule, a failed case per finding, a passed case for a rule without any.

A suite's properties say on how many objects its rule was checked, failed and is open; where it could judge none, its
case is skipped, for a clean result over nothing is not clean. What is unchanged, ignored or, on request, open is a
skipped case, as are neighbours without a dump: it does not fail a build. A dump that cannot be read is a case in error.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report, RuleCount
from auditor.model.finding import FindingKind
from auditor.report.presentation import Presentation, clean_text, format_message, format_object, format_state


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as XML text."""
    by_rule: dict[str, list[ReportedFinding]] = {count.rule: [] for count in report.rules}
    for found in report.findings:
        if found.kind is not FindingKind.OPEN or FindingKind.OPEN in shown.listed:
            by_rule.setdefault(found.rule, []).append(found)
    names = {rule.file.id: rule.file.name for rule in shown.rules}
    counts = {count.rule: count for count in report.rules}
    root = ET.Element("testsuites", name="roce-audit")
    for rule, findings in by_rule.items():
        name = names.get(rule) or (findings[0].name if findings else "")
        _add_suite(root, f"{rule} {name}".rstrip(), findings, shown, counts.get(rule, RuleCount(rule, 0, 0, 0)))
    if report.problems:
        suite = ET.SubElement(root, "testsuite", name="dumps")
        for problem in report.problems:
            case = ET.SubElement(
                suite, "testcase", classname="dumps", name=clean_text(problem.file or problem.message.partition(":")[0])
            )
            place = f"{shown.path(problem.file)}:{problem.line}: " if problem.file and problem.line else ""
            ET.SubElement(case, "error", message=clean_text(f"{place}{problem.message}"))
    if report.unseen or report.sight:
        suite = ET.SubElement(root, "testsuite", name="neighbours")
        if report.sight:
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", name="sight", value=report.sight)
        for number, unseen in enumerate(report.unseen, start=1):
            case = ET.SubElement(suite, "testcase", classname="neighbours", name=f"not seen {number}")
            ET.SubElement(case, "skipped", message=clean_text(unseen.message))
    for suite in root:
        _set_counts(suite)
    _set_counts(root)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(
    root: ET.Element, name: str, findings: Sequence[ReportedFinding], shown: Presentation, count: RuleCount
) -> None:
    suite = ET.SubElement(root, "testsuite", name=name)
    properties = ET.SubElement(suite, "properties")
    for what in ("checked", "failed", "open"):
        ET.SubElement(properties, "property", name=what, value=str(getattr(count, what)))
    if not findings:
        case = ET.SubElement(suite, "testcase", classname=name, name="all objects")
        if count.checked == count.open:
            ET.SubElement(
                case, "skipped", message="the dumps lack evidence for every object" if count.open else "there are none"
            )
    for found in findings:
        at = {"file": clean_text(shown.path(found.file)), "line": str(found.line)} if found.file and found.line else {}
        case = ET.SubElement(suite, "testcase", {"classname": name, "name": _name_case(found), **at})
        text = f"{format_state(found)}{format_message(found)}"
        if found.kind is FindingKind.FAIL and found.is_new is not False:
            failure = ET.SubElement(case, "failure", message=text, type=found.level.value)
            failure.text = _format_places(found, shown)
        else:
            why = {
                FindingKind.OPEN: "not judged: ",
                FindingKind.IGNORED: f"ignored, {clean_text(found.ignored)}: ",
            }.get(found.kind, "")
            ET.SubElement(case, "skipped", message=f"{why}{text}")


def _name_case(found: ReportedFinding) -> str:
    """Return a nearly unique name that stays the same when lines move."""
    return f"{format_object(found)} {found.fingerprint[:8]}"


def _format_places(found: ReportedFinding, shown: Presentation) -> str:
    own = [(found.file, found.line, "")] if found.file and found.line else []
    places = [*own, *((place.file, place.line, place.message) for place in found.related)]
    return "\n".join(clean_text(f"{shown.path(file)}:{line} {said}".rstrip()) for file, line, said in places)


def _set_counts(element: ET.Element) -> None:
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(sum(1 for _ in element.iter(tag))))
