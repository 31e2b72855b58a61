"""Modules of EOS: the table of transceivers in `show inventory`, and what `show interfaces transceiver` measures."""

import re
from collections import Counter
from itertools import pairwise

from auditor.grammar import optics
from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.hardware import Module
from auditor.model.setting import NOT_COLLECTED, Where
from auditor.systems.eos.names import PORT, complete_name
from auditor.util.regex import regex

_HEAD = regex(r"\s*Port\s+Manufacturer\s+Model\s+Serial Number\s+Rev\s*")
_RULE = regex(r"[\s-]+")
_SLOT = regex(r"\d{1,3}(?:/\d{1,3})?")
_ROW = regex(
    r"(?P<port>Et\d\S*)\s+(?P<warmth>\S+)\s+(?P<volts>\S+)\s+(?P<bias>\S+)\s+(?P<sent>\S+)\s+(?P<power>\S+)\s+\S.*"
)
_MEASURED = regex(r"Port\s+\(Celsius\)\s+\(Volts\)\s+\(mA\)\s+\(dBm\)\s+\(dBm\).*")


def _find_port(ports: Ports, name: str, where: Where) -> OperationalPort | None:
    return ports.setdefault(name, OperationalPort(where)) if PORT.match(name) else None


def read_inventory(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show inventory`: a row for each cage, below a rule that tells the columns."""
    states = []
    is_below, columns = False, list[int]()
    for index, line in enumerate(capture.lines):
        head = _HEAD.fullmatch(line)
        if head or not line.strip():
            is_below, columns = head is not None, []
        elif is_below and not columns and "--" in line and _RULE.fullmatch(line):
            columns = [match.start() for match in re.finditer(r"-+", line)]
        is_row = bool(columns) and _read_row(line, columns, ports, capture.where(index))
        states.append(LineState.MODELLED if is_row else LineState.IGNORED)
    return states


def _read_row(line: str, columns: list[int], ports: Ports, where: Where) -> bool:
    cells = [line[begin:end].strip() for begin, end in pairwise([*columns, len(line) + 1])]
    if len(cells) < 4 or not _SLOT.fullmatch(cells[0]) or not cells[2]:  # noqa: PLR2004  slot, maker, model, serial
        return False
    port = _find_port(ports, f"Ethernet{cells[0]}", where)
    if port is None:
        return False
    vendor, part, serial = (optics.read_word(cell, where) for cell in cells[1:4])
    port.module = optics.merge_modules(Module(vendor=vendor, part_number=part, serial=serial), port.module)
    return True


def read_measured(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `show interfaces transceiver`: a row for each lane, whose temperature is that of the module.

    Of a module with several rows the received power is left out: each row may be a port, or a lane of the first one.
    """
    states = []
    matches = [_ROW.fullmatch(line.strip()) for line in capture.lines]
    names = [complete_name(match["port"]) if match else "" for match in matches]
    rows = Counter(name.rpartition("/")[0] for name in names if "/" in name)
    is_below = False
    for index, (line, match, name) in enumerate(zip(capture.lines, matches, names, strict=True)):
        is_below = is_below or _MEASURED.fullmatch(line.strip()) is not None
        where = capture.where(index)
        port = _find_port(ports, name, where) if match and is_below else None
        states.append(LineState.MODELLED if port else LineState.IGNORED)
        if port and match:
            is_alone = rows[name.rpartition("/")[0]] < 2  # noqa: PLR2004  itself
            module = Module(
                temperature_c=optics.read_temperature(f"{match['warmth']} C", where),
                rx_power_dbm=optics.find_weakest([(match["power"], where)]) if is_alone else NOT_COLLECTED,
            )
            port.module = optics.merge_modules(module, port.module)
    return states
