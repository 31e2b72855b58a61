"""Rule files: bound one to one to checks, named once, and refused with file and line where they are wrong."""

import json
from collections import Counter
from pathlib import Path

import pytest

from auditor.checks import CHECKS
from auditor.checks.catalogue import Rule, bind, load_rules, make_schema
from auditor.systems import systems
from auditor.util.data_folder import folder
from auditor.util.yamlfile import YamlError

RULES = Path(str(folder()))
FILES = sorted(RULES.glob("*/*.yaml"))

GOOD = """\
id: MTU002
name: mtu-below-rdma-path-mtu
level: error
scope: port
check: below_path_mtu
params:
  switch_overhead_bytes: 64
summary: A port's MTU does not hold a full RDMA packet.
why: Every full-size packet is dropped.
remedy:
  linux: ip link set dev IF mtu 9000
references:
  - InfiniBand Architecture Specification Volume 1, Annex A17
"""


def test_a_rule_is_what_its_file_says_by_the_schema() -> None:
    files = [path for path in FILES if path.parent.name != "presets"]
    bound = [bind(f"{path.parent.name}/{path.name}", path.read_text("utf-8")) for path in files]
    assert sorted(bound, key=lambda rule: rule.file.id) == list(load_rules())


def test_checks_and_rules_are_one_to_one() -> None:
    used = Counter(rule.file.check for rule in load_rules())
    assert used == dict.fromkeys(CHECKS, 1)


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.file.id)
def test_a_rule_says_how_it_decides_and_how_each_system_of_its_is_mended(rule: Rule) -> None:
    """Of hosts alone: mended on Linux, or in manifests; all else on each switch system, or in words on any."""
    assert rule.file.decided
    assert rule.file.example
    of_hosts = rule.pack in {"hosts", "jobs", "dcqcn"} or rule.file.id == "CLS006"
    named = {"linux"} if of_hosts else {os for os, each in systems().items() if each.remedies and each.kind == "switch"}
    named = {"jobs"} if rule.file.id == "HST010" else named
    assert "any" in rule.file.remedy or named <= set(rule.file.remedy)


@pytest.mark.parametrize("what", ["id", "name"])
def test_no_two_rules_share(what: str) -> None:
    counted = Counter(getattr(rule.file, what) for rule in load_rules())
    assert max(counted.values()) == 1


def test_rules_come_in_the_order_of_their_ids() -> None:
    ids = [rule.file.id for rule in load_rules()]
    assert ids == sorted(ids)


def test_a_rule_stands_in_the_file_of_its_name_and_in_its_pack() -> None:
    in_files = {(path.parent.name, path.stem) for path in FILES if path.parent.name != "presets"}
    assert in_files == {(rule.pack, rule.file.name) for rule in load_rules()}


def test_the_rules_of_a_pack_share_the_letters_of_their_ids_with_no_other_pack() -> None:
    letters = {(rule.pack, rule.file.id[:3]) for rule in load_rules()}
    assert len(letters) == len({pack for pack, _ in letters}) == len({prefix for _, prefix in letters})


def test_parameters_that_a_file_leaves_out_are_the_checks_own() -> None:
    params = bind("mtu/mtu-below-rdma-path-mtu.yaml", GOOD).params.model_dump()
    assert params == {"switch_overhead_bytes": 64, "host_overhead_bytes": 96}


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("level: error", "level: fatal", 3, "level: no such value: 'fatal'"),
        ("id: MTU002", "id: MTU2", 1, "id: 'MTU2'"),
        ("name: mtu-below-rdma-path-mtu", "name: MTU below", 2, "name: 'MTU below'"),
        ("scope: port", "scope: queue", 4, "scope: no such value: 'queue'"),
        ("scope: port", "scope: link", 4, "check below_path_mtu judges a port"),
        ("check: below_path_mtu", "check: below_mtu", 5, "check below_mtu does not exist"),
        ("switch_overhead_bytes: 64", "switch_overhead_bytes: many", 7, "params: Input should be a valid integer"),
        ("switch_overhead_bytes: 64", "switch_overhead_bytes: -1", 7, "params: Input should be greater than or equal"),
        ("switch_overhead_bytes: 64", "overhead_bytes: 64", 7, "params: Extra inputs are not permitted"),
        ("params:\n  switch_overhead_bytes: 64", "params: 64", 6, "params: 64 is not of type 'object'"),
        ("why: Every full-size packet is dropped.", "why: none", 9, "why: 'none' is too short"),
        ("remedy:\n  linux: ip link set dev IF mtu 9000", "remedy: {beos: netsh}", 10, "remedy: "),
        ("  - InfiniBand", "  - 17\n  - InfiniBand", 13, "references/0: 17 is not of type 'string'"),
        ("level: error\n", "", 1, "'level' is a required property"),
        ("id: MTU002", "severity: high\nid: MTU002", 1, "no key is named 'severity' here"),
        ("scope: port", "scope: [port", 5, "not YAML"),
        ("level: error", "level: !!python/name:os.system", 3, "not YAML"),
        (GOOD, "", 1, "None is not of type 'object'"),
        (GOOD, "- a rule", 1, "is not of type 'object'"),
    ],
)
def test_a_wrong_rule_is_refused_with_file_and_line(old: str, new: str, line: int, said: str) -> None:
    assert old in GOOD
    with pytest.raises(YamlError) as refused:
        bind("mtu/rule.yaml", GOOD.replace(old, new, 1))
    assert (refused.value.file, refused.value.line) == ("mtu/rule.yaml", line)
    assert said in refused.value.message
    assert str(refused.value) == f"mtu/rule.yaml:{line}: {refused.value.message}"


def test_the_schema_beside_the_rules_is_the_one_that_judges_them() -> None:
    assert json.loads((RULES / "rule.schema.json").read_text(encoding="utf-8")) == make_schema()
