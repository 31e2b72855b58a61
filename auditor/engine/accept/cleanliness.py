"""Rules that must have no finding at a device, or about its cables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule
from auditor.engine.accept.candidate import FarEnd
from auditor.engine.accept.match import is_match
from auditor.engine.accept.spec import RuleWord
from auditor.engine.accept.values import Detail, Item, ItemState
from auditor.engine.errors import CannotAudit
from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.model.extent import sum_extents
from auditor.model.finding import FindingKind, Level
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

_LEVEL = "level:"
_ANY = "*"
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
        cabled = {rule.file.id for rule in report.catalogue if rule.check.scope is Scope.LINK}
        self._own: dict[str, list[ReportedFinding]] = {}
        self._far: dict[tuple[str, str], list[ReportedFinding]] = {}
        for found in report.findings:
            if found.kind is not FindingKind.IGNORED and clean.covers(found.rule, found.level):
                self._own.setdefault(found.device, []).append(found)
                if found.rule in cabled and found.kind is FindingKind.FAIL:
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
        alone: dict[tuple[object, ...], list[tuple[str, ReportedFinding]]] = {}
        at = _map_places(items)
        for port, each in failed:
            places = ((each.file, each.line), *((place.file, place.line) for place in each.related))
            owners = (port, "") if port else (_ANY,)
            index = next((at[key] for place in places for owner in owners if (key := (owner, *place)) in at), None)
            if index is None:
                line = (each.file, each.line) if each.line else port
                alone.setdefault((each.rule, line), []).append((port, each))
            else:
                rules = dict.fromkeys((*result[index].rules, each.rule))
                result[index] = replace(result[index], rules=tuple(rules))
        left: dict[str, list[tuple[str, ReportedFinding]]] = {}
        for port, each in found:
            if each.kind is FindingKind.OPEN:
                left.setdefault(each.rule, []).append((port, each))
        result += (_join(device, group, ItemState.FAIL) for group in alone.values())
        result += (_join(device, group, ItemState.NOT_SHOWN) for group in left.values())
        if self._is_asked and not failed and not left:
            result.append(self._sum_up(device))
        return result

    def _list(self, device: str, far: Mapping[str, FarEnd]) -> Iterator[tuple[str, ReportedFinding]]:
        """Yield the findings at a device, and the failures of its cables at their far ends, with its own port."""
        yield from ((found.port or "", found) for found in self._own.get(device, ()))
        for port, end in far.items():
            there = self._far.get((end.device, end.port), ())
            yield from ((port, found) for found in there if found.peer == device)

    def _sum_up(self, device: str) -> Item:
        count = self._decided.get(device, 0)
        state = ItemState.PASS if count else ItemState.NOT_SHOWN
        return Item(device, "", "rules", EXPECTED, f"{count} rules judged it" if count else "no rule judged it", state)

    def list_failures(self, device: str) -> list[ReportedFinding]:
        """Return the failures at a device itself."""
        return [found for found in self._own.get(device, ()) if found.kind is FindingKind.FAIL]


def _map_places(items: Sequence[Item]) -> Mapping[tuple[str, str | None, int | None], int]:
    """Return the index of the first item that fails by each line, by port, file and line; also by line at any port."""
    found: dict[tuple[str, str | None, int | None], int] = {}
    for index, item in enumerate(items):
        if item.state is ItemState.FAIL and item.line:
            for port in (*(item.ports or ("",)), _ANY):
                found.setdefault((port, item.file, item.line), index)
    return found


def _join(device: str, group: Sequence[tuple[str, ReportedFinding]], state: ItemState) -> Item:
    """Return the item of findings of one rule; those of further ports stand with the first."""
    (first, found), *rest = group
    alike = tuple(port for port, each in rest if port and each.message == found.message)
    others = ((port, each) for port, each in rest if each.message != found.message)
    also = tuple(Detail(f"{port} {each.rule}".lstrip(), EXPECTED, each.message) for port, each in others)
    return replace(_make_item(device, first, found, state), also=also, more_ports=alike)


def _make_item(device: str, port: str, found: ReportedFinding, state: ItemState) -> Item:
    name = "" if found.device == device else f"{found.device} {found.port}: "
    what = f"{found.rule} {found.name}".rstrip()
    return Item(device, port, what, EXPECTED, f"{name}{found.message}", state, found.file, found.line)
