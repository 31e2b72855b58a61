"""JSON of SONiC in a text that quotes it: a guide, a thread, notes with blocks of configuration."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from auditor.model.dump import Capture
from auditor.systems.sonic.joints import repair_joints

_OPENS = re.compile(r"\s{0,12}(?P<brace>\{|\"[A-Z][A-Z0-9_]{2,60}(?:\|[^\"]{0,80})?\"\s*:\s*\{)")
_REMARK = re.compile(r"\s*+(?:#|//|\.{3,}+\s*+(?:,\s*+)?+\Z|`{3}|~{3})")
MAX_BLOCKS = 64


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of a JSON object, or of members of one without its braces, from `first` up to `end`."""

    first: int
    end: int
    is_bare: bool


def unquote(capture: Capture) -> Capture:
    """Return *capture* with nothing but its JSON, one list where it has several objects; each line keeps its place."""
    if next((line.lstrip()[:1] for line in capture.lines if line.strip()), "") in {"{", "["}:
        return capture
    quoted = _keep_quoted(capture.lines)
    lines = ["" if _REMARK.match(line) else line for line in quoted]
    blocks = list(_find_blocks(lines))[:MAX_BLOCKS]
    if not blocks:
        return capture
    kept = [""] * len(lines)
    for number, block in enumerate(blocks):
        kept[block.first : block.end] = lines[block.first : block.end]
        kept[block.first] = "," * bool(number) + "{" * block.is_bare + kept[block.first]
        kept[block.end - 1] = kept[block.end - 1].rstrip().removesuffix(",") + "}" * block.is_bare
    if len(blocks) > 1:
        kept[blocks[0].first] = "[" + kept[blocks[0].first]
        kept[blocks[-1].end - 1] += "]"
    return replace(capture, lines=tuple(kept))


def _keep_quoted(lines: Sequence[str]) -> list[str]:
    """Return *lines* without what is not fenced, unless the text begins with members: a program holds JSON, too."""
    first = next((line for line in lines if line.strip() and not _REMARK.match(line)), "")
    if _OPENS.match(first):
        return list(lines)
    kept, inside = [], False
    for line in lines:
        is_fence = line.lstrip().startswith(("```", "~~~"))
        inside ^= is_fence
        kept.append(line if inside and not is_fence else "")
    return kept


def _find_blocks(lines: Sequence[str]) -> Iterator[_Block]:
    index = 0
    while index < len(lines):
        match = _OPENS.match(lines[index])
        block = _find_end(lines, index, is_bare=match["brace"] != "{") if match else None
        if block:
            yield block
        index = block.end if block else index + 1


def _find_end(lines: Sequence[str], first: int, *, is_bare: bool) -> _Block | None:
    """Return the block that begins at *first*: as many lines as its braces need, bare members while others follow."""
    depth, end = 0, first
    for index in range(first, len(lines)):
        text = re.sub(r'"[^"]*"', '""', lines[index])
        depth += text.count("{") - text.count("}")
        if depth < 0:
            return None
        if depth == 0 and text.strip():
            end = index + 1
            if not (is_bare and text.rstrip().endswith(",")):
                break
    return _Block(first, end, is_bare) if end > first and _is_object(lines[first:end], is_bare=is_bare) else None


def _is_object(lines: Sequence[str], *, is_bare: bool) -> bool:
    text = "\n".join(lines).rstrip().removesuffix(",")
    try:
        found = json.loads(repair_joints("{" + text + "}" if is_bare else text)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict)
