"""The known tables of a SONiC configuration: their fields, possible values and line states.

Ranges and patterns are those of SONiC's own YANG models (sonic-net/sonic-buildimage, src/sonic-yang-models).
"""

import re
from collections.abc import Mapping
from dataclasses import field

from auditor.model.dump import LineState
from auditor.util.regex import regex
from auditor.util.values import dataclass

PORT = regex(r"Ethernet(?!-(?:IB|Rec))[\w/-]{1,64}|Eth\d{1,3}(?:/\d{1,3}){1,2}")
MODELLED, CONDITIONAL, NOT_MODELLED, IGNORED, UNRECOGNISED = LineState


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """The possible values of a field: text that matches `pattern` and a number in `allowed`; None allows any."""

    pattern: re.Pattern[str] | None = None
    allowed: range | None = None
    state: LineState = MODELLED
    expected: str = ""

    def accepts(self, text: str) -> bool:
        """Return whether *text* is a possible value."""
        if self.pattern and not self.pattern.fullmatch(text):
            return False
        return self.allowed is None or int(text) in self.allowed


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table: its fields by name, and one `entry` for all others: a map of numbers from `codes`, or of any names.

    `keys` are the names of its key's parts in YANG's own JSON; `by_port`: its key begins with ports; `refers`: fields
    that name an entry of another table.
    """

    fields: Mapping[str, FieldSchema] = field(default_factory=dict)
    keys: tuple[str, ...] = ("name",)
    by_port: bool = False
    codes: range | None = None
    entry: FieldSchema | None = None
    refers: Mapping[str, str] = field(default_factory=dict)

    def field(self, name: str) -> FieldSchema | None:
        """Return the schema of the field *name*, None if the table has no such field."""
        if self.codes is None:
            return self.fields.get(name, self.entry)
        is_code = name.isascii() and name.isdecimal() and len(name) < _LONG and int(name) in self.codes
        return self.entry if is_code else None

    def refuses(self, name: str, text: str) -> bool:
        """Return whether *text* is impossible in a field; a map of numbers has only its own codes as fields."""
        found = self.field(name)
        return not found.accepts(text) if found else self.codes is not None


_LONG = 19


def make_number_field(low: int, high: int, state: LineState = MODELLED) -> FieldSchema:
    """Return a field that holds a whole number from *low* to *high*."""
    return FieldSchema(
        re.compile(r"-?\d{1,18}", re.ASCII), range(low, high + 1), state, f"a number from {low} to {high}"
    )


def make_word_field(*choices: str, state: LineState = MODELLED) -> FieldSchema:
    """Return a field that holds one of *choices*."""
    return FieldSchema(re.compile("|".join(map(re.escape, choices))), None, state, " or ".join(choices))


_BYTES = make_number_field(0, 2**48)
_ANY = FieldSchema()
_UNUSED = FieldSchema(state=NOT_MODELLED)
_REFERENCE = FieldSchema(
    regex(r"[^\s|\[\]]{1,255}|\[[^\s|\[\]]{1,64}\|[^\s|\[\]]{1,255}\]|"), expected="the name of an entry"
)
_BOOL = make_word_field("true", "false")
PRIORITY_LIST = FieldSchema(regex(r"(?:[0-7](?:,[0-7])*)?"), expected="priorities 0 to 7 with commas, no ranges")
_TC = make_number_field(0, 15)
_QUEUE = make_number_field(0, 19)
_PRIORITY = make_number_field(0, 7)
_PROFILE = {"profile": _REFERENCE}
_LISTS = {"profile_list": FieldSchema()}
_COLORS = ("green", "yellow", "red")
_ECN_MODES = ("none", "green", "yellow", "red", "green_yellow", "green_red", "yellow_red", "all")

LIMITS, MOST_HEADROOM = "BUFFER_MAX_PARAM_TABLE", "max_headroom_size"
"""The headroom limit of a port in the state database (sonic-net/sonic-swss, orchagent/portsorch.cpp)."""

TABLES: Mapping[str, TableSchema] = {
    "PORT": TableSchema(
        {
            "admin_status": make_word_field("up", "down"),
            "alias": _ANY,
            "autoneg": FieldSchema(regex(r"on|off|N/A")),
            "description": _ANY,
            "fec": FieldSchema(regex(r"rs|fc|none|auto|N/A")),
            "lanes": FieldSchema(regex(r"\d{1,5}(?:, *\d{1,5})*"), expected="numbers with commas"),
            "mtu": make_number_field(68, 9216),
            "pfc_asym": make_word_field("on", "off"),
            "speed": make_number_field(1, 1_600_000),
            **dict.fromkeys(("adv_speeds", "link_training", "tpid", "index", "parent_port"), _UNUSED),
        },
        by_port=True,
    ),
    "PORT_QOS_MAP": TableSchema(
        {
            "pfc_enable": PRIORITY_LIST,
            "pfcwd_sw_enable": PRIORITY_LIST,
            "scheduler": _REFERENCE,
            "dot1p_to_tc_map": _REFERENCE,
            "dscp_to_tc_map": _REFERENCE,
            "dscp_to_fc_map": _UNUSED,
            "exp_to_fc_map": _UNUSED,
            "mpls_tc_to_tc_map": _UNUSED,
            "pfc_to_pg_map": _REFERENCE,
            "pfc_to_queue_map": _REFERENCE,
            "tc_to_dot1p_map": _REFERENCE,
            "tc_to_dscp_map": _REFERENCE,
            "tc_to_pg_map": _REFERENCE,
            "tc_to_queue_map": _REFERENCE,
        },
        ("ifname",),
        by_port=True,
        refers={
            "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
            "dscp_to_fc_map": "DSCP_TO_FC_MAP",
            "dscp_to_tc_map": "DSCP_TO_TC_MAP",
            "exp_to_fc_map": "EXP_TO_FC_MAP",
            "mpls_tc_to_tc_map": "MPLS_TC_TO_TC_MAP",
            "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
            "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
            "scheduler": "SCHEDULER",
            "tc_to_dot1p_map": "TC_TO_DOT1P_MAP",
            "tc_to_dscp_map": "TC_TO_DSCP_MAP",
            "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
            "tc_to_queue_map": "TC_TO_QUEUE_MAP",
        },
    ),
    "DSCP_TO_TC_MAP": TableSchema(codes=range(64), entry=_TC),
    "DOT1P_TO_TC_MAP": TableSchema(codes=range(8), entry=_TC),
    "TC_TO_QUEUE_MAP": TableSchema(codes=range(16), entry=_QUEUE),
    "TC_TO_PRIORITY_GROUP_MAP": TableSchema(codes=range(16), entry=_PRIORITY),
    "MAP_PFC_PRIORITY_TO_QUEUE": TableSchema(codes=range(8), entry=_QUEUE),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": TableSchema(codes=range(8), entry=_PRIORITY),
    "TC_TO_DSCP_MAP": TableSchema(codes=range(16), entry=make_number_field(0, 63)),
    "TC_TO_DOT1P_MAP": TableSchema(codes=range(16), entry=_PRIORITY),
    "MPLS_TC_TO_TC_MAP": TableSchema(codes=range(8), entry=make_number_field(0, 15, NOT_MODELLED)),
    "DSCP_TO_FC_MAP": TableSchema(codes=range(64), entry=make_number_field(0, 63, NOT_MODELLED)),
    "EXP_TO_FC_MAP": TableSchema(codes=range(8), entry=make_number_field(0, 63, NOT_MODELLED)),
    "WRED_PROFILE": TableSchema(
        {
            "ecn": make_word_field(*(f"ecn_{mode}" for mode in _ECN_MODES)),
            **{f"wred_{color}_enable": _BOOL for color in _COLORS},
            **{f"{kind}{c}_{e}_threshold": _BYTES for kind in ("", "ecn_") for c in _COLORS for e in ("min", "max")},
            **{f"{color}_drop_probability": make_number_field(0, 100) for color in _COLORS},
            **{f"ecn_{color}_mark_probability": make_number_field(0, 100) for color in _COLORS},
            "weight": make_number_field(0, 15, NOT_MODELLED),
        }
    ),
    "SCHEDULER": TableSchema(
        {
            "type": make_word_field("DWRR", "WRR", "STRICT"),
            "weight": make_number_field(1, 100),
            "meter_type": make_word_field("packets", "bytes"),
            "pir": _BYTES,
            "cir": make_number_field(0, 2**48, NOT_MODELLED),
            "pbs": make_number_field(0, 2**48, NOT_MODELLED),
            "cbs": make_number_field(0, 2**48, NOT_MODELLED),
            "priority": make_number_field(0, 9, NOT_MODELLED),
        }
    ),
    "QUEUE": TableSchema(
        {"scheduler": _REFERENCE, "wred_profile": _REFERENCE},
        ("ifname", "qindex"),
        by_port=True,
        refers={"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"},
    ),
    "BUFFER_POOL": TableSchema(
        {
            "type": make_word_field("ingress", "egress", "both"),
            "mode": make_word_field("static", "dynamic"),
            "size": _BYTES,
            "xoff": _BYTES,
            "percentage": make_number_field(0, 255, CONDITIONAL),
        }
    ),
    "BUFFER_PROFILE": TableSchema(
        {
            "pool": _REFERENCE,
            "size": _BYTES,
            "xon": _BYTES,
            "xoff": _BYTES,
            "xon_offset": _BYTES,
            "dynamic_th": make_number_field(-8, 8),
            "static_th": _BYTES,
            "headroom_type": make_word_field("static", "dynamic"),
            "packet_discard_action": make_word_field("drop", "trim", state=NOT_MODELLED),
            "mode": make_word_field("static", "dynamic", state=NOT_MODELLED),
        },
        refers={"pool": "BUFFER_POOL"},
    ),
    "BUFFER_PG": TableSchema(_PROFILE, ("port", "pg_num"), by_port=True, refers={"profile": "BUFFER_PROFILE"}),
    "BUFFER_QUEUE": TableSchema(_PROFILE, ("port", "qindex"), by_port=True, refers={"profile": "BUFFER_PROFILE"}),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": TableSchema(
        _LISTS, ("port",), by_port=True, refers={"profile_list": "BUFFER_PROFILE"}
    ),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": TableSchema(
        _LISTS, ("port",), by_port=True, refers={"profile_list": "BUFFER_PROFILE"}
    ),
    LIMITS: TableSchema(
        {
            MOST_HEADROOM: _BYTES,
            **dict.fromkeys(("max_priority_groups", "max_queues", "mmu_size"), _UNUSED),
        },
        ("port",),
        by_port=True,
    ),
    "CABLE_LENGTH": TableSchema(entry=FieldSchema(regex(r"\d{1,6}m"), expected="metres, as 5m")),
    "PFC_WD": TableSchema(
        {
            "action": make_word_field("drop", "forward", "alert"),
            "detection_time": make_number_field(100, 5000),
            "restoration_time": make_number_field(100, 60000),
            "POLL_INTERVAL": make_number_field(100, 3000),
            "BIG_RED_SWITCH": make_word_field("enable", "disable"),
            "pfc_stat_history": make_word_field("enable", "disable", state=NOT_MODELLED),
        },
        ("ifname",),
        by_port=True,
    ),
    "DEVICE_NEIGHBOR": TableSchema(
        {"name": _ANY, "port": _ANY, "local_port": _UNUSED, "mgmt_addr": _UNUSED, "hwsku": _UNUSED, "type": _UNUSED},
        ("peer_name",),
        by_port=True,
    ),
    "DEVICE_METADATA": TableSchema(
        {
            **dict.fromkeys(("hostname", "hwsku", "platform", "switch_type", "mac", "sonic_os_version"), _ANY),
            "buffer_model": make_word_field("traditional", "dynamic"),
            "default_pfcwd_status": make_word_field("enable", "disable"),
            "default_bgp_status": make_word_field("up", "down"),
            "bgp_asn": _ANY,
        }
    ),
    "PORTCHANNEL": TableSchema(dict.fromkeys(("admin_status", "min_links", "mtu"), _UNUSED)),
    "PORTCHANNEL_MEMBER": TableSchema({}, ("name", "port")),
    "VLAN": TableSchema({"mtu": make_number_field(1, 9216), "admin_status": make_word_field("up", "down")}),
    "VLAN_INTERFACE": TableSchema({}, ("name", "ip-prefix")),
    "VLAN_MEMBER": TableSchema({}, ("name", "port")),
    "BREAKOUT_PORTS": TableSchema({"master": _ANY}, ("port",)),
    "SWITCH": TableSchema(
        dict.fromkeys(("roce_enable", "buffer_mode_lossless"), FieldSchema(state=CONDITIONAL)), ("switch",)
    ),
    "SWITCH_HASH": TableSchema({"ecmp_hash": _ANY}),
    "BGP_GLOBALS_AF": TableSchema({"max_ebgp_paths": make_number_field(1, 1024)}, ("vrf_name", "afi_safi")),
    "FLEX_COUNTER_TABLE": TableSchema({"FLEX_COUNTER_STATUS": make_word_field("enable", "disable")}),
    "BGP_NEIGHBOR": TableSchema(
        {"admin_status": make_word_field("up", "down"), "asn": make_number_field(1, 2**32 - 1)}, ("neighbor",)
    ),
    "BGP_PEER_RANGE": TableSchema({"ip_range": _ANY}, ("peer_range_name",)),
    "BGP_DEVICE_GLOBAL": TableSchema({"tsa_enabled": make_word_field("true", "false")}),
    "INTERFACE": TableSchema({"vrf_name": _ANY}, ("name", "ip-prefix")),
    "PORTCHANNEL_INTERFACE": TableSchema({}, ("name", "ip-prefix")),
    "LOSSLESS_TRAFFIC_PATTERN": TableSchema({"mtu": _BYTES, "small_packet_percentage": make_number_field(0, 100)}),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": TableSchema(
        {
            "default_dynamic_th": make_number_field(-8, 8),
            "over_subscribe_ratio": make_number_field(0, 1024, NOT_MODELLED),
            "max_headroom_size": make_number_field(0, 2**48, NOT_MODELLED),
        }
    ),
    "ACL_RULE": TableSchema(
        {
            **dict.fromkeys(
                ("DSCP", "L4_DST_PORT", "IP_PROTOCOL", "PRIORITY", "PACKET_ACTION"), FieldSchema(state=CONDITIONAL)
            ),
            "SET_TC": FieldSchema(state=CONDITIONAL),
        },
        ("ACL_TABLE_NAME", "RULE_NAME"),
    ),
    "VXLAN_TUNNEL": TableSchema(
        {
            "qos-mode": make_word_field("pipe", "uniform", state=CONDITIONAL),
            "dscp": make_number_field(0, 63, CONDITIONAL),
        },
        ("name",),
    ),
    "TUNNEL": TableSchema(
        {
            "decap_dscp_to_tc_map": FieldSchema(_REFERENCE.pattern, state=CONDITIONAL),
            "decap_tc_to_pg_map": FieldSchema(_REFERENCE.pattern, state=CONDITIONAL),
            "encap_tc_to_queue_map": FieldSchema(_REFERENCE.pattern, state=CONDITIONAL),
            "encap_tc_to_dscp_map": FieldSchema(_REFERENCE.pattern, state=CONDITIONAL),
        },
        refers={
            "decap_dscp_to_tc_map": "DSCP_TO_TC_MAP",
            "decap_tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
            "encap_tc_to_queue_map": "TC_TO_QUEUE_MAP",
            "encap_tc_to_dscp_map": "TC_TO_DSCP_MAP",
        },
    ),
}
_ROUTED = frozenset({"VLAN", "VLAN_INTERFACE", "VLAN_MEMBER", "INTERFACE", "PORTCHANNEL_INTERFACE"})
OPEN = _ROUTED | {
    *("FLEX_COUNTER_TABLE", "BGP_GLOBALS_AF", "BGP_NEIGHBOR", "BGP_PEER_RANGE", "BGP_DEVICE_GLOBAL", "SWITCH_HASH"),
    *("ACL_RULE", "BREAKOUT_PORTS", "DEVICE_METADATA", "DEVICE_NEIGHBOR", "PORT", "PORTCHANNEL", "SWITCH", "TUNNEL"),
    "VXLAN_TUNNEL",
}
"""Tables with many fields that have nothing to do with quality of service."""
_READS_LIKE_QOS = regex(r"QOS|QUEUE|BUFFER|PFC|WRED|SCHEDULER|_TO_|HEADROOM|LOSSLESS|ECN|WATERMARK")


def reads_like_qos(table: str) -> bool:
    """Return whether the name of an unknown table belongs to quality of service.

    >>> reads_like_qos("PFC_WD_HW"), reads_like_qos("BGP_NEIGHBOR")
    (True, False)
    """
    return _READS_LIKE_QOS.search(table) is not None


APPLICATION = regex(r'"(PORT|BUFFER_PROFILE|BUFFER_POOL)_TABLE:(?=[^"|]{1,200}"\s*:)')
"""The known tables of the application database; they have the fields of their namesakes in the configuration."""
