"""Host keys and known_hosts: changed keys are refused, unknown keys too unless new keys are accepted."""

import fcntl
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import paramiko
from paramiko.hostkeys import HostKeyEntry, HostKeys

from auditor.collect.failure import ErrorKind, PullError

_REVOKED = "@revoked"
_HASHED = "|1|"


class HostKeyRefused(paramiko.SSHException):
    """Raised for a host key that is not trusted."""


class Policy(paramiko.MissingHostKeyPolicy):
    """The decision on a device without a known key; paramiko itself refuses a changed key."""

    def __init__(self, file: Path, name: str, revoked: frozenset[str], *, accept_new: bool) -> None:
        self._file = file
        self._name = name
        self._revoked = revoked
        self._accept_new = accept_new

    def missing_host_key(self, client: paramiko.SSHClient, hostname: str, key: paramiko.PKey) -> None:  # noqa: ARG002
        """Save *key* if new keys are accepted, else refuse *key*; raises HostKeyRefused."""
        shown = f"{key.get_name()} {key.fingerprint}"
        if key.get_base64() in self._revoked:
            raise HostKeyRefused(f"host key {shown} is revoked in {self._file}")
        if not self._accept_new:
            why = f"if the key is right, add it to {self._file} or pull with --accept-new-host-keys"
            raise HostKeyRefused(f"unknown host key {shown}; {why}")
        _save_key(self._file, self._name, key)


def format_host(hostname: str, port: int) -> str:
    """Return the name of a device in known_hosts files.

    >>> format_host("Leaf1", 22), format_host("10.0.0.1", 2022)
    ('leaf1', '[10.0.0.1]:2022')
    """
    return hostname.lower() if port == paramiko.config.SSH_PORT else f"[{hostname.lower()}]:{port}"


def trust_keys(
    client: paramiko.SSHClient, hostname: str, name: str, files: tuple[Path, ...], *, accept_new: bool
) -> None:
    """Give *client* the keys of *name* in *files*, under the client's *hostname* of the device; raises PullError.

    Missing files hold no keys. The first of *files* takes new keys.
    """
    revoked = set()
    for file in files:
        for mark, entry in _list_entries(file, name):
            if mark == _REVOKED:
                revoked.add(entry.key.get_base64())
            elif not mark:
                client.get_host_keys().add(hostname, entry.key.get_name(), entry.key)
    client.set_missing_host_key_policy(Policy(files[0], name, frozenset(revoked), accept_new=accept_new))


def _list_entries(file: Path, name: str) -> Iterator[tuple[str, HostKeyEntry]]:
    """Yield the keys of *name* in *file*, each with its mark (`@revoked`, `@cert-authority` or empty)."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise PullError(ErrorKind.HOST_KEY, f"{file} cannot be read: {error.strerror}") from None
    for line in lines:
        words = line.split()
        mark = words.pop(0) if words and words[0].startswith("@") else ""
        if len(words) < 3 or not _matches_host(words[0], name):  # noqa: PLR2004  names, kind, key
            continue
        try:
            entry = HostKeyEntry.from_line(" ".join(words[:3]))
        except paramiko.SSHException:
            continue
        if entry is not None and entry.key is not None:
            yield mark, entry


def _matches_host(names: str, name: str) -> bool:
    found = False
    for pattern in names.split(","):
        if pattern.startswith(_HASHED):
            found |= HostKeys.hash_host(name, pattern) == pattern
        elif pattern.startswith("!"):
            if fnmatchcase(name, _escape_glob(pattern[1:])):
                return False
        else:
            found |= fnmatchcase(name, _escape_glob(pattern))
    return found


def _escape_glob(pattern: str) -> str:
    """Return a pattern of OpenSSH as a pattern of fnmatch: only `*` and `?` are wild."""
    return pattern.lower().replace("[", "[[]")


def _save_key(file: Path, name: str, key: paramiko.PKey) -> None:
    line = f"{name} {key.get_name()} {key.get_base64()}\n"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b") as out:
            fcntl.flock(out, fcntl.LOCK_EX)  # other sessions write to it, each in a process of its own
            is_cut = out.seek(0, os.SEEK_END) and (out.seek(-1, os.SEEK_END), out.read(1))[1] != b"\n"
            out.write((b"\n" if is_cut else b"") + line.encode())
    except OSError as error:
        raise HostKeyRefused(f"new host key cannot be written to {file}: {error.strerror}") from None
