"""Scripts that complete commands, options and their values in a shell."""

import argparse
from collections.abc import Iterator

FILES = frozenset({"PATH", "FILE", "[FORMAT=]FILE", "FILE.csv", "FILE.yaml", "OLD", "NEW", "INVENTORY"})
FOLDERS = frozenset({"DIR", "FOLDER"})
"""Metavars of the arguments that are paths; no other argument completes to one."""


def complete(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script for *shell*: bash, zsh or fish."""
    _offer_topics(parser)
    if shell == "fish":
        return "\n".join(_list_fish(parser)) + "\n"
    import shtab

    for own in _get_commands(parser).choices.values():
        for action in _list_valued(own):
            if action.metavar in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
            elif action.metavar in FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # as above
    return f"{shtab.complete(parser, shell)}\n"


def _get_commands(parser: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    return next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001  argparse has no other way


def _list_valued(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a command that take a value."""
    yield from (action for action in parser._actions if action.nargs != 0)  # noqa: SLF001  as above


def _offer_topics(parser: argparse.ArgumentParser) -> None:
    """Give `help` the commands as values; its own parser has no list, since `help` prints by running the command."""
    commands = _get_commands(parser)
    for action in _list_valued(commands.choices["help"]):
        action.choices = tuple(commands.choices)


def _list_fish(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of a script for fish: a rule for each command, and for each option of a command."""
    commands = _get_commands(parser)
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}  # noqa: SLF001  as above
    program = parser.prog
    yield f"complete -c {program} -f -n __fish_use_subcommand"
    for name, own in commands.choices.items():
        yield f"complete -c {program} -f -n __fish_use_subcommand -a {name} -d {_quote(helps.get(name, ''))}"
        start = f"complete -c {program} -n '__fish_seen_subcommand_from {name}'"
        if not any(action.metavar in FILES for action in _list_valued(own) if not action.option_strings):
            yield f"{start} -f"
        formatter = own._get_formatter()  # noqa: SLF001  as above
        for action in own._actions:  # noqa: SLF001  as above
            described = formatter._expand_help(action) if action.help else ""  # noqa: SLF001  as above
            yield from _list_option(start, action, " ".join(described.split()))


def _list_option(start: str, action: argparse.Action, described: str) -> Iterator[str]:
    values = ""
    if action.choices:
        values = f" -x -a {_quote(' '.join(map(str, action.choices)))}"
    elif action.metavar in FOLDERS:
        values = " -x -a '(__fish_complete_directories)'"
    if not action.option_strings:
        if values:
            yield f"{start}{values}"
        return
    names = [f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in action.option_strings]
    takes = values or ("" if action.nargs == 0 else " -r -F" if action.metavar in FILES else " -x")
    yield f"{start} {' '.join(names)}{takes}{f' -d {_quote(described)}' if described else ''}"


def _quote(text: str) -> str:
    r"""Return *text* as one word of fish.

    >>> _quote("the site's own")
    "'the site\\'s own'"
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
