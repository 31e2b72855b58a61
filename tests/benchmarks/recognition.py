"""What it costs to recognise files and to read a host, against decoding and splitting the same bytes.

    python tests/benchmarks/recognition.py [PATH...]

Without paths, the dumps are those of `fixtures/`. Each file is decoded and split into lines and words, and recognised,
in turns; then the host of `fixtures/hosts/nvidia` is split, read and checked, in turns, as one of a fleet: what hosts
print alike is known from the one before. All times are of the processor, the least of several turns; the ratios are of
one run, so that other load on the machine does not change them much.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

from hosts import HOST, hosts

from auditor.checks.catalogue import load_rules
from auditor.engine.check import check_device
from auditor.engine.load import read_device
from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import parse_intent
from auditor.systems import systems

FIXTURES = Path(__file__).parents[2] / "fixtures"
TURNS = 5


def measure(*steps: Callable[[], object]) -> list[float]:
    """Return the least seconds of each of *steps*, which run in turns."""
    least = [float("inf")] * len(steps)
    for _ in range(TURNS):
        for number, step in enumerate(steps):
            start = process_time()
            step()
            least[number] = min(least[number], process_time() - start)
    return least


def split(data: bytes) -> None:
    """Decode *data*, and split the text into lines and words."""
    for line in data.decode(errors="replace").split("\n"):
        line.split()


def list_texts(paths: Sequence[Path]) -> Iterator[tuple[bytes, Raw]]:
    """Yield the bytes and the text of each file below *paths*."""
    for path in paths:
        for file in sorted(each for each in (path.rglob("*") if path.is_dir() else [path]) if each.is_file()):
            data = file.read_bytes()
            raw = parse_text(data, str(file), given=True)
            if isinstance(raw, Raw):
                yield data, raw


def recognise_next(raws: Iterator[Raw]) -> None:
    """Recognise the next text."""
    identify_file(next(raws), None)


def measure_recognition(paths: Sequence[Path]) -> None:
    """Print what a line costs."""
    for system in systems().values():
        system.load_signs()
    texts = dict.fromkeys(list_texts(paths))
    lines = sum(len(raw.lines) for _, raw in texts)
    plain, ours = 0.0, 0.0
    for data, raw in texts:
        longer = (replace(raw, lines=(*raw.lines, *[""] * turn)) for turn in range(TURNS))  # nothing of it is known yet
        found = measure(partial(split, data), partial(recognise_next, iter(list(longer))))
        plain, ours = plain + found[0], ours + found[1]
    print(f"{len(texts)} files of {lines} lines: recognition {ours / lines * 1e6:.2f} us a line, ", end="")
    print(f"reading and splitting {plain / lines * 1e6:.2f} us; ratio {ours / plain:.1f}")


def measure_host() -> None:
    """Print what a host of a fleet costs."""
    intents = parse_intent("roce-audit.yaml", (HOST / "roce-audit.yaml").read_text(encoding="utf-8"))
    every = load_rules()
    fleet = iter(list(hosts(0, TURNS)))
    last: list[bytes] = []
    raws: list[Raw] = []
    units: list[DeviceUnit] = []

    def decode() -> None:
        last.append(next(fleet))
        split(last[-1])

    def recognise() -> None:
        raws.append(Raw("host.txt", ".", tuple(last[-1].decode().split("\n")), ends_with_newline=True))
        units.append(DeviceUnit("host", "host.txt", "linux", list_captures(raws[-1])))

    def audit() -> None:
        check_device(read_device(units[-1]).device, intents, every)

    plain, found, audited = measure(decode, recognise, audit)
    print(f"host of a fleet: recognition {found * 1e3:.1f} ms, reading and checking {audited * 1e3:.1f} ms, ", end="")
    print(f"splitting {plain * 1e3:.2f} ms; ratio {(found + audited) / plain:.0f}")


if __name__ == "__main__":
    gc.set_threshold(20_000, 20, 20)  # as the program does
    measure_host()
    measure_recognition([Path(each) for each in sys.argv[1:]] or [FIXTURES])
