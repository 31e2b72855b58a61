"""Classifier policies of AOS-CX: which local priority packets get, what is policed, and what stays open."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PortConfig
from auditor.model.qos import IpFamily
from auditor.model.setting import Unknown, value_of
from auditor.systems import systems

CLASSES = """\
class ip RDMA
    10 match udp any any eq 4791 count
class ip MARKED
    10 comment storage
    20 match any any any dscp AF31
    30 match any any any dscp CS0
class ipv6 MARKED
    10 match any any any dscp 26
class ip OURS
    10 ignore any 192.0.2.0/24 any
    20 match any any any
class mac ALL
    10 match any any any
"""
END = "vlan 1,7\nhttps-server vrf mgmt\n"
PORT = "interface 1/1/1\n    no shutdown\n"


def _read(policy: str, port: str = "    apply policy SORT in\n", elsewhere: str = "", classes: str = CLASSES) -> Device:
    lines = "\n".join(f"    {line}" for line in policy.splitlines())
    text = f"!Version ArubaOS-CX GL.10.13\nqos trust dscp\n{classes}policy SORT\n{lines}\n{PORT}{port}{elsewhere}{END}"
    return systems()["aruba_aoscx"].parse("x", "x", [Capture("x", tuple(text.splitlines()))])


def _port(device: Device) -> PortConfig:
    return next(port.config for port in device.ports if port.name == "1/1/1")


def test_a_local_priority_comes_before_the_map() -> None:
    device = _read("20 class ipv6 MARKED action local-priority 5\n10 class ip MARKED action local-priority 4")
    assert set(device.dumps[0].states) <= {LineState.MODELLED, LineState.IGNORED}
    found = _port(device).classification
    steps = [each.value for each in found.classifiers.known().value]
    read = [(each.class_id, each.match.dscp, each.match.family, each.match.is_whole) for each in steps]
    assert read == [
        ("4", (26,), IpFamily.IPV4, True),
        ("4", (0,), IpFamily.IPV4, True),
        ("5", (26,), IpFamily.IPV6, True),
    ]
    assert [each.order for each in steps] == [0, 0, 1]
    assert value_of(found.dscp_to_class)
    assert value_of(_port(device).limits.policers) == ()


def test_a_class_reads_the_port_of_roce() -> None:
    (step,) = _port(_read("10 class ip RDMA action local-priority 3")).classification.classifiers.known().value
    assert (step.value.match.udp_port, step.value.match.dscp, step.value.match.is_whole) == (4791, (), True)


@pytest.mark.parametrize("name", ["ip OURS", "mac ALL"])
def test_what_a_class_matches_beside_code_points_is_open(name: str) -> None:
    (step,) = _port(_read(f"10 class {name} action local-priority 3")).classification.classifiers.known().value
    assert not step.value.match.is_whole


def test_a_remark_changes_packets_as_they_leave_and_no_queue() -> None:
    config = _port(_read("10 class ip MARKED action dscp CS0"))
    assert value_of(config.classification.classifiers) == ()
    assert value_of(config.classification.dscp_to_class)
    why = config.marking.class_to_dscp
    assert isinstance(why, Unknown)
    assert "writes the DSCP" in why.why


@pytest.mark.parametrize(
    ("action", "gbps"), [("cir kbps 102400 cbs 0 exceed drop", 0.1024), ("drop", 0.0), ("mirror 1", None)]
)
def test_what_is_dropped(action: str, gbps: float | None) -> None:
    policers = value_of(_port(_read(f"10 class ip RDMA action {action}")).limits.policers)
    assert [each.value.gbps for each in policers or ()] == ([] if gbps is None else [gbps])


@pytest.mark.parametrize(
    ("policy", "port", "elsewhere"),
    [
        ("10 class ip RDMA action tint blue", "    apply policy SORT in\n", ""),
        ("10 class ip NOBODY action local-priority 3", "    apply policy SORT in\n", ""),
        (
            "10 class ip MARKED action dscp 0\n20 class ip RDMA action local-priority 3",
            "    apply policy SORT in\n",
            "",
        ),
        ("10 class ip RDMA action local-priority 3", "    apply policy NOBODY in\n", ""),
        ("10 class ip RDMA action local-priority 3", "    apply policy SORT routed-in\n", ""),
        ("10 class ip RDMA action local-priority 3", "", "vlan 10\n    apply policy SORT in\n"),
        ("10 class ip RDMA action local-priority 3", "", "interface vlan 10\n    apply policy SORT routed-in\n"),
    ],
)
def test_where_a_policy_is_not_understood_no_map_decides(policy: str, port: str, elsewhere: str) -> None:
    found = _port(_read(policy, port, elsewhere)).classification
    assert all(isinstance(each, Unknown) for each in (found.trust, found.dscp_to_class, found.classifiers))


def test_the_policy_of_a_vlan_sorts_nothing_at_a_routed_port() -> None:
    vlan = "vlan 10\n    apply policy SORT in\n"
    found = _port(_read("10 class ip RDMA action local-priority 3", "    routing\n", vlan)).classification
    assert value_of(found.dscp_to_class)


def test_an_entry_is_taken_back_by_its_number() -> None:
    policy = "10 class ip RDMA action local-priority 3\n20 class ip MARKED action local-priority 4\nno 10"
    steps = _port(_read(policy)).classification.classifiers.known().value
    assert {step.value.class_id for step in steps} == {"4"}
    classes = f"{CLASSES}class ip MARKED\n    no 30\n"
    steps = _port(_read(policy, classes=classes)).classification.classifiers.known().value
    assert [step.value.match.dscp for step in steps] == [(26,)]


def test_entries_without_numbers_follow_one_another() -> None:
    classes = "class ip A\n    match any any any dscp 1\n    match any any any dscp 2\n"
    steps = _port(_read("class ip A action local-priority 3", classes=classes)).classification.classifiers.known().value
    assert [step.value.match.dscp for step in steps] == [(1,), (2,)]


def test_names_that_lead_nowhere() -> None:
    device = _read("10 class ip NOBODY action local-priority 3\n20 class ip default action local-priority 1")
    assert [(each.kind, each.name) for each in device.undefined] == [("class ip", "NOBODY")]
    assert ("policy", "SORT") not in {(each.kind, each.name) for each in device.unattached}
    routed = _read("10 class ip RDMA action local-priority 3", "    apply policy SORT routed-in\n")
    assert "policy" not in {each.kind for each in (*routed.undefined, *routed.unattached)}


def test_a_policy_of_too_many_entries_is_open() -> None:
    rules = "".join(f"    {n} match any any any dscp {n % 64}\n" for n in range(1, 1026))
    found = _port(_read("10 class ip A action local-priority 3", classes=f"class ip A\n{rules}")).classification
    assert isinstance(found.classifiers, Unknown)
    assert "1024" in found.classifiers.why
