"""What explains a change: windows around captures, patterns, and tickets in messages of commits."""

from datetime import date, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.drift.changes import mark_reverted
from auditor.engine.drift.explain import PlannedChange, explain
from auditor.engine.drift.model import Change, Moment, SettingChange
from auditor.intent import parse_intent
from auditor.view.table import Cell


def make_change(
    *,
    last: str = "2026-11-09",
    seen: str = "2026-11-16",
    message: str = "weekly",
    path: str = "queues[3].ecn_min_bytes",
) -> Change:
    setting = SettingChange(path, Cell("150000"), Cell("1500000"))
    places = (("leaf1", "Ethernet1/1"), ("leaf2", "Ethernet1/1"))
    return Change((setting,), places, Moment("a", last, ""), Moment("b", seen, message), is_everywhere=False)


@pytest.mark.parametrize(
    ("planned", "explains"),
    [
        ({}, True),
        ({"devices": ["leaf*"]}, True),
        ({"devices": ["leaf1"]}, False),
        ({"devices": ["leaf1", "leaf2"]}, True),
        ({"settings": ["queues[3].*"]}, True),
        ({"settings": ["queues[4].*"]}, False),
        ({"settings": ["*ecn*", "mtu_bytes"]}, True),
        ({"from": date(2026, 11, 10), "until": date(2026, 11, 10)}, True),
        ({"from": date(2026, 11, 16)}, True),
        ({"from": date(2026, 11, 17)}, False),
        ({"until": date(2026, 11, 9)}, True),
        ({"until": date(2026, 11, 8)}, False),
        ({"from": datetime(2026, 11, 10, 22), "until": datetime(2026, 11, 11, 2)}, True),  # noqa: DTZ001  as files have
    ],
)
def test_a_listed_change_explains_what_it_covers(planned: dict[str, object], *, explains: bool) -> None:
    listed = PlannedChange.model_validate({"id": "CR-1", **planned})
    assert explain(make_change(), [listed]) == ("CR-1" if explains else "")


def test_captures_without_a_time_are_in_no_window() -> None:
    change = make_change(last="", seen="")
    assert explain(change, [PlannedChange.model_validate({"id": "CR-1", "until": date(2030, 1, 1)})]) == ""
    assert explain(change, [PlannedChange(id="CR-1")]) == "CR-1"


@pytest.mark.parametrize(
    ("message", "ticket"),
    [
        ("FAB-118: raise Kmin", "FAB-118"),
        ("raise Kmin (CHG0042)", "CHG0042"),
        ("raise Kmin\n\nCloses #12", "#12"),
        ("CHANGE 4711 done", "CHANGE 4711"),
        ("weekly capture of su1-leaf1, 2026-11-16", ""),
        ("update leaf1 Ethernet1/1", ""),
        ("", ""),
    ],
)
def test_a_ticket_in_the_message_of_a_commit_explains(message: str, ticket: str) -> None:
    assert explain(make_change(message=message), []) == (f"{ticket} (commit b)" if ticket else "")


@given(st.lists(st.sampled_from(("150", "300", "600")), min_size=2, max_size=8))
def test_what_stands_at_the_end_is_not_taken_back(values: list[str]) -> None:
    """Of a setting that goes through *values*, the changes that nothing takes back lead from the first to the last."""
    moments = [Moment(str(number), "", "") for number in range(len(values))]
    changes = [
        Change(
            (SettingChange("alpha", Cell(before), Cell(after)),),
            (("leaf1", ""),),
            moments[n],
            moments[n + 1],
            is_everywhere=False,
        )
        for n, (before, after) in enumerate(pairwise(values))
        if before != after
    ]
    marked = mark_reverted(changes)
    assert len(marked) + sum(change.reverted is not None for change in marked) == len(changes)
    stands = [change for change in marked if change.reverted is None]
    effect = sum(int(c.settings[0].after.text) - int(c.settings[0].before.text) for c in stands)
    assert effect == int(values[-1]) - int(values[0])


CAMPAIGN = """\
schema: roce-audit/intent/1
traffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]
campaigns:
  - {name: autumn, reason: a fix, until: 2026-10-31, devices: ["gpu*"], firmware: {"ConnectX-7": "28.45.*"}}
"""


@pytest.mark.parametrize(
    ("device", "path", "after", "last", "told"),
    [
        ("gpu1", "nic.firmware", "28.45.1020", "2026-10-05", "campaign autumn"),
        ("gpu1", "nic.firmware", "28.45.1020", "", "campaign autumn"),
        ("gpu1", "nic.firmware", "28.45.1020", "2026-11-02", ""),
        ("gpu1", "nic.firmware", "28.43.2026", "2026-10-05", ""),
        ("leaf1", "nic.firmware", "28.45.1020", "2026-10-05", ""),
        ("gpu1", "mtu_bytes", "28.45.1020", "2026-10-05", ""),
    ],
)
def test_a_campaign_explains_the_versions_that_it_moves_to(
    device: str, path: str, after: str, last: str, told: str
) -> None:
    setting = SettingChange(path, Cell("28.39.3560"), Cell(after))
    moments = Moment("a", last, ""), Moment("b", "2026-11-09" if last else "", "")
    change = Change((setting,), ((device, "rail0"),), *moments, is_everywhere=False)
    campaigns = parse_intent("roce-audit.yaml", CAMPAIGN).campaigns
    assert explain(change, (), campaigns) == told


@pytest.mark.parametrize(
    ("ports", "explains"), [(["Ethernet1/*"], True), (["Ethernet1/1"], True), (["Ethernet1/2"], False), (["*"], True)]
)
def test_a_listed_change_is_of_some_ports(ports: list[str], explains: bool) -> None:
    planned = PlannedChange.model_validate({"id": "A", "ports": ports})
    assert bool(explain(make_change(), [planned])) is explains
