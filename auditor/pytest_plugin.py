"""A plugin of pytest: a site's own tests over its configurations.

Its fixtures audit the paths of `--roce-audit PATH` or of the setting `roce_audit_paths` once in a session. Nothing else
of the program is imported before a test asks for one of them.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import auditor

if TYPE_CHECKING:
    from auditor.engine.result import RuleCount

_MOST_PROBLEMS = 5
OWN_RULES = "rules of the site"
"""The id of the test that has the causes of all rules that do not come with the program."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting for paths."""
    group = parser.getgroup("roce-audit")
    group.addoption(
        "--roce-audit",
        action="append",
        default=[],
        metavar="PATH",
        help="audit the dumps in PATH for the fixtures roce_fabric, roce_report and roce_causes; may be repeated "
        "(default: roce_audit_paths)",
    )
    parser.addini("roce_audit_paths", "paths of dumps, relative to this file, without --roce-audit", "paths", [])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Turn a test that takes `roce_causes` into one for each rule, and one for the rules of the site."""
    if "roce_causes" in metafunc.fixturenames:
        from auditor.checks.catalogue import load_rules  # noqa: PLC0415  no test may ask for it

        names = {rule.file.id: rule.file.name for rule in load_rules()}
        ids = [*(f"{rule} {name}" for rule, name in names.items()), OWN_RULES]
        metafunc.parametrize("roce_causes", [*names, None], ids=ids, indirect=True, scope="session")


@pytest.fixture(scope="session")
def roce_paths(pytestconfig: pytest.Config) -> tuple[str, ...]:
    """Return the paths of the dumps; a test fails where none is given."""
    given: Sequence[str] = pytestconfig.getoption("--roce-audit")
    set_paths: Sequence[Path] = pytestconfig.getini("roce_audit_paths")
    here = pytestconfig.invocation_params.dir
    paths = tuple(path if "://" in path else str(here / path) for path in given) or tuple(map(str, set_paths))
    if not paths:
        pytest.fail("no dump to audit; give --roce-audit PATH or set roce_audit_paths", pytrace=False)
    return paths


@pytest.fixture(scope="session")
def roce_options() -> "auditor.Options":
    """Return the settings of the audit; define a fixture of this name to change them."""
    return auditor.Options()


@pytest.fixture(scope="session")
def roce_fabric(roce_paths: tuple[str, ...], roce_options: "auditor.Options") -> "auditor.FabricSnapshot":
    """Return the fabric in the dumps, not judged; a test fails where a dump cannot be read or there is no device."""
    fabric = auditor.load(roce_paths, roce_options)
    places = [f"{each.name}: {each.message}" for each in fabric.problems]
    _require_whole(places, len(fabric.model.devices))
    return fabric


@pytest.fixture(scope="session")
def roce_report(roce_paths: tuple[str, ...], roce_options: "auditor.Options") -> "auditor.Report":
    """Return the report on the dumps; a test fails where a dump cannot be read or there is no device."""
    report = auditor.audit(roce_paths, roce_options)
    places = [f"{each.file}: {each.message}" if each.file else each.message for each in report.problems]
    _require_whole(places, report.devices)
    return report


@pytest.fixture(scope="session")
def roce_causes(request: pytest.FixtureRequest, roce_report: "auditor.Report") -> list[dict[str, Any]]:
    """Return the causes that a rule speaks of, as rows of `Report.list_causes`; in a comparison, those that are new.

    A test is skipped where the rule judged nothing: no cause over no object is no good news.
    """
    from auditor.engine.result_rows import list_cause_rows  # noqa: PLC0415  as above

    counts = {count.rule: count for count in roce_report.rules}
    rule: str | None = request.param
    asked = {rule} if rule else {*counts} - {*_list_shipped()}
    causes = list_cause_rows(cause for cause in roce_report.relevant_causes if cause.rule in asked)
    if not causes and (why := _explain_silence([counts[each] for each in asked if each in counts])):
        pytest.skip(why)
    return causes


def _list_shipped() -> Iterable[str]:
    from auditor.checks.catalogue import load_rules  # noqa: PLC0415  as above

    return (rule.file.id for rule in load_rules())


def _explain_silence(counts: "Sequence[RuleCount]") -> str:
    """Return why rules judged no object, empty where one of them did.

    >>> from auditor.engine.result import RuleCount
    >>> [_explain_silence([RuleCount("X", *numbers)]) for numbers in ((4, 0, 1), (4, 0, 4), (0, 0, 0))]
    ['', 'the dumps lack evidence for each of 4 objects', 'there is nothing that the rule judges']
    """
    checked, left = sum(count.checked for count in counts), sum(count.open for count in counts)
    if checked > left:
        return ""
    return f"the dumps lack evidence for each of {left} objects" if left else "there is nothing that the rule judges"


def _require_whole(problems: Sequence[str], devices: int) -> None:
    """Fail the test where something was not audited: a claim over all ports is true of no port."""
    if problems:
        more = [f"and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
        pytest.fail("\n".join(["not audited:", *islice(problems, _MOST_PROBLEMS), *more]), pytrace=False)
    if not devices:
        pytest.fail("the paths hold no dump of a device", pytrace=False)
