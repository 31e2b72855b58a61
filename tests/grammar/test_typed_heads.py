"""A head opens its own stanza wherever it is typed: as at the top level, and as in a printed configuration."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.device import Device
from auditor.model.dump import Capture, DumpFile
from auditor.model.setting import Where, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults


@dataclass(frozen=True)
class Block:
    """What is typed from the top level on: the head, and each further line with the mode in which it is typed.

    Without further lines it is a line of the top level, behind which the prompt is that of the top level.
    """

    head: str
    lines: tuple[tuple[str, str], ...]

    def modes(self, after: int) -> list[str]:
        """Return the modes that are open behind so many lines, the innermost one last."""
        return list(dict.fromkeys(mode for mode, _ in self.lines[:after]))


def block(head: str, *lines: str) -> Block:
    """Return a block of lines such as `if: mtu 9216`."""
    return Block(head, tuple((mode, text) for mode, _, text in (line.partition(": ") for line in lines)))


@dataclass(frozen=True)
class Session:
    """The sessions of one operating system: its prompt in a mode, how a mode is left, and what is typed.

    The first two of `blocks` configure two ports; `foreign` are stanzas that no reader reads, but whose lines look like
    those of a port. `mtus` are the MTUs of the ports. `words` are the forms of the word `interface` that are read.
    """

    prompt: Callable[[str], str]
    blocks: tuple[Block, ...]
    foreign: tuple[Block, ...]
    mtus: Mapping[str, int]
    leave: str = "exit"
    words: tuple[str, ...] = ("interface ", "int ", "interf ")


def modes(mode: str) -> str:
    """Return a prompt such as `leaf1(config-if)# `."""
    return f"leaf1({mode or 'config'})# "


def views(mode: str) -> str:
    """Return a prompt such as `[~leaf1-100GE1/0/1]`."""
    return f"[~leaf1{mode and f'-{mode}'}]"


SESSIONS = {
    "cisco_nxos": Session(
        modes,
        (
            block("interface Ethernet1/1", "config-if: mtu 9216", "config-if: priority-flow-control mode on"),
            block("interface Eth1/2", "config-if: mtu 2000", "config-if: shutdown"),
            block("class-map type qos match-all RDMA", "config-cmap-qos: match dscp 26"),
            block(
                "policy-map type network-qos NQ",
                "config-pmap-nqos: class type network-qos c-8q-nq3",
                "config-pmap-nqos-c: pause pfc-cos 3",
                "config-pmap-nqos-c: mtu 9216",
            ),
            block(
                "policy-map type qos IN",
                "config-pmap-qos: class RDMA",
                "config-pmap-c-qos: set qos-group 3",
            ),
            block("system qos", "config-sys-qos: service-policy type network-qos NQ"),
            block("hostname leaf9"),
            block("no class-map type qos match-all RDMA"),
        ),
        (
            block("vlan 20", "config-vlan: shutdown", "config-vlan: name x"),
            block("router bgp 65000", "config-router: description x", "config-router: shutdown"),
        ),
        {"Ethernet1/1": 9216, "Ethernet1/2": 2000},
    ),
    "arista_eos": Session(
        modes,
        (
            block(
                "interface Ethernet1/1",
                "config-if-Et1/1: mtu 9214",
                "config-if-Et1/1: tx-queue 3",
                "config-if-Et1/1-txq-3: random-detect ecn minimum-threshold 100 kbytes maximum-threshold 200 kbytes",
            ),
            block("interface Et2/1", "config-if-Et2/1: mtu 2000", "config-if-Et2/1: priority-flow-control on"),
            block("qos profile ROCE", "config-qos-profile-ROCE: qos trust dscp"),
            block(
                "policy-map type quality-of-service P",
                "config-pmap-quality-of-service-P: class RDMA",
                "config-pmap-c-quality-of-service-P-RDMA: set traffic-class 3",
            ),
            block("class-map type quality-of-service match-any RDMA", "config-cmap-qos-RDMA: match ip dscp 26"),
            block("qos map dscp 26 to traffic-class 3"),
            block("hostname leaf9"),
        ),
        (
            block("vlan 20", "config-vlan-20: name x", "config-vlan-20: mtu 1000"),
            block("router bgp 65000", "config-router-bgp: shutdown", "config-router-bgp: mtu 1000"),
        ),
        {"Ethernet1/1": 9214, "Ethernet2/1": 2000},
    ),
    "dell_os10": Session(
        modes,
        (
            block("interface ethernet1/1/1", "conf-if-eth1/1/1: mtu 9216", "conf-if-eth1/1/1: no shutdown"),
            block("interface ethernet 1/1/2", "conf-if-eth1/1/2: mtu 2000", "conf-if-eth1/1/2: shutdown"),
            block("class-map type network-qos RDMA", "config-cmap-nqos: match qos-group 3"),
            block(
                "policy-map type network-qos NQ",
                "config-pmap-network-qos: class RDMA",
                "config-pmap-c-nqos: pause",
                "config-pmap-c-nqos: pfc-cos 3",
            ),
            block("trust dscp-map M", "config-tmap-dscp-map: qos-group 3 dscp 26"),
            block("qos-map traffic-class Q", "config-qos-map: queue 3 qos-group 3"),
            block("system qos", "config-sys-qos: trust-map dscp M", "config-sys-qos: ets mode on"),
            block("wred W", "config-wred: random-detect ecn"),
            block("no wred W"),
            block("hostname leaf9"),
        ),
        (
            block("interface vlan20", "conf-if-vl-20: mtu 1000", "conf-if-vl-20: shutdown"),
            block("router bgp 65000", "config-router-bgp-65000: shutdown", "config-router-bgp-65000: mtu 1000"),
        ),
        {"ethernet1/1/1": 9216, "ethernet1/1/2": 2000},
    ),
    "aruba_aoscx": Session(
        modes,
        (
            block("interface 1/1/1", "config-if: mtu 9198", "config-if: flow-control priority rxtx 3"),
            block("interface 1/1/2", "config-if: mtu 2000", "config-if: no shutdown"),
            block("qos queue-profile Q", "config-queue: map queue 3 local-priority 3"),
            block("qos schedule-profile S", "config-schedule: dwrr queue 3 weight 10"),
            block("qos threshold-profile T", "config-threshold: queue 3 action ecn all threshold 40 percent"),
            block("no qos queue-profile Q"),
            block("hostname leaf9"),
        ),
        (
            block("vlan 20", "config-vlan-20: description x", "config-vlan-20: mtu 1000"),
            block("router bgp 65000", "config-bgp: mtu 1000", "config-bgp: shutdown"),
        ),
        {"1/1/1": 9198, "1/1/2": 2000},
    ),
    "huawei_vrp": Session(
        views,
        (
            block("interface 100GE1/0/1", "100GE1/0/1: mtu 9000", "100GE1/0/1: dcb pfc enable mode manual"),
            block("interface 100GE1/0/2", "100GE1/0/2: mtu 2000", "100GE1/0/2: shutdown"),
            block("dcb pfc STORAGE", "dcb-pfc-STORAGE: priority 3"),
            block("drop-profile P", "drop-P: color green low-limit 30 high-limit 60 discard-percentage 10"),
            block("diffserv domain D", "dsdomain-D: ip-dscp-inbound 26 phb af3 green"),
            block("undo drop-profile P"),
            block("sysname leaf9"),
        ),
        (
            block("vlan 20", "vlan20: description x", "vlan20: mtu 1000"),
            block("bgp 65000", "bgp: mtu 1000", "bgp: shutdown"),
        ),
        {"100GE1/0/1": 9000, "100GE1/0/2": 2000},
        "quit",
    ),
    "hp_comware": Session(
        views,
        (
            block("interface HundredGigE1/0/1", "HundredGigE1/0/1: priority-flow-control no-drop dot1p 3"),
            block("interface HundredGigE1/0/2", "HundredGigE1/0/2: priority-flow-control no-drop dot1p 4"),
            block("qos map-table dscp-dot1p", "maptbl-dscp-dot1p: import 26 export 3"),
            block("qos wred queue table W", "wred-table-W: queue 3 ecn"),
            block("undo qos wred queue table W"),
            block("sysname leaf9"),
        ),
        (
            block("vlan 20", "vlan20: description x", "vlan20: priority-flow-control no-drop dot1p 5"),
            block("bgp 65000", "bgp-default: priority-flow-control no-drop dot1p 5", "bgp-default: shutdown"),
        ),
        {},
        "quit",
    ),
    "dell_enterprise_sonic": Session(
        modes,
        (
            block("interface Eth1/1", "conf-if-Eth1/1: mtu 9216", "conf-if-Eth1/1: no shutdown"),
            block("interface Eth1/2", "conf-if-Eth1/2: mtu 2000", "conf-if-Eth1/2: shutdown"),
            block("qos map dscp-tc M", "conf-dscp-tc-map-M: dscp 26 traffic-class 3"),
            block("qos wred-policy W", "conf-wred-W: ecn green"),
            block(
                "qos scheduler-policy S",
                "conf-sched-policy-S: queue 3",
                "conf-scheduler-S-queue-3: type dwrr",
                "conf-scheduler-S-queue-3: weight 50",
            ),
        ),
        (
            block("interface Vlan 20", "conf-if-Vlan20: mtu 1000", "conf-if-Vlan20: shutdown"),
            block("router bgp 65000", "config-router-bgp: description x", "config-router-bgp: shutdown"),
        ),
        {"Eth1/1": 9216, "Eth1/2": 2000},
        words=("interface ",),
    ),
}


@dataclass(frozen=True)
class Typed:
    """A block as it is typed: how many of its lines, how many modes are left behind them, the word `interface`."""

    block: Block
    lines: int
    left: int
    word: str = "interface "


def list_lines(session: Session, typed: Sequence[Typed], *, at_top: bool) -> Iterator[str]:
    """Yield the lines of a session; *at_top*: each head is typed at the top level, and in full."""
    here: list[str] = []
    for each in typed:
        while at_top and here:
            yield session.prompt(here.pop()) + session.leave
        yield session.prompt(here[-1] if here else "") + (
            each.block.head if at_top else each.block.head.replace("interface ", each.word)
        )
        for mode, text in each.block.lines[: each.lines]:
            yield session.prompt(mode) + text
        here = each.block.modes(each.lines)
        for _ in range(min(each.left, len(here))):
            yield session.prompt(here.pop()) + session.leave
    yield session.prompt(here[-1] if here else "")


def print_lines(typed: Sequence[Typed]) -> Iterator[str]:
    """Yield the lines of the configuration that a session makes, indented by their modes."""
    for each in typed:
        opened = each.block.modes(each.lines)
        yield each.block.head
        for mode, text in each.block.lines[: each.lines]:
            yield " " * (1 + opened.index(mode)) + text


def read(os: str, lines: Sequence[str]) -> Device:
    return fill_defaults(systems()[os].parse("leaf1", "leaf1.txt", (Capture("leaf1.txt", tuple(lines)),)))


PLACE = re.compile(r"\.txt:\d+|^leaf1\([^)]*\)# |^\[~[^]]*\]")


def plain(value: Any) -> Any:  # noqa: ANN401  any part of a device
    """Return *value* without the places of its settings, the states of its lines, and prompts."""
    if isinstance(value, Where | DumpFile):
        return None
    if is_dataclass(value):
        return type(value).__name__, *(plain(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return PLACE.sub("", value) if isinstance(value, str) else value


def check(os: str, typed: Sequence[Typed]) -> None:
    """Check that the switch is the same wherever its heads are typed, and that the ports have their own MTUs."""
    session = SESSIONS[os]
    inside, outside = (tuple(list_lines(session, typed, at_top=at_top)) for at_top in (False, True))
    found = replace(read(os, inside), part=None)  # a session alone is a part of a configuration
    is_certain = (
        all(  # a head alone may be a line of the one above; with a hostname, the print is a whole configuration
            (each.lines or not each.block.lines) and not each.block.head.startswith(("hostname ", "sysname "))
            for each in typed
        )
    )
    for same in (outside, *([tuple(print_lines(typed))] if is_certain else [])):
        assert plain(found) == plain(replace(read(os, same), part=None)), "\n".join(inside)
    mtus = {port.name: value_of(port.config.ethernet.mtu_bytes) for port in found.ports}
    for (name, mtu), own in zip(session.mtus.items(), session.blocks, strict=False):
        is_typed = any(each.block is own and each.lines for each in typed)
        assert not is_typed or mtus[name] == mtu, "\n".join(inside)


@pytest.mark.parametrize("os", SESSIONS)
def test_a_head_typed_from_inside_of_any_block_opens_its_own(os: str) -> None:
    session = SESSIONS[os]
    for first, second in permutations((*session.blocks, *session.foreign), 2):
        for left in range(max(1, len(first.modes(len(first.lines))))):
            check(os, [Typed(each, len(each.lines), left) for each in (first, second, first)])


@given(data=st.data())
@pytest.mark.parametrize("os", SESSIONS)
def test_a_session_of_any_blocks_reads_as_one_typed_from_the_top_level(os: str, data: st.DataObject) -> None:
    session = SESSIONS[os]
    check(
        os,
        [
            Typed(
                each,
                data.draw(st.integers(1 if each in session.foreign else 0, len(each.lines))),
                data.draw(st.integers(0, 2)),
                data.draw(st.sampled_from(session.words)),
            )
            for each in data.draw(st.lists(st.sampled_from((*session.blocks, *session.foreign)), max_size=6))
        ],
    )


@pytest.mark.parametrize(
    ("os", "part", "mode"),
    [
        ("cisco_nxos", "vrrp 10", "config-if-vrrp"),
        ("dell_os10", "vrrp-group 10", "conf-eth1/1/1-vrid-10"),
        ("aruba_aoscx", "vrrp 1 address-family ipv4", "config-if-vrrp"),
    ],
)
def test_a_part_of_a_port_without_a_reader_says_nothing_of_the_port(os: str, part: str, mode: str) -> None:
    session = SESSIONS[os]
    port = session.blocks[0]
    (own, first), (_, second) = port.lines
    before = [session.prompt("") + port.head, session.prompt(own) + first]
    inside = [session.prompt(own) + part, session.prompt(mode) + "shutdown", session.prompt(mode) + session.leave]
    after = [session.prompt(own) + second, session.prompt("")]
    assert plain(read(os, [*before, *inside, *after]).ports) == plain(read(os, [*before, *after]).ports)
