"""A session with one device. Alone in importing netmiko, and alone in sending anything to a device.

Every line passes one gate: what the platform does not list is refused before it is written, whoever asks for it.
"""

import codecs
import logging
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

import netmiko
import paramiko
from netmiko.channel import SSHChannel
from netmiko.ssh_autodetect import SSHDetect
from netmiko.ssh_dispatcher import CLASS_MAPPER

from auditor.collect import hostkeys, platforms
from auditor.collect.answers import Output
from auditor.collect.credentials import Credentials
from auditor.collect.failure import Failure, Kind
from auditor.collect.platforms import Platform
from auditor.collect.route import Route

MAX_OUTPUT_BYTES = 32 * 2**20
"""Of one command: the largest dump seen, the running state of a 512-port switch, has 20 MB."""
CONNECT_TIMEOUT_S = 15.0
LOGIN_TIMEOUT_S = 20.0
INTERRUPT = "\x03"
"""What ends a command that takes too long; the only control character that is ever sent."""

_CHUNK = 2**16
_TAIL = 4096
_MOMENT_S = 0.25
_FAREWELL_S = 1.0
_RECOVERY_S = 5.0
_SHELL_GRACE_S = 5.0
_CONFIGURING = re.compile(r"\(conf|\[edit|\A\[")
"""In a prompt: someone else's session cannot be in this mode, and ours must not."""

for _name in ("paramiko", "netmiko"):  # their tracebacks are no lines for people, and failures are told here
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


@dataclass(slots=True)
class Watch:
    """When a session must end: at `deadline` (of the monotonic clock), or as soon as `stop` is set.

    `cut` severs it, `proved` is told that the login was taken.
    """

    deadline: float
    stop: threading.Event = field(default_factory=threading.Event)
    cut: Callable[[], object] | None = None
    proved: Callable[[], object] = lambda: None

    def end(self) -> None:
        """Make the session end, from another thread, even where it waits for a device that is silent."""
        self.stop.set()
        if self.cut is not None:
            self.cut()

    def check(self) -> None:
        """Raise Failure where the session must end."""
        if self.stop.is_set():
            raise Failure(Kind.INTERRUPTED, "interrupted")
        if time.monotonic() >= self.deadline:
            raise Failure(Kind.DEADLINE, "its time is up")

    @property
    def left_s(self) -> float:
        """The seconds that are left, at least a moment."""
        return max(self.deadline - time.monotonic(), 0.1)


class _Channel(SSHChannel):
    """Reads in bounded pieces, notices a closed connection at once, and decodes without losing what spans pieces."""

    def __init__(self, conn: paramiko.Channel, watch: Watch) -> None:
        super().__init__(conn=conn, encoding="utf-8")
        self._conn = conn
        self._watch = watch
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waited_for = b""
        self.received = 0
        self.replaced = 0

    def read_channel(self) -> str:
        """Return what has come, at most one piece of it; raises Failure."""
        self._watch.check()
        if not self._waited_for and not self._conn.recv_ready():
            if self._conn.closed or self._conn.eof_received:
                raise Failure(Kind.TRANSPORT, "the device closed the connection")
            return ""
        data, self._waited_for = self._waited_for or self._conn.recv(_CHUNK), b""
        self.received += len(data)
        if self.received > MAX_OUTPUT_BYTES:
            raise Failure(Kind.TOO_LARGE, f"more than {MAX_OUTPUT_BYTES >> 20} MiB of output")
        text = self._decoder.decode(data)
        self.replaced += text.count("\ufffd")
        return text.replace("\0", "")

    def wait(self) -> None:
        """Wait until something comes, a moment at most: many sessions that look again and again cost much."""
        if self._waited_for or self._conn.recv_ready():
            return
        usual = self._conn.gettimeout()
        self._conn.settimeout(_MOMENT_S)
        try:
            self._waited_for = self._conn.recv(_CHUNK)
        except TimeoutError:
            pass
        finally:
            self._conn.settimeout(usual)


@cache
def _guarded(driver: str) -> type:
    """Return netmiko's class *driver*, with the gate, the watch and host keys that are verified."""
    base: Any = CLASS_MAPPER[driver]

    class Guarded(base):  # type: ignore[misc]
        """A connection that sends only what is allowed."""

        def __init__(self, way: "_Way", allowed: re.Pattern[str], **options: Any) -> None:  # noqa: ANN401
            self.way = way
            self.allowed = allowed
            super().__init__(**options)

        def write_channel(self, out_data: str) -> None:
            for line in re.split(r"[\r\n]", out_data):
                if line and line != INTERRUPT and not self.allowed.fullmatch(line):
                    raise Failure(Kind.REFUSED, f"not sent, as it is not listed: {line[:200]!r}")
            super().write_channel(out_data)

        def establish_connection(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
            super().establish_connection(*arguments, **named)
            self.channel = _Channel(self.remote_conn, self.way.watch)
            self.way.watch.proved()

        def _build_ssh_client(self) -> paramiko.SSHClient:
            client: paramiko.SSHClient = self._get_ssh_client_instance()
            self.way.trust(client)
            return client

        def _connect_params_dict(self) -> dict[str, Any]:
            return self.way.parameters(super()._connect_params_dict())

    return Guarded


class _Way:
    """One connection being made: the process between, if any, and what verifies the device."""

    def __init__(self, route: Route, watch: Watch, *, accept_new: bool) -> None:
        self.route = route
        self.watch = watch
        self.client: paramiko.SSHClient | None = None
        self._accept_new = accept_new
        self._process: subprocess.Popen[bytes] | None = None
        self._said: Any = None
        watch.cut = self.sever

    def sever(self) -> None:
        """Close the connection, which wakes whoever waits for the device."""
        if self.client is not None:
            self.client.close()
        if self._process is not None:
            self._process.terminate()

    def trust(self, client: paramiko.SSHClient) -> None:
        """Make *client* verify the device's host key."""
        self.client = client
        plain = hostkeys.known_as(self.route.hostname, self.route.port)
        name = self.route.alias or plain
        client_name = plain if self.route.port != paramiko.config.SSH_PORT else self.route.hostname
        hostkeys.trust(client, client_name, name, self.route.known_hosts, accept_new=self._accept_new)

    def parameters(self, said: dict[str, Any]) -> dict[str, Any]:
        """Return what paramiko connects with."""
        said |= {
            "hostname": self.route.hostname,
            "key_filename": list(self.route.keys) or None,
            "look_for_keys": False,
            "allow_agent": not self.route.only_these_keys,
        }
        return said | {"sock": self._through(self.route.proxy)} if self.route.proxy else said

    def _through(self, command: tuple[str, ...]) -> socket.socket:
        """Return a socket whose other end *command* connects to the device."""
        ours, its = socket.socketpair()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process that writes it
        try:
            with its:
                # In a session of its own, so that a Ctrl-C meant for us does not cut its connection first.
                self._process = subprocess.Popen[bytes](
                    command, stdin=its.fileno(), stdout=its.fileno(), stderr=self._said, start_new_session=True
                )
        except OSError as error:
            ours.close()
            raise Failure(Kind.TRANSPORT, f"{command[0]} cannot be started: {error.strerror}") from None
        return ours

    def close(self) -> str:
        """End all that the connection holds; return what the process between complained about."""
        self.sever()
        if self._process is None:
            return ""
        self._process.wait()
        self._process = None
        self._said.seek(0)
        said: str = self._said.read(4096).decode("utf-8", "replace")
        self._said.close()
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return lines[-1] if lines else ""


class Session:
    """An open session; `prompt` ends each answer of a command line that is no shell."""

    def __init__(self, connection: Any, platform: Platform, way: _Way, *, sudo: bool) -> None:  # noqa: ANN401
        self._connection = connection
        self._platform = platform
        self._way = way
        self._sudo = sudo
        self._channel: _Channel = connection.channel
        self._prompt = self._settle()
        # A shell says itself when a command has ended, so that nothing in its output can be taken for a prompt.
        self._ending = platforms.STATUS if platform.shell else re.compile(rf"(?:\A|\n){self._prompt}[ \t]*\Z")

    def _settle(self) -> str:
        """Return the prompt, as a pattern; netmiko has found it, and keeps it without what ends it."""
        base: str = self._connection.base_prompt
        if self._platform.shell:
            with _failures(self._way):
                self._connection.write_channel(platforms.NO_HISTORY + self._connection.RETURN)
        elif _CONFIGURING.search(base):
            raise Failure(Kind.PROMPT, f"the session is in a configuration mode: {base!r}")
        return rf"[<\[]?{re.escape(base)}[#>$%\]]?"

    def run(self, command: platforms.Command, text: str) -> Output:
        """Return what *text*, an instance of *command*, prints; raises Failure.

        After a Failure of kind TIMEOUT the session can be used, after any other it cannot.
        """
        line = self._platform.line(command, text, sudo=self._sudo)
        self._channel.received = self._channel.replaced = 0
        limit = command.timeout_s + _SHELL_GRACE_S * self._platform.shell
        with _failures(self._way):
            self._connection.write_channel(line + self._connection.RETURN)
            said = self._read(line, time.monotonic() + limit)
            if said is None:
                self._recover(command)
        match = self._ending.search(said, max(len(said) - _TAIL, 0))
        if match is None:
            raise Failure(Kind.PROMPT, "the answer did not end as it should")
        text = said[: match.start()]
        if not self._platform.shell:
            # Junos and others put a line of context before the prompt.
            return Output(self._connection.strip_prompt(said[: match.end()]), None, self._channel.replaced)
        return Output(text.rpartition(platforms.BEGIN)[2], int(match["status"]), self._channel.replaced)

    def _read(self, line: str, until: float) -> str | None:
        """Return what follows the echo of *line*, up to the prompt or what a shell prints instead; None if late.

        Before the echo an earlier prompt may still be on its way.
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

    def _recover(self, command: platforms.Command) -> NoReturn:
        self._channel.received = 0
        self._connection.write_channel(INTERRUPT)
        late = f"no answer within {command.timeout_s} s"
        try:
            self._connection.read_until_pattern(self._prompt, read_timeout=_RECOVERY_S)
        except netmiko.ReadTimeout:
            raise Failure(Kind.PROMPT, f"{late}, and no prompt came after it") from None
        raise Failure(Kind.TIMEOUT, late)

    def close(self) -> None:
        """Log out, if the device still listens, and let go of everything."""
        try:
            if self._way.watch.left_s > 1 and not self._way.watch.stop.is_set():
                self._connection.write_channel(self._platform.session[-1] + self._connection.RETURN)
                until = time.monotonic() + _FAREWELL_S
                while time.monotonic() < until:  # the Failure that the connection is closed ends it sooner
                    if not self._connection.read_channel():
                        self._channel.wait()
        except Exception:  # noqa: BLE001, S110  the session ends either way
            pass
        self._way.close()


def open_session(  # noqa: PLR0913  each says something of its own
    platform: Platform, route: Route, credentials: Credentials, watch: Watch, *, sudo: bool, accept_new: bool
) -> Session:
    """Log in and return the session; raises Failure."""
    allowed = platform.allowed(sudo=sudo)
    way = _Way(route, watch, accept_new=accept_new)
    try:
        with _failures(way):
            connection = _connect(platform.driver, way, credentials, allowed)
        return Session(connection, platform, way, sudo=sudo)
    except BaseException:
        way.close()
        raise


def detect(route: Route, credentials: Credentials, watch: Watch, *, accept_new: bool) -> Platform:
    """Log in, find out which platform it is, and log out; raises Failure."""
    way = _Way(route, watch, accept_new=accept_new)
    try:
        with _failures(way):
            connection = _connect("autodetect", way, credentials, platforms.detection())
            found = _Detect(connection).platform()
        if found is None:
            known = ", ".join(platforms.platforms())
            raise Failure(Kind.PLATFORM, f"its platform was not recognised; set it in the inventory: one of {known}")
        return found
    finally:
        way.close()


class _Detect(SSHDetect):
    """netmiko's detection over a guarded connection: what is not listed for it is not sent and matches nothing."""

    QUIET_S = 3.0
    """A device is done talking after so long: a slow one may think that long between echo and answer."""

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
        """Return the platform, None where nothing known answers."""
        self.initial_buffer = self.connection.read_channel_timing(last_read=self.QUIET_S, read_timeout=LOGIN_TIMEOUT_S)
        setattr(self.connection, "disconnect", lambda: None)  # noqa: B010  one more question may follow
        named = self.autodetect()
        release = self._results_cache.get("show version", "")
        if "SONiC" in release:
            return platforms.find("dell_enterprise_sonic" if "Enterprise" in release else "sonic")
        found = platforms.find(_DRIVERS.get(named or "", named or ""))
        if found is not None and not found.shell:
            return found
        if "Linux" not in self._results_cache.get("uname -a", ""):
            return found
        return platforms.find("cumulus" if "cumulus" in self._send_command("cat /etc/os-release").lower() else "linux")


_DRIVERS = {"huawei_vrpv8": "huawei", "hp_comware": "h3c", "cumulus_linux": "cumulus"}
"""What netmiko detects under a name that is not a platform's."""


def _connect(driver: str, way: _Way, credentials: Credentials, allowed: re.Pattern[str]) -> Any:  # noqa: ANN401
    way.watch.check()
    limit = min(CONNECT_TIMEOUT_S, way.watch.left_s)
    guarded = _guarded("terminal_server" if driver == "autodetect" else driver)
    return guarded(
        way,
        allowed,
        device_type=driver,
        host=way.route.hostname,
        port=way.route.port,
        username=credentials.username,
        password=credentials.password,
        ssh_strict=True,
        conn_timeout=limit,
        banner_timeout=limit,
        auth_timeout=limit,
    )


@contextmanager
def _failures(way: _Way) -> Iterator[None]:
    """Turn whatever netmiko and paramiko raise into a Failure with one line for people."""
    try:
        yield
    except Failure as failure:
        raise _with_proxy(way, failure) from None
    except Exception as error:  # noqa: BLE001  a device must not end the run, whatever it makes a library do
        way.watch.check()
        raise _with_proxy(way, _failure(error)) from None


def _with_proxy(way: _Way, failure: Failure) -> Failure:
    """Return *failure* with what the jump host said, where the connection leads over one and broke."""
    if not way.route.proxy or failure.kind is not Kind.TRANSPORT:
        return failure
    said = way.close()
    return Failure(failure.kind, f"{failure.message} (over {way.route.jumps[-1]}{f': {said}' if said else ''})")


def _failure(error: BaseException) -> Failure:
    """Return what *error* or the error behind it means."""
    cause = error.__context__ if isinstance(error, netmiko.NetmikoTimeoutException) and error.__context__ else error
    for kind, message in _MEANINGS.items():
        if isinstance(cause, kind):
            return message(cause)
    text = " ".join(str(cause).split())[:300]
    return Failure(Kind.TRANSPORT, text or type(cause).__name__)


def _of_key(error: Any) -> Failure:  # noqa: ANN401
    shown = f"{error.key.get_name()} {error.key.fingerprint}"
    return Failure(Kind.HOST_KEY, f"its host key has changed: now {shown}; known is {error.expected_key.fingerprint}")


def _of_login(error: BaseException) -> Failure:
    """Return what became of a login; one that got no answer may have counted as well, and is not tried again either."""
    text = str(error)
    if "timeout" in text.lower() or "EOF" in text:
        return Failure(Kind.AUTHENTICATION, "the device did not answer the login")
    return Failure(Kind.AUTHENTICATION, "the login is refused")


def _of_ssh(error: BaseException) -> Failure:
    text = str(error)
    if "No authentication methods" in text:
        return Failure(Kind.AUTHENTICATION, "nothing to log in with: no key, no agent, no password")
    return Failure(Kind.TRANSPORT, " ".join(text.split())[:300] or "the SSH connection failed")


def _of_socket(error: BaseException) -> Failure:
    if isinstance(error, TimeoutError):
        return Failure(Kind.TRANSPORT, "no answer from its address")
    reasons = getattr(error, "errors", None)
    inner = next(iter(reasons.values())) if reasons else error
    return Failure(Kind.TRANSPORT, str(getattr(inner, "strerror", None) or inner).lower())


_MEANINGS: dict[type[BaseException], Callable[[Any], Failure]] = {
    paramiko.BadHostKeyException: _of_key,
    hostkeys.HostKeyRefused: lambda error: Failure(Kind.HOST_KEY, str(error)),
    paramiko.AuthenticationException: _of_login,
    socket.gaierror: lambda _: Failure(Kind.NAME, "its name is not known"),
    netmiko.ReadTimeout: lambda _: Failure(Kind.PROMPT, "no prompt came"),
    netmiko.NetmikoTimeoutException: lambda _: Failure(Kind.PROMPT, "no prompt came"),
    paramiko.SSHException: _of_ssh,
    ValueError: lambda _: Failure(Kind.PROMPT, "no prompt was recognised"),
    OSError: _of_socket,
    EOFError: lambda _: Failure(Kind.TRANSPORT, "the device closed the connection"),
}
"""The first that fits counts."""


def without(text: str, credentials: Credentials) -> str:
    """Return *text* without the password, should a device have echoed it."""
    return text.replace(credentials.password, "<redacted>") if credentials.password else text
