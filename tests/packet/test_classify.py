"""Which class a port gives to arriving traffic: trust, tag, maps and classifiers, and when it cannot be told."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from auditor.intent import Traffic, TrafficKind
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Pfc, PfcMode, PortConfig
from auditor.model.qos import Classification, Classifier, Match, Queue, TrafficClass, Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Undetermined, Unknown, Unset, Where
from auditor.packet.classify import classify, find_forced_dscp, find_lossless_class, find_queue, takes_part

T = TypeVar("T")


def known(value: T, line: int = 1) -> Known[T]:
    return Known(value, Origin.INTENDED, Where("leaf1.cfg", line))


RDMA = Traffic("RDMA", TrafficKind.RDMA, known((26,)), known(3), known(value=True))
CLASSES = tuple(
    TrafficClass(
        n, n, internal=known(int(n)), pfc_priority=known(int(n)), queue=known(int(n)), lossless=known(n == "3")
    )
    for n in "0123"
)
DSCP_LINE, PCP_LINE, DEFAULT_LINE = 5, 6, 7


def port(
    trust: Setting[Trust],
    tagged: Setting[bool] = NOT_COLLECTED,
    *steps: Classifier,
    dscp: Mapping[int, str] | None = None,
) -> PortConfig:
    """Return a port that maps DSCP 26 to class 1 (unless told otherwise), PCP 3 to class 2, and all else to class 0."""
    return PortConfig(
        ethernet=Ethernet(tagged=tagged),
        classification=Classification(
            trust=trust,
            classes=known(CLASSES),
            dscp_to_class=known({k: known(v, DSCP_LINE) for k, v in ({26: "1"} if dscp is None else dscp).items()}),
            pcp_to_class=known({3: known("2", PCP_LINE)}),
            default_class=known("0", DEFAULT_LINE),
            classifiers=known(tuple(known(step, step.order) for step in steps)),
        ),
    )


MLX5 = Nic(has_rdma_device=True)
TAGGED, UNTAGGED = known(value=True), known(value=False)


@pytest.mark.parametrize(
    ("config", "class_id", "line"),
    [
        (port(known(Trust.DSCP)), "1", DSCP_LINE),
        (port(known(Trust.DSCP), TAGGED), "1", DSCP_LINE),
        (port(known(Trust.DSCP), dscp={}), "0", DEFAULT_LINE),
        (port(known(Trust.DSCP), dscp={48: "1"}), "0", DEFAULT_LINE),
        (port(known(Trust.PCP), TAGGED), "2", PCP_LINE),
        (port(known(Trust.PCP), UNTAGGED), "0", DEFAULT_LINE),
        (port(known(Trust.NONE)), "0", DEFAULT_LINE),
        (port(known(Trust.NONE), TAGGED), "0", DEFAULT_LINE),
        (port(known(Trust.BOTH), UNTAGGED), "1", DSCP_LINE),
        (port(known(Trust.DSCP), NOT_COLLECTED, Classifier(Match(dscp=(26, 27)), "3", 40)), "3", 40),
        (port(known(Trust.DSCP), NOT_COLLECTED, Classifier(Match(dscp=(48,)), "3", 40)), "1", DSCP_LINE),
        (port(known(Trust.NONE), TAGGED, Classifier(Match(pcp=(3,)), "3", 40)), "3", 40),
        (port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(udp_port=4791, acl="R"), "3", 40)), "3", 40),
        (port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(udp_port=4420, acl="N"), "3", 40)), "0", DEFAULT_LINE),
        (
            port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(dscp=(48,), acl="C", is_whole=False), "7", 40)),
            "0",
            DEFAULT_LINE,
        ),
        (
            port(
                known(Trust.NONE),
                NOT_COLLECTED,
                Classifier(Match(udp_port=53), "1", 40),
                Classifier(Match(dscp=(26,)), "3", 41),
                Classifier(Match(), "2", 42),
            ),
            "3",
            41,
        ),
        (port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(dscp=(26,), udp_port=4791), "3", 40)), "3", 40),
        (port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(), "2", 40)), "2", 40),
    ],
)
def test_the_class_and_the_line_that_decides(config: PortConfig, class_id: str, line: int) -> None:
    found, entry = classify(config, RDMA)
    assert (found.id, entry.value, entry.where) == (class_id, class_id, Where("leaf1.cfg", line))


@pytest.mark.parametrize("tagged", [TAGGED, UNTAGGED, NOT_COLLECTED])
def test_where_dscp_comes_before_pcp_a_tag_does_not_matter(tagged: Setting[bool]) -> None:
    both = port(known(Trust.BOTH), tagged)
    config = replace(both, classification=replace(both.classification, dscp_before_pcp=True))
    found, entry = classify(config, RDMA)
    assert (found.id, entry.where) == ("1", Where("leaf1.cfg", DSCP_LINE))


@pytest.mark.parametrize(
    "config",
    [
        port(NOT_COLLECTED),
        port(Unset()),
        port(known(Trust.PCP)),
        port(known(Trust.BOTH)),
        port(known(Trust.BOTH), TAGGED),
        port(known(Trust.DSCP), dscp={26: "9"}),
        port(known(Trust.DSCP), NOT_COLLECTED, Classifier(Match(acl="SOMETHING", is_whole=False), "3", 40)),
        port(
            known(Trust.DSCP),
            NOT_COLLECTED,
            Classifier(Match(acl="SOMETHING", is_whole=False), "0", 40),
            Classifier(Match(dscp=(26,)), "3", 41),
        ),
        PortConfig(),
    ],
    ids=[
        "trust not collected",
        "trust has no known default",
        "a tag decides, and whether there is one is unknown",
        "both, tag unknown",
        "both, tagged",
        "class that is not described",
        "access list that is not modelled",
        "access list before a step that takes it",
        "nothing collected",
    ],
)
def test_what_cannot_be_told_is_not_guessed(config: PortConfig) -> None:
    with pytest.raises(Undetermined):
        classify(config, RDMA)


def test_traffic_of_unknown_marking_has_no_class() -> None:
    unmarked = Traffic("RDMA", TrafficKind.RDMA, NOT_COLLECTED, known(3), known(value=True))
    with pytest.raises(Undetermined):
        classify(port(known(Trust.DSCP)), unmarked)


def pfc(mode: PfcMode, *priorities: int) -> Pfc:
    return Pfc(mode=known(mode), priorities=known(priorities))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (PortConfig(nic=Nic()), False),
        (PortConfig(nic=MLX5), True),
        (PortConfig(nic=replace(MLX5, transport=known("roce"))), True),
        (PortConfig(nic=replace(MLX5, transport=known("iwarp"))), False),
        (PortConfig(nic=replace(MLX5, transport=known("infiniband"))), False),
        (PortConfig(nic=MLX5, ethernet=Ethernet(enabled=known(value=False))), False),
        (PortConfig(pfc=pfc(PfcMode.ON, 3)), True),
        (PortConfig(pfc=pfc(PfcMode.ON)), False),
        (PortConfig(pfc=pfc(PfcMode.ON, 3), ethernet=Ethernet(enabled=known(value=False))), False),
        (PortConfig(pfc=pfc(PfcMode.AUTO, 3)), False),
        (port(known(Trust.DSCP), dscp={26: "3"}), True),
        (port(known(Trust.DSCP)), False),
        (port(known(Trust.NONE), NOT_COLLECTED, Classifier(Match(dscp=(26,)), "3", 40)), True),
        (PortConfig(), False),
    ],
)
def test_which_ports_take_part(config: PortConfig, *, expected: bool) -> None:
    assert takes_part(config) is expected


def test_the_no_drop_class_of_a_priority() -> None:
    found = find_lossless_class(port(known(Trust.DSCP)), 3)
    assert found is not None
    assert found.id == "3"
    assert find_lossless_class(port(known(Trust.DSCP)), 2) is None


def test_no_class_is_called_lossy_while_one_is_unknown() -> None:
    classes = (TrafficClass("0", "0"),)
    with pytest.raises(Undetermined):
        find_lossless_class(PortConfig(classification=Classification(classes=known(classes))), 3)


@pytest.mark.parametrize(("queues", "number"), [((Queue(2), Queue(3)), 3), ((Queue(2),), None), ((), None)])
def test_the_queue_of_a_class(queues: tuple[Queue, ...], number: int | None) -> None:
    found = find_queue(PortConfig(queues=known(queues)), CLASSES[3])
    assert (found.queue if found else None) == number


@pytest.mark.parametrize(
    ("vendor", "traffic_class", "why"),
    [
        ("AMD", NOT_COLLECTED, "no traffic class is forced"),
        ("NVIDIA", NOT_COLLECTED, "no capture shows it"),
        (None, NOT_COLLECTED, "no capture shows it"),
        ("NVIDIA", Known(0, Origin.LEARNED), "no traffic class is forced"),
    ],
)
def test_only_nvidia_can_force_a_dscp(vendor: str | None, traffic_class: Setting[int], why: str) -> None:
    told = Known(vendor, Origin.LEARNED) if vendor else NOT_COLLECTED
    found = find_forced_dscp(Nic(vendor=told, traffic_class=traffic_class))
    assert isinstance(found, Unknown)
    assert why in found.why
