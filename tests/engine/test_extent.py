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
from auditor.model.finding import FindingKind
from auditor.systems import systems

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS: Mapping[str, tuple[str, ...]] = {
    "huawei_vrp": ("fabric-more/leaf1.cfg",),
    "hp_comware": ("fabric-more/leaf2.cfg",),
    "aruba_aoscx": ("fabric-more/leaf3.cfg",),
    "arista_eos": ("dumps/eos/leaf2.cfg",),
    "cisco_nxos": ("rules/unused-policy/bad/leaf1.cfg",),
    "dell_os10": ("dumps/os10/generated.cfg",),
    "cisco_iosxr": ("dumps/iosxr/spine1.cfg",),
    "juniper_junos": ("dumps/junos/older.set",),
    "nokia_srlinux": ("fabric-more/leaf5.cfg",),
    "cumulus_nvue": ("dumps/cumulus/leaf02.txt", "dumps/cumulus/leaf03.json"),
    "dell_enterprise_sonic": ("dumps/enterprise_sonic/flat.txt",),
    "sonic": ("dumps/sonic/buffers/config_db.json",),
    "linux": ("dumps/linux/gpu-b01.txt",),
}
"""Dumps of one file by system; a host with Windows is a folder of captures, and jobs have no ports."""
INTENT = "schema: roce-audit/intent/1\ntraffic: [{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}]\n"
Attack = Callable[[Path], None]
Base = tuple[Path, Mapping[str, set[tuple[str, str]]]]


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
    def move(path: Path) -> None:
        path.rename(path.with_name(change(path.name)))

    return move


def name_as(suffix: str) -> Attack:
    return rename(lambda _name: f"leaf{suffix}")


def beside(name: str, content: str | bytes) -> Attack:
    def write(path: Path) -> None:
        extra = path.parent / name
        extra.parent.mkdir(parents=True, exist_ok=True)
        extra.write_bytes(content.encode() if isinstance(content, str) else content)

    return write


def text(change: Callable[[list[str]], list[str]]) -> Attack:
    return data(lambda own: "\n".join([*change(own.decode().splitlines()), ""]).encode())


def data(change: Callable[[bytes], bytes]) -> Attack:
    def edit(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return edit


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


def compress(path: Path) -> None:
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()


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
    own = json.loads(path.read_text())
    named = {"schema": "roce-audit/intent/1"}
    path.write_text(json.dumps({**named, **own} if isinstance(own, dict) else [named, *own], indent=1))


def pretend_a_pull(path: Path) -> None:
    """Turn the dump into what looks like the record of a pull."""
    record = '{\n"schema": "roce-audit/pull/1", "devices": []\n}'
    beside("manifest.json", record)(path)
    if path.suffix == ".json":
        path.rename(path.with_name("manifest.json"))


SRL = ("set / interface ethernet-1/1 admin-state enable", "set / system name host-name x")
JUNOS = ("set version 22.4R3.25", "set system host-name x", "set interfaces et-0/0/0 mtu 9216")
NVUE = ("nv set system hostname x", "nv set interface swp1 link mtu 9216")
EMPTY = '{"device": "x", "os": null, "captures": []}'
ATTACKS: Mapping[str, Attack] = {
    "hidden": rename(lambda name: f".{name}"),
    **{f"named {end}": name_as(end) for end in (".md", ".rst", ".html", ".py", ".png", ".pdf", ".pem", ".xz")},
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
    "one long line": data(lambda own: own.replace(b"\n", b" ") + b"x" * 70_000),
    "packed": compress,
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


LEFT_TO_A_COMPARISON = frozenset(
    {
        "named .pem",
        "named shadow",
        "a banner with a schema",
        "lines of Junos on top",
        "lines of NVUE on top",
        "many lines of Junos on top",
        "deleted",
        "cut to a half",
        "cut to a tenth",
        "with zeros",
        "in another encoding",
        "packed",
        "in the folder of the cache",
        "beside the marker of a bundle",
    }
)
"""Ways out that a check without a base cannot see, or not on all systems: secrets and packed files stay shut."""


def ports(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """Return operating system and name of each port, by the folder of its device below *folder*."""
    found: dict[str, set[tuple[str, str]]] = {}
    for device in load(folder, Options(jobs=1)).model.devices:
        own = found.setdefault(Path(device.source).relative_to(folder).parts[0], set())
        own |= {(device.os, port.name) for port in device.ports}
    return found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """Return the folder of all dumps, and its ports."""
    folder = tmp_path_factory.mktemp("audited") / "base"
    write_base(folder)
    return folder, ports(folder)


@pytest.mark.read_once
@pytest.mark.parametrize("name", ATTACKS)
def test_no_device_leaves_the_audit_in_silence(base: Base, tmp_path: Path, name: str) -> None:
    """Each device of the base is at the head with all its ports, or a finding says that it is not."""
    head = tmp_path / "head"
    for path in write_base(head):
        ATTACKS[name](path)
    folder, before = base
    report = audit(head, Options(old=str(folder), jobs=1))
    after = ports(head)
    missing = {device for device, own in before.items() if not own <= after.get(device, set())}
    found = [f for f in report.of_kind(FindingKind.FAIL) if f.rule == "AUD001"]
    said = {Path(str(f.file)).relative_to(folder).parts[0] for f in found}
    unread = {Path(str(p.file)).relative_to(head).parts[0] for p in report.problems if p.file}
    assert missing <= said
    assert name in LEFT_TO_A_COMPARISON or missing <= unread


REPOSITORY = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/x": "interface Ethernet1/1\n",
    ".gitlab-ci.yml": "check:\n  script: roce-audit check .\n",
    ".github/workflows/audit.yml": "on: push\njobs: {}\n",
    ".bash_history": "ssh leaf1\nshow running-config\nmlnx_qos -i eth0\n",
    "README.md": "# Fabric\n\nA port looks so:\n\n```\n{dump}```\n\n$ roce-audit check .\n",
    "scripts/render.py": 'LEAF = """\n{dump}"""\n' + "".join(f"print({n})  # {n}\n" for n in range(999)),
    "LICENSE": "Apache License\n",
    "pod2/roce-audit.yaml": INTENT,
}


def test_a_repository_around_the_dumps_stays_quiet(tmp_path: Path) -> None:
    dump = (FIXTURES / "fabric" / "leaf1" / "show_running-config.txt").read_text()
    for name, content in {**REPOSITORY, "leaf1.cfg": "{dump}", "roce-audit.yaml": INTENT}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content.replace("{dump}", dump))
    report = audit(tmp_path, Options(jobs=1))
    assert (report.devices, report.problems) == (1, ())
    named = {Path(str(notice.file)).relative_to(tmp_path).parts[0] for notice in report.skipped}
    assert named == {Path(name).parts[0] for name in REPOSITORY}


def test_a_banner_cannot_make_a_switch_a_settings_file(tmp_path: Path) -> None:
    for side, mode in (("old", "on"), ("new", "off")):
        text = (FIXTURES / "fabric-clean" / "leaf1" / "show_running-config.txt").read_text()
        lines = "" if side == "old" else "banner motd ^\nschema: roce-audit/x\n^\n"
        changed = text.replace("hostname leaf1\n", f"hostname leaf1\n{lines}")
        changed = changed.replace("priority-flow-control mode on", f"priority-flow-control mode {mode}", 1)
        (tmp_path / side).mkdir()
        (tmp_path / side / "leaf1.cfg").write_text(changed)
        (tmp_path / side / "roce-audit.yaml").write_text(INTENT)
    report = audit(tmp_path / "new", Options(old=str(tmp_path / "old"), jobs=1))
    assert (report.devices, "PFC001" in {f.rule for f in report.relevant}) == (1, True)
