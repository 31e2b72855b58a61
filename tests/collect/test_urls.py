"""Dumps at URLs: what is in them is read as it is on this machine, and nothing leads elsewhere."""

import io
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import fsspec
import pytest

import auditor
from auditor.collect.urls import RemoteFile, open_url, read_remote
from auditor.inputs import rawtext
from auditor.inputs.rawtext import Problem

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
LEAF = b"hostname leaf1\nfeature lldp\ninterface Ethernet1/1\n  no switchport\n  mtu 9216\n  no shutdown\n"


@pytest.fixture
def store() -> Iterator[Callable[[str, bytes], None]]:
    """Return what writes a file to a storage in memory."""
    files = fsspec.filesystem("memory")
    yield files.pipe
    files.rm("/", recursive=True)


def audit(url: str) -> auditor.Report:
    return auditor.audit(url, auditor.Options(jobs=1))


def list_problems(url: str) -> list[tuple[str | None, str]]:
    return [(problem.file, problem.message) for problem in audit(url).problems]


def test_a_folder_at_a_url_has_the_findings_that_it_has_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    options = auditor.Options(config="fixtures/fabric/roce-audit.yaml", jobs=1)
    local, remote = (auditor.audit(path, options) for path in ("fixtures/fabric", f"file://{FABRIC}"))
    assert json.dumps(remote.to_dicts()).replace(f"file://{ROOT}/", "") == json.dumps(local.to_dicts())
    assert (remote.devices, remote.ports, remote.links) == (local.devices, local.ports, local.links)


def test_a_file_and_an_archive_are_given_by_their_urls(store: Callable[[str, bytes], None]) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(FABRIC / "leaf1", "fabric/leaf1")
    store("/dumps/fabric.tar.gz", packed.getvalue())
    store("/dumps/leaf1.cfg", LEAF)
    one, several = audit("memory://dumps/leaf1.cfg"), audit("memory://dumps/fabric.tar.gz")
    assert [unit.source for unit in one.inputs.units] == ["memory://dumps/leaf1.cfg"]
    assert [unit.source for unit in several.inputs.units] == ["memory://dumps/fabric.tar.gz/fabric/leaf1"]
    assert (one.problems, several.problems) == ((), ())


def test_two_urls_are_compared_as_two_folders_are(tmp_path: Path, run: Run) -> None:
    for side, mtu in (("old", b"9216"), ("new", b"1500")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "leaf1.cfg").write_bytes(LEAF.replace(b"9216", mtu))
    folders = [tmp_path / side for side in ("old", "new")]
    local, remote = (run("diff", *paths) for paths in (folders, [f"file://{folder}" for folder in folders]))
    assert (remote[0], remote[1].replace("file://", ""), remote[2]) == local


def test_names_are_judged_as_those_of_an_archive(store: Callable[[str, bytes], None]) -> None:
    for name in ("leaf1.cfg", ".git/leaf2.cfg", "x.zip", "README.md", "a::file:///etc/passwd", "key.pem"):
        store(f"/dumps/{name}", LEAF)
    report = audit("memory://dumps/")
    assert [unit.source for unit in report.inputs.units] == ["memory://dumps/leaf1.cfg"]
    assert [(each.name, each.why) for each in report.inputs.skipped] == [
        ("memory://dumps/.git", "hidden"),
        ("memory://dumps/key.pem", "secret"),
    ]
    assert [(problem.file, problem.message.partition(";")[0]) for problem in report.problems] == [
        ("memory://dumps/a::file:///etc/passwd", "name that is no path, expected a plain file"),
        ("memory://dumps/x.zip", "nested archive"),
        ("memory://dumps/README.md", "skipped (document), but shows a device of Cisco NX-OS (Nexus 3000/9000)"),
    ]


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "leaf1.cfg").write_bytes(LEAF)
    (tmp_path / "leaf2.cfg").symlink_to("leaf1.cfg")
    url = f"file://{tmp_path}"
    assert list_problems(url) == [(f"{url}/leaf2.cfg", "symlink, expected a plain file")]


def test_a_file_that_cannot_be_read_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    file = RemoteFile("memory", "/dumps/leaf1.cfg", "memory://dumps/leaf1.cfg")
    gone = "no such file or folder, expected "
    assert read_remote(file).item == Problem(file.name, None, f"{gone}a readable file")
    assert list_problems("memory://dumps") == [("memory://dumps", f"{gone}a file, a folder or an archive")]

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("signature=SECRET")

    monkeypatch.setattr(fsspec.get_filesystem_class("memory"), "_open", fail)
    assert read_remote(file).item == Problem(file.name, None, "cannot be read (RuntimeError), expected a readable file")


def test_a_file_is_bounded(store: Callable[[str, bytes], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.collect.urls.MAX_DUMP_BYTES", 50)
    monkeypatch.setattr("auditor.collect.urls.MAX_ARCHIVE_BYTES", 50)
    monkeypatch.setattr(rawtext, "MAX_DUMP_BYTES", 50)
    store("/dumps/leaf1.cfg", LEAF)
    store("/other/leaf1.zip", LEAF)
    assert list_problems("memory://dumps")[0][1] == "too large, expected a dump of at most 50 bytes"
    assert list_problems("memory://other/leaf1.zip")[0][1] == "too large, expected an archive of at most 50 bytes"


def test_a_run_that_cannot_go_on_is_no_problem_of_a_file(store: Callable[[str, bytes], None]) -> None:
    def refuse(_: object) -> NoReturn:
        raise auditor.CannotAudit("no worker")

    store("/dumps/leaf1.cfg", LEAF)
    with pytest.raises(auditor.CannotAudit, match="no worker"):
        list(open_url("memory://dumps", refuse))


REFUSED = {
    "credentials": (["s3://user:SECRET@bucket/dumps"], "s3:// holds credentials"),
    "a storage that is not installed": (["gs://bucket/dumps"], "gs:// needs the package"),
    "a git revision": (["memory://dumps", "--base", "HEAD"], "not URLs"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_a_url_that_cannot_be_used_is_one_line(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run("check", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert "SECRET" not in err
