"""Facts of free text: each sign on a line of its kind, limits, addresses, GID tables, selectors, resources."""

import re
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from auditor.model.dump import Capture
from auditor.model.text_facts import TextFacts
from auditor.systems.jobs.show import has_facts, recognise
from auditor.systems.jobs.signs import load_signs
from auditor.systems.jobs.text import read_text

LINES: dict[str, str] = yaml.safe_load((Path(__file__).parent / "lines.yaml").read_text(encoding="utf-8"))
"""A line, or several, for each sign, with values that no page has."""


def read(text: str, command: str = "") -> TextFacts:
    return read_text([Capture("log.txt", tuple(text.split("\n")), command, 2 if command else 1)])


def test_each_sign_has_a_line() -> None:
    assert set(LINES) == set(load_signs())


@pytest.mark.parametrize("name", LINES)
def test_a_line_bears_its_sign_and_no_other(name: str) -> None:
    assert [entry.sign for entry in read(LINES[name]).entries] == [name]
    assert has_facts(Capture("", tuple(LINES[name].split("\n"))))


@pytest.mark.parametrize("name", LINES)
def test_the_texts_of_a_sign_name_groups_of_its_pattern(name: str) -> None:
    sign = load_signs()[name]
    named = set(re.findall(r"\{(\w+)\}", sign.cause + sign.check))
    assert named <= set(sign.sought.groupindex)
    assert sign.references
    assert sign.after in {"", *load_signs()}


@pytest.mark.parametrize("name", LINES)
def test_a_sign_is_found_between_other_lines(name: str) -> None:
    (entry,) = read(f"x\n\n{LINES[name]}\ny").entries
    lines = 2 + LINES[name].count("\n")
    assert 3 <= (entry.where.line or 0) <= 1 + lines


@given(st.sampled_from(sorted(LINES)), st.integers(1, 5))
def test_equal_lines_count_once(name: str, times: int) -> None:
    (entry,) = read("\n".join([LINES[name]] * times)).entries
    assert entry.count == times


def test_a_format_string_of_a_source_is_no_log() -> None:
    assert not read('WARN("NET/IB : Unable to open device %s", name);').entries


@pytest.mark.parametrize("line", ["ibv_reg_mr " * 5000, "Got completion " * 9000, "lane[1]: 1:" * 9000])
def test_long_lines_are_searched_in_linear_time(line: str) -> None:
    start = time.process_time()
    read(f"{line}\nCannot allocate memory\nPlease set max locked memory")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("text", "command", "expected"),
    [
        ("ulimit -l\n8192", "", [8192]),
        ("$ ulimit -l\nunlimited", "", [None]),
        ("64", "ulimit -l", [64]),
        ("64", "bash -c 'ulimit -l'", [64]),
        ("ulimit -l\n\n65536", "", [65536]),
        ("ulimit -l unlimited\n7", "", []),
        ("max locked memory       (kbytes, -l) 64", "", [64]),
        ("max locked memory           (kbytes, -l) unlimited", "", [None]),
        ("-l: locked-in-memory size (kbytes) 96", "", [96]),
        ("Max locked memory         65536                131072               bytes", "", [64]),
        ("MEMLOCK    max locked-in-memory address space     65536     65536 bytes", "", [64]),
        ("* soft memlock unlimited\n@hpc hard memlock 1024 # kib", "", [None, 1024]),
        ("# * soft memlock 64", "", []),
        ("LimitMEMLOCK=64M\nDefaultLimitMEMLOCK=infinity", "", [65536, None]),
        ("docker run --ulimit memlock=-1:-1 x\ndocker run --ulimit=memlock=65536 x", "", [None, 64]),
        ("ulimit -l\nbash: ulimit: -l: cannot modify limit", "", []),
    ],
)
def test_limits_of_locked_memory(text: str, command: str, expected: list[int | None]) -> None:
    assert [limit.kib for limit in read(text, command).limits] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "resources:\n- name: a\n  ifNames: [ens1, ens2]\n- name: b\n  vendors: [15b3]",
            [("a", "ens1 ens2"), ("b", "15b3")],
        ),
        ("> - name: a\n>   ifNames: [ens1]", [("a", "ens1")]),
        ("- name: a\n  ifNames:\n  - ens1\n  - ens2", [("a", "ens1 ens2")]),
        ('"resourceName": "a",\n"selectors": {\n"vendors": ["15b3"],\n"deviceIDs": ["1017"]\n}', [("a", "15b3 1017")]),
        (
            '"resourceName": "a",\n"ifNames": ["e1"]\n},{\n"resourceName": "b",\n"ifNames": ["e2"]',
            [("a", "e1"), ("b", "e2")],
        ),
        ("metadata:\n  name: p\nspec:\n  nicSelector:\n    vendor: '15b3'\n  resourceName: r", [("r", "15b3")]),
        ("- name: a\n  # ifNames: [ens1]", []),
    ],
)
def test_selectors(text: str, expected: list[tuple[str, str]]) -> None:
    found = read(text).selectors
    assert [(s.resource, " ".join(" ".join(known.value) for known in s.keys.values())) for s in found] == expected


def test_resources_stand_below_what_a_node_offers() -> None:
    row = '  "rdma/pool_a": "0",'
    assert [(r.name, r.amount) for r in read(f"allocatable: {{\n{row}\n").resources] == [("rdma/pool_a", 0)]
    assert not read(f"limits: {{\n{row}\n").resources


def test_tables_without_their_heading_are_no_whole_tables() -> None:
    row = "mlx5_0  1  3  0000:0000:0000:0000:0000:ffff:0a00:0001 10.0.0.1  v2  eth1"
    assert not read(row).gid_rows
    assert [r.index for r in read(f"DEV PORT INDEX GID\n--- ---- ----- ---\n{row}").gid_rows] == [3]


def test_a_list_of_devices_that_is_cut_is_no_list() -> None:
    row = "mlx5_0 port 1 ==> eth1 (Up)"
    assert list(read(row, "ibdev2netdev").devices) == ["mlx5_0"]
    assert not read(row, "ibdev2netdev | grep eth1").devices


@pytest.mark.parametrize(
    ("text", "is_script"),
    [
        ("/opt/x/bin/mpirun -np 2 -x NCCL_IB_TC=106 ./a", True),
        ("mpiexec.hydra -genv UCX_NET_DEVICES=mlx5_0:1 ./a", True),
        ("mpiexec -n 4 -genv UCX_NET_DEVICES mlx5_0:1 ./a", True),
        ("#!/bin/bash\nNCCL_IB_TC=184 \\\nNVSHMEM_IB_TRAFFIC_CLASS=64 \\\npython3 -m x", True),
        ("#!/bin/bash\nexport NCCL_IB_HCA=mlx5_0\ntorchrun --nnodes 2 t.py", True),
        ("#!/bin/sh\nexport NCCL_IB_TC=106", False),
        ("mpirun -np 2 ./a", False),
    ],
)
def test_scripts_that_start_jobs(text: str, is_script: bool) -> None:
    assert (recognise(Capture("", tuple(text.split("\n")))) is not None) is is_script


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    read(text)


@pytest.mark.parametrize(
    ("command", "text", "netdevs"),
    [
        ("ip link", "1: lo: <LOOPBACK,UP> mtu 65536\n2: bond0.7@bond0: <UP> mtu 1500", {"lo", "bond0.7"}),
        ("sudo ip -d addr show", "2: eno1: <UP> mtu 1500", {"eno1"}),
        ("ip -br link", "eno1             UP             02:00:5e:00:00:01 <UP>", {"eno1"}),
        (
            "ip -j -d link",
            '[{"ifindex":2,"ifname":"eno1","flags":[]},{"ifindex":3,"ifname":"rail0"}]',
            {"eno1", "rail0"},
        ),
        ("ip link show dev eno1", "2: eno1: <UP> mtu 1500", set()),
        ("ip link | grep eno1", "2: eno1: <UP> mtu 1500", set()),
        ("", "2: eno1: <UP> mtu 1500", set()),
    ],
)
def test_interfaces_of_a_whole_list_alone_are_all(command: str, text: str, netdevs: set[str]) -> None:
    assert read(text, command).netdevs == netdevs
