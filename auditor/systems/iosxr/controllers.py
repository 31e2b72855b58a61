"""`show controllers INTERFACE`: how the link of a port runs, its module, and its pauses."""

from dataclasses import field

from auditor.grammar import optics
from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.iosxr.counters import find_port, read_pause
from auditor.systems.iosxr.statements import CODES
from auditor.util.regex import regex
from auditor.util.values import dataclass

HEAD = regex(r"Operational data for interface (?P<port>\S{1,60}?):\s*\Z")
_STATE = regex(r"Administrative state: (?P<state>enabled|disabled)\Z")
_NEGOTIATION = regex(r"Autonegotiation (?P<state>enabled|disabled)\b")
_MTU = regex(r"MTU: (?P<bytes>\d{1,6})\Z")
_FEC = regex(r"Forward error correction: (?P<code>\S.{0,60})\Z")
_CODES = {"Standard (Reed-Solomon)": CODES["standard"], "Disabled": CODES["none"]}
"""What an output calls a code; `Not Configured` tells none."""
_WORD = regex(r"(?P<name>Media type|Vendor|Part number|Serial number): (?P<value>.{1,80})\Z")
_TEMPERATURE = regex(r"Transceiver Temp: (?P<value>-?\d{1,3}\.\d{1,4} C)\Z")
_LANE = regex(r"\d{1,2}\s+\S+\s+\S+\s+\S+\s+(?P<dbm>-?\d{1,3}\.\d{1,4}|-\s?inf)\s+\S+\s+\S+\Z")
"""Lane, wavelength, power sent in dBm and mW, received in dBm and mW, and the current of the laser."""
_DARK_DBM = -40.0
"""What is printed of a lane that receives no light."""


@dataclass(slots=True)
class _Module:
    """What the lines of one port tell of its module."""

    words: dict[str, Setting[str]] = field(default_factory=dict)
    temperature: Setting[float] = NOT_COLLECTED
    lanes: list[tuple[str, Where]] = field(default_factory=list)

    def read(self, text: str, where: Where) -> bool:
        """Learn what one line tells; return whether it tells something."""
        word, temperature, lane = (form.match(text) for form in (_WORD, _TEMPERATURE, _LANE))
        if word:
            self.words[word["name"]] = optics.read_word(word["value"], where)
        elif temperature:
            self.temperature = optics.read_temperature(temperature["value"], where)
        elif lane:
            is_dark = lane["dbm"] == f"{_DARK_DBM:.1f}"
            self.lanes.append(("-inf" if is_dark else lane["dbm"], where))
        return bool(word or temperature or lane)

    def build(self) -> Module:
        """Return the module; one that measures nothing has no temperature, and prints 0."""
        vendor = self.words.get("Vendor", NOT_COLLECTED)
        measures = isinstance(self.temperature, Known) and self.temperature.value
        return Module(
            kind=self.words.get("Media type", NOT_COLLECTED) if vendor != NOT_COLLECTED else NOT_COLLECTED,
            vendor=vendor,
            part_number=self.words.get("Part number", NOT_COLLECTED),
            serial=self.words.get("Serial number", NOT_COLLECTED),
            temperature_c=self.temperature if measures else NOT_COLLECTED,
            rx_power_dbm=optics.find_weakest(self.lanes) if measures else NOT_COLLECTED,
        )


def read_controllers(capture: Capture, ports: Ports) -> list[LineState]:
    """Read the blocks of all ports."""
    states = []
    port: OperationalPort | None = None
    modules: dict[int, _Module] = {}
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head = HEAD.match(text)
        if head:
            port = find_port(ports, head["port"], where)
        is_read = head or (port and _read_line(port, modules, text, where))
        states.append(LineState.MODELLED if is_read else LineState.IGNORED)
    for each in ports.values():
        if id(each) in modules:
            each.module = modules[id(each)].build()
    return states


def _read_line(port: OperationalPort, modules: dict[int, _Module], text: str, where: Where) -> bool:
    """Learn what one line tells of a port or of its module; return whether it tells something."""
    return modules.setdefault(id(port), _Module()).read(text, where) or _learn(port, text, where)


def _learn(port: OperationalPort, text: str, where: Where) -> bool:
    """Learn what one line tells of a port; return whether it tells something."""
    state, negotiation, mtu, fec = (form.match(text) for form in (_STATE, _NEGOTIATION, _MTU, _FEC))
    if state:
        port.enabled = Known(state["state"] == "enabled", Origin.LEARNED, where)
    elif negotiation:
        port.negotiates = Known(negotiation["state"] == "enabled", Origin.LEARNED, where)
    elif mtu:
        port.mtu = Known(int(mtu["bytes"]), Origin.LEARNED, where)
    elif fec and fec["code"] in _CODES:
        port.fec = Known(_CODES[fec["code"]], Origin.LEARNED, where)
    return bool(state or negotiation or mtu or fec) or read_pause(port, text, where)
