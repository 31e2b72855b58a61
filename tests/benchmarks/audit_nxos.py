"""How long the audit of a 10,000-line NX-OS switch takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_nxos.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
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


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (length - len(HEAD)) // ports - 9
    for port in range(1, ports + 1):
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
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(length - len(lines))]
    return lines


if __name__ == "__main__":
    compare(switch(), "cisco_nxos", "nxos")
