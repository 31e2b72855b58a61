"""The error that stops an audit."""

from auditor.util.printable import shorten


class CannotAudit(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The audit cannot run; the message gives the reason and the remedy."""

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message))
