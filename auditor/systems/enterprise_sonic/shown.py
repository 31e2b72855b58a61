"""Commands whose output is read: how it is told, and what reads it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from auditor.systems.enterprise_sonic.output import Read
from auditor.systems.enterprise_sonic.shown_policies import buffers, qos_maps, scheduler, wred
from auditor.systems.enterprise_sonic.shown_ports import interface, status, version, watchdog


@dataclass(frozen=True, slots=True)
class Shows:
    """How a command's output is read, what only it contains, and the tables of which it shows all entries."""

    read: Read
    content: re.Pattern[str]
    tables: tuple[str, ...] = ()


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


SHOWS: Mapping[str, Shows] = {
    "show qos wred-policy": Shows(
        wred, _lines(r"^(?:Policy|Profile) +: +\S+\n(?:-+\n)?(?:ecn|green|yellow|red)\b"), ("WRED_PROFILE",)
    ),
    "show qos scheduler-policy": Shows(scheduler, _lines(r"^ *Scheduler Policy: \S+"), ("SCHEDULER",)),
    "show qos map": Shows(qos_maps, _lines(r"^ *(?:DSCP-TC|DOT1P-TC|TC-(?:Q|Queue|PG|DSCP|DOT1P)|PFC-P\S*)-MAP: \S+")),
    "show qos interface": Shows(interface, _lines(r"^ *dscp-tc-map: ")),
    "show priority-flow-control watchdog": Shows(watchdog, _lines(r"^Watchdog Summary$")),
    "show qos priority-flow-control": Shows(watchdog, _lines(r"(?!)")),
    "show buffer pool": Shows(buffers, _lines(r"^Pool \S+:$"), ("BUFFER_POOL",)),
    "show buffer profile": Shows(buffers, _lines(r"^Profile \S+:$"), ("BUFFER_PROFILE",)),
    "show interface status": Shows(status, _lines(r"^Name +Description +.*Speed +MTU")),
    "show version": Shows(version, _lines(r"^Product *: *'?Enterprise SONiC|^Software Version *: '?[\w.-]*Enterprise")),
}
"""Commands whose output is read; the longer name stands before the shorter that begins it."""
