"""Each statement of NX-OS and its `no` form: the last word wins, wherever it stands."""

import pytest
from map_cases import MAP, MATCHES, classes
from negation import Case, Context, broken, cases, check, check_broken

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where
from auditor.systems import systems
from auditor.systems.nxos.actions import ACTION
from auditor.systems.nxos.config import read_config
from auditor.systems.nxos.lines import TOP
from auditor.systems.nxos.statements import INTERFACE, SYSTEM_QOS

POLICY = ("policy-map type queuing OUT", "class type queuing c-out-8q-q3")
CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        ("interface Ethernet1/1",),
        ("config", "config-if"),
        lambda config: config.interfaces["Ethernet1/1"].body,
        lambda config: config.interfaces["Ethernet1/1"].where,
        ("hostname leaf1",),
    ),
    Context(
        "class",
        ACTION,
        POLICY,
        ("config", "config-pmap-que", "config-pmap-c-que"),
        lambda config: config.policy_maps["queuing", "OUT"].classes[0],
    ),
    Context("top", TOP, (), ("config",), lambda config: config),
    Context("system qos", SYSTEM_QOS, ("system qos",), ("config", "config-sys-qos"), lambda config: config.system),
)


@pytest.mark.parametrize(("context", "line"), list(broken(CONTEXTS)))
def test_a_broken_number_is_told(context: Context, line: str) -> None:
    check_broken(context, line, lambda captures: systems()["cisco_nxos"].parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)


POLICY_MAP = ("policy-map type qos IN", "  class RDMA", "    set qos-group 3")


@pytest.mark.parametrize(("lines", "count"), MATCHES)
def test_a_match_is_taken_back(lines: tuple[str, ...], count: int) -> None:
    config = read_config([Capture("leaf1.cfg", lines)])
    assert len(config.class_maps["qos", "RDMA"].terms) == count


@pytest.mark.parametrize(("lines", "left"), classes(POLICY_MAP))
def test_a_class_is_taken_back(lines: tuple[str, ...], left: list[str]) -> None:
    config = read_config([Capture("leaf1.cfg", lines)])
    assert [action.class_name for action in config.policy_maps["qos", "IN"].classes] == left


def test_whole_maps_are_taken_back() -> None:
    lines = (*MAP, *POLICY_MAP, "no policy-map type qos IN", "no class-map type qos match-any RDMA")
    config = read_config([Capture("leaf1.cfg", lines)])
    assert not config.policy_maps
    assert not config.class_maps


def test_a_port_leaves_its_port_channel() -> None:
    lines = ("interface Ethernet1/1", "  channel-group 7 mode active", "interface Ethernet1/1", "  no channel-group")
    lag = read_config([Capture("leaf1.cfg", lines)]).interfaces["Ethernet1/1"].lag
    assert lag == Known(None, Origin.INTENDED, Where("leaf1.cfg", 4))
