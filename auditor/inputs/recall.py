"""Dumps whose devices are sought when something asks for them: the report on them is known from an earlier run."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeAlias, overload

from auditor.inputs.bundle import Bundle
from auditor.inputs.manifest import is_manifest
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.model.dump import Capture
from auditor.util.values import dataclass

Sort: TypeAlias = Callable[[Bundle], Snapshot]
"""Makes devices of files."""


class LazyUnits(Sequence[DeviceUnit]):
    """The devices that *sort* makes of *bundle*: no file is sorted before something asks for it."""

    def __init__(self, bundle: Bundle, sort: Sort) -> None:
        self._bundle = bundle
        self._sort = sort
        self._finders: dict[str, Callable[[str, int], Capture | None]] = {}

    @overload
    def __getitem__(self, index: int) -> DeviceUnit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[DeviceUnit]: ...
    def __getitem__(self, index: int | slice) -> DeviceUnit | Sequence[DeviceUnit]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    @cached_property
    def _all(self) -> Sequence[DeviceUnit]:
        return self._sort(self._bundle).units

    def find_capture(self, file: str, line: int) -> Capture | None:
        """Return the capture with a *line* of *file*, None where there is none.

        That file alone is sorted, with those that say what it is.
        """
        found = self._finders.get(file)
        if found is None:
            own = self._groups.get(self._places.get(file, ""), ())
            found = self._finders[file] = self._sort(Bundle(tuple(own))).index_captures()
        return found(file, line)

    @cached_property
    def _places(self) -> dict[str, str]:
        """What each file is sorted with: its bundle, its folder where a manifest is in it, else itself."""
        led = {raw.folder for raw in self._bundle.raws if is_manifest(raw)}
        return {raw.name: _find_place(raw, led) for raw in self._bundle.raws}

    @cached_property
    def _groups(self) -> dict[str, list[Raw]]:
        groups: dict[str, list[Raw]] = {}
        for raw in self._bundle.raws:
            groups.setdefault(self._places[raw.name], []).append(raw)
        return groups


def _find_place(raw: Raw, led: Collection[str]) -> str:
    if raw.bundle_file:
        return raw.bundle_file.root
    return raw.folder if raw.folder in led else raw.name


@dataclass(frozen=True, slots=True)
class RecalledSnapshot(Snapshot):
    """A snapshot whose devices are not sorted yet."""

    lazy_units: LazyUnits = field(kw_only=True, compare=False)

    def index_captures(self) -> Callable[[str, int], Capture | None]:
        """Return a function that gives the capture with a line of a dump, None for a file that is not here."""
        return self.lazy_units.find_capture


def recall_snapshot(kept: Snapshot, bundle: Bundle, sort: Sort) -> RecalledSnapshot:
    """Return the snapshot that *sort* makes of *bundle*; *kept* is that snapshot without its devices."""
    units = LazyUnits(bundle, sort)
    return RecalledSnapshot(units, kept.skipped, kept.problems, kept.dates, kept.cables, lazy_units=units)


def list_content(bundle: Bundle) -> Iterator[str]:
    """Yield all of *bundle* that decides how it is sorted, beside the lines of its texts."""
    for raw in bundle.raws:
        own = raw.bundle_file
        place = own and (own.root, own.layout.os, own.place, own.command)
        yield repr((raw.name, raw.folder, raw.ends_with_newline, raw.given, raw.shunned, place))
    yield from map(repr, (*bundle.skipped, *bundle.problems))
    yield from (repr((path, sorted(names))) for path, names in bundle.names.items())
