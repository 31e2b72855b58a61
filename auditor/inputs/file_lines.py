"""The lines of a file by the captures that have them."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from auditor.model.dump import Capture


def sort_captures(captures: Iterable[Capture]) -> Mapping[str, Sequence[Capture]]:
    """Return *captures* by file, in its order; of two that begin at one line, the longer one."""
    longest = {(each.file, each.first_line): each for each in sorted(captures, key=lambda each: len(each.lines))}
    by_file: dict[str, list[Capture]] = {}
    for capture in longest.values():
        by_file.setdefault(capture.file, []).append(capture)
    for each in by_file.values():
        each.sort(key=_get_first_line)
    return by_file


def find_capture(captures: Sequence[Capture], line: int) -> Capture | None:
    """Return the one of *captures*, in their order, that has a line: an output, else the typed lines around it."""
    number = bisect_right(captures, line, key=_get_first_line) - 1
    if number < 0:
        return None
    nearest = captures[number]
    if line - nearest.first_line < len(nearest.lines):
        return nearest
    around = (each for each in captures[:number] if not each.command and line - each.first_line < len(each.lines))
    return next(around, nearest)


def join_lines(captures: Sequence[Capture]) -> Sequence[str | None]:
    """Return the lines of the file of *captures*, each as the capture has it that `find_capture` finds."""
    lines: list[str | None] = [None] * max((_find_end(each) for each in captures), default=0)
    for each in reversed(captures):
        if not each.command:
            lines[each.first_line - 1 : _find_end(each)] = each.lines
    starts = [*(each.first_line - 1 for each in captures), len(lines)]
    for each, (start, next_start) in zip(captures, pairwise(starts), strict=True):
        end = min(_find_end(each), next_start)
        lines[start:end] = each.lines[: end - start]
    return lines


def _find_end(capture: Capture) -> int:
    return capture.first_line - 1 + len(capture.lines)


def _get_first_line(capture: Capture) -> int:
    return capture.first_line
