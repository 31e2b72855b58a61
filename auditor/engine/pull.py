"""A live pull as a function: what the command `pull` does, with a value in place of a summary."""

import math
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from auditor.collect.credentials import USERNAME, Ask, Credentials, find_credentials
from auditor.collect.failure import PullError
from auditor.collect.inventory import read_inventory
from auditor.collect.pull import COMPLETE, DeviceResult, InterruptError, Listener, PullPlan, pull_devices
from auditor.collect.route import Ways, find_config
from auditor.collect.scheduler import PullLimits
from auditor.collect.target import Inventory, InventoryError, make_inventory, make_target
from auditor.engine.errors import CannotAudit
from auditor.engine.options import EARLIER, StrPath
from auditor.util.suggest import add_suggestion
from auditor.util.values import dataclass

HOST_KEYS = ("hostname", "port", "username", "platform", "sudo")
"""The settings of a device that is given in place of an inventory."""
_USUAL = PullLimits()
_COUNTS = ("workers", "per_jump_host", "per_minute", "per_login")
_LENGTHS = ("twice_seconds", "sessions_per_second", "device_seconds", "total_seconds")

Devices = StrPath | Mapping[str, Mapping[str, object]]
"""An inventory: a path, the address of a NetBox, or the settings of each device by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullOptions:
    """The settings of a pull, each with a default. No field holds a password.

    >>> PullOptions(workers=4).limits.workers
    4
    """

    resume: bool = False
    """Fetch only missing and failed captures (default: fetch all)."""
    twice_seconds: float | None = None
    """Take the counters first, into `FOLDER.earlier`, and all captures so many seconds later (default: one sample)."""
    ssh_config: StrPath | None = None
    """SSH configuration, or `none` (default: `~/.ssh/config`)."""
    known_hosts: StrPath | None = None
    """File of known host keys (default: from the SSH configuration)."""
    accept_new_host_keys: bool = False
    """Store unknown host keys; changed host keys are still refused (default: refuse both)."""
    ask: Ask | None = field(default=None, repr=False)
    """Callback that returns a password for a prompt, such as `getpass.getpass` (default: no prompt)."""
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Slugs by `site`, `role`, `tag` or `status`, which select devices of a NetBox (default: each active device)."""
    insecure_http: bool = False
    """Send the token of a NetBox over plain HTTP, which others can read (default: refuse)."""
    workers: int = _USUAL.workers
    """Sessions at once (default: 16)."""
    per_jump_host: int = _USUAL.per_jump
    """Sessions at once over one jump host (default: 8)."""
    sessions_per_second: float = _USUAL.rate
    """New sessions a second (default: 50)."""
    per_minute: int = _USUAL.per_minute
    """New sessions a minute, each one login (default: 600)."""
    per_login: int = _USUAL.per_login
    """Logins of one user that wait for an answer at once (default: 16)."""
    device_seconds: float = _USUAL.device_s
    """Seconds for one device (default: 300)."""
    total_seconds: float = _USUAL.total_s
    """Seconds for all devices (default: 3600)."""
    notify: Callable[[DeviceResult], None] | None = field(default=None, repr=False)
    """Callback for the result of each device as it ends (default: none)."""

    def __post_init__(self) -> None:
        for name in (*_COUNTS, *_LENGTHS):
            value = getattr(self, name)
            whole = "a whole number" if name in _COUNTS else "a number"
            if value is not None and not (_is_number(value, whole=name in _COUNTS) and value > 0):
                raise CannotAudit(f"pull: {name} is {value!r}; expected {whole} above 0")

    @property
    def limits(self) -> PullLimits:
        """The limits of the sessions."""
        return PullLimits(
            workers=self.workers,
            per_jump=self.per_jump_host,
            rate=self.sessions_per_second,
            device_s=self.device_seconds,
            total_s=self.total_seconds,
            per_minute=self.per_minute,
            per_login=self.per_login,
        )


def _is_number(value: object, *, whole: bool) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (not whole and isinstance(value, float) and math.isfinite(value))


@dataclass(frozen=True, slots=True)
class PullReport:
    """The result of a pull.

    `folder` holds a folder for each device, which `auditor.audit` and `auditor.load` take; `earlier` is the folder of
    the first sample of counters, None without one. `devices` are in the order of the inventory, and `notes` name the
    parts of the inventory that a pull does not use.
    """

    folder: Path
    devices: tuple[DeviceResult, ...]
    notes: tuple[str, ...] = ()
    earlier: Path | None = None

    @property
    def is_complete(self) -> bool:
        """Whether each device gave all that the audit needs."""
        return not self.failures

    @property
    def failures(self) -> tuple[DeviceResult, ...]:
        """The devices that are not complete; `why` of each names the gap."""
        return tuple(each for each in self.devices if each.status != COMPLETE)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each device: `device`, `os`, `status`, `why`, `captures`, and the commands in `missing`."""
        return [_make_row(each) for each in self.devices]


def _make_row(result: DeviceResult) -> dict[str, Any]:
    row = asdict(result)
    return {"device": row.pop("name"), **row, "missing": list(result.missing)}


def pull(inventory: Devices, folder: StrPath, options: PullOptions | None = None) -> PullReport:
    """Pull the devices of *inventory* into *folder*, read only, as `roce-audit pull` does; return what each gave.

    *inventory* is the path of a YAML, Nornir or Ansible inventory, the address of a NetBox, or a mapping of names to
    settings: `hostname`, `port`, `username`, `platform` (default: detected), `sudo`. Logins are those of the command:
    SSH agent, keys, `~/.ssh/config`, ROCE_AUDIT_USERNAME and ROCE_AUDIT_PASSWORD, the keyring, or `ask` of the options.

    A device that fails is one of the report's `failures`. Raises CannotAudit where no pull can begin. Ctrl-C ends the
    sessions in order, and raises KeyboardInterrupt when all that came is stored.

    >>> pull({}, "dumps")
    Traceback (most recent call last):
    auditor.engine.errors.CannotAudit: no devices to pull
    """
    chosen = options or PullOptions()
    found = read_devices(inventory, chosen)
    listener = _Notifier(chosen.notify)
    try:
        return pull_inventory(found, Path(folder), chosen, lambda: nullcontext(listener))
    except InterruptError as ended:
        signal.raise_signal(ended.number)  # whoever runs this process decides what the signal does
        return PullReport(Path(folder), ended.results, found.notes)


def read_devices(inventory: Devices, options: PullOptions) -> Inventory:
    """Return the devices of *inventory*; raises CannotAudit."""
    try:
        if isinstance(inventory, Mapping):
            return _read_mapping(inventory)
        return read_inventory(os.fspath(inventory), os.environ, options.filters, insecure_http=options.insecure_http)
    except InventoryError as error:
        raise CannotAudit(str(error)) from None


def _read_mapping(devices: Mapping[str, Mapping[str, object]]) -> Inventory:
    for name, settings in devices.items():
        for key in settings:
            if key not in HOST_KEYS:
                raise InventoryError(f"{name}: {add_suggestion(f'unknown setting {key!r}', str(key), HOST_KEYS)}")
    if not devices:
        raise InventoryError("no devices to pull")
    return make_inventory(make_target("devices", name, settings) for name, settings in devices.items())


def pull_inventory(
    found: Inventory, folder: Path, options: PullOptions, listen: Callable[[], AbstractContextManager[Listener]]
) -> PullReport:
    """Pull the devices *found*, once or twice; *listen* opens a listener for each time.

    Raises CannotAudit before the start, and InterruptError at the end of a pull that a signal ended.
    """
    earlier = Path(f"{folder}{EARLIER}") if options.twice_seconds else None

    def find_logins(usernames: Sequence[str]) -> Mapping[str, Credentials]:
        return find_credentials(usernames, os.environ, options.ask)

    def pull_into(root: Path, *, counts_only: bool) -> tuple[DeviceResult, ...]:
        resume = options.resume and not counts_only
        plan = PullPlan(root, _find_ways(options), options.limits, resume, counts_only)
        with listen() as listener:
            return pull_devices(found.targets, plan, find_logins, listener)

    try:
        if earlier and options.twice_seconds:
            began = time.monotonic()
            pull_into(earlier, counts_only=True)
            time.sleep(max(0.0, began + options.twice_seconds - time.monotonic()))
        results = pull_into(folder, counts_only=False)
    except InventoryError as error:
        raise CannotAudit(str(error)) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotAudit(f"{error.filename or folder}: {error.strerror or error}") from None
    return PullReport(folder, results, found.notes, earlier)


def _find_ways(options: PullOptions) -> Ways:
    given = None if options.ssh_config is None else os.fspath(options.ssh_config)
    known = None if options.known_hosts is None else Path(options.known_hosts).expanduser()
    return Ways(find_config(given), known, os.environ.get(USERNAME), options.accept_new_host_keys)


@dataclass(frozen=True, slots=True)
class _Notifier:
    """A listener that passes on the results of devices alone."""

    notify: Callable[[DeviceResult], None] | None

    def report_start(self, name: str, attempt: int) -> None:
        """Pass on nothing."""

    def report_command(self, name: str, k: int, n: int, command: str) -> None:
        """Pass on nothing."""

    def report_retry(self, name: str, failure: PullError, seconds: float) -> None:
        """Pass on nothing."""

    def report_end(self, result: DeviceResult, done: int, total: int) -> None:
        """Pass on the *result* of a device."""
        del done, total
        if self.notify is not None:
            self.notify(result)
