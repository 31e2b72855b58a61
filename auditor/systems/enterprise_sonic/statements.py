"""Statements that concern the whole switch, each a line by itself, and the words that begin other blocks."""

import re
from collections.abc import Callable, Mapping, Sequence

from auditor.grammar.numbers import expand
from auditor.model.dump import LineState
from auditor.systems.enterprise_sonic.contexts import scheduler_parts
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Writer
from auditor.systems.sonic.assemble import POLICY_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, MODELLED, NOT_MODELLED, UNRECOGNISED

SWITCH = "SWITCH"
LOSSLESS = "lossless"
"""The table and the key under which it is kept whether the buffers are initialized for lossless traffic."""
_NOT_MODELLED = frozenset({"class-map", "classifier", "policy-map", "policy", "dcbx", "port-group", "threshold"})
_IGNORED = re.compile(
    r"(?:aaa|access-list|alarm|anycast-mac-address|arp|ars|as-path-list|asic|authentication|authorization|"
    r"banner|bfd|bgp|clock|community-list|consistency-check|copp-action|core|crm|crypto|default|dhcp|"
    r"dns|dot1x|dropcounters|errdisable|event|event-profile|evpn|extcommunity-list|fdb|fips|flow-group|"
    r"hardware|hash|hostname|image|in-memory-logging|interface-naming|ip|ipv6|kdump|key|ldap-server|"
    r"line|link|lldp|locator-led|logger|logging|login|mab|mac|mclag|mirror-session|nat|neighbor|"
    r"network-policy|ntp|object-group|object-groups|ospf|password|pim|poe|prefix-list|ptp|qinq|radius-"
    r"server|reload|rest|role|route-map|router|sag|session-group|sflow|show|snmp-server|spanning-tree|"
    r"ssh-server|static|switch-profile|switch-resource|syslog|system|tacacs-server|tam|tcam|telemetry|"
    r"terminal|track|udld|user|username|vlan|vrf|vrrp|vxlan|watermark|zone|ztp)\Z"
)
"""First words of other statements of the configuration, of which many open a block."""


def read(words: Sequence[str], index: int, writer: Writer) -> LineState | None:
    """Read a statement about the whole switch; None where it is none that is read."""
    negated = words[0] == "no"
    rest = list(words[1:] if negated else words)
    if rest[:1] == ["qos"] and rest[1:2] and rest[1].startswith("buffer"):
        rest = rest[1:]
        rest[:1] = rest[0].split("-")
    for begins, reader in _READERS.items():
        if rest[: len(begins)] == list(begins):
            return reader(rest[len(begins) :], index, writer, negated)
    return None


def kind(words: Sequence[str]) -> LineState | None:
    """Return the state of a line that begins a block which is not read, None where nothing is known that begins so."""
    first = next((word for word in words if word not in {"no", "default"}), "")
    return NOT_MODELLED if first in _NOT_MODELLED else IGNORED if _IGNORED.match(first) else None


def _hostname(rest: Sequence[str], index: int, writer: Writer, _negated: bool) -> LineState:
    return writer.put("DEVICE_METADATA", "localhost", {"hostname": rest[0]}, index) if rest else UNRECOGNISED


def _roce(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    """Read `roce enable [force-defaults] [pfc-priority 3,4]`."""
    if negated:
        return writer.drop(SWITCH, LOSSLESS)
    words = [word for word in rest if word != "force-defaults"]
    listed = words[1] if words[:1] == ["pfc-priority"] and len(words) == 2 else ""  # noqa: PLR2004  name and list
    numbers = expand(listed, 0, 7) if listed else ()
    if numbers is None or (words and not listed):
        return UNRECOGNISED
    said = {"roce_enable": "true", "pfc_priority": ",".join(map(str, numbers))}
    return writer.put(SWITCH, LOSSLESS, said, index)


def _buffer_init(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    if negated:
        return writer.drop(SWITCH, LOSSLESS, ["buffer_mode_lossless"])
    known = list(rest) in ([], [LOSSLESS])
    return writer.put(SWITCH, LOSSLESS, {"buffer_mode_lossless": "true"}, index) if known else UNRECOGNISED


def _pool(rest: Sequence[str], index: int, writer: Writer, _negated: bool) -> LineState:
    """Read `buffer pool NAME shared-headroom-size BYTES`."""
    if len(rest) < 3 or rest[1] != "shared-headroom-size":  # noqa: PLR2004  name, word, bytes
        return UNRECOGNISED
    return writer.put("BUFFER_POOL", rest[0], {"xoff": rest[-1]}, index)


_PROFILE = re.compile(
    r"(?P<name>\S+) (?P<pool>\S+) (?P<size>\d+)(?: threshold-mode \S+)?"
    r"(?: static-threshold (?P<static_th>\d+)| dynamic-threshold (?P<dynamic_th>-?\d+))?"
    r"(?: pause(?: pause-threshold (?P<xoff>\d+))?(?: resume-threshold (?P<xon>\d+))?"
    r"(?: resume-offset-threshold (?P<xon_offset>\d+))?)?"
)


def _profile(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    """Read `buffer profile NAME POOL SIZE …`, all sizes in bytes; a line says the whole profile."""
    if not rest:
        return UNRECOGNISED
    found = _PROFILE.fullmatch(" ".join(rest))
    if not negated and found is None:
        return UNRECOGNISED
    writer.drop("BUFFER_PROFILE", rest[0])
    if negated or found is None:
        return MODELLED
    said = {name: text for name, text in found.groupdict().items() if text is not None and name != "name"}
    return writer.put("BUFFER_PROFILE", rest[0], said, index)


def _polling(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    if negated:
        return writer.drop("PFC_WD", "GLOBAL")
    return writer.put("PFC_WD", "GLOBAL", {"POLL_INTERVAL": "".join(rest)}, index)


_BREAKOUT = re.compile(r"(?:Eth)?(?P<port>\d{1,3}(?:/\d{1,3}){1,2}) mode \d{1,2}x(?P<speed>\d{1,4})G(?:\s.*)?")


def _breakout(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    """Read `interface breakout port 1/1 mode 4x100G`."""
    if negated:
        return writer.drop("BREAKOUT_CFG", "".join(rest[:1]).removeprefix("Eth"))
    found = _BREAKOUT.fullmatch(" ".join(rest))
    if found is None:
        return UNRECOGNISED
    speed = str(1000 * int(found["speed"]))
    return writer.put("BREAKOUT_CFG", found["port"], {"speed": speed}, index)


def _removed(rest: Sequence[str], _index: int, writer: Writer, negated: bool) -> LineState:
    """Read `no qos map TYPE NAME`, `no qos wred-policy NAME` and `no qos scheduler-policy NAME`."""
    what, names = (rest[0], rest[1:]) if rest else ("", ())
    if not negated or not names:
        return NOT_MODELLED if what in {"threshold", "rewrite"} else UNRECOGNISED
    if what == "map" and names[0] in MAPS and len(names) > 1:
        return writer.drop(MAPS[names[0]][0], names[1])
    if what == "wred-policy":
        return writer.drop("WRED_PROFILE", names[0])
    if what == "scheduler-policy":
        for table, key in (("SCHEDULER", names[0]), *scheduler_parts(names[0])):
            writer.drop(table, key)
        return MODELLED
    return UNRECOGNISED


def _policy(rest: Sequence[str], index: int, writer: Writer, negated: bool) -> LineState:
    """Read a policy that classifies what enters all ports; what it matches is not modelled."""
    if negated:
        writer.drop(SWITCH, POLICY_FIELD)
    elif rest:
        writer.put(SWITCH, POLICY_FIELD, {POLICY_FIELD: rest[0]}, index)
    return NOT_MODELLED


def _known(_rest: Sequence[str], _index: int, _writer: Writer, _negated: bool) -> LineState:
    return NOT_MODELLED


_READERS: Mapping[tuple[str, ...], Callable[[Sequence[str], int, Writer, bool], LineState]] = {
    ("hostname",): _hostname,
    ("roce", "enable"): _roce,
    ("buffer", "init"): _buffer_init,
    ("buffer", "pool"): _pool,
    ("buffer", "profile"): _profile,
    ("priority-flow-control", "watchdog", "polling-interval"): _polling,
    ("priority-flow-control", "watchdog", "counter-poll"): _known,
    ("interface", "breakout", "port"): _breakout,
    ("interface", "breakout"): _breakout,
    ("service-policy", "type", "qos", "in"): _policy,
    ("qos",): _removed,
}
"""Statements by the words that they begin with: the other words, the line's index, and whether `no` stood before."""
