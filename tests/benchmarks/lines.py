"""Microseconds a line of each system: recognition and reading, beside reading and splitting the same bytes.

    python tests/benchmarks/lines.py [FOLDER ...]

The dumps are those of the folders (default: all fixtures), one large switch of each system that another benchmark
writes, and large outputs. A row is the configurations of a system, one of its outputs, or its other files, such as
transcripts; those of fewer lines than `LEAST` in all are left out. Beside each stands what others take for the same
lines: the plain way decodes a file and splits it into lines and words; ciscoconfparse2 parses configurations in a
syntax that it knows; TextFSM runs the template of ntc-templates for an output that it knows, compiled before. Both
libraries are as they are installed. All run in one process, file by file in turn, in processor seconds; each file is
read once, when nothing of it is known. What a process does once, imports and the compilation of patterns, is left out:
a part of the fixtures is read before.
"""

import gc
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import outputs
from against_ciscoconfparse import load_plain_library

from auditor.engine.load import read_device
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.sessions import cut_captures
from auditor.inputs.snapshot import DeviceUnit
from auditor.systems import systems

FIXTURES = Path(__file__).parents[2] / "fixtures"
LEAST = 100
LONGEST = 2_000_000
SYNTAXES = {
    "cisco_nxos": "nxos",
    "cisco_iosxr": "ios",
    "arista_eos": "ios",
    "juniper_junos": "junos",
    "dell_os10": "ios",
    "dell_enterprise_sonic": "ios",
    "aruba_aoscx": "ios",
    "huawei_vrp": "ios",
    "hp_comware": "ios",
}
ENDINGS = {".txt", ".cfg", ".conf", ".json", ".log", ".yaml"}
WRITERS = (
    "audit_nxos",
    "audit_iosxr",
    "audit_eos",
    "audit_junos",
    "audit_os10",
    "audit_enterprise_sonic",
    "audit_huawei",
    "audit_comware",
    "audit_aoscx",
    "audit_srlinux",
    "sonic",
)
PORTS = 528
WARM_UP = 5
"""One of so many fixtures is read before."""
WHOLE, OTHER = "configuration", "other files"
Template = Callable[[str], object]


@dataclass(slots=True)
class Sums:
    """Lines of one row, and the seconds of each step; `library` is None where none reads these lines."""

    lines: int = 0
    plain: float = 0
    recognised: float = 0
    read: float = 0
    library: float | None = None
    beside: float = 0


def split(data: bytes) -> int:
    """Return the number of words of a text."""
    return sum(len(line.split()) for line in data.decode("utf-8", "replace").split("\n"))


def clock(function: Callable[[], object]) -> float:
    """Return the processor seconds of a call; infinite where a library ends it by an error."""
    start = process_time()
    try:
        function()
    except BaseException:  # noqa: BLE001  ciscoconfparse2 exits on what it cannot read
        return float("inf")
    return process_time() - start


class Bench:
    """The sums by system and kind of text, over all files so far."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, str], Sums] = {}
        self.failed = 0
        self._parse_plainly = load_plain_library()

    def measure(self, data: bytes, name: str, kind: str = "") -> None:
        """Add the costs of a file; *kind* is the row that it belongs to, empty for one of its system's own rows."""
        start = process_time()
        raw = parse_text(data, name, given=True)
        if not isinstance(raw, Raw):
            return
        found = identify_file(raw, None)
        if found.os is None:
            return
        captures = list_captures(raw) if found.cuts is None else cut_captures(raw, found.cuts)
        recognised = process_time() - start
        unit = DeviceUnit("bench", name, found.os, captures)
        read = clock(lambda: read_device(unit))
        if read == float("inf"):  # a fixture of a mistake; the command reports it
            self.failed += 1
            return
        shown = systems()[found.os].recognise(captures[0]) if len(captures) == 1 else None
        row = WHOLE if shown in systems()[found.os].whole else shown or OTHER
        mine = self.sums.setdefault((found.os, kind or row), Sums())
        mine.lines += len(raw.lines)
        mine.recognised += recognised
        mine.read += read
        mine.plain += clock(lambda: split(data))
        library = self._find_library(found.os, row, raw)
        taken = clock(library) if library else float("inf")
        if taken < float("inf"):
            mine.library = (mine.library or 0) + taken
            mine.beside += recognised + read

    def _find_library(self, os: str, row: str, raw: Raw) -> Callable[[], object] | None:
        """Return what another library does with a text, None where none reads it."""
        if row == WHOLE and os in SYNTAXES:
            return lambda: self._parse_plainly(list(raw.lines), SYNTAXES[os])
        template = find_template(os, row)
        text = "\n".join(raw.lines)
        return (lambda: template(text)) if template else None


@cache
def find_template(os: str, command: str) -> Template | None:
    """Return what parses the output of a command with the template of ntc-templates, None without one."""
    if find_spec("ntc_templates") is None or find_spec("textfsm") is None:
        return None
    import ntc_templates  # noqa: PLC0415  may be missing
    import textfsm  # noqa: PLC0415  may be missing

    path = Path(ntc_templates.__file__).parent / "templates" / f"{os}_{re.sub(r'[ /]', '_', command)}.textfsm"
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as file:
        table: Any = textfsm.TextFSM(file)

    def parse(text: str) -> object:
        table.Reset()
        return table.ParseText(text)

    return parse


def list_files(folders: Sequence[str]) -> Iterator[Path]:
    """Yield the dumps in *folders*."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix in ENDINGS and 0 < path.stat().st_size < LONGEST:
                yield path


def write_switches() -> Iterator[bytes]:
    """Yield a large switch of each system with a benchmark of its own."""
    for name in WRITERS:
        switch: Any = import_module(name).switch
        yield json.dumps(switch(PORTS), indent=4).encode() if name == "sonic" else "\n".join([*switch(), ""]).encode()


def main(folders: Sequence[str]) -> None:
    """Print a line for each row."""
    gc.set_threshold(20_000, 20, 20)  # as the program does
    for system in systems().values():
        system.load_signs()
    bench = Bench()
    for path in list(list_files([str(FIXTURES)]))[::WARM_UP]:
        bench.measure(path.read_bytes(), str(path))
    bench.sums.clear()
    for path in list_files(folders or [str(FIXTURES)]):
        bench.measure(path.read_bytes(), str(path))
    for text in write_switches():
        bench.measure(text, "bench.cfg", "large switch")
    for kind, write in outputs.WRITERS.items():
        bench.measure("\n".join([*write(PORTS), ""]).encode(), "bench.txt", kind)
    if find_spec("ntc_templates") is None:
        print("ntc-templates is not installed, so no output is compared with it: pip install ntc-templates")
    heads = f"{'lines':>8}{'split':>7}{'recognise':>11}{'read':>7}{': split':>9}{': library':>11}"
    print(f"{'microseconds a line':56}{heads}")
    for (os, row), each in sorted(bench.sums.items()):
        if each.lines < LEAST:
            continue
        per = 1e6 / each.lines
        beside = f"{each.beside / each.library:11.2f}" if each.library else f"{'-':>11}"
        whole = (each.recognised + each.read) / max(each.plain, 1e-9)
        times = f"{each.plain * per:7.2f}{each.recognised * per:11.2f}{each.read * per:7.1f}{whole:9.0f}{beside}"
        print(f"{os:22}{row[:33]:34}{each.lines:8}{times}")
    print(f"the library is ciscoconfparse2 for a configuration, TextFSM for an output; not read: {bench.failed} files")


if __name__ == "__main__":
    main(sys.argv[1:])
