"""The rows of the library in pandas and polars: each table is a frame at once, and its columns keep their types."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from conftest import Run

import auditor

pytestmark = pytest.mark.read_once

ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
HOSTS = ("host1", "host5")
Rows = list[dict[str, Any]]
TABLES: Mapping[str, Callable[[auditor.Report, auditor.FabricSnapshot], Rows]] = {
    "findings": lambda report, _: report.to_dicts(),
    "causes": lambda report, _: report.list_causes(),
    "devices": lambda _, fabric: fabric.devices(),
    "ports": lambda _, fabric: fabric.ports(),
    "queues": lambda _, fabric: fabric.queues(),
    "priority groups": lambda _, fabric: fabric.priority_groups(),
    "classes": lambda _, fabric: fabric.classes(),
    "classifiers": lambda _, fabric: fabric.classifiers(),
    "maps": lambda _, fabric: fabric.maps(),
    "links": lambda _, fabric: fabric.links(),
    "paths": lambda _, fabric: fabric.paths(*HOSTS),
}


@pytest.fixture(scope="module")
def report() -> auditor.Report:
    return auditor.audit(FABRIC, auditor.Options(jobs=1))


@pytest.fixture(scope="module")
def fabric() -> auditor.FabricSnapshot:
    return auditor.load(FABRIC, auditor.Options(jobs=1))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_a_frame(report: auditor.Report, fabric: auditor.FabricSnapshot, name: str) -> None:
    rows = TABLES[name](report, fabric)
    frame, fast = pd.DataFrame(rows), pl.DataFrame(rows, infer_schema_length=None)
    assert frame.columns.tolist() == fast.columns == [*rows[0]]
    assert len(frame) == fast.height == len(rows) > 0
    assert fast.to_dicts() == rows
    assert json.loads(json.dumps(rows)) == rows


def test_causes_join_findings(report: auditor.Report) -> None:
    causes, findings = pd.DataFrame(report.list_causes()), pd.DataFrame(report.to_dicts())
    failed = findings[findings["kind"] == "fail"]
    joined = failed.merge(causes, left_on="cause", right_on="id", suffixes=("", "_of_cause"))
    assert len(joined) == len(failed) == causes["findings"].map(len).sum()
    assert joined["cause"].nunique() == len(report.causes)
    apart = causes.explode("findings")
    assert dict(zip(apart["findings"], apart["id"], strict=True)) == dict(
        zip(failed["fingerprint"], failed["cause"], strict=True)
    )


def test_causes_are_those_of_the_json_report(report: auditor.Report, run: Run) -> None:
    document = json.loads(run("check", FABRIC, "--format", "json", "--no-cache")[1])
    for row, cause in zip(report.list_causes(), document["causes"], strict=True):
        flat = {**cause, **{f"remedy_{name}": value for name, value in (cause["remedy"] or {}).items()}}
        costs = cause["cost"]["costs"] if cause["cost"] else []
        lost = costs[0]["goodput_lost"] if costs else {}
        flat |= {"goodput_lost": lost.get("likely"), "owners": cause.get("owners", [])}
        shared = {"remedy_text", "hosts", "jobs", "message", "level", "devices", "template"} | {*row} & {*flat}
        assert {name: row[name] for name in shared} == {name: flat.get(name) for name in shared}
        assert {*row} - {*flat} <= {"goodput_lost_low", "goodput_lost_high", "has_spread", *_REMEDY}


_REMEDY = {"remedy_os", "remedy_text", "remedy_lasts", "remedy_maintenance_window"}


def test_paths_are_those_of_the_command(fabric: auditor.FabricSnapshot, run: Run) -> None:
    document = json.loads(run("path", *HOSTS, FABRIC, "--format", "json", "--no-cache")[1])
    wanted = [
        {
            **hop,
            "packet": trace["packet"],
            "job": None,
            **{f"{end}_{name}": trace[end][name] for end in ("start", "goal") for name in ("device", "port")},
            "reaches_goal": trace["reaches_goal"],
            "at_device": hop["at"]["device"],
            "at_port": hop["at"]["port"],
            "exits": [end["port"] for end in hop["exits"]],
        }
        for trace in document["traces"]
        for hop in trace["hops"]
    ]
    for hop in wanted:
        del hop["at"]
    rows = fabric.paths(*HOSTS)
    assert rows == wanted
    assert {row["at_device"] for row in rows} > {*HOSTS}


def test_a_path_of_an_unknown_host_is_refused(fabric: auditor.FabricSnapshot) -> None:
    with pytest.raises(auditor.CannotAudit, match="no-such-host"):
        fabric.paths("no-such-host", "host5")


def test_thresholds_of_a_fleet(fabric: auditor.FabricSnapshot) -> None:
    """A question of a notebook: the queues that mark from another length on than most."""
    marking = pl.DataFrame(fabric.queues(), infer_schema_length=None).filter(pl.col("ecn"))
    counts = marking.group_by("ecn_min_bytes").len().sort("len", descending=True)
    usual = counts["ecn_min_bytes"][0]
    odd = marking.filter(pl.col("ecn_min_bytes") != usual)
    rows = [row for row in fabric.queues() if row["ecn"] and row["ecn_min_bytes"] != usual]
    assert odd.height == len(rows)
    assert counts["len"].sum() == marking.height > 0
