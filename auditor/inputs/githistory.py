"""The history of paths in a git repository: its commits, and the files of each."""

from collections.abc import Sequence

from auditor.inputs.git import NoTree, Repository
from auditor.util.values import dataclass

MAX_COMMITS = 10_000
_FORMAT = "%H%x00%cI%x00%s%x00%b%x01"
_LOG = ("log", "--first-parent", "--no-follow", "--no-show-signature", "--no-mailmap", "--no-notes", "--encoding=UTF-8")
"""What a repository's own configuration might have otherwise: a signature is checked by a program that it names."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its hash, the time of the commit (ISO 8601), and its message."""

    hash: str
    time: str
    subject: str
    body: str

    @property
    def short(self) -> str:
        """The beginning of the hash, as people write it."""
        return self.hash[:10]


def list_commits(repository: Repository, inside: Sequence[str], since: str) -> tuple[Commit, ...]:
    """Return the commits of HEAD's own line that change the paths *inside*, the oldest first.

    The first is the last one before *since* (ISO 8601), whose state is what the others are compared with, where there
    is one. Raises NoTree.
    """
    common = (*_LOG, f"--format={_FORMAT}")
    paths = ("HEAD", "--", *inside)
    before = _parse(repository.ask(*common, "--max-count=1", f"--before={since}", *paths))
    later = _parse(repository.ask(*common, f"--max-count={MAX_COMMITS}", f"--since={since}", *paths))
    if not before and not later:
        raise NoTree(f"no commit changes {', '.join(inside)}")
    return (*before, *reversed([each for each in later if each not in before]))


def _parse(text: str) -> list[Commit]:
    found = []
    for record in text.split("\x01"):
        parts = record.lstrip("\n").split("\0")
        if len(parts) == 4:  # noqa: PLR2004  the fields of the format
            found.append(Commit(parts[0], parts[1], parts[2], parts[3].strip()))
    return found


def list_blobs(repository: Repository, commit: str, inside: Sequence[str]) -> dict[str, str]:
    """Return the object of each file below the paths *inside* of a commit, by its name in the repository.

    Raises NoTree.
    """
    listed = repository.ask("ls-tree", "-r", "-z", "--full-tree", commit, "--", *inside)
    found: dict[str, str] = {}
    for entry in listed.split("\0"):
        head, tab, name = entry.partition("\t")
        if tab:
            found[name] = head.split(" ")[2]
    return found
