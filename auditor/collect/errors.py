"""Errors of netmiko and paramiko as one line for people."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import netmiko
import paramiko

from auditor.collect import hostkeys
from auditor.collect.connection import ConnectionWay
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.login import OtherQuestionError


@contextmanager
def translate_errors(way: ConnectionWay) -> Iterator[None]:
    """Raise PullError, one line for people, in place of errors of netmiko and paramiko."""
    try:
        yield
    except PullError as failure:
        raise _add_proxy_message(way, failure) from None
    except Exception as error:  # noqa: BLE001  a device must not end the run, whatever it makes a library do
        way.watch.check()
        raise _add_proxy_message(way, _translate_error(error)) from None


def _add_proxy_message(way: ConnectionWay, failure: PullError) -> PullError:
    """Return *failure* with the jump host's error line, if the connection over a jump host broke."""
    if not way.route.proxy or failure.kind is not ErrorKind.TRANSPORT:
        return failure
    said = way.close()
    return PullError(failure.kind, f"{failure.message} (over {way.route.jumps[-1]}{f': {said}' if said else ''})")


def _translate_error(error: BaseException) -> PullError:
    """Return *error*, or the error behind *error*, as a PullError."""
    cause = error.__context__ if isinstance(error, netmiko.NetmikoTimeoutException) and error.__context__ else error
    for kind, message in _MEANINGS.items():
        if isinstance(cause, kind):
            return message(cause)
    text = " ".join(str(cause).split())[:300]
    return PullError(ErrorKind.TRANSPORT, text or type(cause).__name__)


def _translate_key(error: Any) -> PullError:  # noqa: ANN401
    shown = f"{error.key.get_name()} {error.key.fingerprint}"
    return PullError(ErrorKind.HOST_KEY, f"host key changed: now {shown}; known: {error.expected_key.fingerprint}")


def _translate_login(error: BaseException) -> PullError:
    """Return the error of a login. A device may count a login that it did not answer, so no retry follows either."""
    text = str(error)
    if (inner := _find_question(error)) is not None:
        return PullError(ErrorKind.AUTHENTICATION, str(inner))
    if "timeout" in text.lower() or "EOF" in text:
        return PullError(ErrorKind.AUTHENTICATION, "the device did not answer the login")
    return PullError(ErrorKind.AUTHENTICATION, "login refused")


def _find_question(error: BaseException | None) -> OtherQuestionError | None:
    """Return the question behind *error*; netmiko wraps the errors of paramiko."""
    while error is not None and not isinstance(error, OtherQuestionError):
        error = error.__cause__ or error.__context__
    return error


def _translate_ssh(error: BaseException) -> PullError:
    text = str(error)
    if "No authentication methods" in text:
        return PullError(ErrorKind.AUTHENTICATION, "cannot log in: no key, no agent, no password")
    return PullError(ErrorKind.TRANSPORT, " ".join(text.split())[:300] or "the SSH connection failed")


def _translate_socket(error: BaseException) -> PullError:
    if isinstance(error, TimeoutError):
        return PullError(ErrorKind.TRANSPORT, "no answer from the address")
    reasons = getattr(error, "errors", None)
    inner = next(iter(reasons.values())) if reasons else error
    return PullError(ErrorKind.TRANSPORT, str(getattr(inner, "strerror", None) or inner).lower())


_MEANINGS: dict[type[BaseException], Callable[[Any], PullError]] = {
    paramiko.BadHostKeyException: _translate_key,
    hostkeys.HostKeyRefused: lambda error: PullError(ErrorKind.HOST_KEY, str(error)),
    paramiko.AuthenticationException: _translate_login,
    socket.gaierror: lambda _: PullError(ErrorKind.NAME, "host name not resolved"),
    netmiko.ReadTimeout: lambda _: PullError(ErrorKind.PROMPT, "no prompt received"),
    netmiko.NetmikoTimeoutException: lambda _: PullError(ErrorKind.PROMPT, "no prompt received"),
    paramiko.SSHException: _translate_ssh,
    ValueError: lambda _: PullError(ErrorKind.PROMPT, "no prompt recognised"),
    OSError: _translate_socket,
    EOFError: lambda _: PullError(ErrorKind.TRANSPORT, "the device closed the connection"),
}
"""The first class that matches counts."""
