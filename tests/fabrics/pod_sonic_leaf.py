"""The pod's leaves and spines as Arista 7060X6-64PE with SONiC (Tomahawk 5): their configuration and neighbours.

A cage of 800G has two ports of 400G. LLDP names a port by its alias, the configuration by its number of lanes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pod_sonic import LANES, LOSSLESS, MAP, SWITCH_HASH, lldp_table, qos, routing
from pod_wiring import Cable

SPEED = 400_000
CELL = 254
XOFF = 1755 * CELL
POOL, SHARED_HEADROOM = 560_000 * CELL, 64_000 * CELL
STATIC = 324_000 * CELL
SERVER_M, SPINE_M = 5, 30
SIZES = {SERVER_M: 74 * CELL, SPINE_M: 34 * CELL}
"""What a priority group has for itself, by the length of its cable."""
COUNTED = ("PFCWD", "PG_DROP", "PG_WATERMARK", "PORT", "QUEUE", "QUEUE_WATERMARK", "WRED_ECN_QUEUE")


def port_name(number: int) -> str:
    """Return the alias of a port."""
    return f"etp{(number + 1) // 2}{'ab'[(number - 1) % 2]}"


def captures(name: str, number: int, own_as: int, cables: Sequence[Cable]) -> Iterator[tuple[str, str]]:
    """Yield each capture of a switch with *cables*, and its text; *number* makes its addresses."""
    database = _database(name, number, own_as, {f"Ethernet{LANES * (each.port - 1)}": each for each in cables})
    yield "config_db.json", json.dumps(database, indent=4, sort_keys=True) + "\n"
    yield "show lldp table", lldp_table(cables)


def _database(name: str, number: int, own_as: int, cables: Mapping[str, Cable]) -> dict[str, Any]:
    return {**_system(name, number, own_as), **_cabling(cables), **_qos(cables), **_buffers(cables)}


def _system(name: str, number: int, own_as: int) -> dict[str, Any]:
    router = f"10.255.255.{number}"
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "bgp_asn": str(own_as),
                "bgp_router_id": router,
                "buffer_model": "traditional",
                "default_pfcwd_status": "enable",
                "docker_routing_config_mode": "separated",
                "hostname": name,
                "hwsku": "Arista-7060X6-64PE-B-O128",
                "mac": f"02:00:5e:4f:{number:02x}:00",
                "platform": "x86_64-arista_7060x6_64pe_b",
                "type": "ToRRouter" if name.startswith("leaf") else "LeafRouter",
            }
        },
        "FLEX_COUNTER_TABLE": {group: {"FLEX_COUNTER_STATUS": "enable"} for group in COUNTED},
        "LLDP": {"GLOBAL": {"enabled": "true", "hello_time": "30"}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|{router}/32": {}},
        "MGMT_INTERFACE": {f"eth0|192.0.2.{100 + number}/24": {"gwaddr": "192.0.2.1"}},
        "MGMT_VRF_CONFIG": {"vrf_global": {"mgmtVrfEnabled": "true"}},
        "NTP_SERVER": {"192.0.2.123": {}},
        "SNMP": {"LOCATION": {"Location": f"hall 2, row {number % 10}"}},
        "SNMP_COMMUNITY": {"madeUpCommunity4": {"TYPE": "RO"}},
        "SWITCH_HASH": SWITCH_HASH,
        "SYSLOG_SERVER": {"192.0.2.31": {}},
        "TACPLUS": {"global": {"passkey": "madeUpTacacsKey4"}},
        "TACPLUS_SERVER": {"192.0.2.30": {"priority": "1", "tcp_port": "49", "vrf": "mgmt"}},
        "VERSIONS": {"DATABASE": {"VERSION": "version_202505_01"}},
    }


def _cabling(cables: Mapping[str, Cable]) -> dict[str, Any]:
    switches = {each.device: "LeafRouter" for each in cables.values() if each.peer_as}
    return {
        "PORT": {name: _port(each) for name, each in cables.items()},
        "CABLE_LENGTH": {"AZURE": {name: f"{_length_m(each)}m" for name, each in cables.items()}},
        "DEVICE_NEIGHBOR_METADATA": {name: {"type": kind} for name, kind in switches.items()},
        **routing(cables, rrclient="0"),
    }


def _length_m(cable: Cable) -> int:
    return SPINE_M if cable.peer_as else SERVER_M


def _port(cable: Cable) -> dict[str, str]:
    first = LANES * (cable.port - 1) + 1
    return {
        "admin_status": "up",
        "alias": port_name(cable.port),
        "autoneg": "off",
        "description": f"{cable.device} {cable.peer}",
        "fec": "rs",
        "index": str((cable.port + 1) // 2),
        "lanes": ",".join(map(str, range(first, first + LANES))),
        "mtu": "9100",
        "pfc_asym": "off",
        "speed": str(SPEED),
        "tpid": "0x8100",
    }


def _qos(cables: Mapping[str, Cable]) -> dict[str, Any]:
    colours = {
        f"{colour}_{what}": value
        for colour in ("green", "yellow", "red")
        for what, value in (("drop_probability", "5"), ("max_threshold", "3000000"), ("min_threshold", "500000"))
    }
    enabled = {f"wred_{colour}_enable": "true" for colour in ("green", "yellow", "red")}
    return {
        **qos(cables),
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {MAP: {str(LOSSLESS): str(LOSSLESS)}},
        "PORT_QOS_MAP": {name: {**ports, "pfc_to_pg_map": MAP} for name, ports in qos(cables)["PORT_QOS_MAP"].items()},
        "WRED_PROFILE": {"LOSSLESS": {**colours, **enabled, "ecn": "ecn_all"}},
    }


def _buffers(cables: Mapping[str, Cable]) -> dict[str, Any]:
    ingress, egress = "ingress_lossless_pool", "egress_lossless_pool"
    return {
        "BUFFER_POOL": {
            egress: {"mode": "static", "size": str(POOL + SHARED_HEADROOM), "type": "egress"},
            ingress: {"mode": "dynamic", "size": str(POOL), "type": "ingress", "xoff": str(SHARED_HEADROOM)},
        },
        "BUFFER_PROFILE": {
            "egress_lossless_profile": {"pool": egress, "size": "0", "static_th": str(STATIC)},
            "egress_lossy_profile": {"dynamic_th": "0", "pool": egress, "size": str(7 * CELL)},
            "ingress_lossy_profile": {"pool": ingress, "size": "0", "static_th": str(STATIC)},
            **{
                _headroom(length): {
                    "dynamic_th": "0",
                    "pool": ingress,
                    "size": str(size),
                    "xoff": str(XOFF),
                    "xon": "0",
                    "xon_offset": str(14 * CELL),
                }
                for length, size in SIZES.items()
            },
        },
        "BUFFER_PG": {
            f"{name}|{group}": {"profile": profile}
            for name, each in cables.items()
            for group, profile in (("0", "ingress_lossy_profile"), (str(LOSSLESS), _headroom(_length_m(each))))
        },
        "BUFFER_QUEUE": {
            f"{name}|{queues}": {"profile": f"egress_{kind}_profile"}
            for name in cables
            for queues, kind in (("0-2", "lossy"), (str(LOSSLESS), "lossless"), ("4-7", "lossy"))
        },
    }


def _headroom(length_m: int) -> str:
    return f"pg_lossless_{SPEED}_{length_m}m_profile"
