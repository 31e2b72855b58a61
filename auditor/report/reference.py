"""The reference of rules: the parts of a rule's description, and all rules with the faults of the field as one page."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from auditor.checks.catalogue import ANY, Rule, RuleFile
from auditor.checks.field_faults import FieldFault
from auditor.diagnosis.counters import SIGNS
from auditor.diagnosis.remedies import list_examples
from auditor.diagnosis.typical_cost import LINK
from auditor.report.explain import NO_ESTIMATE, list_typical_costs, name_remedy
from auditor.systems import systems
from auditor.util.values import dataclass

HEAD = """\
# Rules

Made by `roce-audit rules --format markdown`. `roce-audit explain RULE` describes one rule.

"""
FAULTS = """\
## Faults seen in the field

Faults that operators, issue trackers and vendors' own checks have reported. Each names the rule that finds it, with a
link to tested dumps. "not found yet" names the missing evidence. "not in a configuration" gives the reason why no dump
shows the fault. A trap is a harmless setting that looks like a fault, with the test that shows that no rule reports it.

"""
NO_COUNTER = "No known counter shows this fault alone."


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule's description: the anchor of its heading, the heading, and the text in Markdown."""

    anchor: str
    title: str
    text: str


def list_parts(rule: Rule) -> Iterator[Part]:
    """Yield the parts of a rule's description behind its summary, in the order in which they are read."""
    file = rule.file
    yield Part("why", "Why it matters", " ".join(file.why.split()))
    if file.decided:
        yield Part("decided", "How it is decided", " ".join(file.decided.split()))
    if file.example:
        bad, good = (_format_block(each) for each in (file.example.bad, file.example.good))
        yield Part("example", "Example", f"Bad:\n\n{bad}\n\nGood:\n\n{good}")
    for key, remedy in list_examples(file):
        yield Part(name_anchor(key), f"Remedy: {_describe_system(key, file)}", _format_block(remedy))
    costs = list(list_typical_costs(rule))
    yield Part("cost", "Cost", f"On {LINK}:\n\n{_list(costs)}" if costs else f"{_capitalise(NO_ESTIMATE)}.")
    signs = [_capitalise(SIGNS[sign].text) for sign in rule.check.signs]
    yield Part("counters", "Counters that show it", _list(signs) if signs else NO_COUNTER)
    if file.rests_on:
        captures = _list([f"`{capture}`" for capture in file.rests_on])
        yield Part("evidence", "Evidence", f"Captures that decide it, such as:\n\n{captures}")
    if file.params:
        values = _list([f"`{name}: {value}`" for name, value in file.params.items()])
        yield Part("parameters", "Parameters", f"Defaults; `rules:` of `roce-audit.yaml` changes them.\n\n{values}")
    if file.former_names:
        names = ", ".join(f"`{name}`" for name in file.former_names)
        yield Part("former-names", "Former names", f"Still accepted: {names}.")
    yield Part("references", "References", _list(file.references))


def name_anchor(remedy: str) -> str:
    """Return the anchor of the remedy with this key.

    >>> name_anchor("linux/nvidia")
    'remedy-linux-nvidia'
    """
    return f"remedy-{remedy.replace('/', '-')}"


def render(rules: Sequence[Rule], faults: Sequence[FieldFault]) -> str:
    """Return all rules and *faults* as one page."""
    found = FAULTS + "\n".join(tabulate_faults(faults, lambda rule, fixture: f"[{rule}](fixtures/{fixture})"))
    return HEAD + "\n".join([*_list_rules(rules), *_build_sections(rules), found, ""])


def tabulate_rules(rules: Sequence[Rule], link: Callable[[Rule], str]) -> Iterator[str]:
    """Yield the lines of a table of *rules*; *link* gives the first cell of each."""
    yield "| rule | name | level | judges | finds |\n|---|---|---|---|---|"
    for rule in rules:
        file = rule.file
        yield f"| {link(rule)} | {file.name} | {file.level.value} | {file.scope.value} | {file.summary} |"


def tabulate_faults(faults: Sequence[FieldFault], link: Callable[[str, str], str]) -> Iterator[str]:
    """Yield the lines of a table of *faults*; *link* names a rule and the fixture in which it finds the fault."""
    yield "| | fault | found by |\n|---|---|---|"
    for each in faults:
        yield f"| {each.fault} | {each.name} | {_describe_coverage(each, link)} |"


def _list_rules(rules: Sequence[Rule]) -> Iterator[str]:
    yield from tabulate_rules(rules, lambda rule: f"[{rule.file.id}](#{rule.file.id.lower()}-{rule.file.name})")
    yield ""


def _build_sections(rules: Sequence[Rule]) -> Iterator[str]:
    for pack, members in groupby(rules, key=lambda rule: rule.pack):
        yield f"## {pack}\n"
        for rule in members:
            yield f"### {rule.file.id} {rule.file.name}\n\n{rule.file.summary}\n"
            yield from (f"**{part.title}**\n\n{part.text}\n" for part in list_parts(rule))


def _describe_system(key: str, file: RuleFile) -> str:
    """Return the system of a remedy, and the maker of the NIC, for people."""
    os, _, wanted = key.partition("/")
    if os == ANY:
        return "any system" if len(file.remedy) == 1 else name_remedy(key, file.remedy)
    system = systems()[os]
    makers = system.remedies.makers if system.remedies else ()
    return system.name + "".join(f", {maker.name}" for maker in makers if maker.key == wanted)


def _describe_coverage(fault: FieldFault, link: Callable[[str, str], str]) -> str:
    if fault.rules:
        shown = fault.shown
        linked = (link(rule, shown[rule].fixture) if rule in shown else rule for rule in fault.rules)
        return ", ".join(linked) + (f": {fault.part}" if fault.part else "")
    if fault.trap:
        return f"a trap, not flagged: `{fault.trap}`"
    return f"not in a configuration: {fault.never}" if fault.never else f"not found yet: needs {fault.needs}"


def _format_block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
