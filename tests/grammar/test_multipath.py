"""Lines that decide how many paths a route may have are modelled, the others around them are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, Unknown, Unset
from auditor.model.spreading import HashField
from auditor.systems import systems

SYSTEMS = ("cisco_nxos", "arista_eos")
FAMILIES = ("ipv4 unicast", "ipv6 unicast", "l2vpn evpn")
COUNTS = st.lists(st.none() | st.integers(1, 128), min_size=1, max_size=len(FAMILIES))
"""The paths of each address family; None for a family that says none."""


def _parse(os: str, lines: list[str]) -> tuple[Device, dict[str, LineState]]:
    """Return the switch, and the state of each line of its configuration, none of which stands twice."""
    device = systems()[os].parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])
    return device, dict(zip(lines, device.dumps[0].states, strict=True))


@given(st.sampled_from(SYSTEMS), COUNTS, st.integers(1, 128))
def test_the_lines_of_the_default_vrf_decide(os: str, counts: list[int | None], other: int) -> None:
    own = [f"    maximum-paths {count}{' ' * place}" for place, count in enumerate(counts) if count]
    families = [
        line
        for place, (name, count) in enumerate(zip(FAMILIES, counts, strict=False))
        for line in (f"  address-family {name}", *([f"    maximum-paths {count}{' ' * place}"] if count else []))
    ]
    vrf = ["  vrf STORAGE", "    router-id 10.0.0.9", f"      maximum-paths {other}"]
    device, states = _parse(os, ["hostname leaf1", "router bgp 65001", "  router-id 10.0.0.1", *families, *vrf])
    assert {line for line, state in states.items() if state is LineState.MODELLED} == {
        *("hostname leaf1", "router bgp 65001"),
        *own,
    }
    assert LineState.UNRECOGNISED not in states.values()
    if own:
        assert isinstance(device.ecmp.max_paths, Known)
        assert device.ecmp.max_paths.value == min(filter(None, counts))


@given(
    st.sampled_from(SYSTEMS),
    st.lists(st.tuples(st.sampled_from(FAMILIES), st.integers(1, 128)), min_size=1, max_size=6),
)
def test_a_stanza_adds_to_those_before_it(os: str, said: list[tuple[str, int]]) -> None:
    lines = ["hostname leaf1", "router bgp 65001", "  router-id 10.0.0.1"]
    for name, count in said:
        lines += ["router bgp 65001", f"  address-family {name}", f"    maximum-paths {count}"]
    lines += ["router bgp 65001", "  neighbor 10.0.0.2 remote-as 65002"]
    device = systems()[os].parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])
    assert isinstance(device.ecmp.max_paths, Known)
    assert device.ecmp.max_paths.value == min(dict(said).values())


@pytest.mark.parametrize("os", SYSTEMS)
def test_a_default_that_is_typed_decides(os: str) -> None:
    head, typed = "router bgp 65001", "  no maximum-paths"
    device, states = _parse(os, ["hostname leaf1", head, "  maximum-paths 8", typed])
    assert states[head] is states[typed] is LineState.MODELLED
    assert isinstance(device.ecmp.max_paths, Known | Unset)
    assert device.ecmp.max_paths.where
    assert device.ecmp.max_paths.where.line == 4


@pytest.mark.parametrize(
    ("os", "lines"),
    [
        ("cisco_nxos", ["address-family ipv4 unicast", "  maximum-paths 64"]),
        ("cisco_nxos", ["maximum-paths 64"]),
        ("arista_eos", ["maximum-paths 64 ecmp 64"]),
        ("arista_eos", ["no maximum-paths"]),
    ],
)
def test_paths_of_a_protocol_that_no_line_names_are_not_modelled(os: str, lines: list[str]) -> None:
    device, states = _parse(os, lines)
    assert {*states.values()} == {LineState.NOT_MODELLED}
    assert not isinstance(device.ecmp.max_paths, Known)


JUNOS = """\
set system host-name leaf1
set protocols bgp group UP multipath multiple-as
set policy-options policy-statement {name} then load-balance per-packet
set routing-options forwarding-table export SPREAD
"""


@pytest.mark.parametrize(
    ("name", "state"), [("SPREAD", LineState.MODELLED), ("ANOTHER", LineState.IGNORED)], ids=["exported", "unused"]
)
def test_the_policy_that_installs_all_paths_is_modelled(name: str, state: LineState) -> None:
    device, states = _parse("juniper_junos", JUNOS.format(name=name).splitlines())
    assert next(found for line, found in states.items() if "load-balance" in line) is state
    assert isinstance(device.ecmp.max_paths, Known) is (state is LineState.IGNORED)


CUMULUS = "nv set interface swp1 type swp\nnv set system forwarding ecmp-hash {name} {value}\n"


@pytest.mark.parametrize(
    ("name", "value", "has", "lacks"),
    [
        ("inner-source-port", "on", HashField.INNER, None),
        ("inner-source-port", "off", None, HashField.INNER),
        ("source-port", "off", HashField.SOURCE_IP, HashField.SOURCE_PORT),
        ("ingress-interface", "enabled", HashField.INGRESS_PORT, HashField.INNER),
    ],
)
def test_a_field_of_the_hash_of_cumulus_is_on_or_off(
    name: str, value: str, has: HashField | None, lacks: HashField | None
) -> None:
    device, _ = _parse("cumulus_nvue", CUMULUS.format(name=name, value=value).splitlines())
    fields = device.ecmp.fields.known().value
    assert has is None or has in fields
    assert lacks not in fields


def test_a_malformed_field_leaves_the_hash_of_cumulus_open() -> None:
    device, _ = _parse("cumulus_nvue", CUMULUS.format(name="source-port", value="maybe").splitlines())
    assert isinstance(device.ecmp.fields, Unknown)
