"""Outputs of CloudEngine switches with the state of interfaces: in blocks, and in a table with a row for each."""

import re

from auditor.grammar.blocks import (
    BlockForm,
    learn_fec,
    learn_frame,
    learn_kind,
    learn_mac,
    learn_mtu,
    learn_one_way_pause,
    learn_pause,
    learn_speed,
    learn_state,
)
from auditor.grammar.operational import OperationalPort, Ports
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.util.regex import regex

RATES = {f"{gbps}GE": float(gbps) for gbps in (10, 25, 40, 50, 100, 200, 400, 800)}
OTHER_KINDS = ("XGE", "GE", "XGigabitEthernet", "GigabitEthernet", "MultiGE")
PORT = regex(rf"(?P<kind>{'|'.join((*RATES, *OTHER_KINDS))})\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
BLOCK_SIGN = regex(r"^[^\S\n]*\S+ current state : (?:UP|DOWN|Administratively DOWN)", re.MULTILINE)
BLOCKS = BlockForm(
    head=regex(r"(?P<port>(?!Line )\S+) current state ?: (?P<state>.+)"),
    port=PORT,
    details=(
        (regex(r"\A(?!Line )\S+ current state ?: (?P<state>.+)"), learn_state),
        (regex(r"\bSpeed ?: *(?P<speed>\d{1,7}[GM]?)\b"), learn_speed),
        (regex(r"(?<!put )\bFlow-control ?: *(?P<pause>ENABLE|DISABLE)\b"), learn_pause),
        *(
            (regex(rf"\b(?P<side>{side}) Flow-control ?: *(?P<pause>ENABLE|DISABLE)\b"), learn_one_way_pause)
            for side in ("Input", "Output")
        ),
        (regex(r"\bFec ?: *(?P<fec>[A-Za-z][\w-]*)"), learn_fec),
        (regex(r"\bThe Maximum Frame Length is (?P<bytes>\d{2,6})"), learn_frame),
        (regex(r"\bThe Maximum Transmit Unit is (?P<bytes>\d{2,6})"), learn_mtu),
        (regex(r"\bHardware address is (?P<mac>[0-9a-f]{4}(?:-[0-9a-f]{4}){2})", re.IGNORECASE), learn_mac),
        (regex(r"\bLink-type ?: *(?P<kind>access|trunk|hybrid)\b"), learn_kind),
    ),
    side=regex(r"(?:Input|Output) ?:"),
    counts={
        "pause_frames": regex(r"\bPause: *(?P<count>\d+|-+)"),
        "crc_errors_phy": regex(r"\bCRC: *(?P<count>\d+|-+)"),
        "oversize": regex(r"\bGiants: *(?P<count>\d+|-+)"),
    },
)
"""`display interface`; what the counters mean is in the CloudEngine CE6800 V300R023 Command Reference."""
BRIEF_SIGN = regex(r"^[^\S\n]*Interface +PHY +Protocol +InUti", re.MULTILINE)
_ROW = regex(r"(?P<port>\S+?)(?:\(\w+\))?\s+(?P<state>[*^!#]?(?:up|down))\b.*")


def read_brief(capture: Capture, ports: Ports) -> list[LineState]:
    """Read `display interface brief`; a star marks a port that was shut down."""
    states = []
    for index, line in enumerate(capture.lines):
        row, where = _ROW.fullmatch(line.strip()), capture.where(index)
        states.append(LineState.MODELLED if row else LineState.IGNORED)
        if row and PORT.match(row["port"]):
            port = ports.setdefault(row["port"], OperationalPort(where))
            port.enabled = Known(row["state"] != "*down", Origin.LEARNED, where)
    return states
