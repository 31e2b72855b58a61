"""The report as JUnit XML: a suite per rule, a failed case per cause, a passed case for a rule without any.

A suite's properties say on how many objects its rule was checked, failed and is open; where it could judge none, its
case is skipped, for a clean result over nothing is not clean. What is unchanged, ignored or, on request, open is a
skipped case, as are neighbours without a dump: it does not fail a build. A dump that cannot be read is a case in error.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice, Report, RuleCount
from auditor.model.finding import FindingKind
from auditor.report.causes import describe_place
from auditor.report.entries import Entry, format_entry, list_entries
from auditor.report.presentation import Presentation, clean_text, format_object, format_state


def render(report: Report, shown: Presentation) -> str:
    """Return *report* as XML text."""
    by_rule: dict[str, list[Entry]] = {count.rule: [] for count in report.rules}
    others = [f for f in report.findings if f.kind is FindingKind.IGNORED or f.kind in shown.listed]
    single = [Entry(found.fingerprint, (found,)) for found in others if found.kind is not FindingKind.FAIL]
    for entry in (*list_entries(report), *single):
        by_rule.setdefault(entry.first.rule, []).append(entry)
    told = {found.rule for entries in by_rule.values() for entry in entries for found in entry.findings}
    names = {rule.file.id: rule.file.name for rule in shown.rules}
    counts = {count.rule: count for count in report.rules}
    root = ET.Element("testsuites", name="roce-audit")
    for rule, entries in by_rule.items():
        name = names.get(rule) or (entries[0].first.name if entries else "")
        suite = _add_suite(root, f"{rule} {name}".rstrip(), entries, shown, counts.get(rule, RuleCount(rule, 0, 0, 0)))
        if not entries and rule in told:
            case = ET.SubElement(suite, "testcase", classname=suite.get("name", ""), name="all objects")
            ET.SubElement(case, "skipped", message="its findings stand at the causes from which they follow")
    add_problems(root, report.problems, shown)
    if report.unseen or report.sight:
        suite = ET.SubElement(root, "testsuite", name="neighbours")
        if report.sight:
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", name="sight", value=report.sight)
        for number, unseen in enumerate(report.unseen, start=1):
            case = ET.SubElement(suite, "testcase", classname="neighbours", name=f"not seen {number}")
            ET.SubElement(case, "skipped", message=clean_text(unseen.message))
    return format_suites(root)


def add_problems(root: ET.Element, problems: Sequence[Notice], shown: Presentation) -> None:
    """Add a suite with a case in error for each dump that cannot be read, where there is one."""
    if not problems:
        return
    suite = ET.SubElement(root, "testsuite", name="dumps")
    for problem in problems:
        name = clean_text(problem.file or problem.message.partition(":")[0])
        case = ET.SubElement(suite, "testcase", classname="dumps", name=name)
        place = f"{shown.path(problem.file)}:{problem.line}: " if problem.file and problem.line else ""
        ET.SubElement(case, "error", message=clean_text(f"{place}{problem.message}"))


def format_suites(root: ET.Element) -> str:
    """Return the suites below *root*, with their numbers, as XML text."""
    for suite in root:
        _set_counts(suite)
    _set_counts(root)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(
    root: ET.Element, name: str, entries: Sequence[Entry], shown: Presentation, count: RuleCount
) -> ET.Element:
    suite = ET.SubElement(root, "testsuite", name=name)
    properties = ET.SubElement(suite, "properties")
    for what in ("checked", "failed", "open"):
        ET.SubElement(properties, "property", name=what, value=str(getattr(count, what)))
    if not entries and not count.failed:
        case = ET.SubElement(suite, "testcase", classname=name, name="all objects")
        if count.checked == count.open:
            ET.SubElement(
                case, "skipped", message="the dumps lack evidence for every object" if count.open else "there are none"
            )
    for entry in entries:
        found, file, line = entry.first, entry.file, entry.line
        at = {"file": clean_text(shown.path(file)), "line": str(line)} if file and line else {}
        case = ET.SubElement(suite, "testcase", {"classname": name, "name": _name_case(entry), **at})
        text = f"{format_state(found)}{format_entry(entry)}"
        if found.kind is FindingKind.FAIL and found.is_new is not False:
            failure = ET.SubElement(case, "failure", message=text, type=entry.level.value)
            failure.text = _format_places(entry, shown)
        else:
            why = {
                FindingKind.OPEN: "not judged: ",
                FindingKind.IGNORED: f"ignored, {clean_text(found.ignored)}: ",
            }.get(found.kind, "")
            ET.SubElement(case, "skipped", message=f"{why}{text}")
    return suite


def _name_case(entry: Entry) -> str:
    """Return a nearly unique name that stays the same when lines move."""
    if entry.cause is None or len(entry.findings) == 1:
        return f"{format_object(entry.first)} {entry.first.fingerprint[:8]}"
    return clean_text(f"{describe_place(entry.cause)} {entry.fingerprint[:8]}")


def _format_places(entry: Entry, shown: Presentation) -> str:
    """Return the place of an entry, those that its first finding names, and of a cause each finding; a line each."""
    own = [(entry.file, entry.line, "")] if entry.file and entry.line else []
    places = [*own, *((place.file, place.line, place.message) for place in entry.first.related)]
    lines = [clean_text(f"{shown.path(file)}:{line} {said}".rstrip()) for file, line, said in places]
    lines += [_format_finding(found, shown) for found in entry.findings] if entry.cause else []
    return "\n".join(lines)


def _format_finding(found: ReportedFinding, shown: Presentation) -> str:
    """Return the fingerprint of a finding, its rule, object, message and place."""
    place = f" ({clean_text(shown.path(found.file))}:{found.line})" if found.file and found.line else ""
    said = f"{found.rule} {format_object(found)}: {clean_text(found.message)}"
    return f"fingerprint {found.fingerprint} {found.level.value} {said}{place}"


def _set_counts(element: ET.Element) -> None:
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(sum(1 for _ in element.iter(tag))))
