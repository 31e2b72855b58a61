"""The CSV around a batch: rows in, the same rows with their answers out, in bounded memory."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from auditor.estimate.batch import CHUNK, ERROR, INPUTS, RESULTS, CheckedTable, answers, check
from auditor.util.outfile import open_whole
from auditor.util.printable import escape_cell, printable
from auditor.util.values import dataclass

LONGEST_LINE = 2**24
_BYTES_PASS: Any = {"errors": "surrogateescape", "newline": ""}
"""How text files are opened: line ends are CSV's business, and what is no UTF-8 comes out as it came in."""
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Model:
    """What answers a table: `answers` gives for each row of a part the texts of `columns` and the error."""

    answers: Callable[[CheckedTable, int], Iterator[list[str]]]
    columns: Sequence[str] = RESULTS


CLOSED_FORMS = Model(answers)


class TableError(ValueError):
    """The input is not a table of scenarios."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What became of a table: its rows, those of them that have no answer, and its columns that are no input."""

    rows: int
    without: int
    passed: Sequence[str]


def answer_file(
    source: str, target: str, standard_input: TextIO, standard_output: TextIO, model: Model = CLOSED_FORMS
) -> TableAnswer:
    """Answer a table in a file in another file, `-` being the standard ones; raises TableError where that cannot be."""
    try:
        with ExitStack() as open_files:
            if source == "-":
                lines = TextIOWrapper(standard_input.buffer, encoding="utf-8-sig", **_BYTES_PASS)
                open_files.callback(lines.detach)
            else:
                lines = open_files.enter_context(Path(source).open(encoding="utf-8-sig", **_BYTES_PASS))
            if target == "-":
                return answer(lines, standard_output, model)
            if source != "-" and Path(target).exists() and Path(target).samefile(source):
                raise TableError(f"{target}: is the file that is read, expected another one")
            return answer(lines, open_files.enter_context(open_whole(target, _BYTES_PASS["errors"])), model)
    except OSError as error:
        if error.filename is None:  # standard output cannot be written
            raise
        what = "read" if error.filename == source else "written"
        raise TableError(f"{error.filename}: cannot be {what}: {error.strerror}") from None


def answer(source: TextIO, target: TextIO, model: Model = CLOSED_FORMS) -> TableAnswer:
    """Answer each row of the CSV table *source* in *target*; raises TableError where it is no table of scenarios.

    Columns that are no input pass through, before those of the model and `ERROR`; columns of these names are replaced.
    """
    reader = csv.reader(_lines(source))
    header = _header(reader)
    passed = [name for name in header if name not in {*INPUTS, *model.columns, ERROR}]
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([*map(escape_cell, passed), *model.columns, ERROR])
    rows = without = 0
    while chunk := list(islice(_rows(reader, len(header)), CHUNK)):
        columns = dict(zip(header, zip(*(cells for cells, _ in chunk), strict=True), strict=True))
        kept = zip(*(columns[name] for name in passed), strict=True) if passed else ((),) * len(chunk)
        said = model.answers(check(columns, len(chunk)), len(chunk))
        for before, results, (_, problem) in zip(kept, said, chunk, strict=True):
            line = [*map(escape_cell, before), *([""] * len(model.columns) + [problem] if problem else results)]
            writer.writerow(line)
            without += bool(line[-1])
        rows += len(chunk)
    return TableAnswer(rows, without, passed)


def _header(reader: Iterator[list[str]]) -> list[str]:
    """Return the names of the columns, which the first line must hold."""
    try:
        header = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise TableError(f"line 1: {error}") from None
    if not INPUTS.intersection(header):
        found = printable(",".join(header))[:_LONGEST_SHOWN]
        raise TableError(f"line 1: {found!r}, expected names of columns such as n_senders, link_gbps or headroom_bytes")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise TableError(f"line 1: the column {printable(twice[0])[:_LONGEST_SHOWN]!r} is there twice")
    return header


def _rows(reader: Iterator[list[str]], width: int) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the cells of each row that is not blank, with what is wrong with the row as a whole."""
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield [""] * width, str(error)
            continue
        if len(cells) == width:
            yield cells, ""
        elif cells:
            yield (cells + [""] * width)[:width], f"{len(cells)} cells, expected {width}"


def _lines(source: TextIO) -> Iterator[str]:
    """Yield the lines of *source*, none longer than can be held."""
    number = 0
    while line := source.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise TableError(f"line {number}: longer than {LONGEST_LINE} characters")
        yield line
