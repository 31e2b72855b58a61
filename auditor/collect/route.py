"""The route to a device: the inventory wins, then OpenSSH's own configuration."""

import getpass
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from auditor.collect.target import InventoryError, Target
from auditor.util.filesystem import is_file
from auditor.util.regex import regex
from auditor.util.values import dataclass

DEFAULT_CONFIG = Path("~/.ssh/config")
DEFAULT_KNOWN_HOSTS = ("~/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts")
SSH_PORT = 22
_USUAL_KEYS = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa")
_TIMEOUT_S = 10
_TOKEN = regex(r"%([%hnpr])")


@dataclass(frozen=True, slots=True)
class Route:
    """Address, user, keys and known hosts of a device, and the `jumps` (hosts) on the way.

    `proxy` is the command that connects, empty for a direct connection. The first of `known_hosts` takes new keys.
    The files of `known_hosts` list the device under its `alias`, if the device has one.
    """

    hostname: str
    port: int
    username: str
    keys: tuple[str, ...]
    known_hosts: tuple[Path, ...]
    jumps: tuple[str, ...] = ()
    proxy: tuple[str, ...] = ()
    only_these_keys: bool = False
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """SSH options for all devices. `config` None: no SSH configuration; other options None: SSH decides."""

    config: Path | None
    known_hosts: Path | None = None
    username: str | None = None
    accept_new: bool = False


def find_config(given: str | None) -> Path | None:
    """Return the SSH configuration: the file *given* (`none`: no file), else the user's file if present.

    Raises InventoryError if the file *given* is missing.
    """
    if given == "none":
        return None
    path = Path(given or DEFAULT_CONFIG).expanduser()
    if is_file(path):
        return path
    if given:
        raise InventoryError(f"{path}: no such file; expected an SSH configuration")
    return None


def find_route(target: Target, ways: Ways) -> Route:
    """Return the route to *target*; raises InventoryError if the SSH configuration is unusable."""
    said = _look_up_host(target.hostname, ways.config) if ways.config else {}
    hostname = _get_option(said, "hostname") or target.hostname
    port = target.port or int(_get_option(said, "port") or SSH_PORT)
    # OpenSSH names the local user by default; then the environment may name another.
    configured = user if (user := _get_option(said, "user")) != getpass.getuser() else None
    username = target.username or configured or ways.username or getpass.getuser()
    files = (*said.get("userknownhostsfile", ()), *said.get("globalknownhostsfile", ())) or DEFAULT_KNOWN_HOSTS
    known_hosts = (ways.known_hosts,) if ways.known_hosts else tuple(Path(file).expanduser() for file in files)
    jumps, proxy = _build_proxy(
        said, ways, known_hosts, {"h": hostname, "p": str(port), "r": username, "n": target.hostname}
    )
    return Route(
        hostname,
        port,
        username,
        _find_key(target) if target.key else _list_keys(said.get("identityfile") or _USUAL_KEYS),
        known_hosts,
        jumps,
        proxy,
        bool(target.key) or _get_option(said, "identitiesonly") == "yes",
        _get_option(said, "hostkeyalias"),
    )


def _look_up_host(hostname: str, config: Path) -> Mapping[str, Sequence[str]]:
    """Return the options of `ssh -G`, the only full reader of Include, Match and the rest of the language."""
    try:
        done = subprocess.run(  # noqa: S603  the host name is checked, and no shell sees it
            ["ssh", "-F", str(config), "-G", "--", hostname],  # noqa: S607  the user's own ssh
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise InventoryError(f"{config}: the OpenSSH client is not installed; install it") from None
    except subprocess.TimeoutExpired:
        raise InventoryError(f"{config}: ssh -G took more than {_TIMEOUT_S} s") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise InventoryError(said[0] if said else f"{config}: ssh -G failed")
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        key, _, value = line.partition(" ")
        several = key in {"userknownhostsfile", "globalknownhostsfile"}
        found.setdefault(key, []).extend(value.split() if several else [value])
    return found


def _get_option(said: Mapping[str, Sequence[str]], key: str) -> str | None:
    values = said.get(key)
    return values[0] if values and values[0] not in {"none", ""} else None


def _find_key(target: Target) -> tuple[str, ...]:
    """Return the key file that the inventory names; raises InventoryError if it is missing."""
    path = Path(target.key or "").expanduser()
    if not is_file(path):
        raise InventoryError(f"{target.name}: {path}: no such file; expected a private key")
    return (str(path),)


def _list_keys(named: Sequence[str]) -> tuple[str, ...]:
    """Return the key files that exist; the word `none` disables all of them."""
    paths = (Path(name).expanduser() for name in named)
    return () if "none" in named else tuple(str(path) for path in paths if is_file(path))


def _build_proxy(
    said: Mapping[str, Sequence[str]], ways: Ways, known_hosts: Sequence[Path], tokens: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the jump hosts and the command that connects over them; OpenSSH itself talks to jump hosts."""
    jump, command = _get_option(said, "proxyjump"), _get_option(said, "proxycommand")
    if jump:
        hops = tuple(jump.split(","))
        files = " ".join(str(file) for file in known_hosts)
        options = ["BatchMode=yes", f"StrictHostKeyChecking={'accept-new' if ways.accept_new else 'yes'}"]
        options += [f"UserKnownHostsFile={files}"] if ways.known_hosts else []
        words = ["ssh", "-F", str(ways.config), *(word for option in options for word in ("-o", option))]
        words += ["-J", ",".join(hops[:-1])] if len(hops) > 1 else []
        host = tokens["h"]
        return hops, (*words, "-W", f"[{host}]:{tokens['p']}", "--", hops[-1])
    if command:
        return (command,), ("sh", "-c", "exec " + _TOKEN.sub(lambda match: {"%": "%", **tokens}[match[1]], command))
    return (), ()
