"""Tables of settings: each member of a list has its own key, and each field that is no key is a setting."""

from dataclasses import replace
from pathlib import Path

import pytest

from auditor.engine.fabric import load
from auditor.engine.options import Options
from auditor.model.device import Device
from auditor.model.hardware import Hardware, Module
from auditor.model.setting import Known, Origin, Where
from auditor.view.cells import list_cells

POD = Path(__file__).parents[2] / "fixtures" / "pod-clean"


def read(name: str) -> Device:
    return load(POD / name, Options(jobs=1)).model.devices[0]


def test_a_class_that_moves_to_another_queue_keeps_its_key() -> None:
    device = read("leaf1")
    port = device.ports[0]
    classes = port.config.classification.classes.known()
    moved = tuple(replace(each, queue=Known(5, classes.origin)) if each.id == "3" else each for each in classes.value)
    sorting = replace(port.config.classification, classes=replace(classes, value=moved))
    changed = replace(device, ports=(replace(port, config=replace(port.config, classification=sorting)),))
    before, after = (list_cells(each).cells for each in (replace(device, ports=(port,)), changed))
    assert {key[1]: after[key].text for key in before if before[key].text != after[key].text} == {
        "classes[3].queue": "5"
    }
    assert before.keys() == after.keys()


@pytest.mark.parametrize("name", ["leaf1", "stor-leaf1", "gpu01.txt", "gpu13.txt", "cluster"])
def test_no_two_settings_have_one_key_and_most_have_a_line(name: str) -> None:
    device = read(name)
    table = list_cells(device)
    assert all(table.find(key) == cell for key, cell in table.cells.items())
    ports = [cell for (port, _), cell in table.cells.items() if port]
    assert sum(cell.line is not None for cell in ports) > 0.5 * len(ports) or not ports


def test_what_is_plugged_in_is_a_setting_and_what_it_measures_is_none() -> None:
    device = read("leaf1")
    where = Where("modules.txt", 7)
    module = Module(
        serial=Known("AB0001", Origin.LEARNED, where),
        length_m=Known(3.0, Origin.LEARNED, where),
        temperature_c=Known(58.2, Origin.LEARNED, where),
        rx_power_dbm=Known(-1.5, Origin.LEARNED, where),
    )
    port = replace(device.ports[0], hardware=Hardware(Known("0000:1a:00.0", Origin.LEARNED, where), module=module))
    cells = list_cells(replace(device, ports=(port,))).cells
    found = {path: (cell.text, cell.line) for (_, path), cell in cells.items() if path.startswith("hardware")}
    assert found == {
        "hardware.slot": ("0000:1a:00.0", 7),
        "hardware.module.serial": ("AB0001", 7),
        "hardware.module.length_m": ("3", 7),
    }
