"""The values of a comparison over time."""

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from auditor.engine.load import DeviceReading
from auditor.inputs.rawtext import Problem
from auditor.inputs.snapshot import DeviceUnit
from auditor.util.values import dataclass
from auditor.view.table import Cell, Key

Place: TypeAlias = tuple[str, str]
"""A device, and a port of it; the port is empty for a setting of the device."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time at which the fabric was captured.

    `label` is the folder or the short hash of the commit, `time` in ISO 8601, empty where nothing tells it, and
    `message` that of the commit.
    """

    label: str
    time: str
    message: str


@dataclass(frozen=True, slots=True)
class ReadDevice:
    """A device in one state: its dumps, the key of their content, and what was read.

    `place_key` also tells where the dumps lie, as what is found in them names files.
    """

    unit: DeviceUnit
    key: str
    reading: DeviceReading
    place_key: str


@dataclass(frozen=True, slots=True)
class LostCell:
    """A setting that later captures do not show, and the moment that showed it last."""

    cell: Cell
    at: Moment


@dataclass(frozen=True, slots=True)
class SeenDevice:
    """A device as it was seen last, with the settings that only captures before that show."""

    device: ReadDevice
    at: Moment
    lost: Mapping[Key, LostCell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """The fabric as captured at one time: its devices by name."""

    at: Moment
    devices: Mapping[str, ReadDevice]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting before and after."""

    path: str
    before: Cell
    after: Cell


@dataclass(frozen=True, slots=True)
class Change:
    """Settings that changed alike at the same places, between the moments `last` and `seen`.

    `seen` shows the change first, `last` is the oldest of those that show the devices before.
    `is_everywhere`: at all devices of their kind. `reverted` is the moment that takes the change back,
    `explained_by` what explains it, empty without; `rules` are those that speak where the change stands now.
    """

    settings: tuple[SettingChange, ...]
    places: tuple[Place, ...]
    last: Moment
    seen: Moment
    is_everywhere: bool
    reverted: Moment | None = None
    explained_by: str = ""
    rules: tuple[str, ...] = ()

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices, each once, in their order."""
        return tuple(dict.fromkeys(device for device, _ in self.places))


@dataclass(frozen=True, slots=True)
class Drift:
    """All changes between the first and the last of `moments`.

    `devices` counts those of the last one. `unseen` are devices that it lacks, each with the last moment that has it.
    """

    moments: tuple[Moment, ...]
    devices: int
    changes: tuple[Change, ...]
    unseen: Mapping[str, str]
    problems: tuple[Problem, ...]

    @property
    def unexplained(self) -> tuple[Change, ...]:
        """The changes that nothing explains."""
        return tuple(change for change in self.changes if not change.explained_by)
