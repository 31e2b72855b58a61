"""An acceptance as JUnit XML: a suite for each device, and a case for each item.

An item that the dumps do not show is a failed case, for an acceptance is not clean over silence; where that is allowed
it is a skipped one. A dump that cannot be read is a case in error.
"""

from xml.etree import ElementTree as ET

from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.report.accept import describe_item
from auditor.report.junit import add_problems, format_suites
from auditor.report.presentation import Presentation, clean_text


def render(found: Acceptance, *, allow_not_shown: bool = False) -> str:
    """Return the acceptance as XML text."""
    shown = Presentation()
    root = ET.Element("testsuites", name="roce-audit accept")
    suites: dict[str, ET.Element] = {}
    for item in found.items:
        if item.device not in suites:
            suites[item.device] = ET.SubElement(root, "testsuite", name=clean_text(item.device))
        _add_case(suites[item.device], item, shown, allow_not_shown=allow_not_shown)
    add_problems(root, found.problems, shown)
    return format_suites(root)


def _add_case(suite: ET.Element, item: Item, shown: Presentation, *, allow_not_shown: bool) -> None:
    place = {"file": clean_text(shown.path(item.file)), "line": str(item.line)} if item.file and item.line else {}
    name = clean_text(" ".join(filter(None, (item.port, item.what, f"is {item.expected}"))))
    case = ET.SubElement(suite, "testcase", {"classname": suite.get("name", ""), "name": name, **place})
    if item.state is ItemState.NOT_SHOWN and allow_not_shown:
        ET.SubElement(case, "skipped", message=describe_item(item))
    elif item.state is not ItemState.PASS:
        failure = ET.SubElement(case, "failure", message=describe_item(item), type=item.state.value)
        details = (f"{each.what}: expected {each.expected}, found {each.found}" for each in item.also)
        failure.text = "\n".join(map(clean_text, details))
