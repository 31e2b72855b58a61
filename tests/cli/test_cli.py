"""The program as its users run it: exit status, options, bad input, and secrets that must not show."""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from nexus import LOSSLESS, SYSTEM_QOS

from auditor.checks.catalogue import load_rules
from auditor.cli import estimate_options as options
from auditor.cli.lists import SCHEMAS
from auditor.estimate.link import Pause
from auditor.systems import systems

pytestmark = pytest.mark.read_once

Run = Callable[..., tuple[int, str, str]]
Write = Callable[[Mapping[str, str | bytes]], Path]
ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"

CLEAN = "hostname leaf2\nfeature lldp\ninterface Ethernet1/1\n  no shutdown\n"
NOTE = CLEAN + "class-map type qos match-any UNUSED\n  match dscp 26\n"
ERROR = """\
hostname leaf1
feature lldp
interface Ethernet1/1
  no shutdown
  service-policy type qos input NOWHERE
"""
PAUSES = f"""\
hostname leaf3
feature lldp
{LOSSLESS}{SYSTEM_QOS}interface Ethernet1/1
  no shutdown
  priority-flow-control mode on
"""
NO_RDMA = "schema: roce-audit/intent/1\ntraffic: [{name: storage, priority: 3, lossless: true}]\n"
FOUND, RULE = "undefined-reference", "CLS004"


def checked(run: Run, *arguments: object) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the JSON report of a check."""
    status, out, _ = run("check", *arguments, "--format", "json")
    report: dict[str, Any] = json.loads(out)
    return status, report


def failures(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    return sorted((f["name"], f["device"]) for f in report["findings"] if f["kind"] == "fail")


@pytest.mark.parametrize(
    ("files", "fail_on", "status"),
    [
        ({"a.cfg": CLEAN}, "note", 0),
        ({"a.cfg": NOTE}, "note", 1),
        ({"a.cfg": NOTE}, "warning", 0),
        ({"a.cfg": NOTE}, "error", 0),
        ({"a.cfg": PAUSES, "roce-audit.yaml": NO_RDMA}, "warning", 1),
        ({"a.cfg": PAUSES, "roce-audit.yaml": NO_RDMA}, "error", 0),
        ({"a.cfg": ERROR}, "error", 1),
        ({"a.cfg": ERROR}, "warning", 1),
        ({"a.cfg": ERROR}, "note", 1),
        ({"a.cfg": CLEAN, "b.cfg": ERROR}, "error", 1),
        ({"a.cfg": ERROR, "notes.txt": "hello\n"}, "error", 1),
        ({"a.cfg": CLEAN, "notes.txt": "hello\n"}, "error", 0),
        ({"a.cfg": ERROR, "b.cfg": ""}, "error", 2),
        ({"a.cfg": CLEAN, "b.cfg": ""}, "error", 2),
        ({"notes.txt": "hello\n"}, "error", 2),
        ({"roce-audit.yaml": NO_RDMA}, "error", 2),
        ({}, "error", 2),
    ],
)
def test_exit_status(run: Run, write: Write, files: Mapping[str, str], fail_on: str, status: int) -> None:
    for form in ("terminal", "json"):
        assert run("check", write(files), "--fail-on", fail_on, "--format", form)[0] == status


def test_the_level_by_default_is_error(run: Run, write: Write) -> None:
    assert run("check", write({"a.cfg": NOTE}))[0] == 0
    assert run("check", write({"a.cfg": ERROR}))[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["show"],
        ["explain"],
        ["schema"],
        ["no-such-command"],
        ["check", ".", "--no-such-option"],
        ["check", ".", "--fail-on", "fatal"],
        ["check", ".", "--format", "xml"],
        ["check", ".", "--jobs", "0"],
        ["check", ".", "--jobs", "many"],
        ["check", ".", "--os", "vms"],
        ["schema", "no-such-schema"],
        ["schema", "intent", "--all", "schemas"],
        ["explain", "XXX999"],
        ["explain", ""],
        ["check", "no/such/path"],
        ["show", "no/such/path"],
        ["check", ""],
        ["estimate"],
        ["estimate", "--cable", "40m"],
        ["estimate", "--speed", "fast"],
        ["estimate", "--speed", "0"],
        ["estimate", "--speed", "1e300", "--cable", "1e300km"],
        ["estimate", "--speed", "400", "--cable", "-1"],
        ["estimate", "--speed", "400", "--headroom", "10m/s"],
        ["estimate", "--speed", "400", "--pfc", "maybe"],
        ["estimate", "--speed", "400", "--ecn", "2KB,1KB,10%"],
        ["estimate", "--speed", "400", "--exposed", "120%"],
        ["estimate", "--speed", "400", "--mtu", "1500"],
        ["estimate", "--speed", "400", "--asic", "no such chip"],
        ["estimate", "--speed", "400", "--asic", "Jericho2"],
        ["estimate", "--scenarios", "gone.csv"],
        ["estimate", "--scenarios", "README.md"],
        ["estimate", "--scenarios", "fixtures/scenarios/incasts.csv", "--speed", "400"],
        ["estimate", "--scenarios", "fixtures/scenarios/incasts.csv", "--format", "json"],
        ["estimate", "--scenarios", "fixtures/scenarios/incasts.csv", "--output", "no/such/folder/out.csv"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_said_and_is_2(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert len(out + err) > 20
    assert "Traceback" not in err


BAD: dict[str, tuple[bytes | Callable[[], bytes], int | None]] = {
    "empty": (b"", None),
    "binary": (b"hostname x\n" + bytes(range(32)) * 50, None),
    "latin 1": (b"hostname leaf9\ndescription caf\xe9\n", 2),
    "UTF-16 without a mark": (ERROR.encode("utf-16-le"), None),
    "cut in a line": (ERROR.encode() + b"  priority-flow-con", 6),
    "one line of 100 MB": (lambda: b"x" * 100_000_000, None),
    "one long line": (b"hostname x\n" + b"x" * 100_000 + b"\n", 2),
}


@pytest.mark.parametrize("form", ["terminal", "json"])
@pytest.mark.parametrize(("content", "line"), BAD.values(), ids=BAD)
def test_a_bad_dump_is_named_and_blinds_no_other(
    run: Run, write: Write, content: bytes | Callable[[], bytes], line: int | None, form: str
) -> None:
    root = write({"bad.cfg": content() if callable(content) else content, "leaf1.cfg": ERROR})
    status, out, _ = run("check", root, "--format", form)
    assert status == 2
    assert RULE in out
    if form == "json":
        assert [(p["file"], p["line"]) for p in json.loads(out)["problems"]] == [(f"{root}/bad.cfg", line)]
    else:
        assert f"{root}/bad.cfg" + (f":{line}: " if line else ": ") in out


def loop(root: Path) -> None:
    (root / "bad.cfg").symlink_to("bad.cfg")


def folder_loop(root: Path) -> None:
    (root / "bad.cfg").symlink_to(root)


def dangling(root: Path) -> None:
    (root / "bad.cfg").symlink_to("gone.cfg")


def fifo(root: Path) -> None:
    os.mkfifo(root / "bad.cfg")


def escaping(root: Path) -> None:
    with tarfile.open(root / "bad.cfg.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("../../evil.cfg")
        info.size = len(ERROR)
        archive.addfile(info, BytesIO(ERROR.encode()))


def broken_archive(root: Path) -> None:
    (root / "bad.cfg.zip").write_bytes(b"PK\x03\x04 and no more")


@pytest.mark.parametrize("make", [loop, folder_loop, dangling, fifo, escaping, broken_archive])
def test_what_cannot_be_opened_is_named_and_blinds_no_other(
    run: Run, write: Write, make: Callable[[Path], None]
) -> None:
    root = write({"leaf1.cfg": ERROR})
    make(root)
    status, report = checked(run, root)
    assert status == 2
    assert failures(report) == [(FOUND, "leaf1")]
    assert [p["file"].startswith(f"{root}/bad.cfg") for p in report["problems"]] == [True]


def test_a_given_path_that_is_missing_blinds_no_other(run: Run, write: Write) -> None:
    root = write({"leaf1.cfg": ERROR})
    status, report = checked(run, root / "leaf1.cfg", root / "gone.cfg")
    assert status == 2
    assert failures(report) == [(FOUND, "leaf1")]
    assert [p["file"] for p in report["problems"]] == [f"{root}/gone.cfg"]


@pytest.mark.parametrize(("content", "line"), [("[1, 2]", 1), ('{"a": [1,\n', 1)])
def test_json_that_is_no_dump_is_named(run: Run, write: Write, content: str, line: int) -> None:
    root = write({"leaf1.cfg": ERROR, "config_db.json": content})
    status, report = checked(run, root)
    assert status == 2
    assert [(p["file"], p["line"]) for p in report["problems"]] == [(f"{root}/config_db.json", line)]


SECRETS = {
    "username admin password 5 $5$Kd8fhs$9gJHJhuygTYUG  role network-admin": "9gJHJhuygTYUG",
    "snmp-server community s3cretCommunity group network-operator": "s3cretCommunity",
    "snmp-server user u network-admin auth md5 0xdeadbeefcafe priv 0xfeedfacebeef localizedkey": "0xdeadbeefcafe",
    'tacacs-server key 7 "fakeTacacsKey"': "fakeTacacsKey",
    "  description qos dscp password hunter22": "hunter22",
    "  priority-flow-control password hunter33": "hunter33",
}


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--open"],
        ["check", "--format", "json"],
        ["show"],
        ["show", "--state"],
        ["show", "--coverage"],
    ],
    ids=" ".join,
)
def test_no_secret_is_ever_shown(run: Run, write: Write, command: list[str]) -> None:
    lines = "\n".join(SECRETS)
    cut = f"{ERROR}  priority-flow-control password hunter33 priority-flow-con"
    root = write({"leaf1.cfg": f"{ERROR}{lines}\n", "cut.cfg": cut})
    status, out, err = run(*command, root)
    assert status == 2
    assert "leaf1" in out + err
    assert not [secret for secret in SECRETS.values() if secret in out + err]


@pytest.mark.parametrize("command", [["check", "--open"], ["show", "--state"], ["show", "--coverage"]], ids=" ".join)
def test_no_hash_of_the_example_fabric_is_shown(run: Run, command: list[str]) -> None:
    status, out, err = run(*command, FABRIC)
    assert status in {0, 1}
    assert len(out) > 1000
    assert "FAKE" not in out + err
    assert "$5$" not in out + err


@pytest.mark.children
def test_workers_change_nothing(run: Run) -> None:
    alone, together = (run("check", FABRIC, "--format", "json", "--jobs", n) for n in (1, 2))
    assert alone == together
    assert alone[0] == 1


@pytest.mark.parametrize("command", [["check", "--format", "json"], ["check"], ["show"]], ids=" ".join)
def test_output_goes_to_a_file(run: Run, write: Write, tmp_path: Path, command: list[str]) -> None:
    root, target = write({"leaf1.cfg": ERROR}), tmp_path / "out"
    _, expected, _ = run(*command, root)
    status, out, _ = run(*command, root, "--output", target)
    assert (target.read_text(), out) == (expected, "")
    assert status == (1 if command[0] == "check" else 0)


def test_output_that_cannot_be_written(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "no" / "such" / "folder"
    status, _, err = run("check", write({"a.cfg": CLEAN}), "--output", target)
    assert status == 2
    assert str(target) in err


@pytest.mark.parametrize("option", ["--config", "--links"])
@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"\xff\xfe\x00", ""),
        (b"schema: x\n", ":1: "),
        (b"schema: roce-audit/intent/1\ntraffic:\n  - [\n", ":4: "),
    ],
)
def test_a_settings_file_that_cannot_be_used(run: Run, write: Write, option: str, content: bytes, place: str) -> None:
    root = write({"dumps/a.cfg": CLEAN, "settings.yaml": content})
    status, _, err = run("check", root / "dumps", option, root / "settings.yaml")
    assert status == 2
    assert f"{root}/settings.yaml{place}" in err


@pytest.mark.parametrize("option", ["--config", "--links"])
@pytest.mark.parametrize("path", ["gone.yaml", "."])
def test_a_settings_file_that_is_not_there(run: Run, write: Write, option: str, path: str) -> None:
    status, _, err = run("check", write({"a.cfg": CLEAN}), option, path)
    assert status == 2
    assert f"{path}: cannot be read" in err


def test_the_intent_is_read_from_the_first_path_or_from_where_it_is_said(
    run: Run, write: Write, tmp_path: Path
) -> None:
    root = write({"a/x.cfg": CLEAN, "a/roce-audit.yaml": NO_RDMA, "b/y.cfg": NOTE})
    other = tmp_path / "other.yaml"
    other.write_text(NO_RDMA.replace("3", "5"))
    found = [
        checked(run, *arguments)[1]["intent"]["lossless_priorities"]
        for arguments in ([root / "a"], [root / "a", root / "b"], [root / "b"], [root / "a", "--config", other])
    ]
    assert found == [[3], [3], None, [5]]


def test_an_intent_that_leads_out_of_the_folder_is_refused_and_not_shown(
    run: Run, write: Write, tmp_path: Path
) -> None:
    root = write({"a.cfg": CLEAN})
    (tmp_path / "secret").write_text("root:$6$salt$hash\n")
    (root / "roce-audit.yaml").symlink_to(tmp_path / "secret")
    status, out, err = run("check", root)
    assert (status, out) == (2, "")
    assert "expected a target inside the given folder" in err
    assert "$6$" not in err


@pytest.mark.parametrize("option", ["--config", "--links"])
def test_a_settings_file_without_end_is_refused(run: Run, write: Write, option: str) -> None:
    status, _, err = run("check", write({"a.cfg": CLEAN}), option, "/dev/zero")
    assert status == 2
    assert "/dev/zero: too large, expected at most 1048576 bytes" in err


def test_links_of_a_file_are_links(run: Run, write: Write, tmp_path: Path) -> None:
    root = write({"a.cfg": CLEAN, "b.cfg": PAUSES})
    links = tmp_path / "links.yaml"
    links.write_text(
        "schema: roce-audit/links/1\nlinks:\n"
        "  - {a: {device: leaf2, port: Eth1/1}, b: {device: leaf3, port: Ethernet1/1}}\n"
    )
    assert checked(run, root)[1]["summary"]["links"] == 0
    assert checked(run, root, "--links", links)[1]["summary"]["links"] == 1
    (link,) = json.loads(run("show", root, "--links", links)[1])["links"]
    assert (link["a"], link["evidence"]) == ({"device": "leaf2", "port": "Ethernet1/1"}, ["links_file"])


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(ERROR.encode())))
    status, report = checked(run, "-")
    assert (status, failures(report)) == (1, [(FOUND, "leaf1")])
    assert report["findings"][0]["file"] == "<stdin>"


def test_two_devices_of_one_name_are_told_apart_with_a_warning(run: Run, write: Write) -> None:
    root = write({"a/x.cfg": ERROR, "b/y.cfg": ERROR})
    _, report = checked(run, root)
    assert failures(report) == [(FOUND, "leaf1"), (FOUND, f"leaf1 ({root}/b/y.cfg)")]
    assert len({f["fingerprint"] for f in report["findings"]}) == len(report["findings"])
    (warning,) = report["warnings"]
    assert f"{root}/a/x.cfg" in warning["message"]
    assert f"{root}/b/y.cfg" in warning["message"]


def test_a_device_told_apart_by_path_keeps_its_role(run: Run, write: Write) -> None:
    role = 'roles: [{name: leaf, devices: ["leaf?"], traffic: [{name: x, priority: 5, lossless: true}]}]\n'
    root = write({"a/x.cfg": PAUSES, "b/y.cfg": PAUSES, "roce-audit.yaml": NO_RDMA + role})
    names = [name for name, _ in failures(checked(run, root)[1])]
    assert names.count("pfc-on-extra-priority") == 2


def test_findings_of_one_port_have_fingerprints_of_their_own(run: Run, write: Write) -> None:
    two = "traffic:\n" + "".join(
        f"  - {{name: {n}, kind: rdma, dscp: [{d}], priority: {p}, lossless: true}}\n"
        for n, d, p in (("compute", 26, 3), ("storage", 34, 4))
    )
    root = write({"leaf3.cfg": PAUSES, "roce-audit.yaml": f"schema: roce-audit/intent/1\n{two}"})
    prints = [f["fingerprint"] for f in checked(run, root)[1]["findings"]]
    assert len(prints) > 3
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.file.id)
def test_a_rule_is_explained_by_id_and_by_name(run: Run, rule: Any) -> None:  # noqa: ANN401  a rule
    by_id = run("explain", rule.file.id)
    assert by_id == run("explain", rule.file.name) == run("explain", rule.file.id.lower())
    assert by_id[0] == 0
    assert by_id[1].startswith(f"{rule.file.id} {rule.file.name} ")
    for part in ("decided by:", "a bad example:", "a good example:", "remedy, ", "on a 400 Gb/s link", "references:"):
        assert f"\n{part}" in by_id[1]


def test_rules_are_listed(run: Run) -> None:
    _, text, _ = run("rules")
    _, document, _ = run("rules", "--format", "json")
    listed = [(r["id"], r["name"]) for r in json.loads(document)]
    assert listed == [(r.file.id, r.file.name) for r in load_rules()]
    assert [line.split()[0] for line in text.splitlines()] == [each for each, _ in listed]


def test_identifiers_of_schemas_are_distinct_and_follow_what_documents_say(run: Run) -> None:
    schemas = [json.loads(run("schema", name)[1]) for name in SCHEMAS]
    assert len({schema["$id"] for schema in schemas}) == len(SCHEMAS)
    own = [(schema["$id"], schema["properties"].get("schema", {}).get("const")) for schema in schemas]
    assert [each for each, name in own if name and each != f"urn:{name.replace('/', ':')}"] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(run: Run, name: str) -> None:
    status, out, _ = run("schema", name)
    document = json.loads(out)
    assert status == 0
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert re.fullmatch(r"urn:roce-audit:[a-z-]+:\d+", document["$id"])
    Draft202012Validator.check_schema(document)
    assert not Draft202012Validator(document).is_valid({})


def test_all_schemas_are_files_of_a_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "schemas"
    assert run("schema", "--all", folder) == (0, f"{folder}: {len(SCHEMAS)} schemas\n", "")
    assert {path.name for path in folder.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}
    assert (folder / "intent.schema.json").read_text() == run("schema", "intent")[1]
    assert run("schema", "--all", folder)[0] == 0  # over the schemas of an older release


def test_schemas_that_cannot_be_written_end_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        status, _, err = run("schema", "--all", folder)
        assert (status, f"{folder}: cannot make the folder" in err) == (2, True)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["check", "--format", "json"], "report"),
        (["show", "--state"], "port-view"),
        (["show", "--coverage"], "coverage"),
    ],
)
def test_documents_keep_their_schemas(run: Run, command: list[str], name: str) -> None:
    schema = json.loads(run("schema", name)[1])
    document = json.loads(run(*command, FABRIC)[1])
    jsonschema_rs.Draft202012Validator(schema).validate(document)


LINK = ("estimate", "--speed", "400", "--cable", "40m", "--incast", "8", "--headroom", "60KB", "--asic", "Tomahawk 5")


def test_the_estimate_of_a_link_keeps_its_schema_and_its_inputs(run: Run) -> None:
    status, out, err = run(*LINK, "--ecn", "150KB,1.5MB,10%", "--dcqcn", "off", "--mtu", "1024", "--format", "json")
    document = json.loads(out)
    assert (status, err) == (0, "")
    Draft202012Validator(json.loads(run("schema", "estimate")[1])).validate(document)
    assert document["link"] == {
        "speed_gbps": 400,
        "pfc": "on",
        "ecn": {"kmin_bytes": 150_000, "kmax_bytes": 1_500_000, "pmax": 0.1},
        "dcqcn": False,
        "mtu_bytes": 1024,
        "timeout": 14,
    }
    given = {each["name"]: each["likely"] for each in document["inputs"] if each["given"]}
    assert given == {"cable_m": 40, "incast": 8, "headroom_bytes": 60_000}


@pytest.mark.parametrize("pfc", options.PAUSES)
def test_every_fault_of_pauses_can_be_asked_about(run: Run, pfc: str) -> None:
    status, out, _ = run(*LINK, "--pfc", pfc)
    assert status == 0
    assert "GPU-hours" in out
    assert json.loads(run(*LINK, "--pfc", pfc, "--format", "json")[1])["link"]["pfc"] == pfc


def test_the_pauses_of_the_command_line_are_those_of_the_model() -> None:
    assert tuple(Pause) == options.PAUSES


def test_an_estimate_goes_to_a_file_or_to_standard_output(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out"
    _, expected, _ = run(*LINK)
    assert run(*LINK, "--output", target)[:2] == (0, "")
    assert target.read_text() == expected == run(*LINK, "--output", "-")[1]


def test_a_table_of_scenarios_is_answered_whole_and_is_2_where_a_row_is_not(run: Run, tmp_path: Path) -> None:
    target, table = tmp_path / "out.csv", ROOT / "fixtures" / "scenarios" / "incasts.csv"
    status, out, err = run("estimate", "--scenarios", table)
    assert (status, len(out.splitlines())) == (2, 5)
    assert "4 rows, 1 with an error" in err
    assert run("estimate", "--scenarios", table, "--output", target)[:2] == (2, "")
    assert target.read_text() == out


@pytest.mark.parametrize(
    ("text", "status"), [("n_senders\n2\n", 0), ("n_senders\n0\n", 2), ("n_senders\n", 2), ("", 2)]
)
def test_a_table_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch, text: str, status: int) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
    assert run("estimate", "--scenarios", "-")[0] == status


def test_nothing_in_a_table_repaints_the_terminal(run: Run, write: Write) -> None:
    root = write({"t.csv": "n_senders,\x1b[31mx\n\x1b[31m,1\n"})
    status, _, err = run("estimate", "--scenarios", root / "t.csv", "--output", root / "out.csv")
    assert status == 2
    assert "\x1b" not in err


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_version_waits_for_no_heavy_import() -> None:
    done = python(
        "import sys\nfrom auditor.cli import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(*sorted({'ciscoconfparse2', 'pydantic', 'yaml', 'rich', 'numpy', 'jsonschema'} & set(sys.modules)))"
    )
    version, heavy = done.stdout.splitlines()
    assert version.startswith("roce-audit ")
    assert heavy == ""


@pytest.mark.parametrize(("fabric", "heavy"), [("fabric-clean", ""), ("fabric", "numpy")])
def test_a_check_waits_for_arrays_only_where_a_fault_has_a_cost(fabric: str, heavy: str) -> None:
    done = python(
        "import sys\nfrom auditor.cli import main\n"
        f"try:\n    main(['check', 'fixtures/{fabric}', '--no-cache'])\nexcept SystemExit:\n    pass\n"
        "print(*sorted({'numpy', 'jinja2'} & set(sys.modules)))"
    )
    assert done.stdout.splitlines()[-1] == heavy


@pytest.mark.parametrize("form", ["terminal", "json"])
def test_a_terminal_without_unicode_is_no_reason_to_fail(write: Write, form: str) -> None:
    root = write({"leaf1.cfg": ERROR.replace("NOWHERE", "NÓWHERE")})
    done = python(
        f"import sys\nfrom auditor.cli import main\nsys.exit(main(['check', {str(root)!r}, '--format', {form!r}]))",
        PYTHONIOENCODING="ascii",
    )
    assert (done.returncode, done.stderr) == (1, "")


LONE = """\
{"lldp": {"interface": [{"ens1": {
  "chassis": {"\\ud800": {}}, "port": {"id": {"type": "ifname", "value": "Ethernet1/1"}}
}}]}}
"""


def test_half_a_character_in_a_dump_stops_nothing(run: Run, write: Write) -> None:
    root = write({"h/lldpctl_-f_json.txt": LONE, "h/ethtool_-a_ens1.txt": "Pause parameters for ens1:\nRX:\toff\n"})
    assert run("show", root)[0] in {0, 2}


def test_aliases_in_a_settings_file_do_not_unfold_without_end(run: Run, write: Write) -> None:
    laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 5)
    )
    visits = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal visits
        visits += event == "call"

    root = write({"a.cfg": CLEAN, "roce-audit.yaml": laughs})
    sys.setprofile(count)
    try:
        assert run("check", root)[0] == 2
    finally:
        sys.setprofile(None)
    assert visits < 50_000


def test_the_systems_that_are_read_are_listed_with_what_to_give(run: Run) -> None:
    status, text, _ = run("os")
    assert status == 0
    listed = json.loads(run("os", "--format", "json")[1])
    assert [each["os"] for each in listed] == list(systems())
    for each in listed:
        assert re.search(rf"^{each['os']} +{each['depth']} +{re.escape(each['name'])}$", text, re.MULTILINE)
        assert all(dump in text for dump in each["give"])
        assert each["models"]


def test_many_formats_in_one_run(run: Run, write: Write, tmp_path: Path) -> None:
    root = write({"a.cfg": ERROR})
    sarif, junit = tmp_path / "a.sarif", tmp_path / "b=c.xml"
    status, out, _ = run("check", root, "--output", f"sarif={sarif}", "--output", f"junit={junit}")
    assert (status, RULE in out) == (1, True)
    assert json.loads(sarif.read_text())["version"] == "2.1.0"
    assert junit.read_text().startswith("<?xml")
    status, out, _ = run("check", root, "--format", "gitlab", "--output", f"sarif={sarif}", "--output", junit)
    assert (status, out) == (1, "")
    assert json.loads(junit.read_text())[0]["location"]["lines"]["begin"] == 5
    status, out, _ = run("check", root, "--output", "markdown=-")
    assert out.startswith("## roce-audit: 1 error")


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        (["a", "b"], "expected FORMAT=FILE"),
        (["pdf=a", "b"], "no format is named pdf"),
        (["sarif=a", "junit=./a"], "two outputs"),
        (["sarif=-", "junit=-"], "two outputs"),
        (["-", "junit=-"], "two outputs"),
    ],
)
def test_outputs_that_are_in_each_others_way(run: Run, write: Write, outputs: list[str], said: str) -> None:
    asked = [word for each in outputs for word in ("--output", each)]
    status, out, err = run("check", write({"a.cfg": ERROR}), *asked)
    assert (status, out) == (2, "")
    assert said in err


def test_nothing_fails_a_build_on_never(run: Run, write: Write) -> None:
    assert run("check", write({"a.cfg": ERROR}), "--fail-on", "never")[0] == 0
