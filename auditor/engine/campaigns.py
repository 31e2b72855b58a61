"""Campaigns: how far each device has come, by which intent it is judged meanwhile, and what a campaign explains."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeAlias

from auditor.checks.fleet import RDMA_PFC
from auditor.checks.portsettings import PATH_MTU, PFC_MODE, POINTS
from auditor.engine.dumps import Dumps
from auditor.fabric.reach import Surroundings
from auditor.intent import Campaign, DueVersion, Intent, Intents, Role, TrafficKind
from auditor.intent.ignore import Ignore
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.finding import FindingKind
from auditor.model.port import Port
from auditor.model.setting import Known, Setting
from auditor.util.natsort import natural
from auditor.util.values import dataclass

if TYPE_CHECKING:
    from auditor.engine.check import PartOutcome

_FLEET = ("FLT001",)
"""Rules that compare a device with its peers, which a campaign makes differ."""


class Progress(StrEnum):
    """How far a device has come."""

    DONE = "done"
    WAITING = "waiting for a reboot"
    PARTLY = "partly done"
    PENDING = "pending"
    FAILED = "failed"
    """It is declared to have moved, and has not."""
    NOT_SHOWN = "not shown"


_BY_NEW = frozenset({Progress.DONE, Progress.PARTLY, Progress.FAILED})
"""How far a device has to have come to be judged by the new intent."""


@dataclass(frozen=True, slots=True)
class Movement:
    """A device of a campaign: its stage, how far it has come, and the line that shows it where one does."""

    device: str
    stage: str
    progress: Progress
    shown: str = ""
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class MixedJob:
    """A job that may run on devices that have moved and on such that have not, and the versions that these show."""

    name: str
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CampaignState:
    """A campaign with its devices, and the jobs that it divides meanwhile.

    `is_over`: its last day is past. `is_begun`: its first day has come.
    """

    campaign: Campaign
    devices: tuple[Movement, ...]
    mixed: tuple[MixedJob, ...]
    is_over: bool
    is_begun: bool = True

    def count(self) -> Mapping[Progress, int]:
        """Return the number of devices by how far they have come, without zeros."""
        found = Counter(each.progress for each in self.devices)
        return {progress: found[progress] for progress in Progress if found[progress]}


def follow_campaigns(
    fabric: Fabric, keys: Sequence[str], intents: Intents, dumps: Dumps, day: date
) -> tuple[Intents, tuple[CampaignState, ...]]:
    """Return the intents by which devices are judged on *day*, and the state of each campaign.

    *keys* are those of the dumps of the devices. A device that has moved is judged by the new intent, any other one by
    the old one until the campaign is over. Of several campaigns that have moved a device the last one counts.
    """
    states = []
    moved: dict[str, Role] = {}
    for campaign in intents.campaigns:
        is_begun, is_over = _has_begun(campaign, day), day > campaign.until
        rows = [row for row in zip(fabric.devices, keys, strict=True) if campaign.covers(row[0].own_name)]
        by_intent = {each.device: each for each in _follow_intent(campaign, rows, intents, dumps)}
        movements = tuple(_join_all((*_follow_versions(campaign, rows), *by_intent.values())))
        states.append(CampaignState(campaign, movements, _list_mixed(fabric, movements), is_over, is_begun))
        for device, _ in rows if is_begun else ():
            state, new = by_intent.get(device.name), campaign.of(device.own_name)
            if new and (is_over or (state and state.progress in _BY_NEW)):
                label = f"{new.role}, {campaign.name}" if new.role else campaign.name
                moved[device.own_name] = Role((_escape(device.own_name),), replace(new, role=label))
    due = list_due(intents, fabric, day)
    if moved or due:
        intents = replace(intents, roles=(*moved.values(), *intents.roles), due=due)
    return intents, tuple(states)


def list_due(intents: Intents, fabric: Fabric, day: date) -> tuple[DueVersion, ...]:
    """Return the versions that devices should have on *day*, as far as dumps show those that they have."""
    return tuple(
        due
        for campaign in intents.campaigns
        if _has_begun(campaign, day)
        for device in fabric.devices
        if campaign.covers(device.own_name)
        for due in _list_own_due(campaign, device, day)
    )


def _has_begun(campaign: Campaign, day: date) -> bool:
    return campaign.start is None or campaign.start <= day


def _list_own_due(campaign: Campaign, device: Device, day: date) -> Iterator[DueVersion]:
    is_declared = campaign.is_done(device.own_name)
    if not (is_declared or day > campaign.until):
        return
    why = "it is declared to have moved" if is_declared else f"its last day was {campaign.until}"
    for port, now, wanted, _ in _list_versions(campaign, device):
        if isinstance(now, Known):
            where = port.locate(now.where) if port else now.where
            is_late = not fnmatchcase(now.value, wanted)
            yield DueVersion(
                device.name, port.name if port else "", now.value, where, wanted, campaign.name, why, is_late
            )


def list_idle(intents: Intents, fabric: Fabric) -> Iterator[str]:
    """Yield what campaigns name and no device of the dumps has: a slip there would leave a device pending."""
    names = [device.own_name for device in fabric.devices]
    for campaign in intents.campaigns:
        place = f"{campaign.file}:{campaign.line}: campaign {campaign.name}"
        if not any(map(campaign.covers, names)):
            yield f"{place}: no device of the dumps is to move"
        named = [("done", campaign.done), *((f"stage {stage.name}", stage.devices) for stage in campaign.stages)]
        for what, patterns in named:
            for pattern in patterns:
                if not any(fnmatchcase(name, pattern) and campaign.covers(name) for name in names):
                    yield f"{place}: {what}: no device of the campaign is named {pattern}"


def list_quiet(states: Sequence[CampaignState], intents: Intents) -> Iterator[Ignore]:
    """Yield what campaigns explain until their end: a device that differs from its peers in what it moves to."""
    for state in states:
        campaign = state.campaign
        if state.is_over or not state.is_begun:
            continue
        devices = tuple(_escape(each.device) for each in state.devices)
        why = f"campaign {campaign.name}: both are valid until {campaign.until}"
        texts = [version for _, version in campaign.firmware]
        texts += _list_settings(intents.general, campaign.general) if campaign.general else []
        for text in texts if devices else ():
            yield Ignore(_FLEET, why, campaign.file, campaign.line, devices, value=text, is_optional=True)


def _list_settings(old: Intent, new: Intent) -> Iterator[str]:
    """Yield the settings that follow from what two intents say differently, in the words of the fleet's rule.

    A value that neither intent means is a fault by the intent, which no campaign explains.
    """
    for kinds, names in _FOLLOWING.items():
        if old.of_kind(*kinds) != new.of_kind(*kinds):
            yield from (f"{name} is " for name in names)
    if old.path_mtu_bytes != new.path_mtu_bytes:
        yield f"{PATH_MTU} is "
    if old.congestion_control != new.congestion_control:
        yield "congestion control is "


_FOLLOWING: Mapping[tuple[TrafficKind, ...], Sequence[str]] = {
    (TrafficKind.CNP,): ("CNP DSCP", "CNP priority"),
    (TrafficKind.RDMA,): (POINTS, RDMA_PFC, PFC_MODE, "ToS of RDMA-CM"),
}
"""Settings that peers have alike, by the kinds of traffic that they serve."""


def _escape(name: str) -> str:
    return name.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")


def _follow_versions(campaign: Campaign, rows: Sequence[tuple[Device, str]]) -> Iterator[Movement]:
    """Yield each device that has a version of the campaign to move to."""
    for device, _ in rows:
        wanted = [*_list_versions(campaign, device)]
        if wanted:
            yield _summarise(campaign, device, wanted)


_Version: TypeAlias = tuple[Port | None, Setting[str], str, str | None]
"""The port of a NIC, the version as it is, as it is to be, and as the next boot makes it."""


def _list_versions(campaign: Campaign, device: Device) -> Iterator[_Version]:
    """Yield each version of a device that is to change."""
    for system, version in campaign.os_versions:
        if fnmatchcase(device.os, system):
            yield None, device.os_version, version, None
    for port in device.ports:
        nic = port.config.nic
        model = nic.model.value if nic and isinstance(nic.model, Known) else None
        for pattern, version in campaign.firmware:
            if nic and model and fnmatchcase(model.casefold(), pattern.casefold()):
                boot = nic.next_boot.value.get("firmware") if isinstance(nic.next_boot, Known) else None
                yield port, nic.firmware, version, boot.value if boot else None


def _summarise(campaign: Campaign, device: Device, wanted: Sequence[_Version]) -> Movement:
    """Return the state of a device by the version that is least far."""
    stage = campaign.find_stage(device.own_name)
    late = [
        (port, now, boot is not None and fnmatchcase(boot, version))
        for port, now, version, boot in wanted
        if isinstance(now, Known) and not fnmatchcase(now.value, version)
    ]
    if not late:
        shown = [now.value for _, now, _, _ in wanted if isinstance(now, Known)]
        progress = Progress.DONE if len(shown) == len(wanted) else Progress.NOT_SHOWN
        return Movement(device.name, stage, progress, shown[0] if shown else "")
    port, now, is_waiting = min(late, key=lambda each: each[2])
    failed = Progress.FAILED if campaign.is_done(device.own_name) else Progress.PENDING
    where = port.locate(now.where) if port else now.where
    place = (where.file, where.line) if where else (None, None)
    return Movement(device.name, stage, Progress.WAITING if is_waiting else failed, now.value, *place)


def _follow_intent(
    campaign: Campaign, rows: Sequence[tuple[Device, str]], intents: Intents, dumps: Dumps
) -> Iterator[Movement]:
    """Yield each device that the new intent judges otherwise: it has moved where that one finds fewer faults."""
    if campaign.general is None or not rows:
        return
    judges = (intents, replace(intents, general=campaign.general, roles=campaign.roles))
    now = _compare_judges(rows, judges, dumps)
    boots = [(device.saved, f"{key} saved") for device, key in rows if device.saved]
    names = [device.name for device, _ in rows if device.saved]
    later = dict(zip(names, _compare_judges(boots, judges, dumps), strict=True))
    for (device, _), faults in zip(rows, now, strict=True):
        is_declared = campaign.is_done(device.own_name)
        if is_declared or faults != _SAME:
            progress = _name_progress(faults, later.get(device.name), is_declared=is_declared)
            yield Movement(device.name, campaign.find_stage(device.own_name), progress)


_Faults: TypeAlias = tuple[int, int]
"""Faults that the old intent alone finds, and those that the new one alone finds."""
_SAME: _Faults = (0, 0)


def _compare_judges(
    rows: Sequence[tuple[Device, str]], judges: Sequence[Intents], dumps: Dumps
) -> list[_Faults | None]:
    """Return what two intents find apart at each device; None where a device cannot be judged."""
    devices, keys = [device for device, _ in rows], [key for _, key in rows]
    old, new = (dumps.check_alone(devices, keys, judge) for judge in judges)
    return [_compare_faults(one, other) if one and other else None for one, other in zip(old, new, strict=True)]


def _compare_faults(one: "PartOutcome", other: "PartOutcome") -> _Faults:
    old, new = (
        {found.fingerprint for found in outcome.findings if found.kind is FindingKind.FAIL} for outcome in (one, other)
    )
    return len(old - new), len(new - old)


def _name_progress(now: _Faults | None, boot: _Faults | None, *, is_declared: bool) -> Progress:
    """Return the progress by what the intents find apart now, and in the saved configuration (None: not known)."""
    if now is None:
        return Progress.NOT_SHOWN
    old, new = now
    if not new:
        return Progress.DONE
    if boot and not boot[1]:
        return Progress.WAITING
    if is_declared:
        return Progress.FAILED
    return Progress.PARTLY if old else Progress.PENDING


_ORDER = (Progress.FAILED, Progress.PENDING, Progress.PARTLY, Progress.WAITING, Progress.NOT_SHOWN, Progress.DONE)


def _join_all(movements: Iterable[Movement]) -> Iterable[Movement]:
    """Return one movement for each device: of one that moves in two respects the one that is less far."""
    found: dict[str, Movement] = {}
    for each in movements:
        known = found.get(each.device, each)
        found[each.device] = min(known, each, key=lambda movement: _ORDER.index(movement.progress))
    return found.values()


def _list_mixed(fabric: Fabric, movements: Sequence[Movement]) -> tuple[MixedJob, ...]:
    """Return the jobs that may run on hosts that have moved and on such that have not."""
    surroundings = Surroundings(fabric)
    hosts = {device.name for device in fabric.devices if device.kind == "host"}
    by_job: dict[str, list[Movement]] = {}
    for each in movements:
        for job in surroundings.list_jobs([each.device]) if each.device in hosts else ():
            by_job.setdefault(job, []).append(each)
    return tuple(
        MixedJob(job, tuple(sorted({each.shown for each in own if each.shown}, key=natural)))
        for job, own in sorted(by_job.items())
        if len({each.progress is Progress.DONE for each in own}) > 1
    )
