"""Why a device could not be pulled, or a command was not answered, and which of that may be tried again."""

from enum import StrEnum


class Kind(StrEnum):
    """What went wrong, in the words of the manifest."""

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


class Failure(Exception):  # noqa: N818  it becomes a line of the summary, not a traceback
    """A device or a command failed; the message is for people and holds no secret."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


BACKOFF_S = (1.0, 3.0)
"""How long to wait before the second and the third attempt. There is no fourth."""


def wait_before_retry(kind: Kind, attempts: int) -> float | None:
    """Return the seconds to wait after *attempts* that ended in *kind*, None where there is no further attempt.

    Only what the network did is tried again: a wrong password tried again locks an account. A command that printed too
    much costs its session, and the commands after it get another.

    >>> [wait_before_retry(kind, 1) for kind in (Kind.TRANSPORT, Kind.AUTHENTICATION, Kind.TOO_LARGE)]
    [1.0, None, 0.0]
    >>> wait_before_retry(Kind.TRANSPORT, 3) is None
    True
    """
    if kind not in {Kind.TRANSPORT, Kind.TOO_LARGE} or attempts > len(BACKOFF_S):
        return None
    return BACKOFF_S[attempts - 1] if kind is Kind.TRANSPORT else 0.0
