"""Access lists that class maps match: what is read, and what is said not to be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from traffic import RDMA

from auditor.grammar.acl import Acl, read_acl
from auditor.grammar.tree import Node
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Port, PortConfig
from auditor.model.qos import IpFamily, Match
from auditor.model.setting import Undetermined, Where, value_of
from auditor.packet.classify import classify
from auditor.systems.effective import fill_defaults
from auditor.systems.nxos import parse as nxos


def config_of(permits: list[str], terms: list[str] | None = None) -> PortConfig:
    matches = ["  match access-group name A", *(f"  match {term}" for term in terms or ())]
    policy = ["class-map match-all C", *matches, "policy-map P", "  class C", "    set qos-group 3"]
    port = ["interface Ethernet1/1", "  service-policy input P"]
    lines = ["hostname leaf1", "ip access-list A", *(f"  {line}" for line in permits), *policy, *port]
    (found,) = nxos.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))]).ports
    return found.config


def effective_of(config: PortConfig) -> PortConfig:
    alone = Device("leaf1", "switch", "cisco_nxos", "dump", (Port("Ethernet1/1", config),))
    return fill_defaults(alone).ports[0].config


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


def read(*stanzas: Sequence[str], family: str = "ip", acls: dict[str, Acl] | None = None) -> Acl:
    """Return list A after its *stanzas*."""
    acls = {} if acls is None else acls
    for lines in stanzas:
        children = tuple(Node(line, index) for index, line in enumerate(lines, 1))
        node = Node(f"{family} access-list A", 0, children)
        read_acl(node, lambda index: Where("leaf1.cfg", index + 1), lambda _index, _state: None, acls)
    return acls["A"]


def test_of_two_lists_of_one_name_nothing_is_known() -> None:
    acls: dict[str, Acl] = {}
    assert read(["10 permit udp any any eq 4791"], acls=acls).is_whole
    found = read(["10 permit udp any any eq 4791"], family="ipv6", acls=acls)
    assert (found.family, found.is_whole, found.passes_roce) == (None, False, None)


def test_a_list_without_rules_tells_nothing() -> None:
    assert read([]).passes_roce is None
    assert read(["remark later"]).passes_roce is None


@pytest.mark.parametrize("line", ["no 10", "no 10 deny udp any any", "no deny udp any any"])
def test_a_rule_is_taken_back(line: str) -> None:
    assert read(["10 deny udp any any", "20 permit ip any any"]).passes_roce is False
    assert read(["10 deny udp any any", "20 permit ip any any"], [line]).passes_roce is True


@dataclass(frozen=True)
class Rule:
    """A rule for any addresses, and whether it takes a packet of UDP to port 4791."""

    text: str
    permits: bool
    takes: bool


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    protocol, permits = draw(st.sampled_from(["ip", "udp", "17", "tcp", "icmp", "6"])), draw(st.booleans())
    action = "permit" if permits else "deny"
    port = st.sampled_from([53, 4790, 4791, 4792, 65535])
    few = draw(st.lists(port, min_size=1, max_size=3, unique=True))
    low, high = sorted((draw(port), draw(port)))
    comparison, holds = draw(
        st.sampled_from(
            [
                ("", True),
                (f" eq {' '.join(map(str, few))}", 4791 in few),
                (f" neq {' '.join(map(str, few))}", 4791 not in few),
                (f" gt {low}", low < 4791),
                (f" lt {low}", low > 4791),
                (f" range {low} {high}", low <= 4791 <= high),
                (" eq domain", False),
            ]
        )
    )
    is_udp = protocol in {"udp", "17"}
    text = f"{action} {protocol} any any{comparison if is_udp else ''}{draw(st.sampled_from(['', ' log']))}"
    return Rule(text, permits, (is_udp and holds) or protocol == "ip")


@given(listed=st.lists(rules(), min_size=1, max_size=6), data=st.data())
def test_the_first_rule_that_takes_a_packet_decides_however_the_list_was_typed(
    listed: list[Rule], data: st.DataObject
) -> None:
    expected = next((rule.permits for rule in listed if rule.takes), False)
    assert read([rule.text for rule in listed]).passes_roce is expected
    numbered = [f"{10 * number} {rule.text}" for number, rule in enumerate(listed, 1)]
    mixed = data.draw(st.permutations(numbered))
    cut = data.draw(st.integers(0, len(mixed)))
    assert read(mixed[:cut], mixed[cut:]).passes_roce is expected
    narrowed = [rule.text.replace("any any", "10.0.0.0/8 any") for rule in listed]
    assert read(narrowed).passes_roce is None or not (expected or read(narrowed).passes_roce)
