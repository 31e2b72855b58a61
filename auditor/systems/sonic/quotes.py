"""JSON of SONiC in a text that quotes it: a guide, a thread, notes with blocks of configuration."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from auditor.model.dump import Capture
from auditor.systems.sonic.joints import repair_joints
from auditor.util.regex import regex
from auditor.util.values import dataclass

_OPENS = regex(r"\s{0,12}(?P<brace>\{|\"[A-Z][A-Z0-9_]{2,60}(?:\|[^\"]{0,80})?\"\s*:\s*\{)")
_REMARK = regex(r"\s*+(?:#|//|\.{3,}+\s*+(?>,\s*+|)\Z|`{3}|~{3})")
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
    """Yield the blocks of JSON, up to as many that are none as there may be blocks."""
    texts = [re.sub(r'"[^"]*"', '""', line).strip() for line in lines]
    closes = _find_closings(texts)
    index = failed = 0
    while index < len(lines) and failed < MAX_BLOCKS:
        match = _OPENS.match(lines[index])
        is_bare = match is not None and match["brace"] != "{"
        end = _find_end(texts, closes, index, is_bare=is_bare) if match else index
        is_object = end > index and _is_object(lines[index:end], is_bare=is_bare)
        failed += end > index and not is_object
        if is_object:
            yield _Block(index, end, is_bare)
        index = end if is_object else index + 1


def _find_closings(texts: Sequence[str]) -> list[int | None]:
    """Return for each line the end of the lines whose braces close all that they open; None where they never do.

    The last of these lines may close more than that.
    """
    depths = [0]
    for text in texts:
        depths.append(depths[-1] + text.count("{") - text.count("}"))
    found: list[int | None] = [None] * len(texts)
    waiting: list[int] = []  # lines whose end is not known, the deepest last
    for index, text in enumerate(texts):
        waiting.append(index)
        while text and waiting and depths[index + 1] <= depths[waiting[-1]]:
            found[waiting.pop()] = index + 1
    return [None if end and depths[end] < depths[index] else end for index, end in enumerate(found)]


def _find_end(texts: Sequence[str], closes: Sequence[int | None], first: int, *, is_bare: bool) -> int:
    """Return the end of the block that begins at *first*, *first* without one; bare members go on behind a comma."""
    end = closes[first]
    last = first
    while end is not None:
        last = end
        if not (is_bare and texts[end - 1].endswith(",")) or end >= len(texts):
            break
        end = closes[end]
    return last


def _is_object(lines: Sequence[str], *, is_bare: bool) -> bool:
    text = "\n".join(lines).rstrip().removesuffix(",")
    try:
        found = json.loads(repair_joints("{" + text + "}" if is_bare else text)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict)
