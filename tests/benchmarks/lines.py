"""Microseconds a line of each system: recognition and reading, beside reading and splitting the same bytes.

    python tests/benchmarks/lines.py [FOLDER ...]

The dumps are those of the folders (default: all fixtures), by the system that is recognised; those of fewer lines than
`LEAST` in all are left out. The plain way decodes each file and splits it into lines and words; where ciscoconfparse2
reads the syntax, its plain parse of the same lines stands beside. All run in one process, file by file in turn, in
processor seconds; imports are left out.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from auditor.engine.load import read_device
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import DeviceUnit

FIXTURES = Path(__file__).parents[2] / "fixtures"
LEAST = 300
LONGEST = 2_000_000
SYNTAXES = {"cisco_nxos": "nxos", "arista_eos": "ios", "juniper_junos": "junos", "dell_os10": "ios"}
ENDINGS = {".txt", ".cfg", ".conf", ".json", ".log"}
SEVERAL = 2


@dataclass(slots=True)
class Sums:
    """Lines of a system, and the seconds of each step."""

    lines: int = 0
    plain: float = 0
    recognised: float = 0
    read: float = 0
    library: float | None = None
    broken: int = 0
    files: list[str] = field(default_factory=list)


def clock(function: Callable[[], object]) -> float:
    """Return the processor seconds of the faster of two calls."""
    found = []
    for _ in range(SEVERAL):
        start = process_time()
        function()
        found.append(process_time() - start)
    return min(found)


def split(data: bytes) -> int:
    """Return the number of words of a text."""
    return sum(len(line.split()) for line in data.decode("utf-8", "replace").split("\n"))


def parse_plainly(lines: Sequence[str], syntax: str) -> None:
    """Parse lines with ciscoconfparse2 alone."""
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  a second of imports
    from loguru import logger  # noqa: PLC0415  what it says of files that it cannot read

    logger.remove()
    CiscoConfParse(list(lines), syntax=syntax)


def measure(path: Path, sums: dict[str, Sums]) -> None:
    """Add the costs of one file to those of its system."""
    data = path.read_bytes()
    lines = tuple(data.decode("utf-8", "replace").split("\n"))
    raw = Raw(str(path), ".", lines, ends_with_newline=True)
    start = process_time()
    os = identify_file(raw, None).os
    captures = list_captures(raw)
    recognised = process_time() - start  # once: a second time, parts of it are remembered
    if os is None:
        return
    mine = sums.setdefault(os, Sums())
    try:
        mine.read += clock(lambda: read_device(DeviceUnit(path.stem, str(path), os, captures)))
    except Exception:  # noqa: BLE001  a fixture of a mistake; the command reports it
        mine.broken += 1
        return
    mine.lines += len(lines)
    mine.plain += clock(lambda: split(data))
    mine.recognised += recognised
    if os in SYNTAXES:
        try:
            mine.library = (mine.library or 0) + clock(lambda: parse_plainly(lines, SYNTAXES[os]))
        except BaseException:  # noqa: BLE001  the library exits on what it cannot read
            mine.broken += 1


def list_files(folders: Sequence[str]) -> Iterator[Path]:
    """Yield the dumps in *folders*."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix in ENDINGS and 0 < path.stat().st_size < LONGEST:
                yield path


def main(folders: Sequence[str]) -> None:
    """Print a line for each system."""
    sums: dict[str, Sums] = {}
    for path in list_files(folders or [str(FIXTURES)]):
        measure(path, sums)
    print(
        f"{'system':24}{'lines':>8}{'split':>8}{'recognise':>11}{'read':>8}  us a line; all : split; : ciscoconfparse2"
    )
    for os, each in sorted(sums.items()):
        if each.lines < LEAST:
            continue
        per = 1e6 / each.lines
        whole = each.recognised + each.read
        beside = f"{whole / each.library:18.2f}" if each.library else ""
        print(
            f"{os:24}{each.lines:8}{each.plain * per:8.2f}{each.recognised * per:11.1f}{each.read * per:8.1f}"
            f"{whole / max(each.plain, 1e-9):22.0f}{beside}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
