"""Configuration text to statements: blocks in braces, and commands (`set`, `delete` …)."""

from collections.abc import Iterator, Sequence

from auditor.model.dump import LineState
from auditor.systems.junos.siblings import holds_one_value, split_path
from auditor.systems.junos.statements import Hierarchy, keeps
from auditor.systems.junos.tree import MAX_DEPTH
from auditor.util.regex import regex

PATH_WORDS = 7
"""The first words of a statement that decide the state of its line, with a group and its name."""
_TOKEN = regex(
    r'"(?>(?:[^"\\]++|\\.)*)"?|/\*|[{};\[\]]|'
    r'[^\s{};\[\]"]++(?:(?<=[/<*:\d-])\[[\w-]{1,32}\][^\s{};\[\]"]*+)*'
)
"""A string, a sign, or a word, which may contain brackets as in `<et-0/0/[0-3]>`."""
_SPECIAL = regex(r'["\[\]{};#]|/\*')
"""The signs that make a line more than words and a sign at its end."""
TYPED = regex(
    r"(?:set|delete|deactivate|activate|protect|unprotect|edit|top|up|exit|insert|annotate|rename|copy|wildcard|commit|"
    r"rollback|load (?:factory-default|merge|override|patch|replace|set|update))\b"
    r"(?!.*\{$)"
)
_PROMPT = regex(r"\s*[\w.-]{1,64}@[\w.-]{1,64}[#>%]\s*")
_BANNER = regex(r"\{(?:master|backup|linecard|primary|secondary)[^}]{0,20}\}\Z|\[edit(?P<path>[^\]]{0,200})\]\Z")
_APPLIED = regex(r"(?:set )?apply-groups ")
"""A group applied at the top."""
_NOT_FOLLOWED = frozenset({"rename", "copy", "wildcard"})
_FROM_ELSEWHERE = frozenset({"rollback", "load"})
"""Commands that bring in a configuration outside the dump: an earlier one, or a file
(https://juniper.net/documentation/en_US/junos13.2/topics/reference/command-summary/load.html)."""
_FLAGS = frozenset({"inactive:", "protect:", "active:", "replace:", "delete:"})
_NONE: frozenset[str] = frozenset()
_NOT_READ = "not read: the values that `{}` changes stay as they were before"
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} words, expected a configuration of Junos"


_SESSION = regex(
    r"\s*(?:[\w.-]{1,64}@[\w.-]{1,64}# ?(?:set|delete|activate|deactivate|edit|replace)|delete|activate) \S"
)
"""A command at the prompt of the configuration mode, or a command that no printed configuration has."""


def is_session(lines: Sequence[str]) -> bool:
    """Return whether *lines* contain typed changes; `display set` prints only `set` and `deactivate`."""
    return any(_SESSION.match(line) for line in lines)


def read(written: Hierarchy, start: int, lines: Sequence[str], base: Sequence[str]) -> None:
    """Read *lines* into the tree; *start* is the index of the first line.

    *base* is the place in the hierarchy where a printed part begins; commands begin at the top, or where `edit` moved.
    """
    written.states.extend([LineState.IGNORED] * len(lines))
    shown, typed = _BlockParser(written, base), _CommandParser(written)
    for index, raw in enumerate(lines, start):
        line = raw.strip()
        if not line:
            continue
        if shown.is_at_top:
            if line[0] == "#" and shown.is_between_statements:
                continue
            banner = _BANNER.match(line)
            if banner:
                shown.forget()
                if banner["path"] is not None:
                    typed.go(banner["path"].split())
                    shown.go(banner["path"].split() or base)
                continue
            prompt = _PROMPT.match(line) if "@" in line else None
            line = line[prompt.end() :] if prompt else line
            if prompt or TYPED.match(line):
                shown.forget()
                if TYPED.match(line):
                    typed.read(index, line)
                continue
        shown.read(index, line)
    written.nests_groups |= any("apply-groups" in line and not _APPLIED.match(line) for line in lines)
    shown.finish(start + len(lines) - 1)


class _CommandParser:
    """A parser of commands such as `set`, one line each."""

    def __init__(self, written: Hierarchy) -> None:
        self._written = written
        self._here: list[str] = []

    def go(self, path: Sequence[str]) -> None:
        """Move to a place in the hierarchy."""
        self._here = list(path)

    def read(self, index: int, line: str) -> None:
        """Read one line."""
        words, values = _words(line)
        verb, path = words[0], words[1:]
        if len(self._here) + len(path) > MAX_DEPTH:
            self._written.doubt(index, _TOO_DEEP, fatal=[*self._here, *path][:1] == ["class-of-service"])
        elif verb == "edit":
            self._here += path
        elif verb == "top":
            self._here = []
            if path:
                self.read(index, line.partition(" ")[2])
        elif verb in {"up", "exit"}:
            count = int(path[0]) if path and path[0].isdecimal() and len(path[0]) < 3 else 1  # noqa: PLR2004
            self._here = self._here[: max(0, len(self._here) - count)]
        elif verb in _FROM_ELSEWHERE:
            self._written.settled[index] = LineState.NOT_MODELLED
            self._written.doubt(index, _NOT_READ.format(verb), understood=True)
        elif path or self._here:
            self._apply(index, verb, [*self._here, *path], values)

    def _apply(self, index: int, verb: str, path: list[str], values: list[str]) -> None:
        written = self._written
        written.paths[index] = tuple(path[:PATH_WORDS])
        if verb in _NOT_FOLLOWED and keeps(path):
            written.settled[index] = LineState.NOT_MODELLED
            written.doubt(index, f"`{verb}` is not followed: its statements keep their values from before")
            return
        for each in [[*path, value] for value in values] if values else [path]:
            if verb == "set":
                for statement in split_path(each):
                    written.add(statement, (index,))
                continue
            found = written.find(each)
            written.settled[index] = LineState.MODELLED if found else LineState.IGNORED
            if found and verb in {"deactivate", "activate"}:
                found.inactive, found.off = verb == "deactivate", index
            elif verb == "delete":
                written.delete(each, index)


def _words(line: str) -> tuple[list[str], list[str]]:
    """Return the words of a command, and the words in its brackets."""
    words: list[str] = []
    values: list[str] = []
    into = words
    for token in _TOKEN.findall(line):
        if token in _BRACKETS:
            into = values if token == "[" else words  # noqa: S105  a token of a grammar
        elif token not in _BRACES:
            into.append(_unquote(token))
    return words, values


_BRACKETS, _BRACES = frozenset("[]"), frozenset("{};")


class _BlockParser:
    """A parser of blocks in braces, token by token."""

    def __init__(self, written: Hierarchy, base: Sequence[str]) -> None:
        self._written = written
        self._here: list[str] = list(base)
        self._blocks: list[int] = []
        self._words: list[str] = []
        self._began = 0
        self._values: list[tuple[str, int]] | None = None
        self._comment = False
        self._keeps = True

    @property
    def is_between_statements(self) -> bool:
        """Whether no block, statement or comment is open."""
        return not (self._blocks or self._words or self._comment)

    @property
    def is_at_top(self) -> bool:
        """Whether no block and no comment is open, so that a command or its output may follow."""
        return not (self._blocks or self._comment)

    def forget(self) -> None:
        """Drop the words of a line without a sign at its end: a message, not a statement."""
        self._words, self._values = [], None

    def go(self, path: Sequence[str]) -> None:
        """Move to a place in the hierarchy."""
        self._here = list(path)
        self._keeps = not self._here or keeps(self._here)

    def read(self, index: int, line: str) -> None:
        """Read one line; the common shapes need no tokens."""
        last = line[-1]
        if self._words or self._comment or last not in _BRACES or _SPECIAL.search(line, 0, len(line) - 1):
            self._read_tokens(index, line)
            return
        if not self._keeps and last != "}":
            self._written.paths[index] = (self._here[0],)
            if last == "{":
                self._blocks.append(0)
            return
        self._words, self._began = line[:-1].split(), index
        if last == "{":
            self._open(index)
        else:
            self._end(index)
            if last == "}":
                self._close()

    def _close(self) -> None:
        words = self._blocks.pop() if self._blocks else 0
        if words:
            del self._here[len(self._here) - words :]
            self._keeps = not self._here or keeps(self._here)

    def _read_tokens(self, index: int, line: str) -> None:
        for token in self._tokens(line):
            if token == "{":  # noqa: S105  a token of a grammar
                self._open(index)
            elif token in _BRACES:
                self._end(index)
                if token == "}":  # noqa: S105  a token of a grammar
                    self._close()
            elif token in _BRACKETS:
                self._values = self._values or []
            elif self._values is not None:
                self._values.append((_unquote(token), index))
            else:
                self._began = self._began if self._words else index
                self._words.append(_unquote(token))

    def _tokens(self, line: str) -> Iterator[str]:
        """Yield the tokens of a line outside comments."""
        if self._comment or line.startswith("/*"):
            self._comment = "*/" not in line
            line = line.partition("*/")[2]
        for token in _TOKEN.findall(line):
            if token == "/*":  # noqa: S105  a token of a grammar
                self._comment = "*/" not in line.rpartition("/*")[2]
                return
            if token[0] == "#" and (token[:2] == "##" or not self._words):
                return
            yield token

    def _open(self, index: int) -> None:
        words, flags = _split_flags(self._words)
        self._words, self._values = [], None
        fits = len(self._here) <= MAX_DEPTH
        self._here += words
        self._blocks.append(len(words))
        self._keeps = not self._here or keeps(self._here)
        if len(self._here) > MAX_DEPTH:
            if fits:
                self._written.doubt(index, _TOO_DEEP, fatal=True)
        elif words and not self._keeps:
            self._written.paths[index] = (self._here[0],)
        elif words:
            self._written.paths[index] = tuple(self._here[:PATH_WORDS])
            self._add(self._here, (index,), flags)

    def _end(self, index: int) -> None:
        """End the open statement, if any."""
        values, self._values = self._values, None
        words, flags = _split_flags(self._words)
        self._words = []
        if not words or len(self._here) + len(words) >= MAX_DEPTH:
            return
        if not self._keeps:
            self._written.paths[index] = (self._here[0],)
            return
        path = [*self._here, *words]
        start = tuple(path[:PATH_WORDS])
        self._written.paths[index] = self._written.paths[self._began] = start
        is_class = "forwarding-classes" in path and not values
        for statement in split_path(path) if is_class else ():
            self._add(statement, (self._began,), flags)
        for word, line in () if is_class else values or (("", self._began),):
            self._written.paths[line] = start
            self._add([*path, word] if word else path, (self._began, line), flags)

    def _add(self, path: list[str], lines: tuple[int, ...], flags: frozenset[str]) -> None:
        """Add a statement, or delete, replace, activate or deactivate it by its *flags*."""
        if flags & {"delete:", "replace:"}:
            is_gone = self._written.delete(path, lines[-1])
            if "delete:" in flags:
                self._written.settled[lines[-1]] = LineState.MODELLED if is_gone else LineState.IGNORED
                return
        found = self._written.add(path, lines)
        if flags & {"inactive:", "active:"}:
            is_value = len(path) > 1 and holds_one_value(path[:-1])
            marked = (self._written.find(path[:-1]) if is_value else None) or found
            marked.inactive, marked.off = "inactive:" in flags, lines[-1]

    def finish(self, index: int) -> None:
        """End the open statement, and report open blocks."""
        self._end(index)
        if self._blocks:
            count = f"{len(self._blocks)} blocks" if len(self._blocks) > 1 else "a block"
            self._written.doubt(index, f"the dump ends before the end of {count}", understood=True)


def _unquote(token: str) -> str:
    return token.strip('"') if token[0] == '"' else token


def _split_flags(words: list[str]) -> tuple[list[str], frozenset[str]]:
    """Return the words of a statement without its flags, and the flags before it."""
    if not words or words[0] not in _FLAGS:
        return words, _NONE
    count = 0
    while count < len(words) and words[count] in _FLAGS:
        count += 1
    return words[count:], frozenset(words[:count])
