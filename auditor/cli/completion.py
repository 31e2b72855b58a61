"""Scripts that complete commands, options and their values in a shell."""

import argparse
from collections.abc import Iterator


def complete(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script for *shell*: bash, zsh or fish."""
    if shell == "fish":
        return "\n".join(_list_fish(parser)) + "\n"
    import shtab

    return f"{shtab.complete(parser, shell)}\n"


def _list_fish(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of a script for fish: a rule for each command, and for each option of a command."""
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001  argparse has no other way
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}  # noqa: SLF001  as above
    program = parser.prog
    yield f"complete -c {program} -f -n __fish_use_subcommand"
    for name, own in commands.choices.items():
        yield f"complete -c {program} -f -n __fish_use_subcommand -a {name} -d {_quote(helps.get(name, ''))}"
        for action in own._actions:  # noqa: SLF001  as above
            yield from _list_option(f"complete -c {program} -n '__fish_seen_subcommand_from {name}'", action)


def _list_option(start: str, action: argparse.Action) -> Iterator[str]:
    values = f" -x -a {_quote(' '.join(map(str, action.choices)))}" if action.choices else ""
    if not action.option_strings:
        if values:
            yield f"{start}{values}"
        return
    names = [f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in action.option_strings]
    takes = values or ("" if action.nargs == 0 else " -r")
    described = f" -d {_quote(' '.join((action.help or '').replace('%%', '%').split()))}" if action.help else ""
    yield f"{start} {' '.join(names)}{takes}{described}"


def _quote(text: str) -> str:
    r"""Return *text* as one word of fish.

    >>> _quote("the site's own")
    "'the site\\'s own'"
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
