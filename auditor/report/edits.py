"""Edits of configuration files, as the lines of a difference."""

from collections.abc import Iterator

from auditor.engine.findings import FileEdit
from auditor.report.quote import Source
from auditor.util.printable import printable
from auditor.util.redact import redact


def list_differences(fix: FileEdit, source: Source) -> Iterator[str]:
    r"""Yield the lines that go and come, each with its number in the file before, secrets redacted.

    >>> from auditor.diagnosis.edit import Edit
    >>> fix = FileEdit("a.cfg", (Edit(9, 1, ("mtu 9216",)),))
    >>> list(list_differences(fix, lambda file, line: "mtu 1500"))
    ['9 - mtu 1500', '9 + mtu 9216']
    """
    gutter = len(str(max((edit.line for edit in fix.edits), default=0)))
    for edit in fix.edits:
        gone = ((number, "-", source(fix.file, number) or "") for number in range(edit.line, edit.line + edit.count))
        come = ((edit.line, "+", line) for line in edit.lines)
        for number, sign, text in (*gone, *come):
            yield printable(f"{number:>{gutter}} {sign} {redact(text)}")
