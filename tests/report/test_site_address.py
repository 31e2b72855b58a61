"""The address of a rule's page stands in each format where the site is published, and in none before."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.report import site_address

Run = Callable[..., tuple[int, str, str]]
FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"
RULES = Path(__file__).parents[2] / "fixtures" / "custom-rules"
SITE = "https://docs.example.net/roce-audit"
PAGE = f"{SITE}/rules/MTU002/"
WAYS = {
    "terminal": ("check", FABRIC),
    "each finding": ("check", FABRIC, "--all"),
    "json": ("check", FABRIC, "--format", "json"),
    "sarif": ("check", FABRIC, "--format", "sarif"),
    "gitlab": ("check", FABRIC, "--format", "gitlab"),
    "html": ("check", FABRIC, "--format", "html"),
    "explanation": ("explain", "MTU002"),
}

pytestmark = pytest.mark.read_once


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_address, "DOCS_URL", SITE)


@pytest.mark.parametrize("way", WAYS)
def test_no_output_names_a_site_before_it_is_published(run: Run, way: str) -> None:
    _, out, _ = run(*WAYS[way])
    assert not any(word in out for word in ("= help:", "helpUri", '"page"', "documentation:", "/rules/MTU002/"))


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("way", WAYS)
def test_each_output_names_the_page(run: Run, way: str) -> None:
    assert PAGE in run(*WAYS[way])[1]


@pytest.mark.usefixtures("published")
def test_the_page_stands_where_programs_look_for_it(run: Run) -> None:
    def read(way: str) -> Any:  # noqa: ANN401  any document
        return json.loads(run(*WAYS[way])[1])

    assert {"page": PAGE}.items() <= next(each for each in read("json")["rules"] if each["rule"] == "MTU002").items()
    rules = read("sarif")["runs"][0]["tool"]["driver"]["rules"]
    assert {rule["helpUri"] for rule in rules} == {f"{SITE}/rules/{rule['id']}/" for rule in rules}
    bodies = [each["content"]["body"] for each in read("gitlab") if each["check_name"].startswith("MTU002")]
    assert bodies
    assert all(body.endswith(f"[MTU002]({PAGE})") for body in bodies)


@pytest.mark.usefixtures("published")
def test_the_page_is_a_line_of_its_own_and_a_link_where_the_terminal_has_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert f"\n  = help: {PAGE}\n" in run("check", FABRIC)[1]
    coloured = run("check", FABRIC, "--color", "always")[1]
    assert f";{PAGE}\x1b\\" in coloured  # OSC 8


@pytest.mark.usefixtures("published")
def test_the_json_with_pages_keeps_its_schema(run: Run) -> None:
    schema = json.loads(run("schema", "report")[1])
    Draft202012Validator(schema).validate(json.loads(run(*WAYS["json"])[1]))


@pytest.mark.usefixtures("published")
def test_a_rule_of_a_site_has_no_page(run: Run) -> None:
    clean = FABRIC.with_name("fabric-clean")
    out = run("check", clean, "--rules", RULES, "--format", "sarif")[1]
    rules = {rule["id"]: rule for rule in json.loads(out)["runs"][0]["tool"]["driver"]["rules"]}
    assert "helpUri" not in rules["OUR002"]
