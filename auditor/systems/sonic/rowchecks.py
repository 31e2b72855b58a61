"""All that is held against the rows of a SONiC configuration."""

from collections.abc import Iterator, Mapping, Sequence

from auditor.model.rows import RowCheck, RowFaultKind
from auditor.systems.sonic.config import Config
from auditor.systems.sonic.constraints import CONSTRAINTS
from auditor.systems.sonic.effects import CURVES, list_idle_curves, list_left_out
from auditor.systems.sonic.judge import judge_rows
from auditor.systems.sonic.refusals import list_refusals
from auditor.systems.sonic.rows import Row
from auditor.systems.sonic.switch import ShowEvidence


def list_row_checks(
    rows: Mapping[str, Sequence[Row]], config: Config, shown: ShowEvidence, *, is_cut: bool
) -> Iterator[RowCheck]:
    """Yield each check whose evidence the dumps hold."""
    if CONSTRAINTS.keys() & rows.keys():
        faults = judge_rows(rows, whole=config.complete and not is_cut)
        yield RowCheck(RowFaultKind.REFUSED_BY_MODEL, faults)
    if config.entries.get(CURVES) and not is_cut:
        yield RowCheck(RowFaultKind.IDLE_CURVE, tuple(list_idle_curves(config)))
    if shown.lookup and config.ports and not is_cut:
        yield RowCheck(RowFaultKind.NO_LOOKUP, tuple(list_left_out(config, shown.lookup)))
    if shown.operation.logged:
        yield RowCheck(RowFaultKind.REFUSED_BY_SWITCH, tuple(list_refusals(shown.operation, rows)))
