"""Bundles of other tools, built as those tools lay them out, say what the same captures say in a folder."""

import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.inputs import layouts
from auditor.inputs.bundle import open_paths
from auditor.inputs.rawtext import Raw
from auditor.systems import systems

ROOT = Path(__file__).parents[2]
HOST = ROOT / "fixtures" / "fabric-clean" / "host1"
SWITCH = ROOT / "fixtures" / "dumps" / "sonic"
LONGEST = 4096
HIDDEN = "correct-horse-battery-staple"
PCI = {"mlx5_0": "0000:1b:00.0", "mlx5_1": "0000:9d:00.0"}
Files = Mapping[str, str | bytes]
Run = Callable[..., tuple[int, str, str]]


@dataclass(frozen=True)
class Link:
    """A link in a bundle, symbolic or hard."""

    target: str
    kind: bytes = tarfile.SYMTYPE


Tree = dict[str, str | bytes | Link]


def text(name: str) -> str:
    return (HOST / name).read_text(encoding="utf-8")


NETDEVS = ("ens1f0np0", "ens2f0np0")
# What both tools gather of the host: the file in the folder of captures, and the command.
COMMANDS = {
    "hostname.txt": "hostname",
    **{f"ethtool_{netdev}.txt": f"ethtool {netdev}" for netdev in NETDEVS},
    **{f"ethtool_-{option}_{netdev}.txt": f"ethtool -{option} {netdev}" for netdev in NETDEVS for option in "ai"},
    "ibv_devinfo_-v.txt": "ibv_devinfo -v",
    "ibdev2netdev.txt": "ibdev2netdev",
    "show_gids.txt": "show_gids",
    **{f"mlnx_qos_-i_{netdev}.txt": f"mlnx_qos -i {netdev}" for netdev in NETDEVS},
}
LINK_TEXT = """\
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
3: ens1f0np0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:0a:01:00:01 brd ff:ff:ff:ff:ff:ff
4: ens2f0np0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:0a:01:00:02 brd ff:ff:ff:ff:ff:ff
"""


def sos_report() -> Tree:
    """Return a report as `sos report` makes it, with what an administrator added through sos_extras."""
    plugins = {"ethtool": "networking", "ip": "networking", "hostname": "host", "ibv_devinfo": "infiniband"}
    root = "sosreport-host1-2026-03-02-abcdefg"
    files: Tree = {
        f"{root}/version.txt": "sosreport: 4.8.2\n",
        f"{root}/sos_reports/manifest.json": '{"version": "4.8.2", "components": {}}',
        f"{root}/sos_reports/sos.html": "<html></html>",
        f"{root}/sos_logs/sos.log": b"\x00\x01\x02",
        f"{root}/etc/shadow": f"root:{HIDDEN}:19000:0:99999:7:::\n",
        f"{root}/etc/ssh/ssh_host_ed25519_key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{HIDDEN}\n",
        f"{root}/etc/pki/tls/private/localhost.key": HIDDEN,
        f"{root}/etc/sos/sos.conf": f"[upload]\npassword = {HIDDEN}\n",
        f"{root}/proc/net/dev": "Inter-|   Receive\n",
        f"{root}/var/log/journal/system.journal": b"LPKSHHRH\x00\x00",
        f"{root}/sos_commands/networking/ip_-o_addr": "1: lo    inet 127.0.0.1/8 scope host lo\n",
        f"{root}/sos_commands/networking/ip_-s_-d_link": LINK_TEXT,
        f"{root}/sos_commands/networking/namespaces/blue/ip_netns_exec_blue_ethtool_eth0": "Settings for eth0:\n",
        f"{root}/sos_commands/crio/image.tar.gz": b"\x1f\x8b\x08",
        f"{root}/sys/devices/pci0000:1a/0000:1b:00.0/net/ens1f0np0/flags": "0x1003\n",
    }
    for name, command in COMMANDS.items():
        plugin = plugins.get(command.split()[0], "sos_extras/roce")
        files[f"{root}/sos_commands/{plugin}/{command.replace(' ', '_')}"] = text(name)
    for rdma, pci in PCI.items():
        name = f"mstconfig_-d_{pci.replace(':', '_')}_-e_q"
        files[f"{root}/sos_commands/mellanox_firmware/{name}"] = text(f"mlxconfig_-d_{rdma}_-e_q.txt")
        path = f"{root}/sys/devices/pci0000:1a/{pci}/infiniband/{rdma}/tc/1/traffic_class"
        files[path] = text(f"cat_sys_class_infiniband_{rdma}_tc_1_traffic_class.txt")
    for netdev, pci in zip(NETDEVS, PCI.values(), strict=True):
        for line in text(f"grep_-r_._sys_class_net_{netdev}_ecn_.txt").splitlines():
            path, _, value = line.partition(":")
            files[f"{root}/sys/devices/pci0000:1a/{pci}{path.removeprefix('/sys/class')}"] = f"{value}\n"
    files[f"{root}/ip_addr"] = Link("sos_commands/networking/ip_-o_addr")
    files[f"{root}/etc/localtime"] = Link("../usr/share/zoneinfo/UTC")
    files[f"{root}/sys/class/net/ens1f0np0"] = Link("../../devices/pci0000:1a/0000:1b:00.0/net/ens1f0np0")
    files[f"{root}/etc/os-release"] = Link("/usr/lib/os-release")
    return files


def snapshot() -> Tree:
    """Return a snapshot as NVIDIA's sysinfo-snapshot makes it: files for each command, the rest in one page."""
    root = "sysinfo-snapshot-v3.7.9-host1-20260302-1200"
    output = f"{root}/commands_txt_output"

    def invoked(command: str, name: str) -> str:
        return f"Invoked Command: {command}\n{text(name)}"

    gids = text("show_gids.txt").replace("\tv1\t", "\tIB/RoCE v1\t\t").replace("\tv2\t", "\tRoCE v2 \t\t")
    qos = "".join(
        f"\n\nmlnx_qos -i {netdev}\n{text(f'mlnx_qos_-i_{netdev}.txt')}\n____________\n\n" for netdev in NETDEVS
    )
    options = {"": "ethtool_{}.txt", "-i": "ethtool_-i_{}.txt", "-a": "ethtool_-a_{}.txt"}
    ethtool = "".join(
        f"ethtool {option} {netdev}\n{text(file.format(netdev))}\n____________\n\n"
        for netdev in NETDEVS
        for option, file in (*options.items(), ("-g", options["-a"]))
    ).replace("<", "&lt;")
    page = (
        f"<html><head><title>/tmp/{root}/host1.html</title><p><h2>dmesg -T</h2><p>{'x<br/>' * 20_000}</p>"
        f"<h2>ethtool_all_interfaces</h2><p>ethtool version 6.7\n\n{ethtool}ethtool -S output:\n\n"
        "ethtool -S ens1f0np0\n"
        "<td><a href=ethtool_S/ethtool_S_ens1f0np0>ethtool -S ens1f0np0</a></td>\n\n</p></html>"
    )
    files: Tree = {
        f"{root}/status-log-{root}": "hostname PASSED 0.01\n",
        f"{root}/host1-20260302-1200.html": page,
        f"{root}/performance_tuning_analyze.html": "<html>ethtool ens9\nSpeed: 1Mb/s\n</html>",
        f"{root}/err_messages/dummy_paths": "cat: /etc/nccl.conf: No such file or directory\n",
        f"{root}/etc_libvma.conf": f"key={HIDDEN}\n",
        f"{root}/config.gz": b"\x1f\x8b\x08",
        f"{output}/hostname.txt": invoked("hostname", "hostname.txt"),
        f"{output}/uname.txt": "Invoked Command: uname\nLinux host1 6.8.0\n",
        f"{output}/ibdev2netdev.txt": invoked("ibdev2netdev", "ibdev2netdev.txt"),
        f"{output}/ibv_devinfo_v.txt": invoked("ibv_devinfo -v", "ibv_devinfo_-v.txt"),
        f"{output}/ip_s_s_link_show.txt": f"Invoked Command: ip -s -s link show\n{LINK_TEXT}",
        f"{output}/show_pretty_gids.txt": f"Invoked Command: show_pretty_gids\n{gids}",
        f"{output}/mlnx_qos_handler.txt": f"Invoked Command: mlnx_qos_handler\n{qos}",
        f"{output}/lsmod.txt": "Invoked Command: lsmod\nmlx5_core 1 0\n",
    }
    for netdev, (rdma, pci) in zip(NETDEVS, PCI.items(), strict=True):
        short = pci.removeprefix("0000:")
        config = text(f"mlxconfig_-d_{rdma}_-e_q.txt")
        name = short.replace(":", "").replace(".", "")
        files[f"{root}/firmware/mlxconfig_{name}"] = f"mlxconfig -d {short} -e  q\n{config}\n"
        lines = text(f"grep_-r_._sys_class_net_{netdev}_ecn_.txt").splitlines()
        files[f"{root}/ecn/config/{netdev}"] = "".join(line.replace(":", "= ", 1) + "\n\n" for line in lines)
    return files


def techsupport(saved: str = "whole", running: str = "") -> Tree:
    """Return a dump as SONiC's `show techsupport` makes it, of the switch in a folder of captures."""
    root = "sonic_dump_leaf6_20260302_120000"
    config = (SWITCH / saved / "config_db.json").read_text(encoding="utf-8")
    database = {
        f"{table}|{key}": {"expireat": 1.5, "ttl": -0.001, "type": "hash", "value": row or {"NULL": "NULL"}}
        for table, rows in json.loads(running or config).items()
        for key, row in rows.items()
    }
    database["CONFIG_DB_INITIALIZED"] = {"expireat": 1.5, "ttl": -0.001, "type": "string", "value": "1"}
    files: Tree = {
        f"{root}/generate_dump": "#!/bin/bash\n",
        f"{root}/dump/CONFIG_DB.json": json.dumps(database, indent=2, sort_keys=True) + "\n",
        f"{root}/dump/APPL_DB.json": "{}",
        f"{root}/dump/interface.status": "  Interface  Lanes  Speed\n",
        f"{root}/dump/lldpctl": LLDP,
        f"{root}/dump/ip.link": LINK_TEXT,
        f"{root}/dump/docker.ps": "",
        f"{root}/etc/hostname": "leaf6\n",
        f"{root}/etc/sonic/config_db.json": config,
        f"{root}/etc/sonic/old_config/config_db.json": config,
        f"{root}/etc/tacplus_nss.conf": f"secret={HIDDEN}\n",
        f"{root}/log/syslog.1.gz": b"\x1f\x8b\x08",
        f"{root}/core/orchagent.1.core.gz": b"\x1f\x8b\x08",
        f"{root}/sai_sdk_dump/sai.tar.gz": b"\x1f\x8b\x08",
        f"{root}/proc/cmdline": "BOOT_IMAGE=/image\n",
        f"{root}/sai_failure_dump/sai.gz": Link("../log/sai.gz"),
        f"{root}/log/other": Link(f"{root}/etc/hostname", tarfile.LNKTYPE),
    }
    lookup = SWITCH / saved / "pg_profile_lookup.ini"
    if lookup.is_file():
        files[f"{root}/sai/pg_profile_lookup.ini"] = lookup.read_text(encoding="utf-8")
    return files


LLDP = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    Ethernet0, via: LLDP, RID: 1, Time: 2 days, 03:04:05
  Chassis:
    ChassisID:    mac 02:00:00:00:00:01
    SysName:      spine1
  Port:
    PortID:       ifname Ethernet4/1
-------------------------------------------------------------------------------
"""


def packed(path: Path, tree: Tree) -> Path:
    """Write *tree* as the tools write it: folders first, by `tar`."""
    mode = {".xz": "w:xz", ".gz": "w:gz", ".tgz": "w:gz", ".tar": "w"}[path.suffix]
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for folder in sorted(
            {str(parent) for name in tree for parent in Path(name).parents if len(name) < LONGEST} - {"."}
        ):
            info = tarfile.TarInfo(folder)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(info)
        for name, content in tree.items():
            info = tarfile.TarInfo(name)
            if isinstance(content, Link):
                info.type, info.linkname = content.kind, content.target
                archive.addfile(info)
            else:
                data = content.encode() if isinstance(content, str) else content
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return path


def unpacked(root: Path, tree: Tree) -> Path:
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def ports(run: Run, *paths: object) -> tuple[int, dict[str, Any], str]:
    """Return exit status, the device as it is shown without its places, and standard error."""
    status, out, err = run("show", *paths)
    assert HIDDEN not in out + err
    (device,) = json.loads(out)["devices"] if out else [{}]
    return status, {key: device[key] for key in ("name", "os", "ports") if key in device}, err


def names(run: Run, *paths: object) -> list[str]:
    """Return the devices that are read whatever else is wrong."""
    return sorted(device["name"] for device in json.loads(run("show", *paths)[1])["devices"])


def folder(tmp_path: Path, names: Mapping[str, str]) -> Path:
    root = tmp_path / "captures"
    root.mkdir()
    for name, content in names.items():
        (root / name).write_text(content, encoding="utf-8")
    return root


def same_as_folder(run: Run, tmp_path: Path, bundle: Path, *besides: str) -> None:
    """Check that the bundle shows what its captures show in a folder."""
    files = {name: text(name) for name in (*COMMANDS, *besides)}
    expected = ports(run, folder(tmp_path, files | {"ip_-d_link.txt": LINK_TEXT}))
    assert ports(run, bundle) == expected
    assert (expected[0], len(str(expected[1]["ports"])) > 1000, expected[2]) == (0, True, "")


FIRMWARE = [f"mlxconfig_-d_{rdma}_-e_q.txt" for rdma in PCI]
ECN = [f"grep_-r_._sys_class_net_{netdev}_ecn_.txt" for netdev in NETDEVS]
TCLASS = [f"cat_sys_class_infiniband_{rdma}_tc_1_traffic_class.txt" for rdma in PCI]


@pytest.mark.parametrize("name", ["sosreport-host1.tar.xz", "sosreport-host1.tar.gz", "renamed"])
def test_a_sos_report_says_what_its_captures_say(run: Run, tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / name, sos_report()) if "." in name else unpacked(tmp_path / name, sos_report())
    same_as_folder(run, tmp_path, path, *FIRMWARE, *ECN, *TCLASS)


def test_a_snapshot_of_sysinfo_says_what_its_captures_say(run: Run, tmp_path: Path) -> None:
    same_as_folder(run, tmp_path, packed(tmp_path / "snapshot.tgz", snapshot()), *FIRMWARE, *ECN)


def test_an_unpacked_snapshot_says_the_same(run: Run, tmp_path: Path) -> None:
    same_as_folder(run, tmp_path, unpacked(tmp_path / "here", snapshot()), *FIRMWARE, *ECN)


@pytest.mark.parametrize("name", ["sonic_dump.tar.gz", "sonic_dump.tar", "unpacked"])
def test_a_techsupport_dump_says_what_its_captures_say(run: Run, tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / name, techsupport()) if "." in name else unpacked(tmp_path / name, techsupport())
    config = (SWITCH / "whole" / "config_db.json").read_text(encoding="utf-8")
    lookup = (SWITCH / "whole" / "pg_profile_lookup.ini").read_text(encoding="utf-8")
    files = {"config_db.json": config, "pg_profile_lookup.ini": lookup, "show_lldp_neighbors.txt": LLDP}
    status, found, err = ports(run, path)
    assert (status, found, err) == ports(run, folder(tmp_path, files))
    assert found["os"] == "sonic"
    assert "spine1" in str(found["ports"])


def test_what_runs_counts_and_what_is_saved_otherwise_is_told(run: Run, tmp_path: Path) -> None:
    running = (SWITCH / "running" / "show_runningconfiguration_all.txt").read_text(encoding="utf-8")
    path = packed(tmp_path / "dump.tar.gz", techsupport("running", running))
    _, found, _ = ports(run, path)
    _, expected, _ = ports(run, SWITCH / "running")
    assert found["ports"] == [
        port | {"peer": {"device": "spine1", "port": "Ethernet4/1"}} for port in expected["ports"]
    ]
    report = json.loads(run("check", "--format", "json", path)[1])
    assert any(found["name"] == "saved-differs-from-running" for found in report["findings"])


def test_a_saved_configuration_that_its_tool_broke_is_not_compared(run: Run, tmp_path: Path) -> None:
    """Where a switch has two SNMP communities, the dump's own removal of secrets leaves an end of an object behind."""
    tree = techsupport()
    name = next(name for name in tree if name.endswith("etc/sonic/config_db.json"))
    left = '    "DEVICE_METADATA": {"localhost": {}},\n        "public": {"TYPE": "RO"}\n    },\n'
    tree[name] = "{\n" + left + str(tree[name]).partition("\n")[2]
    path = packed(tmp_path / "dump.tar.gz", tree)
    status, out, _ = run("check", "--format", "json", path)
    report = json.loads(out)
    assert status == 2
    assert [problem["file"] for problem in report["problems"]] == [f"{path}/{name}"]
    assert not [warning for warning in report["warnings"] if "configuration has it" in warning["message"]]
    _, found, _ = ports(run, path)
    assert found["ports"] == ports(run, packed(tmp_path / "sound.tar.gz", techsupport()))[1]["ports"]


def test_a_page_without_what_is_read_says_nothing(run: Run, tmp_path: Path) -> None:
    tree = snapshot()
    (name,) = (name for name in tree if name.endswith("-1200.html"))
    tree[name] = "<html><p>Settings for ens1f0np0:<br/>Priority trust state: pcp\nPFC configuration:\n</p></html>"
    status, out, _ = run("check", "--format", "json", packed(tmp_path / "a.tgz", tree))
    assert status in {0, 1}
    assert name not in out


def test_a_list_in_a_dumped_row_is_named_with_an_at(run: Run, tmp_path: Path) -> None:
    tree = techsupport()
    (name,) = (name for name in tree if name.endswith("CONFIG_DB.json"))
    database = json.loads(str(tree[name]))
    database["BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0"] = {"type": "hash", "value": {"profile_list@": "a,b"}}
    tree[name] = json.dumps(database)
    report = json.loads(run("check", "--format", "json", packed(tmp_path / "dump.tar.gz", tree))[1])
    assert "profile_list" not in str(report["warnings"])


@pytest.mark.parametrize("value", ['{"value": 3, "value": {"speed": "1"}}', '{"value": [], "type": "hash"}', "[]", "3"])
def test_an_odd_row_of_a_database_raises_nothing(run: Run, tmp_path: Path, value: str) -> None:
    tree = techsupport()
    (name,) = (name for name in tree if name.endswith("CONFIG_DB.json"))
    tree[name] = '{"PORT|Ethernet0": %s, "QUEUE|Ethernet0|3": {"value": {"scheduler": "x"}}}' % value  # noqa: UP031
    assert run("check", packed(tmp_path / "dump.tar.gz", tree))[0] in {0, 1, 2}


def test_several_asics_are_no_clean_switch(run: Run, tmp_path: Path) -> None:
    tree = techsupport()
    tree["sonic_dump_leaf6_20260302_120000/etc/sonic/config_db0.json"] = "{}"
    status, out, _ = run("check", packed(tmp_path / "dump.tar.gz", tree))
    assert status == 2
    assert "one ASIC of several, an unsupported file" in re.sub(r"\s+", " ", out)


def test_only_what_a_table_names_is_opened(tmp_path: Path) -> None:
    for name, tree in {"a.tar.xz": sos_report(), "b.tgz": snapshot(), "c.tar.gz": techsupport()}.items():
        for path in (packed(tmp_path / name, tree), unpacked(tmp_path / name.partition(".")[0], tree)):
            found = open_paths([str(path)])
            assert found.problems == ()
            (left,) = found.skipped
            assert left.name.startswith(str(path))
            assert re.fullmatch(r"\d+ files of this .* that hold nothing to audit", left.why)
            assert not any(HIDDEN in line for raw in found.raws for line in raw.lines)
            assert all(known(raw) for raw in found.raws)


def known(raw: Raw) -> bool:
    """Whether a reader knows each capture of *raw*."""
    assert raw.bundle_file
    recognise = (
        systems()["sonic"].recognise if raw.bundle_file.layout is layouts.TECHSUPPORT else systems()["linux"].recognise
    )
    return all(recognise(capture) for capture in raw.bundle_file.captures(raw.name, raw.lines, ends_mid_line=False))


def test_bundles_of_several_devices_in_one_folder_or_archive_are_several_devices(run: Run, tmp_path: Path) -> None:
    trees = sos_report() | techsupport()
    inner = {f"site/row1/{name}": content for name, content in trees.items()}
    for path in (packed(tmp_path / "all.tar.gz", inner), unpacked(tmp_path / "all", inner)):
        assert run("check", path, "--fail-on", "error")[0] in {0, 1}
        assert names(run, path) == ["host1", "leaf1"]


def test_other_dumps_beside_a_bundle_are_read(run: Run, tmp_path: Path) -> None:
    unpacked(tmp_path / "in" / "gpu", sos_report())
    captures = tmp_path / "in" / "host9"
    captures.mkdir()
    (captures / "ibdev2netdev.txt").write_text("mlx5_0 port 1 ==> ens9 (Up)\n", encoding="utf-8")
    assert names(run, tmp_path / "in") == ["host1", "host9"]


def test_a_command_that_printed_nothing_is_known_to_have(run: Run, tmp_path: Path) -> None:
    tree = sos_report()
    (name,) = (name for name in tree if name.endswith("mlnx_qos_-i_ens1f0np0"))
    tree[name] = ""
    status, out, err = run("show", "--state", packed(tmp_path / "a.tar.xz", tree))
    assert (status, err) == (0, "")
    assert "mlnx_qos -i ens1f0np0: the output is empty" in out


def test_a_tool_that_was_missing_is_told(run: Run, tmp_path: Path) -> None:
    tree = snapshot()
    (name,) = (name for name in tree if name.endswith("mlnx_qos_handler.txt"))
    tree[name] = "Invoked Command: mlnx_qos_handler\nmlnx_qos command not found\n"
    status, out, err = run("show", "--state", packed(tmp_path / "a.tgz", tree))
    assert (status, err) == (0, "")
    assert "mlnx_qos: mlnx_qos command not found" in out


def test_a_folder_of_an_unpacked_report_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = unpacked(tmp_path / "a", sos_report())
    listed = os.scandir

    def deny(path: str) -> object:
        if str(path).endswith("networking"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", deny)
    (problem,) = open_paths([str(root)]).problems
    assert problem.name.endswith("sos_commands/networking")
    assert problem.message == "permission denied, expected a readable folder"


def test_an_unpacked_report_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.inputs.bundle.MAX_MEMBERS", 3)
    found = open_paths([str(unpacked(tmp_path / "a", sos_report()))])
    assert [problem.message for problem in found.problems] == [
        "more than 3 files, the rest is unread; give fewer files"
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data(), tree=st.sampled_from([sos_report, snapshot, techsupport]))
def test_no_damaged_byte_of_a_bundle_raises(tmp_path: Path, data: st.DataObject, tree: Callable[[], Tree]) -> None:
    path = packed(tmp_path / "a.tar", tree())
    damaged = bytearray(path.read_bytes())
    for position in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=8)):
        damaged[position] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    found = open_paths([str(path)])
    assert found.raws or found.problems
    assert all("expected" in problem.message for problem in found.problems)


SOS = "sos_commands/networking/"
OUT = "commands_txt_output/"
FILED = [
    (layouts.SOS, "sos_commands/host/hostname", "h\n", ["hostname"]),
    (layouts.SOS, f"{SOS}ip_-s_-d_link", "1: lo\n", ["ip -s -d link"]),
    (layouts.SOS, f"{SOS}ip_-j_-d_link_show", "[]\n", ["ip -j -d link"]),
    (layouts.SOS, f"{SOS}ethtool_ens1f0np0", "x\n", ["ethtool ens1f0np0"]),
    (layouts.SOS, f"{SOS}ethtool_eth0.100", "x\n", ["ethtool eth0.100"]),
    (layouts.SOS, f"{SOS}ethtool_-S_ens1_1", "x\n", ["ethtool -S ens1_1"]),
    (layouts.SOS, f"{SOS}ethtool_--show-fec_ens1", "x\n", ["ethtool --show-fec ens1"]),
    (layouts.SOS, f"{SOS}ethtool_-m_ens1", "x\n", None),
    (layouts.SOS, f"{SOS}namespaces/blue/ethtool_ens1", "x\n", None),
    (layouts.SOS, "sos_commands/infiniband/ibv_devinfo_-v", "x\n", ["ibv_devinfo -v"]),
    (
        layouts.SOS,
        "sos_commands/mellanox_firmware/mstconfig_-d_0000_5e_00.0_-e_q",
        "",
        ["mlxconfig -d 0000:5e:00.0 -e q"],
    ),
    (layouts.SOS, "sos_commands/mellanox_firmware/mlxlink_-d_0000_5e_00.0", "", ["mlxlink -d 0000:5e:00.0"]),
    (
        layouts.SOS,
        "sos_commands/mellanox_firmware/mlxreg_-d_0000_5e_00.0_--reg_name_ROCE_ACCL_--get",
        "",
        ["mlxreg -d 0000:5e:00.0 --reg_name ROCE_ACCL --get"],
    ),
    (layouts.SOS, "sos_commands/mellanox_firmware/mst_status_-v", "", ["mst status -v"]),
    (layouts.SOS, "sos_commands/sos_extras/roce/rdma_-j_link", "", ["rdma -j link"]),
    (layouts.SOS, "sos_commands/sos_extras/roce/dcb_-j_-N_pfc_show_dev_ens1", "", ["dcb -j -N pfc show dev ens1"]),
    (layouts.SOS, "sos_commands/sos_extras/roce/lldpctl", "", ["lldpctl"]),
    (layouts.SOS, "sos_commands/sos_extras/roce/lldpctl_-f_json0", "", ["lldpctl -f json0"]),
    (layouts.SOS, "sos_commands/sos_extras/roce/lldptool_-tni_ens1", "", ["lldptool -tni ens1"]),
    (layouts.SOS, "etc/nccl.conf", "", ["cat /etc/nccl.conf"]),
    (layouts.SOS, "etc/modprobe.d/mlx5.conf", "", ["cat /etc/modprobe.d/mlx5.conf"]),
    (layouts.SOS, "etc/modprobe.d/../shadow", "", None),
    (
        layouts.SOS,
        "sys/devices/pci0000:00/0000:5e:00.0/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent",
        "7\n",
        ["cat /sys/class/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent"],
    ),
    (layouts.SYSINFO, f"{OUT}mst_status_v.txt", "Invoked Command: mst status -v\nMST\n", ["mst status -v"]),
    (
        layouts.SYSINFO,
        f"{OUT}roce_counters.txt",
        "Invoked Command: roce counters\nHW Counters: \n\n/sys/class/infiniband/mlx5_0/ports/1/hw_counters/a: 1\n",
        ["grep -r . /sys/class/infiniband/"],
    ),
    (
        layouts.SYSINFO,
        f"{OUT}sys_class_net_ecn_ib.txt",
        "Invoked Command: sys_class_net_ecn_ib\n/sys/class/net/ens1/ecn/roce_np/cnp_802p_prio = 6\n",
        ["grep -r . /sys/class/net/"],
    ),
    (
        layouts.SYSINFO,
        f"{OUT}cma_roce_tos.txt",
        "Invoked Command: cma_roce_tos\ncma_roce_tos -d a\n\n106\n\n---------------\n\ncma_roce_tos -d b\n\n0",
        ["cma_roce_tos -d a", "cma_roce_tos -d b"],
    ),
    (layouts.SYSINFO, f"{OUT}cma_roce_tos.txt", "Invoked Command: x\nThere are no mlx devices", ["cma_roce_tos"]),
    (
        layouts.SYSINFO,
        f"{OUT}mlxreg_d_reg_name_ROCE_ACCL_get.txt",
        "Invoked Command: x\nmlxreg -d /dev/mst/mt4129_pciconf0 --reg_name ROCE_ACCL --get \n\nField\n" + "-" * 57,
        ["mlxreg -d /dev/mst/mt4129_pciconf0 --reg_name ROCE_ACCL --get"],
    ),
    (
        layouts.SYSINFO,
        f"{OUT}mlxlink_mstlink.txt",
        "Invoked Command: x\n\n#1 mlxlink -d 5e:00.0 -m\n\nOperational Info\n"
        + "\n\n".join(["", "-" * 61, "#1 mlxlink -d 5e:00.0 -e", "Other"]),
        ["mlxlink -d 5e:00.0 -m"],
    ),
    (layouts.SYSINFO, "firmware/mstconfig_5e000", "mstconfig -d 5e:00.0 -e  q\nx\n", ["mstconfig -d 5e:00.0 -e q"]),
    (layouts.SYSINFO, "firmware/mstregdump_5e000_run_1", "x\n", None),
    (layouts.SYSINFO, "ecn/debug/0000_5e_00.0", "/sys/kernel/debug\n", ["grep -r . /sys/kernel/debug/mlx5/"]),
    (layouts.SYSINFO, "sr_iov.html", "x\n", None),
    (layouts.TECHSUPPORT, "etc/shadow", "x\n", None),
    (layouts.TECHSUPPORT, "etc/sonic/old_config/config_db.json", "{}\n", None),
]


@pytest.mark.parametrize(("layout", "path", "content", "expected"), FILED, ids=lambda each: str(each)[-60:])
def test_the_place_of_a_file_tells_its_commands(
    layout: layouts.Layout, path: str, content: str, expected: list[str] | None
) -> None:
    found = layouts.find_bundle_file("root", layout, path)
    captures = found.captures("x", tuple(content.split("\n")), ends_mid_line=False) if found else None
    assert (captures and [capture.command for capture in captures]) == expected
    assert all(systems()["linux"].recognise(capture) for capture in captures or ())
    assert all("Other" not in capture.lines and "-" * 15 not in capture.lines for capture in captures or ())


GOOD = {"leaf.txt": (ROOT / "fixtures" / "fabric-clean" / "leaf1" / "show_running-config.txt").read_text("utf-8")}
WANTED = "sosreport-host1-2026-03-02-abcdefg/sos_commands/sos_extras/roce/mlnx_qos_-i_ens1f0np0"


def hostile(kind: str) -> Tree:
    """Return a report with one thing in it that must not be trusted."""
    root = "sosreport-host1-2026-03-02-abcdefg"
    odd: dict[str, Tree] = {
        "path escape": {f"{root}/../../etc/cron.d/x": "x\n"},
        "absolute path": {"/etc/cron.d/x": "x\n"},
        "symlink": {WANTED: Link("/etc/passwd")},
        "symlink out": {WANTED: Link("../../../../../../etc/passwd")},
        "hard link": {WANTED: Link("/etc/passwd", tarfile.LNKTYPE)},
        "device": {WANTED: Link("", tarfile.CHRTYPE)},
        "FIFO": {WANTED: Link("", tarfile.FIFOTYPE)},
        "twice": {f"{root}/./{WANTED.removeprefix(root)}": "x\n"},
        "binary": {WANTED: b"\x7fELF\x00\x00"},
        "long path": {f"{root}/{'d/' * 3000}x": "x\n"},
    }
    return sos_report() | odd[kind]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("path escape", "path leaves the archive"),
        ("absolute path", "path leaves the archive"),
        ("symlink", "link or device, expected a plain file"),
        ("symlink out", "link or device, expected a plain file"),
        ("hard link", "link or device, expected a plain file"),
        ("device", "link or device, expected a plain file"),
        ("FIFO", "link or device, expected a plain file"),
        ("twice", "second member of this name"),
        ("binary", "program, expected text"),
        ("long path", "characters, expected at most 4096"),
    ],
)
def test_what_is_hostile_is_told_and_the_rest_is_audited(run: Run, tmp_path: Path, kind: str, expected: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    path = packed(tmp_path / "bad.tar.xz", hostile(kind))
    unpacked(tmp_path, dict(GOOD))
    status, out, _ = run("check", path, tmp_path / "leaf.txt", "--format", "json")
    report = json.loads(out)
    assert status == 2
    assert {expected in problem["message"] for problem in report["problems"]} == {True}
    assert set(names(run, path, tmp_path / "leaf.txt")) == {"host1", "leaf1"}
    assert set(tmp_path.rglob("*")) - set(before) == {path, tmp_path / "leaf.txt"}


def test_a_truncated_report_is_told_and_what_stands_before_is_audited(run: Run, tmp_path: Path) -> None:
    path = packed(tmp_path / "cut.tar.gz", sos_report())
    path.write_bytes(path.read_bytes()[:-200])
    status, out, _ = run("check", path, "--format", "json")
    report = json.loads(out)
    assert status == 2
    assert [p["file"] for p in report["problems"]] == [str(path)]
    assert names(run, path) == ["host1"]


def test_a_bundle_in_an_archive_of_archives_is_told(run: Run, tmp_path: Path) -> None:
    inner = packed(tmp_path / "sosreport-host1.tar.xz", sos_report()).read_bytes()
    path = packed(tmp_path / "all.tar.gz", {"site/sosreport-host1.tar.xz": inner, **GOOD})
    status, out, _ = run("check", path, "--format", "json")
    report = json.loads(out)
    assert status == 2
    assert [problem["message"] for problem in report["problems"]] == ["nested archive; unpack it or give it by itself"]
    assert names(run, path) == ["leaf1"]


def test_a_report_without_anything_to_audit_is_no_clean_one(run: Run, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar.xz", {"sosreport-x/sos_commands/kernel/dmesg": "x\n"})
    status, out, err = run("check", path)
    assert status == 2
    assert "sos report without a known file" in re.sub(r"\s+", " ", out + err)


def test_a_bomb_in_a_report_is_stopped(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.inputs.archive._SMALL", 10_000_000)
    tree = sos_report() | {"sosreport-host1-2026-03-02-abcdefg/var/log/zeros": bytes(50_000_000)}
    path = packed(tmp_path / "bomb.tar.xz", tree)
    assert path.stat().st_size < 100_000
    status, out, _ = run("check", path, "--format", "json")
    report = json.loads(out)
    assert status == 2
    assert any("the most for an archive of its size" in problem["message"] for problem in report["problems"])
    assert names(run, path) == ["host1"]


def test_a_fifo_or_a_link_in_an_unpacked_report_is_not_opened(tmp_path: Path) -> None:
    root = unpacked(tmp_path / "a", sos_report())
    wanted = root / WANTED
    wanted.unlink()
    wanted.symlink_to("/etc/passwd")
    other = wanted.with_name("show_gids")
    other.unlink()
    os.mkfifo(other)
    found = open_paths([str(root)])
    assert [problem.message.partition(",")[0] for problem in found.problems] == ["symlink", "FIFO"]


@pytest.mark.parametrize("layout", layouts.LAYOUTS, ids=lambda layout: layout.name)
def test_tables_are_sound(layout: layouts.Layout) -> None:
    for place in layout.places:
        groups = set(re.compile(place.path).groupindex) | {"pci", "options"}
        assert set(re.findall(r"\{(\w+)\}", place.command)) <= groups
        assert place.command or "command" in re.compile(place.heads).groupindex
