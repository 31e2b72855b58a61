"""Reports of an acceptance: hostile texts stay texts, and the result follows from the items."""

import json
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from auditor.engine.accept.values import Acceptance, Detail, Item, ItemState
from auditor.engine.result import Notice
from auditor.report import accept, accept_json, accept_junit

PASS, FAIL, NOT_SHOWN = ItemState.PASS, ItemState.FAIL, ItemState.NOT_SHOWN
RENDER: Mapping[str, Callable[..., str]] = {
    "terminal": accept.render,
    "markdown": accept.render_markdown,
    "json": accept_json.render,
    "junit": accept_junit.render,
}
HOSTILE = "<b>@all|`x`\x1b[31m\n# \u202egpu"


def make_item(state: ItemState, device: str = "gpu01", port: str = "rail0", text: str = "mtu_bytes") -> Item:
    return Item(device, port, text, f"{text} 1", f"{text} 2", state, "gpu01.txt", 7)


def make_acceptance(*items: Item, problems: tuple[Notice, ...] = ()) -> Acceptance:
    devices = tuple(dict.fromkeys(item.device for item in items))
    return Acceptance("rack.yaml", is_like=False, devices=devices, items=items, problems=problems)


@pytest.mark.parametrize(
    ("states", "strict", "lenient"),
    [
        ([PASS], True, True),
        ([PASS, NOT_SHOWN], False, True),
        ([PASS, FAIL], False, False),
        ([NOT_SHOWN], False, False),
        ([], False, False),
    ],
)
def test_the_result_follows_from_the_items(states: list[ItemState], *, strict: bool, lenient: bool) -> None:
    found = make_acceptance(*(make_item(state, port=f"rail{n}") for n, state in enumerate(states)))
    assert found.is_accepted() is strict
    assert found.is_accepted(allow_not_shown=True) is lenient


def test_a_problem_prevents_acceptance() -> None:
    found = make_acceptance(make_item(PASS), problems=(Notice("cannot be read", "gpu02.txt"),))
    assert not found.is_accepted(allow_not_shown=True)
    assert json.loads(accept_json.render(found))["problems"] == ["gpu02.txt: cannot be read"]
    root = ET.fromstring(accept_junit.render(found))  # noqa: S314  written by the program itself
    assert root.get("errors") == "1"


@pytest.mark.parametrize("name", RENDER)
def test_hostile_texts_stay_texts(name: str) -> None:
    items = (make_item(FAIL, HOSTILE, HOSTILE, HOSTILE), make_item(PASS, f"{HOSTILE}2"))
    text = RENDER[name](make_acceptance(*items))
    assert "\x1b" not in text
    assert "\u202e" not in text
    if name == "markdown":
        assert "<b>" not in text
        assert "@all" not in text
        assert text.count("\n# ") == 0
    elif name == "json":
        Draft202012Validator(accept_json.build_schema()).validate(json.loads(text))
    elif name == "junit":
        ET.fromstring(text)  # noqa: S314  written by the program itself


def test_terminal_names_failures_first() -> None:
    fail = Item(
        "gpu02",
        "rail0",
        "mtu_bytes",
        "9000",
        "1500",
        FAIL,
        "gpu02.txt",
        7,
        (Detail("ip_mtu_bytes", "9000", "1500"),),
        ("MTU002",),
        ("rail1",),
    )
    hidden = Item("gpu01", "", "model", "HGX", "no capture shows it", NOT_SHOWN)
    found = Acceptance("gpu09", is_like=True, devices=("gpu01", "gpu02"), items=(hidden, fail), others=("leaf1",))
    assert accept.render(found).splitlines() == [
        "not accepted: 2 devices by the settings of gpu09",
        "1 fail, 1 not shown, 0 pass",
        "",
        "fail (1)",
        "  gpu02 rail0-1: mtu_bytes: expected 9000, found 1500; also ip_mtu_bytes (MTU002)  --> gpu02.txt:7",
        "",
        "not shown (1)",
        "  gpu01: model: expected HGX, found no capture shows it",
        "",
        "not accepted (2): gpu01, gpu02",
        "not covered (1): leaf1",
    ]


def test_json_has_a_verdict_for_each_device() -> None:
    missing = Item("gpu03", "", "device", "present", "no dump", FAIL)
    number = Item("gpu*", "", "devices", "3", "2", FAIL)
    items = (make_item(PASS), make_item(NOT_SHOWN, "gpu02"), missing, number)
    found = Acceptance("rack.yaml", is_like=False, devices=("gpu01", "gpu02"), items=items)
    document = json.loads(accept_json.render(found))
    Draft202012Validator(accept_json.build_schema()).validate(document)
    assert {each["device"]: each["state"] for each in document["devices"]} == {
        "gpu01": "pass",
        "gpu02": "not shown",
        "gpu03": "fail",
    }
    assert len(document["items"]) == 4
