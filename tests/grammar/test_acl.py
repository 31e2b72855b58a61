"""Access lists that class maps match: what is read, and what is said not to be."""

from dataclasses import replace

import pytest

from auditor.grammar.acl import Acl, keep
from auditor.intent import Traffic, TrafficKind
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Port, PortConfig
from auditor.model.qos import IpFamily, Match
from auditor.model.setting import Known, Origin, Undetermined, Where, value_of
from auditor.packet.classify import classify
from auditor.systems.effective import effective
from auditor.systems.nxos import parse as nxos

RDMA = Traffic(
    "RDMA",
    TrafficKind.RDMA,
    Known((26,), Origin.INTENDED),
    Known(3, Origin.INTENDED),
    Known(value=True, origin=Origin.INTENDED),
)


def config_of(permits: list[str], terms: list[str] | None = None) -> PortConfig:
    matches = ["  match access-group name A", *(f"  match {term}" for term in terms or ())]
    policy = ["class-map match-all C", *matches, "policy-map P", "  class C", "    set qos-group 3"]
    port = ["interface Ethernet1/1", "  service-policy input P"]
    lines = ["hostname leaf1", "ip access-list A", *(f"  {line}" for line in permits), *policy, *port]
    (found,) = nxos.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))]).ports
    return found.config


def effective_of(config: PortConfig) -> PortConfig:
    alone = Device("leaf1", "switch", "cisco_nxos", "dump", (Port("Ethernet1/1", config),))
    return effective(alone).ports[0].config


def match_of(config: PortConfig) -> Match:
    (step,) = value_of(config.classification.classifiers) or ()
    return step.value.match


@pytest.mark.parametrize(
    ("permits", "dscp", "port"),
    [
        (["10 permit udp any any eq 4791"], (), 4791),
        (["permit udp any any eq 4791 log"], (), 4791),
        (["10 permit ip any any dscp af31"], (26,), None),
        (["10 permit udp any any eq 4791 dscp 24", "20 permit udp any any eq 4791 dscp 26"], (24, 26), 4791),
        (["10 permit udp any any eq 4791 dscp 24", "20 permit udp any any eq 4791"], (), 4791),
        (["remark RoCE", "10 permit ip any any"], (), None),
    ],
)
def test_what_a_list_permits(permits: list[str], dscp: tuple[int, ...], port: int | None) -> None:
    match = match_of(config_of(permits))
    assert (match.dscp, match.udp_port, match.is_whole) == (dscp, port, True)


@pytest.mark.parametrize(
    "permits",
    [
        [],
        ["10 deny udp any any eq 53", "20 permit udp any any eq 4791"],
        ["10 permit tcp any any dscp 26"],
        ["10 permit udp 10.0.0.0/8 any eq 4791"],
        ["10 permit udp any eq 4791 any"],
        ["10 permit udp any any eq 4791 dscp 99"],
        ["10 permit udp any any eq 4791", "20 permit udp any any eq 4420"],
        ["10 permit ip any any eq 4791"],
    ],
)
def test_what_is_not_modelled_leaves_the_class_open(permits: list[str]) -> None:
    config = config_of(permits)
    assert match_of(config) == Match(acl="A", family=IpFamily.IPV4, is_whole=False)
    with pytest.raises(Undetermined, match="access list A decides the class"):
        classify(config, RDMA)


def test_a_dscp_beside_the_list_restricts_it() -> None:
    assert match_of(config_of(["10 permit ip any any dscp 24-26"], ["dscp 26,48"])).dscp == (26,)
    assert not match_of(config_of(["10 permit ip any any dscp 24"], ["dscp 26"])).is_whole
    config = config_of(["10 permit udp 10.0.0.0/8 any"], ["dscp 26"])
    with pytest.raises(Undetermined):
        classify(config, RDMA)


def test_a_list_takes_one_version_of_ip_and_what_nothing_takes_goes_to_the_default_class() -> None:
    config = config_of(["10 permit udp any any eq 4791"])
    classes = [classify(effective_of(config), replace(RDMA, family=family))[0].id for family in IpFamily]
    assert classes == ["3", "0"]


def test_of_two_lists_of_one_name_nothing_is_told() -> None:
    four, six = (Acl("A", Where("leaf1.cfg", n), family=family) for n, family in enumerate(IpFamily))
    acls: dict[str, Acl] = {}
    keep(acls, four)
    assert acls["A"] is four
    keep(acls, six)
    assert (acls["A"].family, acls["A"].is_whole) == (None, False)
