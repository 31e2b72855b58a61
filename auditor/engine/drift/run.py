"""A comparison over time as one run: states read, changes found, explained, and judged by the rules of today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.engine.drift.changes import Tables, list_changes, mark_reverted, remember
from auditor.engine.drift.explain import PlannedChange, explain
from auditor.engine.drift.history import History, expand_paths
from auditor.engine.drift.judge import Judging, judge_state, read_campaigns
from auditor.engine.drift.model import Change, Drift, Moment, SeenDevice, State
from auditor.engine.dumps import Dumps
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.inputs.rawtext import Problem
from auditor.model.finding import FindingKind


def compare_states(
    paths: Sequence[str], options: Options, *, since: str = "", planned: Sequence[PlannedChange] = ()
) -> Drift:
    """Return what changed between the states in *paths*, the oldest first, or in the git history of one path.

    One folder without *since* holds folders or archives whose names are days. Raises CannotAudit.
    """
    paths = expand_paths("drift", paths, since)
    with Dumps(options) as dumps:
        history = History(dumps)
        states = history.read(paths, since)
        return _follow(states, history, Judging(paths[-1], dumps, options), planned)


def _follow(states: Iterator[State], history: History, judging: Judging, planned: Sequence[PlannedChange]) -> Drift:
    """Return the changes between each state and the next; a gap in captures of a device hides none."""
    tables = Tables()
    moments: list[Moment] = []
    changes: list[Change] = []
    seen: dict[str, SeenDevice] = {}
    state = None
    campaigns = read_campaigns(judging)
    for state in states:
        found = list_changes(seen, moments[-1], state, tables) if moments else []
        changes += [replace(change, explained_by=explain(change, planned, campaigns)) for change in found]
        seen.update(
            (name, remember(seen.get(name), device, state.at, tables)) for name, device in state.devices.items()
        )
        tables.forget(each.device for each in seen.values())
        moments.append(state.at)
        if not state.devices:
            history.note([Problem(state.at.label, None, "no dump in this capture: nothing is compared with it")])
    if state is None:
        raise CannotAudit("drift: no state was read")
    marked = mark_reverted(changes)
    judged = [*_add_rules(marked, state, judging)] if marked else []
    unseen = {name: each.at.label for name, each in seen.items() if name not in state.devices}
    return Drift(tuple(moments), len(state.devices), tuple(judged), unseen, (*history.problems, *tables.problems))


def _add_rules(changes: Sequence[Change], last: State, judging: Judging) -> Iterator[Change]:
    """Yield *changes* with the rules that find a fault at a line that a change has written and that still stands."""
    at = _judge(last, judging)
    for change in changes:
        devices = set(change.devices)
        lines = {(each.after.file, each.after.line) for each in change.settings if each.after.file}
        rules = {
            rule
            for (device, file, line), found in at.items()
            if device in devices
            for rule in found
            if (file, line) in lines
        }
        yield replace(change, rules=() if change.reverted else tuple(sorted(rules)))


def _judge(last: State, judging: Judging) -> Mapping[tuple[str, str, int], set[str]]:
    """Return the rules that fail in the last state, by device and line."""
    found: dict[tuple[str, str, int], set[str]] = {}
    for each in judge_state(last, judging).report.findings:
        if each.kind is FindingKind.FAIL and each.file and each.line:
            found.setdefault((each.device, each.file, each.line), set()).add(each.rule)
    return found
