"""The pod's storage switches: SONiC on a 32-port 100G switch, their configuration database and neighbours."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pod_wiring import Cable, storage_as, storage_cables

SPEED = 100_000
LANES = 4
MAP = "SU1"
DSCPS = {18: 2, 26: 3, 48: 6}
CLASSES = range(8)
LOSSLESS = 3
CABLE_M = 40
HEADROOM = f"pg_lossless_{SPEED}_{CABLE_M}m_profile"
SCHEDULERS = {"0": "rest", "2": "rest", "3": "rdma", "6": "strict"}

HASHED = ("DST_IP", "SRC_IP", "IP_PROTOCOL", "L4_DST_PORT", "L4_SRC_PORT")
SWITCH_HASH = {"GLOBAL": {"ecmp_hash": list(HASHED), "ecmp_hash_algorithm": "CRC"}}


def config_db(number: int) -> str:
    """Return the configuration as `config save` writes it: sorted, indented by four."""
    return json.dumps(_database(number), indent=4, sort_keys=True) + "\n"


def _database(number: int) -> dict[str, Any]:
    cables = {f"Ethernet{LANES * (each.port - 1)}": each for each in storage_cables(number)}
    return {**_system(number), **_cabling(cables), **qos(cables), **_buffers(cables)}


def _system(number: int) -> dict[str, Any]:
    name = f"stor-leaf{number}"
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "bgp_asn": str(storage_as(number)),
                "buffer_model": "traditional",
                "default_pfcwd_status": "enable",
                "docker_routing_config_mode": "separated",
                "hostname": name,
                "hwsku": "Arista-7050CX3-32S-C32",
                "mac": f"02:00:5e:4f:{number:02x}:00",
                "platform": "x86_64-arista_7050cx3_32s",
                "type": "ToRRouter",
            }
        },
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|10.255.255.{60 + number}/32": {}},
        "MGMT_INTERFACE": {f"eth0|192.0.2.{160 + number}/24": {"gwaddr": "192.0.2.1"}},
        "NTP_SERVER": {"192.0.2.123": {}},
        "SNMP": {"LOCATION": {"Location": "hall 2, row 6"}},
        "SNMP_COMMUNITY": {"madeUpCommunity4": {"TYPE": "RO"}},
        "SWITCH_HASH": SWITCH_HASH,
        "SYSLOG_SERVER": {"192.0.2.31": {}},
        "TACPLUS": {"global": {"passkey": "madeUpTacacsKey4"}},
        "TACPLUS_SERVER": {"192.0.2.30": {"priority": "1", "tcp_port": "49"}},
        "VERSIONS": {"DATABASE": {"VERSION": "version_202311_03"}},
    }


def _cabling(cables: dict[str, Cable]) -> dict[str, Any]:
    return {
        "PORT": {name: _port(each) for name, each in cables.items()},
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(cables, f"{CABLE_M}m")},
        **routing(cables),
    }


def routing(cables: Mapping[str, Cable], **neighbor: str) -> dict[str, Any]:
    """Return the tables of addresses and neighbours of *cables* by port; *neighbor*: further fields of BGP."""
    return {
        "INTERFACE": {key: {} for name, each in cables.items() for key in (name, f"{name}|{each.address}/31")},
        "DEVICE_NEIGHBOR": {name: {"name": each.device, "port": each.peer} for name, each in cables.items()},
        "BGP_NEIGHBOR": {
            each.peer_address: {
                "asn": str(each.peer_as),
                "holdtime": "10",
                "keepalive": "3",
                "local_addr": each.address,
                "name": each.device,
                "nhopself": "0",
                **neighbor,
            }
            for each in cables.values()
            if each.peer_as
        },
    }


def _port(cable: Cable) -> dict[str, str]:
    first = LANES * (cable.port - 1) + 1
    return {
        "admin_status": "up",
        "alias": f"Ethernet{cable.port}/1",
        "description": f"{cable.device} {cable.peer}",
        "fec": "rs",
        "index": str(cable.port),
        "lanes": ",".join(map(str, range(first, first + LANES))),
        "mtu": "9100",
        "pfc_asym": "off",
        "speed": str(SPEED),
    }


def qos(cables: Mapping[str, Cable]) -> dict[str, Any]:
    """Return the tables of classes, PFC and schedulers of a switch, by its cables of each port."""
    to_class = {str(dscp): str(DSCPS.get(dscp, 0)) for dscp in range(64)}
    same = {str(number): str(number) for number in CLASSES}
    maps = dict.fromkeys(("dscp_to_tc_map", "pfc_to_queue_map", "tc_to_pg_map", "tc_to_queue_map"), MAP)
    return {
        "DSCP_TO_TC_MAP": {MAP: to_class},
        "TC_TO_QUEUE_MAP": {MAP: same},
        "TC_TO_PRIORITY_GROUP_MAP": {MAP: {number: number if number == str(LOSSLESS) else "0" for number in same}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {MAP: same},
        "PORT_QOS_MAP": {
            name: maps | {"pfc_enable": str(LOSSLESS), "pfcwd_sw_enable": str(LOSSLESS)} for name in cables
        },
        "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": "200"},
            **{name: {"action": "drop", "detection_time": "400", "restoration_time": "400"} for name in cables},
        },
        "SCHEDULER": {
            "rdma": {"type": "DWRR", "weight": "60"},
            "rest": {"type": "DWRR", "weight": "20"},
            "strict": {"type": "STRICT"},
        },
        "WRED_PROFILE": {
            "LOSSLESS": {
                "ecn": "ecn_green",
                "green_drop_probability": "5",
                "green_max_threshold": "1500000",
                "green_min_threshold": "150000",
                "wred_green_enable": "true",
            }
        },
        "QUEUE": {
            f"{name}|{queue}": {"scheduler": scheduler} | ({"wred_profile": "LOSSLESS"} if scheduler == "rdma" else {})
            for name in cables
            for queue, scheduler in SCHEDULERS.items()
        },
    }


def _buffers(cables: dict[str, Cable]) -> dict[str, Any]:
    return {
        "BUFFER_POOL": {
            "egress_lossless_pool": {"mode": "static", "size": "33004032", "type": "egress"},
            "egress_lossy_pool": {"mode": "dynamic", "size": "26284032", "type": "egress"},
            "ingress_lossless_pool": {"mode": "dynamic", "size": "28509696", "type": "ingress", "xoff": "4494336"},
        },
        "BUFFER_PROFILE": {
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "33004032"},
            "egress_lossy_profile": {"dynamic_th": "3", "pool": "egress_lossy_pool", "size": "1518"},
            "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "static_th": "33004032"},
            HEADROOM: {
                "dynamic_th": "0",
                "pool": "ingress_lossless_pool",
                "size": "1248",
                "xoff": "177632",
                "xon": "2288",
            },
        },
        "BUFFER_PG": {
            f"{name}|{group}": {"profile": profile}
            for name in cables
            for group, profile in (("0", "ingress_lossy_profile"), (str(LOSSLESS), HEADROOM))
        },
        "BUFFER_QUEUE": {
            f"{name}|{queues}": {"profile": profile}
            for name in cables
            for queues, profile in (
                ("0-2", "egress_lossy_profile"),
                (str(LOSSLESS), "egress_lossless_profile"),
                ("4-7", "egress_lossy_profile"),
            )
        },
    }


def lldp_table(cables: Iterable[Cable]) -> str:
    """Return what `show lldp table` prints."""
    row = "{:<11}  {:<14}  {:<14}  {:<12}  {}".format
    rows = [
        row(f"Ethernet{LANES * (each.port - 1)}", each.device, each.peer, "BR" if each.peer_as else "R", each.peer)
        for each in cables
    ]
    head = row("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    rule = row(*("-" * width for width in (11, 14, 14, 12, 17)))
    end = ["-" * 50, f"Total entries displayed:  {len(rows)}"]
    return "\n".join(["Capability codes: (R) Router, (B) Bridge, (O) Other", head, rule, *rows, *end, ""])
