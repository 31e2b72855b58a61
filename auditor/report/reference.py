"""The rule reference: all rules and the faults seen in the field, as one Markdown page."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from auditor.checks.catalogue import Rule
from auditor.checks.field_faults import FieldFault
from auditor.diagnosis.counters import SIGNS
from auditor.diagnosis.remedies import list_examples
from auditor.report.explain import name_remedy

HEAD = """\
# Rules

Made by `roce-audit rules --format markdown`. `roce-audit explain RULE` describes one rule, with the cost of its faults
on a typical link.

"""
FAULTS = """\
## Faults seen in the field

Faults that operators, issue trackers and vendors' own checks have reported. Each names the rule that finds it, with a
link to tested dumps. "not found yet" names the missing evidence. "not in a configuration" gives the reason why no dump
shows the fault. A trap is a harmless setting that looks like a fault, with the test that shows that no rule reports it.

"""


def render(rules: Sequence[Rule], faults: Sequence[FieldFault]) -> str:
    """Return the page."""
    return HEAD + "\n".join(
        [*_list_parts(rules), *_build_sections(rules), FAULTS + "\n".join(_build_table(faults)), ""]
    )


def _list_parts(rules: Sequence[Rule]) -> Iterator[str]:
    yield "| rule | name | level | judges | finds |\n|---|---|---|---|---|"
    for rule in rules:
        file = rule.file
        link = f"[{file.id}](#{file.id.lower()}-{file.name})"
        yield f"| {link} | {file.name} | {file.level.value} | {file.scope.value} | {file.summary} |"
    yield ""


def _build_sections(rules: Sequence[Rule]) -> Iterator[str]:
    for pack, members in groupby(rules, key=lambda rule: rule.pack):
        yield f"## {pack}\n"
        for rule in members:
            yield from _build_section(rule)


def _build_section(rule: Rule) -> Iterator[str]:
    file = rule.file
    yield f"### {file.id} {file.name}\n\n{file.summary}\n\n{' '.join(file.why.split())}\n"
    if file.former_names:
        yield f"**Former names.** {', '.join(f'`{name}`' for name in file.former_names)}\n"
    if file.decided:
        yield f"**Decided by.** {' '.join(file.decided.split())}\n"
    if file.rests_on:
        yield f"**Rests on** captures such as {', '.join(f'`{capture}`' for capture in file.rests_on)}.\n"
    if file.params:
        yield f"**Parameters.** {', '.join(f'`{name}: {value}`' for name, value in file.params.items())}\n"
    if rule.check.signs:
        yield f"**Confirmed by counters** where {'; or '.join(SIGNS[sign].text for sign in rule.check.signs)}.\n"
    if file.example:
        yield f"Bad:\n\n{_format_block(file.example.bad)}\nGood:\n\n{_format_block(file.example.good)}"
    for system, remedy in list_examples(file):
        yield f"Remedy, {name_remedy(system, file.remedy)}:\n\n{_format_block(remedy)}"
    yield "\n".join(f"- {reference}" for reference in file.references) + "\n"


def _format_block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


def _build_table(faults: Sequence[FieldFault]) -> Iterator[str]:
    yield "| fault | | found by |\n|---|---|---|"
    for each in faults:
        yield f"| {each.fault} | {each.name} | {_describe_coverage(each)} |"


def _describe_coverage(fault: FieldFault) -> str:
    if fault.rules:
        shown = fault.shown
        linked = (f"[{r}](fixtures/{shown[r].fixture})" if r in shown else r for r in fault.rules)
        return ", ".join(linked) + (f": {fault.part}" if fault.part else "")
    if fault.trap:
        return f"a trap, not flagged: `{fault.trap}`"
    return f"not in a configuration: {fault.never}" if fault.never else f"not found yet: needs {fault.needs}"
