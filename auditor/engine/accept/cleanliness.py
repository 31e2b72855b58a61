"""Rules that must have no finding at a device or at the far ends of its cables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.checks.catalogue import Rule
from auditor.engine.accept.candidate import FarEnd
from auditor.engine.accept.match import is_match
from auditor.engine.accept.spec import RuleWord
from auditor.engine.accept.values import Item, ItemState
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.model.extent import sum_extents
from auditor.model.finding import FindingKind, Level
from auditor.util.suggest import add_suggestion

_LEVEL = "level:"
EXPECTED = "no finding"


@dataclass(frozen=True, slots=True)
class CleanRules:
    """Words that select rules, and by id of each rule all words that name it."""

    words: tuple[str, ...]
    names: Mapping[str, frozenset[str]]

    def covers(self, rule: str, level: Level) -> bool:
        """Return whether a finding of *rule* with this level is selected."""
        return any(
            word.removeprefix(_LEVEL) == level.value
            if word.startswith(_LEVEL)
            else any(is_match(name, word) for name in self.names.get(rule, {rule}))
            for word in self.words
        )


def select_rules(words: Sequence[RuleWord], catalogue: Sequence[Rule]) -> CleanRules:
    """Return the rules that *words* select; raises CannotAudit for a word that selects no rule of *catalogue*."""
    names = {rule.file.id: frozenset({*rule.names, rule.pack}) for rule in catalogue}
    levels = [f"{_LEVEL}{level.value}" for level in Level]
    known = [name for each in names.values() for name in each]
    for each in words:
        is_known = each.word in levels or any(is_match(name, each.word) for name in known)
        if not is_known:
            message = f"{each.place}: no rule, pack or level is named {each.word!r}"
            raise CannotAudit(add_suggestion(message, each.word, sorted({*levels, *known})))
    return CleanRules(tuple(each.word for each in words), names)


class Findings:
    """The findings of a report that are selected, by device, and how many rules decided something there."""

    def __init__(self, report: Report, clean: CleanRules) -> None:
        self._is_asked = bool(clean.words)
        self._own: dict[str, list[ReportedFinding]] = {}
        self._far: dict[tuple[str, str], list[ReportedFinding]] = {}
        for found in report.findings:
            if found.kind is not FindingKind.IGNORED and clean.covers(found.rule, found.level):
                self._own.setdefault(found.device, []).append(found)
                self._far.setdefault((found.device, found.port or ""), []).append(found)
        levels = {rule.file.id: rule.file.level for rule in report.catalogue}
        self._decided = {
            device.name: sum(
                each.decided > 0 and clean.covers(each.rule, levels[each.rule])
                for each in sum_extents(
                    (*device.extents, *(e for port in device.ports for part in port.extents for e in part))
                ).values()
                if each.rule in levels
            )
            for device in report.audited
        }

    def judge(self, device: str, far: Mapping[str, FarEnd], items: Sequence[Item]) -> list[Item]:
        """Return *items* of a device, those that fail with the rules that find fault with their lines, and the rest.

        A finding of another line is an item of its own, and so is each rule that the dumps leave open.
        """
        found = [*self._list(device, far)]
        failed = [each for each in found if each[1].kind is FindingKind.FAIL]
        result = list(items)
        alone: dict[tuple[str, str], Item] = {}
        for port, each in failed:
            places = {(each.file, each.line), *((place.file, place.line) for place in each.related)}
            at = next((n for n, item in enumerate(result) if _is_at(item, port, places)), None)
            if at is None:
                alone.setdefault((port, each.rule), _make_item(device, port, each, ItemState.FAIL))
            else:
                result[at] = replace(result[at], rules=tuple(dict.fromkeys((*result[at].rules, each.rule))))
        left = {each.rule: (port, each) for port, each in reversed(found) if each.kind is FindingKind.OPEN}
        not_shown = [_make_item(device, port, each, ItemState.NOT_SHOWN) for port, each in left.values()]
        result += (*alone.values(), *not_shown)
        if self._is_asked and not failed and not not_shown:
            result.append(self._sum_up(device))
        return result

    def _list(self, device: str, far: Mapping[str, FarEnd]) -> Iterator[tuple[str, ReportedFinding]]:
        """Yield the findings at a device and failures at the far ends of its cables, with the port of the device."""
        yield from ((found.port or "", found) for found in self._own.get(device, ()))
        for port, end in far.items():
            there = self._far.get((end.device, end.port), ())
            yield from ((port, found) for found in there if found.peer == device and found.kind is FindingKind.FAIL)

    def _sum_up(self, device: str) -> Item:
        count = self._decided.get(device, 0)
        state = ItemState.PASS if count else ItemState.NOT_SHOWN
        return Item(device, "", "rules", EXPECTED, f"{count} rules judged it" if count else "no rule judged it", state)

    def list_failures(self, device: str) -> list[ReportedFinding]:
        """Return the failures at a device itself."""
        return [found for found in self._own.get(device, ()) if found.kind is FindingKind.FAIL]


def _is_at(item: Item, port: str, places: set[tuple[str | None, int | None]]) -> bool:
    """Return whether *item* fails by one of the lines *places* of the port, or of the device as a whole."""
    is_there = item.state is ItemState.FAIL and item.port in {"", port} and item.line is not None
    return is_there and (item.file, item.line) in places


def _make_item(device: str, port: str, found: ReportedFinding, state: ItemState) -> Item:
    name = "" if found.device == device else f"{found.device} {found.port}: "
    what = f"{found.rule} {found.name}".rstrip()
    return Item(device, port, what, EXPECTED, f"{name}{found.message}", state, found.file, found.line)
