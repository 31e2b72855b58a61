"""Public threads with a configuration as their cause: what was pasted, and what an answer must say."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

import auditor

CASES = Path(__file__).parent / "cases"
ABOUT = "thread.yaml"


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread: the folder of its pasted files, and phrases of which each must be said, `|` between alternatives."""

    folder: Path
    says: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name


def list_threads() -> list[Thread]:
    """Return the threads in the order of their numbers."""
    folders = sorted(path.parent for path in CASES.glob(f"*/{ABOUT}"))
    return [Thread(folder, tuple(yaml.safe_load((folder / ABOUT).read_text())["says"])) for folder in folders]


def list_unsaid(thread: Thread) -> Sequence[str]:
    """Return the phrases that no single finding or problem about the pasted files says; empty if one says them all.

    What is open, a note on a file that is skipped, and a quoted line say nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(thread.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(ABOUT))
        report = auditor.audit(folder, auditor.Options(jobs=1))
    said = [f"{found.name} {found.message}".lower() for found in report.findings if found.kind == "fail"]
    unsaid = [[each for each in thread.says if not any(word in text for word in each.split("|"))] for text in said]
    return min(unsaid, key=len, default=list(thread.says))
