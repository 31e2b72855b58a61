"""An example of each known setting: its table, key and field, two values, and the port view's field of it.

Together the first values are a whole configuration of one port. Loading a file adds rows and fields and overwrites
those that are there; `null` in place of a row deletes the row.
"""

from auditor.util.values import dataclass

LOAD_PAGE = "https://github.com/sonic-net/sonic-py-swsssdk/blob/master/src/swsssdk/configdb.py"
"""Where `mod_config` and `mod_entry` say what loading does to what is there."""


@dataclass(frozen=True, slots=True)
class FieldExample:
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
    FieldExample("DEVICE_METADATA", "localhost", "hostname", "leaf1", "leaf2", "", needs=True),
    FieldExample("PORT", _PORT, "speed", "100000", "400000", "/speed_gbps", needs=True),
    FieldExample("PORT", _PORT, "lanes", "1,2,3,4", "1,2", "/lanes", needs=True),
    FieldExample("PORT", _PORT, "mtu", "9100", "4000", "/mtu_bytes", needs=True),
    FieldExample("PORT", _PORT, "admin_status", "down", "up", "/enabled", needs=True),
    FieldExample("PORT", _PORT, "fec", "rs", "fc", "/fec", needs=True),
    FieldExample("PORT_QOS_MAP", _PORT, "pfc_enable", "3,4", "3", "/pfc_priorities"),
    FieldExample("PORT_QOS_MAP", _PORT, "pfcwd_sw_enable", "3,4", "3", "/pfc_watchdog_priorities"),
    FieldExample("PORT_QOS_MAP", _PORT, "dscp_to_tc_map", "A", "B", "/dscp_to_class"),
    FieldExample("PORT_QOS_MAP", _PORT, "dot1p_to_tc_map", "A", "B", "/pcp_to_class"),
    FieldExample("PORT_QOS_MAP", _PORT, "tc_to_queue_map", "A", "B", "/classes/*/queue"),
    FieldExample("PORT_QOS_MAP", _PORT, "scheduler", "S", "T", "/shape_gbps"),
    FieldExample("PORT_QOS_MAP", _PORT, "tc_to_pg_map", "A", "B", "/classes/*/pg"),
    FieldExample("PORT_QOS_MAP", _PORT, "pfc_to_queue_map", "A", "B", "/classes/*/pfc_priority"),
    FieldExample("PORT_QOS_MAP", _PORT, "tc_to_dscp_map", "A", "B", "/class_to_dscp"),
    FieldExample("PORT_QOS_MAP", _PORT, "tc_to_dot1p_map", "A", "B", "/class_to_pcp"),
    FieldExample("DSCP_TO_TC_MAP", "A", "26", "3", "4", "/dscp_to_class"),
    FieldExample("DSCP_TO_TC_MAP", "B", "26", "5", "6", "/dscp_to_class"),
    FieldExample("DOT1P_TO_TC_MAP", "A", "3", "3", "4", "/pcp_to_class"),
    FieldExample("DOT1P_TO_TC_MAP", "B", "3", "5", "6", "/pcp_to_class"),
    FieldExample("TC_TO_QUEUE_MAP", "A", "3", "3", "4", "/classes/*/queue"),
    FieldExample("TC_TO_QUEUE_MAP", "B", "3", "5", "6", "/classes/*/queue"),
    FieldExample("TC_TO_PRIORITY_GROUP_MAP", "A", "3", "3", "4", "/classes/*/pg"),
    FieldExample("TC_TO_PRIORITY_GROUP_MAP", "B", "3", "5", "6", "/classes/*/pg"),
    FieldExample("MAP_PFC_PRIORITY_TO_QUEUE", "A", "3", "3", "4", "/classes/*/pfc_priority"),
    FieldExample("MAP_PFC_PRIORITY_TO_QUEUE", "B", "5", "3", "4", "/classes/*/pfc_priority"),
    FieldExample("TC_TO_DSCP_MAP", "A", "3", "26", "28", "/class_to_dscp"),
    FieldExample("TC_TO_DSCP_MAP", "B", "3", "30", "32", "/class_to_dscp"),
    FieldExample("TC_TO_DOT1P_MAP", "A", "3", "3", "4", "/class_to_pcp"),
    FieldExample("TC_TO_DOT1P_MAP", "B", "3", "5", "6", "/class_to_pcp"),
    FieldExample("WRED_PROFILE", "W", "ecn", "ecn_all", "ecn_green", "/queues/*/ecn_colors"),
    FieldExample("WRED_PROFILE", "W", "wred_green_enable", "true", "false", "/queues/*/wred_drop"),
    FieldExample("WRED_PROFILE", "W", "green_min_threshold", "1000", "2000", "/queues/*/ecn_min_bytes"),
    FieldExample("WRED_PROFILE", "W", "green_max_threshold", "3000", "4000", "/queues/*/ecn_max_bytes"),
    FieldExample("WRED_PROFILE", "W", "green_drop_probability", "5", "10", "/queues/*/ecn_max_probability"),
    FieldExample("SCHEDULER", "S", "type", "DWRR", "STRICT", "/queues/*/scheduler"),
    FieldExample("SCHEDULER", "S", "weight", "15", "20", "/queues/*/weight"),
    FieldExample("SCHEDULER", "S", "meter_type", "bytes", "packets", "/queues/*/shape_gbps"),
    FieldExample("SCHEDULER", "S", "pir", "1250000000", "2500000000", "/queues/*/shape_gbps"),
    FieldExample("QUEUE", _LOSSLESS, "scheduler", "S", "T", "/queues/*/scheduler"),
    FieldExample("QUEUE", _LOSSLESS, "wred_profile", "W", "X", "/queues/*/ecn"),
    FieldExample("BUFFER_POOL", "ingress_lossless_pool", "mode", "dynamic", "static", "/priority_groups/*/alpha"),
    FieldExample("BUFFER_PROFILE", "P", "pool", "ingress_lossless_pool", "egress_pool", "/priority_groups/*/pool"),
    FieldExample("BUFFER_PROFILE", "P", "size", "1248", "2000", "/priority_groups/*/size_bytes"),
    FieldExample("BUFFER_PROFILE", "P", "xon", "2288", "3000", "/priority_groups/*/xon_bytes"),
    FieldExample("BUFFER_PROFILE", "P", "xon_offset", "1000", "2000", "/priority_groups/*/xon_offset_bytes"),
    FieldExample("BUFFER_PROFILE", "P", "xoff", "66560", "80000", "/priority_groups/*/xoff_bytes"),
    FieldExample("BUFFER_PROFILE", "P", "dynamic_th", "-1", "2", "/priority_groups/*/alpha"),
    FieldExample("BUFFER_PROFILE", "Q", "static_th", "5000", "6000", "/priority_groups/*/static_threshold_bytes"),
    FieldExample("BUFFER_PG", _LOSSLESS, "profile", "P", "R", "/priority_groups/*/pool"),
    FieldExample("BUFFER_PG", "Ethernet0|5", "profile", "Q", "R", "/priority_groups/*/pool"),
    FieldExample("BUFFER_QUEUE", _LOSSLESS, "profile", "P", "R", "/queues/*/alpha"),
    FieldExample("CABLE_LENGTH", "AZURE", _PORT, "5m", "40m", "/cable_length_m"),
    FieldExample("PFC_WD", _PORT, "action", "drop", "forward", "/pfc_watchdog_action"),
    FieldExample("PFC_WD", _PORT, "detection_time", "200", "400", "/pfc_watchdog_detection_ms"),
    FieldExample("PFC_WD", _PORT, "restoration_time", "300", "500", "/pfc_watchdog_restoration_ms"),
    FieldExample("PFC_WD", "GLOBAL", "POLL_INTERVAL", "200", "400", "/pfc_watchdog_polling_ms"),
    FieldExample("PFC_WD", "GLOBAL", "BIG_RED_SWITCH", "disable", "enable", "/pfc_watchdog_forced"),
    FieldExample("DEVICE_NEIGHBOR", _PORT, "name", "spine1", "spine2", "/peer"),
    FieldExample("DEVICE_NEIGHBOR", _PORT, "port", "Ethernet4", "Ethernet8", "/peer"),
)
