"""An acceptance is never green over silence: missing captures, rules that are open, entries without a device."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rack import FIXTURES, SPEC, write_pod

from auditor.engine.accept.cleanliness import Findings, select_rules
from auditor.engine.accept.run import accept_by_spec, accept_like
from auditor.engine.accept.spec import RuleWord
from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.engine.audit import judge_fabric
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
Once = Callable[[str, Callable[[Path], None]], Path]
FABRIC, FAULTY = FIXTURES / "fabric-clean", FIXTURES / "pod-faulty"
HEAD = "schema: roce-audit/acceptance/1\n"
PASS, FAIL, NOT_SHOWN = ItemState.PASS, ItemState.FAIL, ItemState.NOT_SHOWN


@pytest.fixture
def silent(once: Once) -> Path:
    """Return the folder of a pod in which one host has no output of `mlnx_qos` for one port."""

    def make(folder: Path) -> None:
        write_pod(folder, planted=())
        text = (folder / "gpu04.txt").read_text(encoding="utf-8")
        without, count = re.subn(r"^\$ mlnx_qos -i rail3\n(?:(?!\$).*\n)*", "", text, flags=re.MULTILINE)
        assert count == 1
        (folder / "gpu04.txt").write_text(without, encoding="utf-8")

    return once("silent-rack", make)


def accept(tmp_path: Path, text: str, folder: Path = FABRIC) -> Acceptance:
    file = tmp_path / "spec.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    return accept_by_spec(str(file), [str(folder)], Options(jobs=1))


def list_bad(found: Acceptance) -> list[Item]:
    return [item for item in found.items if item.state is not PASS]


def test_what_is_not_captured_is_not_shown(silent: Path) -> None:
    found = accept_by_spec(str(SPEC), [str(silent)], Options(jobs=1))
    bad = list_bad(found)
    assert {(item.device, item.state) for item in bad} == {("gpu04", NOT_SHOWN)}
    assert {item.what for item in bad if item.port == "rail3"} >= {"trust", "pfc_priorities", "classes[3].lossless"}
    rules = [item for item in bad if item.expected == "no finding"]
    assert any(item.what.startswith("PFC001 ") for item in rules)
    assert not found.is_accepted()
    assert found.is_accepted(allow_not_shown=True)


def test_exit_status_over_silence(run: Run, silent: Path, tmp_path: Path) -> None:
    assert run("accept", SPEC, silent, "--no-cache")[0] == 1
    status, out, _ = run("accept", SPEC, silent, "--allow-not-shown", "--no-cache")
    assert status == 0
    assert out.startswith("accepted: 16 devices by ")
    for options, failures, skipped in (([], "11", "0"), (["--allow-not-shown"], "0", "11")):
        file = tmp_path / "accept.xml"
        run("accept", SPEC, silent, "--format", "junit", "--output", file, "--no-cache", *options)
        root = ET.parse(file).getroot()  # noqa: S314  written by the program itself
        assert (root.get("failures"), root.get("skipped")) == (failures, skipped)


def test_like_a_peer_one_port_is_one_item_that_is_not_shown(silent: Path) -> None:
    found = accept_like("gpu01", [str(silent)], Options(jobs=1), ["gpu04"])
    settings = [item for item in list_bad(found) if item.expected != "no finding"]
    assert {(item.port, item.state) for item in settings} == {("rail3", NOT_SHOWN)}
    assert len(settings) == 1
    assert not found.is_accepted()


@pytest.mark.parametrize(
    ("text", "device", "what", "found"),
    [
        ("devices:\n- names: ['tpu*']", "tpu*", "devices", "0"),
        ("devices:\n- names: ['host*']\n  count: 9", "host*", "devices", "8"),
        ("devices:\n- names: ['host*', tpu1]", "tpu1", "device", "no dump"),
        ("devices:\n- names: ['*']\n  each: {tpu1: {os_version: x}}", "tpu1", "device", "no dump"),
        ("devices:\n- names: ['host*']\n  count: 7", "host*", "devices", "8"),
    ],
)
def test_devices_that_are_not_there_fail(tmp_path: Path, text: str, device: str, what: str, found: str) -> None:
    (item,) = list_bad(accept(tmp_path, text))
    assert (item.device, item.what, item.found, item.state) == (device, what, found, FAIL)


def test_an_entry_that_never_holds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotAudit, match=r"spec\.yaml:4: host1: an earlier entry covers this device"):
        accept(tmp_path, "devices:\n- names: ['host*']\n- names: [host1]\n  os_version: none\n")


def test_the_first_entry_that_matches_holds(tmp_path: Path) -> None:
    text = "devices:\n- names: [host1]\n  settings: {os: sonic}\n- names: ['host*']\n  settings: {os: 'lin*'}\n"
    (item,) = list_bad(accept(tmp_path, text))
    assert (item.device, item.what, item.expected) == ("host1", "os", "sonic")


def test_without_rules_that_are_asked_for_no_rule_is_an_item(tmp_path: Path) -> None:
    found = accept(tmp_path, "devices:\n- names: [host1]\n  settings: {os: linux}\nrules: {clean: []}")
    assert [(item.what, item.state) for item in found.items] == [("device", PASS), ("os", PASS)]


def test_words_select_rules() -> None:
    report = judge_fabric([str(FAULTY)], Options(jobs=1)).report
    for words, rules in (
        ([], set()),
        (["level:error"], {"CLS006"}),
        (["nic-marking-*"], {"CLS006"}),
        (["level:warning"], set()),
        (["PFC*"], set()),
        (["*"], {"CLS006"}),
    ):
        clean = select_rules([RuleWord(word) for word in words], report.catalogue)
        items = Findings(report, clean).judge("gpu04", {}, [])
        assert {item.what.split()[0] for item in items if item.port == "rail4"} == rules


def test_a_finding_of_a_cable_counts_at_both_ends(tmp_path: Path) -> None:
    """The leaf is at fault, and says nothing of gpu05: the rule on their cable does."""
    bad = list_bad(accept(tmp_path, "devices: [{names: [gpu05]}]", FAULTY))
    (item,) = [item for item in bad if item.port == "rail0"]
    assert item.what == "PFC003 pfc-on-one-side"
    assert item.found.startswith("leaf1 Ethernet1/5: ")
    assert item.file
    assert item.file.endswith("leaf1/show_running-config.txt")


def test_findings_of_one_line_at_many_ports_are_one_item(tmp_path: Path) -> None:
    bad = list_bad(accept(tmp_path, "devices: [{names: [gpu14]}]", FAULTY))
    (item,) = [item for item in bad if item.what.startswith("HST004")]
    assert (item.ports, item.also) == (tuple(f"rail{n}" for n in range(8)), ())


def test_a_peer_with_warnings_is_named(run: Run) -> None:
    status, _, err = run("accept", "--like", "gpu10", FAULTY, "--device", "gpu08", "--no-cache")
    assert status == 1
    assert err.startswith("warning: --like gpu10: it has 2 findings of level warning itself (HST007 rail1: ")
