"""Physical facts beside a cause, in the formats that show them, and nothing where no dump tells any."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from auditor.engine.audit import audit
from auditor.engine.options import Options
from auditor.engine.result import Report
from auditor.report import json as as_json
from auditor.report import markdown, terminal
from auditor.report.physical import summarise_physical
from auditor.report.presentation import Presentation

ROOT = Path(__file__).parents[2]
OPTICS = ROOT / "fixtures" / "optics"
SAID = (
    "beside: host1 ens1f0np0 A-FR4-100, QSFP28 over single-mode fibre, 2,000 m, 58.2 C, weakest lane -12 dBm "
    "(host1.txt:27); leaf1 Ethernet0 A-FR4-100, QSFP28 or later over single-mode fibre, 2,000 m, 41.5 C, "
    "weakest lane -1.41 dBm (show_interfaces_transceiver_eeprom.txt:10)"
)


def read() -> Report:
    return audit([OPTICS], Options(links=str(OPTICS / "links.yaml"), jobs=1))


def name_file(path: str) -> str:
    return Path(path).name


def test_the_facts_stand_beside_the_cause() -> None:
    (cause,) = read().causes
    assert cause.rule == "TOP005"
    assert summarise_physical(cause.findings, name_file) == SAID


def test_findings_alike_are_counted() -> None:
    (cause,) = read().causes
    assert summarise_physical([*cause.findings, *cause.findings], name_file) == f"{SAID}; more at 1 of 2 findings"
    assert summarise_physical([]) == ""


def test_people_see_one_line_of_them() -> None:
    report = read()
    for text in (terminal.render(report, Presentation(width=400)), markdown.render(report, Presentation())):
        (line,) = [each for each in text.splitlines() if each.strip().startswith("beside")]
        assert "weakest lane -12 dBm" in line


def test_programs_see_each_with_its_line() -> None:
    document = json.loads(as_json.render(read(), Presentation()))
    Draft202012Validator(as_json.build_schema()).validate(document)
    (found,) = [each for each in document["findings"] if each["rule"] == "TOP005"]
    told = {(each["device"], each["name"]): each["value"] for each in found["physical"]}
    assert told["host1", "temperature_c"] == 58.2
    assert told["leaf1", "rx_power_dbm"] == -1.41
    assert all("physical" not in each for each in document["findings"] if each["rule"] != "TOP005")
