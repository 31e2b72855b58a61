"""Interfaces as people type them: the switch knows them in any case, with or without a blank, alone and in ranges."""

import pytest

from auditor.model.dump import Capture
from auditor.model.setting import value_of
from auditor.systems import systems
from auditor.systems.huawei.show import KINDS

PORTS = [kind for kind in KINDS if kind not in {"Eth-Trunk", "Vlanif"}]


def parse(*lines: str) -> list[tuple[str, object]]:
    capture = Capture("x", ("dcb pfc", *lines))
    ports = systems()["huawei_vrp"].parse("x", "x", [capture]).ports
    return [(port.name, value_of(port.config.pfc.mode)) for port in ports]


@pytest.mark.parametrize("kind", PORTS)
@pytest.mark.parametrize("spell", [str, str.lower, str.upper])
@pytest.mark.parametrize("blank", ["", " "])
def test_every_spelling_of_an_interface_is_the_same_port(kind: str, spell: type[str], blank: str) -> None:
    typed = f"{spell(kind)}{blank}"
    enable = " dcb pfc enable mode auto"
    alone = [f"interface {typed}1/0/7", enable, f"interface {typed}1/0/8", enable]
    ranged = [f"interface range {typed}1/0/7 to {typed}1/0/8", enable]
    grouped = ["port-group both", f" group-member {typed}1/0/7 to {typed}1/0/8", enable]
    expected = [(f"{kind}1/0/7", "auto"), (f"{kind}1/0/8", "auto")]
    for lines in (alone, ranged, grouped):
        assert parse(*lines) == expected


@pytest.mark.parametrize(
    ("mode", "gbps"), [("10G", 10), ("GE", 1), ("50GE", 50), ("200ge", 200), ("10g", 10), ("17G", None)]
)
def test_the_mode_of_a_port_is_its_rate(mode: str, gbps: float | None) -> None:
    capture = Capture("x", ("dcb pfc", "interface 25GE1/0/7", f" port mode {mode}"))
    device = systems()["huawei_vrp"].parse("x", "x", [capture])
    assert value_of(device.ports[0].config.ethernet.speed_gbps) == gbps
