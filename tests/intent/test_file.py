"""What roce-audit.yaml may say beyond traffic classes: a preset, a design, cables, links, and how rules are changed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.intent import (
    Design,
    RuleTuning,
    TrafficKind,
    list_presets,
    load_preset,
    make_preset_intent,
    make_preset_schema,
    make_schema,
    parse_intent,
)
from auditor.model.fabric import End
from auditor.model.finding import Level
from auditor.model.nic import CcEngine
from auditor.model.setting import Unknown, value_of
from auditor.util.data_folder import folder, read_schema
from auditor.util.yamlfile import YamlError

HEAD = "schema: roce-audit/intent/1\n"
RDMA = "traffic:\n  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}\n"
LOSSLESS, LOSSY = "preset: nvidia-spectrum-lossless\n", "preset: nvidia-spectrum-lossy\n"
PRESETS = list_presets()
WITHOUT_TRAFFIC = sorted(name for name in PRESETS if load_preset(name).traffic is None)


def classes(text: str) -> list[tuple[str, object, object, object]]:
    traffic = parse_intent("roce-audit.yaml", HEAD + text).general.traffic
    return [(t.name, value_of(t.dscp), value_of(t.priority), value_of(t.lossless)) for t in traffic]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_name_of_its_file_and_a_source(name: str) -> None:
    found = load_preset(name)
    assert found.name == name
    assert all(source.page for source in found.sources)
    assert (folder() / "presets" / f"{name}.yaml").is_file()


@pytest.mark.parametrize(("name", "make"), [("preset", make_preset_schema), ("intent", make_schema)])
def test_a_schema_that_is_kept_is_current(name: str, make: Callable[[], dict[str, Any]]) -> None:
    assert read_schema(name) == make(), f"roce-audit schema {name} > rules/{name}.schema.json"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_agrees_with_itself(name: str) -> None:
    intent = make_preset_intent(name)
    for traffic in intent.traffic:
        assert not (intent.is_ecn_only and value_of(traffic.lossless))
        if traffic.kind in {TrafficKind.CNP, TrafficKind.HEARTBEAT}:
            assert value_of(traffic.lossless) is False
    if value_of(intent.congestion_control) in {CcEngine.NONE, CcEngine.PROGRAMMABLE}:
        assert not intent.of_kind(TrafficKind.CNP)


@pytest.mark.parametrize("name", [n for n in PRESETS if n not in WITHOUT_TRAFFIC])
def test_a_preset_alone_is_an_intent(name: str) -> None:
    found = parse_intent("roce-audit.yaml", f"{HEAD}preset: {name}\n").general
    assert (found.preset, found.declared) == (name, True)
    assert found.traffic == make_preset_intent(name).traffic


@pytest.mark.parametrize("name", WITHOUT_TRAFFIC)
def test_a_preset_without_traffic_classes_asks_for_them(name: str) -> None:
    with pytest.raises(YamlError, match=rf"roce-audit\.yaml:1: preset {name} has no traffic classes"):
        parse_intent("roce-audit.yaml", f"{HEAD}preset: {name}\n")


def test_traffic_classes_beside_a_preset_without_them_make_an_intent() -> None:
    assert WITHOUT_TRAFFIC == ["meta-pfc-only", "nokia-ai"]
    found = parse_intent("roce-audit.yaml", f"{HEAD}preset: meta-pfc-only\n{RDMA}").general
    assert (value_of(found.lossless), found.uses_dcqcn) == ((3,), False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LOSSLESS, [("RDMA", (26,), 3, True), ("CNP", (48,), 6, False)]),
        (LOSSLESS + "traffic: [{name: RDMA, dscp: [24]}]\n", [("RDMA", (24,), 3, True), ("CNP", (48,), 6, False)]),
        (
            LOSSLESS + "traffic: [{name: NFS, kind: storage, dscp: [18], priority: 2}]\n",
            [("RDMA", (26,), 3, True), ("CNP", (48,), 6, False), ("NFS", (18,), 2, False)],
        ),
        (LOSSLESS + "design: ecn-only\n", [("RDMA", (26,), 3, False), ("CNP", (48,), 6, False)]),
        ("preset: oci-gpu\n", [("RDMA", (10,), None, None)]),
        ("preset: oci-gpu\ntraffic: [{name: RDMA, priority: 5, lossless: true}]\n", [("RDMA", (10,), 5, True)]),
        ("preset: azure-local-switchless\n", []),
    ],
    ids=["as it is", "one value", "one class more", "another design", "unsaid", "said", "no RDMA at the switches"],
)
def test_what_is_written_overrides_single_values_of_the_preset(text: str, expected: list[object]) -> None:
    assert classes(text) == expected


def test_what_is_not_said_to_be_lossless_leaves_the_lossless_priorities_open() -> None:
    assert isinstance(parse_intent("f", f"{HEAD}preset: oci-gpu\n").general.lossless, Unknown)


def test_a_role_follows_a_preset_of_its_own() -> None:
    text = (
        HEAD
        + LOSSLESS
        + "path_mtu_bytes: 4096\n"
        + "roles:\n"
        + "  - {name: storage, devices: [s*], preset: azure-local-converged}\n"
        + "  - {name: front, devices: [f*], design: ecn-only}\n"
    )
    found = parse_intent("roce-audit.yaml", text)
    storage, front = found.of("s1"), found.of("f1")
    assert [t.name for t in storage.traffic] == ["RDMA", "heartbeat"]
    assert (storage.preset, value_of(storage.path_mtu_bytes)) == ("azure-local-converged", 4096)
    assert (front.is_ecn_only, value_of(front.lossless), front.preset) == (True, (), "nvidia-spectrum-lossless")
    assert value_of(found.general.design) is Design.LOSSLESS


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("preset: nvidia\n", 2, "no such value"),
        ("design: lossy\n" + RDMA, 2, "no such value"),
        ("design: ecn-only\n" + RDMA, 4, "RDMA is lossless, but the design is ecn-only"),
        (LOSSY + "traffic: [{name: RDMA, lossless: true}]\n", 3, "RDMA is lossless, but the design is ecn-only"),
        ("design: lossless\ntraffic: [{name: RDMA, kind: rdma, priority: 3}]\n", 2, "no traffic class is"),
        (LOSSLESS + "traffic: [{name: backup}]\n", 3, "add dscp, priority or both"),
        (RDMA + "congestion_control: swift\n", 4, "no such value"),
        (RDMA + "cables: [{between: [leaf*], length_m: 3}]\n", 4, "too short"),
        (RDMA + "cables: [{between: [leaf*, spine*], length_m: 0}]\n", 4, "minimum"),
        (RDMA + "packs: {watchdog: maybe}\n", 4, "boolean"),
        (RDMA + "rules: {PFC001: {level: fatal}}\n", 4, "no such value"),
        (RDMA + "rules:\n  PFC001:\n    levels: note\n", 6, "levels"),
        (RDMA + "links: [{a: {device: x, port: y}}]\n", 4, "'b' is a required"),
        (RDMA + "roles:\n  - {name: r, devices: [x], preset: none-such}\n", 5, "no such value"),
    ],
)
def test_every_mistake_has_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(YamlError, match=why) as raised:
        parse_intent("roce-audit.yaml", HEAD + text)
    assert str(raised.value).startswith(f"roce-audit.yaml:{line}: ")


def test_changes_of_rules_keep_their_lines() -> None:
    text = (
        HEAD
        + RDMA
        + "packs: {watchdog: off, pfc: on}\n"
        + "rules:\n"
        + "  FLT001: {level: warning, params: {least_peers: 4}}\n"
        + "  link-pause-with-pfc: {enabled: false}\n"
    )
    tuning = parse_intent("roce-audit.yaml", text).tuning
    assert tuning.packs_off == (("watchdog", "roce-audit.yaml", 4),)
    assert tuning.rules == (
        RuleTuning("FLT001", "roce-audit.yaml", 6, level=Level.WARNING, params=(("least_peers", 4),)),
        RuleTuning("link-pause-with-pfc", "roce-audit.yaml", 7, enabled=False),
    )


def test_links_and_cables_of_the_intent() -> None:
    text = (
        HEAD
        + RDMA
        + "links: [{a: {device: leaf1, port: E1}, b: {device: spine1, port: E2}}]\n"
        + "cables: [{between: [leaf*, spine*], length_m: 50}]\n"
    )
    found = parse_intent("roce-audit.yaml", text)
    assert found.links == ((End("leaf1", "E1"), End("spine1", "E2")),)
    (cable,) = found.cables
    assert [cable.covers(*pair) for pair in (("leaf1", "spine9"), ("spine9", "leaf1"), ("leaf1", "leaf2"))] == [
        True,
        True,
        False,
    ]


def test_the_schema_names_the_presets_and_describes_every_field() -> None:
    document = make_schema()
    Draft202012Validator.check_schema(document)
    Draft202012Validator.check_schema(make_preset_schema())
    assert document["properties"]["preset"]["enum"] == PRESETS
    bare = {"schema", "ignore", "name", "rule", "length_m", "a", "b", "device", "port"}
    for name, each in {"the file": document, **document["$defs"]}.items():
        for field, said in each.get("properties", {}).items():
            assert field in bare or "description" in said or "$ref" in json.dumps(said), (name, field)
