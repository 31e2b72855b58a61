"""Lines of an indented configuration, as printed or as typed, cut into stanzas."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from auditor.grammar.stanzas import Line, Sections, Stanza
from auditor.model.dump import LineState

NEVER = re.compile(r"(?!)")
PAGER = "--More--"
Kind = Callable[[str, Stanza | None, Sequence[str], int], str]
"""Returns the kind of stanza that a text opens, empty where it opens none; takes the stanza above, lines and index."""


@dataclass(frozen=True, eq=False)
class StanzaSyntax:
    """The syntax of stanzas of one operating system.

    `typed` matches a configuration mode's prompt: `mode` is empty at the top level. `prompt` matches any other prompt
    before a command. `belongs` match, by kind of stanza, lines that cannot stand at the top level, `both` those that
    can stand there as well. `always` matches lines that open a stanza however far they are indented. A banner's
    opening line has the groups `mark`, which ends it, and `rest`, unless `end_of_banner` ends all. An `exit` ends a
    stanza unless its kind is in `reopened`. `comment` matches a comment behind a statement.
    """

    kind: Kind
    typed: re.Pattern[str]
    prompt: re.Pattern[str] = NEVER
    belongs: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    both: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    always: re.Pattern[str] = NEVER
    banner: re.Pattern[str] = NEVER
    end_of_banner: str = ""
    comment: re.Pattern[str] = NEVER
    reopened: frozenset[str] = frozenset()

    def line(self, raw: str, index: int) -> Line:
        """Return a line without indentation, prompt and comment; a line typed in a mode counts as indented."""
        text, indent, typed = _measure(self.typed, self.comment, raw)
        return Line(text, indent, index, typed)

    def all_lines(self, lines: Sequence[str]) -> list[Line]:
        """Return all *lines* without indentation, prompts and comments."""
        typed, comment = self.typed, self.comment
        measured = (_measure(typed, comment, raw) for raw in lines)
        return [Line(text, indent, index, is_typed) for index, (text, indent, is_typed) in enumerate(measured)]


@lru_cache(maxsize=16384)
def _measure(typed: re.Pattern[str], comment: re.Pattern[str], raw: str) -> tuple[str, int, bool]:
    prompt = typed.match(raw) if "#" in raw else None
    text = raw[prompt.end() :] if prompt else raw
    indent = len(text) - len(text.lstrip()) if prompt is None else 2 * bool(prompt["mode"])
    text = text.strip()
    if not text.startswith("description "):
        text = comment.sub("", text)
    return text, indent, prompt is not None


def cut(lines: Sequence[str], syntax: StanzaSyntax) -> Sections:
    """Cut a configuration into stanzas.

    A line belongs to the stanza above where it is indented further than its head, where it cannot stand at the top
    level, or where it can stand in both and the stanza is written without indentation. A line that can stand in a
    stanza only, below another line of the top level, is an orphan of the last stanza of its kind.
    """
    return _Cutter(lines, syntax).cut()


def strip_prompts(lines: Sequence[str], syntax: StanzaSyntax) -> tuple[str, ...]:
    """Return *lines* as a configuration prints them: a typed line without its prompt, indented below the top level."""
    return tuple(_strip_prompt(raw, syntax) if "#" in raw else raw for raw in lines)


def _strip_prompt(raw: str, syntax: StanzaSyntax) -> str:
    line = syntax.line(raw, 0)
    return " " * line.indent + line.text if line.typed and not line.text.endswith("?") else raw


@lru_cache(maxsize=16384)
def _is_ordinary(syntax: StanzaSyntax, text: str) -> bool:
    """Return whether nothing about a text needs a closer look."""
    if not text or text[0] in "!#" or text in {"exit", "end", PAGER}:
        return False
    return syntax.banner.match(text) is None and syntax.always.match(text) is None


class _Cutter:
    def __init__(self, lines: Sequence[str], syntax: StanzaSyntax) -> None:
        self._raws, self._syntax = lines, syntax
        self._lines = syntax.all_lines(lines)
        self._states = [LineState.UNRECOGNISED] * len(lines)
        self._stanzas: list[Stanza] = []
        self._single: list[Stanza] = []
        self._current: Stanza | None = None
        self._depth = 0
        self._is_flat = False
        self._last: dict[str, Stanza] = {}
        self._echo = ""

    def cut(self) -> Sections:
        banner = ""
        in_help = False
        for index, line in enumerate(self._lines):
            if banner:
                self._states[index] = LineState.IGNORED
                banner = "" if banner in self._raws[index].strip() else banner
            elif self._current and not in_help and self._is_plainly_below(line):
                self._current.body.append(index)
            elif line.typed and line.text.endswith("?"):
                in_help, self._echo = True, line.text.removesuffix("?").strip()
                self._states[index] = LineState.IGNORED
            elif not line.text or line.text[0] in "!#" or line.text == PAGER or self._is_echo(line):
                self._states[index] = LineState.IGNORED
                in_help = in_help and bool(line.text)
            elif (in_help and not line.typed) or self._syntax.prompt.match(self._raws[index]):
                self._states[index] = LineState.IGNORED
            elif line.text in {"exit", "end"}:
                self._states[index] = LineState.IGNORED
                self._leave(line)
            elif opened := self._syntax.banner.match(line.text):
                self._states[index] = LineState.IGNORED
                banner = self._syntax.end_of_banner or ("" if opened["mark"] in opened["rest"] else opened["mark"])
            else:
                in_help = False
                self._place(line)
        return Sections(self._stanzas, self._single, self._states, self._lines)

    def _is_plainly_below(self, line: Line) -> bool:
        """Return whether an indented line goes on with the stanza above, as most lines do."""
        is_below = line.indent > self._depth and not line.typed
        return is_below and _is_ordinary(self._syntax, line.text) and "#" not in self._raws[line.index]

    def _is_echo(self, line: Line) -> bool:
        """Return whether a line is the one that the switch prints again below its help."""
        is_echo = line.typed and line.text == self._echo
        if line.typed:
            self._echo = ""
        return is_echo

    def _leave(self, line: Line) -> None:
        is_kept = self._current and self._current.kind in self._syntax.reopened and line.text == "exit"
        self._current = self._current if is_kept else None

    def _place(self, line: Line) -> None:
        kind = self._syntax.kind(line.text, self._current, self._raws, line.index)
        if self._current and self._belongs(line, kind):
            self._current.body.append(line.index)
            return
        orphan = None if kind else self._orphan_of(line)
        self._current, self._depth = Stanza(kind or "other", line.index), 0 if line.typed else line.indent
        if not kind:
            self._single.append(self._current)
        else:
            self._is_flat = self._starts_flat(kind, line)
            self._stanzas.append(self._current)
            self._last[kind] = self._current
        if orphan:
            orphan.orphans.append(line.index)

    def _belongs(self, line: Line, kind: str) -> bool:
        current = self._current
        if current is None or (kind and (line.typed or self._syntax.always.match(line.text))):
            return False
        if line.indent > self._depth:
            return True
        if kind or (line.typed and not line.indent):
            return False
        both = self._is_flat and self._syntax.both.get(current.kind, NEVER).match(line.text) is not None
        return both or self._syntax.belongs.get(current.kind, NEVER).match(line.text) is not None

    def _starts_flat(self, kind: str, head: Line) -> bool:
        """Return whether the stanza below *head* is written without indentation, by its first lines."""
        belongs, both = self._syntax.belongs.get(kind, NEVER), self._syntax.both.get(kind, NEVER)
        for index in range(head.index + 1, len(self._lines)):
            line = self._lines[index]
            if not line.text or line.text[0] in "!#" or line.indent > head.indent:
                return False
            if belongs.match(line.text):
                return True
            if not both.match(line.text):
                return False
        return False

    def _orphan_of(self, line: Line) -> Stanza | None:
        """Return the last stanza to which a line of the top level can belong, None if there is no such stanza."""
        if line.typed or line.indent:
            return None
        kinds = (kind for kind, belongs in self._syntax.belongs.items() if belongs.match(line.text))
        found = (self._last[kind] for kind in kinds if kind in self._last)
        return max(found, key=lambda stanza: stanza.head, default=None)
