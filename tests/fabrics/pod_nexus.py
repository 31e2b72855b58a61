"""The pod's leaves and spines: Nexus 9332D-GX2B with NX-OS, their running configuration and what they show."""

from collections.abc import Iterable, Sequence

from pod_wiring import Cable, leaf_as, leaf_cables, spine_cables

RELEASE = "10.4(5)"

HEAD = """\

!Command: show running-config
!Running configuration last done at: Wed Nov 18 14:22:07 2026
!Time: Sat Nov 21 05:30:02 2026

version 10.4(5) Bios:version 01.14{blank}
hostname {name}
policy-map type network-qos SU1-LOSSLESS
  class type network-qos c-8q-nq7
    mtu 9216
  class type network-qos c-8q-nq6
    mtu 9216
  class type network-qos c-8q-nq5
    mtu 9216
  class type network-qos c-8q-nq4
    mtu 9216
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
  class type network-qos c-8q-nq2
    mtu 9216
  class type network-qos c-8q-nq1
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
vdc {name} id 1
  limit-resource vlan minimum 16 maximum 4094
  limit-resource vrf minimum 2 maximum 4096
  limit-resource port-channel minimum 0 maximum 511

nxapi http port 80
feature tacacs+
feature bgp
feature bfd
feature lldp
feature telemetry

no password strength-check
username admin password 5 $5$MADEUP$podHashThatOpensNoDoor0000000000000000{number:02d}  role network-admin
ip domain-lookup
ip domain-name su1.example.net
tacacs-server key 7 "madeUpTacacsKey4"
tacacs-server host 192.0.2.30{blank}
aaa group server tacacs+ OPS{blank}
    server 192.0.2.30{blank}
    use-vrf management
    source-interface mgmt0

class-map type qos match-any RDMA
  match dscp 26
class-map type qos match-any CNP
  match dscp 48
class-map type qos match-any STORAGE
  match dscp 18
policy-map type qos SU1-CLASSIFY
  class RDMA
    set qos-group 3
  class CNP
    set qos-group 6
  class STORAGE
    set qos-group 2
policy-map type queuing SU1-IN
  class type queuing c-in-q3
    pause buffer-size 187200 pause-threshold 83200 resume-threshold 62400
policy-map type queuing SU1-OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q6
    priority level 2
  class type queuing c-out-8q-q5
    bandwidth remaining percent 0
  class type queuing c-out-8q-q4
    bandwidth remaining percent 0
  class type queuing c-out-8q-q3
    bandwidth remaining percent 80
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q2
    bandwidth remaining percent 10
  class type queuing c-out-8q-q1
    bandwidth remaining percent 0
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 10
system qos
  service-policy type network-qos SU1-LOSSLESS
  service-policy type queuing input SU1-IN
  service-policy type queuing output SU1-OUT
copp profile strict
snmp-server location hall 2, row {row}
snmp-server community madeUpCommunity4 group network-operator
ntp server 192.0.2.123 use-vrf management
logging server 192.0.2.31 5 use-vrf management
priority-flow-control watch-dog-interval on

ip load-sharing address source-destination port source-destination
vlan 1

vrf context management
  ip route 0.0.0.0/0 192.0.2.1
route-map CONNECTED permit 10
  match interface loopback0{servers}

"""

PORT = """\

interface Ethernet1/{port}
  description {device} {peer}
  no switchport
  speed 400000
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input SU1-CLASSIFY
  ip address {address}/31
  no shutdown
"""

TAIL = """\

interface mgmt0
  vrf member management
  ip address 192.0.2.{management}/24

interface loopback0
  description router id
  ip address {router}/32

line console
line vty
  exec-timeout 15
boot nxos bootflash:/nxos64-cs.10.4.5.M.bin
router bgp {own_as}
  router-id {router}
  bestpath as-path multipath-relax
  address-family ipv4 unicast
    redistribute direct route-map CONNECTED
    maximum-paths 64
  template peer FABRIC
    bfd
    password 3 madeup0badc0ffee4444
    address-family ipv4 unicast
"""

NEIGHBOR = """\
  neighbor {peer_address}
    inherit peer FABRIC
    remote-as {peer_as}
    description {device} {peer}
"""


def leaf(number: int) -> str:
    """Return the running configuration of a leaf."""
    return configuration(f"leaf{number}", 10 + number, leaf_as(number), tuple(leaf_cables(number)))


def spine(number: int) -> str:
    """Return the running configuration of a spine."""
    return configuration(f"spine{number}", 40 + number, 65000, tuple(spine_cables(number)))


def configuration(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> str:
    """Return the running configuration of a switch with *cables*; *number* makes its addresses."""
    servers = "".join(f" Ethernet1/{each.port}" for each in cables if not each.peer_as)
    router = f"10.255.255.{number}"
    parts = [HEAD.format(name=name, number=number, row=number % 10, servers=servers, blank=" ")]
    parts += (PORT.format(port=each.port, device=each.device, peer=each.peer, address=each.address) for each in cables)
    parts.append(TAIL.format(management=100 + number, router=router, own_as=own_as))
    parts += (
        NEIGHBOR.format(peer_address=each.peer_address, peer_as=each.peer_as, device=each.device, peer=each.peer)
        for each in cables
        if each.peer_as
    )
    return "".join(parts)


def status(cables: Iterable[Cable]) -> str:
    """Return what `show interface status` prints."""
    rule = "-" * 80
    rows = (
        f"{f'Eth1/{each.port}':<13} {f'{each.device} {each.peer}'[:18]:<18} connected routed    full    400G    "
        "QSFP-400G-DR4"
        for each in cables
    )
    head = "Port          Name               Status    Vlan      Duplex  Speed   Type"
    management = "mgmt0         --                 connected routed    full    1000    --"
    return "\n".join([rule, head, rule, management, *rows, ""])


NEIGHBOUR = """\
Chassis id: 0200.5e4e.{number:02x}00
Port id: {peer}
Local Port id: Eth1/{port}
Port Description: {name} Ethernet1/{port}
System Name: {device}
System Description: Cisco Nexus Operating System (NX-OS) Software {release}
Time remaining: 112 seconds
System Capabilities: B, R
Enabled Capabilities: B, R
Management Address: 192.0.2.{management}
Vlan ID: not advertised


"""


def lldp(name: str, cables: Sequence[Cable]) -> str:
    """Return what `show lldp neighbors detail` prints of neighbours that are switches."""
    head = """\
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
  (W) WLAN Access Point, (P) Repeater, (S) Station, (O) Other
Device ID            Local Intf      Hold-time  Capability  Port ID

"""
    rows = (
        NEIGHBOUR.format(
            number=(10 + _number(each.device)) % 256,
            peer=each.peer,
            port=each.port,
            name=name,
            device=each.device,
            release=RELEASE,
            management=1 + (109 + _number(each.device)) % 254,
        )
        for each in cables
    )
    return f"{head}{''.join(rows)}Total entries displayed: {len(cables)}\n"


def _number(device: str) -> int:
    return int("".join(filter(str.isdigit, device)))
