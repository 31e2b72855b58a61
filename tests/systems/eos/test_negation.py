"""Each statement of EOS, its `no` and its `default` form: the last word wins, wherever it stands."""

import pytest
from map_cases import MAP, MATCHES, classes
from negation import Case, Context, broken, cases, check, check_broken

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Unset, Where, value_of
from auditor.systems import systems
from auditor.systems.eos import parse as eos
from auditor.systems.eos.config import read_config
from auditor.systems.eos.configuration import Config
from auditor.systems.eos.lines import DEFAULTS, TOP
from auditor.systems.eos.mmu import MMU
from auditor.systems.eos.policies import STEP
from auditor.systems.eos.queues import QUEUE
from auditor.systems.eos.statements import INTERFACE

PORT = "interface Ethernet1/1"
BEFORE = ("hostname leaf1",)
CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        (PORT,),
        ("config", "config-if-Et1/1"),
        lambda config: config.interfaces["Ethernet1/1"].body,
        lambda config: config.interfaces["Ethernet1/1"].where,
        BEFORE,
    ),
    Context(
        "queue",
        QUEUE,
        (PORT, "tx-queue 3"),
        ("config", "config-if-Et1/1", "config-if-Et1/1-txq-3"),
        lambda config: config.interfaces["Ethernet1/1"].body.queues[3],
        lambda config: config.interfaces["Ethernet1/1"].where,
        BEFORE,
    ),
    Context(
        "qos profile",
        INTERFACE,
        ("qos profile ROCE",),
        ("config", "config-qos-profile-ROCE"),
        lambda config: config.profiles["ROCE"],
        before=BEFORE,
    ),
    Context(
        "queue of a qos profile",
        QUEUE,
        ("qos profile ROCE", "tx-queue 3"),
        ("config", "config-qos-profile-ROCE", "config-qos-profile-ROCE-txq-3"),
        lambda config: config.profiles["ROCE"].queues[3],
        before=BEFORE,
    ),
    Context(
        "class",
        STEP,
        ("policy-map type quality-of-service P", "class RDMA"),
        ("config", "config-pmap-qos-P", "config-pmap-c-qos-P-RDMA"),
        lambda config: config.policy_maps["qos", "P"].classes[0],
        before=BEFORE,
    ),
    Context(
        "mmu profile",
        MMU,
        ("platform trident mmu queue profile ROCE",),
        ("config", "config-mmu-queue-profile-ROCE"),
        lambda config: config.mmu_profiles["ROCE"],
        before=BEFORE,
    ),
    Context(
        "interface defaults",
        DEFAULTS,
        ("interface defaults",),
        ("config", "config-interface-defaults"),
        lambda config: config,
        before=BEFORE,
    ),
    Context("top level", TOP, (), ("config",), lambda config: config, before=BEFORE),
)


@pytest.mark.parametrize(("context", "line"), list(broken(CONTEXTS)))
def test_a_broken_number_is_told(context: Context, line: str) -> None:
    check_broken(context, line, lambda captures: systems()["arista_eos"].parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)


POLICY_MAP = ("policy-map type quality-of-service P", "  class RDMA", "    set traffic-class 3")


@pytest.mark.parametrize(("lines", "count"), MATCHES)
def test_a_match_is_taken_back(lines: tuple[str, ...], count: int) -> None:
    assert len(_read(*lines).class_maps["qos", "RDMA"].terms) == count


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        *classes(POLICY_MAP),
        ((POLICY_MAP[0], "  class class-default", *POLICY_MAP), ["RDMA", "class-default"]),
    ],
)
def test_a_class_is_taken_back_and_a_new_one_stands_before_the_catch_all(
    lines: tuple[str, ...], left: list[str]
) -> None:
    assert [step.class_name for step in _read(*lines).policy_maps["qos", "P"].classes] == left


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ((*MAP, "no class-map type qos match-any RDMA"), "class_maps"),
        ((*POLICY_MAP, "no policy-map type quality-of-service P"), "policy_maps"),
        (("qos profile ROCE", "   qos trust dscp", "no qos profile ROCE"), "profiles"),
        (("interface profile GPU", "   command mtu 9214", "default interface profile GPU"), "interface_profiles"),
        (("ip access-list A", "   permit ip any any", "no ip access-list A"), "acls"),
        (
            (
                "platform trident mmu queue profile P",
                "   ingress headroom bytes 9",
                "no platform trident mmu queue profile P",
            ),
            "mmu_profiles",
        ),
    ],
)
def test_a_whole_object_is_taken_back(lines: tuple[str, ...], name: str) -> None:
    assert getattr(_read(*lines[:-1]), name)
    assert not getattr(_read(*lines), name)


STANZA = ("interface Ethernet1", "   mtu 9214", "   channel-group 7 mode active")


@pytest.mark.parametrize("undo", ["no", "default"])
def test_a_port_leaves_its_port_channel(undo: str) -> None:
    config = _read(*STANZA, STANZA[0], f"   {undo} channel-group")
    assert config.interfaces["Ethernet1"].lag == Known(None, Origin.INTENDED, Where("leaf1.cfg", 5))


@pytest.mark.parametrize("line", ["default interface Ethernet1", "default interface Ethernet1-2", "no interface Et1"])
def test_a_whole_interface_is_taken_back(line: str) -> None:
    entry = _read(*STANZA, line).interfaces["Ethernet1"]
    assert (entry.lag, entry.body.mtu) == (None, Unset())
    assert _read(*STANZA, line, *STANZA).interfaces["Ethernet1"].body.mtu == Known(
        9214, Origin.INTENDED, Where("leaf1.cfg", 6)
    )


@pytest.mark.parametrize("undo", ["no", "default"])
def test_a_whole_queue_is_taken_back(undo: str) -> None:
    queue = ("   tx-queue 3", "      priority strict")
    drop = "      random-detect drop minimum-threshold 1 kbytes maximum-threshold 2 kbytes"
    taken = Unset(Where("leaf1.cfg", 6))
    found = _read(STANZA[0], *queue, drop, STANZA[0], f"   {undo} tx-queue 3").interfaces["Ethernet1"].body.queues[3]
    assert (found.scheduler, found.drops[None]) == (taken, taken)


def test_a_mode_of_a_routed_port_holds_when_it_is_switched_again() -> None:
    lines = ("   switchport mode trunk", "   no switchport", "   switchport")
    tagged = [
        value_of(
            eos.parse("", "", [Capture("leaf1.cfg", (*BEFORE, STANZA[0], *lines[:count]))])
            .ports[0]
            .config.ethernet.tagged
        )
        for count in (1, 2, 3)
    ]
    assert tagged == [True, False, True]


def _read(*lines: str) -> Config:
    return read_config([Capture("leaf1.cfg", lines)])


def test_sessions_and_parts_count_after_the_whole_configuration() -> None:
    session = Capture("session.txt", ("leaf1(config)#interface Ethernet1", "leaf1(config-if-Et1)#mtu 1500"))
    part = Capture(
        "part.txt", ("interface Ethernet1", "   mtu 9000", "   qos trust dscp"), "show running-config section mtu"
    )
    whole = Capture("leaf1.cfg", (*BEFORE, *STANZA))
    other = Capture("older.cfg", (*BEFORE, STANZA[0], "   mtu 2000"))
    device = eos.parse("leaf1", "leaf1", [session, part, whole, other])
    (port,) = device.ports
    assert port.config.ethernet.mtu_bytes == Known(1500, Origin.INTENDED, Where("session.txt", 2))
    assert value_of(port.config.classification.trust) == "dscp"
    assert value_of(port.lag) == "Port-Channel7"
    assert [len(dump.states) for dump in device.dumps] == [2, 3, 4, 3]


@pytest.mark.parametrize("mode", ["config", "config-if-Et1", "config-s-change-if-Et1", "config-s-change"])
def test_a_command_of_the_top_level_counts_in_each_mode(mode: str) -> None:
    lines = (
        "leaf1(config-if-Et1)#mtu 1500",
        f"leaf1({mode})#qos map dscp 26 to traffic-class 3",
        f"leaf1({mode})#no policy-map type quality-of-service P",
    )
    config = read_config([Capture("leaf1.cfg", (*BEFORE, *POLICY_MAP, *STANZA)), Capture("session.txt", lines)])
    assert value_of(config.maps["dscp", 26]) == 3
    assert not config.policy_maps


def test_members_that_are_taken_back_keep_the_line() -> None:
    lines = (
        *BEFORE,
        "qos map dscp 26 to traffic-class 5",
        "no qos map dscp 26",
        "interface Ethernet1",
        "   priority-flow-control priority 3 no-drop",
        "   no priority-flow-control priority 3",
    )
    config = eos.parse("", "", [Capture("leaf1.cfg", lines)]).ports[0].config
    entry = config.classification.dscp_to_class.known().value[26]
    assert (entry.value, entry.origin, entry.where) == ("3", Origin.DEFAULT, Where("leaf1.cfg", 3))
    assert config.pfc.priorities == Unset(Where("", 2, relative=True))
