"""What is wrong where: the failures of a report by device and port, and the numbers by which the page names things."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from auditor.engine.fabric_map import FabricMap, MapDevice
from auditor.engine.findings import Cause, ReportedFinding
from auditor.engine.result import Report
from auditor.model.finding import FindingKind, Level
from auditor.util.natsort import natural
from auditor.util.values import dataclass

EMPTY = FabricMap((), ())


@dataclass(frozen=True, slots=True)
class Mark:
    """The worst level of failures, empty without any, how many there are, and whether a comparison finds one new."""

    level: str = ""
    count: int = 0
    is_new: bool = False

    @property
    def sign(self) -> str:
        """The shape that says the level without colour."""
        return SIGNS[self.level]

    def __str__(self) -> str:
        """Return the mark in words."""
        new = ", new" if self.is_new else ""
        return f"{self.count} wrong, worst: {self.level}{new}" if self.level else "nothing wrong"


SIGNS: Mapping[str, str] = {"error": "✖", "warning": "▲", "note": "●", "": "·", "differs": "≠", "unknown": "?"}


def mark(findings: Sequence[ReportedFinding]) -> Mark:
    """Return the mark of *findings*."""
    if not findings:
        return Mark()
    worst = min((each.level for each in findings), key=lambda level: level.rank)
    return Mark(worst.value, len(findings), any(each.is_new for each in findings))


_TIERS = ("host", "leaf", "spine")
_PLURALS = ("hosts", "leaves", "spines")


def name_tier(tier: int | None) -> str:
    """Return a tier in words, empty for none."""
    return "" if tier is None else _TIERS[tier] if tier < len(_TIERS) else f"tier {tier}"


def name_tier_plural(tier: int | None) -> str:
    """Return what the devices of a tier are together."""
    return "on no known cable" if tier is None else _PLURALS[tier] if tier < len(_PLURALS) else f"tier {tier}"


class Index:
    """The failures of *report* that count, by place, and the numbers of its devices and causes."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.map = report.fabric_map or EMPTY
        self.causes: Sequence[Cause] = report.causes
        self.by_device: dict[str, list[ReportedFinding]] = defaultdict(list)
        self.by_port: dict[tuple[str, str | None], list[ReportedFinding]] = defaultdict(list)
        for found in report.of_kind(FindingKind.FAIL):
            self.by_device[found.device].append(found)
            self.by_port[found.device, found.port].append(found)

    @cached_property
    def devices(self) -> Mapping[str, MapDevice]:
        """The devices of the map by name."""
        return {device.name: device for device in self.map.devices}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each device: those of the map, then those that findings alone name."""
        named = {device.name: number for number, device in enumerate(self.map.devices)}
        others = {*self.by_device, *(found.device for found in self.report.findings)} - {*named}
        return named | {name: len(named) + number for number, name in enumerate(sorted(others, key=natural))}

    @cached_property
    def cause_of(self) -> Mapping[int, int]:
        """The number of the cause of a finding, by the identity of the finding."""
        return {id(found): number for number, cause in enumerate(self.causes) for found in cause.findings}

    @cached_property
    def causes_of(self) -> Mapping[str, list[int]]:
        """The numbers of the causes at each device."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, cause in enumerate(self.causes):
            for device in cause.devices:
                found[device].append(number)
        return found

    def mark_device(self, *names: str) -> Mark:
        """Return the mark of devices."""
        return mark([found for name in names for found in self.by_device.get(name, ())])

    def mark_ports(self, ports: Iterable[tuple[str, str | None]]) -> Mark:
        """Return the mark of ports together."""
        return mark([found for port in ports for found in self.by_port.get(port, ())])

    @property
    def levels(self) -> Sequence[str]:
        """The levels, the worst first."""
        return [level.value for level in Level]
