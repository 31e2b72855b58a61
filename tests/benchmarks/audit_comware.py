"""How long the audit of a 10,000-line Comware switch takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_comware.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
#
 version 7.1.070, Release 6710P01
#
 sysname bench-leaf1
#
 priority-flow-control deadlock cos 3 interval 10
#
qos map-table dscp-dot1p
 import 26 export 3
 import 48 export 6
#
qos wred queue table ROCE
 queue 3 drop-level 0 low-limit 1000 high-limit 2000 discard-probability 20
 queue 3 ecn
#
""".splitlines()
TAIL = """\
interface M-GigabitEthernet0/0/0
 ip address 192.0.2.12 255.255.255.0
#
return
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description and address, and VLAN interfaces beside."""
    lines = list(HEAD)
    filler = ((length - len(HEAD) - len(TAIL)) // ports - 13) // 4
    for port in range(ports):
        text = f"{'spine' if port % 4 == 0 else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}"
        lines += [
            f"interface FourHundredGigE1/0/{port + 1}",
            " port link-mode route",
            f" description {text}",
            f" ip address 10.0.{port}.0 255.255.255.254",
            f" mtu {9198 if port % 4 else 9100}",
            " priority-flow-control deadlock enable",
            " priority-flow-control enable",
            " priority-flow-control no-drop dot1p 3",
            " qos trust dscp",
            " qos wfq weight",
            " qos wfq cs6 group sp",
            " qos wred apply ROCE",
            "#",
        ]
        for vlan in range(2, 2 + filler):
            lines += [
                f"interface Vlan-interface{port * 31 + vlan}",
                f" ip address 10.1.{port}.{vlan} 255.255.255.255",
                " arp send-gratuitous-arp interval 2000",
                "#",
            ]
    lines += ["#" for _ in range(length - len(lines) - len(TAIL))]
    return [*lines, *TAIL]


if __name__ == "__main__":
    compare(switch(), "hp_comware", "ios")
