"""What SONiC's own models allow in the tables of ports, classification, queues, buffers, cables and the watchdog.

One row a table, with its model (sonic-net/sonic-buildimage, src/sonic-yang-models/yang-models; types that models share
are in yang-templates/sonic-types.yang.j2). The vocabulary says what the reader can use, which is wider: it also serves
older releases and Enterprise SONiC. A library cannot do this: PyPI has neither the models nor SONiC's own validator,
libyang comes there without wheels, and yangson and pyang would need the text of the models. Rule CLS004 judges the
references of profiles, maps and schedulers.
"""

from collections.abc import Mapping

from auditor.systems.sonic.musts import (
    COLORS,
    check_advertised,
    check_channel,
    check_percentage,
    check_range,
    check_rates,
    check_thresholds,
    check_watchdog,
    need_port_fields,
    need_size,
)
from auditor.systems.sonic.schema import Constraint, Leaf, make_number, make_pattern, make_text, make_words

_BYTE, _SHORT, _WORD, _LONG = (make_number(0, 2**bits - 1) for bits in (8, 16, 32, 64))
_NAME = make_pattern(
    r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}", "up to 32 letters, digits, hyphens and underscores, no hyphen first"
).as_warning
_ON_OFF = make_words("on", "off")
_UP_DOWN = make_words("up", "down")
_DSCP, _CLASS, _PRIORITY = make_number(0, 63), make_number(0, 15), make_number(0, 7)
_PRIORITIES = make_pattern("([0-7](,[0-7])*)?", "priorities 0 to 7 with commas, no spaces and no ranges")
_SPEED = make_number(1, 1_600_000)
_MODE = make_pattern("routed|access|trunk", "routed, access or trunk").as_warning
_TPID = make_pattern("0x8100|0x9100|0x9200|0x88[aA]8", "0x8100, 0x9100, 0x9200 or 0x88a8")
_BOOLEAN = make_words("true", "false")
_ANY_CASE = make_words("true", "false", "True", "False").as_warning
_INTERFACE = make_pattern(
    "[CSK]R[248]?|LR[48]?|CAUI4?|GMII|SFI|XLAUI|XAUI|XFI|XGMII|none|all", "a type of interface as CR4, SR4, LR4 or KR4"
).as_warning
_GROUPS = make_pattern("[0-7](-[0-7])?", "a priority group from 0 to 7, or a range as 3-4")
_QUEUES = make_pattern("(1[0-5]|[0-9])(-(1[0-5]|[0-9]))?", "a queue from 0 to 15, or a range as 3-4")


def _make_map(model: str, codes: Leaf, entry: Leaf) -> Constraint:
    """Return the constraint of a map of numbers."""
    return Constraint(model, key=(_NAME,), codes=codes, entry=entry)


CONSTRAINTS: Mapping[str, Constraint] = {
    "PORT": Constraint(
        "sonic-port.yang",
        {
            "admin_status": _UP_DOWN,
            "adv_interface_types": _INTERFACE.as_list,
            "adv_speeds": make_number(1, 1_600_000, "all").as_list.as_warning,
            "alias": make_text(1, 128),
            "autoneg": _ON_OFF,
            "core_id": make_text(1, 16),
            "core_port_id": make_text(1, 16),
            "description": make_text(0, 255).as_warning,
            "dhcp_rate_limit": _WORD.as_warning,
            "dom_polling": make_words("enabled", "disabled").as_warning,
            "fast_linkup": _BOOLEAN.as_warning,
            "fec": make_pattern("rs|fc|none|auto|N/A", "rs, fc, none or auto"),
            "index": _SHORT,
            "interface_type": _INTERFACE,
            "lanes": make_text(1, 128),
            "laser_freq": make_number(-(2**31), 2**31 - 1).as_warning,
            "link_training": _ON_OFF,
            "mode": _MODE,
            "mtu": make_number(68, 9216),
            "mux_cable": _BOOLEAN.as_warning,
            "num_voq": make_text(1, 16),
            "pfc_asym": _ON_OFF,
            "role": make_pattern("Ext|Int|Inb|Rec|Dpc", "Ext, Int, Inb, Rec or Dpc").as_warning,
            "speed": _SPEED,
            "subport": make_number(0, 8),
            "tpid": _TPID,
            "tx_power": make_pattern(r"[+-]?\d{1,18}(\.\d)?", "a number with at most one decimal").as_warning,
        },
        key=(make_text(1, 128),),
        musts=(need_port_fields, check_advertised),
    ),
    "PORTCHANNEL": Constraint(
        "sonic-portchannel.yang",
        {
            "admin_status": _UP_DOWN,
            "description": make_text(1, 255).as_warning,
            "fallback": _ANY_CASE,
            "fast_rate": _ANY_CASE,
            "lacp_key": make_number(1, 65_535, "auto").as_warning,
            "min_links": make_number(1, 1024),
            "mode": _MODE,
            "mtu": make_number(1, 9216),
            "system_mac": make_pattern("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}", "a MAC address with colons").as_warning,
            "tpid": _TPID,
        },
        key=(make_pattern("PortChannel[0-9]{1,4}", "PortChannel and a number of up to 4 digits"),),
    ),
    "PORTCHANNEL_MEMBER": Constraint("sonic-portchannel.yang", key=(None, None), port_part=1, musts=(check_channel,)),
    "PORT_QOS_MAP": Constraint(
        "sonic-port-qos-map.yang",
        {"pfc_enable": _PRIORITIES, "pfcwd_sw_enable": _PRIORITIES},
        port_part=0,
        ports=frozenset({"global"}),
    ),
    "DSCP_TO_TC_MAP": _make_map("sonic-dscp-tc-map.yang", _DSCP, _CLASS),
    "DOT1P_TO_TC_MAP": _make_map("sonic-dot1p-tc-map.yang", _PRIORITY, _CLASS),
    "MPLS_TC_TO_TC_MAP": _make_map("sonic-mpls-tc-map.yang", _PRIORITY, _CLASS),
    "DSCP_TO_FC_MAP": _make_map("sonic-dscp-fc-map.yang", _DSCP, _PRIORITY),
    "EXP_TO_FC_MAP": _make_map("sonic-exp-fc-map.yang", _PRIORITY, _PRIORITY),
    "TC_TO_DSCP_MAP": _make_map("sonic-tc-dscp-map.yang", _CLASS, _DSCP),
    "TC_TO_PRIORITY_GROUP_MAP": _make_map("sonic-tc-priority-group-map.yang", _CLASS, _PRIORITY),
    "TC_TO_QUEUE_MAP": _make_map("sonic-tc-queue-map.yang", _CLASS, make_number(0, 9).as_warning),
    "MAP_PFC_PRIORITY_TO_QUEUE": _make_map("sonic-pfc-priority-queue-map.yang", _PRIORITY, _PRIORITY),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _make_map("sonic-pfc-priority-priority-group-map.yang", _PRIORITY, _PRIORITY),
    "WRED_PROFILE": Constraint(
        "sonic-wred-profile.yang",
        {
            **{f"{color}_{end}_threshold": _LONG for color in COLORS for end in ("min", "max")},
            **{f"{color}_drop_probability": make_number(0, 100) for color in COLORS},
            **{f"wred_{color}_enable": _BOOLEAN for color in COLORS},
            "ecn": make_pattern(
                "ecn_(none|green|yellow|red|green_yellow|green_red|yellow_red|all)",
                "ecn_none, ecn_all, or the colours that are marked, as ecn_green_yellow",
            ),
        },
        key=(_NAME,),
        musts=(check_thresholds,),
    ),
    "SCHEDULER": Constraint(
        "sonic-scheduler.yang",
        {
            "type": make_words("DWRR", "WRR", "STRICT"),
            "weight": make_number(1, 100),
            "priority": make_number(0, 9).as_warning,
            "meter_type": make_words("packets", "bytes"),
            "cir": _LONG,
            "pir": _LONG,
            "cbs": _WORD.as_warning,
            "pbs": _WORD.as_warning,
        },
        musts=(check_rates,),
    ),
    "QUEUE": Constraint(
        "sonic-queue.yang",
        key=(None, make_pattern(r"\d{1,3}(-\d{1,3})?", "a queue, or a range as 3-4")),
        port_part=0,
        ports=frozenset({"CPU"}),
        voq=True,
        musts=(check_range,),
    ),
    "BUFFER_POOL": Constraint(
        "sonic-buffer-pool.yang",
        {
            "type": make_words("ingress", "egress", "both"),
            "mode": make_words("static", "dynamic"),
            "size": _LONG,
            "xoff": _LONG,
            "percentage": _BYTE,
        },
        mandatory=("type", "mode"),
        musts=(check_percentage,),
    ),
    "BUFFER_PROFILE": Constraint(
        "sonic-buffer-profile.yang",
        {
            "static_th": _LONG,
            "dynamic_th": make_number(-8, 7),
            "size": _LONG,
            "xon_offset": _LONG,
            "xon": _LONG,
            "xoff": _LONG,
            "headroom_type": make_words("static", "dynamic"),
            "packet_discard_action": make_words("drop", "trim"),
        },
        mandatory=("pool",),
        musts=(need_size,),
    ),
    "BUFFER_PG": Constraint("sonic-buffer-pg.yang", key=(None, _GROUPS), port_part=0, musts=(check_range,)),
    "BUFFER_QUEUE": Constraint(
        "sonic-buffer-queue.yang", key=(None, _QUEUES), port_part=0, voq=True, musts=(check_range,)
    ),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": Constraint("sonic-buffer-port-ingress-profile-list.yang", port_part=0),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": Constraint("sonic-buffer-port-egress-profile-list.yang", port_part=0),
    "CABLE_LENGTH": Constraint(
        "sonic-cable-length.yang",
        key=(_NAME,),
        entry=make_pattern("[0-9]{1,9}m", "metres, as 5m"),
        by_port=True,
    ),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": Constraint(
        "sonic-default-lossless-buffer-parameter.yang",
        {"default_dynamic_th": make_number(-8, 7), "over_subscribe_ratio": _SHORT},
        key=(_NAME,),
        mandatory=("default_dynamic_th",),
    ),
    "LOSSLESS_TRAFFIC_PATTERN": Constraint(
        "sonic-lossless-traffic-pattern.yang",
        {"mtu": make_number(1, 9216), "small_packet_percentage": make_number(0, 100)},
        key=(_NAME,),
        mandatory=("mtu", "small_packet_percentage"),
    ),
    "PFC_WD": Constraint(
        "sonic-pfcwd.yang",
        {
            "action": make_words("drop", "forward", "alert"),
            "detection_time": make_number(100, 5000),
            "restoration_time": make_number(100, 60_000),
            "POLL_INTERVAL": make_number(100, 1000).as_warning,
            "pfc_stat_history": make_words("enable", "disable").as_warning,
        },
        port_part=0,
        ports=frozenset({"GLOBAL"}),
        musts=(check_watchdog,),
    ),
}
