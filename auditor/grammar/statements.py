"""Statement tables: which command line writes which setting, and what its negation does."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeAlias, TypeVar

from auditor.grammar.assign import assign, assign_members
from auditor.grammar.forms import build_beginning, build_pattern
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.util.memo import LONGEST, MOST, Memo
from auditor.util.regex import regex
from auditor.util.values import dataclass

B = TypeVar("B")
B_contra = TypeVar("B_contra", contravariant=True)
Arguments: TypeAlias = Mapping[str, str]
"""Words of a line by the names that the form of its statement gives them; empty where the line leaves them out."""
Write: TypeAlias = Callable[[B, Arguments, Where], LineState | None]
"""Writes one statement into a body; returns the state of the line, None where an argument is malformed."""
Keys: TypeAlias = Callable[[Arguments], Iterable[Any] | None]
"""Returns the entries of a mapping that the arguments name, None if they are malformed."""
Part: TypeAlias = Callable[[B, Arguments, Where], Iterable[Any] | None]
"""Returns the bodies within a body that the arguments name, None if they are malformed."""
NOWHERE = Where("", 0)
MOST_MATCHES, LINE = 1024, 64
"""Lines of one kind of stanza whose statements are kept, and characters of each on average."""


@dataclass(frozen=True, slots=True)
class Negation:
    """What the negated form of a statement does; `page` is the vendor's page that documents it.

    `off` are fields that take a value of their own, as `no shutdown` switches a port on. `reset` are fields that go
    back to the default. `member` is a field that maps keys to settings, with the keys that the arguments name: each is
    taken back, or takes the value `member_off`. `every` are the keys that a line with malformed keys may mean. The
    place of each is the negating line.
    """

    page: str
    reset: tuple[str, ...] = ()
    off: Mapping[str, Any] = field(default_factory=dict)
    member: tuple[str, Keys] | None = None
    member_off: Any = None
    every: tuple[Any, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that the statement and its negation write."""
        return (*self.reset, *self.off, *((self.member[0],) if self.member else ()))

    def apply(self, body: Any, arguments: Arguments, where: Where) -> LineState:  # noqa: ANN401  any body
        """Write the negation into *body*; return the state of its line."""
        keys = self.member[1](arguments) if self.member else ()
        if keys is None:
            self.spoil(body, arguments, Unknown("the line that takes this back is malformed"))
            return LineState.UNRECOGNISED
        for name in self.reset:
            assign(body, name, Unset(where))
        for name, value in self.off.items():
            assign(body, name, setting(value, where))
        if self.member:
            taken = Unset(where) if self.member_off is None else setting(self.member_off, where)
            assign_members(body, self.member[0], keys, taken)
        return LineState.MODELLED

    def spoil(self, body: Any, arguments: Arguments, why: Unknown) -> None:  # noqa: ANN401  any body
        """Make the fields of *body* unknown: a line that cannot be read has the last word on them."""
        for name in (*self.reset, *self.off):
            assign(body, name, why)
        if self.member:
            assign_members(body, self.member[0], self.member[1](arguments) or self.every, why)


@dataclass(frozen=True)
class Statement(Generic[B_contra]):
    """One command of a stanza.

    `form` is the command with its arguments: `{name}` is one word, `{name:on|off}` one of several, `{name!on|off}` none
    of several, `{name#}` a number, `{name+}` all words that follow, of which `{name*}` may have none, `[word]` a word
    that may be missing, `...` words without a meaning. `example` is a line of this form.

    `negation` is None where the negated form is no command. `default` is the effect of the `default` form, that of
    `negation` without it. The negated form may leave out the words from the first argument on; with *least*, it has so
    many words. `part` returns the bodies that the statement writes in place of the stanza's own, as those of the queues
    that it names.
    """

    form: str
    example: str
    write: Write[B_contra]
    negation: Negation | None = None
    default: Negation | None = None
    part: Part[B_contra] | None = None
    least: int = 0

    def parts(self, body: B_contra, arguments: Arguments, where: Where) -> Iterable[Any] | None:
        """Return the bodies that the statement writes, None if the arguments that name them are malformed."""
        return (body,) if self.part is None else self.part(body, arguments, where)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return what matches a whole statement."""
        return re.compile(build_pattern(self.form.split()) + r"\Z")

    @cached_property
    def negated(self) -> re.Pattern[str]:
        """Return what matches a negated statement, whose arguments may be missing from some word on."""
        words = self.form.split()
        fixed = next((n for n, word in enumerate(words) if word[0] in "{."), len(words))
        return re.compile(build_beginning(words, self.least or fixed) + r"\Z")

    @cached_property
    def beginning(self) -> re.Pattern[str]:
        """Return what matches the words before the first argument."""
        words = self.form.split()
        fixed = next((n for n, word in enumerate(words) if word[0] in "{."), len(words))
        return re.compile(build_pattern(words[:fixed]) + r"(?: |\Z)")

    @property
    def first_words(self) -> tuple[str, ...]:
        """Return the words that a statement of this form begins with, an empty one where it is an argument."""
        first = self.form.split()[0]
        return ("",) if first.startswith("{") else tuple(first.split("|"))


Matches: TypeAlias = tuple[tuple[Statement[B], Arguments], ...]
"""Statements that a line may be, each with the words that it gives."""


@dataclass(frozen=True)
class Table(Generic[B]):
    """The statements of one kind of stanza, in the order in which a line is tried.

    `undo` are the words that negate. `not_modelled` and `ignored` match lines, without such a word, that no statement
    reads: those that bear on the packets' treatment, and those that say nothing of it.
    """

    statements: tuple[Statement[B], ...]
    undo: tuple[str, ...] = ("no",)
    not_modelled: re.Pattern[str] = regex(r"(?!)")
    ignored: re.Pattern[str] = regex(r"(?!)")

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[Statement[B], ...]]:
        words = dict.fromkeys(word for each in self.statements for word in each.first_words)
        return {word: tuple(each for each in self.statements if word in each.first_words) for word in words}

    def _list_candidates(self, line: str) -> "tuple[Statement[B], ...]":
        """Return the statements that may begin as *line* does."""
        return (*self._by_word.get(line.partition(" ")[0], ()), *self._by_word.get("", ()))

    def split(self, text: str) -> tuple[str, str]:
        """Return the negating word of a line, empty without one, and the statement, its words one blank apart."""
        split = _split_again if len(text) <= LONGEST else _split
        return split(text, self.undo)

    @cached_property
    def _matched(self) -> "Memo[tuple[str, bool], Matches[B]]":
        return Memo(entries=MOST_MATCHES, size=MOST_MATCHES * LINE)

    def _find(self, line: str, *, is_undone: bool) -> "Matches[B]":
        """Return the statements that *line* is, or negates, with its arguments; equal lines are matched once."""
        key = line, is_undone
        found = self._matched.find(key)
        return self._matched.keep(key, tuple(self._match(*key)), len(line)) if found is None else found

    def _match(self, line: str, is_undone: bool) -> "Iterator[tuple[Statement[B], Arguments]]":
        for statement in self._list_candidates(line):
            match = (statement.negated if is_undone else statement.pattern).match(line)
            if match:
                yield statement, _arguments(match)

    def begins(self, text: str) -> bool:
        """Return whether a statement of the table begins with the first word of *text*."""
        return self.split(text)[1].partition(" ")[0] in self._by_word

    def read(self, body: B, text: str, where: Where) -> LineState:
        """Write the line *text* into *body*; return its state.

        A line that begins like a statement and cannot be read makes the statement's fields unknown.
        """
        undo, line = self.split(text)
        for statement, arguments in self._find(line, is_undone=bool(undo)):
            if not undo:
                return _do(statement, body, line, arguments, where)
            state = _undo(statement, body, undo, arguments, where)
            if state is not None:
                return state
        state = self.state_of(line)
        if state is LineState.UNRECOGNISED and not undo:
            self._spoil(body, line)
        return state

    def _spoil(self, body: B, line: str) -> None:
        """Make unknown the fields of the statement with which *line* has the most words in common."""
        found = [(match.end(), each) for each in self.statements if (match := each.beginning.match(line))]
        closest = max(found, key=lambda pair: pair[0])[1] if found else None
        arguments: Arguments = defaultdict(str)
        if closest and closest.negation:
            for part in closest.parts(body, arguments, NOWHERE) or ():
                closest.negation.spoil(part, arguments, Unknown(f"`{line[:60]}` is malformed"))

    def reads(self, text: str) -> bool:
        """Return whether *text* is a statement of the table, or one that is negated."""
        undo, line = self.split(text)
        return bool(self._find(line, is_undone=bool(undo)))

    def doubt(self, body: B, text: str, why: str, where: Where = NOWHERE) -> LineState:
        """Make the fields unknown that the line *text* at *where* would write; return the line's state."""
        _, line = self.split(text)
        for statement in self._list_candidates(line):
            match = statement.pattern.match(line) or statement.negated.match(line)
            if match and statement.negation:
                arguments = _arguments(match)
                for part in statement.parts(body, arguments, where) or ():
                    statement.negation.spoil(part, arguments, Unknown(why))
                break
        return LineState.UNRECOGNISED

    def state_of(self, line: str) -> LineState:
        """Return the state of a line, without its negating word, that no statement reads."""
        if self.not_modelled.match(line):
            return LineState.NOT_MODELLED
        return LineState.IGNORED if self.ignored.match(line) else LineState.UNRECOGNISED


def _split(text: str, undo: tuple[str, ...]) -> tuple[str, str]:
    words = text.split()
    negating = words.pop(0) if words and words[0] in undo else ""
    return negating, " ".join(words)


_split_again = lru_cache(maxsize=MOST)(_split)


def _do(statement: Statement[B], body: B, line: str, arguments: Arguments, where: Where) -> LineState:
    state: LineState | None = None
    for part in statement.parts(body, arguments, where) or ():
        state = statement.write(part, arguments, where)
        if state is None and statement.negation:
            statement.negation.spoil(part, arguments, Unknown(f"`{line[:60]}` is malformed"))
    return state or LineState.UNRECOGNISED


def _undo(statement: Statement[B], body: B, undo: str, arguments: Arguments, where: Where) -> LineState | None:
    if statement.negation is None:  # a statement that is not modelled is not modelled either way
        return statement.write(body, arguments, where)
    negation = statement.default if undo == "default" and statement.default else statement.negation
    parts = tuple(statement.parts(body, arguments, where) or ())
    states = [negation.apply(part, arguments, where) for part in parts]
    return states[-1] if states else LineState.UNRECOGNISED


def _arguments(match: re.Match[str]) -> Arguments:
    return {name: word or "" for name, word in match.groupdict().items()}


def setting(found: Any, where: Where) -> Setting[Any]:  # noqa: ANN401  any value
    """Return a value that a line writes as a setting; an Unknown stays what it is."""
    return found if isinstance(found, Unknown) else Known(found, Origin.INTENDED, where)
