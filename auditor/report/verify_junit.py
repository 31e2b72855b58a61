"""A verification as JUnit XML: a case for each step, failed unless it is in effect."""

from xml.etree import ElementTree as ET

from auditor.engine.verify.values import Outcome, Verification
from auditor.report.drift import describe_places, name_moment
from auditor.report.junit import set_counts
from auditor.report.presentation import clean_text
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
    if verification.problems:
        dumps = ET.SubElement(root, "testsuite", name="dumps")
        for problem in verification.problems:
            case = ET.SubElement(dumps, "testcase", classname="dumps", name=clean_text(problem.name))
            ET.SubElement(case, "error", message=clean_text(problem.message))
    for suite in root:
        set_counts(suite)
    set_counts(root)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
