"""Errors of devices and commands during a pull, and the errors that allow a retry."""

from enum import StrEnum


class ErrorKind(StrEnum):
    """The kind of an error, in the words of the manifest."""

    TRANSPORT = "transport"
    NAME = "name"
    AUTHENTICATION = "authentication"
    HOST_KEY = "host key"
    PROMPT = "prompt"
    PLATFORM = "platform"
    TIMEOUT = "timeout"
    TOO_LARGE = "too large"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    NOT_TRIED = "not tried"
    REFUSED = "refused"
    DISK = "disk"
    FLOOD = "flood"
    CRASHED = "crashed"


class PullError(Exception):
    """An error of a device or a command; the message is for people and holds no secret."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


BACKOFF_S = (1.0, 3.0)
"""Seconds before the second and the third attempt; no fourth attempt follows."""


def wait_before_retry(kind: ErrorKind, attempts: int) -> float | None:
    """Return the seconds to wait after *attempts* that ended in *kind*; None if no further attempt follows.

    Only errors of the network allow a retry: a repeated wrong password locks an account. A command that prints too
    much ends its session, and the commands after it get a new session.

    >>> [wait_before_retry(kind, 1) for kind in (ErrorKind.TRANSPORT, ErrorKind.AUTHENTICATION, ErrorKind.TOO_LARGE)]
    [1.0, None, 0.0]
    >>> wait_before_retry(ErrorKind.TRANSPORT, 3) is None
    True
    """
    if kind not in {ErrorKind.TRANSPORT, ErrorKind.TOO_LARGE} or attempts > len(BACKOFF_S):
        return None
    return BACKOFF_S[attempts - 1] if kind is ErrorKind.TRANSPORT else 0.0
