"""Switch-wide statements, one line each, and the words that begin other blocks."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.grammar.numbers import expand
from auditor.grammar.rows import skip
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Where
from auditor.systems.enterprise_sonic.block import (
    BREAKOUT_PAGE,
    BUFFER_PAGE,
    PFC_PAGE,
    QOS_INTERFACES_PAGE,
    QOS_PAGE,
    ROCE_PAGE,
    SYSTEM_PAGE,
    QosBlock,
    field,
)
from auditor.systems.enterprise_sonic.contexts import list_scheduler_entries
from auditor.systems.enterprise_sonic.names import MAPS
from auditor.systems.enterprise_sonic.store import Place, Writer
from auditor.systems.sonic.assemble import POLICY_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, NOT_MODELLED, UNRECOGNISED
from auditor.util.regex import regex
from auditor.util.values import dataclass

SWITCH = "SWITCH"
LOSSLESS = "lossless"
"""The table and the key under which it is kept whether the buffers are initialized for lossless traffic."""
_ROCE, _PRIORITIES, _BUFFERS = f"{SWITCH}.roce_enable", f"{SWITCH}.pfc_priority", f"{SWITCH}.buffer_mode_lossless"
_POLICY = f"{SWITCH}.{POLICY_FIELD}"
_KEYS: Mapping[str, str] = {"DEVICE_METADATA": "localhost", "PFC_WD": "GLOBAL", SWITCH: LOSSLESS}
_NOT_MODELLED = frozenset({"class-map", "classifier", "policy-map", "policy", "dcbx", "port-group", "threshold"})
_IGNORED = regex(
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


@dataclass(slots=True)
class SwitchBlock(QosBlock):
    """Statements about the whole switch; each line is a block of its own."""

    @property
    def table(self) -> Table["SwitchBlock"]:
        """Return the statements about the whole switch."""
        return SWITCH_WIDE

    def places(self, name: str, member: object = None) -> Iterator[Place]:
        """Yield the field `TABLE.name` of the switch or of the entry *member*, or the whole entry."""
        table, _, name = name.partition(".")
        if table == "SCHEDULER":
            yield from ((table, key, "") for _, key in list_scheduler_entries(str(member)))
        if member is not None:
            yield table, str(member), name
        else:
            yield table, POLICY_FIELD if name == POLICY_FIELD else _KEYS[table], name


_BUFFER = regex(r"(?P<no>(?:no )?)qos buffer-?")
"""Some releases write `qos buffer` or `qos buffer-init` for `buffer` and `buffer init`."""
_CLAIMS = regex(
    r"(?:hostname|roce enable|buffer (?:init|pool|profile)|priority-flow-control watchdog (?:polling-interval|"
    r"counter-poll)|interface breakout|service-policy type qos in|qos)(?: |\Z)"
)


def read(text: str, index: int, writer: Writer) -> LineState | None:
    """Return the state of a switch-wide statement, None if unknown."""
    text = _BUFFER.sub(r"\g<no>buffer ", text, count=1)
    if not _CLAIMS.match(" ".join(SWITCH_WIDE.split(text)[1:])):
        return None
    return SWITCH_WIDE.read(SwitchBlock(writer, index, 0), text, writer.capture.where(index))


def find_state(words: Sequence[str]) -> LineState | None:
    """Return the state of a line that begins an unread block, None if the words are unknown."""
    first = next((word for word in words if word not in {"no", "default"}), "")
    return NOT_MODELLED if first in _NOT_MODELLED else IGNORED if _IGNORED.match(first) else None


def _roce(body: SwitchBlock, arguments: Arguments, where: Where) -> LineState | None:
    """Write `roce enable [force-defaults] [pfc-priority 3,4]`."""
    words = [word for word in arguments["words"].split() if word != "force-defaults"]
    listed = words[1] if words[:1] == ["pfc-priority"] and len(words) == 2 else ""  # noqa: PLR2004  name and list
    numbers = expand(listed, 0, 7) if listed else ()
    if numbers is None or (words and not listed):
        return None
    return body.put({_ROCE: "true", _PRIORITIES: ",".join(map(str, numbers))}, where)


def _pool(body: SwitchBlock, arguments: Arguments, where: Where) -> LineState:
    """Write `buffer pool NAME shared-headroom-size BYTES`; some releases have the word twice."""
    return body.put({"BUFFER_POOL.xoff": arguments["bytes"].split()[-1]}, where, arguments["name"])


_PROFILE = regex(
    r"(?P<pool>\S+) (?P<size>\d+)(?: threshold-mode \S+)?"
    r"(?: static-threshold (?P<static_th>\d+)| dynamic-threshold (?P<dynamic_th>-?\d+))?"
    r"(?: pause(?: pause-threshold (?P<xoff>\d+))?(?: resume-threshold (?P<xon>\d+))?"
    r"(?: resume-offset-threshold (?P<xon_offset>\d+))?)?"
)


def _profile(body: SwitchBlock, arguments: Arguments, where: Where) -> LineState | None:
    """Write `buffer profile NAME POOL SIZE …`, all sizes in bytes; a line sets the whole profile."""
    found = _PROFILE.fullmatch(arguments["options"])
    if found is None:
        return None
    body.writer.remove("BUFFER_PROFILE", arguments["name"], body.head)
    texts = {f"BUFFER_PROFILE.{name}": text for name, text in found.groupdict().items() if text is not None}
    return body.put(texts, where, arguments["name"])


_BREAKOUT = regex(r"mode \d{1,2}x(?P<speed>\d{1,4})G(?:\s.*)?")
_BROKEN_OUT = regex(r"(?:Eth)?(?P<port>\d{1,3}(?:/\d{1,3}){1,2})")


def _broken_out(arguments: Arguments) -> tuple[str, ...] | None:
    found = _BROKEN_OUT.fullmatch(arguments["port"])
    return (found["port"],) if found else None


def _breakout(body: SwitchBlock, arguments: Arguments, where: Where) -> LineState | None:
    """Write `interface breakout port 1/1 mode 4x100G`."""
    ports, mode = _broken_out(arguments), _BREAKOUT.fullmatch(arguments["mode"])
    if ports is None or mode is None:
        return None
    return body.put({"BREAKOUT_CFG.speed": str(1000 * int(mode["speed"]))}, where, ports[0])


def _names(arguments: Arguments) -> tuple[str, ...] | None:
    return (arguments["name"],) if arguments["name"] else None


def _object(form: str, table: str, example: str) -> Statement[SwitchBlock]:
    """Return the statement that defines a named object; a separate block reads its content."""
    return Statement(
        form, example, lambda _body, _arguments, _where: UNRECOGNISED, Negation(QOS_PAGE, member=(table, _names))
    )


_ALIASES = {"pfc-priority-queue": "pfc-priority-queue|pfc-priority-q"}
SWITCH_WIDE: Table[SwitchBlock] = Table(
    (
        field("hostname {value*}", "DEVICE_METADATA.hostname", example="hostname leaf2", page=SYSTEM_PAGE),
        Statement(
            "roce enable {words*}",
            "roce enable pfc-priority 3,4",
            _roce,
            Negation(ROCE_PAGE, (_ROCE, _PRIORITIES, _BUFFERS)),
        ),
        field(
            "buffer init {value*}",
            _BUFFERS,
            example="buffer init lossless",
            page=ROCE_PAGE,
            convert=lambda mode: "true" if mode in {"", LOSSLESS} else None,
        ),
        Statement(
            "buffer pool {name} shared-headroom-size {bytes+}",
            "buffer pool ingress_lossless_pool shared-headroom-size 4096",
            _pool,
            Negation(BUFFER_PAGE, member=("BUFFER_POOL.xoff", _names)),
        ),
        Statement(
            "buffer profile {name} {options*}",
            "buffer profile P ingress_lossless_pool 1248 dynamic-threshold -2 pause pause-threshold 98304",
            _profile,
            Negation(ROCE_PAGE, member=("BUFFER_PROFILE", _names)),
        ),
        field(
            "priority-flow-control watchdog polling-interval {value*}",
            "PFC_WD.POLL_INTERVAL",
            example="priority-flow-control watchdog polling-interval 150",
            page=PFC_PAGE,
        ),
        skip("priority-flow-control watchdog counter-poll ..."),
        Statement(
            "interface breakout [port] {port} {mode*}",
            "interface breakout port 1/1 mode 4x100G",
            _breakout,
            Negation(BREAKOUT_PAGE, member=("BREAKOUT_CFG", _broken_out)),
        ),
        field(
            "service-policy type qos in {value*}",
            _POLICY,
            example="service-policy type qos in P",
            page=QOS_INTERFACES_PAGE,
            state=NOT_MODELLED,
        ),
        *(
            _object(f"qos map {_ALIASES.get(kind, kind)} {{name}}", table, f"qos map {kind} M")
            for kind, (table, _, _, _) in MAPS.items()
        ),
        _object("qos wred-policy {name}", "WRED_PROFILE", "qos wred-policy W"),
        _object("qos scheduler-policy {name}", "SCHEDULER", "qos scheduler-policy S"),
    ),
    not_modelled=regex(r"qos (?:threshold|rewrite)(?: |\Z)"),
)
