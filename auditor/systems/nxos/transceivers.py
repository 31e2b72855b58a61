"""Modules of NX-OS: `show interface transceiver`, and what `details` measures."""

from dataclasses import field

from auditor.grammar import optics
from auditor.grammar.operational import Ports
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.nxos.counters import find_port
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"(?P<port>Ethernet[\d/]+)")
_WORD = regex(r"(?P<name>type|name|part number|serial number) is(?: (?P<value>.*))?")
_REACH = regex(
    r"Link length (?:supported for )?(?:[\d./]{1,8}um )?(?P<over>OM\d|SMF|copper|fiber)(?: fiber)? is "
    r"(?P<length>\d{1,6}(?:\.\d{1,3})? k?m)"
)
_SINGLE_MODE = regex(r"Link length supported for 9/125um fiber is (?P<length>\d{1,6}(?:\.\d{1,3})? k?m)")
_TEMPERATURE = regex(r"Temperature +(?P<value>-?\d{1,3}(?:\.\d{1,4})? C)\b.*")
_POWER = regex(r"Rx Power +(?P<value>-?\d{1,3}(?:\.\d{1,4})?) dBm\b.*")
_FIBRES = {"SMF": "single-mode fibre"}
_COPPER = "copper"


@dataclass(slots=True)
class _Block:
    """The lines of one cage."""

    name: str
    where: Where
    words: dict[str, Setting[str]] = field(default_factory=dict)
    lengths: dict[str, Known[float]] = field(default_factory=dict)
    temperature: Setting[float] = NOT_COLLECTED
    lanes: list[tuple[str, Where]] = field(default_factory=list)

    def finish(self, ports: Ports) -> None:
        """Give the port its module, if one is plugged in."""
        fibres = [(over, length) for over, length in self.lengths.items() if over != _COPPER]
        # beside the reach over fibres, the length of copper is that over OM4
        copper = None if fibres else self.lengths.get(_COPPER)
        over, reach = max(fibres, key=lambda each: each[1].value, default=("", None))
        kind = self.words.get("type", NOT_COLLECTED)
        if isinstance(kind, Known) and over:
            kind = Known(f"{kind.value} over {over}", kind.origin, kind.where)
        module = Module(
            kind=kind,
            vendor=self.words.get("name", NOT_COLLECTED),
            part_number=self.words.get("part number", NOT_COLLECTED),
            serial=self.words.get("serial number", NOT_COLLECTED),
            length_m=reach or copper or NOT_COLLECTED,
            temperature_c=self.temperature,
            rx_power_dbm=optics.find_weakest(self.lanes),
        )
        port = find_port(ports, self.name, self.where) if module != Module() else None
        if port:
            port.module = optics.merge_modules(module, port.module)


def read_transceivers(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interface transceiver [details]`: one block for each cage, with a table for each lane."""
    states = []
    block = _Block("", capture.where(0))
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head = _HEAD.fullmatch(text)
        if head:
            block.finish(ports)
            block = _Block(head["port"], where)
        is_read = head is not None or _read_line(block, text, where)
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    block.finish(ports)
    return states


def _read_line(block: _Block, text: str, where: Where) -> bool:
    word, single, reach = _WORD.fullmatch(text), _SINGLE_MODE.fullmatch(text), _REACH.fullmatch(text)
    warmth, power = _TEMPERATURE.fullmatch(text), _POWER.fullmatch(text)
    if word:
        block.words[word["name"]] = optics.read_word(word["value"] or "", where)
    elif single:
        _keep_length(block, "single-mode fibre", single["length"], where)
    elif reach and reach["over"] != "fiber":
        _keep_length(block, _FIBRES.get(reach["over"], reach["over"]), reach["length"], where)
    elif warmth:
        block.temperature = optics.read_temperature(warmth["value"], where)
    elif power:
        block.lanes.append((power["value"], where))
    else:
        return False
    return True


def _keep_length(block: _Block, over: str, text: str, where: Where) -> None:
    metres = optics.measure_length(text)
    if metres:
        block.lengths[over] = Known(metres, Origin.LEARNED, where)
