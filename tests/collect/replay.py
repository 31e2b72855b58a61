"""Switches for tests: an SSH server that shows prompts, pages, stalls and breaks as they do, and answers from captures.

As a program: `python replay.py OS` serves one on a port that it prints.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncssh

PAGE = 24
USER, PASSWORD = "audit", "Corr3ct-Horse"


@dataclass(frozen=True)
class Cli:
    """How the command line of an operating system behaves."""

    prompt: str
    quiet: Mapping[str, str]
    unknown: str
    banner: str = ""
    more: str = " --More-- "
    no_paging: str = "terminal length 0"
    login: str = ""
    enter: str = ""


CLIS = {
    "cisco_nxos": Cli(
        "leaf1# ",
        {"terminal width 511": "", "terminal length 0": ""},
        "                      ^\n% Invalid command at '^' marker.",
        "\nUser Access Verification # authorised use only\n",
        "--More--",
    ),
    "cisco_iosxr": Cli(
        "RP/0/RP0/CPU0:leaf1#",
        {"terminal width 511": "Thu Nov 26 10:01:02.123 UTC", "terminal length 0": "Thu Nov 26 10:01:02.321 UTC"},
        "                      ^\n% Invalid input detected at '^' marker.",
        "\nAuthorised use only\n",
        " --More-- ",
    ),
    "arista_eos": Cli(
        "leaf1#",
        {"terminal width 511": "Width set to 511 columns.", "terminal length 0": "Pagination disabled."},
        "% Invalid input",
        "\nLast login: Mon Jan  5 10:00:00\n",
    ),
    "juniper_junos": Cli(
        "audit@qfx1> ",
        {
            "set cli screen-width 511": "Screen width set to 511",
            "set cli complete-on-space off": "Disabling complete-on-space",
            "set cli screen-length 0": "Screen length set to 0",
        },
        "                 ^\nunknown command.",
        "--- JUNOS 22.4R3 built 2024\n{master:0}\n",
        "---(more)---",
        "set cli screen-length 0",
    ),
    "nokia_srlinux": Cli(
        "\r\n--{ running }--[  ]--\r\nA:leaf1# ",
        {"environment complete-on-space false": ""},
        "Parsing error: Unknown token 'surprise'. Options are ['#', '>', '|', 'acl', 'bfd', 'interface']",
        "\nWelcome to the srlinux CLI.\nType 'help' (and press <ENTER>) if you need any help using this.\n",
        "--More--",
        "environment cli-engine type basic",
    ),
    "dell_os10": Cli("OS10# ", {"terminal length 0": ""}, "% Error: Unrecognized command.", "Dell SmartFabric OS10\n"),
    "dell_enterprise_sonic": Cli(
        "sonic# ",
        {"terminal length 0": ""},
        '% Error: Invalid input detected at "^" marker.',
        "Debian GNU/Linux\n",
        login="audit@sonic:~$ ",
        enter="sonic-cli",
    ),
    "huawei_vrp": Cli(
        "<CE1>",
        {"screen-length 0 temporary": "Info: The configuration takes effect on this terminal only."},
        "              ^\nError: Unrecognized command found at '^' position.",
        "\nInfo: The max number of VTY users is 5.\n",
        "  ---- More ----",
        "screen-length 0 temporary",
    ),
    "hp_comware": Cli(
        "<H3C>",
        {"screen-length disable": ""},
        "              ^\n % Unrecognized command found at '^' position.",
        "\n******\n* Copyright *\n******\n",
        "---- More ----",
        "screen-length disable",
    ),
    "aruba_aoscx": Cli("8325# ", {"no page": ""}, "Invalid input: show", "\nLast login\n", "-- MORE --", "no page"),
}


@dataclass
class Behaviour:
    """What a device does wrong: seconds between pieces, where it hangs up, how often, whether it is silent."""

    slow_s: float = 0.0
    cut_in: str = ""
    """The command in whose output it hangs up."""
    cuts: int = 1_000_000
    silent: bool = False
    hangs_in: str = ""
    """The command that it never answers."""
    floods_in: str = ""
    """The command whose output never ends; `login` floods in place of the first prompt."""
    drips_in: str = ""
    """The same by single bytes."""
    pauses_after: bytes = b""
    """Text after which it makes a pause each time that it prints it."""
    pause_s: float = 0.3
    resets_in: str = ""
    """The command in whose output the connection is reset."""
    login_stalls: bool = False
    prompts: tuple[tuple[str, ...], ...] = ()
    """Rounds of questions of a login that is keyboard-interactive only; the password answers each of them."""


@dataclass
class Device:
    """A device: its operating system, its answers by command, and what is noted of its visitors."""

    os: str
    answers: Mapping[str, bytes]
    behaviour: Behaviour = field(default_factory=Behaviour)
    heard: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    open_now: int = 0
    open_most: int = 0


class _Server(asyncssh.SSHServer):
    def __init__(self, device: Device, keys: Sequence[Any]) -> None:
        self._device = device
        self._keys = keys
        self._round = 0

    def password_auth_supported(self) -> bool:
        return not self._device.behaviour.prompts

    async def validate_password(self, username: str, password: str) -> bool:
        self._device.logins.append(f"{username}/{password}")
        if self._device.behaviour.login_stalls:
            await asyncio.sleep(3600)
        return (username, password) == (USER, PASSWORD)

    def kbdint_auth_supported(self) -> bool:
        return bool(self._device.behaviour.prompts)

    def get_kbdint_challenge(self, _username: str, _lang: str, _methods: str) -> Any:  # noqa: ANN401
        return self._ask()

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> Any:  # noqa: ANN401
        self._device.logins.extend(f"{username}/{said}" for said in responses)
        if username != USER or any(said != PASSWORD for said in responses):
            return False
        self._round += 1
        return self._ask() if self._round < len(self._device.behaviour.prompts) else True

    def _ask(self) -> tuple[str, str, str, list[tuple[str, bool]]]:
        return "", "", "", [(prompt, False) for prompt in self._device.behaviour.prompts[self._round]]


class _Session:
    """One terminal session."""

    def __init__(self, device: Device, process: Any) -> None:  # noqa: ANN401
        self.device = device
        self.cli = CLIS[device.os]
        self.process = process
        self.paging = True
        self.prompt = self.cli.login or self.cli.prompt
        self.interrupted = False

    async def write(self, data: bytes) -> None:
        behaviour = self.device.behaviour
        pieces = [data[n : n + 4096] for n in range(0, len(data), 4096)] if behaviour.slow_s else [data]
        pause = behaviour.slow_s
        if (mark := behaviour.pauses_after) and len(data) > len(self.prompt):
            parts = data.split(mark)
            pieces = [*(part + mark for part in parts[:-1]), parts[-1]]
            pause = behaviour.pause_s if len(pieces) > 1 else 0
        for piece in pieces:
            self.process.stdout.write(piece)
            await self.process.stdout.drain()
            await asyncio.sleep(pause)

    async def misbehave(self, command: str) -> None:
        """Print without an end, if the device does so in *command*."""
        behaviour = self.device.behaviour
        while command and behaviour.floods_in == command:
            await self.write(b"interface Ethernet1/1\r\n  mtu 9216\r\n" * 1000)
        while command and behaviour.drips_in == command:
            self.process.stdout.write(b"x")
            await asyncio.sleep(0.2)

    async def talk(self) -> None:
        await self.misbehave("login")
        if self.device.behaviour.silent:
            await self.process.stdin.read()
            return
        await self.write(self.cli.banner.replace("\n", "\r\n").encode() + self.prompt.encode())
        typed = b""
        while data := await self.process.stdin.read(1):
            if data == b"\x03":
                typed = b""
                await self.write(b"^C\r\n" + self.prompt.encode())
            elif data in b"\r\n":
                line, typed = typed.decode("utf-8", "replace"), b""
                await self.write(b"\r\n")
                if not await self.run(line.strip()):
                    return
            else:
                typed += data
                self.process.stdout.write(data)

    async def run(self, line: str) -> bool:
        """Answer one line; return whether the session goes on."""
        if line:
            self.device.heard.append(line)
        behaviour = self.device.behaviour
        if line in {"exit", "quit"}:
            return False
        await self.misbehave(line)
        if line and line == behaviour.hangs_in:
            return True
        if line and line == behaviour.resets_in:
            await self.write(b"hostname leaf1\r\n")
            self.process.channel.get_connection().abort()
            return False
        if line == self.cli.no_paging:
            self.paging = False
        if line == self.cli.enter:
            self.prompt = self.cli.prompt
        if line == behaviour.cut_in and behaviour.cuts and line in self.device.answers:
            behaviour.cuts -= 1
            said = self.device.answers[line].replace(b"\n", b"\r\n")
            await self.write(said[: len(said) // 2])
            return False
        await self.answer(line)
        await self.write(self.prompt.encode())
        return True

    async def answer(self, line: str) -> None:
        if line in self.device.answers:
            await self.show(self.device.answers[line].replace(b"\n", b"\r\n"))
        elif line in self.cli.quiet or line == self.cli.no_paging:
            said = self.cli.quiet.get(line)
            await self.write(f"{said}\r\n".encode() if said else b"")
        elif line and line != self.cli.enter:
            await self.write(self.cli.unknown.replace("\n", "\r\n").encode() + b"\r\n")

    async def show(self, said: bytes) -> None:
        lines = said.splitlines(keepends=True)
        if not self.paging:
            await self.write(said)
            return
        for n in range(0, len(lines), PAGE):
            await self.write(b"".join(lines[n : n + PAGE]))
            if n + PAGE < len(lines):
                await self.write(self.cli.more.encode())
                await self.process.stdin.read(1)


class Replay:
    """Serves devices, each on a port of its own, from a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._servers: list[Any] = []
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def serve(self, device: Device, host_key: Any = None) -> int:  # noqa: ANN401
        """Serve *device*; return its port on 127.0.0.1."""
        port: int = self._await(self._serve(device, host_key or self.host_key))
        return port

    def known_hosts(self, ports: Sequence[int], key: Any = None) -> str:  # noqa: ANN401
        """Return the lines of a known_hosts file for *ports*."""
        public = (key or self.host_key).export_public_key().decode().split()
        return "".join(f"[127.0.0.1]:{port} {public[0]} {public[1]}\n" for port in ports)

    def stop(self) -> None:
        """Stop serving."""
        self._await(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _await(self, coroutine: Any) -> Any:  # noqa: ANN401
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    async def _serve(self, device: Device, key: Any) -> int:  # noqa: ANN401
        async def handle(process: Any) -> None:  # noqa: ANN401
            device.open_now += 1
            device.open_most = max(device.open_most, device.open_now)
            try:
                await _Session(device, process).talk()
            except (asyncssh.Error, OSError, asyncio.IncompleteReadError):
                pass
            finally:
                device.open_now -= 1
                process.exit(0)

        server = await asyncssh.create_server(
            lambda: _Server(device, ()),
            "127.0.0.1",
            0,
            server_host_keys=[key],
            process_factory=handle,
            encoding=None,
            line_editor=False,
        )
        self._servers.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def main() -> None:
    """Serve one device with a configuration of some size until standard input ends."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # a visitor who hangs up makes it complain
    config = b"".join(b"interface Ethernet1/%d\n  no shutdown\n  mtu 9216\n" % n for n in range(1, 65))
    answers = {"show running-config": b"!Command: show running-config\nhostname leaf1\nfeature lldp\n" + config}
    answers |= {"show interface status": b"Eth1/1 -- connected trunk full 100G QSFP\n" * 64}
    replay = Replay()
    port = replay.serve(Device(sys.argv[1], answers))
    sys.stdout.write(f"{port}\n{replay.known_hosts([port])}")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
