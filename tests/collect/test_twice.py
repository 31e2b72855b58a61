"""Two samples of counters in one pull: the first of counters alone, the second of everything."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from conftest import Lab
from replay import Device

import auditor
from auditor.collect.platforms import list_platforms
from auditor.engine.audit import judge_fabric

DUMP = Path(__file__).parents[2] / "fixtures" / "fabric" / "leaf1" / "show_running-config.txt"
COUNTERS = "show interface priority-flow-control"
TABLE = """
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1        On   On  (8)        {:<10} 0
"""


class Growing(Mapping[str, bytes]):
    """The answers of a device whose counter has another value each time it is asked for."""

    def __init__(self, answers: Mapping[str, bytes], values: Iterator[int]) -> None:
        self._answers = answers
        self._values = values

    def __getitem__(self, command: str) -> bytes:
        return TABLE.format(next(self._values)).encode() if command == COUNTERS else self._answers[command]

    def __contains__(self, command: object) -> bool:
        return command == COUNTERS or command in self._answers

    def __iter__(self) -> Iterator[str]:
        return iter((*self._answers, COUNTERS))

    def __len__(self) -> int:
        return len(self._answers) + 1


@pytest.mark.parametrize("os", sorted(list_platforms()))
def test_what_counts_is_asked_for_with_the_names_that_it_needs(os: str) -> None:
    platform = list_platforms()[os]
    few = platform.narrow()
    assert {each.template for each in few.commands} <= {each.template for each in platform.commands}
    named = {name for each in few.commands for pattern in each.finds for name in pattern.groupindex}
    assert {name for each in few.commands if each.counts for name in each.arguments} <= named


def test_a_pull_takes_the_counters_twice(lab: Lab) -> None:
    answers = {"show running-config": DUMP.read_bytes()}
    device = Device("cisco_nxos", Growing(answers, iter(range(1000, 10_000, 500))))
    lab.add("leaf1", device)
    status, _, err = lab.pull("--twice", "1.5")
    assert status in {0, 1}, err
    earlier = lab.out.with_name(f"{lab.out.name}.earlier")
    first, second = (
        [each["command"] for each in json.loads((folder / "leaf1" / "manifest.json").read_text())["captures"]]
        for folder in (earlier, lab.out)
    )
    assert first == [COUNTERS]
    assert {COUNTERS, "show running-config"} <= {*second}
    judged = judge_fabric(lab.out, auditor.Options(jobs=1, earlier=str(earlier)))
    (growth,) = [port.growths["rx_pfc"] for port in judged.model.devices[0].ports if port.growths is not None]
    assert growth.count == 500
    assert growth.seconds is not None
    assert growth.seconds >= 1
