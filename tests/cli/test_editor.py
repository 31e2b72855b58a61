"""What `init` writes in an editor: the YAML language server completes and checks it by the schema beside it."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.settings import CONFIG

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
SERVER = ROOT / ".ci" / "npm" / "node_modules" / ".bin" / "yaml-language-server"
pytestmark = pytest.mark.waits


class Server:
    """The YAML language server, over its standard input and output."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stdin
        assert program.stdout
        self._input, self._output, self._number = program.stdin, program.stdout, 0

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401  as the method has it
        """Return the result of a request; requests of the server are answered with nothing."""
        self._number += 1
        self._send(id=self._number, method=method, params=params)
        while True:
            message = self._read()
            if message.get("id") == self._number and "method" not in message:
                return message["result"]
            self._answer(message)

    def tell(self, method: str, **params: object) -> None:
        """Send a notification."""
        self._send(method=method, params=params)

    def await_problems(self, document: dict[str, str]) -> list[str]:
        """Return the messages of the next diagnostics of a document."""
        while True:
            message = self._read()
            of_document = document.items() <= message.get("params", {}).items()
            if message.get("method") == "textDocument/publishDiagnostics" and of_document:
                return [each["message"] for each in message["params"]["diagnostics"]]
            self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        if "id" in message and "method" in message:
            items = message["params"].get("items", ()) if message["method"] == "workspace/configuration" else None
            self._send(id=message["id"], result=None if items is None else [{} for _ in items])

    def _send(self, **message: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._input.flush()

    def _read(self) -> dict[str, Any]:
        size = 0
        while line := self._output.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        assert size, "the server has ended"
        message: dict[str, Any] = json.loads(self._output.read(size))
        return message


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Yield the server, once it is ready."""
    if not SERVER.exists():
        if os.environ.get("CI"):
            pytest.fail("no yaml-language-server: .ci/run installs it")
        pytest.skip("no yaml-language-server: .ci/run installs it")
    with subprocess.Popen([SERVER, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        try:
            started = Server(program)
            started.ask("initialize", processId=None, rootUri=None, capabilities={})
            started.tell("initialized")
            yield started
        finally:
            program.kill()


@pytest.fixture
def settings(run: Run, tmp_path: Path) -> Path:
    """Return the settings that `init` writes for a fabric."""
    shutil.copytree(ROOT / "fixtures" / "fabric" / "leaf1", tmp_path / "leaf1")
    assert run("init", tmp_path)[0] == 0
    return tmp_path / CONFIG


def open_text(server: Server, path: Path, text: str) -> dict[str, str]:
    """Open *text* as the file *path* in the editor, and return how requests name the document."""
    document = {"uri": path.as_uri()}
    server.tell("textDocument/didOpen", textDocument={**document, "languageId": "yaml", "version": 1, "text": text})
    return document


def test_the_settings_of_init_are_sound_in_an_editor(server: Server, settings: Path) -> None:
    assert server.await_problems(open_text(server, settings, settings.read_text())) == []


def test_an_editor_reports_a_key_that_does_not_exist(server: Server, settings: Path) -> None:
    (problem,) = server.await_problems(open_text(server, settings, settings.read_text() + "path_mtu: 4096\n"))
    assert "path_mtu" in problem


@pytest.mark.parametrize(
    ("line", "offered"),
    [("oversubscr", {"oversubscription"}), ("homing: ", {"single", "dual"}), ("ex", {"expect"})],
)
def test_an_editor_completes_keys_and_values(server: Server, settings: Path, line: str, offered: set[str]) -> None:
    text = settings.read_text()
    document = open_text(server, settings, text + line)
    position = {"line": text.count("\n"), "character": len(line)}
    found = server.ask("textDocument/completion", textDocument=document, position=position)
    assert offered <= {item["label"] for item in found["items"]}
