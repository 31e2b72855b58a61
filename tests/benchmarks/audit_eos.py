"""How long the audit of a 10,000-line EOS switch takes, against ciscoconfparse2's plain parse of the same file.

    python tests/benchmarks/audit_eos.py

Both run in one process, alternately; imports and the loading of rules are left out. Prints the ratio of the medians
and of each pair, and the memory that a port takes.
"""

import statistics
import sys
import tracemalloc
from collections.abc import Callable
from time import perf_counter

from auditor.audit import check_device, check_fabric, report
from auditor.effective import defaults_of
from auditor.intent import infer, votes_of
from auditor.model.dump import Capture
from auditor.packs import rules
from auditor.parsers import eos
from auditor.report import json
from auditor.snapshot import Unit, read
from auditor.topology import fabric

PORTS = 128
LINES = 10_000
ROUNDS = 7
HEAD = """\
! device: bench-leaf1 (DCS-7060CX-32S, EOS-4.30.1F)
hostname bench-leaf1
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
qos rewrite dscp
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100
   uc-tx-queue 6
      priority strict
priority-flow-control pause watchdog default timeout 0.2
""".splitlines()


def switch() -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (LINES - len(HEAD)) // PORTS - 10
    for port in range(1, PORTS + 1):
        uplink = port % 4 == 0
        lines += [
            f"interface Ethernet{port}/1",
            f"   description {'spine' if uplink else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}",
            f"   mtu {9214 if uplink else 9000}",
            "   no switchport" if uplink else "   switchport mode trunk",
            "   service-profile ROCE",
            "   uc-tx-queue 3",
            "      random-detect ecn count",
            "   ip ospf network point-to-point" if uplink else "   spanning-tree portfast",
            *(f"   switchport trunk allowed vlan add {vlan}" for vlan in range(2, 2 + filler)),
            "   no shutdown",
            "!",
        ]
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(LINES - len(lines))]
    return lines


def audit(lines: list[str]) -> str:
    """Audit the switch from its lines to the JSON report."""
    unit = Unit("bench", "bench.cfg", eos.OS, (Capture("bench.cfg", tuple(lines)),))
    found = read(unit)
    intents = infer([votes_of(found.device)])
    joined = fabric([found.device])
    outcome = check_device(found.device, intents, rules())
    outcome.add(check_fabric(joined, intents, rules()))
    return json.render(report(joined, intents, rules(), outcome), lambda _file, _line: None)


def plain(lines: list[str]) -> object:
    """Parse the same lines with ciscoconfparse2 alone."""
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  its import is not measured

    return CiscoConfParse(lines, syntax="ios")


def timed(function: Callable[[list[str]], object], lines: list[str]) -> float:
    """Return the seconds that one call takes."""
    start = perf_counter()
    function(lines)
    return perf_counter() - start


def main() -> int:
    """Print the figures."""
    lines = switch()
    rules()
    defaults_of(eos.OS)
    plain(lines[:50])
    audit(lines[:50])
    pairs = [(timed(audit, lines), timed(plain, lines)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    each = sorted(mine / other for mine, other in pairs)
    print(f"{len(lines)} lines, {PORTS} ports, {ROUNDS} pairs")
    print(f"audit {ours * 1000:.0f} ms, CiscoConfParse {theirs * 1000:.0f} ms (medians)")
    print(f"ratio {ours / theirs:.3f} (pairs {each[0]:.3f} to {each[-1]:.3f})")
    unit = Unit("bench", "bench.cfg", eos.OS, (Capture("bench.cfg", tuple(lines)),))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = read(unit)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    shapes = len({id(port.config) for port in kept.device.ports})
    print(f"memory {taken / PORTS / 1024:.1f} KiB a port ({shapes} distinct port configurations)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
