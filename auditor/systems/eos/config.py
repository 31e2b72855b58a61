"""A running configuration read into the statements that matter, each with its line; nothing is resolved yet."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from auditor.grammar.acl import Acl, keep, read_acl
from auditor.grammar.classmaps import ClassMap, Mark, indices, read_class_map
from auditor.grammar.layers import NOTHING, laid_over, later
from auditor.grammar.numbers import decimal
from auditor.grammar.stanzas import Alike, Block, Line, Place, Sections, Stanza
from auditor.grammar.tree import Node
from auditor.grammar.vlans import says_carried, statements
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding, PfcMode, WatchdogAction
from auditor.model.setting import Known, Origin, Setting, Where
from auditor.systems.eos import interfaces, maps, mmu
from auditor.systems.eos.maps import Maps
from auditor.systems.eos.mmu import Mmu
from auditor.systems.eos.names import full_name
from auditor.systems.eos.names import interfaces as interface_names
from auditor.systems.eos.policies import QOS_TYPES, PolicyMap, read_policy_map
from auditor.systems.eos.sections import cut, line_of, nested
from auditor.systems.eos.statements import Statements


@dataclass(slots=True)
class Written:
    """One interface as written: its stanza's head, the statements (shared by equal stanzas), and its own lines."""

    where: Where
    body: Statements
    lag: Known[str] | None = None
    description: Known[str] | None = None
    vlans: tuple[str, ...] = ()
    """What says which VLANs it carries, and whether it is addressed."""


@dataclass(slots=True)
class Config:
    """All statements of a running configuration."""

    file: str
    states: list[LineState]
    name: Known[str] | None = None
    model: Known[str] | None = None
    version: Known[str] | None = None
    complete: bool = False
    maps: Maps = field(default_factory=Maps)
    rewrite: Setting[bool] = NOTHING
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[str, PolicyMap] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    interfaces: dict[str, Written] = field(default_factory=dict)
    profiles: dict[str, Statements] = field(default_factory=dict)
    interface_profiles: dict[str, Statements] = field(default_factory=dict)
    mmu_profiles: dict[str, Mmu] = field(default_factory=dict)
    mmu_applied: Known[str] | None = None
    pfc_off: Known[PfcMode] | None = None
    """The switch-wide line that turns PFC off on every port."""
    timeout_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    polling_ms: Setting[float] = NOTHING
    watchdog_action: Setting[WatchdogAction] = NOTHING
    mtu: Setting[int] = NOTHING
    forwarding: Setting[Forwarding] = NOTHING
    """What `interface defaults` and `switchport default` say for ports that are silent."""


def read_config(capture: Capture) -> Config:
    """Return the statements of the running configuration *capture*; the state of each line is in `states`."""
    sections = cut(capture.lines)
    config = Config(capture.file, sections.states)
    _header(config, capture)
    for stanza in sections.single:
        _single(config, capture, stanza)
    _stanzas(config, capture, sections)
    return config


_DEVICE = re.compile(r"! device: (?P<name>\S+) \((?P<model>[^,)]+), EOS-(?P<version>[^)\s]+)")
HEADER_LINES = 20


def _header(config: Config, capture: Capture) -> None:
    """Read the comments that `show running-config` begins with."""
    for index, line in enumerate(capture.lines[:HEADER_LINES]):
        device = _DEVICE.match(line.strip())
        if device:
            where = capture.where(index)
            config.complete = True
            config.name = Known(device["name"], Origin.LEARNED, where)
            config.model = Known(device["model"], Origin.LEARNED, where)
            config.version = Known(device["version"], Origin.LEARNED, where)
            config.states[index] = LineState.MODELLED


_PROFILE = "interface profile "


def _stanzas(config: Config, capture: Capture, sections: Sections) -> None:
    """Read the stanzas, those of interfaces that are alike once."""
    blocks = [block for block in (_block(config, capture.lines, s) for s in sections.stanzas) if block]
    alike = Alike(capture, config.states, blocks, partial(_read_interface, config))
    for block in blocks:
        if block.head.text.startswith(_PROFILE):
            _read_profile(config, capture, block)
        elif block.stanza.kind == "interface":
            _keep(config, capture, block, alike.body(block))
        else:
            _read_block(config, capture, block.stanza.kind, nested(block.head, block.lines))


def _read_interface(config: Config, block: Block, place: Place) -> Statements:
    return interfaces.read(nested(block.head, block.lines), place, _marker(config))


def _block(config: Config, lines: Sequence[str], stanza: Stanza) -> Block | None:
    """Set aside the lines of an interface that say nothing of quality of service; None where its range is malformed."""
    head = line_of(lines[stanza.head], stanza.head)
    if stanza.kind != "interface" or head.text.startswith(_PROFILE):
        return Block(stanza, head, [line_of(lines[index], index) for index in stanza.body])
    names = interface_names(head.text.removeprefix("interface "))
    if names is None:
        return None
    matter = []
    ignored_indent: int | None = None
    for index in stanza.body:
        line = _line(lines[index], index)
        below = ignored_indent is not None and line.indent > ignored_indent
        if below or _says_nothing(line.text):
            config.states[index] = LineState.MODELLED if says_carried(line.text) else LineState.IGNORED
            ignored_indent = ignored_indent if below else line.indent
        else:
            matter.append(line)
            ignored_indent = None
    return Block(stanza, head, matter, names)


@lru_cache(maxsize=4096)
def _measured(raw: str) -> tuple[str, int]:
    line = line_of(raw, 0)
    return line.text, line.indent


def _line(raw: str, index: int) -> Line:
    return Line(*_measured(raw), index)


@lru_cache(maxsize=4096)
def _says_nothing(text: str) -> bool:
    """Tell whether a line of an interface says nothing of quality of service."""
    return interfaces.is_ignored(text)


def _marker(config: Config) -> Mark:
    return config.states.__setitem__


def _keep(config: Config, capture: Capture, block: Block, body: Statements) -> None:
    """File the statements of a stanza under each of its interfaces, over those of an earlier stanza."""
    lag: Known[str] | None = None
    description: Known[str] | None = None
    for index in block.stanza.body:
        text = capture.lines[index].strip()
        if text.startswith("channel-group "):
            lag = Known(full_name(f"Port-Channel{text.split()[1]}"), Origin.INTENDED, capture.where(index))
        elif text.startswith("description "):
            description = Known(text.removeprefix("description ").strip(), Origin.INTENDED, capture.where(index))
    vlans = statements(capture.lines[index] for index in block.stanza.body)
    for name in block.names:
        config.complete = config.complete or name.startswith(_NOT_ALONE)
        before = config.interfaces.get(name)
        if before is None:
            config.interfaces[name] = Written(capture.where(block.head.index), body, lag, description, vlans)
        else:
            merged = laid_over(before.body, body, later)
            config.interfaces[name] = Written(
                before.where,
                merged,
                lag or before.lag,
                description or before.description,
                (*before.vlans, *vlans),
            )


def _read_profile(config: Config, capture: Capture, block: Block) -> None:
    """Read the commands that ports take over by the name of an interface profile."""
    lines = [replace(line, text=line.text.removeprefix("command ")) for line in block.lines]
    node = nested(block.head, lines)
    config.interface_profiles[block.head.text.split()[-1]] = interfaces.read(node, capture.where, _marker(config))


def _read_block(config: Config, capture: Capture, kind: str, node: Node) -> None:
    """Read a stanza that is no interface's into *config*; what is not for quality of service is marked only."""
    place, mark = capture.where, _marker(config)
    reader = _BLOCKS.get(kind)
    if reader is None or (kind == "class-map" and not _is_qos(node)) or node.text.startswith("mac "):
        for index in indices(node):
            mark(index, LineState.NOT_MODELLED)
    else:
        reader(config, node, place, mark)


def _is_qos(class_map: Node) -> bool:
    words = class_map.text.split()
    return words[1:2] != ["type"] or "".join(words[2:3]) in QOS_TYPES


def _qos_profile(config: Config, node: Node, place: Place, mark: Mark) -> None:
    config.profiles[node.text.split()[-1]] = interfaces.read(node, place, mark)


def _class_map(config: Config, node: Node, place: Place, mark: Mark) -> None:
    found = read_class_map(node, place, mark)
    if found:
        known = config.class_maps.setdefault(("qos", found.name), found)
        if known is not found:
            known.terms.extend(found.terms)


def _policy_map(config: Config, node: Node, place: Place, mark: Mark) -> None:
    read_policy_map(node, place, mark, config.policy_maps)


def _mmu_profile(config: Config, node: Node, place: Place, mark: Mark) -> None:
    profile = mmu.read(node, place, mark)
    config.mmu_profiles[profile.name] = profile


def _access_list(config: Config, node: Node, place: Place, mark: Mark) -> None:
    words = node.text.split()
    acl = read_acl(Node(f"{words[0]} access-list {words[-1]}", node.index, node.children), place, mark)
    if acl:
        keep(config.acls, acl)


_BLOCKS: Mapping[str, Callable[[Config, Node, Place, Mark], None]] = {
    "qos profile": _qos_profile,
    "class-map": _class_map,
    "policy-map": _policy_map,
    "platform": _mmu_profile,
    "access-list": _access_list,
}


_COMPLETE = re.compile(r"(?:no )?(?:hostname|username|aaa|vrf instance|management|transceiver|spanning-tree mode)\b")
_NOT_ALONE = ("Management", "Loopback", "Vlan")
"""Interfaces that nobody writes into an example of quality of service."""
_WATCHDOG = re.compile(
    r"(?P<form>no |default )?priority-flow-control pause watchdog "
    r"(?:default (?P<timer>timeout|recovery-time|polling-interval)(?: (?P<value>\S+))?(?: forced)?|"
    r"action(?: (?P<action>\S+))?)\Z"
)
_TIMERS = {"timeout": "timeout_ms", "recovery-time": "recovery_ms", "polling-interval": "polling_ms"}
_MMU = re.compile(r"platform trident mmu queue profile (?P<name>\S+) apply\Z")
_PFC_OFF = re.compile(r"(?P<form>no |default )?priority-flow-control all(?: mode)?(?: (?P<value>on|off))?\Z")
_REWRITE = re.compile(r"(?P<form>no |default )?qos rewrite dscp\Z")
_NOT_MODELLED = re.compile(
    r"(?:no |default )?(?:qos |dcbx|priority-flow-control (?:pause watchdog|counters)|platform |hardware |"
    r"service-policy|lldp tlv transmit dcbx|monitor |queue-monitor|control-plane|interface defaults|switchport default|"
    r"traffic-policies|tcam profile|load-balance|flowcontrol)"
)
_IGNORED = re.compile(
    r"(?:no |default )?(?:"
    r"aaa|adaptive-virtual-topology|address-family|agent|alias|application|arp|as-path|banner|bfd|bgp|boot|cfm|clock|"
    r"community-list|cvx|daemon|dhcp|dns|domain|dot1x|dynamic|email|enable|end|errdisable|event-handler|event-monitor|"
    r"event|evpn|flow|generate|group|hardware|hostname|interface|ip|ipv6|isis|kernel|l2-protocol|lacp|ldap|license|link|"
    r"lldp|load-interval|logging|loop-protection|mac|mac-address|maintenance|management|match-list|mcs|mlag|monitor|mpls|"
    r"mss|multicast|nat|ntp|object-group|ospf|password|patch|peer-filter|pim|poe|port-channel|prefix-list|privilege|prompt|"
    r"ptp|queue-monitor|radius-server|radius|redundancy|role|route-map|router|rsvp|schedule|segment-routing|security|"
    r"service|sflow|shell|snmp-server|spanning-tree|ssh|stun|switch|switchport|sync-e|system|tacacs-server|tap|"
    r"tcp|terminal|track|traffic-engineering|transceiver|trident|tunnel|udp|username|virtual-cable|vlan|vmtracer|vrf|"
    r"vxlan|xmpp|zerotouch"
    r")\b",
    re.IGNORECASE,
)


def _single(config: Config, capture: Capture, stanza: Stanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text = line_of(capture.lines[stanza.head], stanza.head).text
    where = capture.where(stanza.head)
    below = LineState.IGNORED if _IGNORED.match(text) else LineState.UNRECOGNISED
    below = LineState.NOT_MODELLED if _NOT_MODELLED.match(text) else below
    config.complete = config.complete or _COMPLETE.match(text) is not None
    config.states[stanza.head] = _statement(config, text, where) or below
    for index in stanza.body:
        config.states[index] = below
    if text == "interface defaults":
        _interface_defaults(config, capture, stanza)


def _statement(config: Config, text: str, where: Where) -> LineState | None:
    """Read a line that concerns the whole switch; None where it is none that is modelled."""
    words = text.split()
    watchdog, off, rewrite = _WATCHDOG.match(text), _PFC_OFF.match(text), _REWRITE.match(text)
    if words[0] == "hostname" and len(words) > 1:
        config.name = Known(words[1], Origin.INTENDED, where)
    elif watchdog:
        return _watchdog(config, watchdog, where)
    elif off:
        is_off = off["value"] == "off" and not off["form"]
        config.pfc_off = Known(PfcMode.OFF, Origin.INTENDED, where) if is_off else None
    elif rewrite:
        config.rewrite = NOTHING if rewrite["form"] else Known(value=True, origin=Origin.INTENDED, where=where)
    elif applied := _MMU.match(text):
        config.mmu_applied = Known(applied["name"], Origin.INTENDED, where)
    elif text == "switchport default mode routed":
        config.forwarding = Known(Forwarding.ROUTED, Origin.INTENDED, where)
    elif " qos map " in f" {text}":
        named = LineState.NOT_MODELLED if " name " in text else LineState.UNRECOGNISED
        return maps.read(config.maps, text, where) or named
    else:
        return None
    return LineState.MODELLED


def _watchdog(config: Config, match: re.Match[str], where: Where) -> LineState:
    if match["timer"]:
        words = [match["timer"], match["value"] or ""]
        setting = NOTHING if match["form"] else interfaces.seconds(words, match["timer"], where)
        setattr(config, _TIMERS[match["timer"]], setting)
        return LineState.MODELLED
    action = NOTHING if match["form"] else interfaces.action(match["action"] or "", where)
    config.watchdog_action = action or config.watchdog_action
    return LineState.MODELLED if action else LineState.UNRECOGNISED


def _interface_defaults(config: Config, capture: Capture, stanza: Stanza) -> None:
    """Read the block that gives the MTU to ports that have none of their own."""
    for index in stanza.body:
        words = capture.lines[index].split()
        size = decimal(words[1], 68, interfaces.MAX_MTU) if words[0] == "mtu" and len(words) > 1 else None
        if size is not None:
            config.mtu = Known(int(size), Origin.INTENDED, capture.where(index))
            config.states[index] = config.states[stanza.head] = LineState.MODELLED
