"""The egress queues of a port: schedulers by the queue of their forwarding class."""

from collections.abc import Mapping
from dataclasses import replace

from auditor.model.qos import Queue, Threshold, Unit, WredDrop
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.junos.definitions import NOTHING, DropProfile, SchedulerStatements, or_silent
from auditor.systems.junos.sorting import PARTIAL, Sorting

_COLORS = {"low": "green", "medium-low": "yellow", "medium-high": "yellow", "high": "red", "any": "any"}
_ALL = ("green", "yellow", "red")


def list_queues(sorting: Sorting, speed_gbps: float | None) -> Setting[tuple[Queue, ...]]:
    """Return the queues of the port's scheduler map; *speed_gbps* is None if unknown."""
    maps = _maps(sorting)
    if isinstance(maps, Unknown):
        return maps
    if not maps:
        return Unset(sorting.bound.where) if sorting.complete else PARTIAL
    found: dict[int, Queue] = {}
    for table in maps:
        for class_name, scheduler in table.items():
            of = sorting.classes.get(class_name)
            number = of.queue if of else NOTHING
            if isinstance(number, Known):
                said = sorting.cos.schedulers.get(scheduler.value)
                found.setdefault(number.value, _queue(sorting, number.value, scheduler, said, speed_gbps))
    proof = _find_map(sorting) or _proof(sorting)
    return Known(tuple(found[number] for number in sorted(found)), Origin.INTENDED, proof)


def _find_map(sorting: Sorting) -> Where | None:
    """Return the place of the one scheduler map that the port has."""
    named = sorting.bound.scheduler_map
    return sorting.cos.map_lines.get(named.value) if named else None


def _proof(sorting: Sorting) -> Where | None:
    bound = sorting.bound
    named = bound.scheduler_map or bound.control or next((name for _, name in bound.class_sets), None)
    return named.where if named else None


def _maps(sorting: Sorting) -> list[Mapping[str, Known[str]]] | Unknown:
    """Return the active scheduler maps: bound directly or through traffic control profiles."""
    cos, bound = sorting.cos, sorting.bound
    names = [bound.scheduler_map] if bound.scheduler_map else []
    for control in (bound.control, *(name for _, name in bound.class_sets)) if not names else ():
        if control is None:
            continue
        if control.value not in cos.controls:
            return Unknown(f"traffic control profile {control.value} is not in the dump")
        named = cos.controls[control.value][1]
        names += [named] if named else []
    for name in names:
        if name.value not in cos.scheduler_maps:
            return Unknown(f"scheduler map {name.value} is not in the dump")
    return [cos.scheduler_maps[name.value] for name in names]


def _queue(
    sorting: Sorting, number: int, named: Known[str], said: SchedulerStatements | None, speed: float | None
) -> Queue:
    fed = tuple(sorted({n for found in sorting.classes.values() if (n := _number(found.queue)) == number}))
    internal = tuple(
        sorted(
            {
                found.pfc_priority.value if isinstance(found.pfc_priority, Known) else number
                for found in sorting.classes.values()
                if _number(found.queue) in fed
            }
        )
    )
    priorities: Known[tuple[int, ...]] = Known(internal, Origin.INTENDED, named.where)
    if said is None:
        unseen = Unknown(f"scheduler {named.value} is not in the dump")
        return Queue(number, priorities, ecn=unseen, wred_drop=unseen, scheduler=unseen, bandwidth_percent=unseen)
    silent = Unset(said.where)
    marks = isinstance(said.ecn, Known)
    curve = _curve(sorting, said) if marks else None
    percent = _share(said, speed, silent)
    return Queue(
        queue=number,
        priorities=priorities,
        ecn=_marking(said, silent),
        ecn_min=_level(curve, 0, silent),
        ecn_max=_level(curve, -1, silent),
        ecn_max_probability=_chance(curve, silent),
        curved_colors=_list_curves(said) if marks else silent,
        wred_drop=_drops(sorting, said, silent),
        scheduler=or_silent(said.scheduler, silent),
        bandwidth_percent=percent,
        bandwidth_basis=Known("line", Origin.INTENDED, percent.where) if isinstance(percent, Known) else silent,
        shape_gbps=_shape(said, speed, silent),
        level=or_silent(said.level, silent),
        pool=_pool(sorting, number, named),
        buffer_percent=or_silent(said.buffer_percent, silent),
    )


def _pool(sorting: Sorting, number: int, named: Known[str]) -> Setting[str]:
    """Return the partition of the shared egress buffer from which a queue draws, where partitions are written."""
    if not any(part.direction == "egress" for part in sorting.cos.partitions):
        return NOTHING
    feeding = [found for found in sorting.classes.values() if _number(found.queue) == number]
    kept = any(isinstance(found.lossless, Known) and found.lossless.value for found in feeding)
    return Known(f"egress {'lossless' if kept else 'lossy'}", Origin.INTENDED, named.where)


def _number(setting: Setting[int]) -> int | None:
    return setting.value if isinstance(setting, Known) else None


def _curve(sorting: Sorting, said: SchedulerStatements) -> DropProfile | Unknown | None:
    """Return the marking curve of green packets, which no policer has coloured."""
    named = sorted((drop for drop in said.drops if drop[0] in {"any", "low"}), key=lambda drop: drop[0] != "low")
    if not named:
        return None
    name = named[0][1].value
    return sorting.cos.drop_profiles.get(name) or Unknown(f"drop profile {name} is not in the dump")


def _list_curves(said: SchedulerStatements) -> Setting[tuple[str, ...]]:
    """Return the colours with a marking curve in a scheduler."""
    found = {color for level, _ in said.drops for color in (_ALL if level == "any" else (_COLORS.get(level, level),))}
    where = said.drops[0][1].where if said.drops else said.ecn.where if isinstance(said.ecn, Known) else said.where
    return Known(tuple(sorted(found)), Origin.INTENDED, where)


def _level(curve: DropProfile | Unknown | None, place: int, silent: Unset) -> Setting[Threshold]:
    """Return a fill level in percent; the dump does not show the size of the queue."""
    if isinstance(curve, Unknown):
        return curve
    if curve is None or not curve.levels:
        return silent
    level = curve.levels[place]
    return Known(Threshold(level.value, Unit.PERCENT), level.origin, level.where)


def _chance(curve: DropProfile | Unknown | None, silent: Unset) -> Setting[float]:
    if isinstance(curve, Unknown):
        return curve
    if curve is None or not curve.chances:
        return silent
    chance = curve.chances[-1]
    return Known(chance.value / 100, chance.origin, chance.where)


def _drops(sorting: Sorting, said: SchedulerStatements, silent: Unset) -> Setting[tuple[WredDrop, ...]]:
    """Return the drop curves: with ECN they mark ECN-capable packets."""
    if isinstance(said.ecn, Known):
        return Known((), said.ecn.origin, said.ecn.where)
    if not said.drops:
        return silent
    curves = []
    for level, name in said.drops:
        profile = sorting.cos.drop_profiles.get(name.value)
        if profile is None:
            return Unknown(f"drop profile {name.value} is not in the dump")
        chance = profile.chances[-1].value / 100 if profile.chances else None
        curves.append(WredDrop(_COLORS.get(level, level), None, None, chance))
    return Known(tuple(curves), Origin.INTENDED, said.drops[0][1].where)


def _shape(said: SchedulerStatements, speed: float | None, silent: Unset) -> Setting[float]:
    if not isinstance(said.shape_gbps, Unset):
        return said.shape_gbps
    if not isinstance(said.shape_percent, Unset):
        return _scale(said.shape_percent, speed and speed / 100)
    if said.limited is None:
        return or_silent(said.shape_gbps, silent)
    if not isinstance(said.rate_gbps, Unset):
        return said.rate_gbps
    return _scale(said.percent, speed and speed / 100)


def _marking(said: SchedulerStatements, silent: Unset) -> Setting[bool]:
    """Return whether the queue marks; a deactivated statement is a choice not to."""
    if isinstance(said.ecn, Unset) and said.ecn.where:
        return Known(value=False, origin=Origin.INTENDED, where=said.ecn.where)
    return or_silent(said.ecn, silent)


def _share(said: SchedulerStatements, speed: float | None, silent: Unset) -> Setting[float]:
    """Return the share of the line in percent that the queue is sure of."""
    if isinstance(said.rate_gbps, Unset):
        return or_silent(said.percent, silent)
    return _scale(said.rate_gbps, speed and 100 / speed)


def _scale(setting: Setting[float], factor: float | None) -> Setting[float]:
    """Return a rate times a *factor* that takes the speed of the port; None where that is not known."""
    if not isinstance(setting, Known):
        return setting
    if factor is None:
        return Unknown("the rate is to be set against the port's speed, which is not known")
    return replace(setting, value=setting.value * factor)
