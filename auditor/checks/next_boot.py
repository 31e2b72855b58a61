"""The running configuration against the saved one, setting by setting, folded over the ports that differ alike."""

from collections.abc import Iterable, Iterator
from dataclasses import field

from auditor.checks.base import Context, Params
from auditor.checks.settings import PAUSED, ReadSettings, format_value, read_device, read_port
from auditor.model.device import Device
from auditor.model.finding import Finding, Related
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.packet.classify import takes_part
from auditor.util.values import dataclass

_MOST_SHOWN = 2
"""Differences of one topic that a message spells out."""


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A switch as it runs, and as its next boot makes it."""

    running: Device
    saved: Device


@dataclass(frozen=True, slots=True)
class _Difference:
    """A setting that the next boot changes; each place is relative to its port.

    `is_rest`: it is what the classes of the port leave over, and has no line of its own.
    """

    topic: str
    text: str
    now: Where | None
    after: Where | None
    is_rest: bool


@dataclass(slots=True)
class _Group:
    """Ports that differ alike in one topic."""

    differences: tuple[_Difference, ...]
    ports: list[tuple[Port | None, Port | None]] = field(default_factory=list)


def list_saved_pairs(device: Device, _context: Context) -> Iterable[SavedPair]:
    """Return a switch whose dumps show its saved configuration beside the running one."""
    return (SavedPair(device, device.saved),) if device.kind == "switch" and device.saved else ()


def next_boot_differs(given: SavedPair, _params: Params, context: Context) -> Iterator[Finding]:
    """What is not saved works until the next boot, and what was saved without being applied comes into force then."""
    pair = _Parts(given.running.part is not None, given.saved.part is not None)
    groups: dict[tuple[object, ...], _Group] = {}
    _add(groups, (None, None), _compare(pair, read_device(given.running), read_device(given.saved)))
    yield from _compare_presence(given, pair, is_ecn_only=context.intent.is_ecn_only)
    later = {port.name: port for port in given.saved.ports}
    seen: dict[tuple[int, int], tuple[_Difference, ...]] = {}
    for port in given.running.ports:
        other = later.get(port.name)
        if other is None or not _matters(port.config, other.config, is_ecn_only=context.intent.is_ecn_only):
            continue
        key = (id(port.config), id(other.config))
        if key not in seen:
            seen[key] = tuple(_compare(pair, read_port(port.config), read_port(other.config)))
        _add(groups, (port, other), seen[key])
    for group in groups.values():
        yield _report(given, group)


def _compare_presence(given: SavedPair, parts: "_Parts", *, is_ecn_only: bool) -> Iterator[Finding]:
    """Yield a finding for each port for RDMA that one of two whole configurations has and the other has not."""
    for own, other, is_part, told in (
        (given.running, given.saved, parts.after, "is for RDMA now, and the saved configuration has no such port"),
        (given.saved, given.running, parts.now, "is for RDMA after the next boot, and there is no such port now"),
    ):
        names = {port.name for port in other.ports}
        for port in () if is_part else own.ports:
            if port.name not in names and takes_part(port.config, ecn_only=is_ecn_only):
                yield Finding(
                    f"not saved: {port.name} {told}",
                    port.where or _find_top(own),
                    key=f"port {port.name}",
                    device=given.running.name,
                    port=port.name if own is given.running else "",
                )


def _matters(now: PortConfig, after: PortConfig, *, is_ecn_only: bool) -> bool:
    return any(takes_part(config, ecn_only=is_ecn_only) for config in (now, after))


def _add(
    groups: dict[tuple[object, ...], _Group], ports: tuple[Port | None, Port | None], found: Iterable[_Difference]
) -> None:
    by_topic: dict[str, list[_Difference]] = {}
    for each in found:
        by_topic.setdefault(each.topic, []).append(each)
    for topic, own in by_topic.items():
        key = (ports[0] is None, topic, tuple(each.text for each in own))
        groups.setdefault(key, _Group(tuple(own))).ports.append(ports)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Which of the two configurations is a part, in which a missing line proves nothing."""

    now: bool
    after: bool

    def compares(self, now: Setting[object], after: Setting[object]) -> bool:
        """Return whether two settings that differ prove that the configurations do."""
        if isinstance(now, Unknown) or isinstance(after, Unknown):
            return False
        written = [isinstance(each, Known) and each.origin is Origin.INTENDED for each in (now, after)]
        return any(written) and (written[0] or not self.now) and (written[1] or not self.after)


def _compare(parts: _Parts, now: ReadSettings, after: ReadSettings) -> Iterator[_Difference]:
    for key in dict.fromkeys((*now.values, *after.values)):
        own, other = now.find(key), after.find(key)
        if not parts.compares(own, other) or value_of(own) == value_of(other):
            continue
        text = f"{key[1]} is {format_value(own)} now and {format_value(other)} after the next boot"
        is_rest = key[1] == PAUSED and not value_of(other)
        yield _Difference(key[0], text, _find_place(own), _find_place(other), is_rest)


def _find_place(setting: Setting[object]) -> Where | None:
    return setting.where if isinstance(setting, Known | Unset) else None


def _report(given: SavedPair, group: _Group) -> Finding:
    first = group.differences[0]
    (now, after), count = group.ports[0], len(group.ports)
    told = next((each for each in group.differences if not each.is_rest), first)
    after_place = after.locate(told.after) or after.where if after else told.after
    now_place = now.locate(told.now) or now.where if now else told.now
    shown = "; ".join(each.text for each in group.differences[:_MOST_SHOWN])
    left = len(group.differences) - _MOST_SHOWN
    more = f"; and {left} more of {first.topic}" if left > 0 else ""
    ports = f" ({now.name} and {count - 1} more)" if now and count > 1 else ""
    place = after_place if after_place and after_place.line else _find_top(given.saved)  # a default has no line
    related: tuple[Related, ...] = ()
    if now_place and now_place.line:  # a document without a value has no line
        related = (Related(f"what runs now{f' on {now.name}' if now else ''}", now_place),)
    return Finding(
        f"not saved: {shown}{more}{ports}",
        place,
        key=f"{first.topic}: {first.text}",
        related=related,
        device=given.running.name,
        port=now.name if now and count == 1 else "",
    )


def _find_top(device: Device) -> Where | None:
    return Where(device.dumps[0].file, 1) if device.dumps else None
