"""Modules of SONiC: `show interfaces transceiver eeprom`, with `--dom` what they measure."""

from collections.abc import Mapping

from auditor.grammar import optics
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.sonic.operation import Operation, PortOperation
from auditor.systems.sonic.vocabulary import PORT
from auditor.util.regex import regex

_HEAD = regex(r"(?P<port>\S{1,70}): SFP EEPROM (?P<state>[Nn]ot detected|detected|is not applicable.*)")
_FIELD = regex(r"(?P<name>[A-Za-z][\w ()/-]{0,60}?): ?(?P<value>.*)")
_RX_POWER = regex(r"RX\d{1,2}Power")
_READ = frozenset(
    {
        *("Connector", "Identifier", "Vendor Name", "Vendor PN", "Vendor SN", "Temperature", "Vcc", "Length(km)"),
        "Length Cable Assembly(m)",
    }
)
_CABLES = ("no separable", "copper")
_METRES = regex(r"\d{1,5}(?:\.\d{1,3})?")
_NO_VOLTAGE = regex(r"0(?:\.0{1,6})?Volts")


def parse_modules(capture: Capture, found: Operation) -> list[LineState]:
    """Read `show interfaces transceiver eeprom [--dom]`: one block for each port."""
    states = []
    port: PortOperation | None = None
    told: dict[str, Known[str]] = {}
    for index, line in enumerate(capture.lines):
        text, where = line.strip(), capture.where(index)
        head, match = _HEAD.fullmatch(text), _FIELD.fullmatch(text)
        if head:
            _finish(port, told)
            is_port = head["state"] == "detected" and PORT.fullmatch(head["port"]) is not None
            port, told = found.port(head["port"], where) if is_port else None, {}
        name = match["name"].replace("Length cable", "Length Cable") if match else ""
        is_read = name in _READ or _RX_POWER.fullmatch(name) is not None
        if match and port and is_read:
            told.setdefault(name, Known(match["value"].strip(), Origin.LEARNED, where))
        states.append(LineState.MODELLED if head or (port and is_read) else LineState.IGNORED)
    _finish(port, told)
    return states


def _finish(port: PortOperation | None, told: Mapping[str, Known[str]]) -> None:
    if port is None:
        return
    connector = told["Connector"].value.lower() if "Connector" in told else ""
    is_cable = connector.startswith(_CABLES)
    length = _find_length(told, "Length Cable Assembly(m)", "m") if is_cable else _find_length(told, "Length(km)", "km")
    is_measured = not ("Vcc" in told and _NO_VOLTAGE.fullmatch(told["Vcc"].value))
    lanes = [
        (known.value.removesuffix("dBm"), known.where) for name, known in told.items() if _RX_POWER.fullmatch(name)
    ]
    warmth = told.get("Temperature")
    kind = _find_word(told, "Identifier")
    if isinstance(kind, Known) and isinstance(length, Known) and not is_cable:
        kind = Known(f"{kind.value} over single-mode fibre", kind.origin, kind.where)
    module = Module(
        kind=kind,
        vendor=_find_word(told, "Vendor Name"),
        part_number=_find_word(told, "Vendor PN"),
        serial=_find_word(told, "Vendor SN"),
        length_m=length,
        temperature_c=optics.read_temperature(warmth.value, warmth.where)
        if is_measured and warmth and warmth.where
        else NOT_COLLECTED,
        rx_power_dbm=optics.find_weakest((text, where) for text, where in lanes if where)
        if is_measured
        else NOT_COLLECTED,
    )
    port.module = optics.merge_modules(module, port.module)


def _find_word(told: Mapping[str, Known[str]], name: str) -> Setting[str]:
    known = told.get(name)
    return optics.read_word(known.value, known.where) if known and known.where else NOT_COLLECTED


def _find_length(told: Mapping[str, Known[str]], name: str, unit: str) -> Setting[float]:
    known = told.get(name)
    if known is None or known.where is None or not _METRES.fullmatch(known.value):
        return NOT_COLLECTED
    return optics.read_length(f"{known.value} {unit}", known.where)
