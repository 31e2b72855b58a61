"""The explanation of a rule: meaning, cost, decision, fix, references."""

import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from auditor.checks.catalogue import Rule
from auditor.diagnosis.counters import SIGNS
from auditor.diagnosis.remedies import list_examples, list_typed
from auditor.diagnosis.typical_cost import JUMBO_MTU, LINK, SMALL_MTU, estimate_typical_cost
from auditor.model.finding import LossKind
from auditor.report.causes import fold_ports
from auditor.report.impact import summarise_impacts
from auditor.report.presentation import clean_text
from auditor.report.site_address import find_rule_page

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


def render(rule: Rule, os: str | None = None) -> str:
    """Return the explanation of *rule* as text, with what to type on the system *os* alone where one is given.

    It opens with the fault, its cost, and the fix.
    """
    file = rule.file
    chosen = [(key, text) for key, text in list_examples(file) if _is_for(key, os, file.remedy)]
    costs = list(list_typical_costs(rule)) or [NO_ESTIMATE]
    lines = [f"{file.id} {file.name} ({file.level.value}, {rule.pack})"]
    lines += [f"former name: {name}" for name in file.former_names]
    lines += ["", file.summary, *_wrap(costs[0]).splitlines(), *_summarise_fix(chosen, os), ""]
    lines += [*textwrap.wrap(file.why, WIDTH, break_on_hyphens=False), ""]
    if file.decided:
        lines += ["decided by:", *_indent(_wrap(file.decided))]
    if file.rests_on:
        lines += ["rests on captures such as:", *(f"    {capture}" for capture in file.rests_on), ""]
    if file.example:
        lines += ["a bad example:", *_indent(file.example.bad), "a good example:", *_indent(file.example.good)]
    for system, remedy in chosen:
        lines += [f"remedy, {name_remedy(system, file.remedy)}:", *_indent(remedy)]
    if file.params:
        lines += ["parameters:", *(f"    {name}: {value}" for name, value in file.params.items()), ""]
    lines += [f"on {LINK}:", *(line for cost in costs for line in _indent(_wrap(cost))[:-1]), ""]
    if rule.check.signs:
        lines += ["counters show it where:", *(f"    {SIGNS[sign].text}" for sign in rule.check.signs), ""]
    lines += ["references:", *(f"    {reference}" for reference in file.references)]
    page = find_rule_page(file.id)
    lines += [f"documentation: {page}"] if page else []
    return "\n".join(lines) + "\n"


def _is_for(key: str, os: str | None, remedies: Collection[str]) -> bool:
    """Return whether the remedy with this *key* is for the system *os*, or for all that have none of their own."""
    if os is None or key.partition("/")[0] == os:
        return True
    return key == "any" and not any(each.partition("/")[0] == os for each in remedies)


def _summarise_fix(remedies: Sequence[tuple[str, str]], os: str | None) -> Iterator[str]:
    """Yield one line with what to type: on the system that was asked for, else where to see it."""
    if os is None:
        yield f"fix: `--os {remedies[0][0].partition('/')[0]}` or another system shows what to type there"
    elif remedies:
        typed = " / ".join(line.strip() for line in list_typed(remedies[0][1]))
        yield f"fix: {typed or 'see below'}"
    else:
        yield f"fix: no remedy is known for {os}"


def render_cause(cause: Mapping[str, Any]) -> str:
    """Return a cause of a report (schema `roce-audit/report/2`) as text: what is wrong, what it meets, what to type."""
    ports = [each["port"] for each in cause["ports"] if each["device"] == cause["device"]]
    where = f"{cause['device']} {fold_ports(ports)}".rstrip()
    remedy = cause["remedy"] or {}
    typed = list_typed(remedy.get("text", ""))
    lines = [f"{cause['level']}[{cause['rule']}] {where}: {cause['message']}"]
    lines += [f"  --> {cause['file']}:{cause['line']}"] if cause["file"] else []
    lines += [f"type on {remedy['os']}: {' / '.join(line.strip() for line in typed)}"] if typed else []
    counts = [(len(cause[f"{kind}s"]), kind) for kind in ("device", "finding", "host", "job")]
    met = [f"{count} {kind if count == 1 else f'{kind}s'}" for count, kind in counts if count]
    lines += [f"meets {', '.join(met)}"]
    return "".join(f"{clean_text(line)}\n" for line in lines) + "\n"


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
