"""The git program: the repository of a folder, the commit that a revision names, and objects by their hash.

No other module runs git. The `.git` of the user's own work tree is trusted for its refs and the ancestry of commits.
The audited files are not: no repository is looked for among them, and they name no program. Nor is an object store:
an object counts only if its content has the hash that names it. So nothing can be forged from the commit on.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from auditor.inputs.filenames import escape_name, format_reason
from auditor.util.regex import regex
from auditor.util.values import dataclass

MAX_CALL_S = 60
"""Limit for one question to git."""
MAX_READ_S = 600
"""Limit for all objects of one commit."""
_MAX_GITFILE_BYTES = 4096 + 16
_SHA1_DIGITS = 40
_HASH = regex(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_BRANCH_POINT = "..."
_NOWHERE = f"{os.devnull}/none"
_PLACES = ("--show-toplevel", "--absolute-git-dir")
_SHALLOW = "this shallow clone lacks the commit; fetch it first (git fetch --unshallow, or fetch-depth: 0)"
_TRUST = "if you trust its owner, name it to git: git config --global --add safe.directory FOLDER"
# What the repository's own configuration might name, none of which a comparison needs: programs, and other places.
_SETTINGS = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.sshCommand": "false",
    "core.gitProxy": "false",
    "core.alternateRefsCommand": "false",
    "core.commitGraph": "false",  # a copy of trees and parents that git believes without their hashes
    "core.warnAmbiguousRefs": "true",
    "credential.helper": "",
    "log.showSignature": "false",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "protocol.allow": "never",
    "gc.auto": "0",
}
# The whole environment of git beside PATH. A list of allowed protocols beats every `protocol.*` of the repository.
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": _NOWHERE,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": _NOWHERE,  # a setting such as ~/x is fatal without it
    "LC_ALL": "C",
}


class NoTree(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The tree is not available; the message gives reason and remedy."""


class TooLarge(Exception):  # noqa: N818  the caller decides what it means
    """The object has more bytes than asked for."""


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository whose work tree is at `top` (absolute, without symlinks)."""

    top: Path
    program: str
    settings: tuple[str, ...] = ()
    """Settings of git in addition to those of every call."""

    def find_commit(self, revision: str) -> str:
        """Return the hash of the commit that *revision* names; `REV...` is where HEAD left REV. Raises NoTree."""
        name, is_branch_point = revision.removesuffix(_BRANCH_POINT), revision.endswith(_BRANCH_POINT)
        if not name or name.startswith("-") or not name.isprintable():
            raise NoTree(f"--base {escape_name(revision)!r}: expected a revision, such as origin/main")
        try:
            commit = self._find_hash("unknown revision", "rev-parse", "--verify", f"{name}^{{commit}}")
            if is_branch_point:
                commit = self._find_hash("no common ancestor with HEAD", "merge-base", commit, "HEAD")
        except NoTree as error:
            raise NoTree(f"--base {escape_name(revision)}: {error}") from None
        return commit

    def _find_hash(self, otherwise: str, *arguments: str) -> str:
        """Return the hash that git prints; *otherwise* is the reason if git gives none."""
        done = self._run(*arguments)
        if b"is ambiguous" in done.stderr and not _HASH.match(arguments[-1].removesuffix("^{commit}")):
            raise NoTree("several refs have this name; give one in full, such as refs/remotes/origin/main")
        found = os.fsdecode(done.stdout).removesuffix("\n")
        if done.returncode == 0 and _HASH.match(found):
            return found
        if self.ask("rev-parse", "--is-shallow-repository") == "true":
            raise NoTree(_SHALLOW)
        raise NoTree(f"{otherwise} in {escape_name(self.top)}")

    def ask(self, *arguments: str) -> str:
        """Return the standard output of git at the top, without its last line end; raises NoTree."""
        done = self._run(*arguments)
        if not done.returncode:
            return os.fsdecode(done.stdout).removesuffix("\n")
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"git {arguments[0]} failed"]
        if any("safe.directory" in line for line in lines):
            raise NoTree(f"{escape_name(lines[0])}; {_TRUST}")
        raise NoTree(escape_name(lines[0]))

    def build_command(self, *arguments: str) -> list[str]:
        """Return the command that asks git for *arguments* at the top."""
        settings = [*(f"{name}={value}" for name, value in _SETTINGS.items()), *self.settings]
        options = [word for setting in settings for word in ("-c", setting)]
        return [self.program, "--no-pager", "--no-replace-objects", "-C", str(self.top), *options, *arguments]

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return _run_program(self.build_command(*arguments), _build_environment(self.top))


def find_top(folder: Path) -> Path | None:
    """Return the top of the work tree that holds *folder*, without symlinks; None without one. It runs no program."""
    real = Path(os.path.realpath(folder))
    return next((each for each in (real, *real.parents) if os.path.lexists(each / ".git")), None)


def open_repository(folder: Path) -> Repository:
    """Return the repository in whose work tree *folder* is; raises NoTree."""
    top = find_top(folder)
    if top is None:
        raise NoTree(f"{escape_name(folder.absolute())}: not in the work tree of a git repository")
    repository = Repository(top, _find_program(top))
    try:
        found = [repository.ask("rev-parse", word) for word in _PLACES]
    except NoTree as error:
        if "safe.directory" not in str(error):
            raise
        repository = Repository(top, repository.program, _read_trusted(repository))
        found = [repository.ask("rev-parse", word) for word in _PLACES]
    for real, expected in zip(found, (top, _find_git_folder(top)), strict=True):
        if os.path.realpath(real) != os.path.realpath(expected):
            raise NoTree(f"{escape_name(top / '.git')}: leads to another repository, {escape_name(real)}")
    return repository


def is_tracked(folder: Path, name: str) -> bool:
    """Return whether git tracks the entry *name* of *folder*, or any file below; False where git cannot say."""
    path = Path(os.path.realpath(folder), name)
    if find_top(folder) is None or not os.path.lexists(path):
        return False
    try:
        repository = open_repository(folder)
        return bool(repository.ask("ls-files", "-z", "--", str(path.relative_to(repository.top))))
    except NoTree:
        return False


class Objects:
    """The objects of a repository, each with the content that its hash names."""

    def __init__(self, sizes: subprocess.Popen[bytes], contents: subprocess.Popen[bytes]) -> None:
        self._sizes = sizes
        self._contents = contents

    def read(self, name: str, kind: str, most: int) -> bytes:
        """Return the content of the object *name*; raises TooLarge beyond *most* bytes, and NoTree."""
        size = self._ask_size(self._sizes, name, kind)
        if size > most:
            raise TooLarge
        self._ask_size(self._contents, name, kind)
        stream = self._contents.stdout
        data = stream.read(size + 1)[:-1] if stream else b""
        digest = hashlib.new("sha1" if len(name) == _SHA1_DIGITS else "sha256", usedforsecurity=False)
        digest.update(f"{kind} {size}".encode() + b"\0" + data)
        if len(data) != size or digest.hexdigest() != name:
            raise NoTree(f"object {name}: damaged or forged, its content has another hash")
        return data

    @staticmethod
    def _ask_size(process: subprocess.Popen[bytes], name: str, kind: str) -> int:
        try:
            if process.stdin is None or process.stdout is None:
                raise NoTree("cannot communicate with git")
            process.stdin.write(f"{name}\n".encode())
            process.stdin.flush()
            answer = process.stdout.readline().split()
        except (OSError, ValueError) as error:
            raise NoTree(f"object {name}: git cannot read it: {format_reason(error)}") from None
        match answer:
            case [_, found, size] if found == kind.encode():
                return int(size)
            case [_, b"missing"]:
                raise NoTree(f"object {name}: git lacks the content of this file; complete a partial clone first")
        raise NoTree(f"object {name}: git cannot read it as a {kind}, or not within {MAX_READ_S} s")


@contextmanager
def open_objects(repository: Repository) -> Iterator[Objects]:
    """Yield the objects of *repository*; git ends with the block, and after `MAX_READ_S` in any case."""
    processes: list[subprocess.Popen[bytes]] = []
    timer = threading.Timer(MAX_READ_S, lambda: _end(*processes))
    timer.daemon = True
    try:
        for batch in ("--batch-check", "--batch"):
            command = repository.build_command("cat-file", batch)
            environment = _build_environment(repository.top)
            processes.append(_start(command, environment, subprocess.PIPE, subprocess.DEVNULL))
        timer.start()
        yield Objects(*processes)
    finally:
        timer.cancel()
        for process in processes:
            _end(process)
            with suppress(OSError), process:  # what git did not read any more
                pass


def _find_git_folder(top: Path) -> Path:
    """Return the folder that `.git` is or names."""
    entry = top / ".git"
    try:
        if entry.is_dir():
            return entry
        with entry.open("rb") as file:
            text = os.fsdecode(file.read(_MAX_GITFILE_BYTES))
    except OSError as error:
        raise NoTree(f"{escape_name(entry)}: {format_reason(error)}") from None
    return top / text.removeprefix("gitdir: ").rstrip("\r\n")


def _read_trusted(repository: Repository) -> tuple[str, ...]:
    """Return the user's own `safe.directory` as settings: folders of other owners that the user trusts.

    A configuration inside of the work tree is not the user's own, where a job has its home in the checkout.
    """
    names = ("HOME", "XDG_CONFIG_HOME")
    own = {name: os.environ[name] for name in names if os.environ.get(name)}
    if any(Path(os.path.realpath(value)).is_relative_to(repository.top) for value in own.values()):
        own = {}
    closed = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "HOME"}
    environment = {key: value for key, value in _build_environment(repository.top).items() if key not in closed}
    command = [repository.program, "-C", "/", "config", "--null", "--get-all", "safe.directory"]
    done = _run_program(command, {**environment, "GIT_DIR": os.devnull, **own})
    return tuple(f"safe.directory={value}" for value in os.fsdecode(done.stdout).split("\0")[:-1])


def _find_program(top: Path) -> str:
    """Return the path of git, which is not one of the audited files."""
    found = shutil.which("git", path=os.pathsep.join(_list_path(top)))
    if found is None:
        raise NoTree("cannot run git: no such program on the PATH")
    return found


def _list_path(top: Path) -> list[str]:
    """Return the folders of PATH: only absolute ones, and none in the work tree."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [
        each for each in folders if Path(each).is_absolute() and not Path(os.path.realpath(each)).is_relative_to(top)
    ]


def _build_environment(top: Path) -> dict[str, str]:
    sudo = {"SUDO_UID": os.environ["SUDO_UID"]} if "SUDO_UID" in os.environ else {}  # whose files root may read
    return {**_ENVIRONMENT, **sudo, "PATH": os.pathsep.join(_list_path(top))}


def _run_program(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    with _start(command, environment, subprocess.DEVNULL, subprocess.PIPE) as process:
        try:
            out, err = process.communicate(timeout=MAX_CALL_S)
        except subprocess.TimeoutExpired:
            _end(process)
            raise NoTree(f"git gave no answer within {MAX_CALL_S} s") from None
        except BaseException:
            _end(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _start(command: list[str], environment: dict[str, str], stdin: int, stderr: int) -> subprocess.Popen[bytes]:
    """Return git, running in a process group of its own; raises NoTree."""
    try:
        return subprocess.Popen(  # noqa: S603  no shell; the caller checks a revision
            command, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, process_group=0
        )
    except OSError as error:
        raise NoTree(f"cannot run git: {format_reason(error)}") from None


def _end(*processes: subprocess.Popen[bytes]) -> None:
    """Kill git, whose exit status is not read yet, and all that it started."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
