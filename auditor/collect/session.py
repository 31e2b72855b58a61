"""A session with one device: login, detection of the platform, commands, logout."""

import re
import time
from typing import Any, NoReturn

import netmiko
from netmiko.ssh_autodetect import SSHDetect

from auditor.collect import platforms
from auditor.collect.connection import INTERRUPT, MOMENT_S, Channel, ConnectionWay, Watch, open_connection
from auditor.collect.credentials import Credentials
from auditor.collect.ending import QUIET_S as PROMPT_QUIET_S
from auditor.collect.ending import TAIL, PromptProof, find_prompts
from auditor.collect.errors import translate_errors
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CommandOutput
from auditor.collect.platforms import Platform
from auditor.collect.request import QUIET_S
from auditor.collect.route import Route
from auditor.util.regex import regex

LOGIN_TIMEOUT_S = 20.0

_FAREWELL_S = 1.0
_RECOVERY_S = 5.0
_SHELL_GRACE_S = 5.0
_CONFIGURING = regex(r"\(conf|\[edit|\A\[")
"""The prompt of a configuration mode, in which no command may run."""
_SR_LINUX = regex(r"^[^\S\n]*(?:OS +: SR Linux|Chassis Type +: 7[27]\d0 (?:IXR|SXR))", re.MULTILINE)
"""The release of SR Linux, which netmiko does not detect."""


class Session:
    """An open session. Proved prompts end each output of a CLI, a status line each output of a shell."""

    def __init__(
        self,
        connection: Any,  # noqa: ANN401
        platform: Platform,
        way: ConnectionWay,
        *,
        sudo: bool,
        mark: str,
    ) -> None:
        self._connection = connection
        self._platform = platform
        self._way = way
        self._sudo = sudo
        self._channel: Channel = connection.channel
        self._mark = mark
        self._prompt = self._settle()
        self._prompt_line = re.compile(self._prompt)

    def _settle(self) -> str:
        """Return the pattern of the prompt; netmiko keeps the prompt without its last character."""
        base: str = self._connection.base_prompt
        if self._platform.shell:
            with translate_errors(self._way):
                self._connection.write_channel(platforms.NO_HISTORY + self._connection.RETURN)
        elif _CONFIGURING.search(base):
            raise PullError(ErrorKind.PROMPT, f"the session is in a configuration mode: {base!r}")
        return rf"[<\[]?{re.escape(base)}[#>$%\]]?"

    def run(self, command: platforms.PullCommand, text: str) -> CommandOutput:
        """Return the output of *text*, an instance of *command*; raises PullError.

        Only a PullError of kind TIMEOUT leaves the session usable.
        """
        line = self._platform.line(command, text, sudo=self._sudo, mark=self._mark)
        self._channel.begin_command()
        until = time.monotonic() + command.timeout_s + _SHELL_GRACE_S * self._platform.shell
        with translate_errors(self._way):
            self._connection.write_channel(line + self._connection.RETURN)
            first = self._read_echo(line, until)
            read = self._read_shell if self._platform.shell else self._read_cli
            output = None if first is None else read(first, until)
            if output is None:
                self._recover(command)
        return output

    def _read_echo(self, line: str, until: float) -> str | None:
        """Return the first output behind the echo of *line*; None if late. A prompt may arrive before the echo."""
        said = ""
        while time.monotonic() < until:
            piece = self._connection.read_channel()
            if not piece:
                self._channel.wait()
                continue
            said = said[-len(line) - TAIL :] + piece
            _, echo, rest = said.partition(line)
            if echo:
                return str(rest).lstrip(" ")  # Junos echoes a blank behind the command
        return None

    def _read_shell(self, first: str, until: float) -> CommandOutput | None:
        """Return the output that begins with *first*, up to the status line; None if late."""
        pieces, tail = [first], first[-TAIL:]
        while (
            f"\n{self._mark}:" not in tail
            or (found := platforms.find_shell_output("".join(pieces), self._mark)) is None
        ):
            if time.monotonic() >= until:
                return None
            piece = self._connection.read_channel()
            if not piece:
                self._channel.wait()
                continue
            pieces.append(piece)
            tail = (tail + piece)[-TAIL - len(piece) :]
        return CommandOutput(*found, self._channel.replaced)

    def _read_cli(self, first: str, until: float) -> CommandOutput | None:
        """Return the output that begins with *first*, up to the prompt; None if late. Raises PullError."""
        pieces, tail, piece = [], "", first
        proof = PromptProof()
        while (now := time.monotonic()) < until:
            if piece:
                pieces.append(piece)
                tail = (tail + piece)[-TAIL:]
                proof.note(len(find_prompts(tail, self._prompt_line)), now)
            if own := proof.count_own(now):
                end = find_prompts(tail, self._prompt_line)[own - 1] - len(tail)
                said = "".join(pieces)
                said = said[: len(said) + end].partition("\n")[2]
                # Junos, SR Linux and others put a line of context before the prompt.
                return CommandOutput(self._connection.strip_prompt(said), None, self._channel.replaced)
            if proof.is_hopeless(now):
                raise PullError(ErrorKind.PROMPT, "no sure end of the output: lines of the output equal the prompt")
            self._connection.write_channel(self._connection.RETURN * proof.choose_lines(now))
            piece = self._connection.read_channel()
            if not piece:
                self._channel.wait(PROMPT_QUIET_S if proof.rounds else MOMENT_S)
        return None

    def _recover(self, command: platforms.PullCommand) -> NoReturn:
        self._channel.begin_command()
        self._connection.write_channel(INTERRUPT)
        late = f"no answer within {command.timeout_s} s"
        try:
            self._connection.read_until_pattern(self._prompt, read_timeout=_RECOVERY_S)
        except netmiko.ReadTimeout:
            raise PullError(ErrorKind.PROMPT, f"{late}, and no prompt followed") from None
        raise PullError(ErrorKind.TIMEOUT, late)

    def close(self) -> None:
        """Log out if the device still listens, and close the connection."""
        try:
            if self._way.watch.left_s > 1 and not self._way.watch.stop.is_set():
                self._connection.write_channel(self._platform.session[-1] + self._connection.RETURN)
                until = time.monotonic() + _FAREWELL_S
                while time.monotonic() < until:  # the error of a closed connection ends the loop sooner
                    if not self._connection.read_channel():
                        self._channel.wait()
        except Exception:  # noqa: BLE001, S110  the session ends either way
            pass
        self._way.close()


def open_session(  # noqa: PLR0913  independent options
    platform: Platform, route: Route, credentials: Credentials, watch: Watch, *, sudo: bool, accept_new: bool
) -> Session:
    """Log in and return the session; raises PullError."""
    mark = platforms.make_mark()
    allowed = platform.compile_allowed(sudo=sudo, mark=mark)
    way = ConnectionWay(route, watch, accept_new=accept_new)
    try:
        with translate_errors(way):
            connection = open_connection(platform.driver, way, credentials, allowed)
        return Session(connection, platform, way, sudo=sudo, mark=mark)
    except BaseException:
        way.close()
        raise


def detect_platform(
    route: Route, credentials: Credentials, watch: Watch, *, accept_new: bool, quiet_s: float = QUIET_S
) -> Platform:
    """Return the platform of a device after a login of its own; raises PullError."""
    way = ConnectionWay(route, watch, accept_new=accept_new)
    try:
        with translate_errors(way):
            connection = open_connection("autodetect", way, credentials, platforms.compile_detection())
            found = _Detect(connection, quiet_s).platform()
        if found is None:
            known = ", ".join(platforms.list_platforms())
            raise PullError(ErrorKind.PLATFORM, f"platform not recognised; set it in the inventory to one of {known}")
        return found
    finally:
        way.close()


class _Detect(SSHDetect):
    """netmiko's detection over a gated connection: a line that is not listed is not sent and matches nothing."""

    def __init__(self, connection: Any, quiet_s: float) -> None:  # noqa: ANN401
        self.connection = connection
        self._quiet_s = quiet_s
        self.initial_buffer = ""
        self.potential_matches: dict[str, int] = {}
        self._results_cache: dict[str, str] = {}

    def _send_command(self, cmd: str = "") -> str:
        self.connection.write_channel(cmd + "\n")
        said: str = self.connection.read_channel_timing(last_read=self._quiet_s, read_timeout=LOGIN_TIMEOUT_S)
        return said

    def platform(self) -> Platform | None:
        """Return the platform; None if the answers match no platform."""
        self.initial_buffer = self.connection.read_channel_timing(last_read=self._quiet_s, read_timeout=LOGIN_TIMEOUT_S)
        setattr(self.connection, "disconnect", lambda: None)  # noqa: B010  one more question may follow
        named = self.autodetect()
        release = self._results_cache.get("show version", "")
        if "SONiC" in release:
            return platforms.find_platform("dell_enterprise_sonic" if "Enterprise" in release else "sonic")
        if _SR_LINUX.search(release):
            return platforms.find_platform("nokia_srlinux")
        found = platforms.find_platform(named or "")
        if found is not None and not found.shell:
            return found
        if "Linux" not in self._results_cache.get("uname -a", ""):
            return found
        return platforms.find_platform(
            "cumulus" if "cumulus" in self._send_command("cat /etc/os-release").lower() else "linux"
        )


def redact_password(text: str, credentials: Credentials) -> str:
    """Return *text* without the password, which a device may echo."""
    return text.replace(credentials.password, "<redacted>") if credentials.password else text
