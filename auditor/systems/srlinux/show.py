"""Outputs of SR Linux: the configuration in its syntaxes, the state, and tables."""

import re

from auditor.grammar.show import PortReader, Pull, Show, ShowTable, beginning, command_text
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture, LineState
from auditor.systems.srlinux import detail, state
from auditor.systems.srlinux.reader import find_base
from auditor.util.regex import regex

CONFIG = "info"
PART = "info PART"
"""A part of the tree: no whole device by itself."""
STATE = "info from state"
SHOWS: tuple[Show[PortReader], ...] = (
    Show(
        CONFIG,
        "the configuration",
        pull=(Pull("info from running", required=True, timeout_s=120),),
        whole=True,
    ),
    Show(
        STATE,
        "ports, PFC, queues and neighbours as they run",
        read=state.read_state,
        pull=(
            Pull("info from state interface *", "speed, MTU, FEC and counters of ports", timeout_s=120, counts=True),
            Pull("info from state qos interfaces", "pauses, discards and marks by queue", timeout_s=120, counts=True),
            Pull("info from state system lldp", "cables", timeout_s=60),
        ),
    ),
    Show(
        "show system lldp neighbor",
        "cables",
        regex(r"^[^\S\n]*\| +Name +\| +Neighbor +\| +Neighbor System Name +\|", re.MULTILINE),
        state.read_lldp_table,
    ),
    Show(
        "show interface brief",
        "speed and state of ports",
        regex(r"^[^\S\n]*\| +Port +\| +Admin State +\| +Oper State +\| +Speed +\|", re.MULTILINE),
        state.read_brief,
    ),
    Show(
        "show interface",
        "speed of ports",
        regex(r"^[^\S\n]*ethernet-\d[\d/m]* is (?:up|down), ", re.MULTILINE),
        state.read_interfaces,
    ),
    Show(
        "show interface detail",
        "settings, counters and queues of a port",
        regex(r"^[^\S\n]*Interface: ethernet-\d[\d/m]*[^\S\n]*$", re.MULTILINE),
        detail.read_details,
    ),
    Show(
        "show version",
        "model and release",
        regex(r"^[^\S\n]*Chassis Type +: (?:7[27]\d0|.*IXR|.*SXR)", re.MULTILINE),
        state.read_version,
        (Pull(),),
    ),
)
_TOPS = "interface|network-instance|system|qos|acl|routing-policy|bfd|tunnel-interface"
_FLAT = regex(
    rf"^[^\S\n]*(?:[AB]:[\w.@-]{{1,128}}# ?)?(?:set|delete) ?/ ?(?:{_TOPS})\b|^[^\S\n]*--\{{ [^}}\n]*\}}--\[",
    re.MULTILINE,
)
_CURLY = regex(
    r"^[^\S\n]*(?:interface (?:ethernet-\d[\d/m]*|lag\d+|mgmt0|irb\d+|system0)|network-instance \S+|"
    r"(?:pfc-mapping-profile|queue-management-profile|buffer-allocation-profile|queue-template|dscp-policy|"
    r"forwarding-class|scheduler-policy) \S+|breakout-mode|pfc|lldp|classifiers|queue-templates) \{[^\S\n]*$",
    re.MULTILINE,
)
_JSON = regex(
    r"^[ \t{\[]*\"(?:srl_nokia-[\w-]+:[\w-]+\"(?!: ?\[\])|(?:name|interface-id)\": ?\"ethernet-\d+/\d+)", re.MULTILINE
)
_STATE = regex(
    r"^[^\S\n]*\"?(?:oper-state\"?:? \"?(?:up|down)|(?:queue-)?statistics\"?:? \{|last-change|system-description|"
    r"pfc-pause-frames-received)",
    re.MULTILINE,
)
_ENDED = regex(r"^[^\"'=,\n]*;[^\S\n]*(?:##.*)?$", re.MULTILINE)
"""How lines of Junos end, which has blocks of the same form."""
_MEMBER = regex(r"^[^\S\n]*\"[\w.:|-]+\"\s*:", re.MULTILINE)
"""How lines of a JSON document begin."""
TABLE = ShowTable(SHOWS, CONFIG)
ONLY = regex("|".join(each.pattern for each in (_FLAT, *TABLE.signs)), re.MULTILINE)
"""Words that no other system has; commands such as `show interface` are of many systems."""
_FLAT_SIGNS, _JSON_SIGNS = join_signs([_FLAT]), join_signs([_JSON])
_CURLY_SIGNS, _STATE_SIGNS = join_signs([_CURLY]), join_signs([_STATE])
SIGNS = join_signs((*TABLE.signs, _FLAT, _JSON, _CURLY))


def recognise(capture: Capture) -> str | None:
    """Return the command of *capture*, None if its content is not particular to SR Linux."""
    found = TABLE.find_sign(beginning(capture.lines))
    if found:
        return found
    head = beginning(capture.lines)
    is_curly = _CURLY_SIGNS.are_in(head) and not _ENDED.search(head.whole)
    is_lines = (is_curly or _FLAT_SIGNS.are_in(head)) and not _MEMBER.search(head.whole)
    if not (is_lines or _JSON_SIGNS.are_in(head)):
        return None
    if _STATE_SIGNS.are_in(head):
        return STATE
    return PART if find_base(command_text(capture)) else CONFIG


def find_name(capture: Capture) -> str | None:
    """Return the command that a transcript, a manifest or the file name gives, None without a reader for it."""
    command = command_text(capture).replace("_", " ")
    if command.startswith("info"):
        return STATE if command.startswith(STATE) else PART if find_base(command) else CONFIG
    return TABLE.find_name(capture)


def mark_unread(command: str) -> LineState:
    """Return the state of an unread output: most outputs do not concern quality of service."""
    words = command.split()
    if words[:1] != ["show"]:
        return LineState.UNRECOGNISED
    return LineState.NOT_MODELLED if words[1:2] == ["qos"] else LineState.IGNORED
