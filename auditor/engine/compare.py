"""Comparison of two audits: new failures, gone failures, renamed devices."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice, Report, ReportComparison
from auditor.inputs.snapshot import DeviceUnit, Snapshot
from auditor.intent import Intents
from auditor.intent.ignore import Ignore
from auditor.model.finding import FindingKind

LEAST_ALIKE = 0.5
"""Share of equal lines that makes two dumps one renamed dump, as in git."""
MAX_PAIRS = 2_500
"""Limit of pairs, old times new; beyond this, only equal content matches."""


def compare_reports(
    head: Report, base: Sequence[ReportedFinding], name: str, *, devices: Collection[str] = ()
) -> Report:
    """Return *head* with each failure new or unchanged beside those of *base*, an audit of that name.

    A failure that the base ignored is unchanged: the fault is the same. A failure of the base that no longer occurs is
    fixed, or lost from sight: its device is gone, its peer among the base's *devices* is gone, or its rule is open now.
    """
    left = Counter(f.fingerprint for f in base if f.kind is not FindingKind.OPEN)
    before_ignored = {f.fingerprint for f in base if f.kind is FindingKind.IGNORED}
    findings, hidden = [], []
    for found in head.findings:
        known = left[found.fingerprint] > 0 and found.kind is not FindingKind.OPEN
        left[found.fingerprint] -= known
        findings.append(replace(found, is_new=not known) if found.kind is FindingKind.FAIL else found)
        if found.kind is FindingKind.IGNORED and found.fingerprint not in before_ignored:
            hidden.append(_describe_ignore(found, known=known))
    present, before = {dump.device for dump in head.dumps}, frozenset(devices)
    unsure = {(f.rule, f.device, f.port) for f in head.of_kind(FindingKind.OPEN)}
    fixed: list[ReportedFinding] = []
    lost: list[ReportedFinding] = []
    for found in base:
        if found.kind is FindingKind.FAIL and left[found.fingerprint] > 0:
            left[found.fingerprint] -= 1
            ends = {found.device, *({found.peer} & before)}
            is_seen = ends <= present and (found.rule, found.device, found.port) not in unsure
            (fixed if is_seen else lost).append(replace(found, is_new=None))
    return replace(
        head, findings=tuple(findings), compared=ReportComparison(name, tuple(fixed), tuple(lost), tuple(hidden))
    )


def _describe_ignore(found: ReportedFinding, *, known: bool) -> Notice:
    what = f"{found.rule} {found.name} at {found.device} {found.port or ''}".rstrip()
    was = "was found before" if known else "is new"
    return Notice(f"{what} {was} and is ignored now: {found.ignored}", found.file, found.line)


def keep_ignores(head: Report, base: Sequence[ReportedFinding]) -> Report:
    """Return *head* with the ignores of *base* applied."""
    reasons = {f.fingerprint: f.ignored for f in base if f.kind is FindingKind.IGNORED}
    return replace(
        head,
        findings=tuple(
            replace(f, kind=FindingKind.IGNORED, ignored=reasons[f.fingerprint])
            if f.kind is FindingKind.FAIL and f.fingerprint in reasons
            else f
            for f in head.findings
        ),
    )


def list_edits(
    head: Intents | None, base: Intents | None, heads: Sequence[Ignore], bases: Sequence[Ignore], file: str
) -> Iterator[Notice]:
    """Yield a notice for each edit of the intent in *file* and of ignores."""
    if _extract_judgement(head) != _extract_judgement(base):
        done = "declares" if base is None else "removes" if head is None else "edits"
        yield Notice(f"the change {done} the intent, links or rules", None if head is None else file)
    before, after = Counter(map(_strip_place, bases)), Counter(map(_strip_place, heads))
    for ignore in heads:
        if after[_strip_place(ignore)] > before[_strip_place(ignore)]:
            after[_strip_place(ignore)] -= 1
            said = f"the change ignores {', '.join(ignore.rules)}: {ignore.reason or 'no reason given'}"
            yield Notice(said, ignore.file, ignore.line)
    for ignore in bases:
        if before[_strip_place(ignore)] > after[_strip_place(ignore)]:
            before[_strip_place(ignore)] -= 1
            yield Notice(f"the change no longer ignores {', '.join(ignore.rules)}: {ignore.reason}")


def _extract_judgement(intents: Intents | None) -> object:
    """Return the content of an intent without its places."""
    if intents is None:
        return None
    rules = tuple(replace(change, file="", line=0) for change in intents.tuning.rules)
    packs = tuple(pack for pack, _, _ in intents.tuning.packs_off)
    expected = replace(intents.expected, file="", line=0, folder="") if intents.expected else None
    campaigns = tuple(replace(each, file="", line=0) for each in intents.campaigns)
    return intents.general, intents.roles, intents.cables, intents.links, rules, packs, expected, campaigns


def _strip_place(ignore: Ignore) -> Ignore:
    """Return an ignore without its place."""
    return replace(ignore, file="", line=0, lines=None if ignore.lines is None else range(0))


def align_names(base: Snapshot, head: Snapshot) -> Snapshot:
    """Return *base*, in which a device whose files were only renamed or moved has the name that it has in *head*.

    A dump without a hostname is called after its file or folder, and a finding is known again by that name.
    """
    there, here = {unit.name for unit in head.units}, {unit.name for unit in base.units}
    gone = [unit for unit in base.units if unit.name not in there]
    come = [unit for unit in head.units if unit.name not in here]
    names = _match_renamed(gone, come)
    return replace(base, units=tuple(replace(u, name=names.get(id(u), u.name)) for u in base.units))


def find_renamed(base: Sequence[tuple[str, DeviceUnit]], head: Sequence[tuple[str, DeviceUnit]]) -> dict[str, str]:
    """Return the new name of each device of *base*, given as name and dumps, that *head* has under a new name alone."""
    there, here = {name for name, _ in head}, {name for name, _ in base}
    gone = [replace(unit, name=name) for name, unit in base if name not in there]
    come = [replace(unit, name=name) for name, unit in head if name not in here]
    names = _match_renamed(gone, come)
    return {unit.name: names[id(unit)] for unit in gone if id(unit) in names}


def _match_renamed(gone: Sequence[DeviceUnit], come: Sequence[DeviceUnit]) -> dict[int, str]:
    """Return the new name of each unit of *gone* that is one of *come*, by its identity."""
    names: dict[int, str] = {}
    by_lines: dict[object, list[DeviceUnit]] = {}
    for unit in come:
        by_lines.setdefault((unit.os, _join_lines(unit)), []).append(unit)
    for unit in gone:
        if same := by_lines.get((unit.os, _join_lines(unit))):
            names[id(unit)] = same.pop(0).name
    taken = set(names.values())
    gone = [unit for unit in gone if id(unit) not in names]
    come = [unit for unit in come if unit.name not in taken]
    if len(gone) * len(come) > MAX_PAIRS:
        return names
    bags = {id(unit): Counter(_join_lines(unit)) for unit in (*gone, *come)}
    pairs = [(_measure_likeness(bags[id(a)], bags[id(b)]), a, b) for a in gone for b in come if a.os == b.os]
    for alike, a, b in sorted(pairs, key=lambda pair: -pair[0]):
        if alike >= LEAST_ALIKE and id(a) not in names and b.name not in taken:
            names[id(a)] = b.name
            taken.add(b.name)
    return names


def _join_lines(unit: DeviceUnit) -> tuple[str, ...]:
    return tuple(line for capture in unit.captures for line in capture.lines)


def _measure_likeness(a: Counter[str], b: Counter[str]) -> float:
    """Return the share of the longer dump's lines that both dumps have."""
    return (a & b).total() / max(a.total(), b.total(), 1)


def relabel(snapshot: Snapshot, names: Sequence[tuple[str, str]], *, places: bool) -> Snapshot:
    """Return *snapshot* with other paths: *names* are pairs of a prefix and its replacement.

    `places`: the lines that prove a value move, too.
    """

    def rename(name: str) -> str:
        return next((new for old, prefix in names if (new := _move(name, old, prefix)) is not None), name)

    return Snapshot(
        tuple(
            replace(
                unit,
                source=rename(unit.source),
                captures=tuple(replace(c, file=rename(c.file)) for c in unit.captures) if places else unit.captures,
            )
            for unit in snapshot.units
        ),
        snapshot.skipped,
        tuple(replace(problem, name=rename(problem.name)) if places else problem for problem in snapshot.problems),
        cables=snapshot.cables,
    )


def _move(name: str, old: str, new: str) -> str | None:
    """Return *name* with the path *new* in place of its beginning *old*; None for another beginning.

    >>> _move("/tmp/x/fabric/leaf1.cfg", "/tmp/x", "."), _move("/tmp/xy", "/tmp/x", "a"), _move("/a", "/a", "b")
    ('fabric/leaf1.cfg', None, 'b')
    """
    if name == old:
        return new
    if not name.startswith(f"{old}/"):
        return None
    rest = name[len(old) + 1 :]
    return rest if new == "." else f"{new}/{rest}"
