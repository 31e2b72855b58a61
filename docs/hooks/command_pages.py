"""A page for each command, made from its parser."""

import argparse
from collections.abc import Iterator

from pages import Page, block, code, tabulate

from auditor.cli.commands import COMMANDS, EXAMPLES
from auditor.cli.usage import Parser

GUIDES = {
    "check": "audit-dumps.md",
    "diff": "gates/index.md",
    "drift": "drift.md",
    "accept": "accept-new-devices.md",
    "fix": "fix-and-verify.md",
    "verify": "fix-and-verify.md",
    "status": "hand-over.md",
    "show": "look-at-a-device.md",
    "path": "follow-a-packet.md",
    "intent": "declare-the-intent.md",
    "estimate": "estimate-a-fault.md",
    "init": "gates/index.md",
    "pull": "pull.md",
    "collect-script": "collect-from-a-host.md",
}
"""The guide that shows a command at work, below the folder of guides."""


def list_command_pages() -> Iterator[Page]:
    """Yield the page of each command."""
    for name, purpose, add in COMMANDS:
        parser = Parser(prog=f"roce-audit {name}", description=purpose)
        add(parser)
        parts = [f"# roce-audit {name}", f"{purpose[:1].upper()}{purpose[1:]}.", *_list_guide(name)]
        parts += [block(parser.format_usage()), *_list_arguments(parser), *_list_examples(name)]
        yield Page(f"reference/commands/{name}.md", name, "\n\n".join(parts) + "\n")


def make_overview() -> str:
    """Return the table of all commands."""
    return tabulate(["command", "purpose"], ([f"[`{name}`]({name}.md)", purpose] for name, purpose, _ in COMMANDS))


def _list_guide(name: str) -> Iterator[str]:
    if name in GUIDES:
        yield f"How to use it: [guide](../../how-to/{GUIDES[name]})."


def _list_arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    actions = [action for action in parser._actions if action.help is not argparse.SUPPRESS]  # noqa: SLF001
    for title, chosen in (
        ("Arguments", [each for each in actions if not each.option_strings]),
        ("Options", [each for each in actions if each.option_strings]),
    ):
        if chosen:
            yield f"## {title}"
            rows = ([_name(action), _explain(parser, action)] for action in chosen)
            yield tabulate([title.lower().removesuffix("s"), "meaning"], rows)


def _name(action: argparse.Action) -> str:
    """Return an argument as it is typed, with the name of its value."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return code(value)
    names = ", ".join(map(code, action.option_strings))
    return names if action.nargs == 0 else f"{names} {code(value)}"


def _explain(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()  # noqa: SLF001  the public way gives the whole help as one text
    help_ = formatter._expand_help(action) if action.help else ""  # noqa: SLF001
    choices = ", ".join(map(code, action.choices)) if action.choices else ""
    words = help_.replace("|", "&#124;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return f"{words}: {choices}" if choices else words


def _list_examples(name: str) -> Iterator[str]:
    yield "## Examples"
    yield block("\n".join(f"roce-audit {name} {words}".rstrip() for words in EXAMPLES[name]), "sh")
