"""What a device is among files, and what happens to everything that is none."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from auditor.engine.load import distinguish_devices, read_device
from auditor.inputs.snapshot import Snapshot, find
from auditor.model.device import Device
from auditor.model.setting import value_of

Write = Callable[[Mapping[str, str | bytes]], Path]
FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
CONFIG = "feature lldp\ninterface Ethernet1/1\n  no shutdown\n"
STATUS = """\
--------------------------------------------------------------------------------
Port          Name               Status    Vlan      Duplex  Speed   Type
--------------------------------------------------------------------------------
Eth1/1        --                 connected routed    full    400G    QSFP-400G-DR4
"""
ETHTOOL = "Pause parameters for ens1:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n"


def named(name: str) -> str:
    return f"hostname {name}\n{CONFIG}"


COMMANDS = {"config": "show running-config", "status": "show interface status", "time": "show clock"}


def manifest(device: object = "leaf1", os: object = "cisco_nxos", **files: str) -> str:
    captures = [{"command": COMMANDS[command], "file": file} for command, file in files.items()]
    return json.dumps({"device": device, "os": os, "captures": captures})


def shape(snapshot: Snapshot, root: Path) -> list[tuple[str, str, list[str]]]:
    """Return name, operating system and files of each device."""
    return sorted(
        (read_device(u).device.name, u.os, sorted({c.file.removeprefix(f"{root}/") for c in u.captures}))
        for u in snapshot.units
    )


NXOS = "cisco_nxos"
INTENT = "schema: roce-audit/intent/1\npreset: cisco-nexus-ai\n"
LINKS = "schema: roce-audit/links/1\nlinks: []\n"
DEVICES: dict[str, tuple[dict[str, str], list[tuple[str, str, list[str]]]]] = {
    "a file": ({"leaf1.cfg": CONFIG}, [("leaf1", NXOS, ["leaf1.cfg"])]),
    "a file that tells its name": ({"x.cfg": named("leaf1")}, [("leaf1", NXOS, ["x.cfg"])]),
    "several configurations in a folder": (
        {"a.cfg": CONFIG, "b.cfg": named("leaf2")},
        [("a", NXOS, ["a.cfg"]), ("leaf2", NXOS, ["b.cfg"])],
    ),
    "several configurations and a capture of one of them, whose is not known": (
        {"a.cfg": CONFIG, "b.cfg": CONFIG, "show_interface_status.txt": STATUS},
        [
            ("a", NXOS, ["a.cfg"]),
            ("b", NXOS, ["b.cfg"]),
            ("show_interface_status", NXOS, ["show_interface_status.txt"]),
        ],
    ),
    "a folder of captures": (
        {"leaf1/show_running-config.txt": CONFIG, "leaf1/show_interface_status.txt": STATUS},
        [("leaf1", NXOS, ["leaf1/show_interface_status.txt", "leaf1/show_running-config.txt"])],
    ),
    "a folder of captures without a configuration": (
        {"leaf1/show_interface_status.txt": STATUS},
        [("leaf1", NXOS, ["leaf1/show_interface_status.txt"])],
    ),
    "a host's folder": (
        {"host1/ethtool_-a_ens1.txt": ETHTOOL, "host1/hostname.txt": "gpu1\n"},
        [("gpu1", "linux", ["host1/ethtool_-a_ens1.txt", "host1/hostname.txt"])],
    ),
    "a transcript": (
        {"host1.txt": f"$ hostname\ngpu1\n$ ethtool -a ens1\n{ETHTOOL}"},
        [("gpu1", "linux", ["host1.txt"])],
    ),
    "several transcripts in a folder": (
        {"host1.txt": f"$ ethtool -a ens1\n{ETHTOOL}", "host2.txt": f"$ ethtool -a ens1\n{ETHTOOL}"},
        [("host1", "linux", ["host1.txt"]), ("host2", "linux", ["host2.txt"])],
    ),
    "a switch and a host in one folder": (
        {"leaf1.cfg": CONFIG, "host1.txt": f"$ ethtool -a ens1\n{ETHTOOL}"},
        [("host1", "linux", ["host1.txt"]), ("leaf1", NXOS, ["leaf1.cfg"])],
    ),
    "folders within folders": (
        {"pod1/leaf1/a.cfg": named("l1"), "pod2/leaf1/a.cfg": named("l2")},
        [("l1", NXOS, ["pod1/leaf1/a.cfg"]), ("l2", NXOS, ["pod2/leaf1/a.cfg"])],
    ),
    "a manifest names the device": (
        {"d/manifest.json": manifest(config="a.txt"), "d/a.txt": CONFIG},
        [("leaf1", NXOS, ["d/a.txt"])],
    ),
    "settings are no dumps": (
        {"leaf1.cfg": CONFIG, "roce-audit.yaml": INTENT, "links.yaml": LINKS, "other.yaml": f"# ours\n\n{INTENT}"},
        [("leaf1", NXOS, ["leaf1.cfg"])],
    ),
    "a dump is one under the name and with the words of settings": (
        {"links.yaml": named("leaf1"), "x.cfg": named("leaf2") + INTENT},
        [("leaf1", NXOS, ["links.yaml"]), ("leaf2", NXOS, ["x.cfg"])],
    ),
}


def tar_gz(root: Path, files: Mapping[str, str]) -> Path:
    path = root / "dumps.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def zipped(root: Path, files: Mapping[str, str]) -> Path:
    path = root / "dumps.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("pack", [None, tar_gz, zipped], ids=["folder", "tar.gz", "zip"])
@pytest.mark.parametrize(("files", "devices"), DEVICES.values(), ids=DEVICES)
def test_what_a_device_is(
    write: Write,
    tmp_path: Path,
    pack: Callable[[Path, Mapping[str, str]], Path] | None,
    files: Mapping[str, str],
    devices: list[tuple[str, str, list[str]]],
) -> None:
    root = pack(tmp_path, files) if pack else write(files)
    snapshot = find([str(root)])
    assert shape(snapshot, root) == devices
    assert not snapshot.problems


@pytest.mark.parametrize("pack", [tar_gz, zipped])
def test_a_device_at_the_root_of_an_archive_is_named_like_the_archive(
    tmp_path: Path, pack: Callable[[Path, Mapping[str, str]], Path]
) -> None:
    (unit,) = find([str(pack(tmp_path, {"show_interface_status.txt": STATUS}))]).units
    assert unit.name == "dumps"


def test_a_folder_that_holds_only_the_configuration_names_the_device(write: Write) -> None:
    (unit,) = find([str(write({"leaf1/show_running-config.txt": CONFIG}))]).units
    assert unit.name == "leaf1"


def test_a_file_that_is_given_stands_alone(write: Write) -> None:
    root = write({"leaf1/show_running-config.txt": CONFIG, "leaf1/show_interface_status.txt": STATUS})
    snapshot = find([str(root / "leaf1" / name) for name in ("show_running-config.txt", "show_interface_status.txt")])
    assert [len(unit.captures) for unit in snapshot.units] == [1, 1]


@pytest.mark.parametrize(
    ("name", "content", "os"),
    [
        ("x.txt", STATUS, NXOS),
        ("show_interface_status.txt", "nothing that is known\n", NXOS),
        ("ethtool_-a_ens1.txt", STATUS, NXOS),
        ("show_interface_status.txt", ETHTOOL, "linux"),
    ],
    ids=["by content", "by name", "content beats name", "content beats the name of another system"],
)
def test_content_tells_before_the_name_does(write: Write, name: str, content: str, os: str) -> None:
    assert [unit.os for unit in find([str(write({name: content}))]).units] == [os]


def test_the_operating_system_can_be_dictated(write: Write) -> None:
    root = write({"notes.txt": "hello\n"})
    assert find([str(root)]).units == ()
    assert [unit.os for unit in find([str(root)], os="linux").units] == ["linux"]


def test_files_that_only_the_option_makes_dumps_stay_devices_of_their_own(write: Write) -> None:
    root = write({"a.cfg": "hostname a\nvlan 3\n", "b.cfg": "hostname b\nvlan 3\n"})
    assert [read_device(unit).device.name for unit in find([str(root)], os=NXOS).units] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("data.json", "[1, 2]", 1, "object"),
        ("data.json", '"x"', 1, "object"),
        ("data.json", '{"a": 1,\n "b": [1,\n', 2, "JSON"),
        ("data.json", "{\n'a': 1}", 2, "JSON"),
        ("data.json", "[" * 100_000, None, "JSON"),
        ("data.json", "1" * 5000, None, "JSON"),
    ],
)
def test_json_that_cannot_be_a_dump_is_a_problem(
    write: Write, name: str, content: str, line: int | None, says: str
) -> None:
    (problem,) = find([str(write({name: content}))]).problems
    assert Path(problem.name).name == name
    assert says in problem.message
    assert problem.line == line


def test_what_is_not_recognised_is_a_problem_only_where_it_was_given(write: Write) -> None:
    root = write({"notes.txt": "hello\n", "thing.json": '{"a": 1}', "leaf1.cfg": CONFIG})
    inside = find([str(root)])
    assert sorted(Path(s.name).name for s in inside.skipped) == ["notes.txt", "thing.json"]
    assert not inside.problems
    given = find([str(root / "notes.txt"), str(root / "leaf1.cfg")])
    assert [Path(p.name).name for p in given.problems] == ["notes.txt"]
    assert len(given.units) == 1


def test_what_is_not_recognised_is_a_problem_also_under_an_odd_name(write: Write) -> None:
    assert len(find([str(write({"no\nte": "hello\n"}) / "no\nte")]).problems) == 1


def test_the_command_of_a_manifest_beats_name_and_content(write: Write) -> None:
    listed = manifest(status="show_running-config.txt")
    (unit,) = find([str(write({"manifest.json": listed, "show_running-config.txt": STATUS}))]).units
    assert (unit.name, unit.captures[0].command) == ("leaf1", "show interface status")
    assert [p.name for p in read_device(unit).device.ports] == ["Ethernet1/1"]


def test_a_file_of_a_manifest_that_is_missing_is_a_problem_and_the_rest_is_read(write: Write) -> None:
    listed = manifest(config="a.txt", status="gone.txt")
    snapshot = find([str(write({"d/manifest.json": listed, "d/a.txt": CONFIG}))])
    (problem,) = snapshot.problems
    assert Path(problem.name).name == "manifest.json"
    assert "gone.txt" in problem.message
    assert len(snapshot.units) == 1


def test_a_file_that_the_manifest_does_not_list_is_skipped_unless_it_shows_a_device(write: Write) -> None:
    files = {"manifest.json": manifest(config="a"), "a": CONFIG, "b": STATUS, "notes.txt": "rack 12\n"}
    snapshot = find([str(write(files))])
    assert [Path(s.name).name for s in snapshot.skipped] == ["notes.txt"]
    assert [Path(p.name).name for p in snapshot.problems] == ["b"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[]", None),
        ("{}", None),
        ('{\n"device": "leaf1",\n', 2),
        ('{"device": "leaf1"}', None),
        ('{"device": "leaf1", "captures": "abc"}', None),
        ('{"device": "leaf1", "captures": [{"file": "a.txt"}]}', None),
        ('{"device": "leaf1", "captures": []}', None),
        ('{"device": "leaf1", "captures": [{"file": "a.txt", "command": 1}]}', None),
        ('{"device": 1, "captures": [{"file": "a.txt", "command": "show clock"}]}', None),
        ('{"schema": "roce-audit/pull/1", "device": "leaf1"}', None),
        ("[" * 100_000, None),
    ],
)
def test_a_broken_manifest_is_a_problem_and_the_files_are_still_read(write: Write, text: str, line: int | None) -> None:
    snapshot = find([str(write({"manifest.json": text, "a.txt": named("leaf1")}))])
    assert [(Path(p.name).name, p.line) for p in snapshot.problems] == [("manifest.json", line)]
    assert [read_device(unit).device.name for unit in snapshot.units] == ["leaf1"]


def test_a_manifest_without_any_known_capture_is_a_problem(write: Write) -> None:
    snapshot = find([str(write({"manifest.json": manifest(os="vms", time="a.txt"), "a.txt": "x\n"}))])
    assert (len(snapshot.units), len(snapshot.problems)) == (0, 1)


@pytest.mark.parametrize("os", [[], {}])
def test_a_manifest_whose_operating_system_is_no_text(write: Write, os: object) -> None:
    assert find([str(write({"manifest.json": manifest(os=os, config="a"), "a": CONFIG}))])


def test_an_operating_system_that_is_not_read_is_not_read_as_another(write: Write) -> None:
    listed = manifest(os="cisco_ios", config="a.txt")
    assert not find([str(write({"manifest.json": listed, "a.txt": CONFIG}))]).units


def test_a_manifest_without_a_name(write: Write) -> None:
    (unit,) = find([str(write({"d/manifest.json": manifest(None, config="a"), "d/a": CONFIG}))]).units
    assert unit.name == "d"


def test_a_recorded_session_of_a_switch_loses_no_configuration(write: Write) -> None:
    lldp = (FABRIC / "leaf1" / "show_lldp_neighbors_detail.txt").read_text()
    root = write({"a.txt": f"leaf1# show running-config\n{named('leaf1')}leaf1# show lldp neighbors detail\n{lldp}"})
    snapshot = find([str(root)])
    devices = [read_device(unit).device for unit in snapshot.units]
    told = [*snapshot.problems, *snapshot.skipped, *(doubt for each in devices for doubt in each.doubts)]
    assert told or [each.name for each in devices] == ["leaf1"]


def test_a_banner_makes_no_transcript(write: Write) -> None:
    root = write({"leaf1.cfg": f"hostname leaf1\nbanner motd #\n$ authorised users only\n#\n{CONFIG}"})
    (unit,) = find([str(root)]).units
    assert [p.name for p in read_device(unit).device.ports] == ["Ethernet1/1"]


@pytest.mark.parametrize(
    "prompt",
    [
        "$ ",
        "+ ",
        "root@gpu1:/home/ops# ",
        "[root@gpu1 ~]# ",
        "ops@gpu1:~$ ",
        "ops@gpu1.example.net:~/x-y% ",
        "root@gpu1:~#",
    ],
)
def test_a_terminal_session_is_a_transcript(write: Write, prompt: str) -> None:
    text = f"{prompt}ethtool -a ens1\n{ETHTOOL}{prompt}ls\nens2\n{prompt}ethtool -a ens2\n{ETHTOOL}"
    text += "" if prompt == "+ " else prompt
    (unit,) = find([str(write({"host1.txt": text}))]).units
    assert [(c.command, len(c.lines)) for c in unit.captures][::2] == [("ethtool -a ens1", 4), ("ethtool -a ens2", 4)]
    assert [port.name for port in read_device(unit).device.ports] == ["ens1", "ens2"]


@pytest.mark.parametrize(
    ("config", "status"), [("show running-config", "show interface status"), ("sh run", "sh int st")]
)
def test_a_session_with_a_switch_is_a_transcript(write: Write, config: str, status: str) -> None:
    text = f"leaf1# {config}\n{named('leaf1')}leaf1# {status}\n{STATUS}"
    (unit,) = find([str(write({"x.txt": text}))]).units
    (port,) = read_device(unit).device.ports
    assert value_of(port.config.ethernet.speed_gbps) == 400


def test_captures_of_a_transcript_keep_their_lines(write: Write) -> None:
    text = f"$ hostname\ngpu1\n$ ethtool -a ens1\n{ETHTOOL}"
    (unit,) = find([str(write({"host1.txt": text}))]).units
    assert [(c.command, c.first_line, c.lines[0]) for c in unit.captures] == [
        ("hostname", 2, "gpu1"),
        ("ethtool -a ens1", 4, "Pause parameters for ens1:"),
    ]


CUT = named("leaf1") + "  priority-flow-con"


def test_a_configuration_that_ends_inside_a_line_is_a_problem(write: Write) -> None:
    (unit,) = find([str(write({"leaf1.cfg": CUT}))]).units
    (problem,) = read_device(unit).problems
    assert (Path(problem.name).name, problem.line) == ("leaf1.cfg", 5)


def test_a_transcript_that_ends_inside_a_line_is_a_problem(write: Write) -> None:
    (unit,) = find([str(write({"leaf1.txt": "$ show running-config\n" + CUT}))]).units
    assert [problem.line for problem in read_device(unit).problems] == [6]


def device(name: str, source: str) -> Device:
    return Device(name, "switch", NXOS, source)


@pytest.mark.parametrize(
    ("given", "names", "warnings"),
    [
        ([("a", "1"), ("b", "2")], ["a", "b"], 0),
        ([("a", "1"), ("a", "2")], ["a", "a (2)"], 1),
        ([("a", "1"), ("a", "2"), ("a", "3")], ["a", "a (2)", "a (3)"], 2),
    ],
)
def test_devices_of_one_name_are_told_apart_by_path(
    given: list[tuple[str, str]], names: list[str], warnings: int
) -> None:
    devices, told = distinguish_devices(device(*each) for each in given)
    assert [d.name for d in devices] == names
    assert len(told) == warnings
    assert all("1" in warning and "a" in warning for warning in told)


@pytest.mark.parametrize("given", [[("a", "1")] * 3, [("a", "1"), ("a", "2"), ("a (2)", "3")]])
def test_names_are_unique_then(given: list[tuple[str, str]]) -> None:
    devices, _ = distinguish_devices(device(*each) for each in given)
    assert len({d.name for d in devices}) == len(given)


def test_an_interface_range_that_is_not_read_is_a_warning(write: Write) -> None:
    text = "feature lldp\ninterface Ethernet1/1-9999\n  priority-flow-control mode on\n"
    (unit,) = find([str(write({"leaf1.cfg": text}))]).units
    found = read_device(unit).device
    assert found.ports or found.doubts


def test_a_session_is_of_the_system_that_knows_most_of_it(tmp_path: Path) -> None:
    """`show interface` and `show interface status` are commands of many systems, the others of one."""
    (tmp_path / "leaf1.txt").write_text(
        "sonic# show interface Eth 1/1\nEth1/1 is up, line protocol is up\n"
        "sonic# show qos map tc-queue\nTC-Q-MAP: ROCE\n"
        "sonic# show buffer profile\nProfile egress_lossless_profile:\n"
        "sonic# show qos scheduler-policy ROCE\nScheduler Policy: ROCE\n"
    )
    (unit,) = find([str(tmp_path)]).units
    assert unit.os == "dell_enterprise_sonic"


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "folder of a document"])
def test_a_given_path_without_a_dump_is_said(tmp_path: Path, kind: str) -> None:
    """Beside a path with devices, silence about another one would look like an audit of it."""
    (tmp_path / "leaf1.cfg").write_text(named("leaf1"), encoding="utf-8")
    idle = tmp_path / "idle"
    if kind == "zip":
        zipfile.ZipFile(idle, "w").close()
    elif kind == "tar":
        tarfile.open(idle, "w:gz").close()
    else:
        idle.mkdir()
        if kind != "folder":
            (idle / "notes.md").write_text("# Notes\n", encoding="utf-8")
    found = find([str(tmp_path / "leaf1.cfg"), str(idle)])
    assert len(found.units) == 1
    assert [problem.name for problem in found.problems] == [str(idle)]
    assert not find([str(tmp_path / "leaf1.cfg")]).problems
