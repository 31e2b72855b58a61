"""Causes of several ports: the lines shown are those of one, and the report says at how many others they are typed."""

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
NVUE = """\
nv set system hostname leaf1
nv set qos pfc default-global switch-priority 3
nv set qos pfc default-global tx enable
nv set qos pfc default-global rx enable
"""


@pytest.mark.parametrize("ports", [1, 2, 5])
def test_lines_for_one_of_several_ports_say_so(run: Run, tmp_path: Path, ports: int) -> None:
    names = [f"swp{number}" for number in range(1, ports + 1)]
    lines = [f"nv set interface {name} qos pfc profile default-global" for name in names]
    dump = tmp_path / "leaf1.txt"
    dump.write_text(NVUE + "\n".join(lines) + "\n", encoding="utf-8")
    _, out, _ = run("check", dump, "--no-cache")
    assert out.count("pfc-watchdog state enable") == 1
    others = {1: "", 2: "likewise at 1 other port: ", 5: "likewise at 4 other ports: "}[ports]
    assert others in out
    assert ("likewise" in out) == (ports > 1)
    _, plan, _ = run("fix", dump, "--no-cache")
    assert all(f"nv set interface {name} qos pfc-watchdog state enable" in plan for name in names)
