"""What a dump holds is never more than a word of a line that is typed into a shell."""

from dataclasses import replace

import pytest

from auditor import Options
from auditor.diagnosis.remedies import list_places, list_typed
from auditor.engine.audit import judge_fabric
from auditor.engine.remedies import Remedies
from auditor.model.finding import FindingKind
from auditor.systems import systems

pytestmark = pytest.mark.read_once


@pytest.mark.parametrize(
    ("value", "is_typed"),
    [
        ("Ethernet1/1", True),
        ("0,0,0,1", True),
        ("pg_lossless|3", True),
        ("3; reboot", False),
        ("$(reboot)", False),
        ("x' reboot '", False),
        ("`reboot`", False),
        ("3\nreboot", False),
        ("3 > /etc/passwd", False),
    ],
)
def test_a_fact_that_is_no_word_gives_no_line_for_a_shell(value: str, *, is_typed: bool) -> None:
    judged = judge_fabric(["fixtures/fabric-more", "fixtures/fabric"], Options(jobs=1))
    remedies = Remedies(judged.report, judged.model, judged.intents)
    rules = {rule.file.id: rule.file for rule in judged.report.catalogue}
    seen = 0
    for found in judged.report.of_kind(FindingKind.FAIL):
        remedy = remedies.find(found)
        login = systems()[remedy.os].login if remedy and remedy.os in systems() else None
        if remedy is None or not remedy.lines or login is None or not login.is_shell:
            continue
        places = list_places("\n".join(list_typed(rules[found.rule].remedy[remedy.key])))
        if places:
            seen += 1
            told = remedies.find(replace(found, facts=tuple((name, value) for name in places)))
            assert told
            assert bool(told.lines) == is_typed, told
    assert seen > 5
