"""Counters of SONiC that were cleared count since then."""

import pytest

from auditor.model.dump import Capture
from auditor.systems import systems

CONFIG = '{"PORT": {"Ethernet0": {"lanes": "0", "speed": "100000"}}}'
PAUSES = """\
   Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
----------  ------  ------  ------  ------  ------  ------  ------  ------
 Ethernet0       0       0       0      12       0       0       0       0
"""
GROUPS = """\
Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0      0      0      0      7      0      0      0      0
"""
QUEUES = """\
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3             100            10000            5           500
"""


@pytest.mark.parametrize(
    ("command", "text", "name"),
    [
        ("show pfc counters", PAUSES, "rx_prio3_pause"),
        ("show priority-group drop counters", GROUPS, "rx_pg3_discards"),
        ("show queue counters", QUEUES, "tx_queue3_discards"),
    ],
)
@pytest.mark.parametrize(
    ("line", "since"),
    [
        ("Last cached time was 2026-11-20T15:09:50.632897", "2026-11-20T15:09:50.632897"),
        ("Ethernet0 Last cached time was 2026-11-20 08:22:22.22222", "2026-11-20 08:22:22.22222"),
        ("Last cached time was yesterday", None),
        ("", None),
    ],
)
def test_a_cleared_counter_says_since_when_it_counts(
    command: str, text: str, name: str, line: str, since: str | None
) -> None:
    captures = [
        Capture("config_db.json", (CONFIG,)),
        Capture("show.txt", tuple(f"{line}\n{text}".split("\n")), command),
    ]
    (port,) = systems()["sonic"].parse("leaf1", "leaf1", captures).ports
    assert port.counters
    assert port.counters[name].value > 0
    assert (port.counted_since or {}).get(name) == since
