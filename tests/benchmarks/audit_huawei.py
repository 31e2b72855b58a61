"""How long the audit of a 10,000-line CloudEngine switch takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_huawei.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
!Software Version V300R023C00
#
sysname bench-leaf1
#
drop-profile ROCE
 ecn buffer-size low-limit 150 kbytes high-limit 1500 kbytes discard-percentage 5
#
dcb pfc
 priority 3
 priority 3 deadlock-detect time 10
#
diffserv domain FABRIC
 ip-dscp-inbound 26 phb af3 green
 ip-dscp-inbound 48 phb cs6 green
#
""".splitlines()
TAIL = """\
interface MEth0/0/0
 ip address 192.0.2.11 255.255.255.0
#
return
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description and address, and VLAN interfaces beside."""
    lines = list(HEAD)
    filler = ((length - len(HEAD) - len(TAIL)) // ports - 14) // 4
    for port in range(ports):
        text = f"{'spine' if port % 4 == 0 else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}"
        lines += [
            f"interface 400GE1/0/{port + 1}",
            " undo portswitch",
            f" description {text}",
            f" mtu {9198 if port % 4 else 9100}",
            f" ip address 10.0.{port}.0 255.255.255.254",
            " trust upstream FABRIC",
            " trust dscp",
            " dcb pfc enable mode manual",
            " qos queue 3 wred ROCE",
            " qos queue 3 ecn",
            " qos drr 0 to 5",
            " qos queue 3 drr weight 60",
            " jumboframe enable 9216",
            "#",
        ]
        for vlan in range(2, 2 + filler):
            lines += [
                f"interface Vlanif{port * 31 + vlan}",
                f" ip address 10.1.{port}.{vlan} 255.255.255.255",
                " arp learning strict force-enable",
                "#",
            ]
    lines += ["#" for _ in range(length - len(lines) - len(TAIL))]
    return [*lines, *TAIL]


if __name__ == "__main__":
    compare(switch(), "huawei_vrp", "ios")
