"""How long the audit of a 10,000-line router with IOS XR takes, against ciscoconfparse2's plain parse of the same file.

Run it: `python tests/benchmarks/audit_iosxr.py`.
"""

from against_ciscoconfparse import compare

PORTS = 128
LINES = 10_000
HEAD = """\
!! IOS XR Configuration 24.3.1
!! Last configuration change at Sat Nov 21 05:12:44 2026 by netops
!
hostname bench-leaf1
lldp
!
class-map match-any CNP
 match dscp 48
 end-class-map
!
class-map match-any RDMA
 match dscp 26
 end-class-map
!
class-map match-any TC3
 match traffic-class 3
 end-class-map
!
class-map match-any TC6
 match traffic-class 6
 end-class-map
!
policy-map RDMA-IN
 class RDMA
  set traffic-class 3
 !
 class CNP
  set traffic-class 6
 !
 class class-default
  set traffic-class 0
 !
 end-policy-map
!
policy-map RDMA-OUT
 class TC6
  priority level 1
 !
 class TC3
  bandwidth remaining ratio 60
  random-detect 500 kbytes 2 mbytes probability percentage 10
  random-detect ecn
 !
 class class-default
  bandwidth remaining ratio 40
 !
 end-policy-map
!
""".splitlines()
TAIL = """\
hw-module profile priority-flow-control location 0/RP0/CPU0
 buffer-extended traffic-class 3 pause-threshold 4000000 bytes headroom 1200000 bytes
!
end
""".splitlines()


def switch(ports: int = PORTS, length: int = LINES) -> list[str]:
    """Return the lines of a leaf: every port with its own description and subinterfaces, uplinks unlike host ports."""
    lines = list(HEAD)
    filler = ((length - len(HEAD) - len(TAIL)) // ports - 9) // 4
    for port in range(ports):
        name = f"FourHundredGigE0/0/0/{port}"
        uplink = port % 4 == 0
        lines += [
            f"interface {name}",
            f" description {'spine' if uplink else 'gpu'}-{port:03d} rack {port * 7 % 61} cable {port * 7919 % 9973}",
            f" mtu {9216 if uplink else 9114}",
            " service-policy input RDMA-IN",
            " service-policy output RDMA-OUT",
            f" ipv4 address 10.0.{port}.0 255.255.255.254",
            " load-interval 30",
            " priority-flow-control mode on",
            "!",
        ]
        for vlan in range(2, 2 + filler):
            lines += [f"interface {name}.{vlan}", f" vrf T{vlan}", f" encapsulation dot1q {vlan}", "!"]
    lines += ["!" for _ in range(length - len(lines) - len(TAIL))]
    return [*lines, *TAIL]


if __name__ == "__main__":
    compare(switch(), "cisco_iosxr", "ios")
