"""A saved configuration beside the running one is neither merged into it nor a device of its own."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import auditor
from auditor.model.device import Device
from auditor.model.setting import value_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules" / "saved-differs-from-running" / "bad"
SWITCHES = sorted(path.name for path in FIXTURES.iterdir())
RUNNING, SAVED = (
    (FIXTURES / "leaf1" / f"show_{kind}-config.txt").read_text(encoding="utf-8") for kind in ("running", "startup")
)
BARE = SAVED.replace("!Command: show startup-config\n", "")
TRANSCRIPT = f"leaf1# show running-config\n{RUNNING}leaf1# show startup-config\n{BARE}"
OTHER = RUNNING.replace("hostname leaf1", "hostname leaf2"), SAVED.replace("hostname leaf1", "hostname leaf2")


def read(folder: Path, files: Mapping[str, str]) -> dict[str, Device]:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = auditor.load(folder)
    assert (found.problems, found.warnings) == ((), ())
    return {device.name: device for device in found.model.devices}


def list_mtus(device: Device | None) -> list[int | None]:
    return [value_of(port.config.ethernet.mtu_bytes) for port in device.ports] if device else []


@pytest.mark.parametrize(
    "files",
    [
        {"show_running-config.txt": RUNNING, "show_startup-config.txt": SAVED},
        {"a.cfg": SAVED, "b.cfg": RUNNING},
        {"running.cfg": RUNNING, "startup-config": BARE},
        {"leaf1-running.cfg": RUNNING, "leaf1-startup.cfg": BARE},
        {"session.txt": TRANSCRIPT},
    ],
)
def test_a_saved_configuration_by_its_name_or_its_head(tmp_path: Path, files: Mapping[str, str]) -> None:
    (device,) = read(tmp_path, files).values()
    assert list_mtus(device) == [9216] * 3
    assert list_mtus(device.saved) == [1500, 1500, 9216]
    assert {dump.file.rpartition("/")[2] for dump in device.dumps} == {*files}


def test_saved_configurations_of_several_switches_in_one_folder(tmp_path: Path) -> None:
    files = {"1r.cfg": RUNNING, "1s.cfg": SAVED, "2r.cfg": OTHER[0], "2s.cfg": OTHER[1]}
    found = read(tmp_path, files)
    saved = {name: list_mtus(device.saved) for name, device in found.items()}
    assert saved == {"leaf1": [1500, 1500, 9216], "leaf2": [1500, 1500, 9216]}


@pytest.mark.parametrize("files", [{"show_startup-config.txt": SAVED}, {"1.cfg": SAVED, "2.cfg": OTHER[1]}])
def test_alone_it_stands_for_the_device(tmp_path: Path, files: Mapping[str, str]) -> None:
    found = read(tmp_path, files)
    assert [(list_mtus(device), device.saved) for device in found.values()] == [([1500, 1500, 9216], None)] * len(files)


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_running_device_is_the_one_without_a_saved_configuration(switch: str, tmp_path: Path) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in (FIXTURES / switch).iterdir()}
    running = {name: text for name, text in files.items() if re.search("running|current|nv_config_show", name)}
    assert len(files) == len(running) + 1
    (both,) = read(tmp_path, files).values()
    for name in files.keys() - running.keys():
        (tmp_path / name).unlink()
    (alone,) = read(tmp_path, {}).values()
    assert both.ports == alone.ports
    assert both.saved is not None
    assert both.saved.ports != alone.ports


def test_a_saved_configuration_that_was_cut_is_no_measure(tmp_path: Path) -> None:
    files = {"show_running-config.txt": RUNNING, "show_startup-config.txt": SAVED[: SAVED.index("priority-flow") + 17]}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = auditor.load(tmp_path)
    assert [device.saved for device in found.model.devices] == [None]
    assert [Path(problem.name).name for problem in found.problems] == ["show_startup-config.txt"]
