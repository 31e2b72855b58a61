"""Interfaces as outputs show them in blocks: a line that names the interface, and what it does below."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from auditor.grammar.operational import OperationalPort, Ports, keep_count
from auditor.grammar.status import parse_speed
from auditor.model.dump import Capture, LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Known, Origin, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

Learn: TypeAlias = Callable[[OperationalPort, re.Match[str], Where], None]
"""Writes what a line of a block says."""
LONGEST_LINE = 400
_NO_SIDE = regex(r"(?!)")


@dataclass(frozen=True, slots=True)
class BlockForm:
    """How one system prints its interfaces.

    `head` has the group `port`; a head that `port` does not match is that of an interface which is no port. `details`
    match parts of the lines below, each with what it writes; a head may be one of them. `side` matches the head of the
    counters of one direction, which begins with `Input` or `Output`; `counts` match counters below, each with its group
    `count` and its name behind `rx_` or `tx_`.
    """

    head: re.Pattern[str]
    port: re.Pattern[str]
    details: tuple[tuple[re.Pattern[str], Learn], ...]
    side: re.Pattern[str] = _NO_SIDE
    counts: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    def read(self, capture: Capture, ports: Ports) -> list[LineState]:
        """Read the output."""
        states = []
        port: OperationalPort | None = None
        side = ""
        for index, line in enumerate(capture.lines):
            text, where = line.strip()[:LONGEST_LINE], capture.where(index)
            head = self.head.match(text)
            if head:
                is_port = self.port.match(head["port"])
                port = ports.setdefault(head["port"], OperationalPort(where)) if is_port else None
                side = ""
            elif self.side.match(text):
                side = "rx" if text.startswith("Input") else "tx"
            is_told = port is not None and (self._learn(port, text, where) | self._count(port, side, text, where))
            states.append(LineState.MODELLED if head or is_told else LineState.IGNORED)
        return states

    def _count(self, port: OperationalPort, side: str, text: str, where: Where) -> bool:
        """Keep the counters of a line; return whether it has one. A dash stands for what the port does not count."""
        found = [(name, match) for name, rx in self.counts.items() if side and (match := rx.search(text))]
        for name, match in found:
            keep_count(port.counters, f"{side}_{name}", match["count"], where)
        return bool(found)

    def _learn(self, port: OperationalPort, text: str, where: Where) -> bool:
        """Write what a line says of *port*; return whether it says anything."""
        found = [(match, learn) for rx, learn in self.details if (match := rx.search(text))]
        for match, learn in found:
            learn(port, match, where)
        return bool(found)


def _keep(port: OperationalPort, name: str, value: Any, where: Where) -> None:  # noqa: ANN401  of any setting
    setattr(port, name, Known(value, Origin.LEARNED, where))


_ON = frozenset({"enabled", "enable"})


def learn_state(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write whether a port was shut down; one that is merely down was not."""
    _keep(port, "enabled", "administratively" not in match["state"].lower(), where)


def learn_speed(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write the speed, in Mb/s where it has no unit."""
    port.speed_gbps = parse_speed(match["speed"], where)


def learn_pause(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write whether the port pauses and obeys pauses of the whole link."""
    is_on = match["pause"].lower() in _ON
    _keep(port, "pause_rx", is_on, where)
    _keep(port, "pause_tx", is_on, where)


def learn_one_way_pause(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write whether the port obeys pauses of the whole link (`Input`), or pauses (`Output`)."""
    name = "pause_rx" if match["side"] == "Input" else "pause_tx"
    _keep(port, name, match["pause"].lower() in _ON, where)


def learn_fec(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write the forward error correction that runs."""
    _keep(port, "fec", match["fec"].lower(), where)


def learn_frame(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write the longest frame."""
    _keep(port, "max_frame", int(match["bytes"]), where)


def learn_mtu(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write the MTU, which a routed port alone has."""
    _keep(port, "mtu", int(match["bytes"]), where)


def learn_mac(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write the address of the port, by octets."""
    digits = re.sub(r"[^0-9a-f]", "", match["mac"].lower())
    _keep(port, "mac", ":".join(digits[n : n + 2] for n in range(0, len(digits), 2)), where)


def learn_kind(port: OperationalPort, match: re.Match[str], where: Where) -> None:
    """Write that a port is switched, and whether it sends tags; a hybrid port may send both."""
    _keep(port, "forwarding", Forwarding.SWITCHED, where)
    if match["kind"].lower() in {"access", "trunk"}:
        _keep(port, "tagged", match["kind"].lower() == "trunk", where)
