"""Clues to a pattern, out of its source: the beginnings of the lines, or the words, that all its matches have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import TypeAlias

from auditor.grammar.clues import KEY, LENGTH, MARKS, Clues, sort_clues
from auditor.util.regex import regex
from auditor.util.values import dataclass

_MOST = 512
"""Beginnings of one pattern."""
_SHORTEST_WORD = 3
_MULTILINE, _IGNORECASE, _VERBOSE = re.MULTILINE.value, re.IGNORECASE.value, re.VERBOSE.value
_LOOSE = (re.DOTALL | re.VERBOSE).value
"""Flags as numbers: to join those of `re` takes longer than to read a short pattern."""
ESCAPE_OR_CLASS = r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]"
"""A part of a pattern that begins with a backslash, or a class of characters."""
_TOKEN = regex(rf"{ESCAPE_OR_CLASS}|\((?:\?(?:[:>]|P<\w+>|<?[=!]))?|.", re.DOTALL)
_NOT_PLAIN = regex(rf"{ESCAPE_OR_CLASS}|\(\?(?!:|>|P<\w+>|<?[=!])", re.DOTALL)
"""Parts that may match the end of a line, and the beginnings of groups whose meaning is not known here."""
_REPEAT = regex(r"(?:[*?+]|\{\d*(?:,\d*)?\})[+?]?")
_PLAIN = regex(r"\w[\w -]*+(?![*?+{])|\w[\w -]*(?=[\w -][*?+{])")
"""Characters that stand for themselves, each once."""
_BLANKS = frozenset({" ", r"\ ", r"\s", r"\t", r"[ \t]", r"[^\S\n]", r"[^\S\r\n]"})
_BETWEEN = frozenset({"$", r"\b", r"\B", r"\Z"})
_BEGINNINGS = frozenset({"^", r"\A", r"\n"})


_IN_LINE = frozenset("Sdwbt")
"""Letters of escapes that match within a line, or between its characters."""
_IN_CLASS = frozenset("Sdwtr")
_MEMBER = regex(r"\\.|.", re.DOTALL)
_SPAN = regex(r"\\[a-z]-.")


class _NoClueError(Exception):
    """The source of a pattern says nothing that all its matches hold."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """A part of a pattern: characters or a class as they are written, else a group with its alternatives.

    `literal` are the characters that the part stands for, empty for another part; `is_mark`: it ends a prompt.
    """

    text: str
    group: "tuple[_Atoms, ...] | None" = None
    is_optional: bool = False
    is_repeated: bool = False
    literal: str = ""
    is_mark: bool = False


_Atoms: TypeAlias = tuple[_Atom, ...]


def _find_literal(text: str) -> str:
    if len(text) == 1:
        return "" if text in ".^$" else text
    return text[1] if text[:1] == "\\" and not text[1].isalnum() else ""


def _is_mark(text: str) -> bool:
    inside = text[1:-1] if text[:1] == "[" else text.removeprefix("\\")
    return bool(inside) and not inside.strip(MARKS)


@lru_cache(maxsize=1024)
def _make_atom(text: str, repeat: str) -> _Atom:
    """Return the part that *text* is, with what stands behind it to repeat it."""
    is_optional, is_repeated = _read_repeat(repeat)
    return _Atom(text, None, is_optional, is_repeated, _find_literal(text), _is_mark(text))


def _read_repeat(repeat: str) -> tuple[bool, bool]:
    """Return whether a part may be missing, and whether it may stand more than once."""
    return repeat[:1] in {"*", "?"} or repeat.startswith(("{0", "{,")), repeat[:1] not in {"", "?"}


def find_clues(source: str, flags: int = 0) -> Clues | None:
    r"""Return the clues to the pattern of *source* and *flags*, None where it may match a text without any.

    >>> find_clues(r"^\s*(?:no )?qos map \S|\bWARNING: a")
    Clues(heads={'no ': ('no qos map ',), 'qos': ('qos map ',)}, short=(), words=frozenset({'WARNING: a'}))
    """
    heads: set[str] = set()
    words: set[str] = set()
    try:
        for alternative in chain.from_iterable(map(_spread, _parse(source, flags))):
            found = _walk(alternative, None)
            if "" in found:
                words |= _find_words(alternative)
            else:
                heads |= found
        if flags & _IGNORECASE:
            heads = _spell_both(heads, words)
    except _NoClueError:
        return None
    return sort_clues(heads, words)


def stays_in_line(source: str, flags: int) -> bool:
    r"""Return whether a match of the pattern of *source* and *flags* is in one line, whatever lines stand around it.

    False where that is not sure. Blanks up to the end of a line may as well end there.

    >>> stays_in_line(r"^a \d+\s*$", re.MULTILINE), stays_in_line(r"^[^\S\n]*[a-z]\b", re.MULTILINE)
    (True, True)
    >>> stays_in_line(r"a\s+b", re.MULTILINE), stays_in_line("[^a]b", re.MULTILINE)
    (False, False)
    """
    if flags & _LOOSE or not flags & _MULTILINE or "\n" in source:
        return False
    return all(map(_is_in_line, set(_NOT_PLAIN.findall(source.replace(r"\s*$", "$")))))


def _is_in_line(token: str) -> bool:
    """Return whether a part of a pattern matches no end of a line, and nothing that stands beyond one."""
    if token[0] == "\\":
        return not token[1].isalnum() or token[1] in _IN_LINE
    if token[0] == "(":
        return False
    members = _MEMBER.findall(token[1:-1].removeprefix("^"))
    if token.startswith("[^"):
        return r"\n" in members or r"\s" in members
    escapes = {member[1] for member in members if member[0] == "\\" and member[1].isalnum()}
    return escapes <= _IN_CLASS and _SPAN.search(token[1:-1]) is None


def _spell_both(heads: Iterable[str], words: Iterable[str]) -> set[str]:
    """Return the first characters of *heads* in capital and small letters; raises _NoClueError for other clues."""
    cut = {head[:KEY] for head in heads}
    if words or any(
        not head.isascii() or set("kis") & set(head.lower()) for head in cut
    ):  # the Kelvin sign is a k, too
        raise _NoClueError
    return {"".join(letters) for head in cut for letters in product(*({c.lower(), c.upper()} for c in head))}


def _spread(atoms: _Atoms) -> Iterator[_Atoms]:
    """Yield *atoms* with each alternative of the group that they end with."""
    last = atoms[-1] if atoms else None
    if last is None or last.group is None or last.is_optional or last.is_repeated:
        yield atoms
        return
    for alternative in last.group:
        yield from _spread((*atoms[:-1], *alternative))


def _parse(source: str, flags: int) -> tuple[_Atoms, ...]:
    if flags & _VERBOSE:
        raise _NoClueError
    alternatives, end = _parse_group(source, 0)
    if end != len(source):
        raise _NoClueError
    return alternatives


def _parse_group(source: str, at: int) -> tuple[tuple[_Atoms, ...], int]:
    """Return the alternatives of the group that begins at *at*, and where it ends."""
    alternatives: list[list[_Atom]] = [[]]
    while at < len(source) and source[at] != ")":
        plain = _PLAIN.match(source, at)
        if plain is not None:
            at = plain.end()
            alternatives[-1].append(_Atom(plain[0], literal=plain[0]))
            continue
        token = _TOKEN.match(source, at)
        if token is None or (token[0] == "(" and source.startswith("?", token.end())):
            raise _NoClueError  # a group whose meaning is not known here
        at = token.end()
        if token[0] == "|":
            alternatives.append([])
            continue
        group = None
        if token[0][0] == "(":
            group, at = _parse_group(source, at)
            at += 1
        repeat = _REPEAT.match(source, at)
        behind = "" if repeat is None else repeat[0]
        at += len(behind)
        if group is None:
            alternatives[-1].append(_make_atom(token[0], behind))
        elif token[0][-1:] not in {"=", "!"}:  # what is looked at is no part of the match
            alternatives[-1].append(_Atom("", group, *_read_repeat(behind)))
    return tuple(map(tuple, alternatives)), at


def _walk(atoms: _Atoms, begun: str | None) -> set[str]:
    """Return the beginnings of lines with *atoms*; an empty one says that a line may begin in any way.

    *begun* is what the line begins with before them, None where they stand within a line.
    """
    for number, atom in enumerate(atoms, 1):
        if atom.group is not None:
            return _walk_group(atom, atom.group, atoms[number:], begun)
        if atom.text in _BETWEEN:
            continue
        if begun and (not atom.literal or atom.is_mark):
            return {begun}
        after = _extend(atom, begun)
        if atom.is_optional and after != begun:
            rest = atoms[number:]
            return _walk(rest, begun) | _walk(() if atom.is_repeated and after else rest, after)
        begun = after
        if begun and (atom.is_repeated or len(begun) == LENGTH):
            return {begun}
    return {begun or ""}


def _walk_group(atom: _Atom, group: Sequence[_Atoms], rest: _Atoms, begun: str | None) -> set[str]:
    found = _walk(rest, begun) if atom.is_optional else set()
    behind = () if atom.is_repeated else rest
    for alternative in group:
        found |= _walk((*alternative, *behind), begun)
        if len(found) > _MOST:
            raise _NoClueError
    return found


def _extend(atom: _Atom, begun: str | None) -> str | None:
    """Return what a line begins with up to *atom*, which is no group, *begun* being what stands before it."""
    if begun:
        return (begun + atom.literal)[:LENGTH]
    if atom.text in _BEGINNINGS or atom.is_mark:
        return ""
    if begun is None or atom.text in _BLANKS:
        return begun
    return atom.literal[:LENGTH] or None


def _find_words(atoms: _Atoms) -> set[str]:
    """Return words one of which stands in each match of *atoms*: the longest ones; raises _NoClueError without any."""
    choices: list[set[str]] = []
    run = ""
    for atom in (*atoms, _Atom("")):
        if atom.literal and not (atom.is_repeated or atom.is_optional):
            run += atom.literal
            continue
        if len(run) >= _SHORTEST_WORD:
            choices.append({run})
        run = ""
        if atom.group and not atom.is_optional:
            try:
                choices.append(set().union(*map(_find_words, atom.group)))
            except _NoClueError:
                continue
    if not choices:
        raise _NoClueError
    return max(choices, key=lambda words: (min(map(len, words)), -len(words)))
