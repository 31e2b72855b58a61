"""The parser of arguments: the error first, the name that was meant, and how to get help."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from auditor.util.printable import defuse_lines
from auditor.util.regex import regex
from auditor.util.suggest import add_suggestion, join_or, suggest

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

N = TypeVar("N")
_MISSING = regex(r"the following arguments are required: (.*)", re.DOTALL)
_ABOUT = regex(r"argument (?:-\w/)?(\S+?): (.*)", re.DOTALL)
_WRONG_VALUE = regex(r"invalid \w+ value: (.*)", re.DOTALL)
_NUMBER = regex(r"-\d+|-\d*\.\d+")
"""Words that argparse takes for a value though they begin with `-`."""
_COUNT = regex(r"expected (?:one|at least one) argument")


class Parser(argparse.ArgumentParser):
    """A parser of whole options, whose messages hold no command to a terminal or a CI system.

    File names of a change are arguments. It passes on why a message cannot be written, which argparse hides.
    """

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401  as argparse's own
        super().__init__(*given, **{"allow_abbrev": False, "formatter_class": _Formatter, **named})

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        (file or sys.stderr).write(defuse_lines(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401  as argparse's own
        """Raise ArgumentError for a value that is none of the choices, with those that are near."""
        if action.choices is not None and value not in action.choices:
            names = [str(each) for each in action.choices]
            raise argparse.ArgumentError(action, f"no such value: {value!r}; {suggest(str(value), names)}")

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]  # noqa: ANN401
        """Return the arguments, and those that are none of this parser's; ends the program for an unknown option."""
        given = list(sys.argv[1:] if args is None else args)
        known = [option for action in self._actions for option in action.option_strings]
        unknown = next((name for name in self._list_options(given) if name not in known), None)
        if unknown is not None:  # before argparse misses an argument that stands behind the option
            self.error(add_suggestion(f"{unknown}: no such option", unknown, known))
        found, rest = super().parse_known_args(given, namespace)
        if rest:
            self.error(f"{rest[0]}: not expected here")
        return found, rest

    def _list_options(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the name of each option in *words* that this parser reads: `--name`, or `-n` of `-nVALUE`."""
        for word in words:
            if word == "--" or (self._subparsers is not None and not word.startswith("-")):
                return  # what follows is no option, or belongs to the command
            if word.startswith("-") and word != "-" and " " not in word and not _NUMBER.fullmatch(word):
                yield word.partition("=")[0] if word.startswith("--") else word[:2]

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and how to get help, and end the program with status 2."""
        self.exit(2, f"roce-audit: {_word(message)}\nhelp: {self.prog} --help\n")


class _Formatter(argparse.HelpFormatter):
    """Help whose last part, the examples, keeps its lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(f"{indent}{line}\n" for line in text.splitlines())
        return super()._fill_text(text, width, indent)


def _word(message: str) -> str:
    """Return a message of argparse in this program's words.

    >>> _word("the following arguments are required: PATH, NAME")
    'PATH and NAME: missing'
    >>> _word("argument --jobs: invalid int value: 'x'"), _word("argument --os: expected one argument")
    ("--jobs: 'x' is no such value", '--os: its value is missing')
    """
    if missing := _MISSING.fullmatch(message):
        return f"{join_or(missing[1].split(', ')).replace(' or ', ' and ')}: missing"
    about = _ABOUT.fullmatch(message)
    if not about:
        return message
    name, said = about[1], about[2]
    if wrong := _WRONG_VALUE.fullmatch(said):
        said = f"{wrong[1]} is no such value"
    elif _COUNT.match(said):
        said = "its value is missing"
    return f"{name}: {said}"
