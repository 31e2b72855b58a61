"""Findings that a site accepts: each failure that an ignore covers, and each ignore without effect."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TypeAlias

from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule
from auditor.checks.catalogue import load_rules as every_rule
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Notice
from auditor.intent.ignore import Ignore
from auditor.model.finding import FindingKind
from auditor.util.suggest import suggest

MOST_SUGGESTED = 256
"""Names of no rule for which near names are sought: a site mistypes a few, a hostile dump as many as it has lines."""
MOST_TOLD = 20
"""Comments without effect in one dump that a warning tells of, each by itself."""
Names: TypeAlias = Mapping[str, frozenset[str]]
"""All names of a rule by its id."""


def apply_ignores(
    findings: Sequence[ReportedFinding], ignores: Sequence[Ignore], rules: Sequence[Rule], today: date | None
) -> tuple[tuple[ReportedFinding, ...], tuple[Notice, ...]]:
    """Return the findings, ignored where an ignore covers them, and a notice for each useless ignore."""
    names = {rule.file.id: rule.names for rule in (*every_rule(), *rules)}
    explain = _make_judge(frozenset[str]().union(*names.values()), today)
    useless = {ignore: why for ignore in ignores if (why := explain(ignore))}
    valid = [ignore for ignore in ignores if ignore not in useless]
    index = _Index(valid, findings, names)
    covering = [index.find(found) for found in findings]
    while over := _list_overstretched(covering):
        useless |= over
        index.drop(over)
        covering = [
            index.find(found) if ignore in over else ignore for found, ignore in zip(findings, covering, strict=True)
        ]
    used = {ignore for ignore in covering if ignore}
    idle = (ignore for ignore in valid if not (ignore in useless or ignore in used or ignore.is_optional))
    useless |= dict.fromkeys(idle, "no finding matches this ignore")
    decided = [
        replace(found, kind=FindingKind.IGNORED, ignored=str(ignore)) if ignore else found
        for found, ignore in zip(findings, covering, strict=True)
    ]
    return tuple(decided), tuple(_tell(useless))


def _tell(useless: Mapping[Ignore, str]) -> Iterator[Notice]:
    """Yield a notice for each useless ignore; of the comments in one dump, the first ones and the number of others."""
    counts: Counter[str] = Counter()
    for ignore, why in useless.items():
        counts[ignore.file] += ignore.lines is not None
        if ignore.lines is None or counts[ignore.file] <= MOST_TOLD:
            yield Notice(f"ignore of {', '.join(ignore.rules)}: {why}", ignore.file, ignore.line)
    for file, count in counts.items():
        if count > MOST_TOLD:
            yield Notice(f"{count - MOST_TOLD} more comments of this dump are ignores without effect", file)


class _Index:
    """Ignores by what they name, so that a finding meets those alone that may cover it.

    A comment is kept at the lines with *findings* that it covers, an entry at its devices where it names them.
    """

    def __init__(self, ignores: Sequence[Ignore], findings: Sequence[ReportedFinding], names: Names) -> None:
        self._names = names
        self._kept: dict[tuple[object, ...], dict[int, Ignore]] = defaultdict(dict)
        self._dropped: frozenset[Ignore] = frozenset()
        lines = _sort_lines(findings)
        for number, ignore in enumerate(ignores):
            for place in _list_places(ignore, lines):
                for rule in ignore.rules:
                    self._kept[rule, *place][number] = ignore

    def drop(self, over: Iterable[Ignore]) -> None:
        """Let the ignores *over* cover nothing more."""
        self._dropped = self._dropped.union(over)

    def find(self, found: ReportedFinding) -> Ignore | None:
        """Return the first ignore that covers a failure."""
        if found.kind is not FindingKind.FAIL or not self._kept:
            return None
        names, place = self._names[found.rule], (found.file, found.line)
        places = ((), (found.device,), place)
        near: dict[int, Ignore] = {}
        for name in names:
            for each in places:
                near |= self._kept.get((name, *each), {})
        ordered = (near[number] for number in sorted(near))
        valid = (each for each in ordered if each not in self._dropped) if self._dropped else ordered
        return next((e for e in valid if e.covers(names, found.device, found.port, place, found.message)), None)


def _sort_lines(findings: Iterable[ReportedFinding]) -> Mapping[str, Sequence[int]]:
    """Return the lines of failures by file, in their order."""
    lines: dict[str, set[int]] = defaultdict(set)
    for found in findings:
        if found.kind is FindingKind.FAIL and found.file is not None and found.line is not None:
            lines[found.file].add(found.line)
    return {file: sorted(own) for file, own in lines.items()}


def _list_places(ignore: Ignore, lines: Mapping[str, Sequence[int]]) -> Iterator[tuple[object, ...]]:
    """Yield where an ignore is kept: at each line with a failure, at each device, or at none where it has patterns."""
    if ignore.lines is not None:
        own = lines.get(ignore.file, ())
        yield from (
            (ignore.file, line)
            for line in own[bisect_left(own, ignore.lines.start) : bisect_left(own, ignore.lines.stop)]
        )
    elif any(set("*?[").intersection(device) for device in ignore.devices):
        yield ()
    else:
        yield from ((device,) for device in ignore.devices)


def _list_overstretched(covering: Iterable[Ignore | None]) -> Mapping[Ignore, str]:
    """Return the ignores that cover more findings than they may, and why they have no effect."""
    return {
        each: f"covers {count} findings, more than the {each.most} that it may: no effect"
        for each, count in Counter(covering).items()
        if each and each.most and count > each.most
    }


def _make_judge(known: AbstractSet[str], today: date | None) -> Callable[[Ignore], str]:
    """Return what tells why an ignore has no effect, empty where it has; *known* are the names of rules."""
    fixed = frozenset[str]().union(*(r.names for r in every_rule() if r.check.scope is Scope.COMPARISON))
    listed = sorted(known)
    left = iter(range(MOST_SUGGESTED))

    @cache
    def find_near(name: str) -> str:
        return suggest(name, listed) if next(left, None) is not None else ""

    def explain(ignore: Ignore) -> str:
        strangers = [rule for rule in ignore.rules if rule not in known]
        if strangers or not ignore.rules:
            message = f"no rule is named {', '.join(strangers) or 'in it'}"
            near = find_near(strangers[0]) if strangers else ""
            return f"{message}; {near}" if near else message
        if fixed >= {*ignore.rules}:
            return "only `retired` in the base of a comparison permits a device or port to leave the audit"
        if not ignore.reason:
            return "the ignore has no reason and is not applied; add a reason"
        if ignore.expires and today and today > ignore.expires:
            return f"the ignore expired on {ignore.expires}"
        return ""

    return explain
