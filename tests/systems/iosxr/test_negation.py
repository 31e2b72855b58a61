"""Each statement of IOS XR and its `no` form: the last word wins, wherever it stands."""

import pytest
from negation import Case, Context, broken, cases, check, check_broken

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin, Where
from auditor.systems import systems
from auditor.systems.iosxr.actions import ACTION
from auditor.systems.iosxr.buffers import PROFILE
from auditor.systems.iosxr.config import read_config
from auditor.systems.iosxr.lines import OPTICS_TABLE, TOP, WATCHDOG_TABLE
from auditor.systems.iosxr.statements import INTERFACE

PORT = "FourHundredGigE0/0/0/1"
LOCATION = "0/0/CPU0"
CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        (f"interface {PORT}",),
        ("config", "config-if"),
        lambda config: config.interfaces[PORT].body,
        lambda config: config.interfaces[PORT].where,
        ("hostname leaf1",),
    ),
    Context(
        "class",
        ACTION,
        ("policy-map OUT", "class TC3"),
        ("config", "config-pmap", "config-pmap-c"),
        lambda config: config.policy_maps["qos", "OUT"].classes[0],
    ),
    Context("top", TOP, (), ("config",), lambda config: config),
    Context(
        "profile",
        PROFILE,
        (f"hw-module profile priority-flow-control location {LOCATION}",),
        ("config", "config-pfc-loc"),
        lambda config: config.profiles[LOCATION],
    ),
    Context(
        "optics",
        OPTICS_TABLE,
        ("controller Optics0/0/0/8",),
        ("config", "config-Optics"),
        lambda config: config.optics["0/0/0/8"],
    ),
    Context(
        "watchdog",
        WATCHDOG_TABLE,
        ("priority-flow-control watchdog",),
        ("config", "config-pfc-wd"),
        lambda config: config.watchdog,
    ),
)


@pytest.mark.parametrize(("context", "line"), list(broken(CONTEXTS)))
def test_a_broken_number_is_told(context: Context, line: str) -> None:
    check_broken(context, line, lambda captures: systems()["cisco_iosxr"].parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)


MAP = ("class-map match-any RDMA", " match dscp 24 26", " end-class-map")
POLICY = ("policy-map IN", " class RDMA", "  set traffic-class 3", " !", " end-policy-map")


@pytest.mark.parametrize(
    ("lines", "count"),
    [(MAP, 1), ((*MAP, MAP[0], " no match dscp 24 26"), 0), ((*MAP, MAP[0], " match precedence 3"), 2)],
)
def test_a_match_is_taken_back(lines: tuple[str, ...], count: int) -> None:
    config = read_config([Capture("leaf1.cfg", lines)])
    assert len(config.class_maps["qos", "RDMA"].terms) == count


def test_whole_maps_and_profiles_are_taken_back() -> None:
    head = f"hw-module profile priority-flow-control location {LOCATION}"
    lines = (*MAP, *POLICY, head, "no policy-map IN", "no class-map match-any RDMA", f"no {head}")
    config = read_config([Capture("leaf1.cfg", lines)])
    assert [config.policy_maps, config.class_maps, config.profiles] == [{}, {}, {}]


def test_a_class_is_taken_back() -> None:
    config = read_config([Capture("leaf1.cfg", (*POLICY, "policy-map IN", " no class RDMA"))])
    assert config.policy_maps["qos", "IN"].classes == []


def test_a_port_leaves_its_bundle() -> None:
    lines = (f"interface {PORT}", " bundle id 7 mode active", f"interface {PORT}", " no bundle id 7")
    lag = read_config([Capture("leaf1.cfg", lines)]).interfaces[PORT].lag
    assert lag == Known(None, Origin.INTENDED, Where("leaf1.cfg", 4))
