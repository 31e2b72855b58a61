"""Show outputs of Enterprise SONiC, recognised by content, command or file name."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from auditor.grammar.show import Deferred, Pull, Show, ShowTable, share_text, show_config, show_saved
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture, LineState
from auditor.systems.sonic.show import CONFIG as DATABASE
from auditor.systems.sonic.show import find_head
from auditor.systems.sonic.show import recognise as recognise_sonic
from auditor.util.regex import regex
from auditor.util.values import dataclass

CONFIG = "show running-configuration"
SAVED = "show startup-configuration"
COUNTERS = "show priority-flow-control statistics"
LINES_TO_LOOK_AT = 4000


@dataclass(frozen=True, slots=True)
class Shows:
    """The reader of an output, and the tables that the output shows completely."""

    read: Callable[[Any], list[LineState]]
    tables: tuple[str, ...] = ()


def _defer_policy(name: str, *tables: str) -> Shows:
    return Shows(Deferred("auditor.systems.enterprise_sonic.policy_output", name), tables)


def _defer_port(name: str) -> Shows:
    return Shows(Deferred("auditor.systems.enterprise_sonic.port_output", name))


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


SHOWS: tuple[Show[Shows], ...] = (
    show_config(CONFIG),
    show_saved(SAVED),
    Show(DATABASE, "the configuration as the database has it", whole=True),
    Show(
        "show qos wred-policy",
        "ECN and WRED",
        _lines(r"^(?:Policy|Profile) +: +\S+\n(?:-+\n)?(?:ecn|green|yellow|red)\b"),
        _defer_policy("parse_wred", "WRED_PROFILE"),
    ),
    Show(
        "show qos scheduler-policy",
        "scheduling",
        _lines(r"^ *Scheduler Policy: \S+"),
        _defer_policy("parse_scheduler", "SCHEDULER"),
    ),
    Show(
        "show qos map",
        "classification, queues and priority groups",
        _lines(r"^ *(?:DSCP-TC|DOT1P-TC|TC-(?:Q|Queue|PG|DSCP|DOT1P)|PFC-P\S*)-MAP: \S+"),
        _defer_policy("parse_qos_maps"),
    ),
    Show(
        "show qos interface",
        "maps, policies and PFC of a port",
        _lines(r"^ *dscp-tc-map: "),
        _defer_port("parse_interface"),
    ),
    Show(
        "show priority-flow-control watchdog",
        "PFC watchdog",
        _lines(r"^Watchdog Summary$"),
        _defer_port("parse_watchdog"),
    ),
    Show("show qos priority-flow-control", "PFC watchdog", read=_defer_port("parse_watchdog")),
    Show("show buffer pool", "buffer pools", _lines(r"^Pool \S+:$"), _defer_policy("parse_buffers", "BUFFER_POOL")),
    Show(
        "show buffer profile",
        "buffer profiles",
        _lines(r"^Profile \S+:$"),
        _defer_policy("parse_buffers", "BUFFER_PROFILE"),
    ),
    Show(
        "show interface status",
        "speed and state of ports",
        _lines(r"^Name ++Description ++.*Speed +MTU"),
        _defer_port("parse_status"),
        (Pull(),),
    ),
    Show(
        "show version",
        "model and release",
        _lines(r"^Product *: *'?Enterprise SONiC|^Software Version *: '?[\w.-]*Enterprise"),
        _defer_port("parse_version"),
        (Pull(),),
    ),
    Show("show lldp table", "cables", pull=(Pull(),)),
)
TABLE = ShowTable(SHOWS, CONFIG)
READERS = TABLE.readers
_JSON = regex(
    r'"(?:roce_enable|buffer_mode_lossless|intf_naming_mode|default_lossless_buffer_profile)"\s*:|'
    r'"(?:build_version|sonic_os_version|software_version)"\s*:\s*"[^"]{0,80}Enterprise'
)
"""Fields that only this distribution's database has, and the name of its releases."""
_OWN = (
    r"(?:qos-map (?:dscp|dot1p|tc|pfc-priority)-(?:tc|queue|pg|dscp|dot1p) \S|"
    r"qos map (?:dscp|dot1p|tc|pfc-priority)-(?:tc|q|queue|pg|dscp|dot1p) \S|qos (?:wred|scheduler)-policy \S|"
    r"(?:qos )?buffer (?:init(?: lossless)?$|pool \S+ shared-headroom-size|profile \S+ (?:in|e)gress_)|roce enable\b|"
    r"queue \d+ wred-policy |scheduler-policy \S|interface breakout port |interface-naming standard|unreliable-los |"
    r"priority-flow-control (?:asymmetric$|"
    r"watchdog (?:on|off|action (?:alert|drop|forward)\b|detect-time|restore-time|polling-interval \d+\s*$)))"
)
_CONFIG = regex(rf"^[ \t]*(?:[\w.-]{{1,63}}(?:\([\w/.*-]{{1,100}}\))?# ?)?(?:no )?{_OWN}", re.MULTILINE)
ONLY = regex(_CONFIG.pattern.replace("watchdog (?:on|", "watchdog (?:"), re.MULTILINE)
"""Words of a configuration that no other system has."""
_PROMPT = regex(
    r"^[ \t]*(?:sonic-cli(?:\(conf[\w/.*-]{1,100}\))?# ?\S|"
    r"[\w.-]{1,63}# ?show (?:running-configuration|qos |buffer (?:pool|profile))|"
    r"[\w.-]{1,63}\(conf(?:ig)?-(?:if-(?:range-)?[Ee]th|wred-|sched|[a-z0-9-]{5,18}-map-)[\w/.*-]{0,80}\)# ?\S)",
    re.MULTILINE,
)
"""Prompts in modes that only this command line has, or before commands that it alone spells so."""
_COUNTERS = regex(r"^Flow Control frames (?:received|transmitted)\s*$", re.MULTILINE)
_NEIGHBOURS = regex(
    r"^Interface:\s+(?:Eth\d+/[\d/]+,\s*|Ethernet\d+,)via: LLDP|^LocalPort\s+RemoteDevice[^\n]*\n[-\s]*Eth\d+/\d",
    re.MULTILINE,
)
_OTHER_OS = regex(
    r"^(?:sysname |feature \w|!Command: show|! device: |Building configuration|system qos|trust (?:dot1p|dscp)-map |"
    r"nv set |set (?:class-of-service|interfaces) )",
    re.MULTILINE,
)
_BEGINS = (regex(r"\A\s*\{"), regex(r"\A\s*\["))
_CONFIGS, _PROMPTS, _OTHERS = join_signs([_CONFIG]), join_signs([_PROMPT]), join_signs([_OTHER_OS])
SIGNS = join_signs((*TABLE.signs, *_BEGINS, _COUNTERS, _NEIGHBOURS, _CONFIG, _PROMPT, ONLY))


def recognise(capture: Capture) -> str | None:
    """Return the kind of *capture*, None if its content is not particular to this distribution of SONiC.

    SONiC's own JSON has the kind that the reader of SONiC gives it.
    """
    head = share_text("\n".join(capture.lines[:LINES_TO_LOOK_AT]))
    if head.whole.lstrip()[:1] in {"{", "["}:
        return recognise_sonic(capture) if _JSON.search(find_head(capture)) else None
    if _OTHERS.are_in(head):
        return None
    shown = TABLE.find_sign(head)
    if shown is None and _COUNTERS.search(head.whole):
        return COUNTERS
    if shown is None and _NEIGHBOURS.search(head.whole):
        return recognise_sonic(capture) or "show lldp neighbors"
    is_config = _CONFIGS.are_in(head)
    if shown or is_config or _PROMPTS.are_in(head):
        return find_command(capture) or (None if is_config else shown) or CONFIG
    return None


def find_command(capture: Capture) -> str | None:
    """Return the command of a transcript, a manifest or the file's name, None without a reader for it."""
    return match_command(capture.command or re.sub(r"[ _]+", " ", PurePath(capture.file).stem))


def match_command(said: str) -> str | None:
    """Return the known command that *said* runs, None without a reader for it.

    >>> [match_command(f"show {rest}") for rest in ("running-configuration interface Eth 1/5", "qos map", "vlan")]
    ['show running-configuration', 'show qos map', None]
    """
    if shown := re.match(r"(?:do )?show (?P<which>run|start)", said):
        return CONFIG if shown["which"] == "run" else SAVED
    if "priority-flow-control statistics" in said:
        return COUNTERS
    return next((name for name in READERS if said.startswith(name)), None)


def shows_whole(said: str) -> bool:
    """Tell whether *said* shows the whole configuration, and no part of it.

    >>> shows_whole("show running-configuration | no-more"), shows_whole("show running-configuration | grep qos")
    (True, False)
    """
    return re.fullmatch(r"(?:do )?show (?:run|start)[\w-]*(?: ?\| ?no-more)?", said.strip()) is not None
