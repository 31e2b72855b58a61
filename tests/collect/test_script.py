"""The collect script under real shells: with tools that print what the vendors' do, without any, and hanging ones."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.collect.script import build_script
from auditor.model.dump import Capture
from auditor.systems import systems
from auditor.systems.linux.show import SCRIPTED

ROOT = Path(__file__).parents[2]
HOST = ROOT / "fixtures" / "fabric-clean" / "host1"
HIDDEN = "correct-horse-battery-staple"
NICS = {"ens1f0np0": ("mlx5_0", "0000:1b:00.0"), "ens2f0np0": ("mlx5_1", "0000:9d:00.0")}
SHELLS = [["sh"], ["dash"], ["bash", "--posix"]]
Run = Callable[..., tuple[int, str, str]]


def text(name: str) -> str:
    return (HOST / name).read_text(encoding="utf-8")


def outputs() -> dict[str, str]:
    """Return what each command prints on a host with two NICs of NVIDIA."""
    found = {name: text(f"{name.replace(' ', '_')}.txt") for name in ("ibdev2netdev", "show_gids", "ibv_devinfo -v")}
    found |= {name: text(f"{name.replace(' ', '_')}.txt") for name in ("ip -j -d link", "rdma -j link")}
    found |= {"lldpctl -f json0": text("lldpctl_-f_json0.txt"), "uname -n": "host1\n"}
    for netdev, (rdma, pci) in NICS.items():
        found |= {f"{tool} {netdev}": text(f"{tool.replace(' ', '_')}_{netdev}.txt") for tool in ETHTOOL}
        found[f"mlnx_qos -i {netdev}"] = text(f"mlnx_qos_-i_{netdev}.txt")
        found[f"mlxconfig -d {pci} -e q"] = text(f"mlxconfig_-d_{rdma}_-e_q.txt")
    return found


ETHTOOL = ("ethtool", "ethtool -a", "ethtool -i")
# These stand for tools that are there and fail.
FAILING = {
    "dcb": ("RTNETLINK answers: Operation not supported", 1),
    "systemctl": ("inactive", 3),
    "mlxlink": ("-E- Failed to open device", 1),
    "ip": ("Object is unknown", 255),
    "uname": ("usage: uname", 1),
}
ABSENT = ("lspci", "lldptool", "tc", "devlink", "sysctl", "ofed_info", "mst", "mlxreg", "rdma", "ethtool")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder of tools that print what they would on the host."""
    folder = tmp_path / "bin"
    folder.mkdir()
    printed: dict[str, dict[str, str]] = {}
    for command, output in outputs().items():
        printed.setdefault(command.split()[0], {})[command] = output
    for tool in {*printed, *FAILING, *ABSENT}:
        message, status = FAILING.get(tool, (f"{tool}: command not found", 127))
        cases = [
            f"{shlex.quote(command)}) printf %s {shlex.quote(output)} ;;"
            for command, output in printed.get(tool, {}).items()
        ]
        stub(
            folder,
            tool,
            "\n".join([f'case "{tool}${{1:+ }}$*" in', *cases, f"*) echo '{message}'; exit {status};;", "esac"]),
        )
    return folder


def stub(folder: Path, tool: str, body: str) -> None:
    path = folder / tool
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    """Return a root with /sys of that host, with virtual interfaces, a virtual function and secrets beside it."""
    root = tmp_path / "host"
    network, drivers = root / "sys/class/net", root / "sys/bus/pci/drivers"
    for folder in (network, drivers / "mlx5_core", drivers / "igb", root / "sys/class/infiniband", root / "etc"):
        folder.mkdir(parents=True)
    for netdev, (rdma, pci) in NICS.items():
        device = device_of(root, netdev, pci, "mlx5_core")
        traffic_class = device / "infiniband" / rdma / "tc" / "1" / "traffic_class"
        traffic_class.parent.mkdir(parents=True)
        traffic_class.write_text(text(f"cat_sys_class_infiniband_{rdma}_tc_1_traffic_class.txt"))
        (device / "infiniband" / rdma / "device").symlink_to("../..")
        (root / "sys/class/infiniband" / rdma).symlink_to(device / "infiniband" / rdma)
        for line in text(f"grep_-r_._sys_class_net_{netdev}_ecn_.txt").splitlines():
            path, _, value = line.partition(":")
            file = device / "net" / path.removeprefix("/sys/class/net/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{value}\n")
    device_of(root, "eno1", "0000:01:00.0", "igb")
    (device_of(root, "ens1f0v0", "0000:1b:00.2", "mlx5_core") / "physfn").mkdir()
    (device_of(root, "ens1f0np0_1", "0000:1b:00.0", "mlx5_core") / "net/ens1f0np0_1/phys_port_name").write_text(
        "pf0vf1\n"
    )
    for name in ("lo", "-x", "a b", "$(id)", "bond0"):
        (network / name).mkdir()
    (root / "etc/shadow").write_text(f"root:{HIDDEN}:1:0:99999:7:::\n")
    (root / "etc/nccl.conf").write_text("NCCL_IB_TC=106\n")
    return root


def device_of(root: Path, netdev: str, pci: str, driver: str) -> Path:
    device = root / "sys/devices/pci0000:00" / pci
    (device / "net" / netdev).mkdir(parents=True)
    if not (device / "driver").is_symlink():
        (device / "driver").symlink_to(f"../../../bus/pci/drivers/{driver}")
    (device / "net" / netdev / "device").symlink_to("../..")
    (root / "sys/class/net" / netdev).symlink_to(device / "net" / netdev)
    return device


def collect(
    shell: list[str], *arguments: str, tools: Path | None = None, **environment: object
) -> tuple[str, str, int]:
    """Run the script as `ssh HOST sh -s` does, and return transcript, standard error and exit status."""
    path = f"{tools}{os.pathsep}{os.environ['PATH']}" if tools else os.environ["PATH"]
    done = subprocess.run(
        [*shell, "-s", *(["--", *arguments] if arguments else [])],
        input=build_script(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": path} | {name: str(value) for name, value in environment.items()},
    )
    return done.stdout, done.stderr, done.returncode


def commands(transcript: str) -> list[str]:
    return re.findall(r"^\$ (.*)$", transcript, re.MULTILINE)


def ports(run: Run, path: Path) -> object:
    status, out, err = run("show", path)
    assert (status, err) == (0, "")
    (device,) = json.loads(out)["devices"]
    return device["name"], device["ports"]


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_the_transcript_says_what_the_captures_say(
    run: Run, tmp_path: Path, tools: Path, sysfs: Path, shell: list[str]
) -> None:
    before = sorted(sysfs.rglob("*"))
    transcript, err, status = collect(shell, tools=tools, COLLECT_ROOT=f"{sysfs}/")
    assert status == 0
    path = tmp_path / "host1.txt"
    path.write_text(transcript, encoding="utf-8")
    assert ports(run, path) == ports(run, HOST)
    assert HIDDEN not in transcript + err
    assert sorted(sysfs.rglob("*")) == before
    assert str(sysfs) not in transcript + err
    named = {word for command in commands(transcript) for word in command.split()}
    assert named.isdisjoint({"lo", "eno1", "ens1f0v0", "ens1f0np0_1", "bond0", "-x", "$(id)"})
    assert run("check", path)[0] == 0


def test_what_was_not_read_is_told_with_its_reason(tools: Path, sysfs: Path) -> None:
    stub(tools, "id", "echo 1000")
    (tools / "lldpctl").unlink()
    stub(tools, "show_gids", "echo 'Traceback: no module'; exit 1")
    stub(tools, "mlxlink", "echo 'Permission denied'; exit 1")
    shutil.rmtree(sysfs / "sys/class/net/ens2f0np0/ecn")
    transcript, err, _ = collect(["dash"], tools=tools, COLLECT_ROOT=sysfs)
    if not shutil.which("lldpctl"):
        assert "$ lldpctl\nlldpctl: command not found\nrc=127\n" in transcript
        assert "not read: lldpctl: the tool is not installed\n" in err
    assert "not read: show_gids: exit status 1: Traceback: no module\n" in err
    assert "not read: mlxlink -d 0000:1b:00.0: exit status 1: Permission denied; it needs root\n" in err
    assert "not read: grep -r . /sys/class/net/ens2f0np0/ecn/: exit status 2" in err
    assert "not there: /sys/kernel/config/rdma_cm/mlx5_0\n" in err
    assert "systemctl" not in err
    told = re.search(r"^(\d+) could not be read$", err, re.MULTILINE)
    assert told
    assert int(told[1]) == err.count("not read: ")


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
@pytest.mark.parametrize("is_old", [False, True], ids=["", "old timeout"])
def test_a_tool_that_hangs_is_ended(tools: Path, sysfs: Path, shell: list[str], *, is_old: bool) -> None:
    if is_old:  # it cannot end a tool politely first
        stub(tools, "timeout", 'case $1 in -k) exit 125;; esac; exec "$REAL" "$@"')
    stub(tools, "mlnx_qos", "echo begun; sleep 60")
    start = time.monotonic()
    real = str(shutil.which("timeout"))
    transcript, err, _ = collect(shell, "ens1f0np0", tools=tools, COLLECT_ROOT=sysfs, COLLECT_SECONDS=1, REAL=real)
    assert time.monotonic() - start < 50
    assert "not read: mlnx_qos -i ens1f0np0: timed out after 1 s\n" in err
    assert "begun\nmlnx_qos: timed out after 1 s\n" in transcript


def test_what_a_hanging_tool_would_have_told_is_open(run: Run, tmp_path: Path, tools: Path, sysfs: Path) -> None:
    stub(tools, "mlnx_qos", "sleep 60")
    transcript, _, _ = collect(["sh"], "ens1f0np0", tools=tools, COLLECT_ROOT=sysfs, COLLECT_SECONDS=1)
    path = tmp_path / "host1.txt"
    path.write_text(transcript, encoding="utf-8")
    assert "mlnx_qos -i ens1f0np0: mlnx_qos: timed out after 1 s" in run("show", "--state", path)[1]


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_this_machine_is_read_whatever_it_has(run: Run, tmp_path: Path, shell: list[str]) -> None:
    transcript, _, status = collect(shell, COLLECT_SECONDS=5)
    assert status == 0
    path = tmp_path / "here.txt"
    path.write_text(transcript, encoding="utf-8")
    status, out, _ = run("check", "--format", "json", path)
    problems = [problem["message"].partition(":")[0] for problem in json.loads(out)["problems"]]
    assert status in {0, 1} or problems == ["no rule judged anything"]
    status, out, _ = run("show", path)
    assert json.loads(out)["devices"][0]["name"] == os.uname().nodename


def test_only_the_interfaces_that_were_named_are_read(tools: Path, sysfs: Path) -> None:
    transcript, _, _ = collect(["sh"], "ens2f0np0", tools=tools, COLLECT_ROOT=sysfs)
    assert "mlnx_qos -i ens2f0np0" in commands(transcript)
    assert "mlnx_qos -i ens1f0np0" not in commands(transcript)


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["ens9"], {}, "no interface ens9"),
        (["../../etc"], {}, "no interface ../../etc"),
        ([".."], {}, "no interface .."),
        ([], {"COLLECT_SECONDS": "0"}, "COLLECT_SECONDS: expected a number from 1"),
        ([], {"COLLECT_SECONDS": "1; reboot"}, "COLLECT_SECONDS: expected a number"),
        ([], {"COLLECT_ROOT": "host"}, "COLLECT_ROOT: expected a path from /"),
        ([], {"COLLECT_ROOT": "/a|b"}, "COLLECT_ROOT: expected letters"),
    ],
)
def test_what_makes_no_sense_is_told(arguments: list[str], environment: dict[str, Any], message: str) -> None:
    transcript, err, status = collect(["sh"], *arguments, **environment)
    assert (transcript, status) == ("", 2)
    assert message in err


def test_adapters_of_broadcom_are_asked_by_number(tools: Path, sysfs: Path) -> None:
    driver = sysfs / "sys/devices/pci0000:00/0000:01:00.0/driver"
    driver.unlink()
    driver.symlink_to("../../../bus/pci/drivers/bnxt_en")
    (sysfs / "sys/bus/pci/drivers/bnxt_en").mkdir()
    stub(tools, "niccli", 'case $1 in --list*) echo " 1) Broadcom BCM57608 (Adp#1)"; echo "2) Broadcom";; esac')
    transcript, _, _ = collect(["sh"], "eno1", tools=tools, COLLECT_ROOT=sysfs)
    asked = [command for command in commands(transcript) if command.startswith("niccli")]
    assert asked[0] == "niccli --list_devices"
    assert [each for each in asked if "qos" in each] == [f"niccli --dev {n} qos --ets --show" for n in (1, 2)]
    assert {each.split()[2] for each in asked[1:]} == {"1", "2"}
    assert "mlnx_qos" not in transcript


def test_without_a_bound_nothing_is_run(tools: Path, sysfs: Path) -> None:
    stub(tools, "timeout", "exit 127")
    transcript, err, status = collect(["dash"], tools=tools, COLLECT_ROOT=sysfs)
    assert (transcript, status) == ("", 2)
    assert err.startswith("no timeout ")


def test_an_output_without_an_end_of_line_ends_before_the_next_command(tools: Path, sysfs: Path) -> None:
    stub(tools, "show_gids", "printf 'DEV'")
    transcript, _, _ = collect(["dash"], tools=tools, COLLECT_ROOT=sysfs)
    assert "\n$ show_gids\nDEV\n$ " in transcript


def test_a_tool_that_asks_gets_no_answer(tools: Path, sysfs: Path) -> None:
    stub(tools, "show_gids", 'read -r answer; echo "asked: $answer"')
    transcript, _, status = collect(["dash"], tools=tools, COLLECT_ROOT=sysfs)
    assert status == 0
    assert "asked: \n" in transcript


@pytest.mark.parametrize("form", [form for each in SCRIPTED for form in each.forms])
def test_every_command_is_one_that_is_known(form: str) -> None:
    named = {"netdev": "ens1", "rdma": "mlx5_0", "pci": "0000:1b:00.0", "adapter": "1"}
    capture = Capture("x.txt", (), form.format(**named))
    assert systems()["linux"].recognise(capture)
    assert [name for name, parser in systems().items() if name != "linux" and parser.recognise(capture)] == []


def test_every_command_only_reads_and_says_what_for() -> None:
    changing = re.compile(
        r"cma_roce|mst start|modprobe |mkdir|(?:^| )set(?: |$)|-A |-L |-s |--set|sysctl -w|tee|>|apply.*="
    )
    forms = [form for each in SCRIPTED for form in each.forms]
    assert [form for form in forms if changing.search(form)] == []
    assert all(each.why for each in SCRIPTED)
    assert {form.split()[0] for form in forms if "/etc/" in form} == {"cat", "grep"}


def test_the_script_is_clean_of_what_shellcheck_finds(run: Run) -> None:
    status, out, _ = run("collect-script")
    assert (status, out) == (0, build_script())
    shellcheck = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([shellcheck, "-s", "sh", "-"], input=out, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
