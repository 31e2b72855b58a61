"""A rule explained: what it means, what it costs, how to mend it, and where that is written."""

import textwrap

from auditor.packs import Rule

WIDTH = 100


def render(rule: Rule) -> str:
    """Return the explanation of *rule* as text."""
    file = rule.file
    lines = [f"{file.id} {file.name} ({file.level.value}, {rule.pack})", "", file.summary, ""]
    lines += [*textwrap.wrap(file.why, WIDTH, break_on_hyphens=False), ""]
    for system, remedy in file.remedy.items():
        lines += [f"remedy, {system}:", textwrap.indent(remedy.rstrip(), "    "), ""]
    if file.params:
        lines += ["parameters:", *(f"    {name}: {value}" for name, value in file.params.items()), ""]
    lines += ["references:", *(f"    {reference}" for reference in file.references)]
    return "\n".join(lines) + "\n"
