"""The inventory as `ansible-inventory` lists it: with its plugins, its configuration, and its vault."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from auditor.collect.ansible import list_targets, select_variables
from auditor.collect.target import Inventory, InventoryError, Target, make_inventory
from auditor.util.redact import redact

PROGRAM = "ansible-inventory"
MAX_S = 120.0
"""Seconds for the list; an inventory plugin may ask a server."""
MAX_BYTES = 2**27
_MAX_MESSAGES = 2**16
_SHOWN = 3
_SETTINGS = {"ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1", "ANSIBLE_NOCOLOR": "1"}
"""A source that Ansible cannot read is an error, not an empty list."""
_VAULT = "vault secrets"


def find_program(environment: Mapping[str, str]) -> str | None:
    """Return the path of `ansible-inventory` on the PATH of *environment*; None if it is missing."""
    return shutil.which(PROGRAM, path=environment.get("PATH", ""))


def read_by_ansible(path: Path, program: str, environment: Mapping[str, str]) -> Inventory:
    """Return the inventory that *program* lists for *path*; raises InventoryError."""
    output, messages = _run(path, program, environment)
    try:
        listed = json.loads(output)
        variables = listed["_meta"]["hostvars"]
        names = dict.fromkeys([*_list_hosts(listed), *variables])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InventoryError(f"{path}: {PROGRAM} printed no inventory; run `{PROGRAM} -i {path} --list`") from None
    notes = [f"{PROGRAM}: {line}" for line in _find_messages(messages, "WARNING")]
    targets = [each for name in names for each in _list_targets(path, name, variables.get(name), notes)]
    return make_inventory(targets, dict.fromkeys(notes))


def _list_hosts(listed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the hosts of each group, with repetitions: a host without variables has no entry of its own."""
    for group in listed.values():
        yield from group.get("hosts", ())


def _list_targets(path: Path, name: str, variables: object, notes: list[str]) -> Iterator[Target]:
    known = variables if isinstance(variables, Mapping) else {}
    yield from list_targets(str(path), name, select_variables(known), notes)


def _run(path: Path, program: str, environment: Mapping[str, str]) -> tuple[bytes, str]:
    """Return what *program* prints, and its messages; raises InventoryError."""
    try:
        process = subprocess.Popen(  # noqa: S603  the user's own Ansible
            [program, "-i", str(path.absolute()), "--list"],
            env={**environment, **_SETTINGS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a group to kill as a whole, without a terminal to ask for a password
        )
    except OSError as error:
        raise InventoryError(f"{program}: cannot be started: {error.strerror}") from None
    said = bytearray()
    late = threading.Event()

    def end_late() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(MAX_S, end_late)
    reader = threading.Thread(target=_drain, args=(process.stderr, said), daemon=True)
    timer.start()
    reader.start()
    with process:
        try:
            output = process.stdout.read(MAX_BYTES + 1) if process.stdout else b""
            if len(output) <= MAX_BYTES:
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # not reaped: its number is still its own
        finally:
            timer.cancel()
            _kill(process)  # and what it left behind
            reader.join()
    messages = said.decode("utf-8", "replace")
    if late.is_set():
        raise InventoryError(f"{path}: {PROGRAM} took more than {MAX_S:.0f} s; give a smaller inventory")
    if len(output) > MAX_BYTES:
        raise InventoryError(f"{path}: {PROGRAM} printed more than {MAX_BYTES} bytes; give a smaller inventory")
    if process.returncode:
        raise InventoryError(f"{path}: {PROGRAM} failed: {_explain_failure(path, messages)}")
    return output, messages


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill *process* and all that its inventory started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _drain(stream: IO[bytes], said: bytearray) -> None:
    """Read *stream* to its end; keep the beginning in *said*."""
    while chunk := stream.read1(_MAX_MESSAGES):  # type: ignore[attr-defined]  # a pipe is buffered
        said.extend(chunk[: _MAX_MESSAGES - len(said)])


def _explain_failure(path: Path, messages: str) -> str:
    """Return the error of Ansible's, and what to do."""
    errors = [*_find_messages(messages, "WARNING")[:1], *_find_messages(messages, "ERROR")[:1]] or ["no message"]
    if _VAULT in errors[-1]:
        return f"{errors[-1]} Set ANSIBLE_VAULT_PASSWORD_FILE"
    return f"{'; '.join(errors)}; run `{PROGRAM} -i {path} --list` and fix the inventory"


def _find_messages(messages: str, level: str) -> list[str]:
    """Return the first lines of Ansible's messages of *level*; lines below them may quote a file."""
    mark = f"[{level}]: "
    found = [line.removeprefix(mark) for line in messages.splitlines() if line.startswith(mark)]
    return [redact(line) for line in found[:_SHOWN]]
