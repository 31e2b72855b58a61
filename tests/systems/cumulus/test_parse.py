"""What Cumulus Linux configurations say: one table of statements and what a port shows of them."""

from collections.abc import Sequence
from typing import Any

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture, LineState
from auditor.model.port import PfcMode, Port
from auditor.model.qos import Queue, Scheduler, Trust
from auditor.model.setting import Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.cumulus import parse as cumulus
from auditor.systems.effective import fill_defaults

ROCE = "nv set qos roce"
PORT = "nv set interface swp1 type swp"


def parse(*texts: str) -> Device:
    captures = [Capture(f"capture{n}.txt", tuple(text.splitlines())) for n, text in enumerate(texts)]
    return fill_defaults(cumulus.parse("leaf1", "leaf1", captures))


def port(lines: Sequence[str], name: str = "swp1") -> Port:
    found = parse("\n".join((PORT, *lines))).port(name)
    assert found is not None
    return found


def queue(found: Port, number: int) -> Queue:
    queues = found.config.queues
    assert isinstance(queues, Known)
    return next(q for q in queues.value if q.queue == number)


@pytest.mark.parametrize(
    ("lines", "mode", "paused"),
    [
        ([], PfcMode.OFF, ()),
        ([ROCE], PfcMode.ON, (3,)),
        (["nv set qos roce enable on"], PfcMode.ON, (3,)),
        (["nv set qos roce state enabled", "nv set qos roce mode lossless"], PfcMode.ON, (3,)),
        (["nv set qos roce mode lossless-single-ipool"], PfcMode.ON, (3,)),
        (["nv set qos roce mode lossy"], PfcMode.OFF, ()),
        (["nv set qos roce mode lossy", ROCE], PfcMode.OFF, ()),
        (["nv set qos roce mode lossy", "nv set qos roce mode lossless"], PfcMode.ON, (3,)),
        (["nv set qos roce mode lossy-multi-tc"], PfcMode.OFF, ()),
        (["nv set qos roce mode lossy", "nv unset qos roce mode"], PfcMode.ON, (3,)),
        ([ROCE, "nv unset qos roce"], PfcMode.OFF, ()),
        ([ROCE, "nv set qos roce state disabled"], PfcMode.OFF, ()),
        ([ROCE, "nv set qos pfc default-global switch-priority 2"], PfcMode.ON, (2,)),
        (["nv set qos pfc default-global switch-priority 3,5-6"], PfcMode.ON, (3, 5, 6)),
        (["nv set qos pfc p switch-priority 4", "nv set interface swp1-2 qos pfc profile p"], PfcMode.ON, (4,)),
    ],
)
def test_what_is_paused(lines: list[str], mode: PfcMode, paused: tuple[int, ...]) -> None:
    pfc = port(lines).config.pfc
    assert (value_of(pfc.mode), value_of(pfc.priorities)) == (mode, paused)


@pytest.mark.parametrize(
    ("lines", "tx", "rx"),
    [
        (["rx disable"], (3,), ()),
        (["tx disable"], (), (3,)),
        (["tx enable", "rx enable"], (3,), (3,)),
        (["tx disable", "rx disable"], (), ()),
    ],
)
def test_pauses_have_two_directions(lines: list[str], tx: tuple[int, ...], rx: tuple[int, ...]) -> None:
    said = [f"nv set qos pfc default-global {line}" for line in ("switch-priority 3", *lines)]
    pfc = port(said).config.pfc
    assert (value_of(pfc.tx_priorities), value_of(pfc.rx_priorities)) == (tx, rx)


def test_a_roce_profile_points_at_the_line_that_asks_for_it_and_at_the_vendor() -> None:
    mode = port([ROCE]).config.pfc.mode
    assert isinstance(mode, Known)
    assert (mode.origin, mode.where and mode.where.line) == (Origin.INTENDED, 2)
    assert mode.reference.startswith("https://docs.nvidia.com/")
    off = port([]).config.pfc.mode
    assert isinstance(off, Known)
    assert off.origin is Origin.DEFAULT


@pytest.mark.parametrize(
    ("lines", "number", "expected"),
    [
        ([], 0, (True, 150000, 1500000, Scheduler.DWRR, 12, (0,))),
        ([], 3, (False, None, None, Scheduler.DWRR, 13, (3,))),
        ([ROCE], 3, (True, 150000, 1500000, Scheduler.DWRR, 50, (3,))),
        ([ROCE], 0, (True, 150000, 1500000, Scheduler.DWRR, 50, (0, 1, 2, 4, 5, 7))),
        ([ROCE], 6, (False, None, None, Scheduler.STRICT, None, (6,))),
        (["nv set qos roce mode lossy-multi-tc"], 2, (True, 166912, 239616, Scheduler.DWRR, 18, (2,))),
        (
            [ROCE, "nv set qos congestion-control default-global traffic-class 3 max-threshold 9000000"],
            3,
            (True, 150000, 9000000, Scheduler.DWRR, 50, (3,)),
        ),
        (
            ["nv set qos congestion-control default-global traffic-class 4 min-threshold 40000"],
            0,
            (False, None, None, Scheduler.DWRR, 12, (0,)),
        ),
        (
            ["nv set qos egress-scheduler default-global traffic-class 1 mode strict"],
            2,
            (False, None, None, Scheduler.DWRR, 0, (2,)),
        ),
        (
            ["nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 7"],
            7,
            (False, None, None, Scheduler.DWRR, 13, (2, 7)),
        ),
    ],
)
def test_queues(lines: list[str], number: int, expected: tuple[object, ...]) -> None:
    found = queue(port(lines), number)
    low, high = value_of(found.ecn_min), value_of(found.ecn_max)
    assert (
        value_of(found.ecn),
        low.bytes if low else None,
        high.bytes if high else None,
        value_of(found.scheduler),
        value_of(found.bandwidth_percent),
        value_of(found.priorities),
    ) == expected


def test_red_without_ecn_drops() -> None:
    at = "nv set qos congestion-control default-global traffic-class 3"
    dropping = queue(port([f"{at} red enable", f"{at} ecn disable", f"{at} probability 10"]), 3)
    both = queue(port([f"{at} red enable"]), 3)
    drops = value_of(dropping.wred_drop)
    assert drops
    assert (value_of(dropping.ecn), drops[0].probability) == (False, 0.1)
    assert (value_of(both.ecn), value_of(both.wred_drop)) == (True, ())


@pytest.mark.parametrize(
    ("lines", "trust", "default", "classes"),
    [
        ([], Trust.PCP, "0", {26: "3", 48: "6"}),
        ([ROCE], Trust.BOTH, "0", {26: "3", 48: "6"}),
        (["nv set qos mapping default-global trust l3"], Trust.DSCP, "0", {26: "3"}),
        (["nv set qos mapping default-global trust port"], Trust.NONE, "0", {}),
        (["nv set qos mapping default-global port-default-sp 5"], Trust.PCP, "5", {}),
        ([ROCE, "nv set qos mapping default-global dscp 26 switch-priority 4"], Trust.BOTH, "0", {26: "4", 25: "3"}),
        (["nv set qos mapping default-global dscp 10,20-21 switch-priority 0"], Trust.PCP, "0", {10: "0", 21: "0"}),
        (
            ["nv set qos mapping m trust l3", "nv set interface swp1 qos mapping profile m"],
            Trust.DSCP,
            "0",
            {26: "3"},
        ),
        (["nv set qos roce mode lossy-multi-tc"], Trust.BOTH, "0", {1: "1", 26: "4", 45: "5", 51: "0"}),
    ],
)
def test_classification(lines: list[str], trust: Trust, default: str, classes: dict[int, str]) -> None:
    sorting = port(lines).config.classification
    assert (value_of(sorting.trust), value_of(sorting.default_class)) == (trust, default)
    table = value_of(sorting.dscp_to_class)
    assert table is not None
    assert {dscp: table[dscp].value for dscp in classes} == classes


@pytest.mark.parametrize(("release", "expected"), [("5.14.0", "0"), ("5.15.1", "5")])
def test_a_profile_depends_on_the_release(release: str, expected: str) -> None:
    text = f"- header:\n    version: Cumulus Linux {release}\n    nvue-api-version: nvue_v1\n"
    text += "- set:\n    qos:\n      roce:\n"
    device = parse(text + "        mode: lossy-multi-tc\n    interface:\n      swp1: {}\n")
    table = value_of(device.ports[0].config.classification.dscp_to_class)
    assert table is not None
    assert (value_of(device.os_version), table[45].value) == (release, expected)


@pytest.mark.parametrize(
    ("lines", "enabled", "detection"),
    [
        ([], False, 300),
        ([ROCE], False, 300),
        (["nv set interface swp1 qos pfc-watchdog"], True, 300),
        (["nv set interface swp1-4 qos pfc-watchdog state enable"], True, 300),
        (["nv set interface swp1 qos pfc-watchdog state disable"], False, 300),
        (["nv set interface swp1-4 qos pfc-watchdog", "nv unset interface swp1 qos pfc-watchdog"], False, 300),
        (["nv set qos pfc-watchdog polling-interval 200", "nv set qos pfc-watchdog robustness 5"], False, 1000),
        (["nv set qos pfc-watchdog robustness 5"], False, 500),
    ],
)
def test_the_watchdog_is_opt_in(lines: list[str], enabled: bool, detection: float) -> None:
    watchdog = port(lines).config.pfc.watchdog
    assert (value_of(watchdog.enabled), value_of(watchdog.detection_ms)) == (enabled, detection)


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["nv set interface swp1,6-7,9 type swp"], ["swp1", "swp6", "swp7", "swp9"]),
        (["nv set interface swp2s0-1 type swp"], ["swp1", "swp2s0", "swp2s1"]),
        (["nv set interface swp2 link breakout 2x"], ["swp1", "swp2s0", "swp2s1"]),
        (["nv set interface swp2 link breakout 1x"], ["swp1", "swp2"]),
        (["nv set interface swp2 link breakout disabled"], ["swp1"]),
        (["nv set interface swp2-3 type swp", "nv unset interface swp2"], ["swp1", "swp3"]),
        (["nv set interface bond1 bond member swp2-3"], ["swp1", "swp2", "swp3"]),
        (["nv set interface eth0,lo,vlan10,bond1s0-3 type eth"], ["swp1"]),
        (["nv set interface swp9-1 type swp"], ["swp1"]),
    ],
)
def test_ports(lines: list[str], names: list[str]) -> None:
    assert [p.name for p in parse("\n".join((PORT, *lines))).ports] == names


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        (["nv set interface swp1 link mtu 9000"], "mtu_bytes", 9000),
        ([], "mtu_bytes", 9216),
        (["nv set interface swp1 link mtu 9000", "nv unset interface swp1 link mtu"], "mtu_bytes", 9216),
        (["nv set interface swp1 link mtu 9000", "nv set interface swp1-4 link mtu 4000"], "mtu_bytes", 4000),
        (["nv set interface bond1 bond member swp1", "nv set interface bond1 link mtu 9100"], "mtu_bytes", 9100),
        (["nv set interface swp1 link speed 400G"], "speed_gbps", 400),
        (["nv set interface swp1 link speed auto"], "speed_gbps", None),
        (["nv set interface swp1 link state down"], "enabled", False),
        ([], "enabled", None),
        (["nv set interface swp1 link lanes 4"], "lanes", 4),
        (["nv set interface swp1 bridge domain br_default access 10"], "tagged", False),
        (["nv set interface swp1 bridge domain br_default"], "tagged", True),
        (["nv set interface swp1 ip address 10.0.0.1/31"], "forwarding", "routed"),
        (["nv set vrf default router bgp neighbor swp1 type unnumbered"], "forwarding", "routed"),
    ],
)
def test_links(lines: list[str], name: str, value: object) -> None:
    setting: Setting[Any] = getattr(port(lines).config.ethernet, name)
    assert value_of(setting) == value


def test_what_is_not_determined_stays_so() -> None:
    found = port([])
    assert isinstance(found.config.ethernet.speed_gbps, Unset)
    assert isinstance(found.config.pfc.oper, Unknown)
    silent = port(["nv set qos link-pause p rx enable", "nv set interface swp1 qos link-pause profile p"]).config.pause
    assert value_of(silent.rx) is True
    assert isinstance(silent.tx, Unknown)


@pytest.mark.parametrize(
    ("lines", "size", "xoff", "source"),
    [
        ([], None, None, "generated"),
        (["port-buffer 25000", "xoff-threshold 10000"], 25000, 15000, "configured"),
        (["port-buffer 25000", "xoff-threshold 25001"], 25000, 0, "configured"),
        (["port-buffer 25000 B"], 25000, None, "generated"),
    ],
)
def test_headroom_is_what_lies_above_the_pause_threshold(
    lines: list[str], size: int | None, xoff: int | None, source: str
) -> None:
    said = [f"nv set qos pfc default-global {line}" for line in ("switch-priority 3", *lines)]
    groups = value_of(port(said).config.priority_groups)
    assert groups
    found = groups[0]
    assert (value_of(found.size_bytes), value_of(found.xoff_bytes), value_of(found.headroom_source)) == (
        size,
        xoff,
        source,
    )


def test_ports_that_are_configured_alike_share_one_configuration() -> None:
    yaml = ["- set:", "    interface:"]
    for n in range(1, 33):
        yaml += [f"      swp{n}:", f"        description: host{n}", "        link:", "          mtu: 9000"]
    device = parse("\n".join(yaml))
    assert len({id(p.config) for p in device.ports}) == 1
    where = [p.locate(p.config.ethernet.mtu_bytes.known().where) for p in device.ports]
    assert [(w.line, w.pointer) for w in where if w][:2] == [
        (6, "/0/set/interface/swp1/link/mtu"),
        (10, "/0/set/interface/swp2/link/mtu"),
    ]


def test_names_that_lead_nowhere() -> None:
    device = parse("nv set interface swp1 qos pfc profile none\nnv set qos mapping idle trust l3\n")
    assert [(n.kind, n.name, n.where.line) for n in device.undefined] == [("pfc profile", "none", 1)]
    assert [(n.kind, n.name, n.where.line) for n in device.unattached] == [("mapping profile", "idle", 2)]


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("nv set qos roce", LineState.MODELLED),
        ("cumulus@leaf1:mgmt:~$ nv set qos roce", LineState.MODELLED),
        ("nv unset qos roce", LineState.MODELLED),
        ("nv set qos pfc p xoff-threshold many", LineState.UNRECOGNISED),
        ("nv set qos pfc p switch-priority 9", LineState.UNRECOGNISED),
        ("nv set qos roce mode losless", LineState.UNRECOGNISED),
        ("nv set router adaptive-routing enable on", LineState.MODELLED),
        ("nv set interface swp1 lldp dcbx-pfc-tlv on", LineState.NOT_MODELLED),
        ("nv set vrf default router bgp router-id 1.1.1.1", LineState.IGNORED),
        ("nv config apply", LineState.IGNORED),
        ("# a comment", LineState.IGNORED),
        ("nv set colour blue", LineState.UNRECOGNISED),
    ],
)
def test_the_state_of_a_line(line: str, state: LineState) -> None:
    assert parse(f"{PORT}\n{line}").dumps[0].states[1] is state


def test_a_line_that_reads_like_quality_of_service_and_is_not_understood_is_told() -> None:
    doubts = parse(f"{PORT}\nnv set qos pfc p switch-prio 3").doubts
    assert [(d.where.line, d.text) for d in doubts] == [(2, "nv set qos pfc p switch-prio 3")]


def test_a_roce_mode_that_nobody_described_leaves_everything_open() -> None:
    config = port(["nv set qos roce mode dci-1"]).config
    assert isinstance(config.pfc.mode, Unknown)
    assert isinstance(config.queues, Unknown)
    assert isinstance(config.classification.trust, Unknown)


@pytest.mark.parametrize(
    ("line", "cable"),
    [("", 100), ("nv set qos roce cable-length 40", 40), ("nv set qos pfc default-global cable-length 30", 30)],
)
def test_the_cable_of_a_roce_profile(line: str, cable: int) -> None:
    """Up to release 5.3 it is named with the profile, and of PFC after that."""
    found = port(["nv set qos roce mode lossless", "nv set interface swp1 type swp", line])
    assert value_of(found.config.cable_length_m) == cable
