"""The plugin of pytest, run by pytest: its fixtures audit, fail over what is missing, and cost nothing unasked."""

import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from auditor.checks.catalogue import load_rules
from auditor.pytest_plugin import OWN_RULES

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
PAGE = (ROOT / "docs" / "pages" / "how-to" / "site-tests.md").read_text(encoding="utf-8")
SITE_TESTS = (FIXTURES / "site-tests" / "test_fabric.py").read_text(encoding="utf-8")
LEAF = "hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  no switchport\n  mtu 9216\n  no shutdown\n"
COUNTING = """
def test_fabric(roce_fabric):
    assert [port["ip_mtu_bytes"] for port in roce_fabric.ports()] == [9216]

def test_report(roce_report):
    assert roce_report.devices == 1
"""


@pytest.fixture
def dumps(pytester: pytest.Pytester) -> Path:
    """Return a folder with one switch, beside the tests of a site."""
    folder = pytester.mkdir("configs")
    (folder / "leaf1.cfg").write_text(LEAF)
    return folder


def test_a_site_tests_its_fabric(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SITE_TESTS)
    result = pytester.runpytest("-rs", "--roce-audit", str(FIXTURES / "fabric-clean"))
    outcomes = result.parseoutcomes()
    assert {*outcomes} == {"passed", "skipped"}
    assert outcomes["passed"] + outcomes["skipped"] == len(load_rules()) + 1 + SITE_TESTS.count("\ndef test_") - 1
    result.stdout.fnmatch_lines(["SKIPPED *there is nothing that the rule judges"])


def test_each_rule_with_an_error_fails_by_its_name(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SITE_TESTS)
    result = pytester.runpytest("-k", "rule", "--roce-audit", str(FIXTURES / "fabric"))
    failed = set(re.findall(r"^FAILED \S+::test_a_rule_finds_no_error\[(\w+) ", result.stdout.str(), re.MULTILINE))
    assert {"MTU002", "PFC001", "ECN003"} <= failed
    assert "WDG001" not in failed  # a warning


@pytest.mark.parametrize("way", ["option", "setting", "other folder"])
def test_paths_are_given_or_set(pytester: pytest.Pytester, dumps: Path, way: str) -> None:
    pytester.makepyfile(COUNTING)
    if way != "option":
        pytester.makeini("[pytest]\nroce_audit_paths = configs\n")
    options = ["--roce-audit", dumps.name] if way == "option" else []
    if way == "other folder":
        pytester.chdir()
        options += ["--rootdir", str(pytester.path), "-c", str(pytester.path / "tox.ini"), str(pytester.path)]
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(dumps)
            pytester.runpytest(*options).assert_outcomes(passed=2)
        return
    pytester.runpytest(*options).assert_outcomes(passed=2)


def test_a_fixture_of_the_site_sets_the_options(pytester: pytest.Pytester, dumps: Path) -> None:
    pytester.makeconftest(
        "import auditor, pytest\n\n@pytest.fixture(scope='session')\ndef roce_options():\n"
        "    return auditor.Options(os='arista_eos', jobs=1)\n"
    )
    pytester.makepyfile(
        "def test_os(roce_fabric):\n    assert [each['os'] for each in roce_fabric.devices()] == ['arista_eos']\n"
    )
    pytester.runpytest("--roce-audit", str(dumps)).assert_outcomes(passed=1)


RULE = """\
schema: roce-audit/custom-rule/1
id: OUR001
name: mtu-of-ours
level: error
for: port
summary: The MTU is not ours.
why: We said so.
require: {properties: {ip_mtu_bytes: {const: 1234}}}
remedy: {any: set it}
references: [ours]
"""


def test_rules_of_the_site_fail_as_one(pytester: pytest.Pytester, dumps: Path) -> None:
    (pytester.mkdir("own") / "ours.yaml").write_text(RULE)
    pytester.makeconftest(
        "import auditor, pytest\n\n@pytest.fixture(scope='session')\ndef roce_options():\n"
        "    return auditor.Options(rules='own', jobs=1)\n"
    )
    pytester.makepyfile("def test_rule(roce_causes):\n    assert [each['rule'] for each in roce_causes] == []\n")
    result = pytester.runpytest("--roce-audit", str(dumps))
    outcomes = result.parseoutcomes()
    assert (outcomes["failed"], sum(outcomes.values())) == (1, len(load_rules()) + 1)
    result.stdout.fnmatch_lines([f"*test_rule?{OWN_RULES}?*", "*'OUR001'*"])


def test_a_rule_without_evidence_is_skipped(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_rule(roce_causes):\n    assert [each['rule'] for each in roce_causes] == []\n")
    dumps = FIXTURES / "rules" / "pfc-off-on-lossless-port" / "open"
    result = pytester.runpytest("-rs", "--roce-audit", str(dumps), "-k", "PFC001")
    assert result.parseoutcomes()["skipped"] == 1
    result.stdout.fnmatch_lines(["SKIPPED *the dumps lack evidence for each of * objects"])


def test_what_cannot_be_audited_fails(pytester: pytest.Pytester, dumps: Path) -> None:
    """A test over all ports of nothing would pass."""
    pytester.makepyfile("def test_all(roce_fabric):\n    assert all(roce_fabric.ports())\n")
    for options, said in (
        ([], "no dump to audit; give --roce-audit PATH or set roce_audit_paths"),
        (["--roce-audit", "none"], "*none: *"),
        (["--roce-audit", str(pytester.mkdir("empty"))], "the paths hold no dump of a device"),
    ):
        result = pytester.runpytest(*options)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines([said])
    (dumps / "config_db.json").write_text('{"PORT": {')
    result = pytester.runpytest("--roce-audit", str(dumps))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["not audited:", "*config_db.json*"])


def test_the_plugin_imports_nothing_before_a_test_asks(pytester: pytest.Pytester) -> None:
    """In an interpreter of its own, through the entry point."""
    pytester.makepyfile(
        "import sys\n\ndef test_idle(request):\n"
        "    assert request.config.pluginmanager.has_plugin('roce-audit')\n"
        "    assert not {'pydantic', 'yaml', 'numpy', 'auditor.engine'} & set(sys.modules)\n"
    )
    done = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    done.assert_outcomes(passed=1)
    (entry,) = entry_points(group="pytest11", name="roce-audit")
    assert entry.value == "auditor.pytest_plugin"


def test_the_page_quotes_the_tests_and_shows_what_they_print() -> None:
    code = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert code[0] == SITE_TESTS
    command, expected = re.findall(r"^\$ (.*)\n((?:.*\n)*?)```", PAGE, re.MULTILINE)[0]
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments, "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    lines = (r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in expected.splitlines())
    assert re.fullmatch("".join(lines), done.stdout), done.stdout
    assert done.returncode == 1
