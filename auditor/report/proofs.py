"""Origins, places and pages of values in short: a letter for each file and each page, listed below a sheet."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.report.columns import lay_row, wrap_text
from auditor.report.presentation import clean_text
from auditor.view.documents import StateView

_ORIGINS: Mapping[str | None, str] = {"intended": "configured", "learned": "in state", "default": "default"}
_LEGEND = (
    "configured: set in the dump; in state: reported by the device; default: of the system; ?: not known. "
    "[a]:12 is a line of a file, several lines are in the order of the rows; [A] is a page or a reason:"
)
_LETTERS = 26


class Proofs:
    """The letters of the files and pages that a sheet names, in the order in which it names them."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._pages: dict[str, str] = {}

    def describe(self, states: Sequence[StateView]) -> str:
        """Return the origin of known values, their lines, and the page that says so; they differ in the line alone."""
        first = states[0]
        words = [_ORIGINS[first.origin], self._locate(states)]
        if first.why:
            words.append(f"[{self._pages.setdefault(first.why, _make_mark(len(self._pages)).upper())}]")
        return " ".join(filter(None, words))

    def explain(self, states: Sequence[StateView]) -> tuple[str, str]:
        """Return the state of values that are not known, and the reason; they differ in the line alone."""
        if states[0].state == "unset":
            return "not set", f"no documented default {self._locate(states)}".rstrip()
        return "unknown", clean_text(states[0].why or "no capture shows it")

    def _locate(self, states: Sequence[StateView]) -> str:
        """Return the file and the lines of *states*, empty without a file."""
        file = states[0].file
        if file is None:
            return ""
        mark = f"[{self._files.setdefault(file, _make_mark(len(self._files)))}]"
        lines = dict.fromkeys(str(state.line) for state in states if state.line is not None)
        return f"{mark}:{', '.join(lines)}" if lines else mark

    def list_legend(self) -> Iterator[str]:
        """Yield the lines that say what the words and letters mean."""
        yield from wrap_text(_LEGEND)
        for names in (self._files, self._pages):
            for text, mark in names.items():
                yield from lay_row([(f"[{mark}]", 5), (clean_text(text), 72)])


def _make_mark(number: int) -> str:
    """Return a letter for a number, several from 26 on.

    >>> [_make_mark(number) for number in (0, 25, 26, 27)]
    ['a', 'z', 'aa', 'ab']
    """
    return (_make_mark(number // _LETTERS - 1) if number >= _LETTERS else "") + chr(ord("a") + number % _LETTERS)
