"""Drift for people: unexplained changes first, those that are everywhere at the top."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from auditor.engine.drift.model import Change, Drift, Moment
from auditor.report.causes import fold_ports
from auditor.report.markup import escape_markup
from auditor.report.presentation import clean_text
from auditor.report.quote import join_port_names
from auditor.util.natsort import natural
from auditor.util.printable import printable

WIDTH = 100
MOST_SETTINGS = 4
"""Settings of one change that are spelled out."""
MOST_DEVICES = 6
_INDENT = "    "


def sort_changes(drift: Drift) -> list[Change]:
    """Return the changes in the order in which people read: unexplained, everywhere, many places, the oldest."""
    at = {moment: number for number, moment in enumerate(drift.moments)}
    return sorted(
        drift.changes,
        key=lambda c: (
            bool(c.explained_by),
            c.reverted is not None,
            not c.is_everywhere,
            -len(c.devices),
            at[c.seen],
            [natural(device) for device in c.devices],
            c.settings[0].path,
        ),
    )


def render(drift: Drift) -> str:
    """Return the drift as text."""
    lines = [*_list_head(drift)]
    for title, changes in _group(drift):
        lines += ["", f"{title} ({len(changes)})"]
        for change in changes:
            lines += list_change(change)
    lines += _list_unseen(drift)
    return "".join(f"{printable(line)}\n" for line in lines)


def render_markdown(drift: Drift) -> str:
    """Return the drift as Markdown: a table of changes."""
    first, last = drift.moments[0], drift.moments[-1]
    lines = [
        f"# Drift from {escape_markup(name_moment(first))} to {escape_markup(name_moment(last))}",
        "",
        _count(drift),
    ]
    for title, changes in _group(drift):
        lines += ["", f"## {title[:1].upper()}{title[1:]}", "", "| where | what | first seen | explained by | rules |"]
        lines.append("| --- | --- | --- | --- | --- |")
        for change in changes:
            cells = (
                describe_places(change),
                "; ".join(_list_settings(change)),
                f"{name_moment(change.seen)}{_name_revert(change)}",
                change.explained_by,
                " ".join(change.rules),
            )
            lines.append(f"| {' | '.join(escape_markup(cell) for cell in cells)} |")
    lines += [f"\n{escape_markup(line.strip())}" for line in _list_unseen(drift) if line]
    return "\n".join(lines) + "\n"


def _list_head(drift: Drift) -> Iterator[str]:
    first, last = drift.moments[0], drift.moments[-1]
    yield f"drift from {name_moment(first)} to {name_moment(last)}"
    yield _count(drift)


def _count(drift: Drift) -> str:
    count = len(drift.changes)
    changes = f"{count} change{'' if count == 1 else 's'}, {len(drift.unexplained)} unexplained"
    return f"{changes}; {len(drift.moments)} captures, {drift.devices} device{'' if drift.devices == 1 else 's'}"


def _group(drift: Drift) -> Iterator[tuple[str, Sequence[Change]]]:
    changes = sort_changes(drift)
    titles = ("unexplained", "unexplained, and taken back", "explained")
    for title in titles:
        found = [change for change in changes if _name_group(change) == title]
        if found:
            yield title, found


def _name_group(change: Change) -> str:
    if change.explained_by:
        return "explained"
    return "unexplained, and taken back" if change.reverted else "unexplained"


def list_change(change: Change) -> Iterator[str]:
    """Yield the lines of a change, where it stands first."""
    where = f"everywhere: {describe_places(change)}" if change.is_everywhere else describe_places(change)
    yield from wrap(where, WIDTH, initial_indent="  ", subsequent_indent=_INDENT, break_on_hyphens=False)
    for text in _list_settings(change):
        yield from wrap(text, WIDTH, initial_indent=_INDENT, subsequent_indent=f"{_INDENT}  ", break_on_hyphens=False)
    notes = [f"first seen {name_moment(change.seen)}{_name_revert(change)}"]
    notes += [f"explained by {clean_text(change.explained_by)}"] if change.explained_by else []
    notes += [f"found by {', '.join(change.rules)}"] if change.rules else []
    yield f"{_INDENT}{'; '.join(notes)}"
    proof = next((s.after for s in change.settings if s.after.file), None)
    if proof:
        yield f"{_INDENT}--> {clean_text(proof.file or '')}:{proof.line}"


def _list_settings(change: Change) -> Iterator[str]:
    for each in change.settings[:MOST_SETTINGS]:
        yield f"{clean_text(each.path)}: {clean_text(each.before.text)} -> {clean_text(each.after.text)}"
    left = len(change.settings) - MOST_SETTINGS
    if left > 0:
        yield f"and {left} more settings"


def describe_places(change: Change) -> str:
    """Return devices and ports in short: the ports of one device, or how many ports of which devices."""
    devices = change.devices
    ports = [port for _, port in change.places if port]
    if len(devices) == 1:
        return clean_text(f"{devices[0]} {fold_ports(ports)}".rstrip())
    names = join_port_names(devices)
    if len(devices) > MOST_DEVICES and len(names) > WIDTH // 2:
        names = f"{len(devices)} devices ({devices[0]} to {devices[-1]})"
    return clean_text(f"{names}{f', {len(ports)} ports' if ports else ''}")


def name_moment(moment: Moment) -> str:
    """Return a capture by its day, and by its label where that is another."""
    if moment.time[:10] and moment.time[:10] != moment.label:
        return f"{moment.time[:10]} ({clean_text(moment.label)})"
    return clean_text(moment.label)


def _name_revert(change: Change) -> str:
    return f", taken back {name_moment(change.reverted)}" if change.reverted else ""


def _list_unseen(drift: Drift) -> Iterator[str]:
    if drift.unseen:
        yield ""
        yield f"not in the last capture ({len(drift.unseen)})"
        yield from (f"  {clean_text(name)}: last seen in {clean_text(label)}" for name, label in drift.unseen.items())
