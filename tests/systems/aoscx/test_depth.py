"""Thresholds, default maps, rate limits and counters of AOS-CX."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Port
from auditor.model.qos import Trust, Unit
from auditor.model.setting import Origin, Unset, value_of
from auditor.systems.aoscx.parse import parse
from auditor.systems.effective import fill_defaults

HEAD = ("!Version ArubaOS-CX GL.10.13.1000", "hostname leaf7")


def _read(*lines: str, output: str = "", command: str = "") -> Port:
    captures = [Capture("x.cfg", (*HEAD, *lines))]
    if output:
        captures.append(Capture("y.txt", tuple(output.splitlines()), command=command))
    return parse("x", "x.cfg", captures).ports[0]


PROFILE = (
    "qos threshold-profile MIXED",
    "    queue 3 action ecn all min-threshold 200 kbytes max-threshold 400 kbytes",
    "    queue 4 action ecn all threshold 20 percent",
    "    queue 5 action wred-resp green min-threshold 100 kbytes max-threshold 2000 kbytes max-prob 70 percent",
)


def test_a_queue_marks_between_its_thresholds_or_drops() -> None:
    port = _read(*PROFILE, "interface 1/1/9", "    apply qos threshold-profile MIXED")
    queues = {queue.queue: queue for queue in value_of(port.config.queues) or ()}
    low, high = value_of(queues[3].ecn_min), value_of(queues[3].ecn_max)
    assert low is not None
    assert high is not None
    assert (low.bytes, high.bytes, value_of(queues[3].ecn_max_probability)) == (204_800, 409_600, 1.0)
    share = value_of(queues[4].ecn_max)
    assert share is not None
    assert (share.value, share.unit) == (20, Unit.PERCENT)
    (drop,) = value_of(queues[5].wred_drop) or ()
    assert (drop.color, drop.min_bytes, drop.max_bytes, drop.probability) == ("green", 102_400, 2_048_000, 0.7)


def test_a_queue_loses_all_its_actions() -> None:
    port = _read(*PROFILE, "    no queue 5", "interface 1/1/9", "    apply qos threshold-profile MIXED")
    queue = next(each for each in value_of(port.config.queues) or () if each.queue == 5)
    assert value_of(queue.wred_drop) is None


def test_maps_and_queues_by_default() -> None:
    sorting = _read("interface 1/1/9", "    no shutdown").config.classification
    assert [each.value for _, each in sorted((value_of(sorting.pcp_to_class) or {}).items())] == list("10234567")
    queues = [each.queue for each in value_of(sorting.classes) or ()]
    assert [value_of(each) for each in queues] == list(range(8))
    assert {getattr(each, "origin", None) for each in queues} == {Origin.DEFAULT}


def test_a_port_has_a_rate() -> None:
    assert value_of(_read("interface 1/1/9", "    qos shape 40000000 kbps burst 70").config.limits.shape_gbps) == 40.0


QUEUES = """\
Interface 1/1/9 is up
 Admin state is up
         Tx Packets             Tx Bytes          Tx Drops
 Q0             100                 8000                 0
 Q3         1234567          12345678908                 5
"""
DCBX = """\
 DCBx admin state           : enabled
 DCBx operational state     : active
 PFC operational state      : inactive
"""


def test_outputs_count_drops_and_tell_whether_pfc_runs() -> None:
    port = _read("interface 1/1/9", "    no shutdown", output=QUEUES)
    assert {name: each.value for name, each in (port.counters or {}).items()} == {
        "tx_queue0_discards": 0,
        "tx_queue3_discards": 5,
    }
    port = _read("interface 1/1/9", "    no shutdown", output=DCBX, command="show dcbx interface 1/1/9")
    assert value_of(port.config.pfc.oper) is False


@pytest.mark.parametrize(
    ("lines", "passes"),
    [
        (("10 permit tcp any any", "20 permit any any any count"), True),
        (("10 permit tcp any any", "20 deny any any any log"), False),
        (("20 permit any any any", "10 deny udp any any eq 4791"), False),
        (("permit icmp any any", "permit udp any any gt 1024"), True),
        (("10 permit any any any", "no 10"), None),
        (("10 permit any 192.0.2.0/255.255.255.0 any", "20 deny any any any"), None),
        (("0 permit any any any",), None),
    ],
)
def test_an_access_list_lets_roce_pass_or_not(lines: tuple[str, ...], passes: bool | None) -> None:
    listed = ("access-list ip HOST-IN", *(f"    {line}" for line in lines))
    port = _read(*listed, "interface 1/1/9", "    no routing", "    apply access-list ip HOST-IN in")
    access = value_of(port.config.access)
    assert access is not None
    assert (access.name, access.passes_roce) == ("HOST-IN", passes)


def test_an_access_list_of_a_vlan_leaves_switched_ports_open() -> None:
    listed = ("access-list ip NONE", "    10 deny any any any", "vlan 7", "    apply access-list ip NONE in")
    port = _read(*listed, "interface 1/1/9", "    no routing", "    vlan access 7")
    assert value_of(port.config.access) is None
    assert not isinstance(port.config.access, Unset)
    port = _read(*listed, "interface 1/1/9", "    ip address 192.0.2.1/31")
    assert isinstance(port.config.access, Unset)


@pytest.mark.parametrize(("line", "code"), [("error-control rs-fec", "rs-fec"), ("error-control x", None)])
def test_a_port_has_the_code_of_its_line(line: str, code: str | None) -> None:
    assert value_of(_read("interface 1/1/9", f"    {line}").config.ethernet.fec) == code


@pytest.mark.parametrize(("gbps", "code"), [(100, "off"), (400, None)])
def test_a_link_without_a_choice_of_codes_says_nothing_of_them(gbps: int, code: str | None) -> None:
    shown = f"Interface 1/1/9 is up\n Admin state is up\n Speed {gbps}000 Mb/s\n Error-control: off\n"
    port = _read("interface 1/1/9", "    no shutdown", output=shown, command="show interface")
    assert value_of(port.config.ethernet.fec) == code


@pytest.mark.parametrize(
    ("line", "gbps", "negotiates"),
    [
        ("speed 100g", 100, False),
        ("speed 25g override", 25, False),
        ("speed 1000-full", 1, False),
        ("speed auto 100g", 100, None),
        ("speed auto 10g 25g", None, None),
    ],
)
def test_a_fixed_speed_is_not_negotiated(line: str, gbps: float | None, negotiates: bool | None) -> None:
    ethernet = _read("interface 1/1/9", f"    {line}").config.ethernet
    assert (value_of(ethernet.speed_gbps), value_of(ethernet.negotiates)) == (gbps, negotiates)


@pytest.mark.parametrize(
    ("lines", "rewrites"),
    [
        ((), False),
        (("qos dscp 47",), None),
        (("qos dscp 47", "no qos dscp"), False),
        (("qos trust dscp", "qos dscp 47"), False),
        (("qos trust none", "qos dscp 47"), None),
    ],
)
def test_a_port_that_trusts_nothing_may_write_a_dscp_of_its_own(lines: tuple[str, ...], rewrites: bool | None) -> None:
    captures = [Capture("x.cfg", (*HEAD, "interface 1/1/9", *(f"    {line}" for line in lines), "    no shutdown"))]
    (port,) = fill_defaults(parse("x", "x.cfg", captures)).ports
    assert value_of(port.config.marking.rewrite) is rewrites


LEAVING = ("qos egress-rewrite-map local-priority 3,4 dscp 26", "qos egress-rewrite-map local-priority 3 cos 5")


@pytest.mark.parametrize(
    ("lines", "dscp", "pcp"),
    [
        (("qos egress-rewrite dscp",), 26, None),
        (("qos egress-rewrite cos",), None, 5),
        (("qos egress-rewrite cos", "qos egress-rewrite dscp"), 26, 5),
        (("qos egress-rewrite dscp", "no qos egress-rewrite"), None, None),
        (("qos egress-rewrite dscp", "qos trust none", "qos dscp 47"), None, None),
    ],
)
def test_a_port_rewrites_what_leaves_it_by_the_map_of_the_switch(
    lines: tuple[str, ...], dscp: int | None, pcp: int | None
) -> None:
    text = (*HEAD, *LEAVING, "interface 1/1/9", *(f"    {line}" for line in lines), "    no shutdown")
    (port,) = fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", text)])).ports
    marking = port.config.marking
    to_dscp, to_pcp = value_of(marking.class_to_dscp), value_of(marking.class_to_pcp)
    assert (to_dscp and to_dscp["3"].value, to_pcp and to_pcp["3"].value) == (dscp, pcp)
    assert (value_of(marking.rewrite) is True) == (dscp is not None or pcp is not None)
    if to_dscp:
        assert [to_dscp[str(priority)].value for priority in (0, 1, 2, 4, 7)] == [8, 0, 16, 26, 56]


def test_an_entry_of_what_leaves_is_taken_back_or_unknown() -> None:
    def write(*lines: str) -> int | None:
        text = (*HEAD, *LEAVING, *lines, "interface 1/1/9", "    qos egress-rewrite dscp", "    no shutdown")
        (port,) = fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", text)])).ports
        entry = (value_of(port.config.marking.class_to_dscp) or {}).get("3")
        return entry.value if entry else None

    assert write() == 26
    assert write("no qos egress-rewrite-map local-priority 3") == 24
    assert write("no qos egress-rewrite-map local-priority 3 dscp 26") == 24
    assert write("no qos egress-rewrite-map local-priority 3 cos 5") == 26
    assert write("qos egress-rewrite-map local-priority 3 dscp 64") is None


@pytest.mark.parametrize(
    ("lines", "trust", "to"),
    [
        (("qos trust none local-priority 5 color yellow",), Trust.NONE, "5"),
        (("qos trust none color yellow",), Trust.NONE, "2"),
        (("qos trust none local-priority 5", "qos trust none"), Trust.NONE, "2"),
        (("qos trust none local-priority 5", "qos trust dscp"), Trust.DSCP, None),
        (("qos trust none local-priority 8",), None, None),
        (("qos trust none local-priority 5", "no qos trust"), Trust.NONE, "2"),
    ],
)
def test_a_port_that_trusts_nothing_may_name_a_local_priority(
    lines: tuple[str, ...], trust: Trust | None, to: str | None
) -> None:
    before = (*HEAD, "qos cos-map 0 local-priority 2")
    text = (*before, "interface 1/1/9", *(f"    {line}" for line in lines), "    no shutdown")
    (port,) = fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", text)])).ports
    sorting = port.config.classification
    assert (value_of(sorting.trust), value_of(sorting.default_class)) == (trust, to)


POLICY = ("class ip ALL", "    10 match any any any", "policy MARK", "    10 class ip ALL action dscp CS4")


@pytest.mark.parametrize("line", ["apply policy MARK out", "apply policy MARK out per-interface"])
def test_a_policy_on_what_leaves_is_used_and_may_write_a_dscp(line: str) -> None:
    def read(*lines: str) -> Device:
        text = (*HEAD, *POLICY, "interface 1/1/9", *(f"    {each}" for each in lines), "    no shutdown")
        return fill_defaults(parse("x", "x.cfg", [Capture("x.cfg", text)]))

    device = read(line)
    assert not device.unattached
    assert value_of(device.ports[0].config.marking.rewrite) is None
    device = read(line, f"no {line}")
    assert [each.name for each in device.unattached] == ["MARK"]
    assert value_of(device.ports[0].config.marking.rewrite) is False
    assert value_of(device.ports[0].config.classification.trust) is Trust.NONE


def test_a_policy_on_what_leaves_a_vlan_is_used() -> None:
    text = (*HEAD, *POLICY, "vlan 7", "    apply policy MARK out", "interface 1/1/9", "    no shutdown")
    assert not parse("x", "x.cfg", [Capture("x.cfg", text)]).unattached
