"""A page for each rule, with an anchor for each part, and the table of the faults that the field knows."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from pages import Page, code, describe, tabulate

from auditor.checks.catalogue import Rule, load_rules
from auditor.checks.field_faults import load_field_faults
from auditor.report.reference import list_parts, tabulate_faults, tabulate_rules

TITLES: Mapping[str, str] = {
    "buffers": "Buffers and headroom",
    "config": "Configurations",
    "dcqcn": "DCQCN",
    "ecn": "ECN and WRED",
    "mtu": "MTU",
    "pfc": "PFC",
}
"""Packs of rules whose title is more than their name."""
REMEDY = "remedy-"


def list_rule_pages() -> Iterator[tuple[str, Sequence[Page]]]:
    """Yield the title of each pack with the pages of its rules."""
    for pack, rules in groupby(load_rules(), key=lambda rule: rule.pack):
        yield name_pack(pack), [_make_page(rule) for rule in rules]


def name_pack(pack: str) -> str:
    """Return the title of a pack of rules.

    >>> name_pack("pfc"), name_pack("topology")
    ('PFC', 'Topology')
    """
    return TITLES.get(pack) or _capitalise(pack)


def _make_page(rule: Rule) -> Page:
    file = rule.file
    lines = [f"# {file.id} {file.name}", file.summary, _tabulate_facts(rule)]
    is_in_remedies = False
    for part in list_parts(rule):
        is_remedy = part.anchor.startswith(REMEDY)
        if is_remedy and not is_in_remedies:
            lines.append(f"## Remedies {{ #remedy }}\n\nPlaces such as `PORT` stand for names of yours. {_FIX}")
        is_in_remedies = is_remedy
        title = _capitalise(part.title.partition(": ")[2]) if is_remedy else part.title
        lines += [f"{'###' if is_remedy else '##'} {title} {{ #{part.anchor} }}", part.text]
    text = describe(file.summary) + "\n\n".join(lines) + "\n"
    return Page(f"rules/{file.id}.md", f"{file.id} {file.name}", text)


_FIX = "[`roce-audit fix`](../how-to/fix-and-verify.md) fills them in from your dumps, and audits the result."


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tabulate_facts(rule: Rule) -> str:
    file = rule.file
    row = [file.level.value, file.scope.value, code(rule.pack), code(f"roce-audit explain {file.id}")]
    return tabulate(["level", "judges", "pack", "in a terminal"], [row])


def make_overview() -> str:
    """Return the table of all rules, a section for each pack."""
    sections = []
    for pack, rules in groupby(load_rules(), key=lambda rule: rule.pack):
        lines = tabulate_rules(list(rules), lambda rule: f"[{rule.file.id}]({rule.file.id}.md)")
        sections.append(f"## {name_pack(pack)} {{ #{pack} }}\n\n" + "\n".join(lines))
    return "\n\n".join(sections)


def make_fault_table() -> str:
    """Return the table of the faults that the field knows."""

    def link(rule: str, fixture: str) -> str:
        return f"[{rule}]({rule}.md) ({code(f'fixtures/{fixture}')})"

    return "\n".join(tabulate_faults(load_field_faults(), link))
