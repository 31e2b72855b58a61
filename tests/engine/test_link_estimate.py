"""The estimate of one link in Python: the numbers of the command, by names with units."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from conftest import Run

import auditor
from auditor.estimate.units import two_digits

ASKED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "the speed alone": ({"speed_gbps": 400}, ["--speed", "400G"]),
    "all values": (
        {
            "speed_gbps": 100,
            "cable_m": 100,
            "incast": 16,
            "message_bytes": 4e6,
            "headroom_bytes": 20e3,
            "buffer_bytes": 16e6,
            "alpha": 1 / 8,
            "response_s": 1e-6,
            "pfc": "ignored",
            "ecn": (150e3, 1500e3, 0.1),
            "dcqcn": False,
            "mtu_bytes": 1024,
            "exposed_fraction": 0.5,
        },
        [
            *("--speed", "100G", "--cable", "100m", "--incast", "16", "--message", "4MB", "--headroom", "20KB"),
            *("--buffer", "16MB", "--alpha", "1/8", "--response", "1us", "--pfc", "ignored", "--dcqcn", "off"),
            *("--ecn", "150KB,1500KB,10%", "--mtu", "1024", "--exposed", "50%"),
        ],
    ),
    "an ASIC": (
        {"speed_gbps": 400, "asic": "Tomahawk 4", "pfc": "off"},
        ["--speed", "400G", "--asic", "Tomahawk 4", "--pfc", "off"],
    ),
}


@pytest.mark.parametrize(("settings", "arguments"), ASKED.values(), ids=ASKED)
def test_numbers_are_those_of_the_command(settings: dict[str, Any], arguments: list[str], run: Run) -> None:
    document = json.loads(run("estimate", *arguments, "--format", "json")[1])
    found = auditor.estimate_link(**settings)
    plain = json.loads(json.dumps(asdict(found)))
    bands = {**document["estimate"], "gpu_hours_per_day": document["cost"]["gpu_hours_per_day"]}
    for name, band in bands.items():
        assert {end: two_digits(value) for end, value in plain[name].items()} == band, name
    assert plain["inputs"] == {
        each["name"]: {end: each[end] for end in ("low", "likely", "high", "why")} for each in document["inputs"]
    }
    assert plain["assumptions"] == document["assumptions"]
    assert found.matters_most == (document["matters_most"] and document["matters_most"]["name"])
    assert found.headroom_needed_bytes == document["headroom"]["likely"]["total_bytes"]
    assert found.headroom_needed_at_most_bytes == document["headroom"]["at_most"]["total_bytes"]


def test_a_row_is_flat_and_rows_are_a_table() -> None:
    rows = [auditor.estimate_link(speed_gbps=400, cable_m=metres, headroom_bytes=60e3).to_dict() for metres in (5, 400)]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert all(value is None or isinstance(value, str | float) for row in rows for value in row.values())
    assert rows[0]["loss_ratio"] == 0
    short, long = (float(row["headroom_needed_bytes"] or 0) for row in rows)
    assert 0 < short < long


def test_a_simulation_replaces_closed_forms() -> None:
    asked: dict[str, Any] = {"speed_gbps": 100, "incast": 2, "message_bytes": 100e3, "pfc": "off"}
    closed, simulated = (auditor.estimate_link(**asked, simulate=each, seeds=2) for each in (False, True))
    assert closed != simulated


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no speed": ({"speed_gbps": 0}, "speed_gbps is 0; expected a number above 0"),
    "no number": ({"cable_m": float("nan")}, "cable_m is nan"),
    "a text": ({"incast": "8"}, "incast is '8'"),
    "a negative headroom": ({"headroom_bytes": -1}, "headroom_bytes is -1; expected a number 0 or more"),
    "a share above 1": ({"exposed_fraction": 20}, "from 0 to 1"),
    "a state that PFC has not": ({"pfc": "ignore"}, "did you mean ignored"),
    "a curve of two values": ({"ecn": (1, 2)}, "ecn has 2 values"),
    "a curve that falls": ({"ecn": (5, 2, 0.1)}, "Kmin <= Kmax"),
    "an odd MTU": ({"mtu_bytes": 1500}, "an MTU of 1500 bytes"),
    "no such ASIC": ({"asic": "Tomahawc"}, "did you mean Tomahawk"),
    "a switch beyond the model": ({"asic": "Jericho 2"}, "no estimate: .*VOQ"),
    "too many seeds": ({"simulate": True, "seeds": 10**9}, "expected a whole number of at most"),
}


@pytest.mark.parametrize(("settings", "message"), WRONG.values(), ids=WRONG)
def test_wrong_values_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(auditor.CannotAudit, match=message):
        auditor.estimate_link(**{"speed_gbps": 400, **settings})
