"""The login by password, also where a device asks for it by questions, and the ciphers of the transport."""

import threading
import time
from typing import Any

import paramiko
from paramiko.auth_handler import AuthOnlyHandler
from paramiko.common import cMSG_SERVICE_REQUEST

_PASSWORD_WORDS = ("password", "passwort", "kennwort", "mot de passe", "passwd")
_MAX_QUESTION = 80
_MOMENT_S = 0.02


class OtherQuestionError(paramiko.AuthenticationException):
    """Raised for a login that asks for more than a password."""


class _Handler(AuthOnlyHandler):
    """The state of a login. paramiko makes the event of an answer behind the request, and so loses a quick answer."""

    _event: threading.Event | None = None

    @property
    def auth_event(self) -> threading.Event | None:
        """The event of the answer to the last request."""
        return self._event

    @auth_event.setter
    def auth_event(self, event: threading.Event | None) -> None:
        del event

    def send_auth_request(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  as paramiko calls it
        """Send a request and return its answer; raises as paramiko does."""
        self._event = threading.Event()
        return super().send_auth_request(*arguments, **named)


class Transport(paramiko.ServiceRequestingTransport):  # type: ignore[name-defined,misc]  # missing in the stubs
    """A transport that answers one question for the password, and no other question.

    Its base asks for the login service once: some servers disconnect at a second request.
    """

    def ensure_session(self) -> None:
        """Ask once for the login service. Raises SSHException, EOFError and AuthenticationException (no answer).

        The base waits without a limit, even for a device that closed the connection.
        """
        if self._service_userauth_accepted:
            return
        if not self.active or not self.initial_kex_done:
            raise paramiko.SSHException("No existing session")
        self.auth_handler = _Handler(self)
        request = paramiko.Message()
        request.add_byte(cMSG_SERVICE_REQUEST)
        request.add_string("ssh-userauth")
        self._send_message(request)
        until = time.monotonic() + self.auth_timeout
        while not self._service_userauth_accepted:
            if not self.active:
                raise self.get_exception() or EOFError
            if time.monotonic() >= until:
                raise paramiko.AuthenticationException("Authentication timeout.")
            time.sleep(_MOMENT_S)

    def auth_password(self, username: str, password: str, fallback: bool = True) -> Any:  # noqa: ANN401  as paramiko calls it
        """Log in by password, or by questions where the device knows only these; raises as paramiko does."""
        try:
            return super().auth_password(username, password, fallback=False)
        except paramiko.BadAuthenticationType as error:
            if not fallback or "keyboard-interactive" not in error.allowed_types:
                raise
        return self.auth_interactive(username, _Answers(password))

    def auth_interactive_dumb(self, username: str, handler: object = None, submethods: str = "") -> Any:  # noqa: ANN401  as paramiko calls it
        """Raise OtherQuestionError: paramiko would print the questions and read standard input."""
        del username, handler, submethods
        raise OtherQuestionError("the device asks for a password beside the key; set a password")


class _Answers:
    """Answers the first question with the password; a second factor is for people."""

    def __init__(self, password: str) -> None:
        self._password = password
        self._given = False

    def __call__(self, title: str, instructions: str, questions: Any) -> list[str]:  # noqa: ANN401  paramiko's list
        del title, instructions
        asked = [str(question).strip() for question, _ in questions]
        if not asked:
            return []
        others = asked if self._given else [each for each in asked if not _is_for_password(each)] or asked[1:]
        if others:
            shown = others[0][:_MAX_QUESTION]
            raise OtherQuestionError(
                f"the login needs a person: the device asks {shown!r}; log in with a key, or exempt this user"
            )
        self._given = True
        return [self._password]


def _is_for_password(question: str) -> bool:
    return any(word in question.casefold() for word in _PASSWORD_WORDS)


def make_transport(*arguments: Any, **named: Any) -> Transport:  # noqa: ANN401  as paramiko calls it
    """Return a transport that prefers AES-GCM: paramiko checks the MAC of other ciphers in Python."""
    transport = Transport(*arguments, **named)
    options = transport.get_security_options()
    options.ciphers = sorted(options.ciphers, key=lambda cipher: "gcm" not in cipher)
    return transport
