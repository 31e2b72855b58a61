"""The levels of a declared intent: each over the one before it, and the lines that decide."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from auditor.cli.commands import run_command
from auditor.intent import Intents, parse_intent
from auditor.model.setting import value_of
from auditor.report import intent_device
from auditor.util.yamlfile import YamlError

RACKS = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
path_mtu_bytes: 4096
cable_length_m: 5
sites:
  - name: ams1
    devices: ["ams1-*"]
    reason: the old switches there take no more
    path_mtu_bytes: 1024
    cable_length_m: 20
    pods:
      - {name: pod2, devices: ["*-p2-*"], reason: longer rows, cable_length_m: 50}
roles:
  - {name: storage, devices: ["*stor*"], path_mtu_bytes: 2048}
  - {name: back end, devices: ["*leaf*"], oversubscription: 1}
devices:
  - {name: ams1-p2-leaf7, reason: a test of jumbo frames until March, path_mtu_bytes: 4096}
"""


def parse(text: str = RACKS) -> Intents:
    return parse_intent("roce-audit.yaml", text)


@pytest.mark.parametrize(
    ("device", "role", "mtu", "length", "oversubscription"),
    [
        ("spine1", None, 4096, 5, None),
        ("leaf1", "back end", 4096, 5, 1),
        ("ams1-gpu1", "ams1", 1024, 20, None),
        ("ams1-leaf1", "ams1, back end", 1024, 20, 1),
        ("ams1-p2-leaf1", "ams1, pod2, back end", 1024, 50, 1),
        ("ams1-p2-gpu1", "ams1, pod2", 1024, 50, None),
        ("ams1-p2-stor1", "ams1, pod2, storage", 2048, 50, None),
        ("fra-p2-leaf1", "back end", 4096, 5, 1),
        ("ams1-p2-leaf7", "ams1, pod2, back end, ams1-p2-leaf7", 4096, 50, 1),
    ],
)
def test_each_level_over_the_one_before(
    device: str, role: str | None, mtu: int, length: float, oversubscription: float | None
) -> None:
    found = parse().of(device)
    assert (found.role, value_of(found.path_mtu_bytes), value_of(found.cable_length_m), found.oversubscription) == (
        role,
        mtu,
        length,
        oversubscription,
    )


def test_the_lines_that_decide() -> None:
    decided = [each for each in parse().of("ams1-p2-leaf7").decided if each.what == "path_mtu_bytes"]
    assert [(each.level, each.value, each.line) for each in decided] == [
        ("fabric", "4096", 4),
        ("site ams1", "1024", 10),
        ("device ams1-p2-leaf7", "4096", 18),
    ]
    assert decided[-1].reason == "a test of jumbo frames until March"


def test_a_level_without_a_reason_is_refused() -> None:
    with pytest.raises(YamlError, match=r"roce-audit\.yaml:7: .*'reason' is a required property"):
        parse(RACKS.replace("    reason: the old switches there take no more\n", ""))


def test_a_pattern_is_no_single_device() -> None:
    with pytest.raises(YamlError, match=r":18: "):
        parse(RACKS.replace("name: ams1-p2-leaf7", "name: ams1-*"))


def test_too_many_combinations_are_refused() -> None:
    site = '  - {{name: s{0}, devices: ["s{0}-*"], reason: another one}}\n'
    role = '  - {{name: r{0}, devices: ["r{0}-*"]}}\n'
    head = RACKS[: RACKS.index("sites:")]
    sites, roles = ("".join(part.format(number) for number in range(200)) for part in (site, role))
    with pytest.raises(YamlError, match="more than 20,000 combinations"):
        parse(f"{head}sites:\n{sites}roles:\n{roles}")


LEVELS = ("site", "pod", "role", "device")


@given(st.dictionaries(st.sampled_from(LEVELS), st.sampled_from([256, 512, 1024, 2048])))
def test_the_nearest_level_that_says_something_decides(said: dict[str, int]) -> None:
    def write(level: str) -> str:
        return f", path_mtu_bytes: {said[level]}" if level in said else ""

    text = f"""\
schema: roce-audit/intent/1
traffic: [{{name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}}]
path_mtu_bytes: 4096
sites:
  - {{name: s, devices: ["*1"], reason: why{write("site")},
     pods: [{{name: p, devices: ["x*"], reason: why{write("pod")}}}]}}
roles: [{{name: r, devices: ["*"]{write("role")}}}]
devices: [{{name: x1, reason: why{write("device")}}}]
"""
    nearest = next((said[level] for level in reversed(LEVELS) if level in said), 4096)
    assert value_of(parse(text).of("x1").path_mtu_bytes) == nearest
    elsewhere = next((said[level] for level in ("role",) if level in said), 4096)
    assert value_of(parse(text).of("x2").path_mtu_bytes) == elsewhere


def test_the_command_says_which_line_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "roce-audit.yaml").write_text(RACKS)
    (tmp_path / "ams1-p2-leaf7.cfg").write_text(
        "hostname ams1-p2-leaf7\nfeature lldp\ninterface Ethernet1/1\n  mtu 9216\n"
    )
    assert run_command(["intent", str(tmp_path), "--device", "ams1-p2-leaf7"]) == 0
    text = capsys.readouterr().out.replace(str(tmp_path), "DUMPS")
    assert (
        text
        == """\
ams1-p2-leaf7: ams1, pod2, back end, ams1-p2-leaf7
  traffic: RDMA (DSCP 26, priority 3, lossless)
    DUMPS/roce-audit.yaml:2 (fabric)
  path mtu bytes: 4096
    DUMPS/roce-audit.yaml:18 (device ams1-p2-leaf7: a test of jumbo frames until March)
    over 1024: DUMPS/roce-audit.yaml:10 (site ams1: the old switches there take no more)
    over 4096: DUMPS/roce-audit.yaml:4 (fabric)
  cable length m: 50
    DUMPS/roce-audit.yaml:13 (pod pod2: longer rows)
    over 20: DUMPS/roce-audit.yaml:11 (site ams1: the old switches there take no more)
    over 5: DUMPS/roce-audit.yaml:5 (fabric)
  oversubscription: 1
    DUMPS/roce-audit.yaml:16 (role back end)
"""
    )
    assert run_command(["intent", str(tmp_path), "--device", "ams1-p2-leaf7", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(intent_device.build_schema()).validate(document)
    assert [each["level"] for each in document["fields"][1]["overridden"]] == ["site ams1", "fabric"]
    assert run_command(["intent", str(tmp_path), "--device", "leaf8"]) == 2
    assert "no device of the dumps has this name" in capsys.readouterr().err
