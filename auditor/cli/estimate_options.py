"""Options of `roce-audit estimate`: what a user may know of a link, in units as people write them."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from auditor.estimate import units

_SWITCH: Mapping[str, bool] = {"on": True, "off": False}
PAUSES = ("on", "off", "ignored", "not-sent", "other-priority")
VALUES: Mapping[str, tuple[Callable[[str], float], str, str]] = {
    "cable_m": (units.length_m, "40m", "length of each cable"),
    "incast": (units.count, "8", "senders at once to one receiver"),
    "message_bytes": (units.size_bytes, "4MB", "what each of them sends"),
    "headroom_bytes": (
        units.size_bytes,
        "90KB",
        "headroom of port and priority (else: sized by the switch, and enough)",
    ),
    "buffer_bytes": (units.size_bytes, "60MB", "buffer that the class's queues may share"),
    "alpha": (units.number, "1/8", "dynamic threshold: a queue's part of what is free"),
    "response_s": (units.duration_s, "1us", "time until the peer obeys a PAUSE"),
}
"""Options that give a value of the link, by its field: how it is read, an example, what it is."""
SETTINGS = ("speed", "format", "asic", "pfc", "ecn", "dcqcn", "mtu", "exposed", *VALUES)


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Add the options; those that are not given stay None."""
    link = parser.add_argument_group("one link", "what is not given is assumed, and shown so")
    link.add_argument("--speed", type=_typed(units.speed_gbps), metavar="400G", help="line rate of all links")
    for name, (read, example, text) in VALUES.items():
        option = "--" + name.rpartition("_")[0] if "_" in name else f"--{name}"
        link.add_argument(option, type=_typed(read), metavar=example, dest=name, help=text)
    link.add_argument("--asic", metavar="NAME", help="the switch's ASIC or its part number, for the buffer")
    link.add_argument(
        "--mtu", type=_typed(units.count), metavar="4096", help="payload of a packet, bytes (default 4096)"
    )
    link.add_argument("--pfc", choices=PAUSES, help="what becomes of pauses; off: the class is lossy (default on)")
    link.add_argument(
        "--ecn", type=_typed(units.curve), metavar="KMIN,KMAX,PMAX", help="marking curve, or off (default)"
    )
    link.add_argument("--dcqcn", choices=tuple(_SWITCH), help="the senders' congestion control (default on)")
    exposed = "part of a step that is communication which nothing hides (default 20%%)"
    link.add_argument("--exposed", type=_typed(units.fraction), metavar="20%", help=exposed)
    batch = parser.add_argument_group("a table of scenarios")
    batch.add_argument("--scenarios", metavar="FILE.csv", help="answer each row; - for standard input")
    parser.add_argument("--format", choices=("terminal", "json"), help="of one link (default terminal)")
    parser.add_argument("--output", metavar="FILE", help="write there instead of standard output; - is that, too")


def link_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what the options say of a link, as `auditor.estimate.whatif.link` takes it."""
    said = {
        "asic": arguments.asic,
        "pause": arguments.pfc,
        "ecn": arguments.ecn or None,
        "dcqcn": _SWITCH.get(arguments.dcqcn),
        "mtu_bytes": arguments.mtu,
    }
    values = {name: getattr(arguments, name) for name in VALUES}
    return {name: value for name, value in said.items() if value is not None} | {"values": values}


def _typed(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return what reads an option's text and tells a user's error so that argparse shows it whole."""

    def typed(text: str) -> Any:  # noqa: ANN401  the type of what it reads
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return typed
