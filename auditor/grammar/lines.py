"""Lines of a configuration, as printed or as typed, each as it counts: text, indentation, prompt."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple

from auditor.grammar.prompts import FindSessions, SessionLine, find_no_prompts
from auditor.util.regex import regex
from auditor.util.values import dataclass

NEVER = regex(r"(?!)")
_LEAVE = regex(r"\s*(?:exit|end)\s*\Z")
WRAPPED = regex(
    r"\s*(?:(?:maximum|max)-threshold |(?:drop|max-mark)-probability \d|max(?:imum)?-mark-probability \d|"
    r"weight \d{1,2}(?:\s+ecn)?\s*\Z|(?:pause|resume)-threshold \d)"
)
"""Words that only go on with a statement of `_HEADS`, whose line a document wrapped."""
_HEADS = regex(r"\s*(?:random-detect|pause) ")
_REMARK = regex(
    r"(?<!\s)\s++(?:\u2190.*+|<-{1,2}+(?> .*+|)|\([a-z]++(?>(?: [A-Za-z-]++){2,})\))\s*+\Z",
    re.DOTALL,
)
"""What a document says of a line behind it: an arrow with words, or words in brackets."""
_FENCES = ("```", "~~~")
PAGER = "--More--"
MAX_BANNERS = 8
"""No configuration has so many. The limit keeps the search for their ends short."""


class Line(NamedTuple):
    """A line as it counts: its text without indentation, prompt and comment, how far it is indented, and its index.

    The text is empty without a statement. `ends` is the word that ends a stanza, empty for another line. `mode` is the
    configuration mode in which the line is typed, empty at the top level, None for a printed line; inside of a mode it
    counts as indented. `after` is the mode of the next prompt, None without one.
    """

    text: str
    indent: int
    index: int  # type: ignore[assignment]  # a position, not the method of tuples
    ends: str = ""
    mode: str | None = None
    after: str | None = None

    @property
    def typed(self) -> bool:
        """Return whether the line stands behind the prompt of a configuration mode."""
        return self.mode is not None

    @property
    def moves(self) -> bool:
        """Return whether the line, typed in a mode, leads to one that does not hold this mode."""
        if not self.mode or self.after is None or self.after == self.mode:
            return False
        return not self.after or not self.mode.startswith(f"{self.after}-")


_make_line: Callable[[tuple[str, int, int, str, str | None, str | None]], Line] = partial(tuple.__new__, Line)
"""Makes a line of all its parts: a dump has many."""


@dataclass(frozen=True, eq=False)
class LineSyntax:
    """The syntax of the lines of one operating system.

    `find_sessions` returns the lines behind prompts. `leave` matches a line, as it is indented, that ends a stanza.
    `silent` matches further lines without a statement, `comment` a comment behind a statement. A banner's opening line
    has the group `mark`, which ends it, and may have a group `rest`, unless `end_of_banner` ends all. `continued`
    matches a line that goes on with the statement above.
    """

    find_sessions: FindSessions = find_no_prompts
    leave: re.Pattern[str] = _LEAVE
    silent: re.Pattern[str] = NEVER
    comment: re.Pattern[str] = NEVER
    banner: re.Pattern[str] = NEVER
    end_of_banner: str = ""
    continued: re.Pattern[str] = NEVER

    def is_remark(self, text: str) -> bool:
        """Return whether a line of *text* holds no statement of any system: a comment, a fence, a sign of the pager."""
        return not text or text[0] in "!#" or text == PAGER or text.startswith(_FENCES)

    def is_session(self, lines: Sequence[str]) -> bool:
        """Return whether a line is typed in a configuration mode."""
        return any(said.mode is not None for said in self.find_sessions(lines).values())


def read_lines(raws: Sequence[str], syntax: LineSyntax) -> list[Line]:
    """Return all lines as they count; banners, help and what is typed at other prompts hold no statement."""
    sessions = syntax.find_sessions(raws)
    texts = list(raws)
    for index, said in sessions.items():
        texts[index] = said.text
    if syntax.continued is not NEVER:
        _join_wrapped(texts, sessions, syntax)
    known = {text: _measure(syntax, text) for text in set(texts)}
    measured = [known[text] for text in texts]
    lines = [
        _make_line((text, indent, index, ends, None, None)) for index, (text, indent, ends, _) in enumerate(measured)
    ]
    following = [said.mode for said in sessions.values()][1:]
    for (index, said), after in zip_longest(sessions.items(), following):
        text, _, ends, _ = measured[index]
        if said.mode is None or said.text.endswith("?"):
            lines[index] = Line("", 0, index, "end" if said.mode is None else "")
        else:
            lines[index] = Line(text, 2 * bool(said.mode), index, "" if ends[:1] in "#!" else ends, said.mode, after)
    opens_banner = any(mark for *_, mark in known.values())
    banners = {index: mark for index, (*_, mark) in enumerate(measured) if mark} if opens_banner else {}
    for index in (*_find_banners(raws, banners), *_find_help(raws, sessions)):
        lines[index] = Line("", 0, index)
    return lines


def _join_wrapped(texts: list[str], sessions: Mapping[int, SessionLine], syntax: LineSyntax) -> None:
    """Move each printed line that goes on with a statement to the end of the line that begins it.

    What a document says behind one of these lines, or on a line between them, ends no statement.
    """
    parts: dict[int, list[str]] = {}
    heads: dict[int, int] = {}
    continued = {text for text in set(texts) if syntax.continued.match(text)}
    for index in [index for index, text in enumerate(texts) if text in continued] if continued else ():
        head = -1 if index in sessions else _find_head(texts, index, heads, syntax)
        if head >= 0 and _HEADS.match(texts[head]):
            first = texts[head]
            begin = [first[: len(first) - len(first.lstrip())] + _strip_remark(syntax, first.strip())]
            parts.setdefault(head, begin).append(_strip_remark(syntax, texts[index].strip()))
            heads[index] = head
    for index in heads:
        texts[index] = ""
    for start, words in parts.items():
        texts[start] = " ".join(words)


def _find_head(texts: Sequence[str], index: int, heads: Mapping[int, int], syntax: LineSyntax) -> int:
    """Return the line with the statement above *index*, -1 without one; *heads* are those of lines that go on."""
    for above in range(index - 1, -1, -1):
        if above in heads:
            return heads[above]
        text = texts[above].strip()
        if text and not syntax.is_remark(text):
            return above
    return -1


def _strip_remark(syntax: LineSyntax, text: str) -> str:
    """Return *text*, which has no space at its ends, without what is said of it behind it."""
    return text if text.startswith("description ") else _REMARK.sub("", syntax.comment.sub("", text))


@lru_cache(maxsize=16384)
def _measure(syntax: LineSyntax, raw: str) -> tuple[str, int, str, str]:
    """Return the text of a line, its indentation, the word that ends a stanza, and the end of the banner it opens."""
    text = raw.strip()
    indent = len(raw) - len(raw.lstrip())
    if syntax.leave.match(raw):
        return "", indent, text, ""
    text = _strip_remark(syntax, text)
    if syntax.is_remark(text) or syntax.silent.match(text):
        return "", indent, "", ""
    banner = syntax.banner.match(text)
    if banner is None:
        return text, indent, "", ""
    mark = syntax.end_of_banner or banner["mark"]
    is_closed = mark in (banner.groupdict().get("rest") or "")
    return ("", indent, "", "") if is_closed else (text, indent, "", mark)


def _find_banners(raws: Sequence[str], heads: Mapping[int, str]) -> frozenset[int]:
    """Return the lines of banners: they may hold anything. One whose end is missing is a line like others."""
    hidden: set[int] = set()
    for start in sorted(heads)[:MAX_BANNERS]:
        last = next((n for n in range(start + 1, len(raws)) if heads[start] in raws[n]), None)
        if start not in hidden and last is not None:
            hidden.update(range(start, last + 1))
    return frozenset(hidden)


def _find_help(raws: Sequence[str], sessions: Mapping[int, SessionLine]) -> Iterable[int]:
    """Yield the lines that a switch prints as help, up to a blank one, and the command that it prints again."""
    asked = ""
    for index, said in sessions.items():
        if asked and said.text == asked:
            yield index
        asked = said.text.removesuffix("?").strip() if said.text.endswith("?") else ""
        after = index + 1
        while said.text.endswith("?") and after < len(raws) and after not in sessions and raws[after].strip():
            yield after
            after += 1
