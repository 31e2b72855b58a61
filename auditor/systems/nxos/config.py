"""A running configuration read into the statements that matter, each with its line; nothing is resolved yet."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from auditor.grammar.acl import keep, read_acl
from auditor.grammar.classmaps import Mark, read_class_map
from auditor.grammar.layers import laid_over, later
from auditor.grammar.stanzas import Place, Sections, Stanza
from auditor.grammar.tree import Node, forest
from auditor.grammar.vlans import says_carried, statements
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, Where
from auditor.systems.nxos.lines import read_line
from auditor.systems.nxos.numbers import interfaces as interface_names
from auditor.systems.nxos.policies import read_policy_map
from auditor.systems.nxos.sections import cut, typed
from auditor.systems.nxos.statements import INTERFACE, SYSTEM_QOS, Interface
from auditor.systems.nxos.written import Config, Written


def read_config(capture: Capture) -> Config:
    """Return the statements of the running configuration *capture*; the state of each line is in `states`."""
    capture = replace(capture, lines=typed(capture.lines))
    sections = cut(capture.lines)
    config = Config(capture.file, sections.states)
    for stanza in sections.single:
        read_line(config, capture, stanza)
    _stanzas(config, capture, sections)
    if part := _part(capture):
        config.is_part = True
        config.complete = config.is_qos_only = part == _QOS
    config.captured_at = next(
        (line[6:].strip() for line in capture.lines[:20] if line.startswith("!Time:")), config.captured_at
    )
    return config


_WHOLE = r"(?:all|vdc-all|expand-port-profile)\b"
_SHOWN = re.compile(
    rf"(?:!Command: *)?sho?w? +run\S*(?!\S)(?: +{_WHOLE})* *(?P<part>(?!\| *no-more|{_WHOLE})(?:\| *)?\S+)"
)
_QOS = "ipqos"


def _part(capture: Capture) -> str:
    """Return the part of the configuration that was asked for, empty where it was the whole."""
    said = (capture.command, *(line for line in capture.lines[:20] if line.startswith("!Command:")))
    return next((match["part"] for text in said if text and (match := _SHOWN.match(text))), "")


@dataclass(slots=True)
class _Block:
    """A stanza to be read: the lines of it that matter, and the interfaces it speaks of (None: a malformed range)."""

    stanza: Stanza
    lines: list[int]
    names: tuple[str, ...] | None = ()


def _stanzas(config: Config, capture: Capture, sections: Sections) -> None:
    """Parse each distinct stanza once and read it for every place where it stands."""
    blocks = [b for b in (_block(config, capture.lines, s) for s in sections.stanzas) if b.names is not None]
    named = Counter(chain.from_iterable(b.names or () for b in blocks))
    repeated = {name for name, count in named.items() if count > 1}
    numbers: dict[tuple[object, ...], int] = {}
    templates: list[_Block] = []
    template_of: list[int] = []
    for block in blocks:
        alone = block.stanza.kind != "interface" or not repeated.isdisjoint(block.names or ())
        key = (block.stanza.head,) if alone else _shape(block, capture.lines)
        if key not in numbers:
            numbers[key] = len(templates)
            templates.append(block)
        template_of.append(numbers[key])
    numbered = [pair for block in templates for pair in _normalised(block, capture.lines)]
    reading = _Reading(config, capture, [index for index, _ in numbered])
    nodes = forest([text for _, text in numbered], "nxos")
    bodies: dict[int, Interface] = {}
    for block, number in zip(blocks, template_of, strict=True):
        if block.stanza.kind != "interface":
            _read_block(reading, block.stanza.kind, nodes[number])
            continue
        template = templates[number]
        if number not in bodies:
            is_shared = repeated.isdisjoint(block.names or ())
            place = reading.relative(template.stanza.head) if is_shared else reading.absolute
            bodies[number] = _read_interface(nodes[number], place, reading.mark)
        for here, there in zip(block.lines, template.lines, strict=True):
            config.states[here] = config.states[there]
        config.states[block.stanza.head] = LineState.MODELLED
        _keep(config, capture, block, bodies[number])


def _block(config: Config, lines: Sequence[str], stanza: Stanza) -> _Block:
    """Set aside the lines of an interface that say nothing of quality of service."""
    if stanza.kind != "interface":
        return _Block(stanza, stanza.body)
    matter = []
    for index in stanza.body:
        if _is_ignored(lines[index]):
            config.states[index] = LineState.MODELLED if says_carried(lines[index].strip()) else LineState.IGNORED
        else:
            matter.append(index)
    return _Block(stanza, matter, interface_names(lines[stanza.head].strip()[len("interface ") :]))


@lru_cache(maxsize=4096)
def _is_ignored(line: str) -> bool:
    """Tell whether a line says nothing of quality of service, so that ports that differ in it are alike."""
    words = INTERFACE.split(line)[1].split(None, 2)
    if words[:1] == ["switchport"]:
        return len(words) > 1 and words[1] != "mode"
    text = " ".join(words)
    return bool(words) and not INTERFACE.begins(text) and INTERFACE.state_of(text) is LineState.IGNORED


def _shape(block: _Block, lines: Sequence[str]) -> tuple[object, ...]:
    """Return what equal stanzas have in common: the lines that matter, and how far below the head they stand."""
    head = block.stanza.head
    return tuple([(index - head, _essence(lines[index].strip())) for index in block.lines])


def _essence(text: str) -> str:
    return "channel-group" if text.startswith("channel-group ") else text


_INLINE_COMMENT = re.compile(r"(?<!^)\s+!.*")
"""A comment behind a command, as documents print it; descriptions never come here."""


def _normalised(block: _Block, lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines that matter with the indentation that their grammar gives them, whatever it was."""
    stanza = block.stanza
    found = [(stanza.head, lines[stanza.head].strip())]
    depth = 1
    for index in block.lines:
        text = _INLINE_COMMENT.sub("", lines[index].strip())
        if stanza.kind == "policy-map":
            depth = 1 if text.startswith("class ") or (depth == 1 and text.startswith("description")) else 2
        found.append((index, "  " * depth + text))
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """Turns positions in the parsed text back into places and states of the dump; `origin` is the line map."""

    config: Config
    capture: Capture
    origin: Sequence[int]

    def mark(self, index: int, state: LineState) -> None:
        """Set the state of a line."""
        self.config.states[self.origin[index]] = state

    def absolute(self, index: int) -> Where:
        """Return the place of a line."""
        return self.capture.where(self.origin[index])

    def relative(self, head: int) -> Callable[[int], Where]:
        """Return what gives the place of a line as counted from line *head*."""
        return lambda index: Where(self.capture.file, self.origin[index] - head, relative=True)


def _keep(config: Config, capture: Capture, block: _Block, body: Interface) -> None:
    """File the statements of a stanza under each of its interfaces, over those of an earlier stanza."""
    lag: Known[str | None] | None = None
    description = None
    for index in block.stanza.body:
        text = capture.lines[index].strip()
        if text.startswith("channel-group "):
            lag = Known(f"port-channel{text.split()[1]}", Origin.INTENDED, capture.where(index))
        elif text.startswith(("no channel-group", "default channel-group")):
            lag = Known(None, Origin.INTENDED, capture.where(index))
        elif text.startswith("description "):
            description = text[len("description ") :].strip()
    vlans = statements(capture.lines[index] for index in block.stanza.body)
    for name in block.names or ():
        before = config.interfaces.get(name)
        if before is None:
            config.interfaces[name] = Written(capture.where(block.stanza.head), body, lag, description, vlans)
        else:
            config.interfaces[name] = Written(
                before.where,
                laid_over(before.body, body, later),
                lag or before.lag,
                description or before.description,
                (*before.vlans, *vlans),
            )


def _read_block(reading: _Reading, kind: str, node: Node) -> None:
    config, place, mark = reading.config, reading.absolute, reading.mark
    if kind == "port-profile":
        config.profiles[node.text.split()[-1]] = _read_interface(node, place, mark)
    elif kind == "class-map":
        found = read_class_map(node, place, mark)
        if found:
            known = config.class_maps.setdefault((found.type, found.name), found)
            if known is not found:
                known.terms.extend(found.terms)
    elif kind == "policy-map":
        read_policy_map(node, place, mark, config.policy_maps)
    elif kind == "access-list":
        acl = read_acl(node, place, mark)
        if acl:
            keep(config.acls, acl)
    else:
        mark(node.index, LineState.MODELLED)
        for child in node.children:
            mark(child.index, SYSTEM_QOS.read(config.system, child.text, place(child.index)))


def _read_interface(node: Node, place: Place, mark: Mark) -> Interface:
    """Return the statements of the stanza *node*, and mark each of its lines."""
    found = Interface(place(node.index))
    mark(node.index, LineState.MODELLED)
    for child in node.children:
        state = INTERFACE.read(found, child.text, place(child.index))
        mark(child.index, state)
        for below in child.children:
            mark(below.index, LineState.IGNORED if state is LineState.IGNORED else LineState.UNRECOGNISED)
    return found
