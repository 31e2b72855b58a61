"""Each rule, system, command and schema has its page, and what pages are made of is what the program has."""

import argparse
import json
import re
from pathlib import Path

import capture_tables
import command_pages
import pytest
import rule_pages
import schema_pages
import site_build
import system_pages
from doctests import fence_examples
from mkdocs.config.defaults import MkDocsConfig
from pages import Page, code, tabulate

from auditor.checks.catalogue import load_rules
from auditor.checks.field_faults import load_field_faults
from auditor.cli.commands import COMMANDS, EXAMPLES
from auditor.cli.lists import SCHEMAS, build_schema
from auditor.diagnosis.remedies import list_examples
from auditor.intent.presets import list_presets
from auditor.report.reference import name_anchor
from auditor.systems import systems
from auditor.systems.linux.commands import COMMANDS as HOST_COMMANDS
from auditor.systems.linux.filetable import FILES
from auditor.systems.windows.show import KNOWN as WINDOWS
from auditor.util.yamlfile import data_of

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "pages"
GENERATED = {page.path: page for page in site_build.list_generated()}
RULES = [page for _, pages in rule_pages.list_rule_pages() for page in pages]
ALWAYS = {"why", "decided", "example", "remedy", "cost", "counters", "references"}


def anchors(page: Page) -> list[str]:
    return re.findall(r"^#+ .* \{ #(\S+) \}$", page.text, re.MULTILINE)


def test_each_rule_has_a_page_with_an_anchor_for_each_part() -> None:
    assert [page.path for page in RULES] == [f"rules/{rule.file.id}.md" for rule in load_rules()]
    for page, rule in zip(RULES, load_rules(), strict=True):
        remedies = {name_anchor(key) for key, _ in list_examples(rule.file)}
        found = anchors(page)
        assert len(found) == len(set(found))
        assert set(found) >= ALWAYS | remedies
        assert {each for each in found if each.startswith("remedy-")} == remedies


def test_a_page_of_a_rule_holds_what_the_rule_says() -> None:
    for page, rule in zip(RULES, load_rules(), strict=True):
        words = " ".join(page.text.split())
        for said in (rule.file.summary, rule.file.why, rule.file.decided or "", *rule.file.references):
            assert " ".join(said.split()) in words, page.path
        assert all(text.rstrip() in page.text for _, text in list_examples(rule.file))


def test_each_system_has_a_page_with_its_commands_and_the_sources_of_its_defaults() -> None:
    pages = {page.path: page for page in system_pages.list_system_pages()}
    assert pages.keys() == {f"systems/{os}.md" for os in systems()}
    defaults = 0
    for os, system in systems().items():
        text = pages[f"systems/{os}.md"].text
        shown = [*system.give, *system.aliases, *(each.command for each in system.pulls())]
        assert [each for each in (*shown, *(name for name, _ in system.outputs())) if code(each) not in text] == []
        file = ROOT / "auditor" / "systems" / system.folder / "defaults.yaml"
        entries = data_of(file.read_text(encoding="utf-8"))["defaults"] if file.exists() else []
        defaults += len(entries)
        references = (part for each in entries for part in str(each["reference"]).split(maxsplit=1))
        assert [each["path"] for each in entries if code(each["path"]) not in text] == []
        assert [part for part in references if " ".join(part.split()).replace("|", "&#124;") not in text] == []
    assert defaults > 100


def test_each_command_has_a_page_with_all_its_options_and_examples() -> None:
    pages = {page.title: page.text for page in command_pages.list_command_pages()}
    assert list(pages) == [name for name, _, _ in COMMANDS]
    for name, _, add in COMMANDS:
        parser = argparse.ArgumentParser()
        add(parser)
        options = [option for action in parser._actions for option in action.option_strings]
        assert [option for option in options if code(option) not in pages[name]] == []
        assert all(f"roce-audit {name} {words}".rstrip() in pages[name] for words in EXAMPLES[name])
        assert " %(" not in pages[name]


def test_guides_of_commands_are_there() -> None:
    assert command_pages.GUIDES.keys() <= {name for name, _, _ in COMMANDS}
    assert [guide for guide in command_pages.GUIDES.values() if not (PAGES / "how-to" / guide).is_file()] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_schema_has_a_page_and_is_a_file_of_its_version(name: str) -> None:
    schema = build_schema(name)
    _, _, document, version = schema["$id"].split(":")
    assert json.loads(GENERATED[f"schemas/{document}/{version}.json"].text) == schema
    text = GENERATED[f"reference/schemas/{name}.md"].text
    assert schema["$id"] in text
    assert [field for field in schema["properties"] if code(field) not in text] == []
    assert [part for part in schema.get("$defs", {}) if f"{{ #{part} }}" not in text] == []


def test_each_schema_has_a_purpose() -> None:
    assert schema_pages.PURPOSES.keys() == set(SCHEMAS)


def test_tables_have_a_row_for_each_thing() -> None:
    assert site_build.PLACES["presets"]().count("### ") == len(list_presets())
    assert all(f"]({os}.md)" in site_build.PLACES["systems"]() for os in systems())
    assert all(f"({rule.file.id}.md)" in site_build.PLACES["rules"]() for rule in load_rules())
    assert all(f"({name}.md)" in site_build.PLACES["commands"]() for name, _, _ in COMMANDS)
    assert all(f"({name}.md)" in site_build.PLACES["schemas"]() for name in SCHEMAS)
    numbers = re.findall(r"^\| (\d+) \|", site_build.PLACES["field faults"](), re.MULTILINE)
    assert numbers == [str(each.fault) for each in load_field_faults()]


def test_the_tables_of_captures_have_every_command_and_file_that_is_read() -> None:
    rows = capture_tables.make_command_table().splitlines()[2:] + capture_tables.make_file_table().splitlines()[2:]
    read = [each.shows for each in (*HOST_COMMANDS, *WINDOWS) if each.shows] + [
        file.shows for file in FILES if file.shows
    ]
    assert [row.split(" | ", 1)[1].removesuffix(" |") for row in rows] == read
    assert "`mlnx_qos -i IF`" in capture_tables.make_command_table()
    assert "`dmesg`" in capture_tables.make_silent_list()
    assert "mlnx_qos" not in capture_tables.make_silent_list()


def test_marked_places_of_pages_are_known_and_all_are_used() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES.rglob("*.md")]
    assert {name for text in texts for name in site_build._PLACE.findall(text)} == set(site_build.PLACES)


def test_generated_pages_are_kept_nowhere() -> None:
    assert [path for path in GENERATED if (PAGES / path).exists()] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see PFC003.", "see [PFC003](../rules/PFC003.md)."),
        ("`PFC003`", "`PFC003`"),
        ("[PFC003](x.md)", "[PFC003](x.md)"),
        ("# PFC003", "# PFC003"),
        ("```text\nPFC003\n```", "```text\nPFC003\n```"),
        ("ZZZ999 and XPFC003", "ZZZ999 and XPFC003"),
    ],
)
def test_rules_in_prose_are_links(text: str, expected: str) -> None:
    assert site_build.link_rules(text, "how-to/x.md") == expected


def test_a_page_has_no_link_to_itself() -> None:
    assert site_build.link_rules("PFC003", "rules/PFC003.md") == "PFC003"


def test_links_of_files_at_the_top_follow_them_to_their_pages() -> None:
    text = "[a](README.md#x) [b](docs/pages/start/glossary.md) [c](https://x.example/) [d](#e)"
    moved = site_build.move_links(text, "background/security.md")
    assert moved == "[a](README.md#x) [b](../start/glossary.md) [c](https://x.example/) [d](#e)"


def test_the_picture_stands_on_the_front_page_once_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_build, "IMAGES", tmp_path)
    assert site_build.make_picture() == ""
    (tmp_path / site_build.PICTURE).touch()
    assert site_build.make_picture().endswith(f"(images/{site_build.PICTURE})")


def test_examples_of_docstrings_are_fenced() -> None:
    text = "Return it.\n\n>>> for x in y:\n...     z\n1\n\nMore.\n"
    assert fence_examples(text) == "Return it.\n\n```pycon\n>>> for x in y:\n...     z\n1\n```\n\nMore.\n"
    assert fence_examples("no example") == "no example"


def test_a_cell_ends_no_table() -> None:
    assert tabulate(["a"], [[code("x|y`<b>")]]).splitlines()[-1] == "| <code>x&#124;y&#96;&lt;b&gt;</code> |"


def test_the_site_has_the_address_that_reports_name(monkeypatch: pytest.MonkeyPatch) -> None:
    config = MkDocsConfig()
    assert site_build.on_config(config).site_url is None
    monkeypatch.setattr(site_build, "DOCS_URL", "https://docs.example.net/roce-audit")
    assert site_build.on_config(config).site_url == "https://docs.example.net/roce-audit/"


def test_the_navigation_has_every_generated_page() -> None:
    config = MkDocsConfig()
    config.nav = [
        {"Rules": ["rules/index.md", "RULES"]},
        {"Reference": [{"Commands": ["COMMANDS"]}, "SCHEMAS", "SYSTEMS"]},
    ]
    nav = str(site_build.on_config(config).nav)
    in_navigation = [path for path, page in GENERATED.items() if page.title]
    assert len(in_navigation) == len(load_rules()) + len(systems()) + len(COMMANDS) + len(SCHEMAS)
    assert [path for path in in_navigation if f"'{path}'" not in nav] == []
