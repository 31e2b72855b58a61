"""The work of a child: one session with one device, from login to logout, with its events sent to the pull."""

import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from auditor.collect import session
from auditor.collect.connection import Watch
from auditor.collect.credentials import Credentials
from auditor.collect.device import run_commands
from auditor.collect.failure import ErrorKind, PullError
from auditor.collect.output import CommandResult
from auditor.collect.request import SessionRequest
from auditor.util.redact import redact

Send = Callable[[tuple[Any, ...]], None]


def run_session(connection: "Connection[Any, Any]") -> None:
    """Run the session that the first message requests; send `login`, `platform`, `asked`, `answer`, and last `end`."""
    request: SessionRequest = connection.recv()
    os.environ.clear()
    os.environ.update(request.environment)  # an agent's socket; this process may have started before it was set
    watch = Watch(time.monotonic() + request.left_s, connect_s=request.connect_s)
    watch.proved = lambda: connection.send(("login",))
    threading.Thread(target=_follow_orders, args=(connection, watch), daemon=True).start()
    try:
        _pull(request, watch, connection.send)
    except PullError as failure:
        message = redact(session.redact_password(failure.message, request.credentials))
        connection.send(("end", failure.kind, message))
    except OSError:
        raise
    except BaseException as error:  # noqa: BLE001  the pull reports it
        connection.send(("end", ErrorKind.CRASHED, f"unexpected {type(error).__name__}"))
    else:
        connection.send(("end", None, ""))


def _follow_orders(connection: "Connection[Any, Any]", watch: Watch) -> None:
    """End the session when the pull asks for it, and this process group when the pull is gone."""
    try:
        while True:
            if connection.recv():  # whether the time limit is reached
                watch.deadline = time.monotonic()
            watch.end()
    except (EOFError, OSError):
        os.killpg(0, signal.SIGKILL)


def _pull(request: SessionRequest, watch: Watch, send: Send) -> None:
    """Pull the device, after a session that detects an unknown platform; raises PullError."""
    platform, credentials = request.platform, request.credentials
    if platform is None:
        platform = session.detect_platform(
            request.route, credentials, watch, accept_new=request.accept_new, quiet_s=request.quiet_s
        )
        send(("platform", platform.name))
    platform = platform.narrow() if request.counts_only else platform
    sudo = request.sudo and credentials.username != "root"
    opened = session.open_session(platform, request.route, credentials, watch, sudo=sudo, accept_new=request.accept_new)
    try:
        run_commands(
            opened,
            platform,
            request.settled,
            lambda answer: send(("answer", _redact_result(answer, credentials))),
            lambda k, n, command: send(("asked", k, n, command)),
        )
    finally:
        opened.close()


def _redact_result(answer: CommandResult, credentials: Credentials) -> CommandResult:
    """Return *answer* without the password, which a device may echo."""
    text, why = session.redact_password(answer.text, credentials), session.redact_password(answer.why, credentials)
    return CommandResult(answer.command, answer.status, text, why, answer.required)
