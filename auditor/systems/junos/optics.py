"""Modules of Junos: `show chassis hardware`, and what `show interfaces diagnostics optics` measures."""

import re

from auditor.grammar import optics
from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Setting, Where
from auditor.systems.junos.names import PORT
from auditor.util.regex import regex

_PART = regex(r"(?P<part>FPC|PIC|MIC) (?P<number>\d{1,3})\b.*")
_MODULE = regex(
    r"Xcvr (?P<number>\d{1,3})\s+(?:REV \S{1,8}\s+)?(?P<part>\S{1,40})\s+(?P<serial>\S{1,40})\s+(?P<kind>\S.*)"
)
_PREFIXES = ("et", "xe", "ge")
_PORT = regex(r"Physical interface: (?P<port>[\w/:.-]+)")
_TEMPERATURE = regex(r"Module temperature\s*:\s*(?P<value>-?\d{1,3}(?:\.\d{1,4})? degrees C)\b.*")
_POWER = regex(
    r"(?:Laser receiver power|Laser rx power|Receiver signal average optical power)\s*:\s*\d{1,4}(?:\.\d{1,6})? mW / "
    r"(?P<value>-?\d{1,3}(?:\.\d{1,4})?|- Inf) dBm"
)


def read_hardware(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show chassis hardware`: the module of each cage, below its line card and its group of ports."""
    states = []
    fpc = pic = ""
    for index, line in enumerate(capture.lines):
        text = line.strip()
        part, module = _PART.fullmatch(text), _MODULE.fullmatch(text)
        if part and part["part"] == "FPC":
            fpc, pic = part["number"], ""
        elif part and part["part"] == "PIC":
            pic = part["number"]
        is_read = bool(module and fpc and pic)
        if module and is_read:
            _keep_module(ports, f"{fpc}/{pic}/{module['number']}", module, capture.where(index))
        states.append(LineState.MODELLED if is_read or part else LineState.IGNORED)
    return states


def _keep_module(ports: Ports, place: str, match: re.Match[str], where: Where) -> None:
    """Keep the module of the cage at *place*; the speed of its port, not the cage, says how its name begins."""
    told = Module(
        kind=optics.read_word(match["kind"], where),
        part_number=optics.read_word(match["part"], where),
        serial=optics.read_word(match["serial"], where),
    )
    for prefix in _PREFIXES:
        port = ports.setdefault(f"{prefix}-{place}", OperationalPort(where))
        port.module = optics.merge_modules(told, port.module)


def read_diagnostics(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interfaces diagnostics optics`: temperature and received power, of which each lane has its own."""
    states = []
    port: OperationalPort | None = None
    temperature: Setting[float] = NOT_COLLECTED
    lanes: list[tuple[str, Where]] = []
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, warmth, power = _PORT.fullmatch(text), _TEMPERATURE.fullmatch(text), _POWER.fullmatch(text)
        if head:
            _measure(port, temperature, lanes)
            is_port = PORT.match(head["port"]) is not None
            port = ports.setdefault(head["port"], OperationalPort(where)) if is_port else None
            temperature, lanes = NOT_COLLECTED, []
        elif warmth:
            temperature = optics.read_temperature(warmth["value"], where)
        elif power:
            lanes.append((power["value"], where))
        states.append(LineState.MODELLED if head or warmth or power else LineState.IGNORED)
    _measure(port, temperature, lanes)
    return states


def _measure(port: OperationalPort | None, temperature: Setting[float], lanes: list[tuple[str, Where]]) -> None:
    if port:
        measured = Module(temperature_c=temperature, rx_power_dbm=optics.find_weakest(lanes))
        port.module = optics.merge_modules(measured, port.module)
