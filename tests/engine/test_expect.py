"""`expect:` of roce-audit.yaml: what an audit must see, and exit status 2 below the floor."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import auditor

Run = Callable[..., tuple[int, str, str]]
INTENT = """schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
"""
LEAF = "hostname leaf%d\ninterface Ethernet1/1\n  mtu 9216\n"
HOST = "$ hostname\ngpu1\n$ ip link show\n2: ens1: <UP> mtu 9000 state UP\n"


def write(folder: Path, expect: str) -> Path:
    """Return a folder with two leaves and a host, whose intent expects something."""
    (folder / "roce-audit.yaml").write_text(f"{INTENT}expect:\n{expect}")
    for number in (1, 2):
        (folder / f"leaf{number}.cfg").write_text(LEAF % number)
    (folder / "gpu1.txt").write_text(HOST)
    return folder


@pytest.mark.parametrize(
    ("expect", "sight", "missing", "is_enough"),
    [
        ("  devices: [{name: 'leaf*', count: 2}, {name: gpu1}]\n", "3 of 3", [], True),
        ("  devices: [{name: 'leaf*', count: 4}]\n", "2 of 4", ["leaf*: 2 of 4 devices"], False),
        ("  devices: [{name: 'leaf*', count: 4}]\n  floor: 0.5\n", "2 of 4", ["leaf*: 2 of 4 devices"], True),
        ("  devices: [{name: 'spine*', count: 1}]\n", "0 of 1", ["spine*: 0 of 1 devices"], False),
        (
            "  devices: [{name: gpu1}]\n  captures: [{devices: 'gpu*', commands: [ip, show_gids]}]\n",
            "0 of 1",
            ["gpu1: no capture of show_gids"],
            False,
        ),
    ],
)
def test_what_is_expected_is_counted(  # noqa: PLR0913, PLR0917  a column of the table each
    tmp_path: Path, run: Run, expect: str, sight: str, missing: list[str], is_enough: bool
) -> None:
    folder = write(tmp_path, expect)
    report = auditor.audit(folder)
    assert report.sight == f"seen {sight} expected devices"
    assert [each.message for each in report.unseen] == missing
    assert bool(report.problems) is not is_enough
    assert run("check", folder)[0] == (0 if is_enough else 2)
    assert json.loads(run("check", folder, "--format", "json")[1])["sight"] == report.sight
    assert report.sight in run("check", folder)[1]


@pytest.mark.children
@pytest.mark.parametrize("expect", ["  devices: [{name: 'leaf*', count: 2}]\n"])
def test_a_device_that_is_lost_is_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expect: str) -> None:
    """The others keep their dumps, whichever is lost."""
    folder = write(tmp_path, expect)
    read = auditor.engine.load.read_device  # type: ignore[attr-defined]

    def fail(unit: object) -> object:
        if "leaf1" in str(unit):
            raise ValueError(unit)
        return read(unit)

    monkeypatch.setattr("auditor.engine.load.read_device", fail)
    report = auditor.audit(folder, auditor.Options(old=str(folder)))
    assert report.sight == "seen 1 of 2 expected devices"
    assert any("not audited" in problem.message for problem in report.problems)
