"""The error that stops an audit."""


class CannotAudit(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The audit cannot run; the message gives the reason and the remedy."""
