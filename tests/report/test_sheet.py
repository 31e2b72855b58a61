"""The parts of a sheet: tables with unknown cells, depths to scale, and ports that are alike."""

from dataclasses import replace
from math import inf

import pytest

from auditor.checks.pause_point import PausedQueue, compute_pause_point
from auditor.model.buffers import PriorityGroup
from auditor.model.port import Port, PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import Known, Origin, Undetermined, Where
from auditor.report.alike import group_likes, list_differences
from auditor.report.facts import Fact, Reader, make_reader
from auditor.report.grid import Grid
from auditor.report.scale import Bar, Span, draw_scale
from auditor.report.sheet import Section, render_sheet
from auditor.view.documents import StateView
from auditor.view.port_view import port_view

WIDTH = 80


def known(line: int | None = None, why: str | None = None) -> StateView:
    return StateView(state="known", origin="intended", file="leaf1.cfg" if line else None, line=line, why=why)


UNSET = StateView(state="unset", origin=None, file="leaf1.cfg", line=9, why=None)
UNKNOWN = StateView(state="unknown", origin=None, file=None, line=None, why="no capture shows it")


def body(section: Section) -> list[str]:
    """Return the lines of a section, without title and legend."""
    return render_sheet("x", [section]).split("\n\n")[1].splitlines()[1:]


def test_a_table_says_of_each_cell_where_it_is_from_or_why_it_is_not_known() -> None:
    rows = (
        ("0", (Fact("marks", "no", known(4)), Fact("Kmin", "", UNSET), Fact("pool", "", UNKNOWN))),
        ("1", (Fact("marks", "no", known(5)), Fact("Kmin", "", UNSET), Fact("pool", "", UNKNOWN))),
        ("3", (Fact("marks", "yes", known(6)), Fact("Kmin", "150,000", known(7)), Fact("pool", "", UNKNOWN))),
    )
    assert [" ".join(line.split()) for line in body(Section("queues", grid=Grid("queue", rows)))] == [
        "queue marks Kmin",
        "0 no ?",
        "1 no ?",
        "3 yes 150,000",
        "marks configured [a]:4, 5, 6",
        "Kmin of 3 configured [a]:7",
        "not set Kmin of 0-1: no documented default [a]:9",
        "unknown pool: no capture shows it",
    ]


def test_facts_that_are_not_known_share_a_line_of_one_reason() -> None:
    section = Section("port", (Fact("FEC", "", UNKNOWN), Fact("MTU", "9,216", known(3)), Fact("MAC", "", UNKNOWN)))
    assert [" ".join(line.split()) for line in body(section)] == [
        "MTU 9,216 configured [a]:3",
        "unknown FEC, MAC: no capture shows it",
    ]


def test_files_and_pages_stand_below_in_the_order_in_which_they_are_named() -> None:
    section = Section("port", (Fact("MTU", "9,216", known(3, "page 7")), Fact("FEC", "rs", known(4, "page 9"))))
    sheet = render_sheet("x", [section])
    assert "configured [a]:3 [A]" in sheet
    assert sheet.endswith("  [a]   leaf1.cfg\n  [A]   page 7\n  [B]   page 9\n")


def test_long_texts_leave_no_line_too_long() -> None:
    name = "x" * 300
    rows = ((name, (Fact(name, name, known(1)), Fact("y" * 50, name, known(2)))),)
    sheet = render_sheet(name, [Section(name, (Fact(name, name, known(3)),), Grid("key", rows))])
    assert max(map(len, sheet.splitlines())) <= WIDTH


@pytest.mark.parametrize("end", [0.0, inf])
def test_depths_without_a_scale_are_not_drawn(end: float) -> None:
    assert draw_scale([Bar("marks", (Span(0, end, "/"),))]) == ()


def test_depths_of_any_size_fit_the_sheet() -> None:
    lines = draw_scale([Bar("marks", (Span(1e40, 1e60, "/"),)), Bar("paused, 2 ports", (Span(1e60, 1e60, "|"),))])
    assert [line[-1] for line in lines] == ["0", "/", "|"]
    assert max(map(len, lines)) <= WIDTH


def read(name: str, *queues: Queue, mac: str = "") -> Reader:
    config = PortConfig(queues=Known(queues, Origin.INTENDED, Where("leaf1.cfg", 1)))
    address = Known(mac, Origin.LEARNED) if mac else Known("00:00:5e:00:53:01", Origin.LEARNED)
    return make_reader(port_view(Port(name, config, mac=address), with_state=True))


def test_ports_are_alike_whatever_their_names_and_addresses() -> None:
    marking = Queue(3, ecn=Known(True, Origin.INTENDED))
    other = replace(marking, ecn=Known(False, Origin.DEFAULT))
    readers = [
        read("Ethernet1/1", Queue(0), marking),
        read("Ethernet1/2", Queue(0), marking, mac="00:00:5e:00:53:02"),
        read("Ethernet1/3", Queue(0), other),
        read("Ethernet1/4", Queue(0)),
    ]
    same, differing, lacking = group_likes(readers)
    assert same.names == ("Ethernet1/1", "Ethernet1/2")
    assert list_differences(differing, same) == [("queues 3 ecn", "no", "yes")]
    assert list_differences(lacking, same) == [("queues 3", "absent", "present")]


@pytest.mark.parametrize("alpha", [0.0, -1.0])
def test_a_factor_that_gives_no_threshold_gives_no_pause_point(alpha: float) -> None:
    group = PriorityGroup(3, alpha=Known(alpha, Origin.INTENDED, Where("leaf1.cfg", 5)))
    with pytest.raises(Undetermined, match="has no pause point") as raised:
        compute_pause_point(PausedQueue(Queue(3), group, 10**6), 2)
    assert raised.value.where == Where("leaf1.cfg", 5)
