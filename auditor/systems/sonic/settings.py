"""Each setting that is read, by an example: its table, key and field, two values, and the port view's field of it.

Together the first values are a whole configuration of one port. Loading a file adds rows and fields and overwrites
those that are there; `null` in place of a row deletes the row.
"""

from dataclasses import dataclass

LOAD_PAGE = "https://github.com/sonic-net/sonic-py-swsssdk/blob/master/src/swsssdk/configdb.py"
"""Where `mod_config` and `mod_entry` say what loading does to what is there."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of a row: `shows` is its field in the port view as a JSON pointer, `*` for any number.

    `other` is a second value. `needs`: the switch says nothing without this row, so that it is never deleted alone.
    """

    table: str
    key: str
    field: str
    value: str
    other: str
    shows: str
    needs: bool = False


_PORT = "Ethernet0"
_LOSSLESS = "Ethernet0|3"

SETTINGS = (
    Setting("DEVICE_METADATA", "localhost", "hostname", "leaf1", "leaf2", "", needs=True),
    Setting("PORT", _PORT, "speed", "100000", "400000", "/speed_gbps", needs=True),
    Setting("PORT", _PORT, "lanes", "1,2,3,4", "1,2", "/lanes", needs=True),
    Setting("PORT", _PORT, "mtu", "9100", "4000", "/mtu_bytes", needs=True),
    Setting("PORT", _PORT, "admin_status", "down", "up", "/enabled", needs=True),
    Setting("PORT", _PORT, "fec", "rs", "fc", "/fec", needs=True),
    Setting("PORT_QOS_MAP", _PORT, "pfc_enable", "3,4", "3", "/pfc_priorities"),
    Setting("PORT_QOS_MAP", _PORT, "pfcwd_sw_enable", "3,4", "3", "/pfc_watchdog_priorities"),
    Setting("PORT_QOS_MAP", _PORT, "dscp_to_tc_map", "A", "B", "/dscp_to_class"),
    Setting("PORT_QOS_MAP", _PORT, "dot1p_to_tc_map", "A", "B", "/pcp_to_class"),
    Setting("PORT_QOS_MAP", _PORT, "tc_to_queue_map", "A", "B", "/classes/*/queue"),
    Setting("PORT_QOS_MAP", _PORT, "tc_to_pg_map", "A", "B", "/classes/*/pg"),
    Setting("PORT_QOS_MAP", _PORT, "pfc_to_queue_map", "A", "B", "/classes/*/pfc_priority"),
    Setting("PORT_QOS_MAP", _PORT, "tc_to_dscp_map", "A", "B", "/class_to_dscp"),
    Setting("PORT_QOS_MAP", _PORT, "tc_to_dot1p_map", "A", "B", "/class_to_pcp"),
    Setting("DSCP_TO_TC_MAP", "A", "26", "3", "4", "/dscp_to_class"),
    Setting("DSCP_TO_TC_MAP", "B", "26", "5", "6", "/dscp_to_class"),
    Setting("DOT1P_TO_TC_MAP", "A", "3", "3", "4", "/pcp_to_class"),
    Setting("DOT1P_TO_TC_MAP", "B", "3", "5", "6", "/pcp_to_class"),
    Setting("TC_TO_QUEUE_MAP", "A", "3", "3", "4", "/classes/*/queue"),
    Setting("TC_TO_QUEUE_MAP", "B", "3", "5", "6", "/classes/*/queue"),
    Setting("TC_TO_PRIORITY_GROUP_MAP", "A", "3", "3", "4", "/classes/*/pg"),
    Setting("TC_TO_PRIORITY_GROUP_MAP", "B", "3", "5", "6", "/classes/*/pg"),
    Setting("MAP_PFC_PRIORITY_TO_QUEUE", "A", "3", "3", "4", "/classes/*/pfc_priority"),
    Setting("MAP_PFC_PRIORITY_TO_QUEUE", "B", "5", "3", "4", "/classes/*/pfc_priority"),
    Setting("TC_TO_DSCP_MAP", "A", "3", "26", "28", "/class_to_dscp"),
    Setting("TC_TO_DSCP_MAP", "B", "3", "30", "32", "/class_to_dscp"),
    Setting("TC_TO_DOT1P_MAP", "A", "3", "3", "4", "/class_to_pcp"),
    Setting("TC_TO_DOT1P_MAP", "B", "3", "5", "6", "/class_to_pcp"),
    Setting("WRED_PROFILE", "W", "ecn", "ecn_all", "ecn_green", "/queues/*/ecn_colors"),
    Setting("WRED_PROFILE", "W", "wred_green_enable", "true", "false", "/queues/*/wred_drop"),
    Setting("WRED_PROFILE", "W", "green_min_threshold", "1000", "2000", "/queues/*/ecn_min_bytes"),
    Setting("WRED_PROFILE", "W", "green_max_threshold", "3000", "4000", "/queues/*/ecn_max_bytes"),
    Setting("WRED_PROFILE", "W", "green_drop_probability", "5", "10", "/queues/*/ecn_max_probability"),
    Setting("SCHEDULER", "S", "type", "DWRR", "STRICT", "/queues/*/scheduler"),
    Setting("SCHEDULER", "S", "weight", "15", "20", "/queues/*/weight"),
    Setting("SCHEDULER", "S", "meter_type", "bytes", "packets", "/queues/*/shape_gbps"),
    Setting("SCHEDULER", "S", "pir", "1250000000", "2500000000", "/queues/*/shape_gbps"),
    Setting("QUEUE", _LOSSLESS, "scheduler", "S", "T", "/queues/*/scheduler"),
    Setting("QUEUE", _LOSSLESS, "wred_profile", "W", "X", "/queues/*/ecn"),
    Setting("BUFFER_POOL", "ingress_lossless_pool", "mode", "dynamic", "static", "/priority_groups/*/alpha"),
    Setting("BUFFER_PROFILE", "P", "pool", "ingress_lossless_pool", "egress_pool", "/priority_groups/*/pool"),
    Setting("BUFFER_PROFILE", "P", "size", "1248", "2000", "/priority_groups/*/size_bytes"),
    Setting("BUFFER_PROFILE", "P", "xon", "2288", "3000", "/priority_groups/*/xon_bytes"),
    Setting("BUFFER_PROFILE", "P", "xon_offset", "1000", "2000", "/priority_groups/*/xon_offset_bytes"),
    Setting("BUFFER_PROFILE", "P", "xoff", "66560", "80000", "/priority_groups/*/xoff_bytes"),
    Setting("BUFFER_PROFILE", "P", "dynamic_th", "-1", "2", "/priority_groups/*/alpha"),
    Setting("BUFFER_PROFILE", "Q", "static_th", "5000", "6000", "/priority_groups/*/static_threshold_bytes"),
    Setting("BUFFER_PG", _LOSSLESS, "profile", "P", "R", "/priority_groups/*/pool"),
    Setting("BUFFER_PG", "Ethernet0|5", "profile", "Q", "R", "/priority_groups/*/pool"),
    Setting("CABLE_LENGTH", "AZURE", _PORT, "5m", "40m", "/cable_length_m"),
    Setting("PFC_WD", _PORT, "action", "drop", "forward", "/pfc_watchdog_action"),
    Setting("PFC_WD", _PORT, "detection_time", "200", "400", "/pfc_watchdog_detection_ms"),
    Setting("PFC_WD", _PORT, "restoration_time", "300", "500", "/pfc_watchdog_restoration_ms"),
    Setting("PFC_WD", "GLOBAL", "POLL_INTERVAL", "200", "400", "/pfc_watchdog_polling_ms"),
    Setting("DEVICE_NEIGHBOR", _PORT, "name", "spine1", "spine2", "/peer"),
    Setting("DEVICE_NEIGHBOR", _PORT, "port", "Ethernet4", "Ethernet8", "/peer"),
)
