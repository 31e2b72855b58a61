"""Settings beside dumps are ours as a whole, or not at all."""

from pathlib import Path
from typing import Any

import pytest

from auditor import intent
from auditor.custom import rules as custom
from auditor.fabric import topology
from auditor.inputs.manifest import KEYS, is_settings
from auditor.inputs.rawtext import Raw, parse_text
from auditor.inputs.snapshot import find

FIXTURES = Path(__file__).parents[2] / "fixtures"
RULE = FIXTURES / "custom-rules" / "watchdog-too-slow.yaml"


def read(text: str) -> Raw:
    """Return a file with this text."""
    raw = parse_text(text.encode(), "x.yaml", given=False)
    assert isinstance(raw, Raw)
    return raw


@pytest.mark.parametrize(
    "schema", [custom.make_schema(), topology.make_schema(), intent.make_schema()], ids=["rule", "links", "intent"]
)
def test_the_keys_are_those_of_the_schema(schema: dict[str, Any]) -> None:
    (name,) = (name for name in KEYS if name == schema["properties"]["schema"]["const"])
    assert KEYS[name] == schema["properties"].keys()


def test_a_rule_that_quotes_a_switch_is_settings(tmp_path: Path) -> None:
    assert is_settings(read(RULE.read_text()))
    (tmp_path / "rule.yaml").write_bytes(RULE.read_bytes())
    found = find([str(tmp_path)])
    assert not found.units
    assert not found.problems
    assert [skipped.name for skipped in found.skipped] == [str(tmp_path / "rule.yaml")]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("schema: ", "schema: x"),
        lambda text: text.replace("/1", "/9"),
        lambda text: f"hostname: leaf1\n{text}",
        lambda text: f"{text}\nhostname leaf1\n",
        lambda text: f" {text}",
    ],
    ids=["no schema", "other version", "a key of a dump", "a line of a dump", "no document"],
)
def test_what_is_not_ours_as_a_whole_is_not_ours(change: Any) -> None:  # noqa: ANN401  a table of functions
    assert not is_settings(read(change(RULE.read_text())))
