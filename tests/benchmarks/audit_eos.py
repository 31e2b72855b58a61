"""How long the audit of a 10,000-line EOS switch takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_eos.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
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


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (length - len(HEAD)) // ports - 10
    for port in range(1, ports + 1):
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
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(length - len(lines))]
    return lines


if __name__ == "__main__":
    compare(switch(), "arista_eos", "ios")
