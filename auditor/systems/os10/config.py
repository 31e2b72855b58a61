"""A running configuration read into the statements that matter, each with its line; nothing is resolved yet."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from auditor.grammar.acl import Acl, keep, read_acl
from auditor.grammar.classmaps import ClassMap, Mark, indices, read_class_map
from auditor.grammar.layers import laid_over, later
from auditor.grammar.stanzas import Alike, Block, Line, Place, Sections, Stanza
from auditor.grammar.tree import Node
from auditor.grammar.vlans import says_carried, statements
from auditor.model.dump import Capture, LineState
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin, Where
from auditor.systems.os10 import hardware, interfaces, maps
from auditor.systems.os10.maps import CodePoints, Queues
from auditor.systems.os10.names import full_name
from auditor.systems.os10.names import interfaces as interface_names
from auditor.systems.os10.policies import QOS_TYPES, PolicyMap, Wred, read_policy_map, read_wred
from auditor.systems.os10.sections import cut, line_of, nested
from auditor.systems.os10.statements import Statements


@dataclass(slots=True)
class Written:
    """One interface as written: its stanza's head, the statements (shared by equal stanzas), and its own lines."""

    where: Where
    body: Statements
    lag: Known[str] | None = None
    description: str | None = None
    vlans: tuple[str, ...] = ()


@dataclass(slots=True)
class Config:
    """All statements of a running configuration; `system` is what `system qos` binds for every port."""

    file: str
    states: list[LineState]
    system: Statements
    name: Known[str] | None = None
    model: Known[str] | None = None
    version: Known[str] | None = None
    complete: bool = False
    has_system: bool = False
    """The dump shows `system qos`, and so all that is bound for every port."""
    class_maps: dict[tuple[str, str], ClassMap] = field(default_factory=dict)
    policy_maps: dict[tuple[str, str], PolicyMap] = field(default_factory=dict)
    wreds: dict[str, Wred] = field(default_factory=dict)
    dot1p_maps: dict[str, CodePoints] = field(default_factory=dict)
    dscp_maps: dict[str, CodePoints] = field(default_factory=dict)
    queue_maps: dict[str, Queues] = field(default_factory=dict)
    acls: dict[str, Acl] = field(default_factory=dict)
    interfaces: dict[str, Written] = field(default_factory=dict)
    speeds: dict[str, Known[float]] = field(default_factory=dict)
    peer_links: dict[str, Where] = field(default_factory=dict)
    """Ports that join the two switches of a VLT pair."""


def read_config(capture: Capture, model: Known[str] | None = None) -> Config:
    """Return the statements of the running configuration *capture*; the state of each line is in `states`.

    *model* is what another capture says of the switch.
    """
    sections = cut(capture.lines)
    config = Config(capture.file, sections.states, Statements(capture.where(0)), model=model)
    _header(config, capture)
    for stanza in sections.single:
        _single(config, capture, stanza)
    _stanzas(config, capture, sections)
    return config


_SAID = re.compile(r"!\s*(?P<what>Version|Model:) +(?P<value>\S+)")
HEADER_LINES = 20


def _header(config: Config, capture: Capture) -> None:
    """Read the comments that a running configuration, or one made from a template, begins with."""
    for index, line in enumerate(capture.lines[:HEADER_LINES]):
        said = _SAID.match(line.strip())
        if said is None:
            continue
        value = Known(said["value"], Origin.LEARNED, capture.where(index))
        config.states[index] = LineState.MODELLED
        if said["what"] == "Version":
            config.version, config.complete = value, True
        else:
            config.model = config.model or value


def _stanzas(config: Config, capture: Capture, sections: Sections) -> None:
    """Read the stanzas, those of interfaces that are alike once."""
    blocks = [block for block in (_block(config, capture.lines, s) for s in sections.stanzas) if block]
    alike = Alike(capture, config.states, blocks, partial(_read_interface, config))
    for block in blocks:
        if block.stanza.kind == "interface":
            _keep(config, capture, block, alike.body(block))
        else:
            node = nested(block.head, block.lines)
            _read_block(config, block.stanza.kind, node, capture.where, config.states.__setitem__)


def _read_interface(config: Config, block: Block, place: Place) -> Statements:
    return interfaces.read(nested(block.head, block.lines), place, config.states.__setitem__)


def _block(config: Config, lines: Sequence[str], stanza: Stanza) -> Block | None:
    """Set aside the lines of an interface that say nothing of quality of service; None where its range is malformed."""
    head = line_of(lines[stanza.head], stanza.head)
    if stanza.kind != "interface":
        return Block(stanza, head, [line_of(lines[index], index) for index in stanza.body])
    names = interface_names(head.text[len("interface ") :])
    if names is None:
        return None
    matter = []
    ignored_indent: int | None = None
    for index in stanza.body:
        text, indent = _measured(lines[index])
        below = ignored_indent is not None and indent > ignored_indent
        if below or interfaces.is_ignored(text):
            is_carried = not below and says_carried(text)
            config.states[index] = LineState.MODELLED if is_carried else LineState.IGNORED
            ignored_indent = indent if text.startswith(_OPENS) and not below else ignored_indent if below else None
        else:
            matter.append(Line(text, indent, index))
            ignored_indent = None
    return Block(stanza, head, matter, names)


_OPENS = "vrrp-group"
"""What opens a block of its own below an interface."""


@lru_cache(maxsize=4096)
def _measured(raw: str) -> tuple[str, int]:
    line = line_of(raw, 0)
    return line.text, line.indent


_LAG = re.compile(r"channel-group (?P<number>\d{1,5})\b")


def _keep(config: Config, capture: Capture, block: Block, body: Statements) -> None:
    """File the statements of a stanza under each of its interfaces, over those of an earlier stanza."""
    lag: Known[str] | None = None
    description = None
    for index in block.stanza.body:
        text = _measured(capture.lines[index])[0]
        if text.startswith("description "):
            description = text.removeprefix("description ").strip().strip('"')
        elif member := _LAG.match(text):
            lag = Known(f"port-channel{member['number']}", Origin.INTENDED, capture.where(index))
            config.states[index] = LineState.MODELLED
    vlans = statements(_measured(capture.lines[index])[0] for index in block.stanza.body)
    for name in block.names:
        config.complete = config.complete or name.startswith("mgmt")
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


def _read_block(config: Config, kind: str, node: Node, place: Place, mark: Mark) -> None:
    """Read a stanza that is no interface's into *config*; what is not for quality of service is marked only."""
    reader = _BLOCKS.get(kind)
    if reader is None or (kind == "class-map" and not _is_qos(node)):
        for index in indices(node):
            mark(index, LineState.NOT_MODELLED)
    else:
        reader(config, node, place, mark)


def _is_qos(class_map: Node) -> bool:
    words = class_map.text.split()
    return words[1:2] != ["type"] or "".join(words[2:3]) in QOS_TYPES


_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
"""What `match ip dscp` and `match ipv6 dscp` take; `match ip-any dscp` takes both.

https://www.manualshelf.com/manual/dell/emc-networking-mx9116n/1-api-guide-english/page-1235.html
"""


def _class_map(config: Config, node: Node, place: Place, mark: Mark) -> None:
    found = read_class_map(node, place, mark, _FAMILIES)
    if found:
        known = config.class_maps.setdefault((found.type, found.name), found)
        if known is not found:
            known.terms.extend(found.terms)


def _policy_map(config: Config, node: Node, place: Place, mark: Mark) -> None:
    read_policy_map(node, place, mark, config.policy_maps)


def _wred(config: Config, node: Node, place: Place, mark: Mark) -> None:
    read_wred(node, place, mark, config.wreds)


def _trust(config: Config, node: Node, place: Place, mark: Mark) -> None:
    of_dscp = node.text.lower().startswith("trust dscp-map")
    maps.read_trust(node, place, mark, config.dscp_maps if of_dscp else config.dot1p_maps)


def _queue_map(config: Config, node: Node, place: Place, mark: Mark) -> None:
    maps.read_queues(node, place, mark, config.queue_maps)


def _port_group(config: Config, node: Node, place: Place, mark: Mark) -> None:
    hardware.read_group(node, config.model.value if config.model else "", place, mark, config.speeds)


def _system(config: Config, node: Node, place: Place, mark: Mark) -> None:
    config.has_system = True
    config.system = laid_over(config.system, interfaces.read(node, place, mark), later)


def _access_list(config: Config, node: Node, place: Place, mark: Mark) -> None:
    acl = read_acl(node, place, mark)
    if acl:
        keep(config.acls, acl)


_BLOCKS: Mapping[str, Callable[[Config, Node, Place, Mark], None]] = {
    "class-map": _class_map,
    "policy-map": _policy_map,
    "wred": _wred,
    "trust": _trust,
    "qos-map": _queue_map,
    "port-group": _port_group,
    "system qos": _system,
    "access-list": _access_list,
}
_COMPLETE = re.compile(r"(?:no )?(?:hostname|username|system-user|aaa|vlt-domain|password-attributes)\b")
_NOT_MODELLED = re.compile(
    r"(?:no )?(?:dcbx\b|qos-map |hardware deep-buffer-mode|hardware |control-plane\b|monitor session|buffer-|pfc-|"
    r"queue-map|fcoe |iscsi |load-balancing |lldp dcbx|qos-rate-adjust)"
)
_IGNORED = re.compile(
    r"(?:no )?(?:"
    r"aaa|address-family|alias|arp|banner|bfd|boot|clock|community-list|control-plane|crypto|debug|default|discovery|"
    r"dot1x|enable|end|errdisable|eula-consent|event|evpn|exec-timeout|exit|fc|fcoe|feature|flow|hardware|hash-algorithm|"
    r"hostname|interface|ip|ipv6|iscsi|kdump|key|keychain|lacp|ldap-server|license|line|link-bundle-utilization|lldp|"
    r"load-balancing|logging|login|mac|macsec|management|monitor|mstp|multicast|nat|neighbor|ntp|nve|object-group|ospf|"
    r"password-attributes|pim|policy|port-channel|port-profile|prompt|ptp|radius-server|rest|role|route-map|router|scale-"
    r"profile|security|service|sflow|simple-password|snmp-server|spanning-tree|ssh|storm-control|support-assist|"
    r"switch-operating-mode|switch-port-profile|system|system-cli|system-user|tacacs-server|telemetry|template|terminal|"
    r"track|udld|uplink-state-group|user|userrole|username|virtual-network|vlan|vlt-domain|vrf|vrrp|vxlan|ztd"
    r")\b",
    re.IGNORECASE,
)
_PEER_LINK = re.compile(r"discovery-interface (?P<name>\S.*)")


def _single(config: Config, capture: Capture, stanza: Stanza) -> None:
    """Read a top-level line that opens no quality-of-service block."""
    text = line_of(capture.lines[stanza.head], stanza.head).text
    where = capture.where(stanza.head)
    words = text.split()
    state = LineState.IGNORED if _IGNORED.match(text) else LineState.UNRECOGNISED
    below = state = LineState.NOT_MODELLED if _NOT_MODELLED.match(text) else state
    config.complete = config.complete or _COMPLETE.match(text) is not None
    if words[0] == "hostname" and len(words) > 1:
        config.name = Known(words[1].strip('"'), Origin.INTENDED, where)
        state = LineState.MODELLED
    elif hardware.read_breakout(text, where, config.speeds):
        state = LineState.MODELLED
    config.states[stanza.head] = state
    for index in stanza.body:
        config.states[index] = below
        member = _PEER_LINK.match(capture.lines[index].strip())
        for name in interface_names(full_name(member["name"])) or () if member else ():
            config.peer_links[name] = capture.where(index)
            config.states[index] = LineState.MODELLED
