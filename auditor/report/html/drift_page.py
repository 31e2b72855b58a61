"""The page of `drift`: what changed between captures, unexplained changes first."""

from collections.abc import Sequence

from auditor.report.causes import fold_ports
from auditor.report.drift_json import ChangeView, DriftView, MomentView
from auditor.report.html.frame import Head, render_page
from auditor.report.quote import join_port_names
from auditor.util.values import dataclass

MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change with its places and moments in words."""

    view: ChangeView
    where: str
    seen: str
    reverted: str


def render(view: DriftView) -> str:
    """Return the drift as one HTML page."""
    groups = [
        ("Unexplained", [c for c in view.changes if not c.explained_by and not c.reverted]),
        ("Unexplained, and taken back", [c for c in view.changes if not c.explained_by and c.reverted]),
        ("Explained", [c for c in view.changes if c.explained_by]),
    ]
    shown = [(title, [_show(each) for each in changes]) for title, changes in groups if changes]
    open_count = len(groups[0][1])
    verdict = (
        f"{open_count} unexplained {'change' if open_count == 1 else 'changes'}"
        if open_count
        else "No unexplained change"
    )
    facts = [
        ("From", _name(view.captures[0])),
        ("To", _name(view.captures[-1])),
        ("Captures", f"{len(view.captures)}, the last one of {view.devices} devices"),
        ("Changes", str(len(view.changes))),
    ]
    level = "warning" if open_count or view.unseen else ""
    return render_page("drift.html", title="Drift", head=Head(verdict, level, facts), groups=shown, view=view)


def _show(change: ChangeView) -> ShownChange:
    reverted = f"taken back {_name(change.reverted)}" if change.reverted else ""
    return ShownChange(change, _describe(change), _name(change.first_seen), reverted)


def _describe(change: ChangeView) -> str:
    devices = list(dict.fromkeys(place.device for place in change.places))
    ports = [place.port for place in change.places if place.port]
    everywhere = "everywhere: " if change.everywhere else ""
    if len(devices) == 1:
        return f"{everywhere}{devices[0]} {fold_ports(ports) if ports else ''}".rstrip()
    return f"{everywhere}{_name_devices(devices)}{f', {len(ports)} ports' if ports else ''}"


def _name_devices(devices: Sequence[str]) -> str:
    names = join_port_names(devices)
    return names if len(devices) <= MOST_NAMES else f"{len(devices)} devices ({devices[0]} to {devices[-1]})"


def _name(moment: MomentView) -> str:
    day = (moment.time or "")[:10]
    return f"{day} ({moment.label})" if day and day != moment.label else moment.label
