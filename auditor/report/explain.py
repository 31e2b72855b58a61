"""The explanation of a rule: meaning, cost, decision, fix, references."""

import textwrap
from collections.abc import Collection, Iterator

from auditor.checks.catalogue import Rule
from auditor.diagnosis.counters import SIGNS
from auditor.diagnosis.remedies import list_examples
from auditor.diagnosis.typical_cost import JUMBO_MTU, LINK, SMALL_MTU, estimate_typical_cost
from auditor.model.finding import LossKind
from auditor.report.impact import summarise_impacts

WIDTH = 100
FAULTY = {
    LossKind.LOSSY: "RDMA may be dropped",
    LossKind.NOT_SENT: "pauses not sent",
    LossKind.NOT_HONOURED: "pauses not honoured",
    LossKind.SHORT_HEADROOM: "half of the headroom that it needs",
    LossKind.NO_MARKS: "nothing marked",
    LossKind.NO_REACTION: "no sender slows down",
    LossKind.BLACK_HOLE: f"{SMALL_MTU} bytes taken, {JUMBO_MTU} sent",
}
"""The effect of a fault on the typical link."""


NO_ESTIMATE = "no estimate: the loss model does not cover the cost of this rule"


def name_remedy(system: str, remedies: Collection[str]) -> str:
    """Return the system of a remedy in words; `any` covers systems without a remedy of their own."""
    return "any other system" if system == "any" and len(remedies) > 1 else system


def render(rule: Rule) -> str:
    """Return the explanation of *rule* as text."""
    file = rule.file
    lines = [f"{file.id} {file.name} ({file.level.value}, {rule.pack})"]
    lines += [f"former name: {name}" for name in file.former_names]
    lines += ["", file.summary, ""]
    lines += [*textwrap.wrap(file.why, WIDTH, break_on_hyphens=False), ""]
    if file.decided:
        lines += ["decided by:", *_indent(_wrap(file.decided))]
    if file.rests_on:
        lines += ["rests on captures such as:", *(f"    {capture}" for capture in file.rests_on), ""]
    if file.example:
        lines += ["a bad example:", *_indent(file.example.bad), "a good example:", *_indent(file.example.good)]
    for system, remedy in list_examples(file):
        lines += [f"remedy, {name_remedy(system, file.remedy)}:", *_indent(remedy)]
    if file.params:
        lines += ["parameters:", *(f"    {name}: {value}" for name, value in file.params.items()), ""]
    costs = list(list_typical_costs(rule)) or [NO_ESTIMATE]
    lines += [f"on {LINK}:", *(line for cost in costs for line in _indent(_wrap(cost))[:-1]), ""]
    if rule.check.signs:
        lines += ["counters show it where:", *(f"    {SIGNS[sign].text}" for sign in rule.check.signs), ""]
    lines += ["references:", *(f"    {reference}" for reference in file.references)]
    return "\n".join(lines) + "\n"


def list_typical_costs(rule: Rule) -> Iterator[str]:
    """Yield a line for the cost of each fault of the rule on a typical link."""
    said: dict[str, list[str]] = {}
    for fault in rule.check.losses:
        said.setdefault(
            summarise_impacts([estimate_typical_cost(fault)]) or "costs nothing while an incast lasts", []
        ).append(FAULTY[fault])
    for cost, when in said.items():
        yield f"{' or '.join(when)}: {cost}"


def _wrap(text: str) -> str:
    return textwrap.fill(text, WIDTH - 4, break_on_hyphens=False, break_long_words=False)


def _indent(text: str) -> list[str]:
    return [*textwrap.indent(text.rstrip(), "    ").splitlines(), ""]
