"""Over real SSH, each system: what is pulled gives the findings of the dumps that the device answers from."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Lab, Run
from openssh import Keys, Shell
from replay import CLIS, Device

from auditor.collect.platforms import list_platforms

ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
DUMPS = ROOT / "fixtures" / "dumps"
Serve = Callable[[str, Mapping[str, str | bytes]], Shell]


def findings(run: Run, path: Path) -> tuple[list[Any], list[Any]]:
    """Return what a check finds, and the whole port view, without where the files are."""
    status, out, err = run("check", path, "--format", "json", "--config", FABRIC / "roce-audit.yaml")
    report = json.loads(out)
    assert not report["problems"], report["problems"]
    assert status in {0, 1}, err
    devices = json.loads(run("show", path)[1])["devices"]
    keys = ("rule", "kind", "device", "port", "message", "line", "fingerprint")
    found = sorted([str(each[key]) for key in keys] for each in report["findings"])
    return found, [{**device, "source": ""} for device in devices]


def folder(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


NXOS = {
    "show running-config": "show_running-config.txt",
    "show lldp neighbors detail": "show_lldp_neighbors_detail.txt",
    "show interface status": "show_interface_status.txt",
}
EOS = {
    "show version": "show_version.txt",
    "show lldp neighbors detail": "show_lldp_neighbors_detail.txt",
    "show interfaces status": "show_interfaces_status.txt",
    "show priority-flow-control": "show_priority-flow-control.txt",
}


def test_nxos(lab: Lab, run: Run) -> None:
    source = FABRIC / "leaf1"
    lab.add("leaf1", Device("cisco_nxos", {c: (source / f).read_bytes() for c, f in NXOS.items()}))
    status, out, err = lab.pull()
    assert status == 0, err
    assert "leaf1" in out
    found = findings(run, lab.out)
    assert found == findings(run, source)
    assert len(found[0]) >= 2


def test_eos(lab: Lab, run: Run, tmp_path: Path) -> None:
    answers = {c: (DUMPS / "eos" / "leaf4" / f).read_bytes() for c, f in EOS.items()}
    answers["show running-config"] = (DUMPS / "eos" / "leaf1.cfg").read_bytes()
    dumps = tmp_path / "dumps" / "leaf1"
    dumps.mkdir(parents=True)
    for command, said in answers.items():
        (dumps / (command.replace(" ", "_") + ".txt")).write_bytes(said)
    lab.add("leaf1", Device("arista_eos", answers))
    status, _, err = lab.pull()
    assert status == 0, err
    found = findings(run, lab.out)
    assert found == findings(run, dumps)
    assert len(found[0]) >= 2


@pytest.mark.parametrize(
    ("system", "dump"),
    [
        ("juniper_junos", "junos/leaf1.conf"),
        ("dell_os10", "os10/leaf1.cfg"),
        ("cisco_iosxr", "iosxr/spine1.cfg"),
        ("dell_enterprise_sonic", "enterprise_sonic/leaf1.txt"),
        ("huawei_vrp", "huawei/leaf1.cfg"),
        ("hp_comware", "comware/leaf1.cfg"),
        ("aruba_aoscx", "aoscx/leaf1.cfg"),
        ("nokia_srlinux", "srlinux/leaf1.set"),
    ],
)
def test_configuration_of_other_command_lines(lab: Lab, run: Run, tmp_path: Path, system: str, dump: str) -> None:
    config = next(c.template for c in list_platforms()[system].commands if c.required)
    said = (DUMPS / dump).read_bytes()
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / (re.sub(r"[^\w.-]+", "_", config) + ".txt")).write_bytes(said)
    lab.add("leaf1", Device(system, {config: said}))
    status, _, err = lab.pull()
    assert status == 0, err
    pulled, dumped = findings(run, lab.out), findings(run, tmp_path / "dumps")
    assert pulled == dumped
    assert {device["os"] for device in pulled[1]} == {system}
    assert pulled[0]


@pytest.mark.parametrize("system", sorted(CLIS))
def test_long_output_of_each_command_line_comes_whole_and_unpaged(lab: Lab, system: str) -> None:
    config = next(c.template for c in list_platforms()[system].commands if c.required)
    said = b"".join(b"! line %d of a configuration that is longer than a page\n" % n for n in range(2000))
    device = Device(system, {config: said})
    lab.add("switch1", device)
    status, out, err = lab.pull()
    assert (status, "complete" in out) == (0, True), err
    (file,) = (path for path in (lab.out / "switch1").iterdir() if path.suffix == ".txt")
    assert file.read_bytes() == said
    lines = {*list_platforms()[system].session, *(c.template for c in list_platforms()[system].commands)}
    assert set(device.heard) <= lines
    assert device.logins == ["audit/Corr3ct-Horse"]


HOST = {
    "hostname": "hostname.txt",
    "ip -j -d link": "ip_-j_-d_link.txt",
    "ibdev2netdev": "ibdev2netdev.txt",
    "rdma -j link": "rdma_-j_link.txt",
    "ibv_devinfo -v": "ibv_devinfo_-v.txt",
    "show_gids": "show_gids.txt",
    "lldpctl -f json0": "lldpctl_-f_json0.txt",
}
OF_PORT = ("ethtool", "ethtool_-a", "ethtool_-i", "mlnx_qos_-i")
PORTS = (("ens1f0np0", "mlx5_0", "0000:1b:00.0"), ("ens2f0np0", "mlx5_1", "0000:9d:00.0"))


def host_answers(source: Path) -> dict[str, str | bytes]:
    answers: dict[str, str | bytes] = {command: (source / file).read_bytes() for command, file in HOST.items()}
    answers["ls -d /sys/class/infiniband/*/device/net/*"] = "".join(
        f"/sys/class/infiniband/{rdma}/device/net/{netdev}\n" for netdev, rdma, _ in PORTS
    )
    answers["readlink -f /sys/class/infiniband/*/device"] = "".join(
        f"/sys/devices/pci0000:00/{p}\n" for _, _, p in PORTS
    )
    for netdev, rdma, pci in PORTS:
        for tool in OF_PORT:
            answers[f"{tool.replace('_', ' ', 1) if tool != 'mlnx_qos_-i' else 'mlnx_qos -i'} {netdev}"] = (
                source / f"{tool}_{netdev}.txt"
            ).read_bytes()
        answers[f"grep -r . /sys/class/net/{netdev}/ecn/"] = (
            source / f"grep_-r_._sys_class_net_{netdev}_ecn_.txt"
        ).read_bytes()
        answers[f"cat /sys/class/infiniband/{rdma}/tc/1/traffic_class"] = (
            source / f"cat_sys_class_infiniband_{rdma}_tc_1_traffic_class.txt"
        ).read_bytes()
        answers[f"mlxconfig -d {pci} -e q"] = (source / f"mlxconfig_-d_{rdma}_-e_q.txt").read_bytes()
    return answers


def test_host(lab: Lab, run: Run, keys: Keys, serve: Serve) -> None:
    source = FABRIC / "host3"
    device = serve("host3", host_answers(source))
    device.allow_sudo()
    lab.host("host3", hostname="host3", platform="linux", username="root", sudo="true")
    status, out, err = lab.pull("--ssh-config", keys.config)
    assert (status, "complete" in out) == (0, True), err + out
    found = findings(run, lab.out)
    assert found == findings(run, source)
    assert len(found[0]) >= 2


def test_sonic(lab: Lab, run: Run, keys: Keys, serve: Serve) -> None:
    source = DUMPS / "sonic" / "whole"
    names = {
        "config_db.json": "cat /etc/sonic/config_db.json",
        "ecnconfig_-l.txt": "ecnconfig -l",
        "show_lldp_table.txt": "show lldp table",
        "show_pfc_counters.txt": "show pfc counters",
        "show_pfc_priority.txt": "show pfc priority",
        "show_pfcwd_config.txt": "show pfcwd config",
    }
    config = json.loads((source / "config_db.json").read_text())
    meta = config["DEVICE_METADATA"]["localhost"]
    answers: dict[str, str | bytes] = {command: (source / file).read_bytes() for file, command in names.items()}
    lookup = f"cat /usr/share/sonic/device/{meta['platform']}/{meta['hwsku']}/pg_profile_lookup.ini"
    answers[lookup] = (source / "pg_profile_lookup.ini").read_bytes()
    serve("sonic1", answers)
    lab.host("sonic1", hostname="sonic1", platform="sonic")
    status, out, err = lab.pull("--ssh-config", keys.config)
    assert (status, "complete" in out) == (0, True), err + out
    dumps = lab.folder / "whole"
    dumps.mkdir()
    for name, said in folder(source).items():
        (dumps / name).write_bytes(said)
    assert findings(run, lab.out) == findings(run, dumps)


def test_cumulus(lab: Lab, run: Run, keys: Keys, serve: Serve) -> None:
    source = DUMPS / "cumulus" / "leaf01"
    names = {
        "startup.yaml": "nv config show",
        "nv_show_interface_lldp.txt": "nv show interface lldp",
        "nv_show_qos_roce.txt": "nv show qos roce",
    }
    serve("leaf01", {command: (source / file).read_bytes() for file, command in names.items()})
    lab.host("leaf01", hostname="leaf01", platform="cumulus")
    status, out, err = lab.pull("--ssh-config", keys.config)
    assert (status, "complete" in out) == (0, True), err + out
    dumps = lab.folder / "dumps"
    dumps.mkdir()
    for name in names:
        (dumps / name).write_bytes((source / name).read_bytes())
    assert findings(run, lab.out) == findings(run, dumps)
