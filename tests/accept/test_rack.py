"""A rack with eight planted differences: each is one item that fails, by the specification and by a peer."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from rack import PLANTED, POD, SPEC, write_alike, write_pod, write_spec_alike

from auditor.engine.accept.run import accept_by_spec, accept_like
from auditor.engine.accept.values import Acceptance, Item, ItemState
from auditor.engine.errors import CannotAudit
from auditor.engine.options import Options
from auditor.report import accept_json

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
Once = Callable[[str, Callable[[Path], None]], Path]
OF_NVIDIA = ("gpu0*", "gpu1[0-2]")
"""The hosts of the pod with NICs of one maker; the other four have those of another."""
EXPECTED = {(each.host, each.port, each.what, each.found) for each in PLANTED}


@pytest.fixture
def rack(once: Once) -> Path:
    """Return the folder of the rack with all differences."""

    def make(folder: Path) -> None:
        write_pod(folder)

    return once("rack", make)


def list_failures(found: Acceptance) -> Sequence[Item]:
    return found.list_in(ItemState.FAIL)


def describe(items: Sequence[Item]) -> set[tuple[str, str, str, str]]:
    return {(item.device, item.port, item.what, item.found) for item in items}


def test_by_specification_each_difference_is_one_failure(rack: Path) -> None:
    found = accept_by_spec(str(SPEC), [str(rack)], Options(jobs=1))
    assert describe(list_failures(found)) == EXPECTED
    assert (len(list_failures(found)), found.list_in(ItemState.NOT_SHOWN), found.problems) == (8, (), ())
    assert len(found.devices) == 16


def test_by_a_peer_each_difference_is_one_failure(rack: Path) -> None:
    found = accept_like("gpu01", [str(rack)], Options(jobs=1), OF_NVIDIA)
    assert describe(list_failures(found)) == EXPECTED
    assert (len(list_failures(found)), found.list_in(ItemState.NOT_SHOWN), found.problems) == (8, (), ())
    assert len(found.devices) == 11


def test_sixteen_hosts_that_are_alike(once: Once, tmp_path: Path) -> None:
    def make(folder: Path) -> None:
        write_alike(folder)

    folder = str(once("alike", make))
    by_spec = accept_by_spec(str(write_spec_alike(tmp_path / "spec.yaml")), [folder], Options(jobs=1))
    by_peer = accept_like("gpu01", [folder], Options(jobs=1))
    for found, devices in ((by_spec, 16), (by_peer, 15)):
        assert describe(list_failures(found)) == EXPECTED
        assert (len(list_failures(found)), found.list_in(ItemState.NOT_SHOWN), len(found.devices)) == (8, (), devices)


def test_evidence_is_the_line_of_the_dump(rack: Path) -> None:
    found = accept_by_spec(str(SPEC), [str(rack)], Options(jobs=1))
    for item in list_failures(found):
        assert item.file
        assert item.line
        line = Path(item.file).read_text(encoding="utf-8").splitlines()[item.line - 1]
        shown = {"pfc_priorities": "enabled", "port": item.device, "peer": item.port}.get(item.what, item.found)
        assert shown in line


def test_what_follows_from_a_difference_stands_with_it(rack: Path) -> None:
    by_host = {item.device: item for item in list_failures(accept_like("gpu01", [str(rack)], Options(jobs=1)))}
    assert [each.what for each in by_host["gpu08"].also] == ["ip_mtu_bytes", "max_frame_bytes"]
    assert by_host["gpu08"].rules == ("MTU002",)
    assert "pfc_tx_priorities" in {each.what for each in by_host["gpu06"].also}
    assert "PFC001" in by_host["gpu06"].rules
    assert [(each.what, each.found) for each in by_host["gpu05"].also] == [("rail2 peer", "leaf2")]


def test_the_rack_as_it_should_be_is_accepted(run: Run) -> None:
    status, out, err = run("accept", SPEC, POD, "--no-cache")
    assert (status, err) == (0, "")
    assert out.startswith("accepted: 16 devices by ")
    assert "0 fail, 0 not shown" in out


@pytest.mark.parametrize("like", ["gpu01", "gpu12", "leaf3", "spine2", "gpu15"])
def test_a_sound_peer_accepts_its_equals(like: str) -> None:
    chosen = {"gpu01": OF_NVIDIA, "gpu12": OF_NVIDIA, "gpu15": ("gpu1[3-6]",)}.get(like, ())
    found = accept_like(like, [str(POD)], Options(jobs=1), chosen)
    assert [item for item in found.items if item.state is not ItemState.PASS] == []
    assert found.is_accepted()


def test_hosts_with_nics_of_another_maker_fail_by_one_item() -> None:
    found = accept_like("gpu01", [str(POD)], Options(jobs=1))
    assert describe(list_failures(found)) == {
        (f"gpu{n}", "", "nic.vendor", "Broadcom: a device of another kind, whose settings are not compared")
        for n in (13, 14, 15, 16)
    }


@pytest.mark.parametrize("mode", ["spec", "like"])
def test_a_missing_host_is_named_by_its_neighbours(mode: str, tmp_path: Path) -> None:
    folder = str(write_pod(tmp_path / "pod", planted=(), without=("gpu07",)))
    options = Options(jobs=1)
    found = (
        accept_by_spec(str(SPEC), [folder], options)
        if mode == "spec"
        else accept_like("gpu01", [folder], options, OF_NVIDIA)
    )
    (item,) = list_failures(found)
    assert (item.device, item.what, item.expected) == ("gpu07", "device", "present")
    assert item.found.startswith("no dump; ")
    assert item.file
    assert "gpu07" in Path(item.file).read_text(encoding="utf-8").splitlines()[(item.line or 0) - 1]


def test_a_peer_with_errors_is_no_specification(rack: Path) -> None:
    with pytest.raises(CannotAudit, match=r"--like gpu06: it has 3 findings of level error itself \(PFC001 rail0: "):
        accept_like("gpu06", [str(rack)], Options(jobs=1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--like", "gpu99", POD], "--like gpu99: no device of the dumps has this name; did you mean "),
        (["--like", "gpu01", POD, "--device", "gpu99"], "--device gpu99: no device has this name"),
        ([SPEC, POD, "--device", "leaf1"], "no entry covers leaf1"),
        ([SPEC], "expected SPEC and dumps"),
        ([SPEC, "no-such-folder"], "nothing to accept: no-such-folder: "),
        (["no-such-file", POD], "no-such-file: cannot be read"),
    ],
)
def test_misuse_is_exit_status_2(run: Run, arguments: list[object], message: str) -> None:
    status, out, err = run("accept", *arguments, "--no-cache")
    assert (status, out) == (2, "")
    assert message in err


def test_a_chosen_device_is_judged_alone(run: Run, rack: Path) -> None:
    assert run("accept", SPEC, rack, "--device", "gpu04", "--no-cache")[0] == 0
    status, out, _ = run("accept", SPEC, rack, "--device", "gpu05", "--no-cache")
    assert status == 1
    assert "1 fail, 0 not shown" in out
    assert "gpu05 rail1: peer: expected leaf2, found leaf3; also rail2 peer" in out


def test_a_dump_that_cannot_be_read_is_exit_status_2(run: Run, tmp_path: Path) -> None:
    folder = write_pod(tmp_path / "pod", planted=())
    (folder / "gpu02.txt").unlink()
    (folder / "gpu02.txt").symlink_to(folder / "gpu02.txt")
    status, out, err = run("accept", SPEC, folder, "--no-cache")
    assert status == 2
    assert out.startswith("not accepted")
    assert "gpu02.txt" in err


def test_json_holds_its_schema(run: Run, rack: Path) -> None:
    status, out, _ = run("accept", SPEC, rack, "--format", "json", "--no-cache")
    document = json.loads(out)
    Draft202012Validator(accept_json.build_schema()).validate(document)
    assert status == 1
    assert (document["schema"], document["accepted"], document["like"]) == ("roce-audit/accepted/1", False, None)
    assert [item["state"] for item in document["items"][:9]] == ["fail"] * 8 + ["pass"]
    states = {each["device"]: each["state"] for each in document["devices"]}
    assert set(states) == {f"gpu{n:02}" for n in range(1, 17)}
    assert {device for device, state in states.items() if state == "fail"} == {each.host for each in PLANTED}
    assert len(document["not_covered"]) == 18


def test_junit_has_a_case_for_each_item(run: Run, rack: Path, tmp_path: Path) -> None:
    file = tmp_path / "accept.xml"
    assert run("accept", SPEC, rack, "--format", "junit", "--output", file, "--no-cache")[0] == 1
    root = ET.parse(file).getroot()  # noqa: S314  written by the program itself
    found = accept_by_spec(str(SPEC), [str(rack)], Options(jobs=1))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == (str(len(found.items)), "8", "0")
    assert len(root.findall("testsuite")) == len({item.device for item in found.items})


def test_markdown_shows_what_fails(run: Run, rack: Path) -> None:
    status, out, _ = run("accept", "--like", "gpu01", rack, "--format", "markdown", "--no-cache")
    assert status == 1
    assert "| gpu08 | rail3 | mtu&#95;bytes; also ip&#95;mtu&#95;bytes, max&#95;frame&#95;bytes | 9000 | 1500 |" in out
