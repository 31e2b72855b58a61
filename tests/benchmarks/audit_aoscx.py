"""How long the audit of a 10,000-line switch with AOS-CX takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_aoscx.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
!
!Version ArubaOS-CX GL.10.13.1000
!export-password: default
hostname bench-leaf1
qos trust dscp
qos dscp-map 26 local-priority 3 name RoCE
qos pool 1 lossless size 50.00 percent headroom 5000 kbytes priorities 3
qos queue-profile ROCE
    map queue 0 local-priority 0,1,2,4,5,7
    map queue 1 local-priority 3
    map queue 2 local-priority 6
qos schedule-profile ROCE
    dwrr queue 0 weight 10
    dwrr queue 1 weight 20
    strict queue 2
qos threshold-profile SLOPE
    queue 1 action ecn all min-threshold 150 kbytes max-threshold 1500 kbytes
apply qos queue-profile ROCE schedule-profile ROCE
apply qos threshold-profile SLOPE
""".splitlines()
TAIL = """\
interface mgmt
    no shutdown
    ip static 192.0.2.13/24
https-server vrf mgmt
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description and address, and VLAN interfaces beside."""
    lines = list(HEAD)
    filler = ((length - len(HEAD) - len(TAIL)) // ports - 9) // 3
    for port in range(ports):
        text = f"{'spine' if port % 4 == 0 else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}"
        lines += [
            f"interface 1/{port // 64 + 1}/{port % 64 + 1}",
            "    no shutdown",
            f"    mtu {9198 if port % 4 else 9100}",
            f"    description {text}",
            "    routing",
            "    ip mtu 9100",
            f"    ip address 10.0.{port}.0/31",
            "    flow-control priority rxtx 3",
            "    speed auto 100g",
        ]
        for vlan in range(2, 2 + filler):
            lines += [
                f"interface vlan {port * 31 + vlan}",
                f"    ip address 10.1.{port}.{vlan}/32",
                "    ip helper-address 192.0.2.1",
            ]
    lines += ["!" for _ in range(length - len(lines) - len(TAIL))]
    return [*lines, *TAIL]


if __name__ == "__main__":
    compare(switch(), "aruba_aoscx", "ios")
