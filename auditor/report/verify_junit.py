"""A verification as JUnit XML: a case for each step, failed unless it is in effect."""

from xml.etree import ElementTree as ET

from auditor.engine.result import Notice
from auditor.engine.verify.values import Outcome, Verification
from auditor.report.drift import describe_places, name_moment
from auditor.report.junit import add_problems, format_suites
from auditor.report.presentation import Presentation, clean_text
from auditor.report.verify import describe_stages, list_details, name_step


def render(verification: Verification) -> str:
    """Return the verification as XML text."""
    root = ET.Element("testsuites", name="roce-audit verify")
    suite = ET.SubElement(root, "testsuite", name="steps")
    for each in verification.steps:
        case = ET.SubElement(suite, "testcase", classname=clean_text(each.step.device), name=name_step(each))
        if each.outcome is not Outcome.IN_EFFECT:
            failure = ET.SubElement(case, "failure", message=each.outcome.value, type=each.outcome.name.lower())
            failure.text = "\n".join(list_details(each))
        else:
            ET.SubElement(case, "system-out").text = describe_stages(each)
    if verification.others:
        others = ET.SubElement(root, "testsuite", name="what else changed")
        for change in verification.others:
            settings = ", ".join(each.path for each in change.settings)
            name = clean_text(f"{describe_places(change)} {settings} {name_moment(change.seen)}")
            case = ET.SubElement(others, "testcase", classname="others", name=name)
            ET.SubElement(case, "skipped", message=clean_text(change.explained_by) or "not a part of the change")
    problems = [Notice(each.message, each.name or None, each.line) for each in verification.problems]
    add_problems(root, problems, Presentation())
    return format_suites(root)
