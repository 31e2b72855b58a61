"""A session with one device: login, detection of the platform, commands, logout."""

import re
import time
from typing import Any, NoReturn

import netmiko
from netmiko.ssh_autodetect import SSHDetect

from auditor.collect import platforms
from auditor.collect.connection import INTERRUPT, Channel, ConnectionWay, Watch, open_connection
from auditor.collect.credentials import Credentials
from auditor.collect.errors import translate_errors
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CommandOutput
from auditor.collect.platforms import Platform
from auditor.collect.route import Route

LOGIN_TIMEOUT_S = 20.0

_TAIL = 4096
_FAREWELL_S = 1.0
_RECOVERY_S = 5.0
_SHELL_GRACE_S = 5.0
_CONFIGURING = re.compile(r"\(conf|\[edit|\A\[")
"""The prompt of a configuration mode, in which no command may run."""


class Session:
    """An open session. A prompt ends each output of a CLI, a status line each output of a shell."""

    def __init__(self, connection: Any, platform: Platform, way: ConnectionWay, *, sudo: bool) -> None:  # noqa: ANN401
        self._connection = connection
        self._platform = platform
        self._way = way
        self._sudo = sudo
        self._channel: Channel = connection.channel
        self._prompt = self._settle()
        # A shell marks the end of each command, so no output can look like a prompt.
        self._ending = platforms.STATUS if platform.shell else re.compile(rf"(?:\A|\n){self._prompt}[ \t]*\Z")

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
        line = self._platform.line(command, text, sudo=self._sudo)
        self._channel.received = self._channel.replaced = 0
        limit = command.timeout_s + _SHELL_GRACE_S * self._platform.shell
        with translate_errors(self._way):
            self._connection.write_channel(line + self._connection.RETURN)
            said = self._read(line, time.monotonic() + limit)
            if said is None:
                self._recover(command)
        match = self._ending.search(said, max(len(said) - _TAIL, 0))
        if match is None:
            raise PullError(ErrorKind.PROMPT, "the output ended without a prompt")
        text = said[: match.start()]
        if not self._platform.shell:
            # Junos and others put a line of context before the prompt.
            return CommandOutput(self._connection.strip_prompt(said[: match.end()]), None, self._channel.replaced)
        return CommandOutput(text.rpartition(platforms.BEGIN)[2], int(match["status"]), self._channel.replaced)

    def _read(self, line: str, until: float) -> str | None:
        """Return the output between the echo of *line* and the prompt or status line; None if late.

        An earlier prompt may still arrive before the echo.
        """
        said, pieces, tail = "", [], ""
        is_echoed = False
        while time.monotonic() < until:
            piece = self._connection.read_channel()
            if not piece:
                self._channel.wait()
                continue
            if not is_echoed:
                said += piece
                _, is_echoed_, piece = said.partition(line)
                is_echoed = bool(is_echoed_)
                if not is_echoed:
                    continue
                piece = piece.lstrip(" ")  # Junos echoes a blank behind the command
            pieces.append(piece)
            tail = (tail + piece)[-_TAIL:]
            if self._ending.search(tail):
                return "".join(pieces).partition("\n")[2] if not self._platform.shell else "".join(pieces)
        return None

    def _recover(self, command: platforms.PullCommand) -> NoReturn:
        self._channel.received = 0
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
    allowed = platform.compile_allowed(sudo=sudo)
    way = ConnectionWay(route, watch, accept_new=accept_new)
    try:
        with translate_errors(way):
            connection = open_connection(platform.driver, way, credentials, allowed)
        return Session(connection, platform, way, sudo=sudo)
    except BaseException:
        way.close()
        raise


def detect_platform(route: Route, credentials: Credentials, watch: Watch, *, accept_new: bool) -> Platform:
    """Return the platform of a device after a login of its own; raises PullError."""
    way = ConnectionWay(route, watch, accept_new=accept_new)
    try:
        with translate_errors(way):
            connection = open_connection("autodetect", way, credentials, platforms.compile_detection())
            found = _Detect(connection).platform()
        if found is None:
            known = ", ".join(platforms.list_platforms())
            raise PullError(ErrorKind.PLATFORM, f"platform not recognised; set it in the inventory to one of {known}")
        return found
    finally:
        way.close()


class _Detect(SSHDetect):
    """netmiko's detection over a gated connection: a line that is not listed is not sent and matches nothing."""

    QUIET_S = 3.0
    """Silence that ends an output; a slow device may pause almost as long between echo and output."""

    def __init__(self, connection: Any) -> None:  # noqa: ANN401
        self.connection = connection
        self.initial_buffer = ""
        self.potential_matches: dict[str, int] = {}
        self._results_cache: dict[str, str] = {}

    def _send_command(self, cmd: str = "") -> str:
        self.connection.write_channel(cmd + "\n")
        said: str = self.connection.read_channel_timing(last_read=self.QUIET_S, read_timeout=LOGIN_TIMEOUT_S)
        return said

    def platform(self) -> Platform | None:
        """Return the platform; None if the answers match no platform."""
        self.initial_buffer = self.connection.read_channel_timing(last_read=self.QUIET_S, read_timeout=LOGIN_TIMEOUT_S)
        setattr(self.connection, "disconnect", lambda: None)  # noqa: B010  one more question may follow
        named = self.autodetect()
        release = self._results_cache.get("show version", "")
        if "SONiC" in release:
            return platforms.find_platform("dell_enterprise_sonic" if "Enterprise" in release else "sonic")
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
