"""Passwords from the environment, the keyring, or a prompt; SSH handles keys and the agent."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from auditor.util.values import dataclass

USERNAME = "ROCE_AUDIT_USERNAME"
PASSWORD = "ROCE_AUDIT_PASSWORD"  # noqa: S105  the name of a variable of the environment
SERVICE = "roce-audit"
"""The keyring's service name for the password of a user."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user and the password, if any; no representation shows the password."""

    username: str
    password: str | None = field(default=None, repr=False)


Ask = Callable[[str], str]


def find_credentials(
    usernames: Iterable[str], environment: Mapping[str, str], ask: Ask | None = None
) -> dict[str, Credentials]:
    """Return the credentials of each user: a prompt by *ask* wins, then the environment, then the keyring.

    The password of the environment is that of ROCE_AUDIT_USERNAME alone where this is set.
    """
    found = {}
    for username in dict.fromkeys(usernames):
        whose = environment.get(USERNAME)
        password = ask(f"Password of {username}: ") if ask else None
        if password is None and whose in {None, username}:
            password = environment.get(PASSWORD)
        found[username] = Credentials(username, (password or _ask_keyring(username)) or None)
    return found


def _ask_keyring(username: str) -> str | None:
    """Return the password of the keyring; None if the keyring or the password is missing."""
    try:
        import keyring  # noqa: PLC0415  an extra, and slow to import
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, username)
    except (KeyringError, RuntimeError, OSError):  # a session without a desktop has no keyring to ask
        return None
