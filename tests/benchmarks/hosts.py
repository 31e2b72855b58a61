"""What it costs to audit hosts of eight NICs, by their number, against reading and splitting the same bytes.

    python tests/benchmarks/hosts.py [HOSTS]

Each host is the transcript of `fixtures/hosts/nvidia` with a name and addresses of its own; what is audited is thrown
away at once, as a worker would. The plain way decodes the same bytes and splits them into lines and words. Both run in
one process, alternately by a tenth of the hosts; imports and the loading of rules are left out.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from auditor.checks.catalogue import load_rules
from auditor.engine.check import check_device
from auditor.engine.load import read_device
from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import parse_intent

HOST = Path(__file__).parents[2] / "fixtures" / "hosts" / "nvidia"
HOSTS = 10_000
PARTS = 10


def hosts(first: int, count: int) -> Iterator[bytes]:
    """Yield the transcripts of *count* hosts."""
    text = (HOST / "gpu-nvidia.txt").read_text(encoding="utf-8")
    for number in range(first, first + count):
        address = f"{number >> 8 & 255:02x}:{number & 255:02x}"
        yield re.sub(r"([0-9a-f]{2}:[0-9a-f]{2}):[0-9a-f]{2}:[0-9a-f]{2}\b", rf"\1:{address}", text).encode()


def main(count: int) -> None:
    """Print the time of each part of the hosts, and both ways' time for a host."""
    intents = parse_intent("roce-audit.yaml", (HOST / "roce-audit.yaml").read_text(encoding="utf-8"))
    every = load_rules()
    part, size, ours, theirs = count // PARTS, 0, [0.0] * PARTS, [0.0] * PARTS
    for number in range(PARTS):
        dumps = list(hosts(number * part, part))
        size += sum(map(len, dumps))
        start = perf_counter()
        for each in dumps:
            for line in each.decode().split("\n"):
                line.split()
        theirs[number] = perf_counter() - start
        start = perf_counter()
        for each in dumps:
            raw = Raw("host.txt", ".", tuple(each.decode().split("\n")), ends_with_newline=True)
            device = read_device(DeviceUnit("host", "host.txt", "linux", list_captures(raw))).device
            check_device(device, intents, every)
        ours[number] = perf_counter() - start
    done = part * PARTS
    print(f"{done} hosts of {len(device.ports)} NICs, {size / 1e6:.0f} MB")
    print("ms a host, tenth by tenth: " + " ".join(f"{taken / part * 1000:.1f}" for taken in ours))
    print(f"audit {sum(ours) / done * 1000:.1f} ms, reading and splitting {sum(theirs) / done * 1000:.2f} ms a host")
    print(f"ratio {sum(ours) / sum(theirs):.1f}; last tenth to first {ours[-1] / ours[0]:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HOSTS)
