"""Statements from running configurations, each with its line; no reference is followed."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from auditor.grammar.acl import read_acl
from auditor.grammar.classmaps import read_class_map
from auditor.grammar.routing import read_routing
from auditor.grammar.running import (
    CapturedStanza,
    StanzaDialect,
    cut_captures,
    holds_print,
    read_first_whole,
    read_interfaces,
)
from auditor.grammar.stanzas import INTERFACE_KIND, OTHER_KIND, Place
from auditor.grammar.tree import Node, forest
from auditor.model.dump import Capture, LineState
from auditor.systems.nxos.configuration import Config
from auditor.systems.nxos.lines import COMPLETE, read_line
from auditor.systems.nxos.numbers import expand_interfaces as interface_names
from auditor.systems.nxos.policies import read_policy_map
from auditor.systems.nxos.sections import SYNTAX
from auditor.systems.nxos.statements import INTERFACE, SYSTEM_QOS, Interface
from auditor.util.memo import Memo
from auditor.util.regex import regex


def read_config(captures: Sequence[Capture]) -> Config:
    """Return the statements of a device's running configuration: of the whole, then of parts and sessions.

    Raises nothing; the state of each line is in `states`, by the identity of its capture.
    """
    return read_first_whole(captures, SYNTAX.lines, _read, _is_part)


def _read(captures: Sequence[Capture]) -> Config:
    running = cut_captures(captures, _DIALECT)
    first = captures[0]
    config = Config(first.file, running.states)
    others = [block for block in running.blocks if block.stanza.kind not in {INTERFACE_KIND, OTHER_KIND}]
    trees = _trees(others)
    for block in running.blocks:
        if block.stanza.kind == OTHER_KIND:
            read_line(config, block)
        elif block.stanza.kind != INTERFACE_KIND:
            _read_block(config, block, trees[id(block)])
    config.interfaces = read_interfaces(running, _DIALECT)
    if part := _part(first):
        config.is_part = True
        config.complete = config.is_qos_only = part == _QOS
    config.complete = config.complete and holds_print(captures, SYNTAX.lines)
    config.routing = read_routing(running.lines, _WITHDRAWN, is_whole=config.complete)
    config.captured_at = next((line[6:].strip() for line in first.lines[:20] if line.startswith("!Time:")), None)
    return config


_WITHDRAWN = regex(r"system mode maintenance|graceful-shutdown activate\b.*")
"""Lines that take the switch out of routing: graceful insertion and removal, and graceful shutdown of BGP."""
_WHOLE = r"(?:all|vdc-all|expand-port-profile)\b"
_SHOWN = regex(rf"(?:!Command: *)?sho?w? +run\S*(?!\S)(?: +{_WHOLE})* *(?P<part>(?!\| *no-more|{_WHOLE})(?:\| *)?\S+)")
_QOS = "ipqos"


def _part(capture: Capture) -> str:
    """Return the part of the configuration that the command shows, empty for the whole."""
    said = (capture.command, *(line for line in capture.lines[:20] if line.startswith("!Command:")))
    return next((match["part"] for text in said if text and (match := _SHOWN.match(text))), "")


def _is_part(capture: Capture) -> bool:
    """Return whether a capture shows a part of the configuration, by its command or by the lines that it lacks."""
    return bool(_part(capture)) or not any(map(COMPLETE.match, capture.lines))


@lru_cache(maxsize=4096)
def _is_ignored(text: str) -> bool:
    """Return whether a line has no bearing on quality of service; equal ports may differ in it."""
    words = INTERFACE.split(text)[1].split(None, 2)
    if words[:1] == ["switchport"]:
        return len(words) > 1 and words[1] != "mode"
    line = " ".join(words)
    return bool(words) and not INTERFACE.begins(line) and INTERFACE.state_of(line) is LineState.IGNORED


def _lag(text: str) -> str | None:
    """Return the port-channel that a line joins, empty where it leaves one, None for another line.

    >>> _lag("channel-group 7 mode active"), _lag("no channel-group 7"), _lag("mtu 9216")
    ('port-channel7', '', None)
    """
    if "channel-group" not in text:
        return None
    words = text.split()
    if words[:2] in (["no", "channel-group"], ["default", "channel-group"]):
        return ""
    return f"port-channel{words[1]}" if words[:1] == ["channel-group"] and len(words) > 1 else None


_TREES: Memo[tuple[str, ...], tuple[Node, ...]] = Memo(entries=1024, size=2**20)
"""The lines below the heads of blocks by their texts, each placed in its block: switches of a fleet repeat them."""


def _trees(blocks: Sequence[CapturedStanza]) -> dict[int, Node]:
    """Return the tree of each block by its identity; the places in it are those of the block's capture."""
    rows = {id(block): list(_repeat_head(_normalise(block))) for block in blocks}
    texts = {key: tuple(text for _, text in own) for key, own in rows.items()}
    below = _find_below(dict.fromkeys(texts.values()))
    return {
        id(block): Node(
            block.head.text,
            block.head.index,
            tuple(_place_node(child, rows[id(block)]) for child in below[texts[id(block)]]),
        )
        for block in blocks
    }


def _find_below(blocks: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[Node, ...]]:
    """Return the lines below the heads of *blocks*, each placed in its block; all that are not known in one parse."""
    found = {block: _TREES.find(block) for block in blocks}
    lines = [(block, place) for block, known in found.items() if known is None for place in range(len(block))]
    children: dict[tuple[str, ...], list[Node]] = {block: [] for block, known in found.items() if known is None}
    for node in forest([block[place] for block, place in lines], "nxos"):
        children[lines[node.index][0]] += [_shift_node(child, lines) for child in node.children]
    made = {block: _TREES.keep(block, tuple(own), sum(map(len, block))) for block, own in children.items()}
    return {block: made[block] if known is None else known for block, known in found.items()}


def _shift_node(node: Node, lines: Sequence[tuple[tuple[str, ...], int]]) -> Node:
    return Node(node.text, lines[node.index][1], tuple(_shift_node(child, lines) for child in node.children))


def _place_node(node: Node, rows: Sequence[tuple[int, str]]) -> Node:
    return Node(node.text, rows[node.index][0], tuple(_place_node(child, rows) for child in node.children))


def _repeat_head(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield *lines* with their head once more before each line that has lines below it.

    ciscoconfparse2 looks for the parent of such a line in all lines between the two.
    """
    for number, (index, text) in enumerate(lines):
        if number > 1 and _is_deep(lines[number + 1 : number + 2]) and not _is_deep([(index, text)]):
            yield lines[0]
        yield index, text


def _is_deep(lines: Sequence[tuple[int, str]]) -> bool:
    return any(text.startswith("    ") for _, text in lines)


def _normalise(block: CapturedStanza) -> list[tuple[int, str]]:
    """Return a block's lines with the indentation of their grammar."""
    found = [(block.head.index, block.head.text)]
    depth = 1
    for line in block.lines:
        if line.index in block.orphans:
            continue
        if block.stanza.kind == "policy-map":
            opens = line.text.removeprefix("no ").startswith("class ")
            depth = 1 if opens or (depth == 1 and line.text.startswith("description")) else 2
        found.append((line.index, "  " * depth + line.text))
    return found


def _read_interface(block: CapturedStanza, place: Place) -> Interface:
    """Return the statements of an interface's stanza, and mark each of its lines."""
    found = Interface(place(block.head.index))
    for line in block.lines:
        if line.index in block.orphans:
            why = f"`{line.text}` stands apart from the stanza that it may belong to"
            block.mark(line.index, INTERFACE.doubt(found, line.text, why))
        else:
            block.mark(line.index, INTERFACE.read(found, line.text, place(line.index)))
    return found


_DIALECT = StanzaDialect(
    SYNTAX,
    interface_names,
    _read_interface,
    _is_ignored,
    _lag,
    shared=regex(r"(?:no|default) vpc\b|vpc (?P<number>\d{1,4}|peer-link)\Z"),
)


def _read_block(config: Config, block: CapturedStanza, node: Node) -> None:
    place, mark, kind = block.capture.where, block.mark, block.stanza.kind
    if kind == "port-profile":
        config.profiles[node.text.split()[-1]] = _read_interface(block, place)
        mark(node.index, LineState.MODELLED)
    elif kind == "class-map":
        read_class_map(node, place, mark, config.class_maps)
    elif kind == "policy-map":
        read_policy_map(node, place, mark, config.policy_maps)
    elif kind == "access-list":
        read_acl(node, place, mark, config.acls)
    else:
        mark(node.index, LineState.MODELLED)
        for child in node.children:
            mark(child.index, SYSTEM_QOS.read(config.system, child.text, place(child.index)))
