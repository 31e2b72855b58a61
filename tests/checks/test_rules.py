"""Every rule on its fixtures: exactly the golden lines, and no fixture without a rule.

`fixtures/rules/RULE/CASE/` holds dumps, and where the case needs them an intent (`roce-audit.yaml`) and cables
(`links.yaml`); the folders `old` and `new` make it a comparison. CASE begins with what the rule says of it: `bad`
fails, `good` holds the near misses and what the site permits, `open` lacks the output that decides.
`fixtures/rules/RULE/expected.txt` holds what is expected of all cases, one finding a line, sorted; `python
tests/tools/rewrite_golden.py rules` writes it.
"""

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.checks.catalogue import Rule, load_rules
from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT

pytestmark = pytest.mark.read_once

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
CASES = sorted(path for path in FIXTURES.glob("*/*") if path.is_dir())
GOLDEN = "expected.txt"
NAMES = [rule.file.name for rule in load_rules()]

NEVER_OPEN = {
    "bundle-members-differ": "a value that nothing shows is compared with none",
    "pauses-spread-from-nic": "pauses that no dump counts are followed nowhere",
    "bundle-one-sided": "a port whose port-channel no whole configuration tells is judged nowhere",
    "cabled-port-shut": "a port that nobody shut down is judged nowhere",
    "version-overdue": "a version that no dump shows is counted by the campaign, and judged nowhere",
    "watchdog-forced": "a watchdog of which nothing tells whether it is forced is judged nowhere",
    "watchdog-does-not-drop": "a watchdog whose action nothing shows is judged nowhere",
    "saved-differs-from-running": "a setting that one of the two configurations does not show is not compared",
    "no-longer-audited": "what both sides judged is known",
    "rewrite-changes-class": "a switch whose maps are not both known rewrites nothing that could be judged",
    "ecn-marking-probability-zero": "a probability that nobody has set is the vendor's, and none of those is 0",
    "fec-missing-at-speed": "a port that is silent on FEC leaves it to its medium, which takes what it needs",
    "watchdog-on-unpaused-priority": "a watchdog whose priorities nothing shows is judged nowhere",
    "lldp-contradicts": "a port of which no neighbour is known contradicts nobody",
    "dcqcn-out-of-range": "a parameter that no capture shows is judged nowhere",
    "pfc-left-to-negotiation": "a mode that nobody wrote is nobody's choice",
    "tunnel-loses-marking": "a tunnel whose outer DSCP is not written takes it from the packet inside",
    "tunnel-loses-ecn": "a switch whose tunnels nothing shows is judged nowhere",
    "relaxed-ordering-off": "a NIC whose PCI configuration was not captured is judged nowhere",
    "pcie-link-downgraded": "a NIC whose PCIe link was not captured is judged nowhere",
    "nic-setting-not-in-effect": "what no capture shows was not asked for",
    "pauses-deadlock-after-failure": "a link of which the dumps tell nothing may be paused",
    "pauses-can-deadlock": "a link of which the dumps tell nothing may be paused",
    "hosts-disagree": "a NIC of which the dumps tell nothing agrees with nobody",
    "setting-differs-from-peers": "a port of which the dumps tell nothing is no peer",
    "cable-longer-than-configured": "a cable whose length no configuration tells is judged nowhere",
    "watchdog-slower-than-storm": "a watchdog whose detection time is not known is judged nowhere",
    "config-breaks-its-model": "a row or field that the dump does not have is no breach",
    "config-refused-by-switch": "a switch whose log was not captured said nothing",
    "wred-profile-without-effect": "a profile that the dump does not have is judged nowhere",
    "headroom-not-in-lookup-table": "without the platform's table the switch itself makes the profile, or says so",
    "library-reports-fault": "a line has a sign or none",
    "job-falls-back-to-sockets": "a log names the network or none",
    "locked-memory-limited": "a limit that no capture shows is judged nowhere",
    "job-nics-beside-rails": "a list is judged where intent and cables tell the rails, and nowhere else",
    "nics-share-subnet": "an address that no capture shows is judged nowhere",
    "address-on-two-nics": "an address that no capture shows is judged nowhere",
    "nic-throttles-rdma": "a limit or a share that no capture shows is judged nowhere",
    "cnps-too-rare": "a parameter that no capture shows is judged nowhere",
    "pcie-read-request-small": "a NIC whose PCI configuration was not captured is judged nowhere",
    "code-point-in-two-classes": "a list that the dump does not have holds nothing twice",
    "job-path-switched-off": "a variable that no capture shows is not set by a dump",
    "operation-differs-from-configuration": "a value that no output shows differs from nothing",
    "version-known-bad": "a version that nothing shows is judged nowhere",
    "link-ends-in-different-subnets": "a port whose address nothing shows is judged nowhere",
    "link-without-session": "a switch whose neighbours nothing shows is judged nowhere",
    "switch-out-of-service": "a switch is taken out by a line, and by no silence",
    "link-slower-than-its-like": "a link whose speed nothing shows is compared with none",
    "described-link-silent": "a switch whose neighbours nothing shows is judged nowhere",
    "negotiation-differs": "an end that is silent on negotiation leaves it to its medium",
    "port-in-loopback": "a port that no line puts in loopback is in none",
    "host-network-not-announced": "a network whose way into BGP is not read is judged nowhere",
    "static-route-diverts": "a route that the dump does not have diverts nothing",
    "link-below-nic-rate": "a NIC of which no capture shows the fastest link is judged nowhere",
    "nic-discards-arrivals": "a counter that no capture shows is judged nowhere",
    "nic-stopped-pausing": "a counter that no capture shows is judged nowhere",
    "nic-ignores-cnps": "a counter that no capture shows is judged nowhere",
    "selector-without-device": "a node whose resources no capture shows is judged nowhere",
}


def list_arguments(case: Path) -> list[str]:
    """Return the arguments that audit the case from its own folder."""
    if (case / "old").is_dir():
        return ["diff", "old", "new"]
    return ["check", ".", *(["--links", "links.yaml"] if (case / "links.yaml").is_file() else [])]


def audited(case: Path, into: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401  JSON
    """Return the report on the case, whose files are named from its own folder.

    Where an open case leaves all rules open, the report says so as its one problem.
    """
    folder = into / "case"
    shutil.copytree(case, folder)
    monkeypatch.chdir(folder)
    status = main([*list_arguments(case), "--format", "json"])
    out, err = capsys.readouterr()
    report = json.loads(out)
    hollow = [each for each in report["problems"] if each["message"].startswith("no rule judged anything")]
    report["problems"] = [each for each in report["problems"] if each not in hollow]
    assert (status == CANNOT_AUDIT, err) == (case.name.startswith("open") and bool(hollow), "")
    return report


def line_of(case: Path, found: dict[str, Any]) -> str:
    place = f"{found['file']}:{found['line']}" if found["file"] else "-"
    label = found["level"] if found["kind"] == "fail" else found["kind"]
    return f"{case.name}/{place}: {label}: {found['name']}: {found['message']}"


def golden_lines(case: Path) -> list[str]:
    """Return the golden lines of a case."""
    lines = (case.parent / GOLDEN).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"{case.name}/")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_rule_says_of_its_fixture_what_the_golden_lines_say(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = audited(case, tmp_path, monkeypatch, capsys)
    own = [found for found in report["findings"] if found["name"] == case.parent.name]
    assert sorted(line_of(case, found) for found in own) == golden_lines(case)
    kinds = {found["kind"] for found in own}
    wanted = {"bad": "fail", "good": "", "open": "open"}[case.name.partition("-")[0]]
    assert wanted in kinds if wanted else kinds <= {"ignored"}
    files = [each for each in report["skipped"] if not each["message"].endswith(", which is no RoCE")]
    assert (report["problems"], report["warnings"], files) == ([], [], [])
    rule = next(rule for rule in load_rules() if rule.file.name == case.parent.name)
    assert next(count["checked"] for count in report["rules"] if count["rule"] == rule.file.id) > 0
    assert list_losses(own) <= set(rule.check.losses)
    assert "" not in set(list_files(report))


def list_files(value: Any) -> Iterator[object]:  # noqa: ANN401  JSON
    """Yield the file of each place in a report; it is empty where a place counts from a port and was not located."""
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from list_files(each)
    if isinstance(value, dict) and "file" in value:
        yield value["file"]


def list_losses(findings: Iterable[dict[str, Any]]) -> set[str]:
    """Return the faults whose costs *findings* have."""
    return {found["estimate"]["fault"] for found in findings if found["estimate"]}


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.file.name)
def test_the_example_of_a_rule_is_of_its_fixtures(rule: Rule) -> None:
    """The bad one holds a line that is found, or a cable; the good one stands where nothing is found."""
    assert rule.file.example
    own = FIXTURES / rule.file.name
    found = [line.split(": ")[0].removeprefix("bad/") for line in golden_lines(own / "bad")]
    places = [place for path in _files(own / "bad") for place in _places(path, own / "bad", rule.file.example.bad)]
    assert any(place in found or place.startswith("links.yaml:") for place in places)
    assert any(_places(path, own / "good", rule.file.example.good) for path in _files(own / "good"))


def _files(case: Path) -> list[Path]:
    return [path for path in case.rglob("*") if path.is_file()]


def _places(path: Path, case: Path, example: str) -> list[str]:
    """Return FILE:LINE of each line of *example*, whose parts stand in the file in this order; else nothing."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    numbers: list[int] = []
    for part in example.split("...\n"):
        wanted = [line.strip() for line in part.rstrip().splitlines()]
        after = numbers[-1] if numbers else 0
        starts = range(after, len(lines) - len(wanted) + 1)
        start = next((n for n in starts if lines[n : n + len(wanted)] == wanted), None)
        if start is None:
            return []
        numbers += range(start + 1, start + len(wanted) + 1)
    return [f"{path.relative_to(case).as_posix()}:{number}" for number in numbers]


@pytest.mark.parametrize("rule", [rule for rule in load_rules() if rule.check.losses], ids=lambda rule: rule.file.name)
def test_a_check_that_names_faults_has_a_fixture_with_one(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That no fixture has another one is asserted beside its golden lines."""
    cases = enumerate(path for path in CASES if path.parent.name == rule.file.name)
    reports = (audited(case, tmp_path / str(number), monkeypatch, capsys) for number, case in cases)
    own = ([found for found in report["findings"] if found["name"] == rule.file.name] for report in reports)
    assert any(map(list_losses, own))


@pytest.mark.parametrize("name", NAMES)
def test_each_rule_has_its_fixtures(name: str) -> None:
    cases = {path.name for path in CASES if path.parent.name == name}
    assert {"bad", "good"} <= cases
    assert ("open" in cases) is (name not in NEVER_OPEN)


def test_each_golden_line_belongs_to_a_case() -> None:
    lines = [(path.parent, line) for path in FIXTURES.glob(f"*/{GOLDEN}") for line in path.read_text().splitlines()]
    assert lines
    assert not [line for rule, line in lines if not (rule / line.split("/")[0]).is_dir()]


def test_each_fixture_belongs_to_a_rule() -> None:
    assert {path.parent.name for path in CASES} == set(NAMES)
    assert set(NEVER_OPEN) <= set(NAMES)
