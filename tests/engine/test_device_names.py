"""The name of a device is repeated by each of its findings: it is no longer than that of a host may be."""

import pytest

from auditor.engine.load import LONGEST_NAME, read_device
from auditor.inputs.snapshot import DeviceUnit
from auditor.model.dump import Capture


@pytest.mark.parametrize("length", [5, LONGEST_NAME, 5000])
def test_a_name_without_bound_is_cut(length: int) -> None:
    lines = (f"hostname {'a' * length}", "interface Ethernet1/1", "  mtu 9216")
    unit = DeviceUnit("x", "x.cfg", "cisco_nxos", (Capture("x.cfg", lines),))
    assert read_device(unit).device.name == "a" * min(length, LONGEST_NAME)
