"""Command lines of a running configuration or a session, split into blocks by their words.

Indentation only helps: a line indented deeper than an irrelevant block belongs to that block. `grammar.sections` does
not fit, because a line indented below its block's head may end the block here.
"""

import re
from collections.abc import Sequence

from auditor.model.dump import Capture, LineState
from auditor.systems.enterprise_sonic import statements
from auditor.systems.enterprise_sonic.block import QosBlock
from auditor.systems.enterprise_sonic.contexts import OtherBlock, QosMapBlock, SchedulerBlock, WredBlock
from auditor.systems.enterprise_sonic.interfaces import Interface
from auditor.systems.enterprise_sonic.names import MAPS, parse_port_name, parse_port_range
from auditor.systems.enterprise_sonic.store import Writer
from auditor.systems.enterprise_sonic.tunnels import Tunnel
from auditor.systems.sonic.assemble import TAGGED_FIELD
from auditor.systems.sonic.vocabulary import IGNORED, NOT_MODELLED, UNRECOGNISED
from auditor.util.regex import regex

PROMPT = regex(r"\s*[\w.-]{1,63}(?:\((?P<mode>conf[^)\s]{0,100})\))?# ?(?P<rest>.*)")
_PROSE = regex(r"[^a-z]|Using |sonic-cli\b|configure\b|write |copy |exit\b|end\b|do \w|y\Z|[\w@-]+:~")
"""Lines of a document or a session that are no configuration: the words of a command begin with small letters."""
_MODES = regex(
    r"conf(?:ig)?-(?:if-(?P<interface>(?!range)\S+)|(?P<map>[a-z0-9-]+?)-map-(?P<map_name>\S+)|"
    r"wred-(?P<wred>\S+)|sched(?:uler)?-(?:policy-)?(?P<scheduler>\S+?)(?:-queue-(?P<queue>\d+))?)"
)
READS_LIKE_QOS = regex(
    r"\bqos\b|qos-map|priority-flow-control|wred|scheduler-policy|\bbuffer\b|\becn\b|\broce\b|traffic-class|pfc-priority|"
    r"(?:minimum|maximum)-threshold|watchdog|\bdscp\b|\bdot1p\b|\bmtu\b|cable-length|flowcontrol|pause\b|"
    r"^\s*(?:no )?(?:interface (?:range )?[Ee]|(?:queue|type|weight|meter-type|[pc]ir|[pc]bs|speed|fec) )"
)
_STRAY = regex(
    r"(?:no )?(?:qos|qos-map|priority-flow-control|queue \d+ wred-policy|scheduler-policy|roce|buffer|cable-length) "
)
"""Lines outside any unread block, though such a block has no end mark."""
_BODIES = frozenset({"service-policy", "class", "set", "police", "match", "traffic-class"})
"""What may stand in a policy or under a line, and would mean something else by itself."""


def sort_captures(captures: Sequence[Capture]) -> list[Capture]:
    """Return *captures* in the order of precedence: printed configurations first, then sessions.

    A whole configuration replaces the captures before it, so that several of them count as one.
    """
    return sorted(captures, key=_is_session)


def _is_session(capture: Capture) -> bool:
    """Return whether a capture has lines typed in a configuration mode."""
    prompts = (PROMPT.fullmatch(line) for line in capture.lines if "#" in line)
    return any(prompt["mode"] and prompt["rest"].strip() for prompt in prompts if prompt)


class ConfigReader:
    """A reader of one capture into a store; `states` has the state of each line."""

    def __init__(self, capture: Capture, writer: Writer) -> None:
        self._lines = capture.lines
        self._writer = writer
        self._context: QosBlock | OtherBlock | None = None
        self._blocks: dict[type[QosBlock], QosBlock] = {}
        self.states: list[LineState] = []

    def read(self, start: int, end: int) -> None:
        """Read the lines from *start* to before *end*."""
        for index in range(start, end):
            self.states.append(self._line(self._lines[index], index))
        self._context = None

    def _line(self, raw: str, index: int) -> LineState:
        prompt = PROMPT.fullmatch(raw)
        text = (prompt["rest"] if prompt else raw).strip()
        indent = 0 if prompt else len(raw) - len(raw.lstrip())
        if prompt:
            self._enter(prompt["mode"] or "", index)
        text = text if text.startswith("description ") else text.partition(" ! ")[0].rstrip()
        if not text or text[0] in "!#" or _PROSE.match(text):
            self._context = None if text == "end" else self._context
            return IGNORED
        words = text.split()
        context = self._context
        if isinstance(context, OtherBlock) and indent > context.indent:
            return context.state
        opened = self._open(words, text, index, indent)
        if opened is not None:
            return opened
        own = context.read(text, self._writer.capture.where(index)) if context else None
        return own if own is not None else self._single(words, text, index, indent)

    def _single(self, words: Sequence[str], text: str, index: int, indent: int) -> LineState:
        """Read a line outside all known blocks."""
        now = self._context
        if isinstance(now, OtherBlock) and (now.state is NOT_MODELLED or now.word == "line") and words[0] in _BODIES:
            return NOT_MODELLED
        state = statements.read(text, index, self._writer)
        if state is not None:
            self._context = None
            return state
        kind = statements.find_state(words)
        if kind is not None:
            self._context = OtherBlock(index, indent, kind, words[0])
            return kind
        if isinstance(now, Interface) and not now.ports and indent > now.indent:
            return NOT_MODELLED
        if isinstance(self._context, OtherBlock) and not _STRAY.match(text):
            return self._context.state
        if READS_LIKE_QOS.search(text):
            self._doubt(text)
        return UNRECOGNISED

    def _doubt(self, text: str) -> None:
        """Make the setting of an unclaimed line unknown in the last block of its kind."""
        why = f"`{text[:60]}` stands outside of the blocks that can hold it"
        any(block.doubt(text, why) for block in self._blocks.values())

    def _open(self, words: Sequence[str], text: str, index: int, indent: int) -> LineState | None:
        """Open the block that a line begins; return None if the block is unknown."""
        context = _make_context(words, text, self._writer, index, indent)
        if context is None:
            return None
        self._context = context
        if isinstance(context, OtherBlock):
            self._blocks.clear()
            return context.state
        return self._begin(context)

    def _begin(self, block: QosBlock) -> LineState:
        self._context = block
        self._blocks[type(block)] = block
        return block.open()

    def _enter(self, mode: str, index: int) -> None:
        """Enter the block that a prompt names if its first line is not in the dump."""
        found = _MODES.fullmatch(mode)
        if mode == "config":
            self._context = None
            self._blocks.clear()
        if found is None:
            return
        context: Interface | QosMapBlock | WredBlock | SchedulerBlock | None = None
        now = self._context
        if found["interface"]:
            name = parse_port_name(found["interface"])
            ports = (name,) if name else ()
            if not isinstance(now, Interface) or now.ports != ports:
                context = Interface(self._writer, index, 0, ports)
        elif found["map"] in MAPS and not isinstance(now, QosMapBlock):
            context = QosMapBlock(self._writer, index, 0, found["map"], found["map_name"])
        elif found["wred"] and not isinstance(now, WredBlock):
            context = WredBlock(self._writer, index, 0, found["wred"])
        elif found["scheduler"] and not isinstance(now, SchedulerBlock):
            context = SchedulerBlock(self._writer, index, 0, found["scheduler"], found["queue"] or "", index)
        if context:
            self._begin(context)


_SUBINTERFACE = regex(r"\.\d{1,4}\Z")
_KINDS = {"pfc-priority-q": "pfc-priority-queue"}


def _make_context(
    words: Sequence[str], text: str, writer: Writer, index: int, indent: int
) -> Interface | QosMapBlock | WredBlock | SchedulerBlock | OtherBlock | None:
    if words[0] == "interface" and len(words) > 1:
        return _interface(words, text, writer, index, indent)
    if words[0] != "qos" or len(words) < 3:  # noqa: PLR2004  `qos KIND NAME`
        return None
    if words[1] == "map" and len(words) == 4:  # noqa: PLR2004  `qos map TYPE NAME`
        kind = _KINDS.get(words[2], words[2])
        return QosMapBlock(writer, index, indent, kind, words[3]) if kind in MAPS else None
    if words[1] == "wred-policy":
        return WredBlock(writer, index, indent, words[2])
    if words[1] == "scheduler-policy":
        return SchedulerBlock(writer, index, indent, words[2])
    return None


def _interface(
    words: Sequence[str], text: str, writer: Writer, index: int, indent: int
) -> Interface | OtherBlock | None:
    name = text.removeprefix("interface").strip()
    if words[1] == "breakout":
        return None
    if words[1] == "vxlan" and len(words) == 3:  # noqa: PLR2004  `interface vxlan NAME`
        return Tunnel(writer, index, indent, name=words[2])
    if words[1] == "range":
        listed = name.removeprefix("range").strip()
        ports = parse_port_range(listed)
        if ports is None and re.match(r"e", listed, re.IGNORECASE):
            return OtherBlock(index, indent, UNRECOGNISED)
        return Interface(writer, index, indent, ports or ())
    port = parse_port_name(name)
    parent = parse_port_name(_SUBINTERFACE.sub("", name))
    if port is None and parent and writer.get("PORT", parent, TAGGED_FIELD):
        writer.put("PORT", parent, {TAGGED_FIELD: "true"}, index)
    return Interface(writer, index, indent, (port,) if port else ())
