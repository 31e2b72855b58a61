"""Options of `roce-audit estimate`: the settings of a link, with units."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from auditor.cli.common import parse_count, parse_file
from auditor.engine.errors import CannotAudit
from auditor.estimate import units

_SWITCH: Mapping[str, bool] = {"on": True, "off": False}
SEEDS = 8
"""Random starts of a simulated row."""
PAUSES = ("on", "off", "ignored", "not-sent", "other-priority")
VALUES: Mapping[str, tuple[Callable[[str], float], str, str]] = {
    "cable_m": (units.length_m, "40m", "length of each cable (default: typical lengths)"),
    "incast": (units.count, "8", "number of simultaneous senders to one receiver (default: assumed)"),
    "message_bytes": (units.size_bytes, "4MB", "bytes that each sender sends (default: assumed)"),
    "headroom_bytes": (
        units.size_bytes,
        "90KB",
        "headroom of a priority at a port (default: sufficient, sized by the switch)",
    ),
    "buffer_bytes": (
        units.size_bytes,
        "60MB",
        "buffer that the queues of the class share (default: from --asic, else assumed)",
    ),
    "alpha": (units.number, "1/8", "dynamic threshold of a queue as a part of the free buffer (default: assumed)"),
    "response_s": (units.duration_s, "1us", "time until the peer obeys PAUSE (default: assumed)"),
}
"""Options for values of the link by field: parser, example, help."""
COMPARED = ("all_reduce", "ranks")
"""Options of the comparison of a link."""
SETTINGS = ("speed", "format", "asic", "pfc", "ecn", "dcqcn", "mtu", "exposed", "plot", "compare", *COMPARED, *VALUES)


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Add the options; an omitted option stays None."""
    link = parser.add_argument_group("one link", "omitted values are assumed, and the report lists each assumption")
    link.add_argument(
        "--speed",
        type=_make_reader(units.speed_gbps),
        metavar="400G",
        help="line rate of all links (required without --scenarios)",
    )
    for name, (read, example, text) in VALUES.items():
        option = "--" + name.rpartition("_")[0] if "_" in name else f"--{name}"
        link.add_argument(option, type=_make_reader(read), metavar=example, dest=name, help=text)
    link.add_argument("--asic", metavar="NAME", help="name or part number of the switch's ASIC (default: unknown)")
    link.add_argument(
        "--mtu", type=_make_reader(units.count), metavar="4096", help="payload of a packet in bytes (default: 4096)"
    )
    link.add_argument("--pfc", choices=PAUSES, help="state of PFC; off makes the class lossy (default: on)")
    link.add_argument(
        "--ecn",
        type=_make_reader(units.curve),
        metavar="KMIN,KMAX,PMAX",
        help="ECN marking curve, or off (default: off)",
    )
    link.add_argument("--dcqcn", choices=tuple(_SWITCH), help="DCQCN of the senders (default: on)")
    link.add_argument(
        "--plot",
        action="store_const",
        const=True,
        help="with --simulate, draw queue, pauses, drops and goodput over time",
    )
    exposed = "share of a training step spent on exposed communication (default: 20%%)"
    link.add_argument(
        "--compare",
        action="store_const",
        const=True,
        help="set the link beside itself with its faults fixed, and beside an ideal lossless link",
    )
    link.add_argument(
        "--all-reduce",
        type=_make_reader(units.size_bytes),
        metavar="1GB",
        help="size of the all-reduce that --compare times (default: 1GB)",
    )
    link.add_argument(
        "--ranks", type=_make_reader(units.count), metavar="64", help="ranks of that all-reduce (default: 64)"
    )
    link.add_argument("--exposed", type=_make_reader(units.fraction), metavar="20%", help=exposed)
    batch = parser.add_argument_group("a table of scenarios")
    batch.add_argument("--scenarios", metavar="FILE.csv", help="estimate each row of FILE.csv; - for standard input")
    batch.add_argument(
        "--measured",
        metavar="FILE.yaml",
        help="compare measured values in FILE.yaml with the estimates of their scenarios",
    )
    simulation = parser.add_argument_group("simulation")
    simulation.add_argument(
        "--simulate", action="store_true", help="simulate packet by packet (default: closed forms; needs numba)"
    )
    simulation.add_argument(
        "--seeds",
        type=parse_count,
        metavar="N",
        help=f"number of random starts for each simulated row or link (default: {SEEDS} for a row, 16 for a link)",
    )
    simulation.add_argument(
        "--jobs", type=parse_count, metavar="N", help="number of worker processes (default: one for each core)"
    )
    parser.add_argument(
        "--format", choices=("terminal", "json", "html"), help="output format for one link (default: terminal)"
    )
    parser.add_argument("--output", type=parse_file, metavar="FILE", help="write to FILE instead of standard output")


def check_simulation(arguments: argparse.Namespace) -> None:
    """Raise CannotAudit for options of the simulation without it."""
    for name in () if arguments.simulate else ("seeds", "jobs", "plot"):
        if getattr(arguments, name) is not None:
            raise CannotAudit(f"--{name}: needs --simulate; add --simulate or remove --{name}")
    for name in () if arguments.compare else COMPARED:
        if getattr(arguments, name) is not None:
            option = name.replace("_", "-")
            raise CannotAudit(f"--{option}: needs --compare; add --compare or remove --{option}")


def collect_values(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments of `auditor.estimate.whatif.link`."""
    settings = {
        "asic": arguments.asic,
        "pause": arguments.pfc,
        "ecn": arguments.ecn or None,
        "dcqcn": _SWITCH.get(arguments.dcqcn),
        "mtu_bytes": arguments.mtu,
    }
    values = {name: getattr(arguments, name) for name in VALUES}
    return {name: value for name, value in settings.items() if value is not None} | {"values": values}


def _make_reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return *read* with its ValueError turned into an error that argparse prints whole."""

    def parse(text: str) -> Any:  # noqa: ANN401  the type that *read* returns
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse
