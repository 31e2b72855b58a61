"""Lines of a configuration that read like quality of service and were not understood."""

import re
from collections.abc import Iterable, Iterator, Sequence

from auditor.grammar.slips import find_slip, list_slipped
from auditor.model.dump import Capture, Doubt, LineState
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.values import dataclass

QOS_WORDS = regex(
    r"\b(?:minimum|maximum|min|max|pause|resume)-threshold\b|\b(?:drop|mark)-probability\b|\b(?:qos-group|no-drop)\b|"
    r"\bwatch-?dog\b|\b(?:pfc|wred|ecn|dscp|precedence)\b|\b(?:queue-limit|shape|shaping|max-bandwidth|dwrr|wrr)\b|"
    r"\b(?:transmit-rate|buffer-size|tx-queue|load-sharing|breakout)\b|\b(?:strict|dwrr) queue\b|"
    r"\bpriority level\b|\bbandwidth .*percent\b|^\s*speed\b",
    re.IGNORECASE,
)
"""Words of quality of service in every system."""
MIN_PREFIX = 3
_LINES_OF_HEAD = 4


@dataclass(frozen=True, slots=True)
class Ending:
    """The line that ends the whole running configuration of a system, and a line of the head of a printed one."""

    head: re.Pattern[str]
    last: str

    def find_cut(self, capture: Capture) -> Iterator[Doubt]:
        """Yield a doubt where *capture* begins as a whole configuration does, and does not end so."""
        written = [index for index, line in enumerate(capture.lines) if line.strip()]
        if any(self.head.match(capture.lines[index]) for index in written[:_LINES_OF_HEAD]) and not any(
            line.strip() == self.last for line in capture.lines
        ):
            why = f"the configuration is cut: nothing below ends it with {self.last!r}"
            yield Doubt(capture.where(written[-1]), redact(capture.lines[written[-1]].strip())[:200], why, fatal=True)


def doubts_of(
    capture: Capture, states: Sequence[LineState], reads_like_qos: re.Pattern[str], commands: Iterable[str], system: str
) -> list[Doubt]:
    """Return the lines that read like quality of service and were not understood, and a last line cut in two.

    A keyword with a slip makes a line one of them, whatever became of it: its other words may have been understood.
    *commands* are words that a cut last line could have begun; *system* is the operating system's name for people.
    """
    unknown = f"no {system} quality-of-service command that is known here"
    found = []
    slipped, unread = list_slipped(capture.lines), LineState.UNRECOGNISED
    open_lines = [index for index, state in enumerate(states) if state is unread]
    if slipped:
        open_lines = sorted({*open_lines, *(index for index, line in enumerate(capture.lines) if line in slipped)})
    for index in open_lines:
        line, state = capture.lines[index], states[index]
        slip = find_slip(line, first_only=state is LineState.IGNORED)
        if slip or (state is unread and (reads_like_qos.search(line) or QOS_WORDS.search(line))):
            why = f"expected {slip[1]} in the place of {slip[0]}" if slip else unknown
            found.append(Doubt(capture.where(index), redact(line.strip())[:200], why))
    last = capture.lines[-1].split() if capture.ends_mid_line and capture.lines else []
    if last and states[-1] is LineState.UNRECOGNISED and len(last[-1]) >= MIN_PREFIX:
        words = {*commands, *(word for line in capture.lines[:-1] for word in line.split())}
        if any(word.startswith(last[-1]) for word in words) and last[-1] not in words:
            where = capture.where(len(capture.lines) - 1)
            found.append(
                Doubt(where, redact(capture.lines[-1].strip())[:200], "the dump ends inside a line", fatal=True)
            )
    return found
