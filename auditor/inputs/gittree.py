"""The files of a git commit, written into a folder from git's objects: work tree and index stay as they are.

The tree may be hostile: names are checked, files are new and never written through a link, and all is bounded.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from auditor.inputs.filenames import escape_name, format_reason
from auditor.inputs.git import NoTree, Objects, Repository, TooLarge, find_top, open_objects, open_repository
from auditor.inputs.rawtext import MAX_DUMP_BYTES
from auditor.util.values import dataclass

MAX_FILES = 200_000
MAX_TOTAL_BYTES = 2**31
MAX_TREE_BYTES = 2**24
"""Bytes of one folder's list of entries: some 300,000 entries."""
MAX_PATH_BYTES = 4096
"""The longest path of Linux, and the longest target of a symlink."""
MAX_LINKS = 40
"""Symlinks behind each other, as in Linux."""
_LFS = b"version https://git-lfs.github.com/spec/"
_FOLDER, _LINK, _SUBMODULE = b"40000", b"120000", b"160000"
_MODES = frozenset({_FOLDER, b"040000", _LINK, _SUBMODULE, b"100644", b"100755", b"100664"})


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit of a repository."""

    repository: Repository
    commit: str

    @property
    def top(self) -> Path:
        """The top of the work tree."""
        return self.repository.top

    def locate(self, path: str) -> str:
        """Return the name of *path* in the repository, `.` for its top; raises NoTree for a path outside.

        A symlink that the work tree holds counts by its own name: the commit has its own file or folder there.
        """
        real = Path(os.path.realpath(path))
        inside = self.find_name(path)
        if inside is None or not real.is_relative_to(self.top):
            why = f"outside of the repository {escape_name(self.top)}; run in the checkout, or give it with --repo DIR"
            raise NoTree(f"{escape_name(path)}: {why}")
        nearest = find_top(real)
        if nearest != self.top:
            why = f"in the repository {escape_name(nearest or '')} within {escape_name(self.top)}"
            raise NoTree(f"{escape_name(path)}: {why}; run in the inner one, or give it with --repo DIR")
        return inside

    def find_name(self, path: str) -> str | None:
        """Return the name of *path* in the repository, wherever its own symlinks lead; None for a path outside."""
        absolute = Path(os.path.normpath(Path(os.path.realpath("."), path)))
        if os.path.realpath(absolute) != os.path.realpath(path):  # a `..` behind a symlink
            absolute = Path(os.path.realpath(path))
        for start in (*reversed(absolute.parents), absolute):
            real = Path(os.path.realpath(start))
            if real.is_relative_to(self.top):
                return (real.relative_to(self.top) / absolute.relative_to(start)).as_posix()
        return None


def find_tree(revision: str, folder: str | None = None) -> Tree:
    """Return the tree at *revision* of the repository that holds *folder* (default: the working folder).

    Raises NoTree.
    """
    try:
        repository = open_repository(Path(folder or "."))
    except NoTree as error:
        raise NoTree(f"--base: {error}; run in the checkout, or give it with --repo DIR") from None
    return Tree(repository, repository.find_commit(revision))


def write_files(tree: Tree, inside: Sequence[str], folder: Path) -> list[tuple[str, str]]:
    """Write the paths *inside* of *tree* into *folder*; return the files left out, each with the reason.

    A path that is a symlink in the commit brings its target along. Raises NoTree where git cannot read a file, where a
    tree is damaged, and beyond the limits; raises OSError where the disk is full.
    """
    try:
        with open_objects(tree.repository) as objects:
            head = objects.read(tree.commit, "commit", MAX_TREE_BYTES).partition(b"\n")[0]
            writer = _Writer(objects, folder, head.removeprefix(b"tree ").decode())
            for path in inside:
                writer.add(() if path == "." else tuple(os.fsencode(path).split(b"/")))
    except TooLarge:
        raise NoTree(f"commit {tree.commit}: has an object of more than {MAX_TREE_BYTES} bytes") from None
    writer.write_links()
    return writer.left


@dataclass(slots=True)
class _Writer:
    """The work of `write_files`."""

    objects: Objects
    folder: Path
    root: str
    left: list[tuple[str, str]] = field(default_factory=list)
    _links: dict[bytes, bytes] = field(default_factory=dict)
    _done: set[bytes] = field(default_factory=set)
    _entries: int = 0
    _bytes: int = 0

    def add(self, parts: tuple[bytes, ...], hops: int = 0) -> None:
        """Write the file, or all files of the folder, at *parts*."""
        path, mode, name = b"", _FOLDER, self.root
        for number, part in enumerate(parts, start=1):
            entries = {each: (kind, its) for kind, its, each in self._list_entries(name)}
            if part not in entries:
                return
            mode, name = entries[part]
            path = b"/".join(parts[:number])
            if mode == _LINK:
                self._add_target(path, name, parts[number:], hops)
                return
            if mode == _SUBMODULE:
                break
            if mode != _FOLDER and number < len(parts):
                return
        self._write(path, mode, name)

    def _add_target(self, path: bytes, name: str, rest: tuple[bytes, ...], hops: int) -> None:
        """Write a symlink on the way, and what it leads to."""
        self._write(path, _LINK, name)
        target = self._links.get(path)
        if target is None or target.startswith(b"/") or hops == MAX_LINKS:
            return
        way = os.path.normpath(b"/".join((*path.split(b"/")[:-1], target, *rest))).split(b"/")
        if b".." not in way:
            self.add(() if way == [b"."] else tuple(way), hops + 1)

    def _write(self, path: bytes, mode: bytes, name: str) -> None:
        """Write a file, note a symlink, or do so for all that is in a folder."""
        stack = [(path, mode, name)]
        while stack:
            path, mode, name = stack.pop()
            if len(path) > MAX_PATH_BYTES:
                raise NoTree(f"a path of more than {MAX_PATH_BYTES} bytes: {escape_name(os.fsdecode(path[:60]))}...")
            if mode == _FOLDER:
                entries = list(self._list_entries(name))
                self._entries += len(entries) + 1
                if self._entries > MAX_FILES:
                    raise NoTree(f"more than {MAX_FILES} files and folders below the given paths; give fewer paths")
                stack.extend((b"/".join(filter(None, (path, part))), m, n) for m, n, part in entries)
            elif path not in self._done:
                self._done.add(path)
                self._write_one(path, mode, name)

    def _write_one(self, path: bytes, mode: bytes, name: str) -> None:
        shown = os.fsdecode(path)
        if mode == _SUBMODULE:
            self.left.append((shown, "a submodule; its files are not compared"))
            return
        try:
            data = self.objects.read(name, "blob", MAX_PATH_BYTES if mode == _LINK else MAX_DUMP_BYTES)
        except TooLarge:
            self.left.append((shown, f"larger than {MAX_DUMP_BYTES >> 20} MiB; not compared"))
            return
        except NoTree as error:
            raise NoTree(f"{escape_name(shown)}: {error}") from None
        self._bytes += len(data)
        if self._bytes > MAX_TOTAL_BYTES:
            raise NoTree(f"more than {MAX_TOTAL_BYTES >> 20} MiB below the given paths; give fewer paths")
        if mode == _LINK:
            self._links[path] = data
        elif data.startswith(_LFS):
            self.left.append((shown, "stored in Git LFS; git's objects lack its content"))
        else:
            self._store(shown, data)

    def _store(self, path: str, data: bytes) -> None:
        target = self.folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.write(data)
        except (FileExistsError, NotADirectoryError):
            self.left.append((path, "another name of the commit is the same on this disk, which ignores case"))

    def write_links(self) -> None:
        """Write the symlinks: last, so that no file is written through one."""
        for path, target in self._links.items():
            link = self.folder / os.fsdecode(path)
            try:
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(os.fsdecode(target))
            except (OSError, ValueError) as error:
                self.left.append((os.fsdecode(path), format_reason(error)))

    def _list_entries(self, name: str) -> Iterator[tuple[bytes, str, bytes]]:
        """Yield mode, object and name of each entry of a folder; raises NoTree for what no git writes."""
        data = self.objects.read(name, "tree", MAX_TREE_BYTES)
        at, width, seen = 0, len(name) // 2, set[bytes]()
        while at < len(data):
            space = data.find(b" ", at)
            end = data.find(b"\0", space)
            mode, part, after = data[at:space], data[space + 1 : end], end + 1 + width
            if space < 0 or end < 0 or after > len(data) or mode not in _MODES:
                raise NoTree(f"object {name}: a damaged folder")
            if part in seen or not part or b"/" in part or part.lower() in {b".", b"..", b".git"}:
                raise NoTree(f"object {name}: has a path that no file may have: {escape_name(os.fsdecode(part))}")
            seen.add(part)
            yield mode.lstrip(b"0"), data[end + 1 : after].hex(), part
            at = after
