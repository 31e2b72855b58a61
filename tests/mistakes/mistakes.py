"""Single mistakes in clean pods, written without sight of rules and parsers, and what a report says of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pod import clean
from pods import files

import auditor
from auditor.engine.cache import Cache
from auditor.engine.findings import ReportedFinding

LISTS = Path(__file__).parent
WRONG = ("error", "warning")
MANIFESTS = "cluster/"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: the pod it is made in, what is edited, and where a report must point.

    `lines` prove it, each as well as the others, stripped; `devices` are those at which it is to be reported.
    """

    id: str
    pod: str
    title: str
    edits: tuple[Mapping[str, Any], ...]
    devices: tuple[str, ...]
    file: str
    lines: tuple[str, ...]
    is_certain: bool

    def plant(self, clean: Mapping[str, str]) -> dict[str, str]:
        """Return the files of the pod with the mistake; raise ValueError if an edit does not fit."""
        planted = dict(clean)
        for edit in self.edits:
            if "add" in edit:
                planted[edit["file"]] = edit["add"]
                continue
            names = [name for name in clean if fnmatch(name, edit["file"])]
            for name in names:
                count = planted[name].count(edit["old"])
                if count == 0 or (count > 1 and not edit.get("all")):
                    raise ValueError(f"{self.id}: the old text stands {count} times in {name}")
                planted[name] = planted[name].replace(edit["old"], edit["new"])
            if not names:
                raise ValueError(f"{self.id}: no file {edit['file']}")
        return planted


def list_mistakes(pod: str | None = None) -> list[Mistake]:
    """Return the mistakes of one pod, or of all, in the order of their numbers."""
    found = []
    for path in sorted(LISTS.glob(f"{pod or '*'}.yaml")):
        for row in yaml.safe_load(path.read_text("utf-8")):
            lines = (row["line"], *row.get("also", ()))
            edits, devices = tuple(row["edits"]), tuple(row["devices"])
            found.append(
                Mistake(row["id"], path.stem, row["title"], edits, devices, row["file"], lines, row["certain"])
            )
    return found


@cache
def read_clean(pod: str) -> Mapping[str, str]:
    """Return the files of a clean pod."""
    return dict(clean()) if pod == "nxos" else files(pod)


def write_files(files: Mapping[str, str], root: Path) -> None:
    """Make the folder *root* hold *files* and nothing else but what the program keeps there."""
    for path in root.rglob("*"):
        if path.is_file() and path.relative_to(root).as_posix() not in files and ".roce" not in path.as_posix():
            path.unlink()
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def report_wrong(files: Mapping[str, str], root: Path, cache: Cache | None = None) -> list[ReportedFinding]:
    """Return the errors and warnings about *files*, which are written to *root*."""
    write_files(files, root)
    report = auditor.audit(root, auditor.Options(jobs=1, cache=cache))
    return [found for found in report.findings if found.kind == "fail" and found.level in WRONG]


def points_at(found: ReportedFinding, mistake: Mistake) -> bool:
    """Return whether a finding about the files as they are on disk stands at a line that proves the mistake."""
    if not is_at_device(found, mistake) or not found.file or not found.line:
        return False
    return Path(found.file).read_text("utf-8").splitlines()[found.line - 1].strip() in mistake.lines


def is_at_device(found: ReportedFinding, mistake: Mistake) -> bool:
    """Return whether a finding stands at a device of the mistake, or in the file of a manifest, which is no device."""
    in_manifest = mistake.file.startswith(MANIFESTS) and (found.file or "").endswith(f"/{mistake.file}")
    return found.device in mistake.devices or in_manifest
