"""The pod's leaves and spines as NVIDIA SN5600 (Spectrum-4) with Cumulus Linux: startup.yaml and what they show.

A cage of 800G is broken out into two ports of 400G. `qos roce` lays the profile of RoCE below what the file changes.
"""

from collections.abc import Iterator, Sequence

from pod_wiring import Cable

PER_CAGE = 2

HEAD = """\
- header:
    model: SN5600
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.15.0
- set:
    interface:
      eth0:
        description: management
        ipv4:
          address:
            192.0.2.{management}/24: {{}}
          gateway:
            192.0.2.1: {{}}
        type: eth
        vrf: mgmt
      lo:
        ipv4:
          address:
            {router}/32: {{}}
        type: loopback
"""

CAGE = """\
      swp{cage}:
        link:
          breakout:
            2x:
              lanes-per-port: '4'
        type: swp
"""

PORT = """\
      {port}:
        description: {device} {peer}
        ipv4:
          address:
            {address}/31: {{}}
        link:
          auto-negotiate: disabled
          fec: rs
          mtu: 9216
          speed: 400G
          state:
            up: {{}}
        qos:
          pfc-watchdog:
            state: enabled
        type: swp
"""

MIDDLE = """\
    qos:
      advance-buffer-config:
        default-global:
          egress-lossless-buffer:
            shared-alpha: alpha_16
          egress-lossy-buffer:
            traffic-class:
              '0':
                shared-alpha: alpha_1_2
              '2':
                shared-alpha: alpha_1
              '6':
                reserved: 4096
                shared-alpha: alpha_8
          ingress-lossless-buffer:
            shared-alpha: alpha_1
      congestion-control:
        default-global:
          traffic-class:
            '3':
              ecn: enabled
              max-threshold: 3000000
              min-threshold: 150000
              probability: 7
              red: disabled
      egress-queue-mapping:
        default-global:
          switch-priority:
            '2':
              traffic-class: 2
            '3':
              traffic-class: 3
            '6':
              traffic-class: 6
      egress-scheduler:
        default-global:
          traffic-class:
            '0':
              bw-percent: 15
              mode: dwrr
            '2':
              bw-percent: 10
              mode: dwrr
            '3':
              bw-percent: 75
              mode: dwrr
            '6':
              mode: strict
      mapping:
        default-global:
          dscp:
            0-17,19-25,27-47,49-63:
              switch-priority: 0
            '18':
              switch-priority: 2
            '26':
              switch-priority: 3
            '48':
              switch-priority: 6
          port-default-sp: 0
          trust: l3
      pfc:
        default-global:
          cable-length: 40
          rx: enabled
          switch-priority:
            '3': {}
          tx: enabled
      pfc-watchdog:
        polling-interval: 100
        robustness: 3
      roce:
        mode: lossless
        state: enabled
      traffic-pool:
        default-lossy:
          memory-percent: 20
        roce-lossless:
          memory-percent: 80
"""

ROUTER = """\
    router:
      bgp:
        autonomous-system: {own_as}
        router-id: {router}
        state: enabled
      policy:
        prefix-list:
          LOOPBACKS:
            rule:
              '10':
                action: permit
                match:
                  10.255.255.0/24:
                    max-prefix-len: 32
                    min-prefix-len: 32
          RAILS:
            rule:
              '10':
                action: permit
                match:
                  10.16.0.0/12:
                    max-prefix-len: 31
                    min-prefix-len: 31
        route-map:
          CONNECTED:
            rule:
              '10':
                action:
                  permit: {{}}
                match:
                  ip-prefix-list: LOOPBACKS
                  type: ipv4
              '20':
                action:
                  permit: {{}}
                match:
                  ip-prefix-list: RAILS
                  type: ipv4
    system:
      aaa:
        tacacs:
          server:
            '1':
              host: 192.0.2.30
              secret: madeUpTacacsKey4
          state: enabled
          vrf: mgmt
        user:
          cumulus:
            hashed-password: $6$MADEUP$podHashThatOpensNoDoor{number:02d}
            role: system-admin
      dns:
        server:
          192.0.2.53:
            vrf: mgmt
      forwarding:
        ecmp-hash:
          destination-ip: enabled
          destination-port: enabled
          ip-protocol: enabled
          source-ip: enabled
          source-port: enabled
      hostname: {name}
      lldp:
        state: enabled
        tx-interval: 30
      ntp:
        server:
          192.0.2.123: {{}}
        vrf: mgmt
      snmp-server:
        readonly-community:
          madeUpCommunity4:
            access:
              any: {{}}
        state: enabled
        system-location: hall 2, row {row}
      ssh-server:
        state: enabled
      syslog:
        server:
          192.0.2.31:
            vrf: mgmt
    vrf:
      default:
        router:
          bgp:
            address-family:
              ipv4-unicast:
                multipaths:
                  ebgp: 64
                redistribute:
                  connected:
                    route-map: CONNECTED
                    state: enabled
                state: enabled
            neighbor:
"""

NEIGHBOR = """\
              {peer_address}:
                description: {device} {peer}
                peer-group: FABRIC
                remote-as: {peer_as}
                type: numbered
"""

TAIL = """\
            path-selection:
              multipath:
                aspath-ignore: enabled
            peer-group:
              FABRIC:
                bfd:
                  state: enabled
                password: madeUp0badc0ffee
                remote-as: external
            state: enabled
"""


def port_name(number: int) -> str:
    """Return the name that Cumulus Linux gives a port of a cage that is broken out."""
    return f"swp{(number - 1) // PER_CAGE + 1}s{(number - 1) % PER_CAGE}"


def captures(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> Iterator[tuple[str, str]]:
    """Yield each capture of a switch with *cables*, and its text; *number* makes its addresses."""
    yield "startup.yaml", startup(name, number, own_as, cables)
    yield "nv show interface lldp", lldp(cables)


def startup(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> str:
    """Return the configuration of a switch, as NVUE saves it."""
    router = f"10.255.255.{number}"
    parts = [HEAD.format(management=100 + number, router=router)]
    for each in cables:
        if (each.port - 1) % PER_CAGE == 0:
            parts.append(CAGE.format(cage=(each.port - 1) // PER_CAGE + 1))
        parts.append(
            PORT.format(port=port_name(each.port), device=each.device, peer=each.peer, address=each.address),
        )
    parts += [MIDDLE, ROUTER.format(own_as=own_as, router=router, name=name, number=number, row=number % 10)]
    parts += (
        NEIGHBOR.format(peer_address=each.peer_address, peer_as=each.peer_as, device=each.device, peer=each.peer)
        for each in cables
        if each.peer_as
    )
    return "".join([*parts, TAIL])


def lldp(cables: Sequence[Cable]) -> str:
    """Return what `nv show interface lldp` prints."""
    row = "{:<9}  {:<5}  {:<4}  {:<11}  {}".format
    rows = (row(port_name(each.port), "400G", "swp", each.device, each.peer) for each in cables)
    head = row("Interface", "Speed", "Type", "Remote Host", "Remote Port")
    rule = row("-" * 9, "-" * 5, "-" * 4, "-" * 11, "-" * 17)
    return "\n".join([head, rule, row("eth0", "1G", "eth", "oob-switch", "swp9"), *rows, ""])
