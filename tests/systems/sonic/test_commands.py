"""Commands of a SONiC shell that nothing can be said of leave the database without an answer, never a traceback."""

import json
from typing import Any

import pytest

from auditor.model.dump import Capture
from auditor.systems.sonic.commands import apply_commands

DATABASE = {"PORT": {"Ethernet0": {"mtu": "1500"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": 3}}}


def _apply(line: str, database: Any) -> Any:  # noqa: ANN401  JSON
    lines = tuple(json.dumps(database, indent=4).split("\n"))
    applied = apply_commands([line], (Capture("config_db.json", lines),))
    return None if applied is None else json.loads("\n".join(applied[0].lines))


def test_a_command_changes_its_row() -> None:
    assert _apply("sudo config interface mtu Ethernet0 9100", DATABASE)["PORT"]["Ethernet0"]["mtu"] == "9100"
    paused = _apply("sudo config interface pfc priority Ethernet0 4 on", DATABASE)["PORT_QOS_MAP"]["Ethernet0"]
    assert paused["pfc_enable"] == "3,4"


@pytest.mark.parametrize("line", ["sudo config interface mtu Ethernet'0 9100", 'sonic-db-cli CONFIG_DB del "PORT|x'])
def test_a_quote_that_does_not_close(line: str) -> None:
    assert _apply(line, DATABASE) is None


@pytest.mark.parametrize("row", ["text", None, ["Ethernet0"], 3])
def test_a_row_without_fields(row: object) -> None:
    assert _apply("sonic-db-cli CONFIG_DB hset 'PORT|Ethernet0' mtu 9100", {"PORT": {"Ethernet0": row}}) is None
