"""What netmiko and paramiko raise, as one line for people."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import netmiko
import paramiko

from auditor.collect import hostkeys
from auditor.collect.connection import Way
from auditor.collect.failure import Failure, Kind


@contextmanager
def failures(way: Way) -> Iterator[None]:
    """Turn whatever netmiko and paramiko raise into a Failure with one line for people."""
    try:
        yield
    except Failure as failure:
        raise _with_proxy(way, failure) from None
    except Exception as error:  # noqa: BLE001  a device must not end the run, whatever it makes a library do
        way.watch.check()
        raise _with_proxy(way, _failure(error)) from None


def _with_proxy(way: Way, failure: Failure) -> Failure:
    """Return *failure* with what the jump host said, where the connection leads over one and broke."""
    if not way.route.proxy or failure.kind is not Kind.TRANSPORT:
        return failure
    said = way.close()
    return Failure(failure.kind, f"{failure.message} (over {way.route.jumps[-1]}{f': {said}' if said else ''})")


def _failure(error: BaseException) -> Failure:
    """Return what *error* or the error behind it means."""
    cause = error.__context__ if isinstance(error, netmiko.NetmikoTimeoutException) and error.__context__ else error
    for kind, message in _MEANINGS.items():
        if isinstance(cause, kind):
            return message(cause)
    text = " ".join(str(cause).split())[:300]
    return Failure(Kind.TRANSPORT, text or type(cause).__name__)


def _of_key(error: Any) -> Failure:  # noqa: ANN401
    shown = f"{error.key.get_name()} {error.key.fingerprint}"
    return Failure(Kind.HOST_KEY, f"its host key has changed: now {shown}; known is {error.expected_key.fingerprint}")


def _of_login(error: BaseException) -> Failure:
    """Return what became of a login; one that got no answer may have counted as well, and is not tried again either."""
    text = str(error)
    if "timeout" in text.lower() or "EOF" in text:
        return Failure(Kind.AUTHENTICATION, "the device did not answer the login")
    return Failure(Kind.AUTHENTICATION, "the login is refused")


def _of_ssh(error: BaseException) -> Failure:
    text = str(error)
    if "No authentication methods" in text:
        return Failure(Kind.AUTHENTICATION, "nothing to log in with: no key, no agent, no password")
    return Failure(Kind.TRANSPORT, " ".join(text.split())[:300] or "the SSH connection failed")


def _of_socket(error: BaseException) -> Failure:
    if isinstance(error, TimeoutError):
        return Failure(Kind.TRANSPORT, "no answer from its address")
    reasons = getattr(error, "errors", None)
    inner = next(iter(reasons.values())) if reasons else error
    return Failure(Kind.TRANSPORT, str(getattr(inner, "strerror", None) or inner).lower())


_MEANINGS: dict[type[BaseException], Callable[[Any], Failure]] = {
    paramiko.BadHostKeyException: _of_key,
    hostkeys.HostKeyRefused: lambda error: Failure(Kind.HOST_KEY, str(error)),
    paramiko.AuthenticationException: _of_login,
    socket.gaierror: lambda _: Failure(Kind.NAME, "its name is not known"),
    netmiko.ReadTimeout: lambda _: Failure(Kind.PROMPT, "no prompt came"),
    netmiko.NetmikoTimeoutException: lambda _: Failure(Kind.PROMPT, "no prompt came"),
    paramiko.SSHException: _of_ssh,
    ValueError: lambda _: Failure(Kind.PROMPT, "no prompt was recognised"),
    OSError: _of_socket,
    EOFError: lambda _: Failure(Kind.TRANSPORT, "the device closed the connection"),
}
"""The first that fits counts."""
