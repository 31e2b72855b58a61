"""What a document writes around a line of a configuration: fences, arrows with words, words in brackets."""

import pytest

from auditor.model.dump import Capture, LineState
from auditor.systems import systems
from auditor.view.port_view import device_view

CONFIGS = {
    "cisco_nxos": (
        "interface Ethernet1/7",
        "  flowcontrol receive on",
        "  priority-flow-control mode on",
        "  mtu 9216",
    ),
    "arista_eos": ("interface Ethernet7", "   flowcontrol receive on", "   priority-flow-control on", "   mtu 9214"),
    "dell_os10": ("interface ethernet1/1/7", " flowcontrol receive on", " priority-flow-control mode on", " mtu 9216"),
    "aruba_aoscx": ("interface 1/1/7", "    flow-control rx", "    qos trust dscp", "    mtu 9198"),
    "huawei_vrp": ("interface 100GE1/0/7", " flow-control", " dcb pfc enable mode manual", " trust dscp"),
    "hp_comware": ("interface HundredGigE1/0/7", " flow-control", " priority-flow-control enable", " qos trust dscp"),
}
REMARKS = (
    " \u2190 so that it pauses",
    "  <- this is new",
    " <-- mind the direction",
    " (not supported with PFC)",
    " \u2190",
)


def _view(os: str, lines: tuple[str, ...]) -> tuple[object, int]:
    device = systems()[os].parse("x", "", [Capture("x", lines)])
    states = [state for dump in device.dumps for state in dump.states]
    return device_view(device).ports, states.count(LineState.UNRECOGNISED)


@pytest.mark.parametrize("os", CONFIGS)
@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_behind_a_line_says_nothing(os: str, remark: str) -> None:
    lines = CONFIGS[os]
    plain = _view(os, lines)
    for index in range(len(lines)):
        assert _view(os, (*lines[:index], f"{lines[index]}{remark}", *lines[index + 1 :])) == plain


@pytest.mark.parametrize("os", CONFIGS)
@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_fences_are_no_statements(os: str, fence: str) -> None:
    lines = CONFIGS[os]
    (shown, unknown), (fenced, still) = _view(os, lines), _view(os, (*lines, fence, f"{fence}bash"))
    assert (fenced, still) == (shown, unknown)


@pytest.mark.parametrize("os", CONFIGS)
def test_a_description_keeps_its_words(os: str) -> None:
    head, *rest = CONFIGS[os]
    text = "to pod (the old one) <- moved"
    device = systems()[os].parse("x", "", [Capture("x", (head, f"  description {text}", *rest))])
    assert "moved" in str(device.ports[0].description)
