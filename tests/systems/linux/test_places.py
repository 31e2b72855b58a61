"""Places that count from an output: hosts that print alike have equal settings, each with its own place."""

from collections.abc import Sequence

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Port
from auditor.model.setting import Known, Where
from auditor.systems.linux.parse import parse
from auditor.systems.linux.places import change_places

OUTPUTS = (
    (
        "mlnx_qos -i eth0",
        ("Priority trust state: dscp", "PFC configuration:", " priority 0 1 2 3 4 5 6 7", " enabled 0 0 0 1 0 0 0 0"),
    ),
    ("ibdev2netdev", ("mlx5_0 port 1 ==> eth0 (Up)",)),
    ("ip -d link show eth0", ("2: eth0: <BROADCAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP",)),
)


def make_captures(
    file: str, lines_before: int, outputs: Sequence[tuple[str, tuple[str, ...]]] = OUTPUTS
) -> list[Capture]:
    """Return the outputs one below the other, each below its command."""
    found, line = [], lines_before + 1
    for command, lines in outputs:
        found.append(Capture(file, lines, command, line + 1))
        line += 1 + len(lines)
    return found


def read_port(file: str, lines_before: int) -> Port:
    """Return the port of a host whose outputs begin so many lines down its file."""
    device: Device = parse(file, file, make_captures(file, lines_before))
    (port,) = device.ports
    return port


def test_settings_of_hosts_that_print_alike_are_equal() -> None:
    one, other = read_port("gpu1.txt", 0), read_port("gpu2.txt", 40)
    assert one.config == other.config
    assert one.where != other.where


@pytest.mark.parametrize("lines_before", [0, 40])
def test_each_has_its_own_places(lines_before: int) -> None:
    port = read_port("gpu1.txt", lines_before)
    trust, mtu = port.config.classification.trust, port.config.ethernet.mtu_bytes
    assert isinstance(trust, Known)
    assert isinstance(mtu, Known)
    assert port.locate(trust.where) == Where("gpu1.txt", lines_before + 2)
    assert port.locate(mtu.where) == Where("gpu1.txt", lines_before + 9)


def test_values_that_contradict_each_other_are_told_with_their_lines() -> None:
    more = (*OUTPUTS, ("dcb pfc show dev eth0", ("prio-pfc 0:off 1:off 2:off 3:off 4:on 5:off 6:off 7:off",)))
    device = parse("gpu1", "gpu1.txt", make_captures("gpu1.txt", 0, more))
    (port,) = device.ports
    assert "gpu1.txt:5 says 3, gpu1.txt:11 says 4" in getattr(port.config.pfc.priorities, "why", "")


def test_what_is_said_of_the_host_has_places_of_its_file() -> None:
    device = parse(
        "gpu1", "gpu1.txt", make_captures("gpu1.txt", 9, (("mlnx_qos -i eth0", ("PFC trust state: dscp",)),))
    )
    assert [doubt.where for doubt in device.doubts] == [Where("gpu1.txt", 11)]


def test_a_value_without_places_stays_the_same_value() -> None:
    port = read_port("gpu1.txt", 0)
    assert change_places(port, lambda where: where) is port
