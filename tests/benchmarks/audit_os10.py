"""How long the audit of a 10,000-line OS10 switch takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_os10.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
! Version 10.5.6.0
!
hostname bench-leaf1
!
wred ECN_ROCE
 random-detect color green minimum-threshold 400 maximum-threshold 1200 drop-probability 20
 random-detect ecn
!
class-map type network-qos NQ_ROCE
 match qos-group 3
!
class-map type queuing Q_BULK
 match queue 0
!
class-map type queuing Q_ROCE
 match queue 3
!
class-map type queuing Q_CNP
 match queue 6
!
trust dscp-map DSCP_IN
 qos-group 3 dscp 26
 qos-group 6 dscp 48
!
qos-map traffic-class TC_OUT
 queue 0 qos-group 0-2,4-5,7
 queue 3 qos-group 3
 queue 6 qos-group 6
!
policy-map type network-qos PFC_ROCE
 !
 class NQ_ROCE
  pause
  pfc-cos 3
!
policy-map type queuing ETS_ROCE
 !
 class Q_BULK
  bandwidth percent 40
 !
 class Q_ROCE
  bandwidth percent 60
  random-detect ECN_ROCE
 !
 class Q_CNP
  priority
!
system qos
 trust-map dscp DSCP_IN
 ets mode on
!
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = (length - len(HEAD)) // ports - 14
    for port in range(1, ports + 1):
        uplink = port % 4 == 0
        lines += [
            f"interface ethernet1/1/{port}",
            f" description {'spine' if uplink else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}",
            " no shutdown",
            " no switchport" if uplink else " switchport mode trunk",
            f" mtu {9216 if uplink else 9100}",
            " flowcontrol receive off",
            " flowcontrol transmit off",
            " priority-flow-control mode on",
            " service-policy input type network-qos PFC_ROCE",
            " service-policy output type queuing ETS_ROCE",
            " qos-map traffic-class TC_OUT",
            " ets mode on",
            *(f" switchport trunk allowed vlan {vlan}" for vlan in range(2, 2 + filler)),
            " ip ospf network point-to-point" if uplink else " spanning-tree port type edge",
            "!",
        ]
    lines += [f"ip route 10.{n // 250}.{n % 250}.0/24 10.255.0.1" for n in range(length - len(lines))]
    return lines


if __name__ == "__main__":
    compare(switch(), "dell_os10", "ios")
