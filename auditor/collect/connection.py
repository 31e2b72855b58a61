"""A connection to one device: host key, time limit, and the gate that every line passes.

The gate refuses a line that the platform does not list, before the line is written. Only modules of this package
import netmiko.
"""

import codecs
import logging
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import field
from functools import cache
from typing import Any

import paramiko
from netmiko.channel import SSHChannel
from netmiko.ssh_dispatcher import CLASS_MAPPER

from auditor.collect import hostkeys
from auditor.collect.credentials import Credentials
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.login import make_transport
from auditor.collect.request import CONNECT_TIMEOUT_S, MAX_DEVICE_BYTES
from auditor.collect.route import Route
from auditor.util.values import dataclass

MAX_OUTPUT_BYTES = 32 * 2**20
"""Of one command. The largest known dump, the running state of a 512-port switch, has 20 MB."""
MAX_LOGIN_BYTES = 2**20
"""Before the first command: banners and messages of the day."""
INTERRUPT = "\x03"
"""Ends a command that takes too long; no other control character is ever sent."""

_CHUNK = 2**16
MOMENT_S = 0.25
_JUMP_END_S = 1.0

for _name in ("paramiko", "netmiko"):  # PullError carries their failures; their tracebacks are not for people
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


@dataclass(slots=True)
class Watch:
    """The end of a session: at `deadline` (of the monotonic clock), or as soon as `stop` is set.

    `cut` severs the session. `proved` runs when the device accepts the login.
    """

    deadline: float
    stop: threading.Event = field(default_factory=threading.Event)
    cut: Callable[[], object] | None = None
    proved: Callable[[], object] = lambda: None
    connect_s: float = CONNECT_TIMEOUT_S

    def end(self) -> None:
        """End the session from another thread, even while the session waits for a silent device."""
        self.stop.set()
        if self.cut is not None:
            self.cut()

    def check(self) -> None:
        """Raise PullError if the session must end."""
        if time.monotonic() >= self.deadline:
            raise PullError(ErrorKind.DEADLINE, "the time limit is reached")
        if self.stop.is_set():
            raise PullError(ErrorKind.INTERRUPTED, "interrupted")

    @property
    def left_s(self) -> float:
        """The remaining seconds, at least a tenth."""
        return max(self.deadline - time.monotonic(), 0.1)


class Channel(SSHChannel):
    """A channel that reads bounded pieces, notices a closed connection, and decodes characters across pieces."""

    def __init__(self, conn: paramiko.Channel, watch: Watch) -> None:
        super().__init__(conn=conn, encoding="utf-8")
        self._conn = conn
        self._watch = watch
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waited_for = b""
        self._limit = MAX_LOGIN_BYTES
        self._left = MAX_DEVICE_BYTES
        self.received = 0
        self.replaced = 0

    def begin_command(self) -> None:
        """Count the bytes of the next command."""
        self.received = self.replaced = 0
        self._limit = MAX_OUTPUT_BYTES

    def read_channel(self) -> str:
        """Return the next piece of output, empty if none has come; raises PullError."""
        self._watch.check()
        if not self._waited_for and not self._conn.recv_ready():
            if self._conn.closed or self._conn.eof_received:
                raise PullError(ErrorKind.TRANSPORT, "the device closed the connection")
            return ""
        data, self._waited_for = self._waited_for or self._conn.recv(_CHUNK), b""
        self.received += len(data)
        self._left -= len(data)
        if self._left < 0:
            raise PullError(ErrorKind.FLOOD, f"more than {MAX_DEVICE_BYTES >> 20} MiB of output in one session")
        if self.received > self._limit:
            login = self._limit == MAX_LOGIN_BYTES
            kind, where = (ErrorKind.FLOOD, " before the first prompt") if login else (ErrorKind.TOO_LARGE, "")
            raise PullError(kind, f"more than {self._limit >> 20} MiB of output{where}")
        text = self._decoder.decode(data)
        self.replaced += text.count("\ufffd")
        return text.replace("\0", "")

    def wait(self, seconds: float = MOMENT_S) -> None:
        """Wait for output, *seconds* at most: polling in many sessions costs much CPU."""
        if self._waited_for or self._conn.recv_ready():
            return
        usual = self._conn.gettimeout()
        self._conn.settimeout(seconds)
        try:
            self._waited_for = self._conn.recv(_CHUNK)
        except TimeoutError:
            pass
        finally:
            self._conn.settimeout(usual)


@cache
def _guard_driver(driver: str) -> type:
    """Return netmiko's class *driver* with gate, watch and verified host keys."""
    base: Any = CLASS_MAPPER[driver]

    class GatedConnection(base):  # type: ignore[misc]
        """A connection that sends only allowed lines."""

        def __init__(self, way: "ConnectionWay", allowed: re.Pattern[str], **options: Any) -> None:  # noqa: ANN401
            self.way = way
            self.allowed = allowed
            super().__init__(**options)

        def write_channel(self, out_data: str) -> None:
            for line in re.split(r"[\r\n]", out_data):
                if line and line != INTERRUPT and not self.allowed.fullmatch(line):
                    raise PullError(ErrorKind.REFUSED, f"line refused, the platform does not list it: {line[:200]!r}")
            super().write_channel(out_data)

        def strip_ansi_escape_codes(self, string_buffer: str) -> str:
            """Return the text without escape codes; most pieces have none, so one search is enough."""
            stripped: str = super().strip_ansi_escape_codes(string_buffer) if "\x1b" in string_buffer else string_buffer
            return stripped

        def establish_connection(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
            super().establish_connection(*arguments, **named)
            self.channel = Channel(self.remote_conn, self.way.watch)
            self.way.watch.proved()

        def _build_ssh_client(self) -> paramiko.SSHClient:
            client: paramiko.SSHClient = self._get_ssh_client_instance()
            self.way.trust(client)
            return client

        def _connect_params_dict(self) -> dict[str, Any]:
            return self.way.parameters(super()._connect_params_dict())

    return GatedConnection


class ConnectionWay:
    """One connection in the making: the jump process, if any, and the check of the host key."""

    def __init__(self, route: Route, watch: Watch, *, accept_new: bool) -> None:
        self.route = route
        self.watch = watch
        self.client: paramiko.SSHClient | None = None
        self._accept_new = accept_new
        self._process: subprocess.Popen[bytes] | None = None
        self._said: Any = None
        watch.cut = self.sever

    def sever(self) -> None:
        """Close the connection, which wakes the thread that waits for the device."""
        if self.client is not None:
            self.client.close()
        if self._process is not None:
            self._process.terminate()

    def trust(self, client: paramiko.SSHClient) -> None:
        """Make *client* verify the device's host key."""
        self.client = client
        plain = hostkeys.format_host(self.route.hostname, self.route.port)
        name = self.route.alias or plain
        client_name = plain if self.route.port != paramiko.config.SSH_PORT else self.route.hostname
        hostkeys.trust_keys(client, client_name, name, self.route.known_hosts, accept_new=self._accept_new)

    def parameters(self, said: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of paramiko's connection."""
        said |= {
            "hostname": self.route.hostname,
            "key_filename": list(self.route.keys) or None,
            "look_for_keys": False,
            "allow_agent": not self.route.only_these_keys,
            "transport_factory": make_transport,
        }
        return said | {"sock": self._through(self.route.proxy)} if self.route.proxy else said

    def _through(self, command: tuple[str, ...]) -> socket.socket:
        """Return a socket whose other end *command* connects to the device."""
        ours, its = socket.socketpair()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process that writes it
        try:
            with its:
                # In the process group of the session, which ends as a whole.
                self._process = subprocess.Popen[bytes](
                    command, stdin=its.fileno(), stdout=its.fileno(), stderr=self._said
                )
        except OSError as error:
            ours.close()
            raise PullError(ErrorKind.TRANSPORT, f"{command[0]} cannot be started: {error.strerror}") from None
        return ours

    def close(self) -> str:
        """Close connection and jump process; return the last error line of the process."""
        self.sever()
        if self._process is None:
            return ""
        try:
            self._process.wait(_JUMP_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        self._said.seek(0)
        said: str = self._said.read(4096).decode("utf-8", "replace")
        self._said.close()
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return lines[-1] if lines else ""


def open_connection(driver: str, way: ConnectionWay, credentials: Credentials, allowed: re.Pattern[str]) -> Any:  # noqa: ANN401
    """Return a connection of netmiko's class *driver* that sends only *allowed* lines."""
    way.watch.check()
    limit = min(way.watch.connect_s, way.watch.left_s)
    gated = _guard_driver("terminal_server" if driver == "autodetect" else driver)
    return gated(
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
