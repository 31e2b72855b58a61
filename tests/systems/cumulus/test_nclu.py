"""Commands of releases up to 4.4."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems import systems
from auditor.systems.cumulus import parse as cumulus
from auditor.systems.effective import fill_defaults

COMMANDS = """\
net add hostname leaf01
net add interface swp1-2 mtu 9216
net add interface swp1-2 link speed 100000
net add interface swp1 link fec rs
net add interface swp2 link down
net add interface swp3 breakout 4x25G
net add bond bond1 bond slaves swp5-6
net add bond bond1 mtu 9000
net add interface swp1 link autoneg off
net add bgp autonomous-system 65001
{}
net commit
"""


def parsed(last: str = "") -> Device:
    lines = tuple(COMMANDS.format(last).splitlines())
    return fill_defaults(cumulus.parse("leaf", "leaf.txt", [Capture("leaf.txt", lines)]))


@pytest.mark.parametrize("prompt", ["", "cumulus@leaf01:~$ ", "sudo "])
def test_a_list_of_commands_is_recognised(prompt: str) -> None:
    lines = tuple(f"{prompt}{line}" for line in COMMANDS.splitlines())
    assert systems()["cumulus_nvue"].recognise(Capture("x.txt", lines)) == "nv config show"


def test_ports() -> None:
    device = parsed()
    ports = {port.name: port for port in device.ports}
    assert device.name == "leaf01"
    assert list(ports) == ["swp1", "swp2", "swp3s0", "swp3s1", "swp3s2", "swp3s3", "swp5", "swp6"]
    one, two, split, member = (ports[name].config.ethernet for name in ("swp1", "swp2", "swp3s0", "swp5"))
    assert (value_of(one.mtu_bytes), value_of(one.speed_gbps), value_of(one.fec)) == (9216, 100, "rs")
    assert value_of(two.enabled) is False
    assert value_of(split.speed_gbps) == 25
    assert (value_of(member.mtu_bytes), value_of(ports["swp5"].lag)) == (9000, "bond1")


@pytest.mark.parametrize(
    ("line", "paused"),
    [
        ("net add roce lossless", (3,)),
        ("net add roce mode lossless", (3,)),
        ("net add roce lossy", ()),
        ("", None),
        ("net add roce lossless\nnet del roce lossless", None),
    ],
)
def test_roce(line: str, paused: tuple[int, ...] | None) -> None:
    assert {value_of(port.config.pfc.priorities) for port in parsed(line).ports} == {paused}


def test_what_is_not_told_anywhere_is_named() -> None:
    device = parsed("net add interface swp1 storage-optimized pfc")
    assert [doubt.text for doubt in device.doubts] == ["net add interface swp1 storage-optimized pfc"]
    assert LineState.UNRECOGNISED in device.dumps[0].states


def test_what_an_older_release_does_by_itself_is_not_known() -> None:
    config = parsed("net add interface swp1 storage-optimized pfc").ports[0].config
    assert value_of(config.pfc.mode) is None
    assert value_of(config.classification.trust) is None
    assert value_of(config.queues) in {None, ()}
