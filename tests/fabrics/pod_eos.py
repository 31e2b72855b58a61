"""The pod's leaves and spines as Arista DCS-7060DX5-64S with EOS: their running configuration and what they show."""

from collections.abc import Iterator, Sequence

from pod_wiring import Cable

MODEL, RELEASE = "DCS-7060DX5-64S", "4.32.2F"
HEADROOM = {"leaf": "bytes 165100", "spine": "165100"}
"""Headroom by role: guides write it with its unit and without, which is bytes then."""

HEAD = """\
! Command: show running-config
! device: {name} ({model}, EOS-{release})
!
! boot system flash:/EOS64-{release}.swi
!
no aaa root
!
username admin privilege 15 role network-admin secret sha512 $6$MADEUP$podHashThatOpensNoDoor{number:02d}
!
tacacs-server host 192.0.2.30 vrf MGMT key 7 madeUpTacacsKey4
!
aaa group server tacacs+ OPS
   server 192.0.2.30 vrf MGMT
!
aaa authentication login default group OPS local
!
platform trident mmu queue profile SU1
   ingress threshold 1
   ingress headroom {headroom}
   egress unicast queue 0 threshold 1/4
   egress unicast queue 1 threshold 1/2
   egress unicast queue 2 threshold 1
   egress unicast queue 3 threshold 8
   egress unicast queue 6 threshold 1
   egress unicast queue 6 reserved bytes 5080
!
platform trident mmu queue profile SU1 apply
!
ip load-sharing trident fields ip source-ip source-port destination-ip destination-port
!
transceiver qsfp default-mode 4x10G
!
service routing protocols model multi-agent
!
logging vrf MGMT host 192.0.2.31
logging trap notifications
!
hostname {name}
ip name-server vrf MGMT 192.0.2.53
dns domain su1.example.net
!
lldp timer 30
lldp management-address Management1
!
priority-flow-control pause watchdog default timeout 0.2
priority-flow-control pause watchdog default recovery-time 0.4
priority-flow-control pause watchdog default polling-interval 0.1
priority-flow-control pause watchdog action drop
!
qos map dscp 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 19 20 21 22 23 24 25 27 28 29 30 31 to traffic-class 1
qos map dscp 18 to traffic-class 2
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
qos map traffic-class 2 to tx-queue 2
qos map traffic-class 3 to tx-queue 3
qos map traffic-class 6 to tx-queue 6
!
qos profile SU1-ROCE
   qos trust dscp
   !
   uc-tx-queue 0
      no priority
      bandwidth percent 2
   !
   uc-tx-queue 1
      no priority
      bandwidth percent 10
   !
   uc-tx-queue 2
      no priority
      bandwidth percent 10
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 74
      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 3000 kbytes max-mark-probability 7 weight 0
   !
   uc-tx-queue 4
      no priority
      bandwidth percent 2
   !
   uc-tx-queue 5
      no priority
      bandwidth percent 2
   !
   uc-tx-queue 6
      priority strict
   !
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
!
snmp-server community madeUpCommunity4 ro
snmp-server location hall 2, row {row}
snmp-server vrf MGMT
!
spanning-tree mode none
!
ntp server vrf MGMT 192.0.2.123
!
vrf instance MGMT
!
"""

PORT = """\
interface Ethernet{port}/1
   description {device} {peer}
   mtu 9214
   speed 400g-8
   error-correction encoding reed-solomon
   no switchport
   service-profile SU1-ROCE
   ip address {address}/31
   !
   uc-tx-queue 3
      random-detect ecn count
!
"""

TAIL = """\
interface Loopback0
   description router id
   ip address {router}/32
!
interface Management1
   vrf MGMT
   ip address 192.0.2.{management}/24
!
ip routing
no ip routing vrf MGMT
!
ip prefix-list LOOPBACKS seq 10 permit 10.255.255.0/24 eq 32
ip prefix-list RAILS seq 10 permit 10.16.0.0/12 ge 31 le 31
!
ip route vrf MGMT 0.0.0.0/0 192.0.2.1
!
route-map CONNECTED permit 10
   match ip address prefix-list LOOPBACKS
!
route-map CONNECTED permit 20
   match ip address prefix-list RAILS
!
router bgp {own_as}
   router-id {router}
   no bgp default ipv4-unicast
   maximum-paths 64 ecmp 64
   neighbor FABRIC peer group
   neighbor FABRIC bfd
   neighbor FABRIC password 7 madeUp0badc0ffee==
{neighbors}\
   redistribute connected route-map CONNECTED
   !
   address-family ipv4
      neighbor FABRIC activate
!
management api http-commands
   no shutdown
   !
   vrf MGMT
      no shutdown
!
management ssh
   vrf MGMT
      no shutdown
!
end
"""

NEIGHBOR = """\
   neighbor {peer_address} peer group FABRIC
   neighbor {peer_address} remote-as {peer_as}
   neighbor {peer_address} description {device} {peer}
"""

SEEN = """\
Interface {port} detected 1 LLDP neighbors:

  Neighbor {mac}/"{peer}", age 12 seconds
  Discovered 9 days, 3:01:11 ago; Last changed 9 days, 3:01:11 ago
  - Chassis ID type: MAC address (4)
    Chassis ID     : {mac}
  - Port ID type: Interface name (5)
    Port ID     : "{peer}"
  - Time To Live: 120 seconds
  - System Name: "{device}"

"""


def port_name(number: int) -> str:
    """Return the name that EOS gives a port of four or eight lanes."""
    return f"Ethernet{number}/1"


def captures(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> Iterator[tuple[str, str]]:
    """Yield each command that is captured of a switch with *cables*, and its output; *number* makes its addresses."""
    yield "show running-config", configuration(name, number, own_as, cables)
    yield "show version", version(number)
    yield "show interfaces status", status(cables)
    yield "show lldp neighbors detail", "\n".join(map(_neighbour, cables))


def configuration(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> str:
    """Return the running configuration of a switch."""
    headroom = HEADROOM[name.rstrip("0123456789")]
    parts = [HEAD.format(name=name, number=number, row=number % 10, model=MODEL, release=RELEASE, headroom=headroom)]
    parts += (PORT.format(port=each.port, device=each.device, peer=each.peer, address=each.address) for each in cables)
    neighbors = "".join(
        NEIGHBOR.format(peer_address=each.peer_address, peer_as=each.peer_as, device=each.device, peer=each.peer)
        for each in cables
        if each.peer_as
    )
    router = f"10.255.255.{number}"
    parts.append(TAIL.format(management=100 + number, router=router, own_as=own_as, neighbors=neighbors))
    return "".join(parts)


def version(number: int) -> str:
    """Return what `show version` prints."""
    return f"""\
Arista {MODEL}-F
Hardware version: 11.01
Serial number: MADEUP{number:05d}
Hardware MAC address: 0200.5e4e.{number:02x}00
System MAC address: 0200.5e4e.{number:02x}00

Software image version: {RELEASE}
Architecture: x86_64
Internal build version: {RELEASE}-38195967.4322F
Image format version: 3.0
Image optimization: Strata-4GB

Uptime: 9 days, 3 hours and 12 minutes
Total memory: 32780284 kB
Free memory: 28361052 kB
"""


def status(cables: Sequence[Cable]) -> str:
    """Return what `show interfaces status` prints."""
    row = "{:<10} {:<22} {:<12} {:<11} {:<6} {:<6} {}".format
    rows = (
        row(f"Et{each.port}/1", f"{each.device} {each.peer}", "connected", "routed", "full", "400G", "400GBASE-DR4")
        for each in cables
    )
    head = row("Port", "Name", "Status", "Vlan", "Duplex", "Speed", "Type")
    management = row("Ma1", "", "connected", "routed", "a-full", "a-1G", "10/100/1000")
    return "\n".join([head, *rows, management, ""])


def _neighbour(cable: Cable) -> str:
    """Return what the switch tells of the neighbour at one port."""
    mac = f"0200.5e{sum(map(ord, cable.device)) % 256:02x}.{cable.port:02x}00"
    return SEEN.format(port=port_name(cable.port), mac=mac, peer=cable.peer, device=cable.device)
