"""JSON whose members are joined wrongly is read with an error at each wrong joint."""

import json
import random
import re

import pytest

from auditor.model.dump import Capture, LineState
from auditor.systems import systems
from auditor.view.port_view import device_view

TABLES = {
    "PORT": {f"Ethernet{n}": {"lanes": str(n), "speed": "400000", "admin_status": "up"} for n in (0, 8, 16)},
    "PORT_QOS_MAP": {f"Ethernet{n}": {"pfc_enable": "2,5", "dscp_to_tc_map": "STO"} for n in (0, 8, 16)},
    "DSCP_TO_TC_MAP": {"STO": {str(dscp): str(dscp // 8) for dscp in range(64)}},
}
WHOLE = json.dumps(TABLES, indent=1)
MISSING, TRAILING = "JSON: no comma between two members", "JSON: a comma before a closing bracket"


def _read(text: str) -> tuple[object, list[tuple[int, str]]]:
    device = systems()["sonic"].parse("leaf", "leaf", [Capture("leaf.json", tuple(text.split("\n")))])
    view = device_view(device).model_dump(mode="json")
    ports = [{name: port[name] for name in ("name", "pfc_priorities", "dscp_to_class")} for port in view["ports"]]
    assert any(state is LineState.MODELLED for dump in device.dumps for state in dump.states)
    return ports, [(doubt.where.line, doubt.why) for doubt in device.doubts if doubt.fatal]


def _break(text: str, seed: int) -> tuple[str, list[tuple[int, str]]]:
    """Return *text* with some commas missing and some too many, and the lines of these."""
    chance = random.Random(seed)
    lines = text.split("\n")
    wrong = []
    for index, line in enumerate(lines[:-1]):
        if chance.random() < 0.8:
            continue
        if line.endswith(","):
            lines[index] = line[:-1]
            wrong.append((index + 1, MISSING))
        elif re.match(r"\s*[]}]", lines[index + 1]):
            lines[index] = f"{line},"
            wrong.append((index + 1, TRAILING))
    return "\n".join(lines), wrong


@pytest.mark.parametrize("seed", range(12))
def test_all_members_are_read_over_wrong_joints_and_each_is_an_error(seed: int) -> None:
    text, wrong = _break(WHOLE, seed)
    assert wrong
    assert _read(text) == (_read(WHOLE)[0], wrong)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (WHOLE.replace('"lanes": "8",', '"lanes" "8",'), 9),
        (WHOLE.replace('"lanes": "8",', '"lanes": "8",,'), 9),
        (WHOLE + "\n" + WHOLE, WHOLE.count("\n") + 2),
    ],
    ids=["no colon", "two commas", "two documents"],
)
def test_what_may_mean_several_things_is_not_read(text: str, line: int) -> None:
    assert [number for number, _ in _read(text)[1]] == [line]


def test_dots_for_the_rows_left_out_leave_an_error_where_they_stood() -> None:
    members = (
        WHOLE[1:-1].strip("\n").replace("\n },", "\n  .....\n },", 1).replace('"up"\n  }\n  ...', '"up"\n  },\n  ...')
    )
    ports, wrong = _read(members)
    assert ports == _read(WHOLE)[0]
    assert wrong == [(members.split("\n").index("  ....."), TRAILING)]
