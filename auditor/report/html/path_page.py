"""The page of `path`: each kind of packet hop by hop, and the findings at its ports."""

from collections.abc import Mapping, Sequence

from auditor.report.html.frame import Head, render_page
from auditor.report.path_json import HopView, PathView, TraceView
from auditor.report.quote import join_port_names
from auditor.util.natsort import natural
from auditor.util.values import dataclass

MEANT = "as meant"


@dataclass(frozen=True, slots=True)
class ShownHop:
    """Crossings of one hop that say the same: devices, ports, cells by column, and what is wrong in the last one."""

    hop: int
    devices: str
    arrives: str
    leaves: str
    cells: Sequence[str]
    state: str
    landing: str
    place: str


@dataclass(frozen=True, slots=True)
class ShownTrace:
    """One kind of packet from a NIC to another, with its verdict."""

    title: str
    state: str
    verdict: str
    job: str
    hops: Sequence[ShownHop]
    findings: Sequence[str]
    not_judged: Mapping[str, int]


COLUMNS = ("DSCP", "class", "priority", "queue", "no-drop", "pauses", "watchdog", "ECN", "served", "IP MTU")


def render(view: PathView) -> str:
    """Return the traces between two hosts as one HTML page."""
    traces = [_show_trace(each) for each in view.traces]
    levels = {level: sum(found.level == level for found in view.findings) for level in ("error", "warning")}
    wrong = sum(each.state == "error" for each in traces)
    verdict = (
        "As intended at every hop"
        if view.as_intended
        else "The path is not as intended"
        if wrong or levels["error"]
        else "Not known to be as intended"
    )
    level = "" if view.as_intended else "error" if wrong or levels["error"] else "warning"
    facts = [
        ("From", ", ".join(dict.fromkeys(each.start.device for each in view.traces))),
        ("To", ", ".join(dict.fromkeys(each.goal.device for each in view.traces))),
        ("Packets", f"{len(traces)} traces, {wrong} of them in a wrong class"),
    ]
    return render_page(
        "path.html",
        title="Path of packets",
        head=Head(verdict, level, facts, levels),
        traces=traces,
        view=view,
        columns=COLUMNS,
    )


def _show_trace(trace: TraceView) -> ShownTrace:
    off = next((hop for hop in trace.hops if hop.landing not in {None, MEANT}), None)
    unknown = next((hop for hop in trace.hops if hop.landing is None), None)
    if off:
        state, verdict = "error", f"departs from the intent at {off.at.device} {off.at.port}: {off.landing}"
    elif not trace.reaches_goal:
        state, verdict = "warning", f"no known way beyond {trace.hops[-1].at.device}"
    elif unknown:
        state, verdict = "warning", f"not known at {unknown.at.device} {unknown.at.port}: {unknown.why}"
    else:
        state, verdict = "same", "in the class of the intent at every hop"
    points = ", ".join(map(str, trace.dscp or ())) or "?"
    start, goal = (f"{end.device} {end.port}" for end in (trace.start, trace.goal))
    title = f"{trace.packet} (DSCP {points}): {start} to {goal}"
    job = f"{trace.job.name}: {trace.job.marking}; {trace.job.address}" if trace.job else ""
    alike: dict[tuple[object, ...], list[HopView]] = {}
    for hop in trace.hops:
        alike.setdefault((hop.hop, bool(hop.exits), _list_cells(hop), hop.landing), []).append(hop)
    return ShownTrace(
        title, state, verdict, job, [_show_hop(own) for own in alike.values()], trace.findings, trace.not_judged
    )


def _show_hop(hops: Sequence[HopView]) -> ShownHop:
    first = hops[0]
    arrive, leave = [hop.at.port for hop in hops], [end.port for hop in hops for end in hop.exits]
    landing = first.landing or f"not known: {first.why}"
    return ShownHop(
        hop=first.hop,
        devices=", ".join(sorted({hop.at.device for hop in hops}, key=natural)),
        arrives=_join(arrive) if first.hop else "",
        leaves=_join(leave if first.hop else arrive),
        cells=_list_cells(first),
        state="same" if first.landing == MEANT else "unknown" if first.landing is None else "error",
        landing=landing,
        place=f"{first.file}:{first.line}" if first.file and first.line else "",
    )


def _join(ports: Sequence[str]) -> str:
    return join_port_names(sorted(dict.fromkeys(ports), key=natural))


def _list_cells(hop: HopView) -> tuple[str, ...]:
    """Return the values of `COLUMNS`."""
    numbers = (hop.priority, hop.queue, hop.lossless, hop.pauses, hop.watchdog, hop.ecn)
    points = ", ".join(map(str, hop.dscp or ())) or "?"
    mtu = "?" if hop.ip_mtu_bytes is None else f"{hop.ip_mtu_bytes:,}"
    return (points, hop.traffic_class or "?", *map(_format, numbers), hop.scheduler or "?", mtu)


def _format(value: bool | int | None) -> str:
    return "?" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)
