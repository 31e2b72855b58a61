"""A configuration file with lines worked into it: where its author would write what is typed on a device."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import field
from difflib import SequenceMatcher

from auditor.grammar.entry import measure_depths
from auditor.util.regex import regex
from auditor.util.values import dataclass

MOST_COMPARED = 400
"""Lines between the first and the last change of a document that are compared one by one."""
_TAKES_BACK = regex(r"(?:no|undo) +(?P<rest>.+)|(?P<verb>delete|nv unset) +(?P<path>.+)")
_SETS = {"delete": "set", "nv unset": "nv set"}
_NUMBER = regex(r"\d+")
_ENDS = ("end", "return", "commit")
_INDENTS = (4, 2, 1, 3, 8, "\t")


@dataclass(frozen=True, slots=True)
class Edit:
    """New `lines` in place of `count` lines from number `line` on; with a count of 0 they stand before that line."""

    line: int
    count: int
    lines: tuple[str, ...] = ()


def apply_edits(lines: Sequence[str], edits: Sequence[Edit]) -> tuple[str, ...]:
    """Return *lines* with *edits*, which do not overlap, in them.

    >>> apply_edits(["a", "b", "c"], [Edit(1, 0, ("x",)), Edit(2, 1), Edit(4, 0, ("y",))])
    ('x', 'a', 'c', 'y')
    """
    edited = list(lines)
    for edit in sorted(edits, key=lambda each: (each.line, each.count), reverse=True):
        edited[edit.line - 1 : edit.line - 1 + edit.count] = edit.lines
    return tuple(edited)


@dataclass(slots=True)
class _Node:
    """A line of a configuration, from its index on to the one behind what is indented below it."""

    index: int
    depth: int
    text: str
    indent: str
    end: int
    below: list["_Node"] = field(default_factory=list)

    def find(self, text: str) -> "_Node | None":
        """Return the last line of these words right below this one."""
        return next((node for node in reversed(self.below) if node.text == text), None)


def edit_configuration(lines: Sequence[str], typed: Sequence[str], *, is_replacing: bool) -> tuple[Edit, ...]:
    """Return what makes of the *lines* of a configuration what *typed* lines make of the device.

    A line that is taken back goes, a new one stands at the end of its block. With *is_replacing*, it stands in the
    place of the one line of its block that differs from it in a value alone. Whether a system reads the result as it
    takes the typed lines is for an audit to say.

    >>> lines = ["interface 1", "  mtu 1500", "  shutdown", "interface 2"]
    >>> edit_configuration(lines, ["interface 1", "  mtu 9216", "  no shutdown"], is_replacing=True)
    (Edit(line=2, count=1, lines=('  mtu 9216',)), Edit(line=3, count=1, lines=()))
    >>> edit_configuration(lines, ["vlan 5", "  name x"], is_replacing=True)
    (Edit(line=5, count=0, lines=('vlan 5', '  name x')),)
    """
    draft = _Draft(lines, is_replacing=is_replacing)
    for block in _grow(typed).below:
        draft.work_in(draft.root, block)
    return draft.list_edits()


def edit_document(before: Sequence[str], after: object) -> tuple[Edit, ...] | None:
    """Return what makes of a document in JSON the document *after*; None where its lines are not laid out evenly.

    >>> edit_document(['{', '  "A": 1,', '  "B": 2', '}'], {"A": 1, "B": 3})
    (Edit(line=3, count=1, lines=('  "B": 3',)),)
    """
    text = "\n".join(before).rstrip()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    indent = next((each for each in _INDENTS if json.dumps(found, indent=each) == text), None)
    return None if indent is None else _compare(text.split("\n"), json.dumps(after, indent=indent).split("\n"))


def _compare(old: Sequence[str], new: Sequence[str]) -> tuple[Edit, ...]:
    begun, ended = 0, 0
    while begun < min(len(old), len(new)) and old[begun] == new[begun]:
        begun += 1
    while ended < min(len(old), len(new)) - begun and old[-1 - ended] == new[-1 - ended]:
        ended += 1
    left, right = old[begun : len(old) - ended], new[begun : len(new) - ended]
    if max(len(left), len(right)) > MOST_COMPARED:
        return (Edit(begun + 1, len(left), tuple(right)),)
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return tuple(
        Edit(begun + i1 + 1, i2 - i1, tuple(right[j1:j2])) for kind, i1, i2, j1, j2 in codes if kind != "equal"
    )


def _grow(lines: Sequence[str]) -> _Node:
    """Return the tree of indented *lines*; comments belong to the block in which they stand, and are no lines of it."""
    numbers = [number for number, line in enumerate(lines) if line.strip() and line.strip()[0] not in "!#"]
    root = _Node(-1, -1, "", "", len(lines))
    open_ones = [root]
    for number, (depth, text) in zip(numbers, measure_depths([lines[number] for number in numbers]), strict=True):
        del open_ones[depth + 1 :]
        line = lines[number]
        node = _Node(number, depth, text, line[: len(line) - len(line.lstrip())], number + 1)
        for each in open_ones[1:]:
            each.end = number + 1
        open_ones[-1].below.append(node)
        open_ones.append(node)
    return root


class _Draft:
    """The lines of a configuration, and what becomes of them."""

    def __init__(self, lines: Sequence[str], *, is_replacing: bool) -> None:
        self.root = _grow(lines)
        self._is_replacing = is_replacing
        self._unit = next((node.indent for head in self.root.below for node in head.below if node.indent), "  ")
        self._replaced: dict[int, tuple[int, tuple[str, ...]]] = {}
        self._added: dict[int, list[str]] = {}
        last = self.root.below[-1] if self.root.below else None
        self._end = last.index if last and last.text in _ENDS else len(lines)

    def list_edits(self) -> tuple[Edit, ...]:
        """Return the edits in the order of their lines."""
        edits = [Edit(index + 1, count, lines) for index, (count, lines) in self._replaced.items()]
        edits += [Edit(index + 1, 0, tuple(lines)) for index, lines in self._added.items()]
        return tuple(sorted(edits, key=lambda each: (each.line, each.count)))

    def work_in(self, parent: _Node, block: _Node) -> None:
        """Work a typed *block* into the lines below *parent*."""
        own = parent.find(block.text)
        if block.below and own:
            for each in block.below:
                self.work_in(own, each)
        elif block.below:
            self._add(parent, block)
        elif own is None:
            self._work_line_in(parent, block)

    def _work_line_in(self, parent: _Node, typed: _Node) -> None:
        taken = list(_list_taken_back(parent, typed.text))
        opposite = parent.find(f"no {typed.text}") or parent.find(f"undo {typed.text}")
        if taken:
            for node in taken:
                self._replaced[node.index] = (node.end - node.index, ())
        elif opposite:
            self._replaced[opposite.index] = (1, (f"{opposite.indent}{typed.text}",))
        elif self._is_replacing and (alike := _find_alike(parent, typed.text)):
            self._replaced[alike.index] = (1, (f"{alike.indent}{typed.text}",))
        else:
            self._add(parent, typed)

    def _add(self, parent: _Node, block: _Node) -> None:
        """Write a *block* at the end of *parent*."""
        at = parent.end if parent.index >= 0 else self._end
        inner = f"{parent.indent}{self._unit}" if parent.index >= 0 else ""
        indent = parent.below[-1].indent if parent.below else inner
        self._added.setdefault(at, []).extend(self._write(block, indent))

    def _write(self, block: _Node, indent: str) -> Iterator[str]:
        yield f"{indent}{block.text}"
        for each in block.below:
            yield from self._write(each, f"{indent}{self._unit}")


def _list_taken_back(parent: _Node, text: str) -> Iterator[_Node]:
    """Yield the lines that a typed line takes back."""
    match = _TAKES_BACK.fullmatch(text)
    if match is None:
        return
    aim = match["rest"] or f"{_SETS[match['verb']]} {match['path']}"
    yield from (node for node in parent.below if node.text == aim or node.text.startswith(f"{aim} "))


def _find_alike(parent: _Node, text: str) -> _Node | None:
    """Return the one line of *parent*, without lines below it, that stands for the same as *text*, but for a value.

    It differs in numbers alone, else in the last word, else the longer one of them goes on where the other ends.
    """
    head, masked = text.rpartition(" ")[0], _NUMBER.sub("#", text)
    lines = [node for node in parent.below if not node.below]
    by_numbers = [node for node in lines if _NUMBER.sub("#", node.text) == masked]
    by_head = [node for node in lines if head and node.text.rpartition(" ")[0] == head]
    by_start = [n for n in lines if n.text.startswith(f"{text} ") or text.startswith(f"{n.text} ")]
    found = by_numbers or by_head or by_start
    return found[0] if len(found) == 1 else None
