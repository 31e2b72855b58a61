"""What is typed beside a saved configuration alone changes that one: the rest of it stays."""

from pathlib import Path

import pytest

from auditor.diagnosis.apply import apply_remedy
from auditor.engine.load import read_device
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture
from auditor.view.cells import list_cells

NVUE = (Path(__file__).parents[2] / "fixtures" / "fabric-mixed" / "leaf1" / "startup.yaml").read_text(encoding="utf-8")
NXOS = "!Command: show startup-config\nversion 10.3(1)\nhostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n"
EOS = "! Startup-config last modified at Mon Nov 23\nhostname leaf1\ninterface Ethernet1/1\n   mtu 9214\n"


@pytest.mark.parametrize(
    ("os", "file", "text", "line", "path"),
    [
        ("cumulus_nvue", "startup.yaml", NVUE, "nv set interface swp1 link mtu 1500", "mtu_bytes"),
        ("cisco_nxos", "show_startup-config.txt", NXOS, "interface Ethernet1/1\n  mtu 1500", "mtu_bytes"),
        ("arista_eos", "show_startup-config.txt", EOS, "interface Ethernet1/1\n   mtu 1500", "mtu_bytes"),
    ],
)
def test_a_typed_line_changes_what_it_names_alone(os: str, file: str, text: str, line: str, path: str) -> None:
    unit = DeviceUnit("leaf1", "leaf1", os, (Capture(f"leaf1/{file}", tuple(text.splitlines())),))
    captures = apply_remedy(line, os, unit.captures)
    assert captures is not None
    before, after = (
        list_cells(read_device(DeviceUnit("leaf1", "leaf1", os, each)).device) for each in (unit.captures, captures)
    )
    changed = {key for key in {**before.cells, **after.cells} if before.find(key) != after.find(key)}
    differing = {key[1] for key in changed if before.cells[key].text != after.cells[key].text}
    assert path in differing
    assert differing <= {"mtu_bytes", "ip_mtu_bytes", "max_frame_bytes"}
