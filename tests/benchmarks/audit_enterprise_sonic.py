"""How long the audit of a 10,000-line Enterprise SONiC switch takes, against ciscoconfparse2's plain parse of it.

Run it: `python tests/benchmarks/audit_enterprise_sonic.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
hostname bench-leaf1
interface-naming standard
roce enable
qos wred-policy ROCE
 green minimum-threshold 1048 maximum-threshold 2097 drop-probability 5
 ecn green
qos scheduler-policy ROCE
 queue 3
  type dwrr
  weight 50
qos map dscp-tc ROCE
 dscp 24,26 traffic-class 3
qos map tc-queue ROCE
 traffic-class 3 queue 3
qos map tc-pg ROCE
 traffic-class 3 priority-group 3
""".splitlines()
QOS = """\
 queue 3 wred-policy ROCE
 scheduler-policy ROCE
 qos-map dscp-tc ROCE
 qos-map tc-queue ROCE
 qos-map tc-pg ROCE
 priority-flow-control priority 3
 priority-flow-control watchdog on detect-time 200""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (length - len(HEAD)) // ports - len(QOS) - 6
    for port in range(1, ports + 1):
        uplink = port % 4 == 0
        lines += [
            f"interface Eth1/{port}",
            f" description {'spine' if uplink else 'gpu'}-{port:03d} rack {port * 7 % 61}",
            f" mtu {9216 if uplink else 9100}",
            " speed 400000",
            *QOS,
            *(f" switchport trunk allowed Vlan add {vlan}" for vlan in range(2, 2 + filler)),
            " no shutdown",
            "!",
        ]
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(length - len(lines))]
    return lines


if __name__ == "__main__":
    compare(switch(), "dell_enterprise_sonic", "ios")
