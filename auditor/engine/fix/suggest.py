"""Fixes as edits of the configuration files themselves, each audited again before it is offered."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice
from typing import Any, TypeAlias

from auditor.diagnosis.apply import apply_remedy
from auditor.diagnosis.edit import Edit, apply_edits, edit_configuration, edit_document
from auditor.diagnosis.remedies import list_typed
from auditor.engine.findings import Cause, FileEdit
from auditor.engine.fix.lines import list_candidates
from auditor.engine.fix.trial import find_left, list_unclear
from auditor.engine.fix.values import Step
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Report
from auditor.inputs.origin import is_made_elsewhere
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.dump import Capture
from auditor.model.finding import FindingKind
from auditor.systems import systems
from auditor.util.redact_lines import redact_lines
from auditor.util.regex import regex
from auditor.view.port_view import device_view

Again: TypeAlias = Callable[[Callable[[Snapshot], Snapshot]], JudgedFabric]
"""Judges the dumps that a change makes of those that were found."""
MOST_TRIED, MOST_LINES = 10, 30
"""Causes for which edits are sought, and lines of an edit that people still read."""
CONTEXT = 3
"""Lines around a change that code hosts show with it."""
_OUTPUT = regex(r"(?:^|/)(?:show|display)[_ -][^/]*$")
_OF_PLACES = frozenset({"file", "line", "why"})


def add_suggestions(report: Report, judged: JudgedFabric, again: Again, base: Snapshot | None = None) -> Report:
    """Return *report* with an edit of the files for each of its worst causes that has one, known causes left aside.

    *judged* is the fabric of the report, *base* the dumps that it is compared with. An edit is offered where an audit
    with it finds nothing of the cause and nothing new, and where the device then reads as with the typed lines.
    """
    tries = _Tries(judged, again, base)
    asked = [cause for cause in report.causes if any(found.is_new is not False for found in cause.findings)]
    edited = {cause.id: tries.find(cause) for cause in islice(filter(tries.has_files, asked), MOST_TRIED)}
    return replace(report, causes=tuple(replace(each, fix=edited.get(each.id, ())) for each in report.causes))


class _Tries:
    def __init__(self, judged: JudgedFabric, again: Again, base: Snapshot | None) -> None:
        self._judged = judged
        self._again = again
        self._base = None if base is None else {c.file: c.lines for unit in base.units for c in unit.captures}
        self._sources = {device.name: device.source for device in judged.model.devices}
        self._units = {unit.source: unit for unit in judged.inputs.units}
        self._unclear = list_unclear(judged.report)
        self._known = {found.fingerprint for found in judged.report.of_kind(FindingKind.FAIL)}

    def has_files(self, cause: Cause) -> bool:
        """Return whether people write a file of each device of *cause*."""
        units = [self._units.get(self._sources.get(name, "")) for name in cause.devices]
        return all(unit and systems()[unit.os].kind == "switch" and any(_list_written(unit)) for unit in units)

    def find(self, cause: Cause) -> tuple[FileEdit, ...]:
        """Return the edits that fix *cause*, empty where none is known to do so."""
        candidates, _ = list_candidates(cause, self._judged)
        if not candidates or not all(step.device in self._sources for step in candidates[0]):
            return ()
        steps = candidates[0]
        typed = {self._sources[step.device]: self._type(step) for step in steps}
        drafts = [draft for way in (True, False) if (draft := self._draft(steps, is_replacing=way))]
        if None in typed.values() or not drafts:
            return ()
        meant = self._judge({source: unit for source, unit in typed.items() if unit}, cause)
        if meant is None:
            return ()
        for number, draft in enumerate(drafts):
            if draft in drafts[:number]:
                continue
            read = self._judge(
                {source: _change_lines(self._units[source], own) for source, own in draft.items()}, cause
            )
            if read == meant:
                return tuple(self._describe(file, edits) for own in draft.values() for file, edits in own.items())
        return ()

    def _type(self, step: Step) -> DeviceUnit | None:
        unit = self._units[self._sources[step.device]]
        captures = apply_remedy(step.text, unit.os, unit.captures)
        return None if captures is None else replace(unit, captures=captures)

    def _draft(
        self, steps: Sequence[Step], *, is_replacing: bool
    ) -> Mapping[str, Mapping[str, tuple[Edit, ...]]] | None:
        """Return the edits of files, by the source of the device; None where a device has no file to edit."""
        draft = {}
        for step in steps:
            unit = self._units[self._sources[step.device]]
            own = _edit_unit(unit, step, is_replacing=is_replacing)
            if own is None:
                return None
            draft[unit.source] = own
        lines = [line for own in draft.values() for edits in own.values() for edit in edits for line in edit.lines]
        return draft if lines == redact_lines(lines) and len(lines) <= MOST_LINES else None

    def _judge(self, changed: Mapping[str, DeviceUnit], cause: Cause) -> Mapping[str, Any] | None:
        """Return how the *changed* devices then read; None where something of *cause* is left, or something came."""
        after = self._again(
            lambda found: replace(found, units=tuple(changed.get(unit.source, unit) for unit in found.units))
        )
        failed = {found.fingerprint for found in after.report.of_kind(FindingKind.FAIL)}
        if any(map(find_left(after, self._unclear), cause.findings)) or failed - self._known:
            return None
        views = (device_view(each, with_state=True) for each in after.model.devices if each.source in changed)
        return {view.source: _drop_places(view.model_dump(mode="json", by_alias=True)) for view in views}

    def _describe(self, file: str, edits: tuple[Edit, ...]) -> FileEdit:
        if self._base is None:
            return FileEdit(file, edits)
        lines = next(c.lines for unit in self._units.values() for c in unit.captures if c.file == file)
        return FileEdit(file, edits, tuple(_list_shown(self._base.get(file, ()), lines)))


def _edit_unit(unit: DeviceUnit, step: Step, *, is_replacing: bool) -> Mapping[str, tuple[Edit, ...]] | None:
    """Return the edits of the files of a device; None where it has none that people write."""
    written = list(_list_written(unit))
    typed = list_typed(step.text)
    after = apply_remedy(step.text, unit.os, unit.captures) or unit.captures
    changed = [(old, new) for old, new in zip(unit.captures, after, strict=False) if old != new]
    if not changed:
        if len(written) != 1 or any("{" in line for line in written[0].lines):
            return None
        return {written[0].file: edit_configuration(written[0].lines, typed, is_replacing=is_replacing)}
    found = {}
    for old, new in changed:
        edits = edit_document(old.lines, json.loads("\n".join(new.lines))) if old in written else None
        if edits is None:
            return None
        found[old.file] = edits
    return found


def _list_written(unit: DeviceUnit) -> Iterator[Capture]:
    """Yield the captures that are whole files, which neither a device printed nor a program wrote, by what they say."""
    for capture in unit.captures:
        is_alone = sum(each.file == capture.file for each in unit.captures) == 1
        is_whole = capture.first_line == 1 and not capture.command and not capture.ends_mid_line
        is_output = _OUTPUT.search(capture.file) or is_made_elsewhere(capture.lines)
        if is_alone and is_whole and not is_output:
            yield capture


def _change_lines(unit: DeviceUnit, edits: Mapping[str, tuple[Edit, ...]]) -> DeviceUnit:
    captures = (
        replace(each, lines=apply_edits(each.lines, edits[each.file])) if each.file in edits else each
        for each in unit.captures
    )
    return replace(unit, captures=tuple(captures))


def _drop_places(view: Any) -> Any:  # noqa: ANN401  JSON
    """Return a view without files, lines and reasons: what the device does is left."""
    if isinstance(view, dict):
        return {name: _drop_places(value) for name, value in view.items() if name not in _OF_PLACES}
    return [_drop_places(each) for each in view] if isinstance(view, list) else view


def _list_shown(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each part of *after* that a difference to *before* shows.

    >>> list(_list_shown("abcdefghij", "abcdefghiX")), list(_list_shown([], ["a", "b"]))
    ([(7, 10)], [(1, 2)])
    """
    codes = SequenceMatcher(None, before, after, autojunk=True).get_grouped_opcodes(CONTEXT)
    for group in islice(codes, len(after)):
        first, last = group[0][3] + 1, group[-1][4]
        if last >= first:
            yield first, last
