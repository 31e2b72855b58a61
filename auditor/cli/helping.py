"""The commands that help at the prompt: `help` and `completion`."""

import argparse

from auditor.cli.common import CLEAN

SHELLS = ("bash", "zsh", "fish")


def add_help(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `help`."""
    parser.add_argument("topic", nargs="?", metavar="COMMAND", help="command to explain (default: list the commands)")
    parser.set_defaults(run=_print_help)


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"shell to complete in: {', '.join(SHELLS)}")
    parser.set_defaults(run=_print_completion)


def _print_help(arguments: argparse.Namespace) -> int:
    from auditor.cli.commands import parse

    parse([*([arguments.topic] if arguments.topic else []), "--help"])
    return CLEAN


def _print_completion(arguments: argparse.Namespace) -> int:
    from auditor.cli.commands import build_parser
    from auditor.cli.completion import complete

    print(complete(arguments.shell, build_parser()), end="")
    return CLEAN
