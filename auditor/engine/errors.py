"""What stops an audit before it begins."""


class CannotAudit(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The work cannot be done; the message says why and what was expected."""
