"""Remedies typed into the fixtures that fail: what each clears is held against golden lines.

`python tests/tools/rewrite_golden.py remedies` writes the lines, `python tests/tools/measure_remedies.py` counts them.
"""

from collections import Counter

import pytest
from trial import GOLDEN, Case, list_cases, list_lines

from auditor.checks.catalogue import Rule, load_rules
from auditor.diagnosis.remedies import EXAMPLES, list_places

CASES = list(list_cases())


@pytest.mark.read_once
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule.id}-{case.folder.name}")
def test_a_remedy_does_to_its_fixture_what_the_golden_lines_say(case: Case) -> None:
    name = f"{case.rule.id} {case.folder.name}:"
    golden = [line for line in GOLDEN.read_text("utf-8").splitlines() if line.startswith(name)]
    assert list(list_lines(case)) == golden


def test_nearly_each_remedy_of_a_switch_clears_its_finding() -> None:
    states = Counter(line.split(": ")[2] for line in GOLDEN.read_text("utf-8").splitlines())
    tried = sum(states[state] for state in ("cleared", "stays", "others", "not typed"))
    assert states["cleared"] >= 0.85 * tried
    assert states["not typed"] == 0


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.file.id)
def test_a_remedy_has_places_for_known_facts_alone(rule: Rule) -> None:
    named = EXAMPLES.keys() | rule.file.facts.keys()
    assert {os: list_places(text) - named for os, text in rule.file.remedy.items() if list_places(text) - named} == {}
    assert rule.file.facts.keys() <= frozenset().union(*map(list_places, rule.file.remedy.values()))
    assert rule.file.untried.keys() <= rule.file.remedy.keys()
