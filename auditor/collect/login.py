"""The login by password, also where a device asks for it by questions, and the ciphers of the transport."""

from typing import Any

import paramiko

_PASSWORD_WORDS = ("password", "passwort", "kennwort", "mot de passe", "passwd")
_MAX_QUESTION = 80


class OtherQuestionError(paramiko.AuthenticationException):
    """Raised for a login that asks for more than a password."""


class Transport(paramiko.ServiceRequestingTransport):
    """A transport that answers one question for the password, and no other question.

    Its base asks for the login service once: some servers disconnect at a second request.
    """

    def auth_password(self, username, password, fallback=True) -> Any:  # type: ignore[no-untyped-def]  # noqa: ANN401
        """Log in by password, or by questions where the device knows only these; raises as paramiko does."""
        try:
            return super().auth_password(username, password, fallback=False)
        except paramiko.BadAuthenticationType as error:
            if not fallback or "keyboard-interactive" not in error.allowed_types:
                raise
        return self.auth_interactive(username, _Answers(password))

    def auth_interactive_dumb(self, username, handler=None, submethods="") -> Any:  # type: ignore[no-untyped-def]  # noqa: ANN401
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
        others = asked if self._given else [question for question in asked if not _is_for_password(question)] or asked[1:]
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
