"""Generated tests of negation: each statement of a table, then its negation, wherever the two stand.

A system's test gives the contexts of its tables; the statements, their examples and what a negation does come from the
tables themselves.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.grammar.statements import Negation, Statement, Table
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Setting, Unknown, Unset, Where, value_of

HOST = "leaf1"


@dataclass(frozen=True)
class Context:
    """A table, and where its statements stand.

    `head` are the lines that open the stanza, each deeper than the one before; `modes` are the prompts' modes at which
    the head's lines and the statement are typed; `prompt` returns what stands before a line of a mode. `body` returns
    the object that the statements write into, `place` the head of the stanza from which places may count. `before` are
    lines that come first.
    """

    name: str
    table: Table[Any]
    head: tuple[str, ...]
    modes: tuple[str, ...]
    body: Callable[[Any], Any]
    place: Callable[[Any], Where] = lambda _: Where("", 0)
    before: tuple[str, ...] = ()
    prompt: Callable[[str], str] = lambda mode: f"{HOST}({mode})# "

    def stanza(self, *statements: str) -> list[str]:
        """Return the stanza with *statements*, as a configuration prints it."""
        depth = len(self.head)
        return [*(" " * 2 * n + line for n, line in enumerate(self.head)), *(" " * 2 * depth + s for s in statements)]

    def session(self, *statements: str) -> list[str]:
        """Return the stanza with *statements*, as somebody types it."""
        typed = [*self.head, *statements]
        modes = [*self.modes[: len(self.head)], *[self.modes[-1]] * len(statements)]
        return [f"{self.prompt(mode)}{line}" for mode, line in zip(modes, typed, strict=True)]


@dataclass(frozen=True)
class Case:
    """A statement and one of its negating lines."""

    context: Context
    statement: Statement[Any]
    negation: Negation
    line: str

    def __str__(self) -> str:
        return f"{self.context.name}: {self.line}"


def cases(contexts: Sequence[Context]) -> Iterator[Case]:
    """Yield each statement of the contexts' tables with each line that negates it, whole and as short as it may be."""
    for context in contexts:
        for statement in context.table.statements:
            if statement.negation is None or not statement.negation.fields:
                continue
            for undo in context.table.undo:
                negation = statement.default if undo == "default" and statement.default else statement.negation
                lines = {f"{undo} {statement.example}"}
                short = shortest(statement)
                if not negation.member and not statement.part and first_of(context.table, short) is statement:
                    lines.add(f"{undo} {short}")
                yield from (Case(context, statement, negation, line) for line in sorted(lines))


def shortest(statement: Statement[Any]) -> str:
    """Return the words of a statement up to its first argument."""
    words = statement.form.split()
    fixed = next((n for n, word in enumerate(words) if word[0] in "{."), len(words))
    return " ".join(word.partition("|")[0] for word in words[:fixed] if word[0] != "[")


def first_of(table: Table[Any], line: str) -> Statement[Any] | None:
    """Return the statement of a table that the negation of *line* concerns."""
    return next((statement for statement in table.statements if statement.negated.match(line)), None)


def layouts(case: Case) -> Mapping[str, tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]]:
    """Return captures by how they are laid out: with the negation last, and with the statement last."""
    context, said, undone = case.context, case.statement.example, case.line
    before = list(context.before)

    def both(build: Callable[[str, str], Sequence[Sequence[str]]]) -> tuple[Any, Any]:
        return build(said, undone), build(undone, said)

    return {
        "one stanza": both(lambda a, b: [[*before, *context.stanza(a, b)]]),
        "two stanzas": both(lambda a, b: [[*before, *context.stanza(a), *context.stanza(b)]]),
        "session in the same file": both(lambda a, b: [[*before, *context.stanza(a), *context.session(b)]]),
        "session in a file of its own": both(lambda a, b: [[*before, *context.stanza(a)], context.session(b)]),
    }


def captures(files: Sequence[Sequence[str]]) -> list[Capture]:
    """Return files of lines as captures of one device."""
    return [Capture(f"{n}.cfg", tuple(lines)) for n, lines in enumerate(files)]


def check(case: Case, read: Callable[[Sequence[Capture]], Any]) -> None:
    """Assert that the last word wins in every layout, and that a value that was taken back keeps its line."""
    for name, (undone, stated) in layouts(case).items():
        config = read(captures(undone))
        found = fields(case, config)
        assert found, name
        off = taken(case)
        for field, setting in found.items():
            if isinstance(off.get(column(field)), Unknown):
                assert setting == off[column(field)], (name, field)
                continue
            place = where_of(setting)
            assert place, (name, field, setting)
            absolute = place.at(case.context.place(config))
            lines = undone[int(absolute.file.split(".")[0])]
            assert case.line in lines[absolute.line - 1], (name, field, setting)
            if column(field) in off:
                assert value_of(setting) == off[column(field)], (name, field)
            else:
                assert isinstance(setting, Unset), (name, field, setting)
        config = read(captures(stated))
        alone = fields(case, read(captures([[*case.context.before, *case.context.stanza(case.statement.example)]])))
        for field, setting in fields(case, config).items():
            if not isinstance(alone.get(field, Unset()), Unset | Unknown):
                assert type(setting) is type(alone[field]), (name, field, setting)


def fields(case: Case, config: Any) -> dict[str, Setting[Any]]:  # noqa: ANN401  any configuration
    """Return the settings that the statement writes, by field; those of a mapping by field and key."""
    match = case.statement.pattern.match(case.context.table.split(case.statement.example)[1])
    assert match, "the example has the form of its statement"
    arguments = {name: word or "" for name, word in match.groupdict().items()}
    negation = case.negation
    found: dict[str, Setting[Any]] = {}
    for number, body in enumerate(case.statement.parts(case.context.body(config), arguments, Where("", 0)) or ()):
        found |= {f"{number}.{name}": getattr(body, name) for name in (*negation.reset, *negation.off)}
        if negation.member:
            keys = negation.member[1](arguments)
            entries = getattr(body, negation.member[0])
            found |= {f"{number}.{negation.member[0]}[{key}]": entries[key] for key in keys or () if key in entries}
    return found


def column(field: str) -> str:
    """Return the name of a field, without the number of its part and without its key."""
    return field.partition(".")[2].partition("[")[0]


def taken(case: Case) -> dict[str, Any]:
    """Return the values that the negation sets, by field."""
    negation = case.negation
    members = {negation.member[0]: negation.member_off} if negation.member else {}
    return {**negation.off, **{name: off for name, off in members.items() if off is not None}}


def where_of(setting: Any) -> Where | None:  # noqa: ANN401  a setting, or an object with a place
    """Return the place of a setting."""
    place: Where | None = getattr(setting, "where", None)
    return place


def broken(contexts: Sequence[Context]) -> Iterator[tuple[Context, str]]:
    """Yield each statement that has a number, with that number broken; without those that take a word there."""
    for context in contexts:
        for statement in context.table.statements:
            if statement.negation is None or not statement.negation.fields:
                continue
            for token in dict.fromkeys(_NUMBER.findall(statement.example)):
                yield context, re.sub(rf"(?<![\w-]){token}(?![\w-])", "9z9", statement.example)


_NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])")


def check_broken(context: Context, line: str, parse: Callable[[Sequence[Capture]], Device]) -> None:
    """Assert that a line with a broken number is not understood, and that somebody is told."""
    lines = [*context.before, *context.stanza(line)]
    device = parse(captures([lines]))
    assert device.dumps[0].states[len(lines) - 1] is LineState.UNRECOGNISED
    assert [doubt.where.line for doubt in device.doubts] == [len(lines)]
