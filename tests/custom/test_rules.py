"""Rules of a site: what they find, where they point, what they leave open, and how they are refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from nexus import LOSSLESS_JUMBO, QUEUE_3, SYSTEM_QOS, VERSION

from auditor.cli import main
from auditor.cli.common import CANNOT_AUDIT
from auditor.custom.rules import MOST_BYTES, bind, make_schema
from auditor.util.yamlfile import YamlError

ROOT = Path(__file__).parents[2]
LEAF = f"""\
{VERSION}hostname leaf1
{LOSSLESS_JUMBO}{QUEUE_3}    bandwidth remaining percent 70
{SYSTEM_QOS}  service-policy type queuing output OUT

interface Ethernet1/1
  priority-flow-control mode on
  mtu 9216

interface Ethernet1/2
  priority-flow-control mode on
  mtu 4200
"""
INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48], priority: 6}
"""
HEAD = """\
schema: roce-audit/custom-rule/1
id: OUR001
name: our-own-rule
level: error
summary: Something of ours is not as we want it.
why: We have seen what comes of it.
remedy: {any: put it right}
references: [our runbook]
"""
Checked = tuple[int, list[dict[str, Any]], dict[str, int], str]
Check = Callable[..., Checked]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def run(rule: str, *options: str, leaf: str = LEAF, intent: str = INTENT) -> Checked:
        """Return exit status, findings of the rule, its counts, and standard error."""
        (tmp_path / "fabric").mkdir(exist_ok=True)
        (tmp_path / "rules").mkdir(exist_ok=True)
        (tmp_path / "fabric" / "leaf1.cfg").write_text(leaf, encoding="utf-8")
        if intent:
            (tmp_path / "fabric" / "roce-audit.yaml").write_text(intent, encoding="utf-8")
        (tmp_path / "rules" / "own.yaml").write_text(HEAD + rule, encoding="utf-8")
        arguments = ["--rules", str(tmp_path / "rules"), "--format", "json", *options]
        status = main(["check", str(tmp_path / "fabric"), *arguments])
        out, err = capsys.readouterr()
        report = json.loads(out) if out else {"findings": [], "rules": []}
        counts: dict[str, int] = next((each for each in report["rules"] if each["rule"] == "OUR001"), {})
        return status, [found for found in report["findings"] if found["rule"] == "OUR001"], counts, err

    return run


def test_a_port_is_found_at_the_line_that_proves_it(check: Check) -> None:
    status, (found,), counts, _ = check("for: port\nrequire: {properties: {mtu_bytes: {minimum: 9000}}}\n")
    assert (status, counts["checked"], counts["failed"], counts["open"]) == (1, 2, 1, 0)
    assert found["message"] == "mtu_bytes is 4200, expected at least 9000"
    assert (found["device"], found["port"], found["line"]) == ("leaf1", "Ethernet1/2", 21)
    assert found["pack"] == "custom"


def test_a_queue_is_found_at_its_line(check: Check) -> None:
    rule = (
        "for: queue\nwhen: {properties: {queue: {const: 3}}}\n"
        "require: {properties: {bandwidth_percent: {minimum: 80}}}\n"
    )
    _, found, counts, _ = check(rule)
    assert counts["checked"] == 2
    assert {(f["port"], f["line"]) for f in found} == {("Ethernet1/1", 10), ("Ethernet1/2", 10)}
    assert found[0]["message"] == "queue 3: bandwidth_percent is 70, expected at least 80"


def test_a_device_is_judged_with_its_ports(check: Check) -> None:
    rule = (
        "for: device\nwhen: {properties: {kind: {const: switch}}}\n"
        "require: {properties: {ports: {items: {properties: {mtu_bytes: {const: 9216}}}}}}\n"
    )
    _, (found,), counts, _ = check(rule)
    assert counts["checked"] == 1
    assert (found["message"], found["line"]) == ("ports/1/mtu_bytes is 4200, expected 9216", 21)


def test_a_field_of_the_queues_port_is_found_at_its_line(check: Check) -> None:
    rule = (
        "for: queue\nwhen: {properties: {queue: {const: 3}}}\n"
        "require: {properties: {port: {properties: {mtu_bytes: {minimum: 9000}}}}}\n"
    )
    _, (found,), _, _ = check(rule)
    assert (found["message"], found["line"]) == ("queue 3: port/mtu_bytes is 4200, expected at least 9000", 21)


@pytest.mark.parametrize(
    "rule",
    [
        "require: {properties: {cable_length_m: {maximum: 30}}}",
        "require: {required: [cable_length_m]}",
        "require: {not: {properties: {cable_length_m: {minimum: 30}}}}",
        "when: {properties: {cable_length_m: {maximum: 30}}}\nrequire: {properties: {mtu_bytes: {const: 1}}}",
    ],
)
def test_what_rests_on_a_null_is_open(check: Check, rule: str) -> None:
    _, found, counts, _ = check(f"for: port\n{rule}\n")
    assert {(f["kind"], f["port"]) for f in found} == {("open", "Ethernet1/1"), ("open", "Ethernet1/2")}
    assert (counts["failed"], counts["open"]) == (0, 2)
    assert found[0]["message"].startswith("cable_length_m is not known: ")


def test_what_does_not_rest_on_the_null_is_decided(check: Check) -> None:
    rule = "require: {properties: {cable_length_m: {maximum: 30}, mtu_bytes: {minimum: 9000}}}"
    _, found, counts, _ = check(f"for: port\n{rule}\n")
    assert (counts["failed"], counts["open"]) == (1, 1)
    assert {(f["kind"], f["port"]) for f in found} == {("fail", "Ethernet1/2"), ("open", "Ethernet1/1")}


def test_a_rule_speaks_only_of_what_it_is_for(check: Check) -> None:
    rule = "when: {properties: {device: {properties: {role: {const: spine}}}}}\nrequire: false"
    roles = 'roles:\n  - {name: leaf, devices: ["leaf*"]}\n'
    _, found, counts, _ = check(f"for: port\n{rule}\n", intent=INTENT + roles)
    assert (found, counts["checked"]) == ([], 0)


@pytest.mark.parametrize(
    ("require", "failed"),
    [
        ("{properties: {pfc_priorities: {contains: {const: {$intent: rdma.priority}}}}}", 0),
        ("{properties: {pfc_priorities: {contains: {const: {$intent: cnp.priority}}}}}", 2),
        ("{properties: {pfc_priorities: {const: {$intent: lossless}}}}", 0),
        ("{properties: {pfc_priorities: {items: {enum: {$intent: lossless}}}}}", 0),
        ("{properties: {pfc_priorities: {items: {enum: {$intent: cnp.priority}}}}}", 2),
        ("{properties: {mtu_bytes: {minimum: {$intent: rdma.dscp}}}}", 0),
        ("{properties: {mtu_bytes: {maximum: {$intent: cnp.dscp}}}}", 2),
    ],
)
def test_values_of_the_intent_enter(check: Check, require: str, failed: int) -> None:
    _, _, counts, _ = check(f"for: port\nrequire: {require}\n")
    assert (counts["failed"], counts["open"]) == (failed, 0)


def test_what_the_intent_does_not_tell_is_open(check: Check) -> None:
    _, found, counts, _ = check("for: port\nrequire: {properties: {mtu_bytes: {minimum: {$intent: path_mtu_bytes}}}}\n")
    assert (counts["failed"], counts["open"]) == (0, 2)
    assert found[0]["message"] == "mtu_bytes cannot be judged: the intent does not tell path_mtu_bytes"


def test_an_inferred_intent_is_said_to_be_one(check: Check) -> None:
    rule = "for: port\nrequire: {properties: {mtu_bytes: {enum: {$intent: lossless}}}}\n"
    _, found, counts, _ = check(rule, intent="")
    assert counts["failed"] == 2
    assert all(each["by_inference"] for each in found)
    _, found, _, _ = check("for: port\nrequire: {properties: {mtu_bytes: {const: 1}}}\n", intent="")
    assert not any(each["by_inference"] for each in found)


@pytest.mark.children
def test_worker_processes_find_the_same(check: Check) -> None:
    rule = "for: port\nrequire: {properties: {mtu_bytes: {minimum: 9000}}}\n"
    assert check(rule)[1] == check(rule, "--jobs", "2")[1]


def test_a_rule_can_be_ignored(check: Check) -> None:
    ignore = "ignore:\n  - {rule: OUR001, devices: [leaf1], reason: the old pod}\n"
    _, (found,), _, _ = check(
        "for: port\nrequire: {properties: {mtu_bytes: {minimum: 9000}}}\n", intent=INTENT + ignore
    )
    assert found["kind"] == "ignored"


def test_a_folder_of_rules_inside_the_fabric_is_no_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROOT / "fixtures" / "custom-rules", tmp_path / "rules")
    (tmp_path / "leaf1.cfg").write_text(LEAF, encoding="utf-8")
    for options, skipped in ((["--rules", str(tmp_path / "rules")], 0), ([], 2)):
        main(["check", str(tmp_path), "--format", "json", *options])
        report = json.loads(capsys.readouterr().out)
        assert [dump["device"] for dump in report["dumps"]] == ["leaf1"]
        assert len(report["skipped"]) == skipped


@pytest.mark.parametrize(
    ("rule", "line", "said"),
    [
        ("for: port\n", 1, "expected one of require and python"),
        ("for: link\nrequire: true\n", 9, "for: no such value: 'link'"),
        (
            "for: port\nrequire:\n  properties:\n    mtu: {minimum: 9000}\n",
            12,
            "require/properties/mtu: the view has no",
        ),
        ("for: port\nrequire:\n  required: [mtu]\n", 11, "require/required/0: the view has no field 'mtu'"),
        (
            "for: port\nrequire:\n  properties:\n    queues:\n      items:\n        properties: {ecm: {const: true}}\n",
            14,
            "require/properties/queues/items/properties/ecm: the view has no field",
        ),
        ("for: port\nrequire:\n  properties:\n    pfc_mode: {const: on}\n", 12, "quote it"),
        ("for: port\nrequire:\n  properties:\n    trust: {enum: [dscp, cos]}\n", 12, "never has 'cos'"),
        (
            "for: port\nrequire:\n  properties:\n    mtu_bytes: {const: null}\n",
            12,
            "require/properties/mtu_bytes/const",
        ),
        ("for: port\nrequire:\n  properties:\n    mtu_bytes: {atleast: 9000}\n", 12, "no key is named 'atleast' here"),
        ("for: port\nrequire:\n  properties:\n    mtu_bytes: {minimum: many}\n", 12, "mtu_bytes/minimum"),
        ("for: port\nrequire: {$ref: 'https://example.org/s.json'}\n", 10, "no key is named '$ref' here"),
        (
            "for: port\nrequire: {properties: {name: {pattern: '(?=a)'}}}\n",
            10,
            "name/pattern: no regular expression of RE2: ",
        ),
        (
            "for: port\nrequire: {properties: {mtu_bytes: {const: {$intent: mtu}}}}\n",
            10,
            "expected {$intent: NAME} with",
        ),
        (
            "for: port\nrequire: {properties: {pfc_priorities: {const: {$intent: rdma.dscp}}}}\n",
            10,
            "never has what rdma",
        ),
        (
            "for: port\nrequire: {properties: {mtu_bytes: {items: {const: 1}}}}\n",
            10,
            "mtu_bytes/items/const: the view never",
        ),
        ("for: port\nrequire: {properties: {dscp_to_class: {properties: {26: {const: '3'}}}}}\n", 10, "quote 26"),
        ("for: port\nrequire: {properties: {state: {minProperties: 1}}}\n", 10, "no field 'state'"),
        ("for: port\nrequire: " + "{not: " * 60 + "true" + "}" * 60 + "\n", 10, "nested deeper"),
    ],
)
def test_a_wrong_rule_is_refused_with_file_line_and_path(check: Check, rule: str, line: int, said: str) -> None:
    status, _, _, err = check(rule)
    assert status == CANNOT_AUDIT
    assert f"own.yaml:{line}: " in err
    assert said in err


@pytest.mark.parametrize(("key", "value"), [("id", "PFC001"), ("name", "pfc-off-on-lossless-port")])
def test_ids_and_names_are_not_taken_twice(check: Check, tmp_path: Path, key: str, value: str) -> None:
    (tmp_path / "rules").mkdir()
    own = {"id": "OUR001", "name": "our-own-rule"}[key]
    rule = HEAD.replace(f"{key}: {own}", f"{key}: {value}") + "for: port\nrequire: true\n"
    (tmp_path / "rules" / "a.yaml").write_text(rule, encoding="utf-8")
    status, _, _, err = check("for: port\nrequire: true\n")
    assert status == CANNOT_AUDIT
    assert f"{value} is a rule of roce-audit already" in err


def test_folders_that_are_none_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "large").mkdir()
    (tmp_path / "large" / "a.yaml").write_text("# " + "a" * MOST_BYTES, encoding="utf-8")
    for name, said in (("absent", "cannot be read"), ("empty", "0 files"), ("large", "too large")):
        rules = str(tmp_path / name)
        assert main(["check", str(ROOT / "fixtures" / "fabric-clean"), "--rules", rules]) == CANNOT_AUDIT
        assert said in capsys.readouterr().err


def test_the_schema_is_one_and_takes_the_examples() -> None:
    Draft202012Validator.check_schema(make_schema())
    taken: dict[str, str] = {}
    for path in sorted((ROOT / "fixtures" / "custom-rules").iterdir()):
        assert bind(str(path), path.read_text(encoding="utf-8"), taken).pack == "custom"
    with pytest.raises(YamlError, match="already"):
        bind("again.yaml", path.read_text(encoding="utf-8"), taken)
