"""JSON of SR Linux, with or without the prefixes of its modules, read into the same tree as its other syntaxes."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from auditor.model.dump import Capture, Doubt
from auditor.systems.srlinux.tree import MAX_DEPTH, Tree
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass

_TOKEN = regex(r'"((?>(?:[^"\\]|\\.)*))"|([{}\[\],:])|([^\s"{}\[\],:]+)')
_ESCAPE = regex(r'\\(["\\/])')
_KEYS = ("name", "interface-id", "id", "index", "value", "sequence", "queue-name", "pfc-queue-name")
"""Keys of lists, by precedence: an object may hold references to others beside its own key."""
_KEYS_OF: Mapping[str, tuple[str, ...]] = {
    "wred-slope": ("traffic-type", "drop-probability", "enable-ecn"),
    "ecn-slope": ("ecn-drop-probability",),
    "map": ("forwarding-class",),
    "drop-probability": ("drop-probability",),
    "profile": ("profile",),
    "linecard": ("slot",),
    "pfc-queue": ("pfc-queue-name",),
    "unicast-queue": ("queue-id",),
}
"""The keys of lists that have others, or several."""
_PLACES: Mapping[str, tuple[str, ...]] = {
    "hello-timer": ("system", "lldp"),
    "chassis-id": ("system", "lldp"),
    "lldp": ("system",),
    "gnmi-server": ("system",),
    "grpc-server": ("system",),
    "json-rpc-server": ("system",),
    "interfaces": ("qos",),
    "classifiers": ("qos",),
    "forwarding-classes": ("qos",),
    "buffer-management": ("qos",),
}
"""The place of an object that holds a word: JSON-RPC and gNMI answer with what is at the path of the request alone."""


@dataclass(slots=True)
class Value:
    """A JSON value with the index of its line: an object, an array, or a word."""

    line: int
    kind: str
    word: str = ""
    members: list[tuple[str, "Value"]] = field(default_factory=list)


_Path: TypeAlias = tuple[str, ...]


def read_document(tree: Tree, capture: Capture) -> list[Doubt]:
    """Read a JSON capture into *tree*; what stands before an error counts, and the error is a doubt."""
    start = tree.begin(capture)
    root, fault = parse(capture.lines)
    for path, line in _list_statements(root):
        tree.add(path, start + line)
    if fault is None:
        return []
    index, why = fault
    return [Doubt(capture.where(index), redact(capture.lines[index].strip())[:200], why, fatal=True)]


def parse(lines: tuple[str, ...]) -> tuple[Value, tuple[int, str] | None]:
    """Return the value that *lines* hold, without recursion, and the first error as line index and reason."""
    root = Value(0, "[")
    open_values = [root]
    key: str | None = None
    for index, line in enumerate(lines):
        for match in _TOKEN.finditer(line):
            text, mark, word = match.groups()
            holder = open_values[-1]
            if mark in {"{", "["}:
                if len(open_values) > MAX_DEPTH:
                    return root, (index, f"JSON: nested deeper than {MAX_DEPTH} levels")
                inner = Value(index, mark)
                holder.members.append((key or "", inner))
                open_values.append(inner)
                key = None
            elif mark in {"}", "]"}:
                if len(open_values) == 1 or holder.kind != ("{" if mark == "}" else "["):
                    return root, (index, f"JSON: {mark} closes nothing")
                open_values.pop()
                key = None
            elif mark is None and holder.kind == "{" and key is None:
                key = _strip_module(text if text is not None else word)
            elif mark is None:
                holder.members.append((key or "", Value(index, "", _read_word(text, word))))
                key = None
    if len(open_values) > 1:
        return root, (len(lines) - 1, "JSON: the dump ends before its end")
    return root, None


def _read_word(text: str | None, word: str) -> str:
    return _ESCAPE.sub(r"\1", _strip_module(text)) if text is not None else word


def _strip_module(name: str) -> str:
    """Return a name without the prefix of its module.

    >>> _strip_module("srl_nokia-interfaces:interface"), _strip_module("1A:2B")
    ('interface', '1A:2B')
    """
    prefix, colon, rest = name.partition(":")
    return rest if colon and prefix.startswith("srl_nokia") else name


def _list_statements(root: Value) -> Iterator[tuple[_Path, int]]:
    """Yield the statements of a document in the order of the text, each with its line."""
    waiting: list[Iterator[tuple[_Path, Value]]] = [_list_tops(root)]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
            continue
        path, value = found
        if value.kind:
            if path:
                yield path, value.line
            waiting.append(_list_members(path, value))
        else:
            yield (*path, value.word), value.line


def _list_tops(root: Value) -> Iterator[tuple[_Path, Value]]:
    """Yield the objects that a document holds side by side, each with its place in the tree.

    These are those of an array, of an answer of JSON-RPC, and of the updates that gnmic prints.
    """
    waiting = [root]
    while waiting:
        value = waiting.pop()
        members = dict(value.members)
        if value.kind == "[":
            waiting.extend(member for _, member in reversed(value.members))
        elif "jsonrpc" in members and "result" in members:
            waiting.append(members["result"])
        elif "updates" in members:
            waiting.append(members["updates"])
        elif "Path" in members and "values" in members:
            path = _read_path(members["Path"].word)
            yield from (_hold_list(path, each) for _, each in members["values"].members)
        else:
            yield _find_place(value), value


def _hold_list(path: _Path, value: Value) -> tuple[_Path, Value]:
    """Return a place and a value; the entries of a list get their keys in the object that holds the list."""
    if value.kind != "[" or not path:
        return path, value
    return path[:-1], Value(value.line, "{", members=[(path[-1], value)])


_ELEMENT = regex(r"([\w:-]{1,80})((?>\[[^\]]{1,80}\]){0,4})(?:/|\Z)")
_KEY = regex(r"\[([\w-]{1,40})=([^\]]{0,80})\]")


def _read_path(text: str) -> _Path:
    """Return the words of a path of gNMI.

    >>> _read_path("srl_nokia-interfaces:interface[name=ethernet-1/1]/mtu")
    ('interface', 'ethernet-1/1', 'mtu')
    """
    words: list[str] = []
    for name, keys in _ELEMENT.findall(text):
        words.append(_strip_module(name))
        for place, (key, value) in enumerate(_KEY.findall(keys)):
            words += [value] if place == 0 else [key, value]
    return tuple(words)


def _find_place(top: Value) -> _Path:
    """Return the path in the tree at which an object stands, empty for the root."""
    found = next((_PLACES[key] for key, _ in top.members if key in _PLACES), ())
    entries = [each for key, value in top.members if key == "interface" for _, each in value.members]
    is_qos = not found and bool(entries) and any(key == "interface-id" for key, _ in entries[0].members)
    return ("qos", "interfaces") if is_qos else found


def _list_members(path: _Path, value: Value) -> Iterator[tuple[_Path, Value]]:
    """Yield what is directly in an object or array, each with its path; the entries of a list with their keys."""
    for key, member in value.members:
        below = (*path, key) if value.kind == "{" else path
        if member.kind == "[":
            yield below, Value(member.line, "{")
            for entry in (each for _, each in member.members):
                yield _key_entry(below, entry) if entry.kind == "{" else (below, entry)
        else:
            yield below, member


def _key_entry(path: _Path, entry: Value) -> tuple[_Path, Value]:
    """Return the path of a list entry with the values of its keys, and what it holds beside them.

    The line of an entry is that of its first key: a bracket tells nothing.
    """
    words = {key: member.word for key, member in entry.members if not member.kind}
    keys = _KEYS_OF.get(path[-1] if path else "") or ()
    keys = tuple(key for key in keys if key in words) or tuple(key for key in _KEYS if key in words)[:1]
    named: list[Any] = []
    for place, key in enumerate(keys):
        named += [words[key]] if place == 0 else [key, words[key]]
    rest = [(key, member) for key, member in entry.members if key not in keys]
    line = next((member.line for key, member in entry.members if key in keys), entry.line)
    return (*path, *named), Value(line, "{", "", rest)
