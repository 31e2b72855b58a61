"""Rows of statement tables: constructors of statements, and conversions of their words."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from auditor.grammar.assign import assign, assign_members
from auditor.grammar.statements import Arguments, Keys, Negation, Part, Statement, setting
from auditor.model.dump import LineState
from auditor.model.setting import Where


def value(  # noqa: PLR0913  the columns of a row
    form: str,
    name: str,
    convert: Callable[[str], Any],
    *,
    example: str,
    page: str,
    off: Any = None,  # noqa: ANN401  any value
    state: LineState = LineState.MODELLED,
) -> Statement[Any]:
    """Return a statement whose last argument is the value of field *name*.

    *convert* returns the value, an Unknown with the reason, or None where the word is malformed. The negation sets
    *off*, or resets the field where there is none.
    """

    def write(body: Any, arguments: Arguments, where: Where) -> LineState | None:  # noqa: ANN401  any body
        *_, text = ("", *arguments.values())
        found = convert(text)
        if found is None:
            return None
        assign(body, name, setting(found, where))
        return state

    negation = Negation(page, off={name: off}) if off is not None else Negation(page, (name,))
    return Statement(form, example, write, negation)


def flag(
    form: str, on: Mapping[str, Any], *, page: str, off: Mapping[str, Any] | None = None, example: str = ""
) -> Statement[Any]:
    """Return a statement that sets the fields *on*; its negation sets *off*, or resets the fields without it."""

    def write(body: Any, _: Arguments, where: Where) -> LineState:  # noqa: ANN401  any body
        for name, each in on.items():
            assign(body, name, setting(each, where))
        return LineState.MODELLED

    negation = Negation(page, tuple(on)) if off is None else Negation(page, tuple(set(on) - set(off)), off)
    return Statement(form, example or form, write, negation)


def entries(  # noqa: PLR0913  the columns of a row
    form: str,
    name: str,
    keys: Keys,
    convert: Callable[[Arguments], Any],
    *,
    example: str,
    page: str,
    off: Any = None,  # noqa: ANN401  any value
    every: tuple[Any, ...] = (),
    state: LineState = LineState.MODELLED,
) -> Statement[Any]:
    """Return a statement that sets entries of the mapping *name*: those of *keys*, each to the value of *convert*.

    The negation takes the entries back, or sets them to *off*. *every* are the keys that a malformed line may mean.
    """

    def write(body: Any, arguments: Arguments, where: Where) -> LineState | None:  # noqa: ANN401  any body
        members, found = keys(arguments), convert(arguments)
        if members is None or found is None:
            return None
        assign_members(body, name, members, setting(found, where))
        return state

    return Statement(form, example, write, Negation(page, member=(name, keys), member_off=off, every=every))


def within(part: Part[Any], *statements: Statement[Any]) -> tuple[Statement[Any], ...]:
    """Return *statements* such that each writes the bodies that *part* returns."""
    return tuple(replace(each, part=part) for each in statements)


def skip(form: str, state: LineState = LineState.NOT_MODELLED) -> Statement[Any]:
    """Return a statement that is recognised and writes nothing; its lines have *state*, negated or not."""
    return Statement(form, "", lambda _body, _arguments, _where: state)


def number(lowest: int, highest: int) -> Callable[[str], int | None]:
    """Return the conversion of a word to a number from *lowest* to *highest*, None for another word.

    >>> number(576, 9216)("9000"), number(576, 9216)("9999"), number(0, 7)("x")
    (9000, None, None)
    """
    most = len(str(highest))

    def convert(word: str) -> int | None:
        is_number = word.isascii() and word.isdecimal() and len(word) <= most
        return int(word) if is_number and lowest <= int(word) <= highest else None

    return convert


def choice(values: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return the conversion of a word by a table, None for a word that is not in it."""
    return values.get


def word(text: str) -> str:
    """Return the word as it stands."""
    return text


ON_OFF: Mapping[str, bool] = {"on": True, "off": False}
