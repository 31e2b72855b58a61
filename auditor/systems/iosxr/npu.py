"""`show controllers npu priority-flow-control`: the profile of PFC as each location runs it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from auditor.grammar.operational import Ports
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.systems.iosxr.buffers import PauseBuffer, PauseProfile
from auditor.systems.iosxr.units import SIZE_UNITS, make_threshold
from auditor.util.regex import regex

LOCATION = regex(r"Location I[dD]\s*:\s*(?P<location>\d{1,2}/\w{1,6}/CPU\d)\s*\Z")
_MODE = regex(r"PFC[ -]Mode\s*:\s*(?P<mode>buffer-\w+)")
_STATE = regex(r"PFC\s*:\s*(?:Enabled|Disabled)\b")
_CELL = rf"(?:(?P<{{0}}>\d{{{{1,12}}}}) (?P<{{0}}_unit>{SIZE_UNITS})|Not-configured|N/A|-)"
_ROW = regex(
    r"(?P<number>[0-7])\s+"
    + r"\s+".join(_CELL.format(name) for name in ("pause", "headroom"))
    + "".join(rf"(?:\s+{_CELL.format(name)})?" for name in ("ecn", "most"))
    + r"(?:\s+(?:(?P<share>\d{1,3})%?|Not-configured|N/A|-))?\s*\Z"
)


def read_npu(capture: Capture, _ports: Ports) -> list[LineState]:
    """Return which lines of the output tell of a location, its mode, or a traffic class."""
    return [
        LineState.MODELLED
        if any(each.match(line.strip()) for each in (LOCATION, _MODE, _STATE, _ROW))
        else LineState.IGNORED
        for line in capture.lines
    ]


def read_profiles(captures: Iterable[Capture]) -> dict[str, PauseProfile]:
    """Return the profiles that *captures* of this output show, by location."""
    found: dict[str, PauseProfile] = {}
    for capture in captures:
        profile: PauseProfile | None = None
        is_external = False
        for index, line in enumerate(capture.lines):
            text, where = line.strip(), capture.where(index)
            head, mode, row = LOCATION.match(text), _MODE.match(text), _ROW.match(text)
            if head:
                profile = found.setdefault(head["location"], PauseProfile(where))
            elif mode:
                is_external = mode["mode"] != "buffer-internal"
            elif row and profile:
                profile.buffers[int(row["number"])] = Known(_make_buffer(row, is_external), Origin.LEARNED, where)
    return found


def merge_profiles(written: Mapping[str, PauseProfile], running: Mapping[str, PauseProfile]) -> dict[str, PauseProfile]:
    """Return the profiles as written, with the sizes as they run where no line gives any."""
    return {**running, **{place: _fill_sizes(each, running.get(place)) for place, each in written.items()}}


def _fill_sizes(written: PauseProfile, running: PauseProfile | None) -> PauseProfile:
    shown = running.known if running else {}
    unsized = {number for number, each in written.known.items() if not each.value.has_sizes}
    return replace(written, buffers=written.buffers | {number: shown[number] for number in unsized & shown.keys()})


def _make_buffer(row: re.Match[str], is_external: bool) -> PauseBuffer:
    pause, headroom, low, high = (
        make_threshold(row[name] or "", row[f"{name}_unit"] or "") for name in ("pause", "headroom", "ecn", "most")
    )
    return PauseBuffer(is_external, pause, headroom, low, high, int(row["share"]) / 100 if row["share"] else None)
