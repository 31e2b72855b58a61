"""The parts of a dump that lines change, each with the hash of what stands there now.

Whoever types the lines sees by the hashes whether the device still is as the dump shows it.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from auditor.engine.fix.values import Stanza
from auditor.grammar.entry import FILE, measure_depths
from auditor.model.dump import Capture
from auditor.util.redact_lines import redact_lines


def list_stanzas(typed: Sequence[str], before: Sequence[Capture], after: Sequence[Capture]) -> Iterator[Stanza]:
    """Yield the parts of *before* that *typed* lines change into *after*.

    These are the blocks of an indented configuration under the heads that are typed, the rows of a configuration in
    JSON, the captures of a host whose lines change, and a configuration that is typed in full paths as a whole.
    """
    for old, new in zip(before, after, strict=False):
        if old != new:
            yield from _list_rows(old, new)
    if any(capture.file == FILE for capture in after):
        yield from _list_blocks(typed, before)


def _list_rows(old: Capture, new: Capture) -> Iterator[Stanza]:
    tables, changed = _load(old), _load(new)
    if tables is None or changed is None:
        yield Stanza(old.command or old.file, _hash(old.lines))
        return
    for table in sorted(tables.keys() | changed.keys()):
        rows, others = tables.get(table, {}), changed.get(table, {})
        for key in sorted(rows.keys() | others.keys()):
            if rows.get(key) != others.get(key):
                row = json.dumps(rows.get(key), indent=1, sort_keys=True).split("\n")
                yield Stanza(f"{table}|{key}", _hash(row) if key in rows else None)


def _load(capture: Capture) -> dict[str, dict[str, Any]] | None:
    try:
        found = json.loads("\n".join(capture.lines))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and all(isinstance(table, dict) for table in found.values()) else None


def _list_blocks(typed: Sequence[str], captures: Sequence[Capture]) -> Iterator[Stanza]:
    depths = list(measure_depths(typed))
    heads = [line for depth, line in depths if depth == 0]
    if not any(depth for depth, _ in depths):
        whole = max(captures, key=lambda capture: len(capture.lines), default=None)
        if whole:
            yield Stanza(whole.command or whole.file, _hash(whole.lines))
        return
    lines = [line for capture in captures for line in capture.lines]
    for head in dict.fromkeys(heads):
        block = list(_find_block(head, lines))
        yield Stanza(head, _hash(block) if block else None)


def _find_block(head: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the first block with this *head*, the head included."""
    start = next((number for number, line in enumerate(lines) if line.strip() == head), None)
    if start is None:
        return
    depth = len(lines[start]) - len(lines[start].lstrip())
    yield lines[start]
    for line in lines[start + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            return
        yield line


def _hash(lines: Sequence[str]) -> str:
    return sha256("\n".join(line.strip() for line in redact_lines(lines)).encode("utf-8", "surrogatepass")).hexdigest()
