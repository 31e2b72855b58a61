"""Statements from running configurations, each with its line; no reference is followed."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from auditor.grammar.acl import Acl, read_acl
from auditor.grammar.classmaps import Mark, Term, list_indices, read_class_map, split_type
from auditor.grammar.lines import Line
from auditor.grammar.routing import read_routing
from auditor.grammar.running import (
    CapturedStanza,
    StanzaDialect,
    cut_captures,
    holds_print,
    read_first_whole,
    read_interfaces,
)
from auditor.grammar.stanzas import INTERFACE_KIND, OTHER_KIND, TOP_KIND, Place
from auditor.grammar.tree import Node
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.lines import COMPLETE, read_line
from auditor.systems.eos.mmu import MMU, Mmu
from auditor.systems.eos.names import complete_name
from auditor.systems.eos.names import expand_interfaces as interface_names
from auditor.systems.eos.policies import QOS, doubt_policy, read_policy_map, spell_type
from auditor.systems.eos.queues import QUEUE
from auditor.systems.eos.sections import SYNTAX, nest
from auditor.systems.eos.statements import INTERFACE, UNDO, Interface, clear_queue, parse_queue_number
from auditor.util.regex import regex


def read_config(captures: Sequence[Capture]) -> Config:
    """Return the statements of a device's running configuration: of the whole, then of parts and sessions.

    Raises nothing; the state of each line is in `states`, by the identity of its capture.
    """
    return read_first_whole(captures, SYNTAX.lines, _read, _is_part)


def _read(captures: Sequence[Capture]) -> Config:
    running = cut_captures(captures, _DIALECT)
    config = Config(captures[0].file, running.states)
    for capture in captures:
        _read_header(config, capture)
    _forget_reset(running.blocks)
    for block in running.blocks:
        if block.stanza.kind in {OTHER_KIND, TOP_KIND}:
            read_line(config, block)
        elif block.stanza.kind != INTERFACE_KIND:
            _read_block(config, block)
    config.interfaces = read_interfaces(running, _DIALECT)
    is_whole = config.complete or any(name.startswith(_NOT_ALONE) for name in config.interfaces)
    config.complete = is_whole and holds_print(captures, SYNTAX.lines)
    config.routing = read_routing(running.lines, _WITHDRAWN, is_whole=config.complete)
    return config


_WITHDRAWN = regex(r"quiesce")
"""The line of the maintenance mode that takes a unit, all of the switch by default, out of routing."""


_DEVICE = regex(r"! device: (?P<name>\S+) \((?P<model>[^,)]+), EOS-(?P<version>[^)\s]+)")
_HEADER_LINES = 20
_NOT_ALONE = ("Management", "Loopback", "Vlan")
"""Interfaces that are missing from examples of quality of service."""
_PART = regex(r"sho?w? +run\S*(?: +(?:all|sanitized|detail)\b)* +(?:\| *)?(?!no-more)\S")


def _is_part(capture: Capture) -> bool:
    """Return whether a capture shows a part of the configuration, by its command or by the lines that it lacks."""
    if _PART.match(capture.command):
        return True
    return not any(_DEVICE.match(line.strip()) or COMPLETE.match(line) for line in capture.lines)


def _read_header(config: Config, capture: Capture) -> None:
    """Read the comments that `show running-config` begins with."""
    for index, line in enumerate(capture.lines[:_HEADER_LINES]):
        device = _DEVICE.match(line.strip())
        if device:
            where = capture.where(index)
            config.complete = True
            config.name = Known(device["name"], Origin.LEARNED, where)
            config.model = Known(device["model"], Origin.LEARNED, where)
            config.version = Known(device["version"], Origin.LEARNED, where)
            config.states[id(capture)][index] = LineState.MODELLED


def _names(head: str) -> tuple[str, ...] | None:
    """Return the interfaces of a head; `default interface Ethernet1` names them behind another word.

    >>> _names("Ethernet1-2"), _names("interface Et1")
    (('Ethernet1', 'Ethernet2'), ('Ethernet1',))
    """
    return interface_names(head.removeprefix("interface "))


def _forget_reset(blocks: Sequence[CapturedStanza]) -> None:
    """Take from each block the interfaces that a later `default interface` or `no interface` resets."""
    reset: set[str] = set()
    for block in reversed(blocks):
        names = block.names
        block.names = tuple(name for name in names if name not in reset) if reset else names
        if block.stanza.kind == INTERFACE_KIND and block.head.text.startswith(UNDO):
            reset.update(names)


@lru_cache(maxsize=4096)
def _is_ignored(text: str) -> bool:
    """Return whether a line has no bearing on quality of service; equal ports may differ in it."""
    line = INTERFACE.split(text)[1]
    words = line.split(None, 2)
    if words[:1] == ["switchport"]:
        return len(words) > 1 and words[1] != "mode"
    return INTERFACE.state_of(line) is LineState.IGNORED


def _lag(text: str) -> str | None:
    """Return the port-channel that a line joins, empty where it leaves one, None for another line.

    >>> _lag("channel-group 7 mode active"), _lag("no channel-group"), _lag("mtu 9214")
    ('Port-Channel7', '', None)
    """
    if "channel-group" not in text:
        return None
    undo, line = INTERFACE.split(text)
    words = line.split()
    if words[:1] != ["channel-group"]:
        return None
    if undo:
        return ""
    return complete_name(f"Port-Channel{words[1]}") if len(words) > 1 else None


def _read_interface(block: CapturedStanza, place: Place) -> Interface:
    return _read_stanza(Interface(place(block.head.index)), block, place)


def _read_stanza(
    body: Interface, block: CapturedStanza, place: Place, lines: Sequence[Line] | None = None
) -> Interface:
    """Read the lines of an interface or of a profile into *body*, mark each, and return *body*."""
    block.mark(block.head.index, LineState.MODELLED)
    own = [line for line in lines or block.lines if line.index not in block.orphans]
    for node in nest(block.head, own).children:
        _read_statement(body, node, place, block.mark)
    for line, why in _orphans(block):
        block.mark(line.index, INTERFACE.doubt(body, line.text, why))
        for queue in list(body.queues.values())[-1:]:
            QUEUE.doubt(queue, line.text, why)
    return body


def _own(block: CapturedStanza) -> list[Line]:
    return [line for line in block.lines if line.index not in block.orphans]


def _orphans(block: CapturedStanza) -> list[tuple[Line, str]]:
    """Return the lines that may belong to a stanza, each with the reason for its unknown values."""
    orphans = (line for line in block.lines if line.index in block.orphans)
    return [(line, f"`{line.text[:60]}` stands apart from the stanza that it may belong to") for line in orphans]


def _read_statement(body: Interface, node: Node, place: Place, mark: Mark) -> None:
    """Read one statement and those below it."""
    where = place(node.index)
    undo, line = INTERFACE.split(node.text)
    number = parse_queue_number(line.split())
    if number is None:
        state = INTERFACE.read(body, node.text, where)
        below = state if state is not LineState.MODELLED else LineState.UNRECOGNISED
    elif undo:
        body.queues[number] = clear_queue(where)
        state, below = LineState.MODELLED, LineState.UNRECOGNISED
    else:
        queue = body.queue(number, where)
        for child in node.children:
            mark(child.index, QUEUE.read(queue, child.text, place(child.index)))
        mark(node.index, LineState.MODELLED)
        return
    for index in list_indices(node):
        mark(index, below)
    mark(node.index, state)


_DIALECT = StanzaDialect(
    SYNTAX,
    _names,
    _read_interface,
    _is_ignored,
    _lag,
    shared=regex(r"(?:no|default) mlag\b|mlag (?P<number>\d{1,4})\Z"),
)


def _read_block(config: Config, block: CapturedStanza) -> None:
    """Read a stanza of no interface; only mark a stanza outside of quality of service."""
    reader = _READERS.get(block.stanza.kind)
    words = block.head.text.split()
    is_other_class = words[0] == "class-map" and split_type(spell_type(block.head.text))[0] != QOS
    if reader is None or is_other_class or words[0] == "mac":
        for line in (block.head, *block.lines):
            block.mark(line.index, LineState.NOT_MODELLED)
    else:
        reader(config, block)


def _read_profile(config: Config, block: CapturedStanza) -> None:
    where = block.capture.where
    body = config.profiles.setdefault(block.head.text.split()[-1], Interface(where(block.head.index)))
    _read_stanza(body, block, where)


def _read_interface_profile(config: Config, block: CapturedStanza) -> None:
    """Read the commands that ports take over by the name of an interface profile."""
    where = block.capture.where
    body = config.interface_profiles.setdefault(block.head.text.split()[-1], Interface(where(block.head.index)))
    _read_stanza(body, block, where, [line._replace(text=line.text.removeprefix("command ")) for line in block.lines])


def _read_class_map(config: Config, block: CapturedStanza) -> None:
    head = block.head._replace(text=spell_type(block.head.text))
    read_class_map(nest(head, _own(block)), block.capture.where, block.mark, config.class_maps)
    found = config.class_maps.get((QOS, head.text.split()[-1]))
    terms = found.terms if found else []
    for line, _ in _orphans(block):  # the line narrows or widens the class in an unknown way
        terms.append(Term("unread", (), line.text, block.capture.where(line.index)))


def _read_policy_map(config: Config, block: CapturedStanza) -> None:
    where = block.capture.where
    read_policy_map(nest(block.head, _own(block)), where, block.mark, config.policy_maps)
    policy = config.policy_maps.get((QOS, block.head.text.split()[-1]))
    if policy is None:
        return
    for line, why in _orphans(block):
        doubt_policy(policy, line.text, where(line.index), why)


def _read_mmu_profile(config: Config, block: CapturedStanza) -> None:
    profile = config.mmu_profiles.setdefault(block.head.text.split()[-1], Mmu(block.capture.where(block.head.index)))
    block.mark(block.head.index, LineState.MODELLED)
    for line in _own(block):
        block.mark(line.index, MMU.read(profile, line.text, block.capture.where(line.index)))
    for line, why in _orphans(block):
        MMU.doubt(profile, line.text, why)


def _read_access_list(config: Config, block: CapturedStanza) -> None:
    words = block.head.text.split()
    head = block.head._replace(text=f"{words[0]} access-list {words[-1]}")
    acl = read_acl(nest(head, _own(block)), block.capture.where, block.mark, config.acls)
    if acl and block.orphans:
        config.acls[acl.name] = Acl(acl.name, acl.where)


_READERS: Mapping[str, Callable[[Config, CapturedStanza], None]] = {
    "qos profile": _read_profile,
    "interface profile": _read_interface_profile,
    "class-map": _read_class_map,
    "policy-map": _read_policy_map,
    "platform": _read_mmu_profile,
    "access-list": _read_access_list,
}
