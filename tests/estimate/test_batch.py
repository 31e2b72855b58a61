"""Tables of scenarios: each row answered or refused with a reason, whatever the file holds."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from auditor.estimate.batch import CHUNK, ERROR, INPUTS, NOT_MODELLED, RESULTS, check, estimate_all
from auditor.estimate.incast import Estimates, estimate
from auditor.estimate.scenario import COLUMNS, Column, Scenarios, scenarios
from auditor.estimate.table import LONGEST_LINE, TableError, answer, answer_file

FOLDER = Path(__file__).parents[2] / "fixtures" / "scenarios"


def answered(text: str) -> list[dict[str, str]]:
    """Return the rows of the answer to a table."""
    out = StringIO()
    answer(StringIO(text, newline=""), out)
    return list(csv.DictReader(StringIO(out.getvalue())))


def one(**cells: object) -> dict[str, str]:
    """Return the answer to a table of one row."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerows(
        [["n_senders", *cells], [8, *cells.values()]] if "n_senders" not in cells else [cells, cells.values()]
    )
    [row] = answered(out.getvalue())
    return row


def value(field: str, **cells: str) -> float:
    """Return one field of the only scenario of a table."""
    checked = check({name: [cell] for name, cell in cells.items()}, 1)
    assert not checked.errors
    return float(getattr(checked.scenarios, field)[0])


@pytest.mark.parametrize(("name", "column"), COLUMNS.items(), ids=list(COLUMNS))
def test_a_missing_column_and_an_empty_cell_are_the_default(name: str, column: object) -> None:  # noqa: ARG001
    field = COLUMNS[name].field
    missing, empty, blank = value(field), value(field, **{name: ""}), value(field, **{name: "  "})
    assert missing == empty == blank
    expected = COLUMNS[name].default * COLUMNS[name].factor
    assert missing == (expected if field != "packet" else 1048)


@pytest.mark.parametrize(("name", "column"), [(name, column) for name, column in COLUMNS.items() if column.simulated])
def test_closed_forms_refuse_what_the_simulation_alone_models(name: str, column: Column) -> None:
    other = f"{column.most:.10g}"
    assert one(**{name: other})["error"].startswith(f"{name}: ")
    assert one(**{name: other})["error"].endswith(" needs --simulate")
    assert one(**{name: "0"})["error"] == ""
    assert "expected" in one(**{name: f"{column.most + 1:.10g}"})["error"]
    assert "expected" in one(**{name: "-1"})["error"]


def test_all_columns_that_need_the_simulation_are_named() -> None:
    row = one(send_jitter="0.01", cnp_delay_us="2", kmin_bytes="5")
    assert row["error"] == "cnp_delay_us: 2 needs --simulate; send_jitter: 0.01 needs --simulate"
    assert row["loss_ratio"] == ""


@pytest.mark.parametrize(
    ("field", "expected", "cells"),
    [
        ("rate", 12.5e9, {"link_gbps": "100"}),
        ("delay", 2e-7, {"prop_delay_ns": "200"}),
        ("increase_timer", 3e-4, {"dcqcn_rp_timer_us": "3e2"}),
        ("packet", 4144, {"payload_bytes": "4096"}),
        ("packet", 4178, {"payload_bytes": "4096", "wire_pkt_bytes": " 4178 "}),
        ("uplink_rate", 0, {"topo": "star", "uplink_gbps": "400"}),
        ("uplink_rate", 0, {"uplink_gbps": "400"}),
        ("uplink_rate", 50e9, {"topo": "ls", "uplink_gbps": "400"}),
        ("lossless", 1, {}),
        ("lossless", 1, {"lossless_mask": "24", "host_pg": "4"}),
        ("lossless", 0, {"lossless_mask": "8", "host_pg": "4"}),
        ("lossless", 0, {"lossless_mask": "0"}),
        ("lossless_priorities", 0, {"lossless_mask": "0"}),
        ("lossless_priorities", 2, {"lossless_mask": "24"}),
        ("lossless_priorities", 8, {"lossless_mask": "255"}),
    ],
)
def test_cells_become_fields(field: str, expected: float, cells: Mapping[str, str]) -> None:
    assert value(field, **cells) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"link_gbps": -25}, "link_gbps: -25, expected a number from 0.001 to 1e+15"),
        ({"link_gbps": 0}, "link_gbps: 0, expected"),
        ({"link_gbps": "fast"}, "link_gbps: fast, expected a number"),
        ({"link_gbps": "nan"}, "link_gbps: nan, expected"),
        ({"link_gbps": "inf"}, "link_gbps: inf, expected"),
        ({"link_gbps": "-inf"}, "link_gbps: -inf, expected"),
        ({"link_gbps": "1e400"}, "link_gbps: 1e400, expected"),
        ({"link_gbps": "1e300"}, "link_gbps: 1e300, expected"),
        ({"link_gbps": "100\x00"}, "link_gbps: 100\N{REPLACEMENT CHARACTER}, expected"),
        ({"link_gbps": "1" * 1000}, f"link_gbps: {'1' * 40}..., expected"),
        ({"n_senders": 2.5}, "n_senders: 2.5, expected a whole number from 1"),
        ({"n_senders": 0}, "n_senders: 0, expected a whole number from 1"),
        ({"ecn_on": 2}, "ecn_on: 2, expected a whole number from 0 to 1"),
        ({"ecn_on": "yes"}, "ecn_on: yes, expected a whole number from 0 to 1"),
        ({"pmax": 1.5}, "pmax: 1.5, expected a number from 0 to 1"),
        ({"topo": "ring"}, "topo: ring, expected one of star, ls"),
        ({"topo": "ls"}, "topo is ls, expected uplink_gbps above 0"),
        ({"lossless_mask": 256}, "lossless_mask: 256, expected a whole number from 0 to 255"),
        ({"lossless_mask": "1e300"}, "lossless_mask: 1e300, expected a whole number from 0 to 255"),
        ({"host_pg": 8}, "host_pg: 8, expected a whole number from 0 to 7"),
        ({"host_pg": -1}, "host_pg: -1, expected a whole number from 0 to 7"),
        ({"ecn_on": 1, "kmin_bytes": 2, "kmax_bytes": 1}, "kmin_bytes is above kmax_bytes"),
        ({"n_senders": 4, "n_senders_ignore_pause": 5}, "n_senders_ignore_pause is above n_senders"),
        ({"n_senders": 4, "n_senders_no_dcqcn": 5}, "n_senders_no_dcqcn is above n_senders"),
        ({"payload_bytes": 1000, "wire_pkt_bytes": 999}, "wire_pkt_bytes is below payload_bytes"),
        ({"dcqcn_rate_on_first_cnp": -1}, "dcqcn_rate_on_first_cnp: -1, expected a number from 0 to 1"),
        ({"cable_m": "x"}, "cable_m: x, expected a number"),
    ],
    ids=str,
)
def test_a_row_that_makes_no_sense_is_refused(cells: Mapping[str, object], message: str) -> None:
    row = one(**cells)
    assert row[ERROR].startswith(message)
    assert [row[name] for name in RESULTS] == [""] * len(RESULTS)


@pytest.mark.parametrize(
    "cells",
    [
        {"kmin_bytes": 2, "kmax_bytes": 1},
        {"ecn_on": 1, "kmin_bytes": 1, "kmax_bytes": 1, "pmax": 1},
        {"headroom_bytes": 10**9},
        {"n_senders": 1},
        {"n_senders": 100_000},
        {"link_gbps": 1e6, "prop_delay_ns": 1e9},
        {"flow_bytes": 1},
        {"stop_ns": 1},
    ],
    ids=str,
)
def test_odd_rows_that_make_sense_are_answered(cells: Mapping[str, object]) -> None:
    row = one(**cells)
    assert row[ERROR] == ""
    assert 0 <= float(row["loss_ratio_low"]) <= float(row["loss_ratio"]) <= float(row["loss_ratio_high"]) <= 1


def test_all_that_is_wrong_with_a_row_is_said() -> None:
    assert one(link_gbps=-1, pmax=2)[ERROR].count("expected") == 2


def test_bad_rows_stop_no_other() -> None:
    rows = answered("row,n_senders\n0,2\n1,x\n2,4\n\n3,4,5\n4\n5,2\n")
    assert [row["row"] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert [row[ERROR] for row in rows] == [
        "",
        "n_senders: x, expected a whole number from 1 to 1e+15",
        "",
        "3 cells, expected 2",
        "1 cells, expected 2",
        "",
    ]
    assert [bool(row["loss_ratio"]) for row in rows] == [not row[ERROR] for row in rows]


def test_columns_pass_through_unless_they_are_inputs_or_results() -> None:
    text = 'row,n_senders,note,loss_ratio,error,cable_m\n7,2,"a ""b"", c",0.5,old,5\n'
    [row] = answered(text)
    assert list(row) == ["row", "note", *RESULTS, ERROR]
    assert (row["row"], row["note"], row["loss_ratio"], row[ERROR]) == ("7", 'a "b", c', "0", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: ''"),
        ("\n", "line 1: ''"),
        ("hello\n", "line 1: 'hello'"),
        ("0,100,8\n", "line 1: '0,100,8'"),
        ("n_senders,row,n_senders\n1,2,3\n", "line 1: the column 'n_senders' is there twice"),
        ("n_senders,a,a\n1,2,3\n", "line 1: the column 'a' is there twice"),
        ("\x00\x00\x1b[31m\n", "line 1: "),
        ("x" * 200_000 + "\n", "line 1: field larger than field limit"),
        (lambda: "x" * (LONGEST_LINE + 1), "line 1: longer than"),
        (lambda: "n_senders\n2\n" + "3" * (LONGEST_LINE + 1), "line 3: longer than"),
    ],
    ids=lambda each: None if callable(each) else each[:20],
)
def test_what_is_no_table_is_refused(text: str | Callable[[], str], message: str) -> None:
    with pytest.raises(TableError, match=re.escape(message)) as error:
        answered(text() if callable(text) else text)
    assert len(str(error.value)) < 250
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("x" * 10**6, "field larger than field limit (131072)"),
        ("9" * 10**5, "n_senders: " + "9" * 40),
        ("\x00", "n_senders: "),
        ("\x1b[31m", "n_senders: "),
        ('"2\n3"', "n_senders: "),
        ("=1+1", "n_senders: "),
    ],
    ids=lambda each: each[:20],
)
def test_a_hostile_cell_spoils_its_row_alone(cell: str, error: str) -> None:
    first, second, third = answered(f"row,n_senders\n0,2\n1,{cell}\n2,4\n")
    assert second[ERROR].startswith(error)
    assert second[ERROR].isprintable()
    assert len(second[ERROR]) < 200
    assert [first[ERROR], third[ERROR]] == ["", ""]


def test_a_quote_that_is_never_closed_is_told() -> None:
    rows = answered('row,n_senders\n0,2\n1,"2\n2,4\n3,4\n')
    assert [bool(row[ERROR]) for row in rows] == [False, True]


def test_files_and_bytes_that_are_no_unicode(tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(b"\xef\xbb\xbfrow,n_senders\r\ncaf\xe9,2\r\n")
    found = answer_file(str(source), str(target), StringIO(), StringIO())
    assert (found.rows, found.without, found.passed) == (1, 0, ["row"])
    header, row = target.read_bytes().splitlines()
    assert header.startswith(b"row,loss_ratio_low,")
    assert row.startswith(b"caf\xe9,0,")


def test_standard_streams() -> None:
    stdin, out = TextIOWrapper(BytesIO(b"n_senders\n2\n")), StringIO()
    assert answer_file("-", "-", stdin, out).rows == 1
    assert out.getvalue().count("\n") == 2


@pytest.mark.parametrize(
    ("source", "target"), [("gone.csv", "-"), (".", "-"), ("in.csv", "in.csv"), ("in.csv", "no/out")]
)
def test_files_that_cannot_be_used(source: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text("n_senders\n2\n")
    with pytest.raises(TableError):
        answer_file(source, target, StringIO(), StringIO())
    assert (tmp_path / "in.csv").read_text() == "n_senders\n2\n"


def test_a_table_without_rows_has_an_answer_without_rows() -> None:
    assert answered("n_senders\n") == []


def flat(found: Estimates) -> dict[str, NDArray[Any]]:
    """Return the arrays of an estimate by name."""
    bands = {"loss": found.loss, "goodput": found.goodput}
    return {
        **{f"{name}.{f.name}": getattr(band, f.name) for name, band in bands.items() for f in fields(band)},
        "paused": found.paused,
        "peak_queue": found.peak_queue,
        "victim_goodput": found.victim_goodput,
        "pfc_fires": found.pfc_fires,
        "any_loss": found.any_loss,
    }


def drawn(count: int) -> Scenarios:
    """Return scenarios of many kinds."""
    chance = np.random.default_rng(3)
    return scenarios(
        count,
        {
            "senders": chance.integers(1, 65, count),
            "rate": chance.choice([3e9, 12.5e9, 50e9], count),
            "delay": chance.uniform(1e-8, 1e-5, count),
            "headroom": chance.uniform(0, 1e5, count),
            "buffer": chance.uniform(1e6, 5e7, count),
            "lossless": chance.integers(0, 2, count),
            "pfc_sent": chance.integers(0, 2, count),
            "ignoring": chance.integers(0, 2, count),
            "marking": chance.integers(0, 2, count),
            "reacting": chance.integers(0, 2, count),
            "kmin": 1e5,
            "kmax": 4e5,
            "pmax": 0.2,
        },
    )


def test_chunks_change_nothing() -> None:
    many = drawn(2 * CHUNK + 5)
    with np.errstate(all="ignore"):
        whole = estimate(many)
    for size in (CHUNK, 1000):
        parts = estimate_all(many, size)
        assert all(np.array_equal(a, b) for a, b in zip(flat(whole).values(), flat(parts).values(), strict=True))


def test_rows_do_not_depend_on_their_neighbours() -> None:
    many = drawn(200)
    whole = flat(estimate_all(many))
    alone = [flat(estimate_all(many.take(slice(row, row + 1)))) for row in range(len(many))]
    assert all(np.array_equal(whole[name], np.concatenate([each[name] for each in alone])) for name in whole)


def test_no_scenarios_at_all() -> None:
    assert len(estimate_all(scenarios(0, {})).loss.likely) == 0


def test_estimates_are_between_0_and_1_and_in_order() -> None:
    found = estimate_all(drawn(5000))
    for band in (found.loss, found.goodput):
        assert ((band.low >= 0) & (band.low <= band.likely) & (band.likely <= band.high) & (band.high <= 1)).all()
    for part in (found.paused, found.victim_goodput):
        assert ((part >= 0) & (part <= 1)).all()
    assert (found.peak_queue >= 0).all()


CELLS = st.one_of(
    st.sampled_from(["", "0", "1", "-1", "nan", "inf", "1e308", "8", "3.5", "star", "ls", "\x00", "255"]),
    st.integers(-10, 10**20).map(str),
    st.floats().map(str),
    st.text(max_size=8),
)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(sorted(INPUTS)), min_size=1, max_size=6, unique=True), st.data())
def test_any_table_is_answered_row_by_row(names: Sequence[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(CELLS, min_size=len(names), max_size=len(names)), min_size=1, max_size=5))
    text = StringIO()
    csv.writer(text).writerows([["row", *names], *([number, *cells] for number, cells in enumerate(rows))])
    found = answered(text.getvalue())
    assert [row["row"] for row in found] == [str(number) for number in range(len(rows))]
    for row in found:
        numbers = [float(row[name]) for name in RESULTS if row[name]]
        assert (len(numbers), bool(row[ERROR])) in {(0, True), (len(RESULTS), False)}
        assert all(np.isfinite(numbers))


def test_the_page_of_columns_lists_each_with_its_default() -> None:
    page = (FOLDER / "COLUMNS.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| (\w+) \| (\S+) \|", page, re.MULTILINE))
    del listed["column"]
    special = {"topo": "star", "lossless_mask": "8", "host_pg": "3"}
    assert listed == special | {name: f"{column.default:.10g}" for name, column in COLUMNS.items()}
    assert all(f"`{name}`" in page for name in (*NOT_MODELLED, *RESULTS, ERROR))


def test_the_example_shows_a_sound_row_two_faults_and_an_error() -> None:
    rows = {row["name"]: row for row in answered((FOLDER / "incasts.csv").read_text(encoding="utf-8"))}
    assert [row["any_loss"] for row in rows.values()] == ["0", "1", "1", ""]
    assert rows["thresholds swapped"][ERROR] == "kmin_bytes is above kmax_bytes"
