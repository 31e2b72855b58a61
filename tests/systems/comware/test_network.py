"""What Comware switches write of the network around a port: bundles, VLAN interfaces, equal-cost paths, the link."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.model.spreading import HashField
from auditor.systems.comware.parse import parse
from auditor.systems.effective import fill_defaults

HEAD = ("#", " version 7.1.070, Release 6710P01", "#", " sysname leaf9", "#")
PORT = ("interface HundredGigE1/0/1", " port link-mode route", "#")


def _read(*lines: str) -> Device:
    return fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", (*HEAD, *lines, "#", "return"))]))


BUNDLES = {
    (" port link-mode route",): "Route-Aggregation7",
    (" port link-mode bridge",): "Bridge-Aggregation7",
    (): "Route-Aggregation7",
}


@pytest.mark.parametrize("mode", BUNDLES)
def test_a_port_joins_a_bundle_of_its_own_kind(mode: tuple[str, ...]) -> None:
    member = ("interface HundredGigE1/0/1", *mode, " port link-aggregation group 7", "#")
    bundles = ("interface Route-Aggregation7", " mtu 4000", "#")
    (port,) = _read(*member, *bundles).ports
    assert value_of(port.lag) == BUNDLES[mode]
    assert value_of(port.config.ethernet.mtu_bytes) == (None if mode == (" port link-mode bridge",) else 4000)


SVI = ("interface Vlan-interface7", " mtu 4000", " ip address 192.0.2.1 255.255.255.192", "#")
MEMBERS = {
    (" port link-mode bridge", " port access vlan 7"): True,
    (" port link-mode bridge", " port link-type trunk", " port trunk permit vlan 1 6 to 8"): True,
    (" port link-mode bridge", " port link-type trunk", " port trunk permit vlan all"): True,
    (" port link-mode bridge", " port link-type hybrid", " port hybrid vlan 7 tagged"): True,
    (" port link-mode bridge", " port link-type hybrid", " port hybrid vlan 8 untagged"): False,
    (" port link-mode bridge", " port link-type trunk", " undo port trunk permit vlan 1"): False,
    (" port link-mode route",): False,
    (" port link-mode bridge", " port link-aggregation group 3"): True,
}


@pytest.mark.parametrize("lines", MEMBERS)
def test_a_vlan_interface_knows_the_ports_that_carry_its_vlan(lines: tuple[str, ...]) -> None:
    bundle = ("interface Bridge-Aggregation3", " port access vlan 7", "#")
    (found,) = _read(*SVI, "interface HundredGigE1/0/1", *lines, "#", *bundle).vlan_interfaces
    assert value_of(found.ip_mtu_bytes) == 4000
    assert found.members == (("HundredGigE1/0/1",) if MEMBERS[lines] else ())


DEFAULT = frozenset(HashField) - {HashField.FLOW_LABEL, HashField.QUEUE_PAIR, HashField.INNER}
SHARING = " ip load-sharing mode per-flow"
FIELDS = {
    (): DEFAULT,
    (f"{SHARING} dest-ip src-ip global",): frozenset({HashField.SOURCE_IP, HashField.DESTINATION_IP}),
    (f"{SHARING} src-port slot 1",): frozenset({HashField.SOURCE_PORT}),
    (f"{SHARING} algorithm 5 global",): DEFAULT,
    (f"{SHARING} algorithm 5 seed 7 src-ip tunnel all global",): frozenset({HashField.SOURCE_IP}),
    (f"{SHARING} tunnel outer global",): DEFAULT,
    (f"{SHARING} no-such global",): None,
    (f"{SHARING} src-ip global", " undo ip load-sharing mode"): DEFAULT,
}


@pytest.mark.parametrize("lines", FIELDS)
def test_the_hash_reads_what_its_line_says(lines: tuple[str, ...]) -> None:
    assert value_of(_read(*PORT, *lines).ecmp.fields) == FIELDS[lines]


BGP = ("bgp 65001", " router-id 10.0.0.1", " peer 10.0.0.2 as-number 65000", " #")
UNICAST = " address-family ipv4 unicast"
PATHS = {
    (): None,
    BGP: 1,
    (*BGP, UNICAST, "  balance 16", "  balance as-path-relax"): 16,
    (*BGP, UNICAST, "  balance ebgp 8"): 8,
    (*BGP, UNICAST, "  balance ibgp 8"): 1,
    (*BGP, " ip vpn-instance A", "  #", "  address-family ipv4 unicast", "   balance 2"): 1,
}


@pytest.mark.parametrize("lines", PATHS)
def test_a_route_has_the_paths_that_bgp_gives_it(lines: tuple[str, ...]) -> None:
    device = _read(*PORT, *lines)
    assert value_of(device.ecmp.max_paths) == PATHS[lines]
    assert LineState.UNRECOGNISED not in device.dumps[0].states


@pytest.mark.parametrize("word", ["none", "rs-fec", "auto"])
def test_fec_is_the_word_of_its_line(word: str) -> None:
    assert value_of(_read(*PORT[:2], f" port fec mode {word}").ports[0].config.ethernet.fec) == word


@pytest.mark.parametrize("line", [" loopback internal", " loopback external"])
def test_a_port_may_hear_itself(line: str) -> None:
    assert value_of(_read(*PORT[:2], line).ports[0].config.ethernet.loopback) is True
    assert value_of(_read(*PORT[:2], line, " undo loopback").ports[0].config.ethernet.loopback) is False


NEIGHBOURS = {
    (" peer 10.0.0.2 as-number 65000",): [("10.0.0.2", False, 65000)],
    (" peer 10.0.0.2 as-number 65000", " peer 10.0.0.2 ignore"): [("10.0.0.2", True, 65000)],
    (" group S external", " peer S as-number 65000", " peer 10.0.0.2 group S"): [("10.0.0.2", False, 65000)],
    (" peer 10.0.0.0 24 as-number 65000",): [("10.0.0.0/24", False, 65000)],
    (" peer 10.0.0.2 as-number 65000", UNICAST, "  peer 10.0.0.2 enable"): [("10.0.0.2", False, 65000)],
}


@pytest.mark.parametrize("lines", NEIGHBOURS)
def test_bgp_has_the_neighbours_that_it_names(lines: tuple[str, ...]) -> None:
    device = _read(*PORT, "bgp 65001", *lines)
    found = [(each.name, each.is_shut, each.remote_as) for each in value_of(device.routing.neighbours) or ()]
    assert found == NEIGHBOURS[lines]
    assert value_of(device.routing.own_as) == 65001
