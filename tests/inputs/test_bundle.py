"""Folders, archives and texts, sound, odd and hostile: none of them raises, blocks or fills the memory."""

import bz2
import gzip
import io
import lzma
import os
import random
import re
import socket
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from auditor.inputs import archive, rawtext, unpack
from auditor.inputs.bundle import Bundle, open_paths
from auditor.inputs.rawtext import IN_SKIPPED, Problem, Raw, Skipped

TEXT = b"hostname leaf1\ninterface Ethernet1/1\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".tgz": gzip.compress,
    ".xz": lzma.compress,
    ".txz": lzma.compress,
    ".bz2": bz2.compress,
    ".tbz2": bz2.compress,
}


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def tar(path: Path, members: dict[str, bytes], *odd: tarfile.TarInfo) -> Path:
    pack = COMPRESS.get(path.suffix, bytes)
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as packed:
        for info in odd:
            packed.addfile(info)
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    path.write_bytes(pack(plain.getvalue()))
    return path


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as packed:
        for name, data in members.items():
            packed.writestr(zipfile.ZipInfo(name), data, method)
    return path


def odd(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def inside(root: Path, found: Bundle) -> tuple[list[str], list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the names of the texts, and the names and first words of the rest, without the path of *root*."""

    def short(name: str) -> str:
        return name.removeprefix(f"{root}/")

    shunned = [Skipped(raw.name, raw.shunned) for raw in found.raws if raw.shunned and raw.shunned != IN_SKIPPED]
    return (
        [short(raw.name) for raw in found.raws if not raw.shunned],
        sorted((short(each.name), re.split("[,;]", each.why)[0]) for each in (*found.skipped, *shunned)),
        [(short(problem.name), re.split("[,;]", problem.message)[0]) for problem in found.problems],
    )


def only_problem(found: Bundle) -> Problem:
    assert (found.raws, found.skipped) == ((), ())
    (problem,) = found.problems
    return problem


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    files = ["b.cfg", "a/running.txt", "roce-audit.yaml", "links.yml", "a/manifest.json"]
    write(tmp_path, dict.fromkeys(files, TEXT))
    names, skipped, problems = inside(tmp_path, open_paths([str(tmp_path)]))
    assert names == ["a/manifest.json", "a/running.txt", "b.cfg", "links.yml", "roce-audit.yaml"]
    assert (skipped, problems) == ([], [])


def test_what_is_no_dump_is_skipped_by_name(tmp_path: Path) -> None:
    files = dict.fromkeys(["README.md", "LICENSE", "x.py", "x.png", ".git/config", ".git/HEAD", "__pycache__/x"], TEXT)
    write(tmp_path, files | {"photo.txt": PNG})
    names, skipped, problems = inside(tmp_path, open_paths([str(tmp_path)]))
    assert (names, problems) == ([], [])
    assert skipped == [
        (".git", "hidden"),
        ("LICENSE", "document"),
        ("README.md", "document"),
        ("__pycache__", "folder of a tool"),
        ("photo.txt", "image"),
        ("x.png", "image"),
        ("x.py", "program"),
    ]


def test_names_and_folders_are_shown_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"d/leaf1/run.txt": TEXT, "d/top.cfg": TEXT})
    tar(tmp_path / "c.tgz", {"./leaf2/run.txt": TEXT})
    monkeypatch.chdir(tmp_path)
    found = open_paths(["d/", "d/top.cfg", "c.tgz", "-"], io.BytesIO(TEXT))
    assert [(raw.name, raw.folder) for raw in found.raws] == [
        ("d/leaf1/run.txt", "d/leaf1"),
        ("d/top.cfg", "d"),
        ("d/top.cfg", "d"),
        ("c.tgz/leaf2/run.txt", "c.tgz/leaf2"),
        ("<stdin>", "<stdin>"),
    ]
    assert [raw.folder for raw in open_paths(["."]).raws] == ["c.tgz/leaf2", "d/leaf1", "d"]


def test_a_file_and_standard_input_are_read_alike(tmp_path: Path) -> None:
    write(tmp_path, {"x": TEXT})
    name = str(tmp_path / "x")
    lines = ("hostname leaf1", "interface Ethernet1/1")
    assert open_paths([name]) == Bundle((Raw(name, str(tmp_path), lines, ends_with_newline=True, given=True),))
    (raw,) = open_paths(["-"], io.BytesIO(TEXT)).raws
    assert raw == Raw("<stdin>", "<stdin>", lines, ends_with_newline=True, given=True)


def test_an_unknown_binary_in_a_folder_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, {"core.txt": b"\x01\x00\x02"})
    assert only_problem(open_paths([str(tmp_path)])).message == "binary, expected text"


def test_a_capture_of_an_empty_attribute_is_a_text_without_lines(tmp_path: Path) -> None:
    write(tmp_path, {"cat_sys_class_net_eth0_ecn.txt": b"", "traffic_class": b"\n", "mlnx_qos.txt": b""})
    found = open_paths([str(tmp_path)])
    assert [raw.lines for raw in found.raws] == [(), ("",)]
    assert [problem.message for problem in found.problems] == ["empty, expected a dump"]


@pytest.mark.parametrize("data", [b"\0", b"a"])
def test_a_hundred_megabytes_of_one_line_are_refused_at_once(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "huge.txt"
    path.write_bytes(data * 100_000_000 if data != b"\0" else b"")
    os.truncate(path, 100_000_000)
    start = time.process_time()
    assert only_problem(open_paths([str(path)])).message.startswith("too large")
    assert time.process_time() - start < 1


def test_what_is_no_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "socket"))
        _, _, problems = inside(tmp_path, open_paths([str(tmp_path), str(tmp_path / "fifo.txt"), "/dev/zero"]))
    assert problems == [("fifo.txt", "FIFO"), ("socket", "socket"), ("fifo.txt", "FIFO"), ("/dev/zero", "device")]


@pytest.mark.parametrize("given_path", ["", "missing.cfg", "a\0b", "x" * 300, "\ud800", "loop", "file/below"])
def test_a_path_that_cannot_be_opened_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_path: str
) -> None:
    monkeypatch.chdir(write(tmp_path, {"file": TEXT}))
    (tmp_path / "loop").symlink_to("loop")
    problem = only_problem(open_paths([given_path]))
    assert problem.message.endswith("expected a file, a folder or an archive")
    assert problem.name.isprintable()


def test_no_standard_input_is_a_problem() -> None:
    class Closed(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert only_problem(open_paths(["-"])).message == "empty, expected a dump"
    assert only_problem(open_paths(["-"], Closed())).message.startswith("input/output error")


def test_permission_denied_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"closed/x.txt": TEXT, "open.txt": TEXT, "secret.txt": TEXT})
    opened, listed = os.open, Path.iterdir

    def deny_open(path: str | Path, flags: int) -> int:
        if str(path).endswith("secret.txt"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    def deny_list(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "open", deny_open)
    monkeypatch.setattr(Path, "iterdir", deny_list)
    names, _, problems = inside(tmp_path, open_paths([str(tmp_path)]))
    assert names == ["open.txt"]
    assert problems == [("closed", "permission denied"), ("secret.txt", "permission denied")]


def test_symlinks_stay_in_the_folder_and_end(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a/x.txt": TEXT, "b/y.txt": TEXT})
    write(tmp_path, {"outside.txt": TEXT})
    for name, target in {
        "a/copy.txt": "../b/y.txt",
        "a/dangling.txt": "nowhere",
        "a/escape.txt": "../../outside.txt",
        "a/self.txt": "self.txt",
        "a/to-b": "../b",
        "b/again": "../b",
        "b/to-a": "../a",
        "b/up": "..",
        "c": "b",
    }.items():
        (root / name).symlink_to(target)
    names, skipped, problems = inside(root, open_paths([str(root)]))
    assert names == ["a/copy.txt", "a/to-b/y.txt", "a/x.txt", "b/to-a/copy.txt", "b/to-a/x.txt", "b/y.txt"]
    assert skipped == [("c", f"symlink to {root}/b")]
    escape, loop = f"symlink to {tmp_path}/outside.txt", "symlink loop"
    assert problems == [
        ("a/dangling.txt", "dangling symlink"),
        ("a/escape.txt", escape),
        ("a/self.txt", loop),
        ("a/to-b/again", loop),
        ("a/to-b/to-a", loop),
        ("a/to-b/up", loop),
        ("b/again", loop),
        ("b/to-a/dangling.txt", "dangling symlink"),
        ("b/to-a/escape.txt", escape),
        ("b/to-a/self.txt", loop),
        ("b/to-a/to-b", loop),
        ("b/up", loop),
    ]


def test_folders_too_deep_are_a_problem(tmp_path: Path) -> None:
    write(tmp_path, {"d/" * 31 + "x.txt": TEXT, "d/" * 32 + "x.txt": TEXT})
    found = open_paths([str(tmp_path)])
    assert (len(found.raws), len(found.problems)) == (1, 1)
    assert found.problems[0].message == "expected at most 32 folders within each other"


def test_a_name_is_shown_printable(tmp_path: Path) -> None:
    write(tmp_path, {"a\n\x1b[31mb.txt": TEXT, os.fsdecode(b"\xe9.txt"): TEXT})
    assert inside(tmp_path, open_paths([str(tmp_path)]))[0] == ["a\\n\\x1b[31mb.txt", "\\udce9.txt"]


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.txz", "a.tar.bz2", "a.tbz2", "a.zip"])
def test_archives_are_read_like_folders(tmp_path: Path, name: str) -> None:
    members = {
        "./leaf1/run.txt": TEXT,
        "leaf1/.git/config": TEXT,
        "leaf1/.git/HEAD": TEXT,
        "leaf1/README.md": TEXT,
        "leaf1/inner.zip": b"PK\x03\x04",
        "leaf1/empty.txt": b"",
        "leaf1/traffic_class": b"",
        "leaf1/photo.txt": PNG,
    }
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    pack(tmp_path / name, members)
    for path in (tmp_path / name, tmp_path):
        names, skipped, problems = inside(tmp_path / name, open_paths([str(path)]))
        assert names == ["leaf1/run.txt", "leaf1/traffic_class"]
        assert skipped == [
            ("leaf1/.git", "hidden"),
            ("leaf1/README.md", "document"),
            ("leaf1/photo.txt", "image"),
        ]
        assert problems == [("leaf1/inner.zip", "nested archive"), ("leaf1/empty.txt", "empty")]


def test_odd_members_of_a_tar_are_problems_and_the_others_are_read(tmp_path: Path) -> None:
    path = tar(
        tmp_path / "a.tar.gz",
        {"../x": TEXT, "a/../../y": TEXT, "/etc/z": TEXT, "twice.txt": TEXT, "./twice.txt": b"b\n", "good.txt": TEXT},
        odd("folder", tarfile.DIRTYPE),
        odd("link.txt", tarfile.SYMTYPE, "/etc/passwd"),
        odd("hard.txt", tarfile.LNKTYPE, "good.txt"),
        odd("fifo", tarfile.FIFOTYPE),
        odd("null", tarfile.CHRTYPE),
    )
    names, skipped, problems = inside(path, open_paths([str(path)]))
    assert (names, skipped) == (["twice.txt", "good.txt"], [])
    assert problems == [
        *((name, "link or device") for name in ("link.txt", "hard.txt", "fifo", "null")),
        *((name, "path leaves the archive") for name in ("../x", "../y", "/etc/z")),
        ("twice.txt", "second member of this name"),
    ]


def test_odd_members_of_a_zip_are_problems_and_the_others_are_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"../x": TEXT, "/z": TEXT, "a\\..\\..\\y": TEXT, "d/": b"", "good.txt": TEXT})
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr(link, "/etc/passwd")
        packed.writestr("slow.txt", TEXT, zipfile.ZIP_LZMA)
        packed.writestr("broken.txt", b"broken broken", zipfile.ZIP_STORED)
        packed.writestr("last.txt", TEXT)
    path.write_bytes(path.read_bytes().replace(b"broken broken", b"broken BROKEN"))
    names, skipped, problems = inside(path, open_paths([str(path)]))
    assert (names, skipped) == (["good.txt", "last.txt"], [])
    assert problems == [
        ("../x", "path leaves the archive"),
        ("/z", "path leaves the archive"),
        ("a\\..\\..\\y", "path leaves the archive"),
        ("link.txt", "symlink"),
        ("slow.txt", "compressed by method 14"),
        ("broken.txt", "bad CRC-32 for file 'broken.txt'"),
    ]


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar.gz", "bomb.tar.xz", "bomb.tar.bz2"])
def test_a_bomb_is_stopped_while_it_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for module in (unpack, rawtext):
        monkeypatch.setattr(module, "MAX_DUMP_BYTES", 100_000)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1_000_000)
    members = {"a.txt": TEXT, "large.txt": b"line\n" * 40_000, "b.txt": TEXT, "c.txt": b"a" * 5_000_000, "d.txt": TEXT}
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    path = pack(tmp_path / name, members)
    names, _, problems = inside(path, open_paths([str(path)]))
    assert names[:2] == ["a.txt", "b.txt"]
    assert problems[:2] == [("large.txt", "too large"), ("c.txt", "too large")]
    if "tar" in name:
        assert problems[2][1].startswith("more than 1000000 bytes")


@pytest.mark.parametrize(
    "bound",
    [("MAX_MEMORY_BYTES", 2**20, "texts take more than 1 MB of memory"), ("MAX_TEXTS", 2, "more than 2 files")],
)
@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_the_members_together_have_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, bound: tuple[str, int, str]
) -> None:
    """Lines of seven characters take eight times as much memory as they have bytes."""
    limit, most, why = bound
    monkeypatch.setattr(unpack, limit, most)
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    path = pack(tmp_path / name, {f"{i}.txt": distinct_lines(i) for i in range(5)})
    assert inside(path, open_paths([str(path)]))[0] == ["0.txt", "1.txt"]
    left = f"{path}/2.txt and all members behind it are unread; unpack the archive into a folder"
    assert only_problem_of(path) == f"{why}: {left}"


def distinct_lines(number: int) -> bytes:
    """Return 7,000 lines that no text of another number has."""
    return b"".join(b"%07d\n" % (10_000 * number + line) for line in range(7_000))


@pytest.mark.parametrize("limit", ["auditor.inputs.bundle.MAX_MEMORY_BYTES", "auditor.inputs.unpack.MAX_MEMORY_BYTES"])
def test_equal_lines_of_a_fleet_are_held_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(limit, 2**20)
    path = zipped(tmp_path / "a.zip", {f"{i}.txt": distinct_lines(1) for i in range(9)})
    assert not open_paths([str(path)]).problems


def only_problem_of(path: Path) -> str:
    (message,) = [problem.message for problem in open_paths([str(path)]).problems]
    return message


@pytest.mark.parametrize(
    "bound",
    [
        ("MAX_MEMORY_BYTES", 2**20, "dumps of one run take more than 1 MB of memory"),
        ("MAX_FILES", 2, "more than 2 files in one run"),
        ("MAX_SECONDS", -1, "reading the files takes more than -1 s of processor time"),
    ],
)
@pytest.mark.parametrize("kind", ["folder", "archives"])
def test_all_inputs_of_a_run_have_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, bound: tuple[str, int, str]
) -> None:
    """The report names the first file that is left out."""
    limit, most, why = bound
    monkeypatch.setattr(f"auditor.inputs.bundle.{limit}", most)
    paths = [tmp_path / f"{i}.{'txt' if kind == 'folder' else 'zip'}" for i in range(5)]
    for number, path in enumerate(paths):
        text = distinct_lines(number)
        path.write_bytes(text) if kind == "folder" else zipped(path, {"a.txt": text})
    found = open_paths([str(tmp_path)] if kind == "folder" else list(map(str, paths)))
    read = 0 if limit == "MAX_SECONDS" else 2
    assert len(found.raws) == read
    ((name, message),) = [(problem.name, problem.message) for problem in found.problems]
    assert name == (str(paths[read]) if kind == "folder" else f"{paths[read]}/a.txt")
    assert message == f"{why}: this file and all behind it are unread; give fewer dumps"


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "huge.cfg").open("wb") as file:
        file.truncate(2**40)
    monkeypatch.setattr("auditor.inputs.bundle.read_bytes", None)
    assert only_problem_of(tmp_path / "huge.cfg").startswith("too large (1099511627776 bytes)")


def test_the_lines_of_a_dump_have_a_bound() -> None:
    found = rawtext.parse_text(b"!\n" * (rawtext.MAX_LINES + 1), "a.cfg", given=False)
    assert isinstance(found, rawtext.Problem)
    assert found.message == "1000001 lines, expected a dump of at most 1000000"


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_the_number_of_members_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    found = open_paths([str(pack(tmp_path / name, {f"{i}.txt": TEXT for i in range(5)}))])
    assert (len(found.raws), len(found.problems)) == (3, 1)


def test_a_header_that_claims_much_is_refused(tmp_path: Path) -> None:
    long_name = odd("x", tarfile.GNUTYPE_LONGNAME)
    long_name.size = 2**40
    (tmp_path / "a.tar").write_bytes(long_name.tobuf(tarfile.GNU_FORMAT) + bytes(2048))
    assert "a header of 1099511627776 bytes" in only_problem(open_paths([str(tmp_path / "a.tar")])).message


def test_a_tar_with_a_negative_size_ends(tmp_path: Path) -> None:
    back = tarfile.TarInfo("back.txt")
    back.size = -1024
    (tmp_path / "a.tar").write_bytes(back.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert "negative size" in only_problem(open_paths([str(tmp_path / "a.tar")])).message


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tar.xz", "a.zip"])
@pytest.mark.parametrize("damage", ["cut", "empty", "text", "flipped"])
def test_a_damaged_archive_is_a_problem(tmp_path: Path, name: str, damage: str) -> None:
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    chance = random.Random(1)
    path = pack(tmp_path / name, {f"{i}.txt": chance.randbytes(2_000).hex().encode() for i in range(5)})
    data = path.read_bytes()
    # The second header of the tar; in the others this falls into compressed data.
    flipped = data[:4700] + bytes([data[4700] ^ 0xFF]) + data[4701:]
    path.write_bytes({"cut": data[: len(data) // 2 + 100], "empty": b"", "text": TEXT, "flipped": flipped}[damage])
    found = open_paths([str(path)])
    assert found.problems
    assert len(found.raws) < 5 or damage == "flipped"


def test_a_zip_whose_directory_leaves_out_members_is_damaged(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": TEXT, "b.txt": TEXT})
    packed = path.read_bytes()
    end = packed.rindex(b"PK\x05\x06")
    first = packed.index(b"PK\x01\x02")
    second = packed.index(b"PK\x01\x02", first + 1)
    sizes = {0: 0, second - first: 1}
    damaged = {
        packed[: end + 12] + size.to_bytes(4, "little") + packed[end + 16 :]: left for size, left in sizes.items()
    }
    damaged[packed[: first + 32] + (end - second).to_bytes(2, "little") + packed[first + 34 :]] = 1  # its comment
    for data, left in damaged.items():
        path.write_bytes(data)
        found = open_paths([str(path)])
        assert found.raws == ()
        assert [problem.message.partition(":")[0] for problem in found.problems] == [
            f"its directory has {left} members, its end record declares 2"
        ]


ARCHIVE_NAMES = st.sampled_from(["a.tar", "a.tar.gz", "a.tar.xz", "a.tar.bz2", "a.zip", "a.txt", "README.md"])
QUICK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)


@QUICK
@given(data=st.binary() | st.binary(min_size=200, max_size=2_000), name=ARCHIVE_NAMES)
@example(data=b"PK\x05\x06" + bytes(18), name="a.zip")
def test_no_bytes_raise(tmp_path: Path, data: bytes, name: str) -> None:
    write(tmp_path, {name: data})
    for path in (tmp_path / name, tmp_path):
        found = open_paths([str(path)])
        assert all("\n" not in line for raw in found.raws for line in raw.lines)
        assert all(isinstance(skipped, Skipped) and skipped.why for skipped in found.skipped)
        assert all("expected" in problem.message for problem in found.problems)
    (tmp_path / name).unlink()


@QUICK
@given(data=st.data(), name=st.sampled_from(["a.tar", "a.tar.gz", "a.zip"]))
def test_no_damaged_byte_of_an_archive_raises(tmp_path: Path, data: st.DataObject, name: str) -> None:
    pack: Callable[[Path, dict[str, bytes]], Path] = zipped if name.endswith(".zip") else tar
    path = pack(tmp_path / name, {"a.txt": TEXT, "b" * 120 + ".txt": TEXT * 50})
    packed = bytearray(path.read_bytes())
    for position in data.draw(st.lists(st.integers(0, len(packed) - 1), min_size=1, max_size=4)):
        packed[position] = data.draw(st.integers(0, 255))
    path.write_bytes(packed)
    found = open_paths([str(path)])
    assert found.raws or found.problems or found.skipped
