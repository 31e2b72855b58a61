"""The files of a git commit, read from git's objects by the git program: work tree and index stay as they are."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from auditor.inputs.filenames import escape_name, format_reason

_LFS = b"version https://git-lfs.github.com/spec/"
_LINK, _SUBMODULE = "120000", "160000"
# A hook runs with these set, and they would hide which repository a path is in.
_OWN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES")


class NoTree(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The tree is not available; the message gives reason and remedy."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit of the repository whose work tree is at `top` (absolute, without symlinks)."""

    top: Path
    commit: str

    def locate(self, path: str) -> str:
        """Return *path* relative to the repository, `.` for its top; raises NoTree for a path outside."""
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.top):
            raise NoTree(f"{escape_name(path)}: outside of the repository {escape_name(self.top)}")
        return real.relative_to(self.top).as_posix()


def find_tree(paths: Sequence[str], revision: str) -> Tree:
    """Return the tree at *revision* of the repository that holds all *paths*; raises NoTree."""
    start = Path(os.path.realpath(paths[0]))
    while not start.is_dir():
        start = start.parent
    try:
        top = os.fsdecode(_run_git(start, "rev-parse", "--show-toplevel")).removesuffix("\n")
    except NoTree as error:
        raise NoTree(f"{escape_name(paths[0])}: not in a git repository; --base needs one: {error}") from None
    found = Tree(Path(os.path.realpath(top)), _find_commit(Path(top), revision))
    for path in paths:
        found.locate(path)
    return found


def find_top(folder: Path) -> Path | None:
    """Return the work tree of *folder* without symlinks; None outside of a repository."""
    try:
        return Path(os.path.realpath(os.fsdecode(_run_git(folder, "rev-parse", "--show-toplevel")).removesuffix("\n")))
    except NoTree:
        return None


def is_tracked(folder: Path, name: str) -> bool:
    """Return whether git tracks *name* in *folder*, or any file below."""
    try:
        return bool(_run_git(folder, "--literal-pathspecs", "ls-files", "-z", "--", name))
    except NoTree:
        return False


def _find_commit(top: Path, revision: str) -> str:
    if not revision or revision.startswith("-") or not revision.isprintable():
        raise NoTree(f"--base {escape_name(revision)!r}: expected a revision, such as origin/main")
    try:
        return _run_git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except NoTree:
        if _run_git(top, "rev-parse", "--is-shallow-repository").strip() == b"true":
            why = "this shallow clone lacks the commit; fetch it first (git fetch --unshallow, or fetch-depth: 0)"
            raise NoTree(f"--base {escape_name(revision)}: {why}") from None
        raise NoTree(f"--base {escape_name(revision)}: unknown revision in {escape_name(top)}") from None


def write_files(tree: Tree, inside: Sequence[str], folder: Path) -> list[tuple[str, str]]:
    """Write the paths *inside* of *tree* into *folder*; return the files missing in git, each with the reason.

    Raises NoTree where git cannot read them.
    """
    left: list[tuple[str, str]] = []
    links: list[tuple[Path, bytes]] = []
    command = ["git", "-C", str(tree.top), "cat-file", "--batch"]
    with subprocess.Popen(  # noqa: S603  no shell, and the arguments are our own
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_make_environment()
    ) as objects:
        if objects.stdin is None or objects.stdout is None:
            raise NoTree("cannot communicate with git")
        for mode, name, path in _list_entries(tree, inside):
            if mode == _SUBMODULE:
                left.append((path, "a submodule; its files are not compared"))
                continue
            data = _read_object(objects.stdin, objects.stdout, name, path)
            if data.startswith(_LFS):
                left.append((path, "stored in Git LFS; git's objects lack its content"))
            elif mode == _LINK:
                links.append((folder / path, data))
            else:
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        objects.stdin.close()
    for link, target_name in links:  # last, so that no file is written through one
        link.parent.mkdir(parents=True, exist_ok=True)
        try:
            link.symlink_to(os.fsdecode(target_name))
        except (OSError, ValueError) as error:
            left.append((str(link.relative_to(folder)), format_reason(error)))
    return left


def _list_entries(tree: Tree, inside: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield mode, object and path of all files."""
    some = [] if "." in inside else ["--", *inside]
    listed = _run_git(tree.top, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", tree.commit, *some)
    for entry in dict.fromkeys(listed.split(b"\0")):
        if entry:
            head, _, path = entry.partition(b"\t")
            mode, _, name = head.decode().split(" ")
            parts = path.split(b"/")
            if any(part in {b"", b".", b"..", b".git"} for part in parts):
                raise NoTree(
                    f"the tree of {tree.commit} has a path that no file may have: {escape_name(os.fsdecode(path))}"
                )
            yield mode, name, os.fsdecode(path)


def _read_object(asked: IO[bytes], told: IO[bytes], name: str, path: str) -> bytes:
    try:
        asked.write(f"{name}\n".encode())
        asked.flush()
        head = told.readline().split()
        if len(head) != 3:  # noqa: PLR2004  object, type, size
            raise NoTree(f"{escape_name(path)}: git lacks the content of this file; complete a partial clone first")
        data = told.read(int(head[2]))
        told.read(1)
    except (OSError, ValueError) as error:
        raise NoTree(f"{escape_name(path)}: git cannot read it: {format_reason(error)}") from None
    return data


def _run_git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  no shell; what a user gives is checked by the callers
            ["git", "-C", str(folder), *arguments],  # noqa: S607  git stands where the user has it
            capture_output=True,
            check=False,
            env=_make_environment(),
        )
    except OSError as error:
        raise NoTree(f"cannot run git: {format_reason(error)}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NoTree(escape_name(said[0]) if said else f"git {arguments[0]} failed")
    return done.stdout


def _make_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OWN}
    return {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
