"""The state database of SONiC: of all that it holds, how much headroom each port may have."""

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin
from auditor.parsers.sonic.config import PORT
from auditor.parsers.sonic.document import read
from auditor.parsers.sonic.operation import Operation
from auditor.parsers.sonic.shapes import find_rows
from auditor.parsers.sonic.vocabulary import LIMITS, MOST_HEADROOM


def read_state(capture: Capture, found: Operation) -> list[LineState]:
    """Read a dump of the state database; its other tables are nobody's business."""
    states = [LineState.IGNORED] * len(capture.lines)
    for row in find_rows(capture, read(capture)).rows.get(LIMITS, ()):
        place = row.place(MOST_HEADROOM)
        if PORT.fullmatch(row.key) and MOST_HEADROOM in row.body.fields:
            is_valid = MOST_HEADROOM not in row.body.invalid
            states[place.line - capture.first_line] = LineState.MODELLED if is_valid else LineState.UNRECOGNISED
            if is_valid:
                limit = Known(int(row.body.fields[MOST_HEADROOM]), Origin.LEARNED, place)
                found.port(row.key, row.where).headroom_limit_bytes = limit
    return states
