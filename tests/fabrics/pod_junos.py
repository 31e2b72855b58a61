"""The pod's leaves and spines as Juniper QFX5240-64OD with Junos Evolved: their configuration and what they show.

A cage of 800G is broken out into two ports of 400G.
"""

from collections.abc import Iterator, Sequence

from pod_junos_cos import CLASS_OF_SERVICE
from pod_wiring import Cable

MODEL, RELEASE = "qfx5240-64od", "23.4X100-D40.7-EVO"
PER_CAGE = 2

HEAD = """\
## Last commit: 2026-11-18 14:22:07 UTC by admin
version {release};
system {{
    host-name {name};
    root-authentication {{
        encrypted-password "$6$MADEUP$podHashThatOpensNoDoor{number:02d}"; ## SECRET-DATA
    }}
    login {{
        user admin {{
            uid 2000;
            class super-user;
            authentication {{
                encrypted-password "$6$MADEUP$podHashThatOpensNoDoor{number:02d}"; ## SECRET-DATA
            }}
        }}
    }}
    services {{
        ssh;
        netconf {{
            ssh;
        }}
    }}
    domain-name su1.example.net;
    management-instance;
    authentication-order [ tacplus password ];
    tacplus-server {{
        192.0.2.30 {{
            secret "$9$madeUpTacacsKey4"; ## SECRET-DATA
            routing-instance mgmt_junos;
        }}
    }}
    syslog {{
        host 192.0.2.31 {{
            any notice;
            routing-instance mgmt_junos;
        }}
    }}
    ntp {{
        server 192.0.2.123 routing-instance mgmt_junos;
    }}
}}
chassis {{
    fpc 0 {{
        traffic-manager {{
            buffer-monitor-enable;
        }}
    }}
}}
interfaces {{
"""

CAGE = """\
    et-0/0/{cage} {{
        description "breakout 2x400G";
        number-of-sub-ports 2;
        speed 400g;
    }}
"""

PORT = """\
    {port} {{
        description "{device} {peer}";
        mtu 9216;
        unit 0 {{
            family inet {{
                mtu 9170;
                address {address}/31;
            }}
        }}
    }}
"""

MIDDLE = """\
    re0:mgmt-0 {{
        unit 0 {{
            family inet {{
                address 192.0.2.{management}/24;
            }}
        }}
    }}
    lo0 {{
        unit 0 {{
            family inet {{
                address {router}/32;
            }}
        }}
    }}
}}
snmp {{
    location "hall 2, row {row}";
    community madeUpCommunity4 {{
        authorization read-only;
        routing-instance mgmt_junos;
    }}
    routing-instance-access;
}}
forwarding-options {{
    hash-key {{
        family inet {{
            layer-3;
            layer-4;
        }}
    }}
    enhanced-hash-key {{
        ecmp-dlb {{
            flowlet {{
                inactivity-interval 128;
                flowset-table-size 2048;
            }}
            ether-type {{
                ipv4;
            }}
            sampling-rate 1000000;
        }}
    }}
}}
policy-options {{
    policy-statement CONNECTED {{
        term loopbacks-and-rails {{
            from {{
                protocol direct;
                route-filter 10.255.255.0/24 prefix-length-range /32-/32;
                route-filter 10.16.0.0/12 prefix-length-range /31-/31;
            }}
            then accept;
        }}
        term learned {{
            from protocol bgp;
            then accept;
        }}
        then reject;
    }}
    policy-statement PFE-LB {{
        then {{
            load-balance per-packet;
        }}
    }}
}}
{class_of_service}\
routing-options {{
    router-id {router};
    autonomous-system {own_as};
    forwarding-table {{
        export PFE-LB;
    }}
}}
routing-instances {{
    mgmt_junos {{
        routing-options {{
            static {{
                route 0.0.0.0/0 next-hop 192.0.2.1;
            }}
        }}
    }}
}}
protocols {{
    bgp {{
        group FABRIC {{
            type external;
            authentication-key "$9$madeUp0badc0ffee"; ## SECRET-DATA
            export CONNECTED;
            multipath {{
                multiple-as;
            }}
            bfd-liveness-detection {{
                minimum-interval 1000;
                multiplier 3;
            }}
"""

NEIGHBOR = """\
            neighbor {peer_address} {{
                description "{device} {peer}";
                local-address {address};
                peer-as {peer_as};
            }}
"""

TAIL = """\
        }
        log-updown;
    }
    lldp {
        port-id-subtype interface-name;
        port-description-type interface-description;
        neighbour-port-info-display port-id;
        interface all;
    }
}
"""

RUNNING = """\
Physical interface: {port}, Enabled, Physical link is Up
  Interface index: {index}, SNMP ifIndex: {snmp}
  Description: {device} {peer}
  Link-level type: Ethernet, MTU: 9216, LAN-PHY mode, Speed: 400Gbps, BPDU Error: None, Loopback: Disabled, \
Source filtering: Disabled, Flow control: Disabled, Media type: Fiber
  Device flags   : Present Running
  Current address: {mac}, Hardware address: {mac}
  Ethernet FEC Mode                      :  FEC119
  Logical interface {port}.0 (Index {snmp}) (SNMP ifIndex {snmp})
    Protocol inet, MTU: 9170

"""


def port_name(number: int) -> str:
    """Return the name that Junos gives a port of a cage that is broken out."""
    return f"et-0/0/{(number - 1) // PER_CAGE}:{(number - 1) % PER_CAGE}"


def captures(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> Iterator[tuple[str, str]]:
    """Yield each command that is captured of a switch with *cables*, and its output; *number* makes its addresses."""
    yield "show configuration", configuration(name, number, own_as, cables)
    yield "show version", f"Hostname: {name}\nModel: {MODEL}\nJunos: {RELEASE}\nYocto: 3.0.2\nLinux Kernel: 5.2.60\n"
    yield "show interfaces", "".join(_running(number, each) for each in cables)
    yield "show lldp neighbors", lldp(cables)


def configuration(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> str:
    """Return the configuration of a switch."""
    parts = [HEAD.format(name=name, number=number, release=RELEASE)]
    for each in cables:
        port = port_name(each.port)
        if port.endswith(":0"):
            parts.append(CAGE.format(cage=(each.port - 1) // PER_CAGE))
        parts.append(PORT.format(port=port, device=each.device, peer=each.peer, address=each.address))
    router, management = f"10.255.255.{number}", 100 + number
    parts.append(
        MIDDLE.format(
            management=management,
            router=router,
            row=number % 10,
            own_as=own_as,
            class_of_service=CLASS_OF_SERVICE,
        )
    )
    parts += (
        NEIGHBOR.format(
            peer_address=each.peer_address,
            address=each.address,
            peer_as=each.peer_as,
            device=each.device,
            peer=each.peer,
        )
        for each in cables
        if each.peer_as
    )
    return "".join([*parts, TAIL])


def _running(number: int, cable: Cable) -> str:
    """Return what `show interfaces` prints of one port."""
    mac = f"02:00:5e:4e:{number:02x}:{cable.port:02x}"
    place = {"port": port_name(cable.port), "index": 1000 + cable.port, "snmp": 500 + cable.port}
    return RUNNING.format(device=cable.device, peer=cable.peer, mac=mac, **place)


def lldp(cables: Sequence[Cable]) -> str:
    """Return what `show lldp neighbors` prints."""
    row = "{:<18} {:<19} {:<19} {:<18} {}".format
    rows = (
        row(port_name(each.port), "-", f"02:00:5e:{sum(map(ord, each.device)) % 256:02x}:00:00", each.peer, each.device)
        for each in cables
    )
    head = row("Local Interface", "Parent Interface", "Chassis Id", "Port info", "System Name")
    return "\n".join([head, *rows, ""])
