"""Curly blocks, `set /` lines and lines behind prompts, read into one tree."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar.show import command_text
from auditor.model.dump import Capture, Doubt
from auditor.systems.srlinux.document import read_document
from auditor.systems.srlinux.tree import MAX_DEPTH, Tree
from auditor.util.redact import redact
from auditor.util.regex import regex

TOP = frozenset(
    [
        "acl",
        "bfd",
        "interface",
        "management",
        "netconf-server",
        "network-instance",
        "oam",
        "platform",
        "qos",
        "routing-policy",
        "system",
        "tunnel",
        "tunnel-interface",
        "tls",
    ]
)
"""Words at the top of the tree."""
_TOKEN = regex(r'"(?>(?:[^"\\]|\\.)*)"?|[{}\[\]]|[^\s{}\[\]"]+')
_PROMPT = regex(r"[AB]:(?:[\w.-]{1,64}@)?[\w.-]{1,64}#(?P<text>.*)")
_PLACE = regex(r"--\{[^}]{0,80}\}--\[(?P<place>.*?)\]--\s*\Z")
_FLAT = regex(r"(?P<verb>set|delete|)\s*/\s*(?P<path>[a-z].*)")
_RELATIVE = regex(r"(?P<verb>set|delete)\s+(?P<path>[a-z].*)")
_ACTS = frozenset(
    {"back", "bash", "commit", "diff", "discard", "enter", "environment", "exit", "file", "filter", "help", "history"}
    | {"info", "list", "load", "monitor", "ping", "pwc", "quit", "replace", "save", "show", "source", "tools", "top"}
    | {"traceroute", "tree"}
)
"""Commands that set nothing."""
_INFO = regex(r"info(?:\s+(?:from\s+\S+|flat|detail|depth\s+\d+))*(?P<place>[^|]*)")


def read(tree: Tree, capture: Capture, place: Sequence[str] = ()) -> list[Doubt]:
    """Read a capture in any syntax into *tree*; return the doubts about it.

    *place* is where in the tree the prompt of its command stands.
    """
    first = next((line.strip() for line in capture.lines if line.strip()), "")
    if first[:1] in {"{", "["}:
        return read_document(tree, capture)
    reader = _Reader(tree, capture, place)
    for line in capture.lines:
        reader.read(line.strip())
    return reader.finish()


def find_places(captures: Sequence[Capture]) -> Mapping[int, Sequence[str]]:
    """Return the place in the tree of the prompt of each command, by the identity of its capture.

    The line above a prompt names the place; where a file is cut into captures, that line is in another capture.
    """
    named = {
        (each.file, each.first_line + index): place["place"].split()
        for each in captures
        for index, line in enumerate(each.lines)
        if (place := _PLACE.match(line.strip()))
    }
    above = {id(each): (each.file, each.first_line - 2) for each in captures if not _is_absolute(each.command)}
    return {each: named[line] for each, line in above.items() if line in named}


def _is_absolute(command: str) -> bool:
    return any(word.startswith("/") for word in command.split())


def is_session(capture: Capture) -> bool:
    """Return whether lines of *capture* stand behind prompts."""
    return any(_PROMPT.match(line.strip()) for line in capture.lines if "#" in line)


def find_base(command: str) -> tuple[str, ...]:
    """Return the place in the tree that a command prints; empty for the whole tree.

    >>> find_base("info from state qos interfaces | as json"), find_base("info flat")
    (('qos', 'interfaces'), ())
    """
    match = _INFO.match(command.replace("_", " "))
    words = match["place"].replace("/", " / ").split() if match else []
    joined = match["place"].split() if match else []
    return tuple(word for word in joined if word != "/") if words else ()


class _Reader:
    """A reader of the lines of one capture."""

    def __init__(self, tree: Tree, capture: Capture, place: Sequence[str]) -> None:
        self._tree = tree
        self._capture = capture
        self._line = tree.begin(capture) - 1
        self._here: list[str] = []
        self._blocks: list[int] = []
        self._values: list[str] | None = None
        self._quote = False
        self._base = find_base(command_text(capture))
        self._place = list(place)
        self._deepest = 0

    def read(self, line: str) -> None:
        """Read one line."""
        self._line += 1
        if self._quote:
            self._quote = not _closes(line)
            return
        if not line or line[0] == "#":
            return
        if place := _PLACE.match(line):
            self._go(place["place"])
        elif prompt := _PROMPT.match(line):
            self._type(prompt["text"].strip())
        elif not self._blocks and self._values is None and (flat := _FLAT.match(line)):
            self._set(flat["verb"], [], flat["path"], moves=not flat["verb"])
        elif not self._blocks and self._values is None and (said := _RELATIVE.match(line)):
            self._set(said["verb"], self._context(), said["path"])
        else:
            self._read_tokens(line)

    def _context(self) -> list[str]:
        return list(self._here)

    def _go(self, place: str) -> None:
        """Move to the place that a prompt names."""
        self._blocks, self._values = [], None
        self._place = place.split()
        self._here = list(self._place)

    def _type(self, text: str) -> None:
        """Read what stands behind a prompt."""
        self._blocks, self._values = [], None
        word = text.partition(" ")[0]
        if not text or word in _ACTS:
            self._base = find_base(text) if word == "info" else ()
            self._place = [] if _is_absolute(text) else self._place
        elif flat := _FLAT.match(text):
            self._set(flat["verb"], [], flat["path"], moves=not flat["verb"])
        elif said := _RELATIVE.match(text):
            self._set(said["verb"], self._here, said["path"])
        elif self._here or word in TOP:
            self._set("", self._here, text, moves=True)

    def _set(self, verb: str, base: Sequence[str], text: str, *, moves: bool = False) -> None:
        words = [_unquote(token) for token in _TOKEN.findall(text)]
        self._quote = text.count('"') % 2 == 1
        if "[" in words:
            start = words.index("[")
            paths = [[*base, *words[:start], value] for value in words[start + 1 :] if value not in "[]"]
        else:
            paths = [[*base, *words]]
        for path in paths:
            if verb == "delete":
                self._tree.delete(path, self._line)
            elif path:
                self._tree.add(path, self._line)
        if moves and paths:
            self._here = paths[0]

    def _read_tokens(self, line: str) -> None:
        tokens = _TOKEN.findall(line)
        self._quote = bool(tokens) and tokens[-1][0] == '"' and (len(tokens[-1]) == 1 or not tokens[-1].endswith('"'))
        if not self._blocks and self._values is None and not self._begins(tokens):
            return
        words: list[str] = []
        for token in tokens:
            if token == "{":  # noqa: S105  a token of a grammar
                self._open(words)
                words = []
            elif token == "}":  # noqa: S105  a token of a grammar
                self._end(words)
                words = []
                self._close()
            elif token == "[":  # noqa: S105  a token of a grammar
                self._tree.mark([*self._here, *words], self._line)
                self._values, words = [*words], []
            elif token == "]":  # noqa: S105  a token of a grammar
                self._add_values(words)
                self._values, words = None, []
            else:
                words.append(_unquote(token))
        if self._values is not None:
            self._add_values(words)
        else:
            self._end(words)

    def _begins(self, tokens: Sequence[str]) -> bool:
        """Return whether a line outside of blocks is one of the tree; sets the place that the command printed."""
        if tokens[0] in _ACTS:
            return False
        if self._place and _WORD.fullmatch(tokens[0]):
            self._here = list(self._place)
            return True
        if tokens[0] in TOP:
            self._here = []
            return True
        if self._base and _WORD.fullmatch(tokens[0]):
            self._here = list(self._base)
            return True
        return bool(self._here and _WORD.fullmatch(tokens[0]))

    def _open(self, words: list[str]) -> None:
        self._blocks.append(len(words))
        self._here += words
        self._deepest = max(self._deepest, len(self._here))
        if words and len(self._here) <= MAX_DEPTH:
            self._tree.add(self._here, self._line)

    def _close(self) -> None:
        count = self._blocks.pop() if self._blocks else 0
        if count:
            del self._here[-count:]

    def _end(self, words: list[str]) -> None:
        if words and len(self._here) + len(words) <= MAX_DEPTH:
            self._tree.add([*self._here, *words], self._line)

    def _add_values(self, words: Sequence[str]) -> None:
        for word in words:
            self._end([*(self._values or ()), word])

    def finish(self) -> list[Doubt]:
        """Return the doubts: blocks that the dump does not close, or that are deeper than any real one."""
        if not self._capture.lines:
            return []
        why = ""
        if self._blocks:
            why = f"the dump ends before the end of {len(self._blocks)} blocks"
        if self._deepest > MAX_DEPTH:
            why = f"blocks are nested deeper than {MAX_DEPTH} words"
        index = len(self._capture.lines) - 1
        text = redact(self._capture.lines[index].strip())[:200]
        return [Doubt(self._capture.where(index), text, why, fatal=True)] if why else []


_WORD = regex(r"[a-z][\w-]{0,63}")


def _closes(line: str) -> bool:
    """Return whether a line ends the quoted text that began above it."""
    return re.search(r'(?<!\\)"', line) is not None


def _unquote(token: str) -> str:
    return token.strip('"') if token[:1] == '"' else token
