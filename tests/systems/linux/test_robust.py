"""Nothing that a capture holds makes the parser raise, or keeps it busy."""

import csv
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.linux.commands import COMMANDS
from auditor.systems.linux.parse import parse
from auditor.systems.linux.show import recognise

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "nic"
FIXTURES = Path(__file__).parents[3] / "fixtures" / "dumps" / "linux"
RUN = [
    re.sub(r"[\[\]]", "", command.name)
    .replace("OBJECT", "pfc")
    .replace("OPTION", "-x")
    .replace("BOND", "bond0")
    .format(netdev="a", device="mlx5_0", rdma="mlx5_0", card="1")
    for command in COMMANDS
] + [
    "cat /sys/class/net/a/ecn/roce_{np,rp}/enable/*",
    "cat /sys/class/infiniband/*/tc/*/traffic_class",
    "grep -r . /sys/class/net/a/ecn",
    "lldptool -tni a",
    "cat /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/apply",
    "grep . /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/*",
    "cat /sys/kernel/debug/bnxt_re/0000:22:00.0/info",
    "cat /sys/kernel/config/irdma/rdmap1/roce_dcqcn_enable",
    "grep . /sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/*",
    "cat /sys/bus/pci/devices/0000:22:00.0/current_link_speed",
    "cat /sys/module/irdma/parameters/roce_ena",
    "nicctl show qos --json",
    "nicctl show dcqcn --json",
    "",
]
PIECES = sorted(
    {
        piece
        for file in FIXTURES.rglob("*.txt")
        for line in file.read_text().splitlines()
        for piece in (line, *re.findall(r"[\w.-]+|[^\w\s]", line))
    }
)
LINES = st.lists(
    st.one_of(
        st.text(max_size=40), st.sampled_from(PIECES), st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
    ),
    max_size=25,
)


@pytest.mark.parametrize("command", RUN)
@settings(max_examples=25)
@given(lines=LINES)
def test_any_text(command: str, lines: list[str]) -> None:
    capture = Capture("any.txt", tuple(lines), command)
    system = systems()["windows"] if command.startswith("Get-") else systems()["linux"]
    device = system.parse("host", "any", [capture])
    assert all(len(dump.states) == len(lines) for dump in device.dumps)
    recognise(capture)


@settings(max_examples=100)
@given(
    json=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["a", "lldp", "ether"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "ifname",
                        "mtu",
                        "flags",
                        "lldp",
                        "interface",
                        "chassis",
                        "port",
                        "id",
                        "prio_pfc",
                        "dscp_prio",
                        "linkinfo",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=25,
    ),
    command=st.sampled_from(
        ["ip -j link", "rdma -j link", "lldpctl -f json0", "dcb -j app show dev a", "rdma -j statistic"]
    ),
    indent=st.sampled_from([None, 2]),
)
def test_any_json(json: object, command: str, indent: int | None) -> None:
    import json as codec  # noqa: PLC0415  the argument has the name that reads best

    lines = tuple(codec.dumps(json, indent=indent).splitlines())
    parse("host", "any", [Capture("any.json", lines, command)])


@settings(max_examples=60)
@given(cut=st.integers(min_value=0, max_value=3000), file=st.sampled_from(sorted(FIXTURES.rglob("*.txt"))))
def test_truncated_dumps(cut: int, file: Path) -> None:
    lines = tuple(file.read_text()[:cut].splitlines())
    device = parse("host", "cut", [Capture(file.name, lines)])
    assert sum(len(dump.states) for dump in device.dumps) == len(lines)


HOSTILE = [
    "a" * 200_000,
    " " * 200_000,
    "/" * 100_000,
    "/sys/" * 40_000,
    "port 1 " * 30_000,
    "[" * 200_000,
    '{"a":' * 50_000,
    '"ifindex": ' * 20_000,
    "mlx5_0 (" * 30_000,
    "prio:1 dscp:" + "1," * 100_000,
    "Receive buffer size (bytes): " + " m" * 50_000,
    "1" * 100_000,
    "-d a " * 40_000,
]


@pytest.mark.guard
@pytest.mark.parametrize("line", HOSTILE, ids=[line[:8] for line in HOSTILE])
def test_hostile_lines_take_no_time(line: str) -> None:
    began = time.process_time()
    for command in (*RUN, line):
        parse("host", "hostile", [Capture("any.txt", (line, "x"), command)])
    parse("host", "hostile", [Capture(line[:250], (line,))])
    assert time.process_time() - began < 20


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the project")
def test_corpus() -> None:
    with (CORPUS / "MANIFEST.csv").open() as manifest:
        rows = list(csv.DictReader(manifest))
    for row in rows:
        file = CORPUS / row["local_path"]
        lines = tuple(file.read_text(errors="replace").splitlines())
        for command in (row["command"], re.sub(r"\s*\(.*?\)\s*$", "", row["command"]), ""):
            device = parse("host", str(file), [Capture(row["local_path"], lines, command)])
            assert len(device.dumps[0].states) == len(lines)
            assert not any(doubt.fatal for doubt in device.doubts)
