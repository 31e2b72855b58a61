"""Bytes of one dump to lines of text, or to the problem with the bytes."""

import posixpath
from dataclasses import replace
from pathlib import PurePosixPath
from sys import intern
from typing import TypeAlias

from auditor.inputs.decoration import strip_decoration
from auditor.inputs.file_heads import SIGN, restore_files
from auditor.inputs.layouts import BundleFile
from auditor.util.regex import regex
from auditor.util.values import dataclass

STDIN = "<stdin>"
IN_SKIPPED = "in a folder that is skipped"
"""The reason to skip a file whose folder is reported."""
MAX_DUMP_BYTES = 64 * 2**20  # the largest dump seen, the running state of a 512-port switch, has 20 MB
MAX_PEEK_BYTES = 2**20  # of a file that is skipped by its name: enough to see whether it is a dump
MAX_PEEKED = 1_000  # such files of one folder or archive
MAX_LINE_CHARS = 65_536  # no CLI prints longer lines; JSON may be one line, and is bounded by its dump
MAX_LINES = 1_000_000  # 20 MB hold two thirds of it at 30 characters a line; a line costs more than its text
LINE_BYTES = 49  # of memory, beside the text
PLACE_BYTES = 8  # for each line of a text, be it new or known
MOST_KNOWN_LINES = 1_000_000
"""Lines that are told from new ones: those that the devices of a fleet repeat are among the first."""

_SAMPLE = 2**20
_CONTROL_SHARE = 0.02
_UTF16_SHARE = 0.4  # of zeros, in the high bytes only
_CONTROLS = bytes({*range(0x20), 0x7F} - set(b"\a\b\t\n\f\r\x1b"))
_MAGIC = {
    "image": (b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
    "document": (b"%PDF-",),
    "program": (b"\x7fELF", b"MZ"),
    "packet capture": (b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\n\r\r\n"),
    "archive": (b"PK\x03\x04", b"\x1f\x8b", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd"),
}
# An attribute of sysfs may be empty, and then so is its capture.
_MAY_BE_EMPTY = regex(r"cat_sys_|traffic_class")
_JSON = regex(r"\s*+(?:\{|\[\s*+(?:[\[\]{\"]|-?\d++\s*+[,\]]))")
_ESCAPES = regex(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\a\x1b]*(?:\a|\x1b\\)|[ -/]*[0-~])?")


@dataclass(frozen=True, slots=True)
class Raw:
    """A text, named as it is shown: the path as given, and for a member `ARCHIVE/MEMBER`.

    `folder` is the directory it is in (`<stdin>` for standard input). `lines` have no line ends, no terminal escapes,
    no backspaces, and none of the marks of a paste; equal lines of all texts are one value, as dumps of a fleet repeat.
    `ends_with_newline` tells a finished last line from a cut one.
    `given`: named by itself. `bundle_file`: what its place in the bundle of a tool says of it. `shunned` is the reason
    for which a file of this name is skipped, unless it shows a device all the same; such a file is cut to
    `MAX_PEEK_BYTES`.
    """

    name: str
    folder: str
    lines: tuple[str, ...]
    ends_with_newline: bool
    given: bool = False
    bundle_file: BundleFile | None = None
    shunned: str = ""


class MemoryCount:
    """Whether texts take more than about *most* bytes: of equal lines the first takes its text, others take a place.

    Equal lines are sought only where all lines together could take too much.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._could_be = self._held = 0
        self._uncounted: list[tuple[str, ...]] = []
        self._known: set[str] = set()

    def add(self, item: "Item") -> None:
        """Add *item*, which takes nothing unless it is a text."""
        if isinstance(item, Raw):
            self._could_be += sum(map(len, item.lines)) + (LINE_BYTES + PLACE_BYTES) * len(item.lines)
            self._uncounted.append(item.lines)

    def is_exceeded(self) -> bool:
        """Return whether the texts take too much."""
        if self._could_be <= self._most:
            return False
        for lines in self._uncounted:
            new = set(lines) - self._known
            self._held += sum(map(len, new)) + LINE_BYTES * len(new) + PLACE_BYTES * len(lines)
            if len(self._known) < MOST_KNOWN_LINES:
                self._known |= new
        self._uncounted.clear()
        return self._held > self._most


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder without a dump, and the reason."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Problem:
    """An unreadable input; the message gives the expected content."""

    name: str
    line: int | None
    message: str


Item: TypeAlias = Raw | Skipped | Problem


def parse_text(data: bytes, name: str, *, given: bool, bundle_file: BundleFile | None = None) -> Item:
    """Return the text in *data*; a foreign file is a problem only where the user has *given* its path.

    A file with a known place in a bundle (*bundle_file*) may be empty: its command printed nothing.
    """
    if len(data) > MAX_DUMP_BYTES:
        return Problem(name, None, f"too large, expected a dump of at most {MAX_DUMP_BYTES} bytes")
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    if encoding != "utf-16" and (what := _detect_binary(data)):
        return (
            Skipped(name, what)
            if what in _MAGIC and not given and not bundle_file
            else Problem(name, None, f"{what}, expected text")
        )
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = _normalise_ends(error.object[: error.start].decode(encoding)).count("\n") + 1
        byte = error.start + 1 + len(data) - len(error.object)
        return Problem(name, line, f"wrong encoding at byte {byte}, expected UTF-8, or UTF-16 with a byte order mark")
    return _split_lines(_normalise_ends(text), name, given=given, bundle_file=bundle_file)


def peek_text(data: bytes, name: str, why: str) -> Item:
    """Return the text in *data*, the beginning of a file to skip for the reason *why*; Skipped where it is no text."""
    whole = data if len(data) < MAX_PEEK_BYTES else data[: data.rfind(b"\n") + 1]
    found = parse_text(whole, name, given=False)
    return replace(found, shunned=why) if isinstance(found, Raw) else Skipped(name, why)


def _split_lines(text: str, name: str, *, given: bool, bundle_file: BundleFile | None) -> Item:
    lead = text.lstrip()[:1]
    if not lead and not bundle_file and not _MAY_BE_EMPTY.search(PurePosixPath(name).name):
        return Problem(name, None, "empty, expected a dump")
    if len(text) > MAX_LINES and (count := text.count("\n")) > MAX_LINES:
        return Problem(name, None, f"{count} lines, expected a dump of at most {MAX_LINES}")
    lines = text.removesuffix("\n").split("\n") if text else []
    is_long = lead in {"{", "["} or (bundle_file and bundle_file.place.is_page)
    longest = MAX_DUMP_BYTES if is_long else MAX_LINE_CHARS
    if len(text) > longest and max(map(len, lines)) > longest:
        number, line = next((n, line) for n, line in enumerate(lines, start=1) if len(line) > longest)
        return Problem(name, number, f"{len(line)} characters in one line, expected at most {longest}")
    folder = STDIN if name == STDIN else posixpath.dirname(name) or "."
    if "\x1b" in text or "\b" in text:
        lines = [apply_terminal(line) for line in lines]
    if not (bundle_file or _JSON.match(text)):
        lines = [*strip_decoration(restore_files(lines) if SIGN in text else lines)]
    return Raw(name, folder, tuple(map(intern, lines)), text.endswith("\n"), given, bundle_file)


def _normalise_ends(text: str) -> str:
    """Turn line ends into newlines; a recorded terminal session doubles the carriage return."""
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def apply_terminal(line: str) -> str:
    """Return *line* as a terminal shows it: without escape sequences, and with backspaces applied."""
    line = _ESCAPES.sub("", line)
    if "\b" not in line:
        return line
    shown: list[str] = []
    for character in line:
        if character != "\b":
            shown.append(character)
        elif shown:
            shown.pop()
    return "".join(shown)


def _detect_binary(data: bytes) -> str:
    """Return the kind of binary *data*, empty for text."""
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if 0 not in data and controls <= _CONTROL_SHARE * len(sample):
        return ""
    if abs(sample[::2].count(0) - sample[1::2].count(0)) > _UTF16_SHARE * len(sample):
        return "wrong encoding (UTF-16 without a byte order mark)"
    return next((what for what, magics in _MAGIC.items() if data.startswith(magics)), "binary")
