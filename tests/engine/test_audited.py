"""What leaves the audit is a finding: a table of ways to take a device out of it, over the dumps of every system."""

import gzip
import json
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor import Options, audit, load
from auditor.engine.result import Report
from auditor.model.finding import FindingKind
from auditor.systems import systems

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS: Mapping[str, tuple[str, ...]] = {
    "huawei_vrp": ("fabric-more/leaf1.cfg",),
    "hp_comware": ("fabric-more/leaf2.cfg",),
    "aruba_aoscx": ("fabric-more/leaf3.cfg",),
    "arista_eos": ("dumps/eos/leaf2.cfg",),
    "cisco_nxos": ("fabric/leaf1/show_running-config.txt",),
    "dell_os10": ("dumps/os10/generated.cfg",),
    "juniper_junos": ("dumps/junos/leaf1.conf", "dumps/junos/older.set"),
    "cumulus_nvue": ("dumps/cumulus/leaf02.txt", "dumps/cumulus/leaf03.json"),
    "dell_enterprise_sonic": ("dumps/enterprise_sonic/flat.txt",),
    "sonic": ("dumps/sonic/buffers/config_db.json",),
    "linux": ("dumps/linux/gpu-b01.txt", "fabric/host6.txt"),
}
"""Dumps of one file by system; a host with Windows is a folder of captures, and jobs have no ports."""
INTENT = "schema: roce-audit/intent/1\ntraffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]\n"
Attack = Callable[[Path], None]


def test_every_switch_system_and_hosts_are_in_the_table() -> None:
    assert {os for os, each in systems().items() if each.kind in {"switch", "host"}} - {"windows"} == set(DUMPS)


def write_base(folder: Path) -> list[Path]:
    """Write each dump into a folder of its own below *folder*, with an intent; return their paths."""
    written = []
    for number, (system, source) in enumerate((s, FIXTURES / n) for s, names in DUMPS.items() for n in names):
        path = folder / f"d{number}" / f"{system}{source.suffix}"
        path.parent.mkdir(parents=True)
        path.write_text(re.sub(r"\b(?:os10-)?(?:leaf|spine|host)0?\d\b", f"dev{number}", source.read_text()))
        written.append(path)
    (folder / "roce-audit.yaml").write_text(INTENT)
    return written


def rename(change: Callable[[str], str]) -> Attack:
    return lambda path: (path.rename(path.with_name(change(path.name))), None)[1]


def beside(name: str, content: str | bytes) -> Attack:
    def write(path: Path) -> None:
        extra = path.parent / name
        extra.parent.mkdir(parents=True, exist_ok=True)
        extra.write_bytes(content.encode() if isinstance(content, str) else content)

    return write


def text(change: Callable[[list[str]], list[str]]) -> Attack:
    return lambda path: (path.write_text("\n".join([*change(path.read_text().splitlines()), ""])), None)[1]


def data(change: Callable[[bytes], bytes]) -> Attack:
    return lambda path: (path.write_bytes(change(path.read_bytes())), None)[1]


def into(name: str) -> Attack:
    def move(path: Path) -> None:
        (path.parent / name).mkdir()
        path.rename(path.parent / name / path.name)

    return move


def top(*lines: str) -> Attack:
    return text(lambda own: [*lines, *own])


def link_out(path: Path) -> None:
    outside = path.parents[2] / "outside" / path.parent.name
    outside.mkdir(parents=True)
    path.rename(outside / path.name)
    path.symlink_to(outside / path.name)


def make_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def pack(path: Path) -> None:
    with tarfile.open(path.with_suffix(".tgz"), "w:gz") as tar:
        tar.add(path, f".{path.name}")
    path.unlink()


def outvote(path: Path) -> None:
    """Put a part of the dump first: a second file of one hostname."""
    lines = path.read_text().splitlines()
    (path.parent / f"0{path.name}").write_text("\n".join([*lines[: len(lines) // 2], ""]))


def add_schema(path: Path) -> None:
    if path.suffix != ".json":
        text(lambda own: [*own[:2], "banner motd ^", "schema: roce-audit/x", "^", *own[2:]])(path)
        return
    path.write_text(json.dumps({"schema": "roce-audit/intent/1", **json.loads(path.read_text())}, indent=1))


def pretend_a_pull(path: Path) -> None:
    """Turn the dump into what looks like the record of a pull."""
    record = '{\n"schema": "roce-audit/pull/1", "devices": []\n}'
    beside("manifest.json", record)(path)
    path.rename(path.with_name("manifest.json")) if path.suffix == ".json" else None


SRL = ("set / interface ethernet-1/1 admin-state enable", "set / system name host-name x")
JUNOS = ("set version 22.4R3.25", "set system host-name x", "set interfaces et-0/0/0 mtu 9216")
NVUE = ("nv set system hostname x", "nv set interface swp1 link mtu 9216")
EMPTY = '{"device": "x", "os": null, "captures": []}'
ATTACKS: Mapping[str, Attack] = {
    "hidden": rename(lambda name: f".{name}"),
    **{f"named {suffix}": rename(lambda name, s=suffix: f"leaf{s}") for suffix in (".md", ".rst", ".html", ".py")},
    **{f"named {suffix}": rename(lambda name, s=suffix: f"leaf{s}") for suffix in (".png", ".pdf", ".pem", ".xz")},
    "named README": rename(lambda _name: "README"),
    "named shadow": rename(lambda _name: "shadow"),
    "named as the intent": rename(lambda _name: "links.yaml"),
    "an empty manifest": beside("manifest.json", ""),
    "a manifest of nothing": beside("manifest.json", "{}"),
    "a manifest without captures": beside("manifest.json", EMPTY),
    "a manifest of another file": beside("manifest.json", EMPTY.replace("[]", '[{"command": "x", "file": "y"}]')),
    "a manifest of another system": lambda path: beside(
        "manifest.json", json.dumps({"device": "x", "os": "jobs", "captures": [{"command": "x", "file": path.name}]})
    )(path),
    "a record of a pull": pretend_a_pull,
    "a banner with a schema": add_schema,
    "the prompt of a shell on top": top("$ uname -a"),
    "a shell and its output on top": top("$ uname -a", "Linux x 6.1.0 x86_64", "$ cat x"),
    "an RDMA tool on top": top("$ hostname", "x", "$ mlnx_qos -i eth0"),
    "lines of SR Linux on top": top(*SRL),
    "lines of Junos on top": top(*JUNOS),
    "lines of NVUE on top": top(*NVUE),
    "many lines of Junos on top": top(*JUNOS, *(f"set interfaces et-0/0/{n} mtu 9216" for n in range(1, 99))),
    "an excuse for a document on top": top("# How we build", "", "Read this *first*.", ""),
    "deleted": Path.unlink,
    "cut to a half": text(lambda own: own[: len(own) // 2]),
    "cut to a tenth": text(lambda own: own[: len(own) // 10]),
    "emptied": data(lambda _own: b""),
    "with zeros": data(lambda own: b"\x89PNG\r\n" + bytes(1000) + own),
    "in another encoding": data(lambda own: b"\xff\xfe" + own),
    "one long line": data(lambda own: own.replace(b"\n", b" ") + bytes(b"x") * 70_000),
    "packed": lambda path: (path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes())), path.unlink())[1],
    "in an archive, hidden": pack,
    "a symlink out": link_out,
    "a FIFO": make_fifo,
    "in a hidden folder": into(".github"),
    "in a folder of a tool": into("node_modules"),
    "in a repository": into(".git"),
    "in the folder of the cache": into(".roce-audit-cache"),
    "beside the marker of a bundle": beside("sos_commands/networking/ethtool_-a_ens1", "Pause parameters for ens1:\n"),
    "beside a part of it": outvote,
}


def lost(report: Report) -> set[str]:
    """Return the devices of which the report says that they are no longer audited, wholly or in part."""
    return {f.device for f in report.of_kind(FindingKind.FAIL) if f.rule == "AUD001"}


def ports(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """Return operating system and name of each port by device; of two of one name, the first counts."""
    found: dict[str, set[tuple[str, str]]] = {}
    for row in load(folder, Options(jobs=1)).model.devices:
        found.setdefault(row.own_name, {(row.os, port.name) for port in row.ports})
    return found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited") / "base"
    write_base(folder)
    return folder


@pytest.mark.parametrize("name", ATTACKS)
def test_no_device_leaves_the_audit_in_silence(base: Path, tmp_path: Path, name: str) -> None:
    """Each device of the base is at the head with all its ports, or a finding says that it is not."""
    head = tmp_path / "head"
    for path in write_base(head):
        ATTACKS[name](path)
    report = audit(head, Options(old=str(base), jobs=1))
    before, after = ports(base), ports(head)
    missing = {device for device, own in before.items() if not own <= after.get(device, set())}
    print(name, "missing", len(missing), "of", len(before), "lost", len(lost(report)), "problems", len(report.problems), [f"{p.file.rsplit('/',2)[-2:] if p.file else ''}: {p.message[:50]}" for p in report.problems][:3], "left", sorted(set(before)-missing)[:20])
    assert missing <= lost(report)
