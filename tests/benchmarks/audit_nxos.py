"""How long the audit of a 10,000-line NX-OS switch takes, against ciscoconfparse2's plain parse of the same file.

    python tests/benchmarks/audit_nxos.py

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
from auditor.parsers import nxos
from auditor.report import json
from auditor.snapshot import Unit, read
from auditor.topology import fabric

PORTS = 128
LINES = 10_000
ROUNDS = 7
HEAD = """\
hostname bench-leaf1
feature lldp
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
class-map type qos match-any RDMA
  match dscp 26
class-map type qos match-any CNP
  match dscp 48
policy-map type qos CLASSIFY
  class RDMA
    set qos-group 3
  class CNP
    set qos-group 7
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
  class type queuing c-out-8q-q7
    priority level 1
system qos
  service-policy type network-qos LOSSLESS
  service-policy type queuing output OUT
priority-flow-control watch-dog-interval on
""".splitlines()


def switch() -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (LINES - len(HEAD)) // PORTS - 9
    for port in range(1, PORTS + 1):
        uplink = port % 4 == 0
        lines += [
            f"interface Ethernet1/{port}",
            f"  description {'spine' if uplink else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}",
            "  no switchport" if uplink else "  switchport mode trunk",
            "  priority-flow-control mode on",
            "  priority-flow-control watch-dog-interval on",
            f"  mtu {9216 if uplink else 9000}",
            "  service-policy type qos input CLASSIFY",
            "  spanning-tree port type edge trunk" if not uplink else "  ip ospf network point-to-point",
            *(f"  switchport trunk allowed vlan add {vlan}" for vlan in range(2, 2 + filler)),
            "  no shutdown",
        ]
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(LINES - len(lines))]
    return lines


def audit(lines: list[str]) -> str:
    """Audit the switch from its lines to the JSON report."""
    unit = Unit("bench", "bench.cfg", nxos.OS, (Capture("bench.cfg", tuple(lines)),))
    found = read(unit)
    intents = infer([votes_of(found.device)])
    joined = fabric([found.device])
    outcome = check_device(found.device, intents, rules())
    outcome.add(check_fabric(joined, intents, rules()))
    return json.render(report(joined, intents, rules(), outcome), lambda _file, _line: None)


def plain(lines: list[str]) -> object:
    """Parse the same lines with ciscoconfparse2 alone."""
    from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415  its import is not measured

    return CiscoConfParse(lines, syntax="nxos")


def timed(function: Callable[[list[str]], object], lines: list[str]) -> float:
    """Return the seconds that one call takes."""
    start = perf_counter()
    function(lines)
    return perf_counter() - start


def main() -> int:
    """Print the figures."""
    lines = switch()
    rules()
    defaults_of(nxos.OS)
    plain(lines[:50])
    audit(lines[:50])
    pairs = [(timed(audit, lines), timed(plain, lines)) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    each = sorted(mine / other for mine, other in pairs)
    print(f"{len(lines)} lines, {PORTS} ports, {ROUNDS} pairs")
    print(f"audit {ours * 1000:.0f} ms, CiscoConfParse {theirs * 1000:.0f} ms (medians)")
    print(f"ratio {ours / theirs:.3f} (pairs {each[0]:.3f} to {each[-1]:.3f})")
    unit = Unit("bench", "bench.cfg", nxos.OS, (Capture("bench.cfg", tuple(lines)),))
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
