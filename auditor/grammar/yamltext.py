"""YAML and JSON of dumps as events: JSON is YAML too, and an error names its line."""

import re
from collections.abc import Iterator

import yaml

from auditor.model.dump import Capture, Doubt
from auditor.util.redact import redact
from auditor.util.regex import regex
from auditor.util.yamlfile import SAFE_LOADER, blank_breaks

MAX_DEPTH = 50
_ESCAPE = regex(r"\\(?:u(?P<high>[dD][89a-fA-F][0-9a-fA-F]{2})(?:\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2}))?|.)")


def events(capture: Capture) -> Iterator[tuple[int, yaml.Event]]:
    """Yield the events of the file in the order of writing, each with the index of the line on which it begins.

    What is missing at the end of a cut file is on its last line. Raises what `doubt_of` makes a doubt of.
    """
    text = "\n".join(capture.lines)
    if text.lstrip()[:1] in {"[", "{"}:
        text = _ESCAPE.sub(_character, text.replace("\t", " "))  # YAML takes neither tabs nor surrogate pairs
    last = len(capture.lines) - 1
    for event in yaml.parse(blank_breaks(text), Loader=SAFE_LOADER):
        yield min(event.start_mark.line, last) if event.start_mark else 0, event


def doubt_of(capture: Capture, error: yaml.YAMLError | ValueError, expected: str) -> Doubt:
    """Return what is wrong with the file, as a fatal doubt."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Doubt(capture.where(0), "", f"not YAML: {str(error)[:120]}", fatal=True)
    mark = error.problem_mark or error.context_mark
    last = min(mark.line if mark else 0, len(capture.lines) - 1)
    why = f"not YAML: {error.problem or error.context}; expected {expected}"
    return Doubt(capture.where(last), redact(capture.lines[last].strip())[:80], why, fatal=True)


def _character(escape: re.Match[str]) -> str:
    """Return what an escape of JSON stands for where it is one that YAML does not have: halves of surrogate pairs."""
    high, low = escape["high"], escape["low"]
    if high is None:
        return escape[0]
    if low is None or not high.lower().startswith(("d8", "d9", "da", "db")):
        return "\ufffd"
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
