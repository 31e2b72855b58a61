"""The PFC watchdog as it runs, which `show controllers … priority-flow-control` prints of each port."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from auditor.grammar.thresholds import fill_setting
from auditor.model.dump import Capture
from auditor.model.port import Port, Watchdog
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting
from auditor.systems.iosxr.names import complete_name
from auditor.util.regex import regex

_HEAD = regex(r"(?:Operational data|Priority flow control information) for interface (?P<port>\S{1,60}?):?\s*\Z")
DEFAULTS_OUTPUT = (
    "https://github.com/CiscoTestAutomation/genieparser/blob/main/src/genie/libs/parser/iosxr/tests/"
    "ShowControllersInterface/cli/equal/golden_output_output.txt"
)
"""An output of ports of 400 Gb/s that marks what is in effect by default; it does not name the router."""
DEFAULT_INTERVAL_MS, DEFAULT_SHUTDOWN, DEFAULT_RESTART = 100, 1, 10
"""The interval of the watchdog, and how many of them it waits until it acts, and until it restores a queue."""
ROW = regex(
    r"(?P<what>PFC watchdog state|Poll interval|Shutdown multiplier|Auto-restore multiplier)\s*:"
    r"\s+\S+\s+\S+\s+(?P<value>Enabled|Disabled|\d{1,5})(?:\(D\))?\Z"
)
"""The last column is in effect, and the two before it are configured: for the whole switch, and for the port."""
Watchdogs = dict[str, Watchdog]
"""The watchdogs that outputs show, by port."""


def read_watchdogs(captures: Iterable[Capture]) -> Watchdogs:
    """Return the watchdog of each port as it runs; its times count its polls."""
    found: dict[str, dict[str, Known[str]]] = {}
    for capture in captures:
        name = ""
        for index, line in enumerate(capture.lines):
            text = line.strip()
            head, row = _HEAD.match(text), ROW.match(text)
            name = complete_name(head["port"]) if head else name
            if row and name:
                found.setdefault(name, {})[row["what"]] = Known(row["value"], Origin.LEARNED, capture.where(index))
    return {name: _build_watchdog(rows) for name, rows in found.items()}


def _build_watchdog(rows: dict[str, Known[str]]) -> Watchdog:
    state, poll = rows.get("PFC watchdog state"), rows.get("Poll interval")
    return Watchdog(
        enabled=Known(state.value == "Enabled", state.origin, state.where) if state else NOT_COLLECTED,
        polling_ms=Known(float(poll.value), poll.origin, poll.where) if poll else NOT_COLLECTED,
        detection_ms=_multiply(poll, rows.get("Shutdown multiplier")),
        restoration_ms=_multiply(poll, rows.get("Auto-restore multiplier")),
    )


def _multiply(poll: Known[str] | None, times: Known[str] | None) -> Setting[float]:
    if poll is None or times is None:
        return NOT_COLLECTED
    return Known(float(int(poll.value) * int(times.value)), times.origin, times.where)


def add_watchdogs(ports: Sequence[Port], learned: Watchdogs) -> tuple[Port, ...]:
    """Return *ports* with what outputs show of watchdogs and no line says."""
    return tuple(_add_watchdog(port, learned[port.name]) if port.name in learned else port for port in ports)


def _add_watchdog(port: Port, seen: Watchdog) -> Port:
    own = port.config.pfc.watchdog
    watchdog = replace(
        own,
        enabled=fill_setting(own.enabled, seen.enabled),
        detection_ms=fill_setting(own.detection_ms, seen.detection_ms),
        restoration_ms=fill_setting(own.restoration_ms, seen.restoration_ms),
        polling_ms=fill_setting(own.polling_ms, seen.polling_ms),
    )
    return replace(port, config=replace(port.config, pfc=replace(port.config.pfc, watchdog=watchdog)))
