"""Thresholds, default maps, rate limits and counters of AOS-CX."""

from auditor.model.dump import Capture
from auditor.model.port import Port
from auditor.model.qos import Unit
from auditor.model.setting import Origin, value_of
from auditor.systems.aoscx.parse import parse

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
