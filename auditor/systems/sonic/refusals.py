"""What a SONiC switch refused: lines of its log, and replies to commands."""

import re
from collections.abc import Iterator, Mapping, Sequence

from auditor.model.dump import Capture, LineState
from auditor.model.finding import Related
from auditor.model.rows import RowFault
from auditor.model.setting import Where
from auditor.systems.sonic.operation import Operation, SwitchRefusal
from auditor.systems.sonic.rows import Row, RowEntry
from auditor.util.regex import regex
from auditor.util.values import dataclass

_NAME = r"[\w.|:-]{1,120}"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A line of a log: what it looks like, the table of the row that it names, and the message in words."""

    sign: re.Pattern[str]
    table: str
    message: str


_PATTERNS = (
    _Pattern(
        regex(
            rf"Unable to create/update PG profile for port (?P<key>{_NAME})\. No PG profile configured for "
            r"speed (?P<speed>\d{1,8}) and cable length (?P<cable>\d{1,6}m)"
        ),
        "PORT",
        "{key} gets no lossless PG profile: pg_profile_lookup.ini has no line for speed {speed} and cable {cable}",
    ),
    _Pattern(
        regex(rf"Failed to create buffer profile (?P<key>{_NAME}) with type \S{{1,64}}, rv:(?P<status>-?\d{{1,12}})"),
        "BUFFER_PROFILE",
        "the chip refuses BUFFER_PROFILE {key} (SAI status {status}) for its size, xon, xoff or threshold",
    ),
    _Pattern(
        regex(rf"malformed index range in:(?P<key>{_NAME})\."),
        "",
        "orchagent drops a row of queues or priority groups: its key has the range {key}",
    ),
)
"""Messages of sonic-net/sonic-swss: cfgmgr/buffermgr.cpp, orchagent/bufferorch.cpp, orchagent/orch.cpp."""
_DAEMON = regex(r"\b(?:ERR|WARNING|NOTICE) (?:swss\d{0,2}#)?(?:orchagent|buffermgrd): ")
LOG_SIGN = regex(_DAEMON.pattern, re.MULTILINE)
_PFC_SAID = regex(r"(?:sudo )?(?:config interface pfc priority|pfc config priority (?:on|off)) .*")
_NOT_FOUND = regex(rf"Cannot find interface (?P<key>{_NAME})")


def parse_log(capture: Capture, found: Operation) -> list[LineState]:
    """Read the lines of a log in which a daemon says that it does not take a row."""
    states = []
    found.logged = True
    for index, line in enumerate(capture.lines):
        refused = next(_find_refusals(line, capture.where(index)), None)
        states.append(LineState.MODELLED if refused else LineState.IGNORED)
        if refused:
            found.refusals.setdefault((refused.table, refused.key, refused.message), refused)
    return states


def _find_refusals(line: str, where: Where) -> Iterator[SwitchRefusal]:
    if _DAEMON.search(line):
        for pattern in _PATTERNS:
            match = pattern.sign.search(line)
            if match:
                yield SwitchRefusal(pattern.table, match["key"], pattern.message.format(**match.groupdict()), where)


def parse_pfc_reply(capture: Capture, found: Operation) -> list[LineState]:
    """Read the reply to `config interface pfc priority`, which looks for the port in PORT_QOS_MAP alone.

    Source: sonic-net/sonic-utilities, pfc/main.py, configPfcPrio.
    """
    states = []
    found.logged = True
    for index, line in enumerate(capture.lines):
        match = _NOT_FOUND.fullmatch(line.strip())
        states.append(LineState.MODELLED if match else LineState.IGNORED)
        if match and _PFC_SAID.fullmatch(capture.command):
            message = f"PFC is not set on {match['key']}: the port has no row in PORT_QOS_MAP"
            found.refusals.setdefault(
                ("", match["key"], message), SwitchRefusal("", match["key"], message, capture.where(index))
            )
    return states


def list_refusals(operation: Operation, rows: Mapping[str, Sequence[Row]]) -> Iterator[RowFault]:
    """Yield what the switch refused: at the row where the dumps hold the row, else at the line of the log."""
    for refusal in operation.refusals.values():
        own = tuple(row for row in rows.get(refusal.table, ()) if row.key == refusal.key)
        key = f"{refusal.table}|{refusal.key}"
        if not own or refusal.table == "PORT":
            yield RowFault(f"{key} {refusal.message}", refusal.message, refusal.where)
            continue
        entry = RowEntry(own)
        values = ", ".join(f"{name} {text[:40]}" for name, text in entry.texts().items())
        related = (Related("the log says so here", refusal.where),)
        yield RowFault(key, f"{refusal.message}: {values}", entry.where, related=related)
