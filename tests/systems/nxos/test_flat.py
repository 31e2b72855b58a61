"""Stanzas of NX-OS that lost their indentation: each is judged by its own lines."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.setting import Unknown, value_of
from auditor.systems.nxos import parse as nxos

STANZAS = (
    ("hostname leaf1",),
    ("class-map type qos match-any RDMA", "  match dscp 26"),
    ("policy-map type qos IN", "  class RDMA", "    set qos-group 3"),
    ("class-map type network-qos NQ", "  match qos-group 3"),
    ("policy-map type network-qos LOSSLESS", "  class type network-qos NQ", "    pause pfc-cos 3", "    mtu 9216"),
    ("system qos", "  service-policy type network-qos LOSSLESS"),
    ("priority-flow-control watch-dog-interval on",),
    (
        "interface Ethernet1/1",
        "  priority-flow-control mode on",
        "  priority-flow-control watch-dog-interval off",
        "  mtu 9216",
        "  service-policy type qos input IN",
        "  channel-group 7 mode active",
    ),
    ("interface port-channel7", "  switchport mode trunk", "  mtu 9216"),
)


def parse(lines: Sequence[str]) -> Device:
    return nxos.parse("leaf1", "leaf1.cfg", [Capture("leaf1.cfg", tuple(lines))])


def values(device: Device) -> list[object]:
    """Return what the first port says, without the places."""
    config = device.ports[0].config
    return [
        value_of(config.pfc.mode),
        value_of(config.pfc.watchdog.enabled),
        value_of(config.pfc.priorities),
        value_of(config.ethernet.mtu_bytes),
        value_of(config.classification.trust),
        value_of(device.ports[0].lag),
    ]


@given(st.lists(st.booleans(), min_size=len(STANZAS), max_size=len(STANZAS)), st.booleans())
def test_any_stanza_may_lose_its_indentation(flat: list[bool], with_blanks: bool) -> None:
    lines: list[str] = []
    for lost, stanza in zip(flat, STANZAS, strict=True):
        lines += [line.strip() if lost else line for line in stanza] + [""] * with_blanks
    whole = [line for stanza in STANZAS for line in stanza]
    assert values(parse(lines)) == values(parse(whole)) == ["on", False, (3,), 9216, "dscp", "port-channel7"]


def test_a_line_that_no_stanza_claims_is_reported_and_leaves_its_field_unknown() -> None:
    device = parse(["hostname leaf1", "interface Ethernet1/1", "  switchport", "ip routing", "mtu 9216"])
    mtu = device.ports[0].config.ethernet.mtu_bytes
    assert isinstance(mtu, Unknown)
    assert "stands apart" in mtu.why
    assert [doubt.where.line for doubt in device.doubts] == [5]
    assert device.dumps[0].states[4] is LineState.UNRECOGNISED


def test_a_malformed_argument_leaves_the_field_unknown() -> None:
    device = parse(["hostname leaf1", "interface Ethernet1/1", "  mtu 9216", "  mtu ninethousand"])
    assert device.ports[0].config.ethernet.mtu_bytes == Unknown("`mtu ninethousand` is malformed")
    assert [doubt.where.line for doubt in device.doubts] == [4]


@given(st.permutations(STANZAS[1:]), st.integers(1, len(STANZAS) - 2))
def test_fragments_add_up(stanzas: list[Sequence[str]], cut: int) -> None:
    """Parts of one configuration, each a capture of its own, say together what the whole says."""
    parts = [[line for stanza in some for line in stanza] for some in (stanzas[:cut], stanzas[cut:])]
    captures = [Capture(f"{number}.cfg", tuple(lines)) for number, lines in enumerate(parts)]
    whole = Capture("0.cfg", tuple(line for lines in parts for line in lines))
    found, expected = (nxos.parse("leaf1", "leaf1", each) for each in (captures, [whole]))
    assert [port.name for port in found.ports] == [port.name for port in expected.ports]
    assert values(found) == values(expected)
