"""The module at a port of a host: `ethtool -m IF`, and the module information of `mlxlink -m`."""

import re
from collections.abc import Mapping

from auditor.grammar import optics
from auditor.model.dump import Capture
from auditor.model.hardware import Hardware, Module
from auditor.model.port import Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where, value_of
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Strength
from auditor.systems.linux.fetch import NETDEV, Fetch
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([^:]+):\s*(.*)")
_CODED = regex(r"0x([0-9a-f]{2}) \((.+)\)")
_REACH = regex(r"length \((smf|om[1-5]|62\.5um|50um)\b[^()]*\)")
_FIBRES = {"smf": "single-mode fibre", "50um": "OM2", "62.5um": "OM1"}
_POWER = regex(r"(?:rcvr signal avg|receiver signal average) optical power(?: ?\(channel \d{1,2}\))?")
_DBM = regex(r"\d{1,4}(?:\.\d{1,6})? mW / (-?(?:\d{1,3}(?:\.\d{1,6})?|inf)) dBm")
_CABLE_LENGTHS = ("cable assembly length", "length (copper or active cable)", "length (copper)")
_READ = frozenset({"identifier", "connector", "vendor name", "vendor pn", "vendor sn", "module temperature"})
_FIXED = frozenset({0x00, 0x0B, 0x21, 0x23})
"""Connectors of a cable with fixed ends: unspecified, optical pigtail, copper pigtail, none (SFF-8024, table 4-3)."""
_UNSPECIFIED = 0x00
_VOLTAGE = "module voltage"
_LISTED = regex(r"([-\d.,]{1,200}?)(?: \[.{0,60}\])?")
_CABLES = ("passive copper", "active")
OF_MLXLINK = frozenset(
    {
        *("Identifier", "Cable Type", "Vendor Name", "Vendor Part Number", "Vendor Serial Number"),
        *("Transfer Distance [m]", "Temperature [C]", "Voltage [mV]", "Rx Power Current [dBm]"),
    }
)
"""The fields of a module that `mlxlink -m` prints."""


@dataclass(frozen=True, slots=True)
class PluggedIn:
    """A module, and the length of the cable where the module is an end of it."""

    module: Module
    cable_length_m: Setting[float] = NOT_COLLECTED

    def describe(self, where: Where) -> Port:
        """Return the port with this module."""
        return Port("", PortConfig(cable_length_m=self.cable_length_m), where, hardware=Hardware(module=self.module))


def read_module(capture: Capture, call: Call) -> Events:
    """Yield the module of `ethtool -m`: its names, its length or reach, its temperature, and its weakest lane."""
    plugged, lines = parse_module(capture)
    yield from (mark_modelled(index) if is_kept else mark_not_modelled(index) for index, is_kept in lines.items())
    yield PortFact(call.subject, plugged.describe(capture.where(0)), Strength.NIC)


def parse_module(capture: Capture) -> tuple[PluggedIn, Mapping[int, bool]]:
    """Return the module of `ethtool -m`, and whether each field of the output is kept, by the index of its line."""
    fields: dict[str, Known[str]] = {}
    lanes: list[tuple[str, Where]] = []
    lines: dict[int, bool] = {}
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if match is None:
            continue
        name, where = match[1].strip().lower(), capture.where(index)
        power = _DBM.fullmatch(match[2]) if _POWER.fullmatch(name) else None
        lines[index] = bool(power) or (name not in fields and _is_read(name, match[2]))
        if power:
            lanes.append((power[1], where))
        elif lines[index] or name == _VOLTAGE:
            fields.setdefault(name, Known(match[2], Origin.LEARNED, where))
    return _describe_ethtool(fields, lanes), lines


def _is_read(name: str, value: str) -> bool:
    is_length = name in _CABLE_LENGTHS or _REACH.fullmatch(name) is not None
    return name in _READ or (is_length and optics.measure_length(value) is not None)


def _describe_ethtool(fields: Mapping[str, Known[str]], lanes: list[tuple[str, Where]]) -> PluggedIn:
    form, connector = (_parse_code(fields.get(name)) for name in ("identifier", "connector"))
    reach = None if connector and connector[0] in _FIXED - {_UNSPECIFIED} else _find_reach(fields)
    cable: Setting[float] = NOT_COLLECTED
    if connector is None or connector[0] in _FIXED:
        lengths = (_find_length(fields, name) for name in _CABLE_LENGTHS)
        cable = next((length for length in lengths if isinstance(length, Known)), cable)
    is_cable = isinstance(cable, Known)
    is_measured = not _is_zero(fields.get(_VOLTAGE))
    warmth = fields.get("module temperature")
    module = Module(
        kind=_name_kind(form, None if is_cable or reach is None else reach[0], fields.get("identifier")),
        vendor=_find_word(fields, "vendor name"),
        part_number=_find_word(fields, "vendor pn"),
        serial=_find_word(fields, "vendor sn"),
        length_m=cable if is_cable or reach is None else reach[1],
        temperature_c=_measure_warmth(warmth) if is_measured else NOT_COLLECTED,
        rx_power_dbm=optics.find_weakest(lanes) if is_measured else NOT_COLLECTED,
    )
    return PluggedIn(module, cable)


def _parse_code(found: Known[str] | None) -> tuple[int, str] | None:
    match = _CODED.fullmatch(found.value.strip()) if found else None
    return (int(match[1], 16), match[2]) if match else None


def _name_kind(form: tuple[int, str] | None, fibre: str | None, found: Known[str] | None) -> Setting[str]:
    if form is None or found is None or form[0] == _UNSPECIFIED:
        return NOT_COLLECTED
    return Known(f"{form[1]} over {fibre}" if fibre else form[1], found.origin, found.where)


def _find_reach(fields: Mapping[str, Known[str]]) -> tuple[str, Known[float]] | None:
    """Return the fibre over which the module reaches farthest, and how far; None for no fibre."""
    found: list[tuple[str, Known[float]]] = []
    for name in fields:
        match = _REACH.fullmatch(name)
        length = _find_length(fields, name) if match else NOT_COLLECTED
        if match and isinstance(length, Known):
            found.append((_FIBRES.get(match[1], match[1].upper()), length))
    return max(found, key=lambda each: each[1].value, default=None)


def _find_length(fields: Mapping[str, Known[str]], name: str) -> Setting[float]:
    found = fields.get(name)
    return optics.read_length(found.value, found.where) if found and found.where else NOT_COLLECTED


def _find_word(fields: Mapping[str, Known[str]], name: str) -> Setting[str]:
    found = fields.get(name)
    return optics.read_word(found.value, found.where) if found and found.where else NOT_COLLECTED


def _measure_warmth(found: Known[str] | None) -> Setting[float]:
    return optics.read_temperature(found.value, found.where) if found and found.where else NOT_COLLECTED


def _is_zero(found: Known[str] | None) -> bool:
    """Whether a module measures no voltage: one that is supplied and measures has some."""
    return found is not None and re.match(r"0(?:\.0{1,6})?(?![\d.])", found.value) is not None


def describe_mlxlink(fields: Mapping[str, Known[str]]) -> PluggedIn:
    """Return the module out of the *fields* of `mlxlink -m`.

    The transfer distance is the length of a cable; of a transceiver it does not say over which fibre.
    """
    kind = fields.get("Cable Type")
    is_cable = kind is not None and kind.value.lower().startswith(_CABLES)
    is_copper = kind is not None and kind.value.lower().startswith("passive copper")
    is_measured = not is_copper and not _is_zero(fields.get("Voltage [mV]"))
    distance = fields.get("Transfer Distance [m]")
    cable: Setting[float] = NOT_COLLECTED
    if is_cable and distance and distance.where:
        cable = optics.read_length(f"{distance.value} m", distance.where)
    warmth, power = (_find_values(fields, name) for name in ("Temperature [C]", "Rx Power Current [dBm]"))
    module = Module(
        kind=_find_word(fields, "Identifier"),
        vendor=_find_word(fields, "Vendor Name"),
        part_number=_find_word(fields, "Vendor Part Number"),
        serial=_find_word(fields, "Vendor Serial Number"),
        length_m=cable,
        temperature_c=next((optics.read_temperature(f"{each} C", where) for each, where in warmth), NOT_COLLECTED)
        if is_measured
        else NOT_COLLECTED,
        rx_power_dbm=optics.find_weakest(power) if is_measured else NOT_COLLECTED,
    )
    return PluggedIn(module, cable)


def _find_values(fields: Mapping[str, Known[str]], name: str) -> list[tuple[str, Where]]:
    """Return the values of the field *name*, of which each lane has one, without the range behind them."""
    found = fields.get(name)
    match = _LISTED.fullmatch(found.value) if found else None
    return [(each, found.where) for each in match[1].split(",")] if match and found and found.where else []


def is_told(plugged: PluggedIn) -> bool:
    """Whether anything is known of the module."""
    return any(value_of(getattr(plugged.module, name)) is not None for name in ("kind", "part_number", "serial"))


COMMANDS = (
    Command(
        "ethtool -m[ {netdev}]",
        r"ethtool (?:-m|--dump-module-eeprom|--module-info) {netdev}",
        read_module,
        (),
        r"^[^\S\n]*Identifier\s+: 0x[0-9a-f]{2} \(",
        "length of a cable with fixed ends; part, temperature and received power of the module",
        fetch=(Fetch(("ethtool -m {netdev}",), "module or cable", NETDEV, is_root=True),),
    ),
)
