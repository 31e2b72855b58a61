"""Captures, parts and sessions of an OS10 switch as one configuration, and objects that a line removes."""

import pytest

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Origin, value_of
from auditor.systems.effective import fill_defaults
from auditor.systems.os10 import parse as os10
from auditor.systems.os10.config import read_config

from .parts import LOSSLESS, capture

WHOLE = f"""\
! Version 10.5.6.0
hostname leaf1
{LOSSLESS}wred W
 random-detect ecn
class-map type queuing Q3
 match queue 3
trust dot1p-map P
 qos-group 3 dot1p 3-4
trust dscp-map D
 qos-group 3 dscp 26,cs5
qos-map traffic-class M
 queue 3 qos-group 3
ip access-list L
 seq 10 permit udp any any eq 4791
interface port-channel7
 switchport mode trunk
interface ethernet1/1/1
 mtu 9216
 priority-flow-control mode on
 channel-group 7 mode active
"""


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("no policy-map type network-qos PFC", "policy_maps", ("network-qos", "PFC")),
        ("no class-map type queuing Q3", "class_maps", ("queuing", "Q3")),
        ("no wred W", "wreds", "W"),
        ("no trust dot1p-map P", "dot1p_maps", "P"),
        ("no trust dscp-map D", "dscp_maps", "D"),
        ("no qos-map traffic-class M", "queue_maps", "M"),
        ("no ip access-list L", "acls", "L"),
        ("no interface port-channel 7", "interfaces", "port-channel7"),
    ],
)
def test_a_whole_object_is_removed(line: str, kind: str, name: object) -> None:
    assert name in getattr(read_config((capture(WHOLE),)), kind)
    session = capture(f"OS10(config)# {line}\n", file="session.txt")
    removed = read_config((session, capture(WHOLE)))
    assert name not in getattr(removed, kind)
    assert removed.states[id(session)] == [LineState.MODELLED]
    assert name in getattr(read_config((capture(f"{line}\n{WHOLE}"),)), kind)


@pytest.mark.parametrize("mode", ["config", "conf-if-eth1/1/1", "config-pmap-c-que"])
def test_a_line_of_the_top_level_counts_in_each_mode(mode: str) -> None:
    lines = (
        "leaf1(config)# interface ethernet1/1/1",
        f"leaf1({mode})# no wred W",
        f"leaf1({mode})# interface breakout 1/1/5 map 100g-4x",
    )
    read = read_config((capture(WHOLE), Capture("session.txt", lines)))
    assert read.wreds == {}
    assert value_of(read.breakouts["ethernet1/1/5"]) == 100


def test_members_are_removed_wherever_they_stand() -> None:
    session = capture(
        "leaf1(config)# policy-map type network-qos PFC\nleaf1(config-pmap-network-qos)# no class NQ3\n"
        "leaf1(config)# class-map type queuing Q3\nleaf1(config-cmap-queuing)# no match queue 3\n"
        "leaf1(config)# interface ethernet1/1/1\nleaf1(conf-if-eth1/1/1)# no channel-group\n",
        file="session.txt",
    )
    read = read_config((session, capture(WHOLE)))
    assert read.policy_maps["network-qos", "PFC"].classes == []
    assert read.class_maps["queuing", "Q3"].terms == []
    assert read.interfaces["ethernet1/1/1"].lag == Known(None, Origin.INTENDED, session.where(5))
    (found,) = os10.parse("leaf1", "leaf1", (capture(WHOLE), session)).ports
    assert value_of(found.lag) is None


def test_several_captures_are_one_configuration() -> None:
    part = capture("interface ethernet1/1/2\n mtu 9000\n", "show running-configuration interface", "part.txt")
    session = capture("leaf1(config)# interface ethernet1/1/1\nleaf1(conf-if-eth1/1/1)# no mtu\n", file="session.txt")
    other = capture(WHOLE.replace("9216", "1500"), file="later.cfg")
    read = fill_defaults(os10.parse("x", "x", (session, part, capture(WHOLE), other)))
    assert [(p.name, value_of(p.config.ethernet.mtu_bytes)) for p in read.ports] == [
        ("ethernet1/1/1", 1532),
        ("ethernet1/1/2", 9000),
    ]
    assert [len(dump.states) for dump in read.dumps] == [2, 2, len(capture(WHOLE).lines), len(other.lines)]
