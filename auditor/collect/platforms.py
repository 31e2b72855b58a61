"""The operating systems that `pull` reaches, and every line that `pull` may send: the commands of their captures.

A line leaves this process only if a listed template and plain names as arguments make that line.
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product

from auditor.systems import find_system, systems
from auditor.systems.system import Login, System
from auditor.util.regex import regex
from auditor.util.values import dataclass

NAME = r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}"
"""An argument: only characters without a meaning in a shell."""
MAX_OF_A_TEMPLATE = 256
"""Instances of one template; no host has more ports."""
NO_HISTORY = "unset HISTFILE"
"""The first line of a shell session: keeps the commands out of the user's history."""
DEFAULT_TIMEOUT_S = 30
SHELL_TIMEOUT_S = 10

_PLACEHOLDER = regex(r"\{(\w+)\}")
DETECTION = (
    ("show version", "the release of most switches"),
    ("display version", "the release of Huawei and H3C switches"),
    ("uname -a", "the kernel of hosts and of switches that run Linux"),
    ("cat /etc/os-release", "which Linux it is"),
    ("exit", "logging out"),
)
"""Lines for a device of unknown platform, each with its purpose."""


@dataclass(frozen=True, slots=True)
class PullCommand:
    """A listed command; `finds` of other commands give the names for `{netdev}` and the like in `template`."""

    template: str
    purpose: str
    required: bool = False
    root: bool = False
    timeout_s: int = DEFAULT_TIMEOUT_S
    finds: tuple[re.Pattern[str], ...] = ()
    counts: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The placeholders of the template."""
        return tuple(dict.fromkeys(_PLACEHOLDER.findall(self.template)))

    def list_instances(self, found: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Yield the command for each combination of *found* names; nothing if a name is missing."""
        choices = [found.get(name, ()) for name in self.arguments]
        for values in islice(product(*choices), MAX_OF_A_TEMPLATE):
            given = dict(zip(self.arguments, values, strict=True))
            yield _PLACEHOLDER.sub(lambda match, given=given: given[match[1]], self.template)  # type: ignore[misc]

    def find_names(self, output: str) -> Iterator[tuple[str, str]]:
        """Yield placeholders and plain names that the *output* of this command gives to other commands."""
        for pattern in self.finds:
            for line in output.splitlines():
                for match in pattern.finditer(line):
                    yield from ((k, v) for k, v in match.groupdict().items() if v and re.fullmatch(NAME, v))


@dataclass(frozen=True, slots=True)
class Platform:
    """An operating system in a pull: netmiko's driver, the lines to send, and the treatment of failed commands."""

    name: str
    driver: str
    session: tuple[str, ...]
    commands: tuple[PullCommand, ...]
    shell: bool = False
    keep_failed: bool = False

    def narrow(self) -> "Platform":
        """Return the platform with the commands that show counters, and those that find names for them."""
        return replace(self, commands=tuple(each for each in self.commands if each.counts or each.finds))

    def line(self, command: PullCommand, text: str, *, sudo: bool, mark: str = "") -> str:
        """Return the line to type for *text*, an instance of *command*; in a shell, *mark* encloses the output."""
        typed = f"sudo -n {text}" if sudo and command.root else text
        if not self.shell:
            return typed
        # One quoted word, because the login shell may be any shell; sh reads the content.
        run = f"LC_ALL=C timeout {command.timeout_s} {typed} 2>&1"
        return f"""sh -c 'printf "{mark}:begin\\n"; {run}; printf "\\n{mark}:%s\\n" $?'"""

    def compile_allowed(self, *, sudo: bool, mark: str = "") -> re.Pattern[str]:
        """Return the pattern of all lines that may be sent."""
        lines = [re.escape(line) for line in self.session]
        for command in self.commands:
            typed = self.line(command, command.template, sudo=sudo, mark=mark)
            lines.append(_PLACEHOLDER.sub(NAME, re.sub(r"\\([{}])", r"\1", re.escape(typed))))
        return re.compile("|".join(lines))


def make_mark() -> str:
    """Return a word that no output of a device can foresee."""
    return f"roce-audit:{secrets.token_hex(8)}"


def find_shell_output(said: str, mark: str) -> tuple[str, int] | None:
    r"""Return the output between two lines of *mark* in *said*, and the exit status; None if the end is missing.

    The terminal's echo stands before the first line.

    >>> find_shell_output("sh -c ...\nM:begin\nmtu 9216\n\nM:0\n", "M")
    ('mtu 9216\n', 0)
    """
    match = re.search(rf"\n{re.escape(mark)}:(?P<status>\d{{1,3}})(?=\n)", said)
    return (said[: match.start()].partition(f"{mark}:begin\n")[2], int(match["status"])) if match else None


@cache
def list_platforms() -> Mapping[str, Platform]:
    """Return all platforms by name."""
    return {each.os: _make_platform(each, each.login) for each in systems().values() if each.login}


@cache
def compile_detection() -> re.Pattern[str]:
    """Return the pattern of all lines that may be sent to a device of unknown platform."""
    return re.compile("|".join(re.escape(line) for line, _ in DETECTION))


def find_platform(name: str) -> Platform | None:
    """Return the platform of an inventory's *name*; None if the name is unknown.

    >>> find_platform("cisco.nxos.nxos").name, find_platform("NXOS").name, find_platform("vms")
    ('cisco_nxos', 'cisco_nxos', None)
    """
    system = find_system(name)
    return list_platforms().get(system.os) if system else None


def _make_platform(system: System, login: Login) -> Platform:
    """Return the platform of *system*: required commands and commands that find names come first."""
    usual = SHELL_TIMEOUT_S if login.is_shell else DEFAULT_TIMEOUT_S
    pulls = sorted(system.pulls(), key=lambda pull: not (pull.required or pull.finds))
    return Platform(
        system.os,
        login.driver,
        tuple(line for line, _ in login.lines),
        tuple(
            PullCommand(
                pull.command,
                pull.why,
                pull.required,
                pull.root,
                pull.timeout_s or usual,
                tuple(re.compile(pattern) for pattern in pull.finds),
                pull.counts,
            )
            for pull in pulls
        ),
        login.is_shell,
        login.keeps_failed,
    )
