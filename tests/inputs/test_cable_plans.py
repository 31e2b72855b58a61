"""Cables in files of other tools: what is read, what is refused, and what a report says of each file."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from plan_texts import LINK, MINIGRAPH, get_text

from auditor import load
from auditor.inputs.cable_plans import FORMATS, MAX_DEPTH, MAX_NAME, CablePlan, PlanFormat, find_plan
from auditor.inputs.rawtext import Problem, Raw, Skipped, parse_text
from auditor.inputs.snapshot import Snapshot, find

Run = Callable[..., tuple[int, str, str]]
OTHERS = Path(__file__).parents[2] / "fixtures" / "others"
SWITCH = "!Command: show running-config\nversion 10.4(5)\nhostname leaf1\ninterface Ethernet1/1\n  mtu 9216\n"
LAYER1, MINIGRAPHS, STRUCTURED = FORMATS
MANY = 10_000
each_format = pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.plan.what)


def plan_of(text: str, name: str) -> CablePlan | None:
    """Return the plan in a file of that name."""
    raw = parse_text(text.encode(), name, given=False)
    assert isinstance(raw, Raw), raw
    return find_plan(raw)


def read(kind: PlanFormat, text: str) -> CablePlan:
    """Return the plan in a text of a format, which is recognised as one."""
    found = plan_of(text, get_text(kind).file)
    assert found is not None
    assert found.what == kind.plan.what
    return found


@each_format
def test_each_cable_is_read_once(kind: PlanFormat) -> None:
    found = read(kind, get_text(kind).make(3))
    assert (found.wrong, len(found.cables)) == ("", 3)
    assert {f"{a} - {b}" for a, b in found.cables} == {
        f"leaf1 Ethernet1/{n} - spine{n} Ethernet1/1" for n in range(1, 4)
    }
    assert found.device == ("leaf1" if found.settings_in else "")


@each_format
def test_a_session_that_quotes_a_plan_is_a_dump(kind: PlanFormat) -> None:
    """Its other outputs would be lost, were it taken for the plan."""
    assert (
        plan_of(f"leaf1# show running-config\n{SWITCH}leaf1# cat plan\n{get_text(kind).make(1)}", "leaf1.txt") is None
    )


def test_both_directions_are_one_cable() -> None:
    edges = json.loads(get_text(LAYER1).make(1))["edges"]
    back = {"node1": edges[0]["node2"], "node2": edges[0]["node1"]}
    assert len(read(LAYER1, json.dumps({"edges": [*edges, back]})).cables) == 1


WRONG = [
    (LAYER1, '{"edges": [{"node1": 1}]}', "edge 1: expected node1 and node2", None),
    (LAYER1, '{"edges": [{"node1": {"hostname": "", "interfaceName": "a"}, "node2": {}}]}', "edge 1", None),
    (LAYER1, '{"edges": {}}', 'expected an object with a list "edges"', None),
    (LAYER1, "[1]", 'expected an object with a list "edges"', None),
    (LAYER1, '{"edges": [\n{"node1": ', "not JSON", 2),
    (LAYER1, '{"edges": [{"node1": ' + "[" * 100_000, "nested too deeply", None),
    (MINIGRAPHS, MINIGRAPH.format(links=LINK.replace("spine{n}", "")), "a link without a name", 10),
    (MINIGRAPHS, MINIGRAPH.format(links=LINK.replace("spine{n}", "x" * (MAX_NAME + 1))), "a link without a name", 10),
    (MINIGRAPHS, MINIGRAPH.replace("<Hostname>leaf1</Hostname>", ""), "expected the name of the device", None),
    (MINIGRAPHS, MINIGRAPH.replace("</PngDec>", ""), "not XML: mismatched tag", 7),
    (MINIGRAPHS, "<DeviceMiniGraph>" + "<a>" * MAX_DEPTH, "nested deeper", 1),
    (STRUCTURED, "hostname: leaf1\nethernet_interfaces:\n  Ethernet1: {}\n", "expected YAML with a hostname", 2),
    (STRUCTURED, "hostname: leaf1\nethernet_interfaces:\n- name: [\n", "expected YAML with a hostname", 4),
    (STRUCTURED, f"hostname: leaf1\nethernet_interfaces:\n- {'[' * 500}\n", "expected YAML with a hostname", 3),
    (STRUCTURED, "hostname: a\nethernet_interfaces:\n- &a {name: x}\n- *a\n", "without aliases", 4),
]


@pytest.mark.parametrize(("kind", "text", "message", "line"), WRONG, ids=[f"{n}" for n in range(len(WRONG))])
def test_a_file_that_cannot_be_read_is_an_error(kind: PlanFormat, text: str, message: str, line: int | None) -> None:
    found = read(kind, text)
    assert message in found.wrong
    assert (found.line, found.cables) == (line, ())


BOMB = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">{rest}]>\n'


@pytest.mark.parametrize(
    "head",
    [
        BOMB.format(
            rest="".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
        ),
        '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n',
        '<!DOCTYPE d SYSTEM "http://localhost/x.dtd">\n',
        '<!DOCTYPE d [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>\n',
    ],
    ids=["laughs", "file", "address", "parameter"],
)
def test_no_entity_is_followed(head: str) -> None:
    text = head + MINIGRAPH.format(links=LINK.format(n=1).replace("spine1", "&a;"))
    started = time.process_time()
    assert "has a document type" in read(MINIGRAPHS, text).wrong
    assert time.process_time() - started < 1


def test_a_declared_encoding_is_not_followed() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?>\n' + get_text(MINIGRAPHS).make(2)
    assert len(read(MINIGRAPHS, text).cables) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config_db.json", '{"PORT": {"Ethernet0": {"mtu": "9100"}}}'),
        ("graph.json", '{"edges": [], "nodes": []}'),
        ("leaf1.yml", "hostname: leaf1\nvlans: []\n"),
        ("hosts.yaml", "ethernet_interfaces:\n- name: Ethernet1\n"),
        ("leaf1.txt", SWITCH),
        ("a.xml", "<rpc-reply><DeviceMini/></rpc-reply>"),
    ],
)
def test_another_file_is_no_plan(name: str, text: str) -> None:
    assert plan_of(text, name) is None


def snapshot_of(folder: Path, **files: str) -> Snapshot:
    """Return what is in files, where `__` in a name stands for a folder and `_` before a suffix for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return find([str(folder)])


@each_format
def test_a_plan_beside_its_device_is_named_with_its_cables(kind: PlanFormat, tmp_path: Path) -> None:
    files = {"configs__leaf1_DOT_cfg": SWITCH, f"plans__{get_text(kind).file}": get_text(kind).make(2)}
    found = snapshot_of(tmp_path, **files)
    assert [unit.name for unit in found.units] == ["leaf1"]
    assert len(found.cables) == 2
    (skipped,) = found.skipped
    assert skipped == Skipped(str(tmp_path / "plans" / get_text(kind).file), skipped.why)
    assert f"{kind.plan.what}, of which cables are read: 2" in skipped.why
    assert not found.problems


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind.plan.settings_in], ids=lambda kind: kind.plan.what)
def test_a_plan_without_the_settings_of_its_device_is_an_error(kind: PlanFormat, tmp_path: Path) -> None:
    other = SWITCH.replace("leaf1", "leaf2")
    found = snapshot_of(tmp_path, **{"configs__x": other, f"plans__{get_text(kind).file}": get_text(kind).make(1)})
    (problem,) = found.problems
    assert isinstance(problem, Problem)
    assert f"{kind.plan.what} of 'leaf1' alone, which has no settings" in problem.message


def test_a_minigraph_is_beside_a_configuration_without_a_name(tmp_path: Path) -> None:
    config = (OTHERS / "sonic" / "leaf1" / "config_db.json").read_text().replace('"hostname": "leaf1", ', "")
    plan = get_text(MINIGRAPHS).make(1)
    assert not snapshot_of(tmp_path, a__config_db_DOT_json=config, a__minigraph_DOT_xml=plan).problems


@each_format
def test_a_plan_alone_is_nothing_to_audit(kind: PlanFormat, run: Run, tmp_path: Path) -> None:
    path = tmp_path / get_text(kind).file
    path.write_text(get_text(kind).make(1))
    assert run("check", path, "--no-cache")[0] == 2


@each_format
def test_a_plan_is_given_beside_dumps(kind: PlanFormat, run: Run, tmp_path: Path) -> None:
    (tmp_path / "plan").mkdir()
    (tmp_path / "leaf1.cfg").write_text(SWITCH)
    path = tmp_path / "plan" / get_text(kind).file
    path.write_text(get_text(kind).make(1))
    status, out, _ = run("check", tmp_path / "leaf1.cfg", path, "--no-cache", "--format", "json")
    report = json.loads(out)
    assert status in {0, 1}
    assert report["problems"] == []
    assert run("check", tmp_path / "leaf1.cfg", "--no-cache", "--format", "json")[1] != out


@pytest.mark.long
@each_format
def test_ten_thousand_cables_take_seconds(kind: PlanFormat) -> None:
    text = get_text(kind).make(MANY)
    started = time.process_time()
    assert len(read(kind, text).cables) == MANY
    assert time.process_time() - started < 10


def test_the_devices_of_a_thousand_plans_are_found_at_once(tmp_path: Path) -> None:
    """Each device has a plan; to find the devices of plans takes one look at each."""
    make = get_text(STRUCTURED).make(1)
    for n in range(1000):
        (tmp_path / f"leaf{n}.yml").write_text(make.replace("leaf1", f"leaf{n}"))
        (tmp_path / f"leaf{n}.cfg").write_text(SWITCH.replace("leaf1", f"leaf{n}"))
    found = find([str(tmp_path)])
    assert (len(found.units), len(found.cables), found.problems) == (1000, 1000, ())


@pytest.mark.parametrize(
    ("folder", "devices", "cables", "links"),
    [
        ("batfish", ["leaf1", "leaf2", "spine1"], 3, 3),
        ("sonic", ["leaf1", "spine1"], 1, 1),
        ("avd/intended", ["leaf1", "spine1"], 2, 1),
        ("rancid", ["leaf1", "leaf2", "spine1"], 0, 0),
        ("oxidized", ["leaf1", "leaf2", "spine1"], 0, 0),
        ("oxidized-cumulus", ["leaf04", "leaf05"], 0, 0),
        ("golden-config/backup", ["leaf1", "leaf2", "spine1"], 0, 0),
    ],
)
def test_a_repository_is_read_as_it_is(run: Run, folder: str, devices: list[str], cables: int, links: int) -> None:
    assert len(find([str(OTHERS / folder)]).cables) == cables
    status, out, _ = run("check", OTHERS / folder, "--no-cache", "--format", "json")
    report = json.loads(out)
    assert status in {0, 1}
    assert report["problems"] == []
    assert f"{links} link" in run("check", OTHERS / folder, "--no-cache")[1]
    assert [device.name for device in load(OTHERS / folder).model.devices] == devices
    assert any(found["rule"] == "MTU001" for found in report["findings"]) is bool(links)
