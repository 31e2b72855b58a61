"""NVUE configuration files: `startup.yaml` and `nv config show` in YAML or JSON, as statements with line and pointer.

JSON is read as the YAML that it is. Scalars stay text: `on` is not a boolean. Values before an error are kept.
Aliases are refused, because a few of them could unfold without end; depth is bounded.
"""

from collections.abc import Iterator
from dataclasses import field, replace

import yaml

from auditor.grammar import yamltext
from auditor.model.dump import Capture, Doubt, LineState
from auditor.model.setting import Where
from auditor.systems.cumulus.nvset import is_own
from auditor.systems.cumulus.objects import NvueStatement, Proof
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass

_VERBS = {"set", "unset"}
_HEADER = "header"
_NOTHING = {"", "null", "~"}
_EMPTY = regex(r"\s*+(?:#.*|---|\.\.\.|[\[\]{},][\s\[\]{},]*)?")


@dataclass(slots=True)
class NvueDocument:
    """The statements of a file, its header (`version`, `model` …), and its unreadable lines.

    `named` are the interfaces whose own key is already a statement.
    """

    statements: list[NvueStatement] = field(default_factory=list)
    header: dict[str, NvueStatement] = field(default_factory=dict)
    named: set[tuple[str, ...]] = field(default_factory=set)
    doubts: list[Doubt] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A value or an empty object: the keys that lead to it, its pointer and the indices of their lines."""

    words: tuple[str, ...]
    pointer: str
    lines: tuple[int, ...]


@dataclass(slots=True)
class _Level:
    """An open mapping or list: the key of the next value, or its number in a list.

    `lines` are those of the enclosing keys.
    """

    is_map: bool
    words: tuple[str, ...]
    pointer: str
    lines: tuple[int, ...]
    key: str | None = None
    key_line: int = 0
    count: int = 0
    is_empty: bool = True


def read(capture: Capture, states: list[LineState]) -> NvueDocument:
    """Return the document of the file; mark the lines without a value in *states*."""
    document = NvueDocument()
    for index, line in enumerate(capture.lines):
        if _EMPTY.fullmatch(line):
            states[index] = LineState.IGNORED
    try:
        for leaf in _leaves(capture, document.doubts):
            _keep(capture, document, leaf, states)
    except (yaml.YAMLError, ValueError) as error:
        document.doubts.append(yamltext.doubt_of(capture, error, "an NVUE configuration"))
    return document


def _leaves(capture: Capture, doubts: list[Doubt]) -> Iterator[_Leaf]:
    """Yield the values of the document in the order of writing."""
    levels: list[_Level] = []
    for line, event in yamltext.events(capture):
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(levels) >= yamltext.MAX_DEPTH:
                raise ValueError(f"nested deeper than {yamltext.MAX_DEPTH} levels")
            levels.append(_inner(levels, is_map=isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            closed = levels.pop()
            if closed.is_empty and closed.words:
                yield _Leaf(closed.words, closed.pointer, closed.lines)
            if levels:
                levels[-1].key = None
        elif isinstance(event, yaml.ScalarEvent) and levels:
            yield from _scalar(levels[-1], event.value, line)
        elif isinstance(event, yaml.AliasEvent) and levels:
            doubts.append(Doubt(capture.where(line), redact(capture.lines[line].strip())[:80], "aliases are not read"))
            levels[-1].key = None
            levels[-1].is_empty = False


def _inner(levels: list[_Level], *, is_map: bool) -> _Level:
    if not levels:
        return _Level(is_map, (), "", ())
    holder = levels[-1]
    holder.is_empty = False
    if holder.is_map:
        key = holder.key or ""
        pointer = f"{holder.pointer}/{_escape(key)}"
        return _Level(is_map, (*holder.words, key), pointer, (*holder.lines, holder.key_line))
    pointer = f"{holder.pointer}/{holder.count}"
    holder.count += 1
    return _Level(is_map, holder.words, pointer, holder.lines)


def _scalar(level: _Level, text: str, line: int) -> Iterator[_Leaf]:
    level.is_empty = False
    if level.is_map and level.key is None:
        level.key, level.key_line = text, line
        return
    if level.is_map:
        words, pointer = (*level.words, level.key or ""), f"{level.pointer}/{_escape(level.key or '')}"
        lines = (*level.lines, level.key_line, line)
        level.key = None
    else:
        words, pointer, lines = level.words, f"{level.pointer}/{level.count}", (*level.lines, line)
        level.count += 1
    yield _Leaf(words if text in _NOTHING else (*words, text), pointer, lines)


def _keep(capture: Capture, document: NvueDocument, leaf: _Leaf, states: list[LineState]) -> None:
    """Keep a value under its verb; a file without verbs contains set values."""
    words, verb = leaf.words, "set"
    if words and words[0] in _VERBS:
        verb, words = words[0], words[1:]
    where = Where(capture.file, capture.first_line + leaf.lines[-1], pointer=leaf.pointer)
    if words and words[0] == _HEADER:
        for line in leaf.lines:
            states[line] = LineState.IGNORED
        document.header[words[1] if len(words) > 1 else ""] = NvueStatement(words, Proof(where), lines=leaf.lines)
    elif words:
        proof = Proof(where, is_own=is_own(words))
        if verb == "set":
            _name(document, words, leaf, replace(proof, where=capture.where(leaf.lines[-1])))
        document.statements.append(NvueStatement(words, proof, verb == "unset", leaf.lines))


def _name(document: NvueDocument, words: tuple[str, ...], leaf: _Leaf, proof: Proof) -> None:
    """Make the key of an interface a statement, so that a port has its first line."""
    if words[0] != "interface" or len(words) < 3 or words[:2] in document.named:  # noqa: PLR2004  `interface NAME …`
        return
    document.named.add(words[:2])
    steps = leaf.pointer.split("/")
    depth = steps.index("interface") + 2 if "interface" in steps else len(steps)
    lines = leaf.lines[: len(leaf.lines) - (len(words) - 2)]
    where = replace(proof.where, line=proof.where.line - leaf.lines[-1] + lines[-1], pointer="/".join(steps[:depth]))
    document.statements.append(NvueStatement(words[:2], replace(proof, where=where), lines=lines))


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
