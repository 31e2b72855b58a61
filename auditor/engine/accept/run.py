"""An acceptance as one run: dumps read and judged, devices held against a specification or a peer."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from auditor.engine.accept.candidate import Candidate, Candidates
from auditor.engine.accept.cleanliness import CleanRules, Findings, select_rules
from auditor.engine.accept.fold import fold_failures
from auditor.engine.accept.hold import PRESENT, find_usual, judge_device
from auditor.engine.accept.like import make_pattern, name_kind
from auditor.engine.accept.match import is_chosen, is_name, is_named, matches_any
from auditor.engine.accept.spec import DEFAULT_CLEAN, DeviceEntry, Specification, read_spec
from auditor.engine.accept.values import DEVICE, Acceptance, Item, ItemState
from auditor.engine.audit import judge_fabric
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.options import Options
from auditor.engine.rehearsal import JudgedFabric
from auditor.engine.result import Notice, Report
from auditor.fabric.unseen import Unseen, list_unseen
from auditor.model.device import Device
from auditor.model.finding import FindingKind, Level
from auditor.util.natsort import natural
from auditor.util.suggest import add_suggestion

NO_DUMP = "no dump"
MOST_NEIGHBOURS = 3
"""Devices that are named as evidence of one without a dump."""
MOST_SETTINGS = 3
"""Settings that a warning names."""


def accept_by_spec(spec: str, paths: Sequence[str], options: Options, chosen: Sequence[str] = ()) -> Acceptance:
    """Return the acceptance of the devices in *paths* by the specification file *spec*.

    *chosen* are patterns of devices to judge (default: all that the specification covers). Raises CannotAudit for a
    specification that is not valid, and for a pattern that no device has.
    """
    read = read_spec(spec)
    judged = _judge(paths, options)
    clean = select_rules(read.clean, judged.report.catalogue)
    run = _Run(judged, clean, tuple(chosen))
    by_entry = _assign(read.entries, judged.model.devices)
    names = [device.own_name for device in judged.model.devices]
    _refuse_strange(chosen, [*names, *(name for entry in read.entries for name in _list_names(entry))])
    _refuse_shadows(read, by_entry, frozenset(names))
    absent = [(item, _find_entry(item.device, read.entries)) for item in _list_absent(list_unseen(judged.model))]
    items: list[Item] = []
    devices: list[str] = []
    for entry, held in zip(read.entries, by_entry, strict=True):
        unseen = [item for item, own in absent if own is entry]
        items += _count_devices(entry, held, unseen, chosen)
        far_ends = [{port: end.device for port, end in run.candidates.list_far(device.name).items()} for device in held]
        usual = [find_usual(port, far_ends) for port in entry.ports]
        for candidate in run.list_candidates(held):
            devices.append(candidate.name)
            items += run.judge(candidate, judge_device(candidate, entry, usual))
    if not items:
        raise CannotAudit(f"{spec}: no entry covers {', '.join(chosen)}; add an entry, or leave out --device")
    others = () if chosen else tuple(_list_others(judged.model.devices, by_entry))
    return run.finish(Acceptance(spec, is_like=False, devices=tuple(devices), items=tuple(items), others=others))


def accept_like(like: str, paths: Sequence[str], options: Options, chosen: Sequence[str] = ()) -> Acceptance:
    """Return the acceptance of the devices in *paths* by the settings of the device *like*, which must run well.

    *chosen* are patterns of devices to judge (default: those of its kind, whose names differ from its own in digits).
    Raises CannotAudit where *like* is not there, or has findings of level error.
    """
    judged = _judge(paths, options)
    run = _Run(judged, select_rules(DEFAULT_CLEAN, judged.report.catalogue), ())
    devices = judged.model.devices
    peer = _find_peer(devices, like)
    _refuse_faulty(like, run.findings, peer)
    _refuse_strange(chosen, [device.own_name for device in devices])
    kind = name_kind(peer)
    same = [device for device in devices if name_kind(device) == kind]
    wanted = [device for device in devices if is_chosen(device.own_name, chosen)] if chosen else same
    wanted = [device for device in wanted if device is not peer]
    names = dict.fromkeys((peer.name, *(device.name for device in (*same, *wanted))))
    pattern = make_pattern(run.candidates.make(peer), map(run.candidates.list_far, names))
    if pattern.peer.table.is_empty:
        raise CannotAudit(f"--like {like}: its dumps show no setting; name a device with more captures")
    items = [
        item
        for item in _list_absent(list_unseen(judged.model))
        if name_kind(replace(peer, name=item.device, hostname="")) == kind
        and (not chosen or is_chosen(item.device, chosen))
    ]
    strange: set[str] = set()
    for candidate in run.list_candidates(wanted):
        items += run.judge(candidate, pattern.judge(candidate))
        strange |= pattern.list_strange(candidate)
    if not wanted and not items:
        raise CannotAudit(f"--like {like}: no other device of the dumps is of its kind; add --device PATTERN")
    accepted = tuple(sorted((device.name for device in wanted), key=natural))
    doubts = (*_list_doubts(like, judged.report, peer), *_list_gaps(like, strange))
    return run.finish(Acceptance(peer.name, is_like=True, devices=accepted, items=tuple(items), warnings=doubts))


class _Run:
    """The judged fabric, the makers of candidates and findings, and the devices that are asked for."""

    def __init__(self, judged: JudgedFabric, clean: CleanRules, chosen: tuple[str, ...]) -> None:
        self._judged = judged
        self._chosen = chosen
        self.candidates = Candidates(judged.model, judged.report)
        self.findings = Findings(judged.report, clean)

    def list_candidates(self, devices: Sequence[Device]) -> Iterator[Candidate]:
        """Yield those of *devices* that are asked for, by name; each table is made when it is needed."""
        for device in sorted(devices, key=lambda each: natural(each.name)):
            if not self._chosen or is_chosen(device.own_name, self._chosen):
                yield self.candidates.make(device)

    def judge(self, candidate: Candidate, items: Iterator[Item]) -> list[Item]:
        """Return *items* of a device, folded, with the findings of rules."""
        return self.findings.judge(candidate.name, candidate.far, fold_failures(items))

    def finish(self, found: Acceptance) -> Acceptance:
        """Return *found* with the problems and warnings of the run."""
        report = self._judged.report
        own = (Notice(each.message, each.name or None, each.line) for each in self.candidates.problems)
        warnings = tuple(each.message for each in report.warnings if each.message.startswith("two devices are named"))
        return replace(found, problems=(*report.problems, *own), warnings=(*found.warnings, *warnings))


def _judge(paths: Sequence[str], options: Options) -> JudgedFabric:
    """Return the fabric in *paths* with the report on it; raises CannotAudit where there is no device."""
    judged = judge_fabric(paths, options)
    if not judged.model.devices:
        why = "; ".join(": ".join(filter(None, (each.file, each.message))) for each in judged.report.problems[:3])
        raise CannotAudit(f"nothing to accept: {why or 'no dump found; give configurations of switches or hosts'}")
    return judged


def _assign(entries: Sequence[DeviceEntry], devices: Sequence[Device]) -> list[list[Device]]:
    """Return the devices of each entry: the first one that matches a device holds."""
    found: list[list[Device]] = [[] for _ in entries]
    for device in devices:
        at = next((number for number, entry in enumerate(entries) if is_named(device, entry.names)), None)
        if at is not None:
            found[at].append(device)
    return found


def _list_others(devices: Sequence[Device], by_entry: Sequence[Sequence[Device]]) -> Iterator[str]:
    """Yield the devices that no entry covers, without jobs."""
    covered = {device.name for held in by_entry for device in held}
    yield from (device.name for device in devices if device.name not in covered and device.kind != "jobs")


def _find_entry(name: str, entries: Sequence[DeviceEntry]) -> DeviceEntry | None:
    return next((entry for entry in entries if matches_any(name, entry.names)), None)


def _count_devices(
    entry: DeviceEntry, held: Sequence[Device], unseen: Sequence[Item], chosen: Sequence[str]
) -> Iterator[Item]:
    """Yield the items for the number of devices, and for each one that the entry names and the dumps lack.

    Devices *unseen*, which others name, stand in place of a number that they explain. Of the devices that are *chosen*
    alone, the number says nothing.
    """
    names = {name for device in held for name in (device.name, device.own_name)}
    missing = {name: Item(name, "", DEVICE, PRESENT, NO_DUMP, ItemState.FAIL) for name in _list_names(entry)}
    missing |= {each.device: each for each in unseen if each.device in missing}
    missing = {name: item for name, item in missing.items() if name not in names}
    all_missing = missing | {each.device: each for each in unseen}
    if entry.count == len(held) + len(all_missing):
        missing = all_missing
    yield from (item for name, item in missing.items() if not chosen or is_chosen(name, chosen))
    if chosen or (missing and entry.count in {None, len(held) + len(missing)}):
        return
    if entry.count is None and held:
        return
    is_right = len(held) == entry.count
    state = ItemState.PASS if is_right else ItemState.FAIL
    expected = str(entry.count) if entry.count is not None else "1 or more"
    yield Item(", ".join(entry.names), "", "devices", expected, str(len(held)), state)


def _list_names(entry: DeviceEntry) -> list[str]:
    """Return the devices that *entry* names without a wildcard, each once."""
    return [*dict.fromkeys(name for name in (*entry.names, *entry.each) if is_name(name))]


def _refuse_shadows(read: Specification, by_entry: Sequence[Sequence[Device]], there: Collection[str]) -> None:
    """Raise CannotAudit for an entry that names a device which an earlier entry covers: it would never hold."""
    for entry, line, held in zip(read.entries, read.lines, by_entry, strict=True):
        own = {device.own_name for device in held}
        for name in _list_names(entry):
            if name in there and name not in own:
                message = f"{read.file}:{line}: {name}: an earlier entry covers this device"
                raise CannotAudit(f"{message}; put this entry in front of it")


def _refuse_strange(chosen: Sequence[str], known: Sequence[str]) -> None:
    """Raise CannotAudit for a pattern that no device has."""
    for pattern in chosen:
        if not any(is_chosen(name, [pattern]) for name in known):
            message = f"--device {pattern}: no device has this name"
            raise CannotAudit(add_suggestion(message, pattern, sorted(set(known), key=natural)))


def _find_peer(devices: Sequence[Device], like: str) -> Device:
    found = [device for device in devices if like in {device.name, device.own_name}]
    if len(found) != 1:
        names = sorted({device.name for device in devices}, key=natural)
        message = f"--like {like}: {len(found) or 'no'} device{'s' if found else ''} of the dumps has this name"
        raise CannotAudit(add_suggestion(message.replace("devices of the dumps has", "devices have"), like, names))
    return found[0]


def _refuse_faulty(like: str, findings: Findings, peer: Device) -> None:
    """Raise CannotAudit for a peer that has findings of level error itself."""
    wrong = findings.list_failures(peer.name)
    if wrong:
        raise CannotAudit(f"--like {like}: {_describe_findings(wrong)}; name a device that runs well")


def _list_doubts(like: str, report: Report, peer: Device) -> Iterator[str]:
    """Yield a warning where the peer has findings of level warning: its equals may differ because they are right."""
    wrong = [each for each in report.of_kind(FindingKind.FAIL) if each.device == peer.name]
    wrong = [each for each in wrong if each.level is Level.WARNING]
    if wrong:
        yield f"--like {like}: {_describe_findings(wrong)}; where all others differ from it, it may be the wrong one"


def _list_gaps(like: str, strange: Collection[str]) -> Iterator[str]:
    """Yield a warning where others show settings that no capture of the peer shows."""
    if strange:
        names = sorted(strange)
        more = f" and {len(names) - MOST_SETTINGS} more" if len(names) > MOST_SETTINGS else ""
        why = f"its dumps do not show {', '.join(names[:MOST_SETTINGS])}{more}, which others show"
        yield f"--like {like}: {why}; these are not compared"


def _describe_findings(found: Sequence[ReportedFinding]) -> str:
    first = f"{found[0].rule} {found[0].port or ''}".rstrip()
    count = f"{len(found)} findings" if len(found) > 1 else "a finding"
    return f"it has {count} of level {found[0].level.value} itself ({first}: {found[0].message})"


def _list_absent(unseen: Sequence[Unseen]) -> Iterator[Item]:
    """Yield an item for each device that others name and that has no dump."""
    for group in unseen:
        for name in group.names:
            where = group.where if name == group.names[0] else None
            file, line = (where.file, where.line) if where else (None, None)
            verb = "names" if len(group.told_by) == 1 else "name"
            found = f"{NO_DUMP}; {', '.join(group.told_by[:MOST_NEIGHBOURS])} {verb} it"
            yield Item(name, "", DEVICE, PRESENT, found, ItemState.FAIL, file, line)
