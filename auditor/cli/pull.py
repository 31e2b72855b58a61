"""The command `pull`: options, inventory, summary."""

import argparse
import math
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from auditor.cli.check import check
from auditor.cli.common import CANNOT_AUDIT, CLEAN, FINDINGS, parse_count
from auditor.cli.ending import SignalInterrupt
from auditor.engine.errors import CannotAudit
from auditor.engine.options import EARLIER
from auditor.util.printable import printable

if TYPE_CHECKING:
    from auditor.collect.pull import DeviceResult
    from auditor.collect.scheduler import PullLimits
    from auditor.collect.target import Inventory
    from auditor.engine.pull import PullOptions

ALL, SOME, NONE = CLEAN, FINDINGS, CANNOT_AUDIT
"""Exit statuses: all, some, or no devices are complete."""
_FILTERS = ("site", "role", "tag", "status")
_EPILOG = """\
Log in with the SSH agent, keys and ~/.ssh/config as ssh does; or with a password from ROCE_AUDIT_PASSWORD (and a user
from ROCE_AUDIT_USERNAME), from the keyring (service roce-audit), or typed with --ask-password.
Exit status: 0 all devices complete, 1 some devices failed, 2 no device pulled or wrong usage.
"""


def add_pull(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pull`."""
    parser.set_defaults(run=_run)
    parser.epilog = f"{_EPILOG}{parser.epilog or ''}"
    parser.add_argument(
        "inventory", metavar="INVENTORY", help="YAML file, Nornir or Ansible inventory, or URL of a NetBox"
    )
    parser.add_argument("-o", "--output", metavar="DIR", help="write a folder for each device into DIR")
    parser.add_argument("--dry-run", action="store_true", help="print the commands for each device without connecting")
    parser.add_argument("--resume", action="store_true", help="fetch only missing and failed captures")
    parser.add_argument("--audit", action="store_true", help="run `check DIR` afterwards")
    parser.add_argument(
        "--twice",
        type=_parse_seconds,
        metavar="SECONDS",
        help=f"take the counters first, into DIR{EARLIER}, and all captures SECONDS later (default: one sample)",
    )
    login = parser.add_argument_group("logging in")
    login.add_argument("--ask-password", action="store_true", help="ask once for the password of each user")
    login.add_argument("--ssh-config", metavar="FILE", help="SSH configuration, or `none` (default: ~/.ssh/config)")
    login.add_argument(
        "--known-hosts", metavar="FILE", help="file of known host keys (default: from the SSH configuration)"
    )
    login.add_argument(
        "--accept-new-host-keys",
        action="store_true",
        help="store unknown host keys; changed host keys are still refused",
    )
    limit = parser.add_argument_group("limits")
    limit.add_argument(
        "--workers",
        type=parse_count,
        default=16,
        metavar="N",
        help="number of parallel sessions (default: %(default)s)",
    )
    limit.add_argument(
        "--per-jump-host",
        type=parse_count,
        default=8,
        metavar="N",
        help="parallel sessions over one jump host (default: %(default)s)",
    )
    limit.add_argument(
        "--rate", type=_parse_seconds, default=50, metavar="N", help="new sessions per second (default: %(default)s)"
    )
    limit.add_argument(
        "--per-minute",
        type=parse_count,
        default=600,
        metavar="N",
        help="new sessions a minute, each one login (default: %(default)s)",
    )
    limit.add_argument(
        "--per-login",
        type=parse_count,
        default=16,
        metavar="N",
        help="logins of one user that wait for an answer at once (default: %(default)s)",
    )
    limit.add_argument(
        "--timeout", type=_parse_seconds, default=300, metavar="S", help="seconds for one device (default: %(default)s)"
    )
    limit.add_argument(
        "--total-timeout",
        type=_parse_seconds,
        default=3600,
        metavar="S",
        help="seconds for all devices (default: %(default)s)",
    )
    parser.add_argument(
        "--insecure-http", action="store_true", help="send the token of a NetBox over plain HTTP, which others can read"
    )
    narrow = parser.add_argument_group("devices of a NetBox", "several slugs of one kind are alternatives")
    for name in _FILTERS:
        narrow.add_argument(
            f"--{name}", action="append", metavar="SLUG", help=f"take only devices of this {name} (default: any)"
        )


def _run(arguments: argparse.Namespace) -> int:
    pulled = run(arguments, ask_password, sys.stdout, sys.stderr)
    if not arguments.audit or pulled == NONE:
        return pulled
    return max(pulled, check(arguments.output, f"{Path(arguments.output)}{EARLIER}" if arguments.twice else None))


def run(arguments: argparse.Namespace, ask: Callable[[str], str], out: TextIO, err: TextIO) -> int:
    """Return the exit status of a pull; the summary goes to *out*, progress to *err*. Raises CannotAudit."""
    from auditor.engine.pull import read_devices

    options = read_options(arguments, ask if arguments.ask_password else None)
    found = read_devices(arguments.inventory, options)
    err.writelines(f"{printable(note)}\n" for note in found.notes)
    if arguments.dry_run:
        return _print_plan(found, options.limits, out, twice=bool(arguments.twice))
    if not arguments.output:
        raise CannotAudit("pull: no output folder; give -o DIR")
    return _pull(Path(arguments.output), found, options, (out, err))


def _pull(folder: Path, found: "Inventory", options: "PullOptions", streams: tuple[TextIO, TextIO]) -> int:
    """Return the exit status of the pull; raises KeyboardInterrupt after the summary of a pull that a signal ended."""
    from rich.console import Console

    from auditor.collect.progress import Bars, Lines
    from auditor.collect.pull import InterruptError
    from auditor.engine.pull import pull_inventory

    out, err = streams
    console = Console(file=err)

    def listen() -> "Bars | Lines":
        return Bars(console, len(found.targets)) if err.isatty() else Lines(console)

    try:
        report = pull_inventory(found, folder, options, listen)
    except InterruptError as ended:
        _print_summary(ended.results, out)
        raise KeyboardInterrupt if ended.number == signal.SIGINT else SignalInterrupt(ended.number) from None
    return _print_summary(report.devices, out)


def read_options(arguments: argparse.Namespace, ask: Callable[[str], str] | None) -> "PullOptions":
    """Return the options of a pull by its arguments."""
    from auditor.engine.pull import PullOptions

    return PullOptions(
        resume=arguments.resume,
        twice_seconds=arguments.twice,
        ssh_config=arguments.ssh_config,
        known_hosts=arguments.known_hosts,
        accept_new_host_keys=arguments.accept_new_host_keys,
        ask=ask,
        filters={name: getattr(arguments, name) for name in _FILTERS if getattr(arguments, name)},
        insecure_http=arguments.insecure_http,
        workers=arguments.workers,
        per_jump_host=arguments.per_jump_host,
        sessions_per_second=arguments.rate,
        per_minute=arguments.per_minute,
        per_login=arguments.per_login,
        device_seconds=arguments.timeout,
        total_seconds=arguments.total_timeout,
    )


def _print_plan(found: "Inventory", limits: "PullLimits", out: TextIO, *, twice: bool) -> int:
    from auditor.collect import platforms
    from auditor.collect.scheduler import estimate_shortest

    sessions = commands = unknown = 0
    for target in found.targets:
        platform = platforms.find_platform(target.platform or "")
        port = f" port {target.port}" if target.port else ""
        system = platform.name if platform else target.platform or "detected at login"
        out.write(printable(f"{target.name} ({target.hostname}{port}): {system}") + "\n")
        for command in platform.commands if platform else ():
            text = f"sudo -n {command.template}" if target.sudo and command.root else command.template
            out.write(f"  {text:<55} {command.purpose}{' (required)' if command.required else ''}\n")
        sessions += 1 if platform else 2
        commands += len(platform.commands) if platform else 0
        unknown += not platform
    shortest = estimate_shortest(sessions, limits)
    out.write(
        f"\n{_count(len(found.targets), 'device')}, {_count(sessions, 'session')} with one login each,"
        + (" and as many before for the counters alone," if twice else "")
        + f" {_count(commands, 'command')}"
        + (f" and those of {_count(unknown, 'device')} of unknown platform" if unknown else "")
        + f"\nat most {limits.workers} sessions at once, {limits.per_jump} over one jump host, 1 to one address,"
        f" {limits.per_minute} new ones a minute;"
        f" at least {shortest:.0f} s, ended after {limits.total_s:.0f} s\n"
    )
    return ALL


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _print_summary(results: "Sequence[DeviceResult]", out: TextIO) -> int:
    from rich.console import Console

    from auditor.collect.progress import build_table
    from auditor.collect.pull import COMPLETE

    console = Console(file=out) if out.isatty() else Console(file=out, width=160)
    console.print(build_table(results))
    complete = sum(each.status == COMPLETE for each in results)
    out.write(f"\n{complete} of {len(results)} devices complete, {sum(each.captures for each in results)} captures\n")
    if complete == len(results):
        return ALL
    return SOME if any(each.captures for each in results) else NONE


def _parse_seconds(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or number <= 0:
        raise argparse.ArgumentTypeError("expected a number above 0")
    return number


def ask_password(prompt: str) -> str:
    """Return a password typed at the terminal; raises CannotAudit without a terminal."""
    import getpass

    if not sys.stdin.isatty():
        raise CannotAudit("--ask-password: standard input is not a terminal; set ROCE_AUDIT_PASSWORD")
    return getpass.getpass(prompt)
