"""Statements from running configurations, each with its line; no reference is followed."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from auditor.grammar.acl import read_acl
from auditor.grammar.classmaps import Term, read_class_map, split_type
from auditor.grammar.policymaps import nest_classes
from auditor.grammar.running import (
    CapturedStanza,
    Running,
    StanzaDialect,
    cut_captures,
    holds_print,
    read_first_whole,
    read_interfaces,
)
from auditor.grammar.stanzas import INTERFACE_KIND, OTHER_KIND, TOP_KIND, Place
from auditor.grammar.statements import Table
from auditor.grammar.tree import Node
from auditor.model.dump import Capture, LineState
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Origin
from auditor.systems.os10 import statements
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.hardware import PORT_GROUP, LaneGroup, list_members
from auditor.systems.os10.lines import is_of_whole, read_line
from auditor.systems.os10.maps import DOT1P_MAP, DSCP_MAP, QUEUE_MAP, CodePoints, TrafficClassMap
from auditor.systems.os10.names import PORT
from auditor.systems.os10.names import expand_interfaces as interface_names
from auditor.systems.os10.policies import QOS_TYPES, WRED_PROFILE, WredProfile, read_policy_map
from auditor.systems.os10.sections import SYNTAX
from auditor.systems.os10.statements import INTERFACE, SYSTEM_QOS, Statements
from auditor.util.regex import regex


def read_config(captures: Sequence[Capture], model: Known[str] | None = None) -> Config:
    """Return the statements of a device's running configuration: of the whole, then of parts and sessions.

    *model* is the model that another capture shows. The state of each line is in `states`, by the identity of its
    capture.
    """
    return read_first_whole(captures, SYNTAX.lines, lambda own: _read(own, model), _is_part)


_LINES = frozenset({OTHER_KIND, TOP_KIND})
"""Kinds of blocks that are a line of the top level."""


def _is_part(capture: Capture) -> bool:
    is_versioned = any(line.startswith("! Version ") for line in capture.lines[:HEADER_LINES])
    return not (is_versioned or any(is_of_whole(line) for line in capture.lines))


def _read(captures: Sequence[Capture], model: Known[str] | None) -> Config:
    running = cut_captures(captures, _DIALECT)
    config = Config(captures[0].file, running.states, model=model)
    for capture in captures:
        _header(config, capture)
    for block in running.blocks:
        if block.stanza.kind in _LINES:
            read_line(config, block)
        elif block.stanza.kind != INTERFACE_KIND:
            _read_block(config, block)
    _remove_interfaces(running)
    config.interfaces = read_interfaces(running, _DIALECT)
    is_whole = config.complete or any(name.startswith("mgmt") for name in config.interfaces)
    config.complete = is_whole and holds_print(captures, SYNTAX.lines)
    return config


_NO_INTERFACE = regex(r"no interface (?!breakout)(?P<names>\S.*)")


def _remove_interfaces(running: Running) -> None:
    """Take the interfaces that a `no interface` line removes out of the blocks before it; a port itself stays."""
    removed: set[str] = set()
    for block in reversed(running.blocks):
        block.names = tuple(name for name in block.names if name not in removed) if removed else block.names
        match = _NO_INTERFACE.match(block.head.text) if block.stanza.kind in _LINES else None
        if match:
            names = interface_names(match["names"]) or ()
            running.extent.take(len(names), block.capture, block.head.index)
            removed.update(name for name in names if not PORT.match(name))
            block.mark(block.head.index, LineState.MODELLED)


_HEADER_COMMENT = regex(r"!\s*(?P<what>Version|Model:) +(?P<value>\S+)")
HEADER_LINES = 20


def _header(config: Config, capture: Capture) -> None:
    """Read the comments that a running configuration, or one made from a template, begins with."""
    for index, line in enumerate(capture.lines[:HEADER_LINES]):
        comment = _HEADER_COMMENT.match(line.strip())
        if comment is None:
            continue
        value = Known(comment["value"], Origin.LEARNED, capture.where(index))
        config.states[id(capture)][index] = LineState.MODELLED
        if comment["what"] == "Version":
            config.version, config.complete = config.version or value, True
        else:
            config.model = config.model or value


_LAG = regex(r"channel-group (?P<number>\d{1,5})\b")


def _lag(text: str) -> str | None:
    """Return the port-channel that a line joins, empty where it leaves one, None for another line.

    >>> _lag("channel-group 7 mode active"), _lag("no channel-group 7"), _lag("mtu 9216")
    ('port-channel7', '', None)
    """
    if text.startswith("no channel-group"):
        return ""
    match = _LAG.match(text)
    return f"port-channel{match['number']}" if match else None


def _read_interface(block: CapturedStanza, place: Place) -> Statements:
    found = Statements(place(block.head.index))
    _read_lines(block, INTERFACE, found, place)
    return found


def _read_lines(block: CapturedStanza, table: Table[Any], body: object, place: Place) -> None:
    """Read the lines of a stanza into *body*, and mark each."""
    for line in block.lines:
        orphan = line.index in block.orphans
        state = table.doubt(body, line.text, _explain_orphan(line.text)) if orphan else None
        block.mark(line.index, state or table.read(body, line.text, place(line.index)))


def _explain_orphan(text: str) -> str:
    return f"`{text[:60]}` stands apart from the stanza that it may belong to"


_DIALECT = StanzaDialect(
    SYNTAX,
    interface_names,
    _read_interface,
    lru_cache(maxsize=4096)(statements.is_ignored),
    _lag,
    shared=regex(r"(?:no|default) vlt-port-channel\b|vlt-port-channel (?P<number>\d{1,5})\Z"),
)
_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
"""What `match ip dscp` and `match ipv6 dscp` take; `match ip-any dscp` takes both.

https://www.manualshelf.com/manual/dell/emc-networking-mx9116n/1-api-guide-english/page-1235.html
"""


def _read_block(config: Config, block: CapturedStanza) -> None:
    """Read a stanza of no interface; only mark a stanza outside of quality of service."""
    kind, place, mark = block.stanza.kind, block.capture.where, block.mark
    own = [line for line in block.lines if line.index not in block.orphans]
    node = nest_classes(block.head, own)
    if kind == "class-map" and split_type(block.head.text)[0] not in QOS_TYPES:
        for line in (block.head, *own):
            mark(line.index, LineState.NOT_MODELLED)
    elif kind == "class-map":
        read_class_map(node, place, mark, config.class_maps, _FAMILIES)
        _doubt_class_map(config, block)
    elif kind == "policy-map":
        orphans = [(line.text, _explain_orphan(line.text)) for line in block.lines if line.index in block.orphans]
        read_policy_map(node, place, mark, config.policy_maps, orphans)
    elif kind == "access-list":
        read_acl(node, place, mark, config.acls)
    else:
        _read_flat(config, block, node)


def _doubt_class_map(config: Config, block: CapturedStanza) -> None:
    """Add a term that cannot be read for each line that may belong to a class map."""
    kind, words = split_type(block.head.text)
    found = config.class_maps.get((kind, words[-1])) if words else None
    for line in block.lines:
        if found and line.index in block.orphans and "match " in line.text:
            found.terms.append(Term("unread", (), line.text, block.capture.where(line.index)))


def _read_flat(config: Config, block: CapturedStanza, node: Node) -> None:
    """Read a stanza whose lines stand at one level."""
    words, where = node.text.split(), block.capture.where(node.index)
    opened: tuple[Table[Any], object] | None = None
    match block.stanza.kind, words:
        case "system qos", _:
            config.has_system = True
            opened = SYSTEM_QOS, config.system
        case "wred", [_, name]:
            opened = WRED_PROFILE, config.wreds.setdefault(name, WredProfile(name, where))
        case "trust", [_, kind, name]:
            is_dscp = kind.lower() == "dscp-map"
            known = config.dscp_maps if is_dscp else config.dot1p_maps
            opened = DSCP_MAP if is_dscp else DOT1P_MAP, known.setdefault(name, CodePoints(where))
        case "qos-map", [_, _, name]:
            opened = QUEUE_MAP, config.queue_maps.setdefault(name, TrafficClassMap(where))
        case "port-group", [_, name]:
            members = list_members(name, config.model.value if config.model else "")
            if members is not None:
                opened = PORT_GROUP, config.port_groups.setdefault(name, LaneGroup(members))
    if opened:
        block.mark(node.index, LineState.MODELLED)
        _read_lines(block, *opened, block.capture.where)
