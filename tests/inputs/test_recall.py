"""Lines of files whose report an earlier run has kept: those that the whole sorting shows."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.inputs.bundle import Bundle, open_paths
from auditor.inputs.rawtext import Problem, Raw, Skipped
from auditor.inputs.recall import RecalledSnapshot, list_content, recall_snapshot
from auditor.inputs.snapshot import Snapshot, sort

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
FOLDERS = [ROOT / "fixtures" / name for name in ("fabric-mixed", "dumps", "hosts", "others", "two-samples")]
CORPORA = [SHARED / corpus / kind for corpus in ("corpus", "corpus2") for kind in ("switch", "nic")]


def recall(paths: list[str]) -> tuple[Snapshot, RecalledSnapshot]:
    """Return the dumps in *paths* as `sort` gives them, and recalled."""
    bundle = open_paths(paths)
    whole = sort(bundle)
    kept = Snapshot((), whole.skipped, whole.problems, whole.dates, whole.cables)
    return whole, recall_snapshot(kept, bundle, sort)


def check_lines(whole: Snapshot, recalled: RecalledSnapshot, step: int = 1) -> None:
    """Compare every *step*th line of all dumps, and those beside them that there are not."""
    before, after = whole.index_lines(), recalled.index_lines()
    assert before("no such file", 1) is after("no such file", 1) is None
    for capture in (capture for unit in whole.units for capture in unit.captures):
        for line in (*range(capture.first_line, capture.first_line + len(capture.lines), step), 0, 10**6):
            assert after(capture.file, line) == before(capture.file, line), (capture.file, line)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_lines_are_those_of_the_whole(folder: Path) -> None:
    whole, recalled = recall([str(folder)])
    check_lines(whole, recalled, 71)
    assert [*recalled.units] == [*whole.units]
    assert len(recalled.units) == len(whole.units)


@pytest.mark.parametrize("folder", CORPORA, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_lines_of_real_dumps_are_those_of_the_whole(folder: Path) -> None:
    if not folder.exists():
        pytest.skip("no real dumps here")
    check_lines(*recall([str(folder)]), 997)


def list_members() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the demo fabric by their place in an archive."""
    fabric = ROOT / "fixtures" / "fabric"
    yield from ((path.name, path.read_bytes()) for path in sorted(fabric.iterdir()) if path.is_file())


def test_lines_of_an_archive_and_of_two_paths(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in list_members():
            archive.writestr(name, data)
    (tmp_path / "dumps.zip").write_bytes(packed.getvalue())
    paths = [str(tmp_path / "dumps.zip"), str(ROOT / "fixtures" / "fabric"), str(ROOT / "fixtures" / "fabric")]
    check_lines(*recall(paths), 71)


@pytest.mark.parametrize(
    "change",
    [{"name": "b"}, {"folder": "b"}, {"ends_with_newline": False}, {"given": True}, {"shunned": "hidden"}],
    ids=lambda change: next(iter(change)),
)
def test_all_that_decides_the_sorting_is_told(change: dict[str, Any]) -> None:
    raw = Raw("a", ".", ("hostname leaf1",), ends_with_newline=True)
    told = {tuple(list_content(Bundle((each,)))) for each in (raw, replace(raw, **change))}
    assert len(told) == 2
    others = [Bundle((raw,), skipped=(Skipped("b", "image"),)), Bundle((raw,), problems=(Problem("b", 1, "empty"),))]
    others += [Bundle((raw,), names={"x": {"a"}}), Bundle((raw,), names={"y": {"a"}})]
    assert len(told | {tuple(list_content(each)) for each in others}) == 6


def test_files_of_a_bundle_and_of_a_manifest_are_sorted_with_what_is_beside_them(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(
        '{"device": "leaf1", "os": "cisco_nxos", "captures": [{"command": "show run", "file": "a.txt"}]}'
    )
    (tmp_path / "a.txt").write_text("hostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n")
    (tmp_path / "b.txt").write_text("hostname leaf2\ninterface Ethernet1/1\n  mtu 9216\n")
    whole, recalled = recall([str(tmp_path)])
    check_lines(whole, recalled)
    assert [unit.name for unit in recalled.units] == ["leaf1"]
    assert recalled.index_lines()(str(tmp_path / "b.txt"), 1) == whole.index_lines()(str(tmp_path / "b.txt"), 1)
