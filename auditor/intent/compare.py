"""Comparison of a fabric with presets, value by value."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from auditor.intent.file import make_preset_intent
from auditor.intent.infer import find_majority, infer_intents
from auditor.intent.model import Intent, Traffic, TrafficKind
from auditor.intent.presets import list_presets, load_preset
from auditor.intent.votes import Votes
from auditor.model.setting import Known, Setting, value_of
from auditor.util.values import dataclass

LEAST = 2
"""One equal value may be chance."""


@dataclass(frozen=True, slots=True)
class PresetValue:
    """A value of a preset beside the value of the fabric; `agrees` is None for an unknown value."""

    what: str
    preset: str
    fabric: str | None
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A fabric against one preset."""

    name: str
    title: str
    points: tuple[PresetValue, ...]

    @property
    def agreeing(self) -> int:
        """The number of equal values."""
        return sum(point.agrees is True for point in self.points)

    @property
    def departing(self) -> int:
        """The number of different values."""
        return sum(point.agrees is False for point in self.points)

    @property
    def nearness(self) -> int:
        """The number of equal values minus the number of different values; unknown values do not count."""
        return self.agreeing - self.departing


def compare_presets(votes: Votes) -> tuple[Comparison, ...]:
    """Return the comparison of *votes* with each preset, the nearest first.

    Factory defaults sort DSCPs too: without any chosen setting of RDMA the sorting does not count.
    """
    if not (votes.lossless or votes.rdma_dscp or votes.lossless_dscp or votes.design):
        votes = replace(votes, priority_of=Counter())
    does = infer_intents([votes]).general
    found = (
        Comparison(name, load_preset(name).title, tuple(_compare_values(make_preset_intent(name), does, votes)))
        for name in list_presets()
    )
    return tuple(sorted(found, key=lambda each: (-each.nearness, each.departing, each.name)))


def find_nearest(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return the nearest comparisons; empty if no preset agrees by at least `LEAST` values."""
    best = max((each.nearness for each in comparisons), default=0)
    return tuple(each for each in comparisons if each.nearness == best >= LEAST)


def _compare_values(says: Intent, does: Intent, votes: Votes) -> Iterator[PresetValue]:
    yield from _compare_setting("design", says.design, does.design)
    yield from _compare_setting("congestion control", says.congestion_control, does.congestion_control)
    if isinstance(says.lossless, Known):
        paused = value_of(does.lossless)
        agrees = None if paused is None else paused == says.lossless.value
        yield PresetValue("lossless priorities", format_numbers(says.lossless.value), _format_numbers(paused), agrees)
    yield from _compare_rdma_dscp(says, does, votes)
    cnp = _list_dscps(says.of_kind(TrafficKind.CNP))
    if cnp:
        marked = _list_dscps(does.of_kind(TrafficKind.CNP))
        yield PresetValue(
            "CNP DSCP", format_numbers(cnp), _format_numbers(marked), None if not marked else marked <= cnp
        )
    for traffic in says.traffic:
        yield from _compare_priorities(traffic, _list_dscps(does.of_kind(traffic.kind)), votes)
    yield from _compare_setting("path MTU", says.path_mtu_bytes, does.path_mtu_bytes)


def _compare_setting(what: str, says: Setting[object], does: Setting[object]) -> Iterator[PresetValue]:
    if isinstance(says, Known):
        value = value_of(does)
        told = None if value is None else str(value)
        yield PresetValue(what, str(says.value), told, None if told is None else told == str(says.value))


def _list_dscps(classes: Iterable[Traffic]) -> frozenset[int]:
    return frozenset(point for each in classes for point in value_of(each.dscp) or ())


def _compare_rdma_dscp(says: Intent, does: Intent, votes: Votes) -> Iterator[PresetValue]:
    """Yield the comparison of the marking: hosts use the preset's DSCPs, and switches keep them lossless.

    A preset without a DSCP sorts RDMA by the priority in its VLAN tag.
    """
    classes = says.of_kind(TrafficKind.RDMA)
    wanted, by_pcp = _list_dscps(classes), find_majority(votes.lossless_pcp)
    if not wanted:
        tags = frozenset(value for each in classes if (value := value_of(each.priority)) is not None)
        if tags:
            agrees = None if by_pcp is None else tags <= set(by_pcp)
            yield PresetValue("RDMA PCP", format_numbers(tags), _format_numbers(by_pcp), agrees)
        return
    if votes.rdma_dscp:
        marked = _list_dscps(does.of_kind(TrafficKind.RDMA))
        yield PresetValue(
            "RDMA DSCP", format_numbers(wanted), _format_numbers(marked), None if not marked else marked <= wanted
        )
        return
    kept = find_majority(votes.lossless_dscp)
    if by_pcp and not votes.lossless_dscp:
        yield PresetValue("RDMA DSCP", format_numbers(wanted), f"by PCP {format_numbers(by_pcp)}", agrees=False)
        return
    yield PresetValue(
        "RDMA DSCP", format_numbers(wanted), _format_numbers(kept), None if kept is None else wanted <= set(kept)
    )


def _compare_priorities(traffic: Traffic, used: frozenset[int], votes: Votes) -> Iterator[PresetValue]:
    """Yield the comparison of the priority of the preset's DSCPs, limited to the DSCPs in use if known."""
    priority, points = value_of(traffic.priority), frozenset(value_of(traffic.dscp) or ())
    points = points & used if used else points
    if priority is None or not points:
        return
    found = {dscp: find_majority(_count_priorities(votes.priority_of, dscp)) for dscp in points}
    told = sorted({each for each in found.values() if each is not None})
    agrees = None if not told else told == [priority] and None not in found.values()
    yield PresetValue(
        f"priority of DSCP {format_numbers(points)} ({traffic.name})",
        str(priority),
        _format_numbers(told or None),
        agrees,
    )


def _count_priorities(table: "Counter[tuple[int, int]]", dscp: int) -> "Counter[int]":
    return Counter({priority: count for (point, priority), count in table.items() if point == dscp})


def _format_numbers(found: Iterable[int] | None) -> str | None:
    """Return numbers as text, None for no numbers."""
    listed = list(found or ())
    return format_numbers(listed) if listed else None


def format_numbers(found: Iterable[int]) -> str:
    """Return numbers as text, neighbours in one range.

    >>> format_numbers([26, 24, 25, 48]), format_numbers([])
    ('24-26,48', 'none')
    """
    runs: list[list[int]] = []
    for number in sorted(found):
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs) or "none"
