"""A real OpenSSH server on loopback, with keys and configuration of its own, whose shell answers from captures."""

import getpass
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
_TOOLS = (
    *("cat", "grep", "ls", "readlink", "hostname", "uname", "ip", "rdma", "ibdev2netdev", "ibv_devinfo", "show_gids"),
    *("ethtool", "mlnx_qos", "dcb", "mlxconfig", "mlxreg", "nicctl", "niccli", "lldpctl", "lldptool", "sysctl"),
    *("show", "nv", "ecnconfig", "sudo"),
)
_ANSWER = r"""#!/bin/sh
# Answers from the capture that is named after the command, as the program would; notes what it was asked.
echo "${0##*/} $*" >> '@/asked'
if [ "${0##*/}" = sudo ]; then
    [ -e '@/sudoers' ] || { echo 'sudo: a password is required' >&2; exit 1; }
    shift; exec "$@"
fi
name=$(printf %s "${0##*/}${*:+ $*}" | /usr/bin/tr -cs 'A-Za-z0-9.-' '_')
file='@/captures'/$name
if [ -f "$file.run" ]; then exec /bin/sh "$file.run"; fi
if [ -f "$file.txt" ]; then exec /bin/cat "$file.txt"; fi
case ${0##*/} in
    cat|grep|ls|readlink) echo "${0##*/}: $2: No such file or directory" >&2; exit 1;;
    *) echo "${0##*/}: command not found" >&2; exit 127;;
esac
"""


@dataclass
class Shell:
    """A device whose login is a shell: where its captures are, and the port on which it is served."""

    folder: Path
    port: int = 0
    prompt: str = "admin@device:~$ "

    @property
    def asked(self) -> list[str]:
        """The commands that were run on it."""
        path = self.folder / "asked"
        return path.read_text().splitlines() if path.exists() else []

    def answer(self, command: str, said: str | bytes, *, as_script: bool = False) -> None:
        """Make *command* print *said*, or run it as a script."""
        name = re.sub(r"[^A-Za-z0-9.-]+", "_", command) + (".run" if as_script else ".txt")
        (self.folder / "captures" / name).write_bytes(said if isinstance(said, bytes) else said.encode())

    def allow_sudo(self) -> None:
        """Let sudo work without a password."""
        (self.folder / "sudoers").touch()


def shell(folder: Path, answers: Mapping[str, str | bytes]) -> Shell:
    """Return a device in *folder* with *answers* by command."""
    made = Shell(folder)
    (folder / "captures").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "answer").write_text(_ANSWER.replace("@", str(folder)))
    (folder / "bin" / "answer").chmod(0o755)
    for tool in _TOOLS:
        (folder / "bin" / tool).symlink_to("answer")
    for command, said in answers.items():
        made.answer(command, said)
    return made


@dataclass
class Keys:
    """Keys and files of SSH, away from the user's own."""

    folder: Path
    hosts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("id", "host", "other_host"):
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(self.folder / name)]
            subprocess.run(make, check=True)
        shutil.copy(self.folder / "id.pub", self.folder / "authorized_keys")

    @property
    def config(self) -> Path:
        """The configuration of the client."""
        return self.folder / "config"

    @property
    def known_hosts(self) -> Path:
        """The known hosts of the client."""
        return self.folder / "known_hosts"

    def know(self, name: str, port: int, *lines: str, key: str = "host") -> None:
        """Let the client know a server on *port* as *name*; without a *key* it does not trust it by that."""
        if key:
            public = " ".join((self.folder / f"{key}.pub").read_text().split()[:2])
            with self.known_hosts.open("a") as file:
                file.write(f"[127.0.0.1]:{port} {public}\n")
        self.hosts.append("\n  ".join((f"Host {name}", "HostName 127.0.0.1", f"Port {port}", *lines)))
        common = (
            "Host *",
            f"User {getpass.getuser()}",
            f"IdentityFile {self.folder / 'id'}",
            "IdentitiesOnly yes",
            f"UserKnownHostsFile {self.known_hosts}",
            "GlobalKnownHostsFile /dev/null",
        )
        self.config.write_text("\n".join((*self.hosts, "\n  ".join(common), "")))


@contextmanager
def served(keys: Keys, device: Shell | None = None) -> Iterator[int]:
    """Run an OpenSSH server for *device*, or one that only forwards; yield its port."""
    assert SSHD is not None
    folder = device.folder if device else keys.folder
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    lines = [
        f"ListenAddress 127.0.0.1:{port}",
        f"HostKey {keys.folder / 'host'}",
        f"AuthorizedKeysFile {keys.folder / 'authorized_keys'}",
        "PidFile none",
        "UsePAM no",
        "StrictModes no",
        "PermitRootLogin yes",
        "PasswordAuthentication no",
        "MaxStartups 100",
        "MaxSessions 100",
        "PrintMotd no",
        "PrintLastLog no",
    ]
    if device:
        shell_ = folder / "login"
        shell_.write_text(
            f"#!/bin/sh\nexec env -i HOME={folder} TERM=vt100 PATH={folder}/bin:/usr/bin:/bin "
            f"PS1='{device.prompt}' bash --norc --noprofile -i\n"
        )
        shell_.chmod(0o755)
        lines.append(f"ForceCommand {shell_}")
    config = folder / f"sshd_{port}"
    config.write_text("\n".join(lines) + "\n")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd, as root, gives up its privileges
    log = (folder / f"sshd_{port}.log").open("wb")
    process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(config)], stdout=log, stderr=log)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, (folder / f"sshd_{port}.log").read_text()
            time.sleep(0.05)
        if device:
            device.port = port
        yield port
    finally:
        process.terminate()
        process.wait(10)
        log.close()
