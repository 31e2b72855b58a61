"""Statements from running configurations, each with its line; no reference is followed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from auditor.grammar.acl import read_acl
from auditor.grammar.routing import read_routing
from auditor.grammar.running import (
    CapturedStanza,
    StanzaDialect,
    cut_captures,
    holds_print,
    read_first_whole,
    read_interfaces,
)
from auditor.grammar.stanzas import INTERFACE_KIND, Place
from auditor.grammar.tree import Node
from auditor.model.dump import Capture, LineState
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.iosxr.configuration import Config
from auditor.systems.iosxr.lines import COMPLETE, read_line, read_switch_stanza
from auditor.systems.iosxr.names import carries_packets, list_names
from auditor.systems.iosxr.policies import read_match_map, read_policy_map
from auditor.systems.iosxr.sections import ACCESS_LIST, CLASS_MAP, POLICY_MAP, SYNTAX, unfold
from auditor.systems.iosxr.statements import INTERFACE, Interface
from auditor.util.regex import regex


def read_config(captures: Sequence[Capture]) -> Config:
    """Return the statements of a device's running configuration: of the whole, then of parts and sessions.

    Raises nothing; the state of each line is in `states`, by the identity of its capture.
    """
    return read_first_whole(captures, SYNTAX.lines, _read, _is_part)


_VERSION = regex(r"!! IOS XR Configuration(?: version =)? *(?P<value>\d\S*)")
_CHANGED = regex(r"!! Last configuration change at (?P<value>.+?)(?: by .*)?\Z")
_HEAD_LINES = 20


def _read(captures: Sequence[Capture]) -> Config:
    running = cut_captures(captures, _DIALECT)
    config = Config(file=captures[0].file, states=running.states)
    _read_head(config, captures)
    for block in running.blocks:
        if block.stanza.kind != INTERFACE_KIND and not read_switch_stanza(config, block):
            _read_block(config, block)
    config.interfaces = read_interfaces(running, _DIALECT)
    for capture in captures:
        _mark_ends(capture, config.states[id(capture)])
    config.complete = any(map(_is_whole, captures)) and holds_print(captures, SYNTAX.lines)
    routing = read_routing(running.lines, _WITHDRAWN, is_whole=config.complete)
    config.routing = replace(routing, lost_maps=NOT_COLLECTED)  # a commit refuses a policy that nothing defines
    return config


_END_OF_MAP = regex(r"\s*end-(?:class|policy)-map\s*")


def _mark_ends(capture: Capture, states: list[LineState]) -> None:
    """Mark the lines that end a map: they part it from what follows."""
    for index, line in enumerate(capture.lines):
        if "end-" in line and _END_OF_MAP.fullmatch(line):
            states[index] = LineState.MODELLED


_WITHDRAWN = regex(
    r"set-overload-bit(?: level [12])?|max-metric router-lsa(?: (?!on-).*)?|graceful-maintenance activate(?: .*)?"
)
"""Lines that take the switch out of routing: in IS-IS, OSPF and BGP."""


def _read_head(config: Config, captures: Sequence[Capture]) -> None:
    """Read the release and the day of the last change, which stand in comments."""
    for capture in captures:
        for index, line in enumerate(capture.lines[:_HEAD_LINES]):
            if config.version is None and (version := _VERSION.match(line)):
                config.version = Known(version["value"], Origin.LEARNED, capture.where(index))
                config.states[id(capture)][index] = LineState.MODELLED
            if config.captured_at is None and (changed := _CHANGED.match(line)):
                config.captured_at = changed["value"]


_SHOWN = regex(r"sho?w? +run\S*(?: +formal)?(?: *\| *no-more)? *(?P<part>\S.*)?\Z")


def _is_whole(capture: Capture) -> bool:
    shown = _SHOWN.match(capture.command)
    return not (shown and shown["part"]) and any(map(COMPLETE.match, capture.lines))


def _is_part(capture: Capture) -> bool:
    """Return whether a capture shows a part of the configuration, by its command or by the lines that it lacks."""
    return not _is_whole(capture)


@lru_cache(maxsize=4096)
def _is_ignored(text: str) -> bool:
    """Return whether a line has no bearing on quality of service; equal ports may differ in it."""
    line = INTERFACE.split(text)[1]
    return bool(line) and not INTERFACE.reads(text) and INTERFACE.state_of(line) is LineState.IGNORED


_BUNDLE = regex(r"bundle id (?P<number>\d{1,5})\b")


def _lag(text: str) -> str | None:
    """Return the bundle that a line joins, empty where it leaves one, None for another line.

    >>> _lag("bundle id 7 mode active"), _lag("no bundle id 7"), _lag("mtu 9216")
    ('Bundle-Ether7', '', None)
    """
    if text.startswith("no bundle id"):
        return ""
    match = _BUNDLE.match(text)
    return f"Bundle-Ether{match['number']}" if match else None


def _read_interface(block: CapturedStanza, place: Place) -> Interface:
    """Return the statements of an interface's stanza, and mark each of its lines."""
    found = Interface(place(block.head.index))
    is_port = any(map(carries_packets, block.names))
    for line in block.lines:
        if line.index in block.orphans:
            why = f"`{line.text}` stands apart from the stanza that it may belong to"
            block.mark(line.index, INTERFACE.doubt(found, line.text, why))
        else:
            state = INTERFACE.read(found, line.text, place(line.index))
            is_apart = state is LineState.UNRECOGNISED and not is_port
            block.mark(line.index, LineState.IGNORED if is_apart else state)
    return found


_DIALECT = StanzaDialect(SYNTAX, list_names, _read_interface, _is_ignored, _lag, unfold)


def _read_block(config: Config, block: CapturedStanza) -> None:
    place, mark, kind = block.capture.where, block.mark, block.stanza.kind
    lines = [line for line in block.lines if line.index not in block.orphans]
    if kind == CLASS_MAP:
        read_match_map(block.head, lines, place, mark, config.class_maps)
    elif kind == POLICY_MAP:
        read_policy_map(block.head, lines, place, mark, config.policy_maps)
    elif kind == ACCESS_LIST:
        children = tuple(Node(_spell_protocol(line.text), line.index) for line in lines)
        read_acl(Node(_spell_protocol(block.head.text), block.head.index, children), place, mark, config.acls)
    else:
        read_line(config, block)


def _spell_protocol(text: str) -> str:
    """Return a line of an access list with the word of other systems for IPv4.

    >>> _spell_protocol("10 permit ipv4 any any"), _spell_protocol("ipv4 access-list A")
    ('10 permit ip any any', 'ip access-list A')
    """
    return re.sub(r"(?:(?<=permit )|(?<=deny )|\A)ipv4(?= )", "ip", text)
