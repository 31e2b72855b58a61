"""Outputs of CloudEngine about DCB, with and without a prompt."""

import pytest

from auditor.inputs.detection import identify_file, list_captures
from auditor.inputs.rawtext import Raw, parse_text
from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems import systems

DCB = """\
M:Manual;    A:Auto
-------------------------------------------------------------------------------
Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile
-------------------------------------------------------------------------------
200GE1/0/7        default      ENABLE(A)   turns       SUCCEED     -
200GE1/0/8        storage      ENABLE(M)   -           -           -
200GE1/0/9        default      DISABLE(A)  -           -           -
200GE1/0/10       -            -           turns       SUCCEED     -
-------------------------------------------------------------------------------
"""
ETS = """\
ETS Profile: turns
-------------------------------------------------------------------------------
PG(RN)  Q  SCH    Weight              CIR/PIR(kbps)            CBS/PBS(kbytes)
-------------------------------------------------------------------------------
 0(0)   -  DRR    70(70)                -/-                      -/-
        0  PQ          -                -/-                      -/-
15(15)  -  PQ          -                -/-                      -/-
-------------------------------------------------------------------------------
"""
FORMS = {"alone": "{}", "in a view": "[~leaf7] display dcb{}\n{}\n[~leaf7]", "of a user": "<leaf7>dis dcb{}\n{}"}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def _parse(form: str, words: str, text: str) -> Device:
    raw = parse_text((form.format(words, text) if "dcb" in form else text).encode(), "x.txt", given=True)
    assert isinstance(raw, Raw)
    assert identify_file(raw, None).os == "huawei_vrp"
    return systems()["huawei_vrp"].parse("x", "x", list_captures(raw))


@each_form
def test_pfc_as_it_runs(form: str) -> None:
    ports = _parse(form, "", DCB).ports
    found = {port.name: (value_of(port.config.pfc.mode), value_of(port.config.pfc.oper)) for port in ports}
    assert found == {"200GE1/0/7": ("auto", True), "200GE1/0/8": ("on", True), "200GE1/0/9": ("auto", False)}
    assert {value_of(port.config.ethernet.speed_gbps) for port in ports} == {200.0}


def test_a_written_speed_is_no_difference_to_that_of_the_name() -> None:
    """A port whose configuration is there has its speed from that, though an output shows the port too."""
    lines = ("sysname leaf7", "#", "interface 200GE1/0/7", " port mode 100G", "#", "return")
    captures = [Capture("x", lines), Capture("x", tuple(DCB.splitlines()))]
    device = systems()["huawei_vrp"].parse("x", "x", captures)
    speeds = {port.name: value_of(port.config.ethernet.speed_gbps) for port in device.ports}
    assert speeds == {"200GE1/0/7": 100.0, "200GE1/0/8": 200.0, "200GE1/0/9": 200.0}
    assert not device.differences


@each_form
def test_groups_of_queues_are_known_and_not_modelled(form: str) -> None:
    states = [state for dump in _parse(form, " ets-profile turns", ETS).dumps for state in dump.states]
    assert states.count(LineState.NOT_MODELLED) == 3
    assert LineState.UNRECOGNISED not in states
