"""`expect:` of roce-audit.yaml: what an audit must see, and exit status 2 below the floor and beyond the age."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.engine.expect import measure_sight
from auditor.engine.load import read_device
from auditor.inputs.dates import CaptureDate, find_collected_day, parse_day
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import Expectation
from auditor.model.dump import Capture
from auditor.systems import systems

Run = Callable[..., tuple[int, str, str]]
INTENT = """schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
"""
LEAF = "hostname leaf%d\ninterface Ethernet1/1\n  mtu 9216\n"
HOST = "$ hostname\ngpu1\n$ ip link show\n2: ens1: <UP> mtu 9000 state UP\n"


def write(folder: Path, expect: str) -> Path:
    """Return a folder with two leaves and a host, whose intent expects something."""
    (folder / "roce-audit.yaml").write_text(f"{INTENT}expect:\n{expect}")
    for number in (1, 2):
        (folder / f"leaf{number}.cfg").write_text(LEAF % number)
    (folder / "gpu1.txt").write_text(HOST)
    return folder


@pytest.mark.parametrize(
    ("expect", "sight", "missing", "is_enough"),
    [
        ("  devices: [{name: 'leaf*', count: 2}, {name: gpu1}]\n", "3 of 3", [], True),
        ("  devices: [{name: 'leaf*', count: 4}]\n", "2 of 4", ["leaf*: 2 of 4 devices"], False),
        ("  devices: [{name: 'leaf*', count: 4}]\n  floor: 0.5\n", "2 of 4", ["leaf*: 2 of 4 devices"], True),
        ("  devices: [{name: 'spine*', count: 1}]\n", "0 of 1", ["spine*: 0 of 1 devices"], False),
        (
            "  devices: [{name: gpu1}]\n  captures: [{devices: 'gpu*', commands: [ip, show_gids]}]\n",
            "0 of 1",
            ["gpu1: no capture of show_gids"],
            False,
        ),
    ],
)
def test_what_is_expected_is_counted(  # noqa: PLR0913, PLR0917  a column of the table each
    tmp_path: Path, run: Run, expect: str, sight: str, missing: list[str], is_enough: bool
) -> None:
    folder = write(tmp_path, expect)
    report = auditor.audit(folder)
    assert report.sight == f"seen {sight} expected devices"
    assert [each.message for each in report.unseen] == missing
    assert bool(report.problems) is not is_enough
    assert run("check", folder)[0] == (0 if is_enough else 2)
    assert json.loads(run("check", folder, "--format", "json")[1])["sight"] == report.sight
    assert report.sight in run("check", folder)[1]


@pytest.mark.children
@pytest.mark.parametrize("expect", ["  devices: [{name: 'leaf*', count: 2}]\n"])
def test_a_device_that_is_lost_is_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expect: str) -> None:
    """The others keep their dumps, whichever is lost."""
    folder = write(tmp_path, expect)
    read = read_device

    def fail(unit: DeviceUnit) -> object:
        if "leaf1" in str(unit):
            raise ValueError(unit)
        return read(unit)

    monkeypatch.setattr("auditor.engine.load.read_device", fail)
    report = auditor.audit(folder, auditor.Options(old=str(folder)))
    assert report.sight == "seen 1 of 2 expected devices"
    assert any("not audited" in problem.message for problem in report.problems)


NOW = datetime(2026, 11, 23, 20, 5, tzinfo=UTC)
TODAY = NOW.date()
NXOS = "!Command: show running-config\n!Time: %s\nhostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n"
INVENTORY = "hosts:\n  leaf[1-2]: {platform: cisco_nxos}\n  gpu1: {platform: linux}\n"


@pytest.fixture(autouse=True, scope="module")
def _one_clock() -> Iterator[None]:
    """Let an audit and the dates of these dumps have one day, however long the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("audit", "rehearsal", "sides"):
            patch.setattr(f"auditor.engine.{module}.today", lambda: TODAY)
        yield


def days_ago(count: int) -> datetime:
    return NOW - timedelta(count)


def write_pull(folder: Path, name: str, days: int | None, text: str = LEAF % 1, more: object = None) -> Path:
    """Write the folder of a pulled device whose capture was seen some days ago; return its capture."""
    (folder / name).mkdir()
    path = folder / name / "show_running-config.txt"
    path.write_text(text)
    seen = {} if days is None else {"seen": days_ago(days).isoformat(timespec="seconds")}
    entry = {"command": "show running-config", "file": path.name, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    manifest = {
        "device": name,
        "os": "cisco_nxos",
        **seen,
        "captures": [{**entry, **more} if isinstance(more, dict) else entry],
    }
    path.with_name("manifest.json").write_text(json.dumps(manifest))
    return path


def declare(folder: Path, expect: str) -> Path:
    (folder / "roce-audit.yaml").write_text(f"{INTENT}expect: {{{expect}}}\n")
    return folder


@pytest.mark.parametrize(
    ("days", "more", "sight", "status"),
    [
        (0, {}, "oldest capture 0 days", 0),
        (1, {}, "oldest capture 1 day", 0),
        (7, {}, "oldest capture 7 days", 0),
        (9, {}, "oldest capture 9 days", 2),
        (0, {"seen": days_ago(9).isoformat()}, "oldest capture 9 days", 2),
        (0, {"time": days_ago(99).isoformat()}, "oldest capture 0 days", 0),
        (None, {"time": days_ago(9).isoformat()}, "oldest capture 9 days", 2),
        (None, {"time": days_ago(3).isoformat(), "sha256": None}, "oldest capture 3 days", 0),
        (None, {}, "1 file of unknown age", 2),
        (None, {"time": "last week"}, "1 file of unknown age", 2),
        (None, {"time": ["2026-11-23"]}, "1 file of unknown age", 2),
        (0, {"sha256": "0" * 64}, "1 file of unknown age", 2),
        (-3, {}, "1 file of unknown age", 2),
    ],
    ids=[
        *("today", "a day", "at the limit", "beyond it", "the last pull did not see it", "unchanged for long"),
        *("of an older pull", "without a digest", "no time", "no date", "no text", "edited since", "of the future"),
    ],
)
def test_the_age_of_a_pulled_capture(  # noqa: PLR0913, PLR0917  a column of the table each
    tmp_path: Path, run: Run, days: int | None, more: dict[str, object], sight: str, status: int
) -> None:
    write_pull(declare(tmp_path, "max_age_days: 7"), "leaf1", days, more=more)
    report = auditor.audit(tmp_path)
    assert report.sight == sight
    assert run("check", tmp_path)[0] == status
    assert bool(report.unseen) is bool(status)


HOW = "take them with `roce-audit pull` or the script of `roce-audit collect-script`"


def test_each_device_with_old_captures_is_named(tmp_path: Path) -> None:
    declare(tmp_path, "max_age_days: 7, devices: [{name: 'leaf*', count: 3}]")
    for name, days in (("leaf1", 9), ("leaf2", None), ("leaf3", 2)):
        write_pull(tmp_path, name, days, f"hostname {name}\n" + LEAF.partition("\n")[2])
    report = auditor.audit(tmp_path)
    assert report.sight == "seen 3 of 3 expected devices, oldest capture 9 days, 1 file of unknown age"
    assert [(each.message, Path(each.file or "").parent.name) for each in report.unseen] == [
        ("leaf1: 1 file older than 7 days, up to 9", "leaf1"),
        ("leaf2: 1 file of unknown age", "leaf2"),
    ]
    assert [each.message for each in report.problems] == [
        "oldest capture 9 days, but `expect:` allows 7 days; take the captures again",
        f"1 file of unknown age, but `expect:` allows 7 days; {HOW}",
    ]


def test_the_time_of_a_file_proves_nothing(tmp_path: Path) -> None:
    (declare(tmp_path, "max_age_days: 7") / "leaf1.cfg").write_text(LEAF % 1)
    os.utime(tmp_path / "leaf1.cfg")
    assert auditor.audit(tmp_path).sight == "1 file of unknown age"


@pytest.mark.parametrize(
    ("text", "sight"),
    [
        (NXOS % days_ago(9).strftime("%a %b %e %H:%M:%S %Y"), "oldest capture 9 days"),
        (NXOS % "Mon Foo 16 10:15:54 2026", "1 file of unknown age"),
        (NXOS % "Mon Feb 30 10:15:54 2026", "1 file of unknown age"),
        (
            f"# gathered with roce-audit 0.1.0 by user 0 on {days_ago(9):%Y-%m-%d %H:%M:%S} UTC\n{HOST}",
            "oldest capture 9 days",
        ),
        (
            "".join(
                f"# gathered with roce-audit 0.1.0 by user 0 on {days_ago(days):%Y-%m-%d %H:%M:%S} UTC\n{HOST}"
                for days in (1, 5)
            ),
            "oldest capture 5 days",
        ),
        (f"! Last configuration change at {days_ago(1):%Y-%m-%d}\n{LEAF % 1}", "1 file of unknown age"),
    ],
    ids=["NX-OS", "no month", "no day", "the script", "two runs of the script", "the last change"],
)
def test_a_date_in_a_dump(tmp_path: Path, text: str, sight: str) -> None:
    (declare(tmp_path, "max_age_days: 7") / "dump.txt").write_text(text)
    assert auditor.audit(tmp_path).sight == sight


def test_the_older_side_of_a_comparison_may_be_of_any_age(tmp_path: Path) -> None:
    for name, days in (("old", 99), ("new", 1)):
        (tmp_path / name).mkdir()
        write_pull(declare(tmp_path / name, "max_age_days: 7"), "leaf1", days)
    report = auditor.audit(tmp_path / "new", auditor.Options(old=str(tmp_path / "old")))
    assert (report.sight, report.problems) == ("oldest capture 1 day", ())
    assert not any("of unknown age" in each.message or "oldest" in each.message for each in report.warnings)


@given(st.integers(0, 3_000), st.integers(0, 100), st.booleans())
def test_an_age_is_that_of_the_record(days: int, most: int, is_whole: bool) -> None:
    unit = DeviceUnit("leaf1", "leaf1.cfg", "cisco_nxos", (Capture("leaf1.cfg", tuple((LEAF % 1).splitlines())),))
    expected = Expectation((), (), 1, "roce-audit.yaml", 1, max_age_days=most)
    digest = hashlib.sha256((LEAF % 1).encode()).hexdigest() if is_whole else "0"
    dates = {"leaf1.cfg": CaptureDate(TODAY - timedelta(days), digest)}
    sight = measure_sight(expected, [(read_device(unit).device, unit)], (), dates, TODAY)
    assert (sight.oldest_days, sight.undated) == ((days, 0) if is_whole else (None, 1))
    assert bool([*sight.explain_unmet()]) is (not is_whole or days > most)


@given(st.text(max_size=60) | st.datetimes().map(str) | st.dates().map(str))
def test_any_text_is_a_day_or_none(text: str) -> None:
    parse_day(text)
    lines = (f"!Time: {text}", f"# gathered with roce-audit 1 by user 0 on {text}")
    find_collected_day(lines)
    systems()["cisco_nxos"].find_day(Capture("a", lines))


@pytest.mark.parametrize(
    ("inventory", "expect", "sight", "missing"),
    [
        (INVENTORY, "", "3 of 3", []),
        (INVENTORY.replace("1-2", "1-4"), "", "3 of 5", ["leaf3", "leaf4"]),
        (INVENTORY.replace("leaf", "LEAF"), "", "3 of 3", []),
        ("[all]\nleaf1 ansible_host=10.0.0.1\nspine1\n", "", "1 of 2", ["spine1"]),
        (INVENTORY, ", captures: [{devices: gpu1, commands: [show_gids]}]", "2 of 3", []),
        (INVENTORY, ", devices: [{name: 'leaf*', count: 2}]", "3 of 3", []),
        (INVENTORY.replace("1-2", "1-1"), ", devices: [{name: 'leaf*', count: 2}]", "3 of 3", []),
        (INVENTORY, ", floor: 0.5, devices: [{name: 'spine*', count: 1}]", "3 of 4", []),
    ],
)
def test_each_device_of_the_inventory_is_expected(  # noqa: PLR0913, PLR0917  a column of the table each
    tmp_path: Path, run: Run, inventory: str, expect: str, sight: str, missing: list[str]
) -> None:
    folder = write(tmp_path, "")
    (folder / "inventory.yaml").write_text(inventory)
    if inventory.startswith("["):
        (folder / "inventory.yaml").rename(folder / "inventory.ini")
    name = "ini" if inventory.startswith("[") else "yaml"
    report = auditor.audit(declare(folder, f"inventory: inventory.{name}{expect}"))
    assert report.sight == f"seen {sight} expected devices"
    absent = [each.message for each in report.unseen if each.message.endswith(": in the inventory, no dump")]
    assert absent == [f"{each}: in the inventory, no dump" for each in missing]
    assert run("check", folder)[0] == (0 if sight in {"3 of 3", "3 of 4"} else 2)
    assert not any("inventory" in (each.file or "") for each in (*report.skipped, *report.problems))


def test_a_pulled_device_is_known_by_its_name_in_the_inventory(tmp_path: Path) -> None:
    write_pull(declare(tmp_path, "inventory: hosts.yaml"), "leaf1.rack12", 0)
    (tmp_path / "hosts.yaml").write_text("hosts:\n  leaf1.rack12: {platform: cisco_nxos}\n")
    assert auditor.audit(tmp_path).sight == "seen 1 of 1 expected devices"


SECRET = "hunter2-of-the-lab"


@pytest.mark.parametrize(
    ("path", "text", "wrong"),
    [
        ("gone.yaml", None, "no such file"),
        (".", None, "no such file"),
        ("x" * 900, None, "no such file"),
        ("../beside.yaml", INVENTORY, "leads out of the folder of the intent"),
        ("/etc/hostname", None, "leads out of the folder of the intent"),
        ("https://netbox.example", None, "is an address"),
        (
            "a.yaml",
            f"hosts:\n  leaf1: {{password: {SECRET}, data: {SECRET}}}\n",
            "not an inventory of devices (line 2)",
        ),
        ("a.yaml", f"hosts: {{leaf1: {{a: {SECRET}", "not an inventory of devices (line 2)"),
        ("a.ini", f"leaf1 {SECRET}\n", "not an inventory of devices (line 1)"),
        ("a.ini", f"{SECRET}$%\n", "not an inventory of devices (line 1)"),
        ("a.ini", "", "not an inventory of devices"),
        ("a.yaml", "hosts:\n" + "".join(f"  h{n}x[1-99999]: {{}}\n" for n in range(3)), "not an inventory of devices"),
        ("a.ini", "".join(f"h{n}x[1:99999]\n" for n in range(3)), "not an inventory of devices"),
    ],
)
def test_an_inventory_that_cannot_be_read_is_an_error_without_its_content(
    tmp_path: Path, run: Run, path: str, text: str | None, wrong: str
) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    write(folder, "")
    declare(folder, f"inventory: '{path}'")
    if text is not None:
        (folder / path).write_text(text)
    status, out, err = run("check", folder)
    assert status == 2
    assert f"roce-audit.yaml:4: inventory {folder / path}: {wrong}" in err
    assert SECRET not in out + err


def test_an_inventory_behind_a_symlink_out_of_the_folder_is_refused(tmp_path: Path, run: Run) -> None:
    (tmp_path / "other.ini").write_text(f"{SECRET}\n")
    folder = tmp_path / "dumps"
    folder.mkdir()
    (declare(write(folder, ""), "inventory: a.ini") / "a.ini").symlink_to("../other.ini")
    status, out, err = run("check", folder)
    assert (status, SECRET in out + err) == (2, False)
    assert "leads out of the folder" in err


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_an_inventory_of_any_content_gives_names_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name in ("a.yaml", "a.ini"):
        (folder / name).write_bytes(data)
        (declare(folder, f"inventory: {name}") / "leaf1.cfg").write_text(LEAF % 1)
        try:
            assert auditor.audit(folder).expectation
        except auditor.CannotAudit as error:
            assert f"inventory {folder / name}: not an inventory of devices" in str(error)  # noqa: PT017  either is fine


@pytest.mark.parametrize("expect", ["floor: 0.5", "", "max_age_days: -1", "max_age_days: 7d", "inventory: ''"])
def test_an_expectation_of_nothing_is_an_error(tmp_path: Path, run: Run, expect: str) -> None:
    status, _, err = run("check", declare(write(tmp_path, ""), expect))
    assert status == 2
    assert "roce-audit.yaml:4: expect" in err


def commit(folder: Path) -> None:
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)


def test_the_inventory_of_the_base_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """A change that drops a device from dumps and inventory is no way out; the inventory may lie beside the dumps."""
    (tmp_path / "dumps").mkdir()
    write(tmp_path / "dumps", "")
    (tmp_path / "dumps" / "roce-audit.yaml").unlink()
    (declare(tmp_path, "inventory: fabric/hosts.yaml") / "fabric").mkdir()
    (tmp_path / "fabric" / "hosts.yaml").write_text("leaf1: {groups: [leaves]}\nleaf2: {groups: [leaves]}\n")
    (tmp_path / "fabric" / "groups.yaml").write_text("leaves: {platform: cisco_nxos}\n")
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    arguments = ["check", "dumps", "--config", "roce-audit.yaml", "--base", "main"]
    assert run(*arguments)[0] == 0
    (tmp_path / "dumps" / "leaf2.cfg").unlink()
    (tmp_path / "fabric" / "hosts.yaml").write_text("leaf1: {}\n")
    status, out, _ = run(*arguments)
    assert status == 2
    assert "leaf2: in the inventory, no dump" in out
    assert "fabric/hosts.yaml: the change edits the inventory that `expect:` names" in out


def test_every_format_shows_how_much_was_seen(tmp_path: Path, run: Run) -> None:
    write_pull(declare(tmp_path, "max_age_days: 7, devices: [{name: leaf1}]"), "leaf1", 9)
    sight = "seen 1 of 1 expected devices, oldest capture 9 days"
    outputs = {name: run("check", tmp_path, "--format", name)[1] for name in ("json", "sarif", "junit", "github")}
    outputs |= {name: run("check", tmp_path, "--format", name)[1] for name in ("terminal", "markdown")}
    document = json.loads(outputs["json"])
    assert document["sight"] == sight
    counts = {"seen": 1, "expected": 1, "max_age_days": 7, "oldest_days": 9, "undated": 0, "met": False}
    assert document["expectation"] == counts
    assert json.loads(outputs["sarif"])["runs"][0]["properties"]["sight"] == sight
    suites = ET.fromstring(outputs["junit"])  # noqa: S314  our own output
    assert [each.get("value") for each in suites.iter("property") if each.get("name") == "sight"] == [sight]
    for name in ("terminal", "github"):
        assert sight in outputs[name]
    assert sight.capitalize() in outputs["markdown"]
