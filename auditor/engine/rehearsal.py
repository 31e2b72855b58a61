"""One audit after another of the same dumps, each with other lines in some of them; what is alike is done once."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Self

from auditor.engine.dumps import Dumps
from auditor.engine.earlier import Copies
from auditor.engine.options import Options
from auditor.engine.result import Report
from auditor.engine.settings import read_intent
from auditor.engine.sides import join, judge_joined, read_head, read_settings, settle, today
from auditor.inputs.bundle import Bundle
from auditor.inputs.recall import recall_snapshot
from auditor.inputs.snapshot import Snapshot
from auditor.intent import Intents
from auditor.model.fabric import Fabric
from auditor.util.codec import make_codec
from auditor.util.values import dataclass

BESIDE = frozenset({"jobs", "cluster", "cache", "stdin", "notify", "progress"})
"""Options that decide how a run works, and not what its report says: what is read from `stdin` is among the dumps."""


@dataclass(frozen=True, slots=True)
class JudgedFabric:
    """The fabric in a set of dumps, its intents, the report on it, and the dumps."""

    model: Fabric
    intents: Intents
    report: Report
    inputs: Snapshot


class Rehearsal:
    """The dumps in *paths*, opened and recognised once; devices that an audit leaves alone are read and checked once.

    Raises CannotAudit as `audit` does. Use it in a `with` statement, which ends its child processes.
    """

    def __init__(self, paths: Sequence[str], options: Options) -> None:
        self._paths = paths
        self._options = options
        self._dumps = Dumps(options)
        try:
            declared = read_intent(paths, options)
            self._settings = read_settings(paths, options, declared, Copies(), self._dumps)
            self._opened = self._dumps.finder.open_all(paths, self._settings.expected)
        except BaseException:
            self._dumps.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._dumps.__exit__()

    @cached_property
    def _found(self) -> Snapshot:
        found = self._sort(self._opened.bundle)
        self._opened = replace(self._opened, bundle=Bundle())  # the devices hold all lines that are needed
        return found

    def _sort(self, bundle: Bundle) -> Snapshot:
        """Return the devices of *bundle*, which is that of the paths or a part of it."""
        return self._dumps.finder.sort(replace(self._opened, bundle=bundle))

    def judge(self, change: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot) -> JudgedFabric:
        """Return the fabric with the report on it, of the dumps that *change* makes of those that were found."""
        side = read_head(change(self._found), self._dumps, self._options)
        judge = settle(self._settings, side, self._dumps, self._options)
        joined = join(side, judge)
        report = judge_joined(side, joined, judge, (*judge.intents.ignores, *side.comments), today())
        return JudgedFabric(joined.fabric, report.judged_by or judge.intents, report, side.snapshot)

    def recall_or_make(self, make: Callable[[], Report], *parts: str) -> Report:
        """Return the report that an earlier run kept for the same dumps, settings and *parts*, else that of *make*."""
        key = self._make_key(parts)
        known = self._dumps.recall_report(key) if key else None
        if known is not None:
            inputs = recall_snapshot(known.inputs, self._opened.bundle, self._sort)
            return replace(known, catalogue=self._settings.rules, inputs=inputs)
        report = make()
        if key:
            self._dumps.keep_report(key, replace(report, catalogue=(), inputs=replace(self._found, units=())))
        return report

    def _make_key(self, parts: Sequence[str]) -> str | None:
        """Return a key of all that decides the report; None where something else does, such as a site's own Python."""
        options, settings = self._options, self._settings
        is_told = options.earlier is None and options.simulate_events is None and not options.suggest
        if options.cache is None or not is_told or not all(rule.check.repeats for rule in settings.site):
            return None
        told = {field.name: getattr(options, field.name) for field in fields(options) if field.name not in BESIDE}
        site = [repr((rule.file, rule.check.run)) for rule in settings.site]
        declared = make_codec(Intents).encode(settings.declared) if settings.declared else ""
        cables = [repr(cable) for cable in settings.cables]
        beside = (declared, site, cables, settings.inventory)
        return self._dumps.make_report_key(self._opened, repr(told), str(today()), self._paths, *beside, parts)
