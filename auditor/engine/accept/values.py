"""The values of an acceptance: items, their states, and the verdict on each device."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from auditor.engine.result import Notice
from auditor.util.values import dataclass

DEVICE = "device"
"""The item that a device is there."""


class ItemState(StrEnum):
    """What the dumps say of an item: as expected, something else, or nothing."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class Detail:
    """A further setting that fails for the same reason as an item."""

    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was expected of a device, and what the dumps show.

    `port` is empty for the device as a whole. `what` is a setting as the port view names it, `device`, `port`, `ports`,
    `peer`, or a rule. `found` is the reason where the dumps show nothing. `file` and `line` (from 1) are the evidence,
    None where no line proves it. `also` are settings that differ by the same line, `rules` those that find a fault
    there, and `more_ports` are ports that fail alike by it.
    """

    device: str
    port: str
    what: str
    expected: str
    found: str
    state: ItemState
    file: str | None = None
    line: int | None = None
    also: tuple[Detail, ...] = ()
    rules: tuple[str, ...] = ()
    more_ports: tuple[str, ...] = ()

    @property
    def ports(self) -> tuple[str, ...]:
        """All its ports; none for the device as a whole."""
        return (self.port, *self.more_ports) if self.port else ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The numbers of items of a device in each state."""

    device: str
    counts: Mapping[ItemState, int]

    @property
    def state(self) -> ItemState:
        """The worst state of its items: one that fails, else one that is not shown."""
        if self.counts[ItemState.FAIL]:
            return ItemState.FAIL
        is_whole = self.counts[ItemState.PASS] and not self.counts[ItemState.NOT_SHOWN]
        return ItemState.PASS if is_whole else ItemState.NOT_SHOWN


@dataclass(frozen=True, slots=True)
class Acceptance:
    """All items, and the devices that were judged, in their order.

    `specification` is the file, or with `is_like` the device whose settings are expected. `others` are devices of the
    dumps that the specification does not cover. `problems` are dumps that could not be read and steps that failed.
    """

    specification: str
    is_like: bool
    devices: tuple[str, ...]
    items: tuple[Item, ...]
    others: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    problems: tuple[Notice, ...] = ()

    def list_in(self, state: ItemState) -> tuple[Item, ...]:
        """Return the items in *state*."""
        return tuple(item for item in self.items if item.state is state)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict on each device, and on each one that is missing."""
        missing = (item.device for item in self.items if item.what == DEVICE)
        by_device: dict[str, list[Item]] = {device: [] for device in (*self.devices, *missing)}
        for item in self.items:
            if item.device in by_device:
                by_device[item.device].append(item)
        return tuple(Verdict(device, _count(items)) for device, items in by_device.items())

    def is_accepted(self, *, allow_not_shown: bool = False) -> bool:
        """Return whether something was judged and all of it passes; on request also what the dumps do not show."""
        bad = {ItemState.FAIL} if allow_not_shown else {ItemState.FAIL, ItemState.NOT_SHOWN}
        has_proof = any(item.state is ItemState.PASS for item in self.items)
        return has_proof and not self.problems and not any(item.state in bad for item in self.items)


def _count(items: Sequence[Item]) -> Mapping[ItemState, int]:
    return {state: sum(item.state is state for item in items) for state in ItemState}
