"""The site builds strictly, has a page for each thing, loads nothing from elsewhere, and its links lead somewhere."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

import auditor
from auditor.checks.catalogue import load_rules
from auditor.cli.commands import COMMANDS
from auditor.cli.lists import SCHEMAS
from auditor.report import site_address
from auditor.systems import systems

pytestmark = pytest.mark.site

ROOT = Path(__file__).parents[2]
LOADS = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "script": "src",
    "source": "src",
}
"""Elements that a browser loads, with the attribute that holds the address."""
SENDS_NOTHING = {"canonical", "prev", "next", "alternate"}
"""Relations of `link` that a browser does not load."""


class _Reader(HTMLParser):
    """Collects what a page loads, where it links to, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the anchor of an element."""
        given = dict(attrs)
        self.anchors |= {name for name in (given.get("id"), given.get("name") if tag == "a" else None) if name}
        address = given.get(LOADS.get(tag, ""))
        if address and given.get("rel") not in SENDS_NOTHING:
            self.loads.append(address)
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built strictly: a warning fails it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "docs/mkdocs.yml", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Reader]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        found[path] = _Reader()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


def test_each_rule_system_command_and_schema_has_its_page(site: Path) -> None:
    def name_folders(folder: str) -> set[str]:
        return {path.parent.name for path in (site / folder).glob("*/index.html")}

    assert name_folders("rules") == {rule.file.id for rule in load_rules()} | {"field-faults"}
    assert name_folders("systems") == set(systems()) | {"host-captures"}
    assert name_folders("reference/commands") == {name for name, _, _ in COMMANDS}
    assert name_folders("reference/schemas") == set(SCHEMAS)
    assert len(list((site / "schemas").rglob("*.json"))) == len(SCHEMAS)


def test_the_page_of_a_rule_is_where_reports_look_for_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_address, "DOCS_URL", "https://x.example")
    for rule in load_rules():
        page = site_address.find_rule_page(rule.file.id)
        assert page is not None
        assert (site / urlsplit(page).path.strip("/") / "index.html").is_file()


def test_the_pages_of_rules_have_the_anchors_that_others_link_to(pages: dict[Path, _Reader], site: Path) -> None:
    for rule in load_rules():
        anchors = pages[site / "rules" / rule.file.id / "index.html"].anchors
        assert anchors >= {"why", "decided", "example", "remedy", "cost", "counters"}
        assert any(anchor.startswith("remedy-") for anchor in anchors)


def test_the_names_of_the_library_are_described(pages: dict[Path, _Reader], site: Path) -> None:
    anchors = pages[site / "reference" / "python" / "index.html"].anchors
    assert {f"auditor.{name}" for name in set(auditor.__all__) - {"__version__"}} <= anchors
    assert {"auditor.site.View", "auditor.site.Failure"} <= anchors


def test_the_reference_shows_how_a_dataclass_is_made(site: Path) -> None:
    page = re.sub(r"<[^>]+>|\s", "", (site / "reference/python/index.html").read_text(encoding="utf-8"))
    assert "Band(low:float,likely:float,high:float)" in page


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, _Reader], site: Path) -> None:
    assert len(pages) > 200
    loaded = {address for page in pages.values() for address in page.loads}
    assert [address for address in sorted(loaded) if urlsplit(address).netloc or address.startswith("//")] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//[^)\"']*", styles) == []


def test_all_links_and_anchors_lead_somewhere(pages: dict[Path, _Reader], site: Path) -> None:
    assert sorted(set(_list_broken(pages, site))) == []


def _list_broken(pages: dict[Path, _Reader], site: Path) -> Iterator[str]:
    for path, page in pages.items():
        if path.name == "404.html":  # the server decides where it stands
            continue
        for link in page.links:
            address, fragment = urldefrag(link)
            if urlsplit(link).scheme or address.startswith("/"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            named = f"{path.relative_to(site)}: {link}"
            if not target.is_file() or (
                fragment and target in pages and unquote(fragment) not in pages[target].anchors
            ):
                yield named


def test_the_search_finds_rules_by_id_and_by_words(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert '"rules/PFC003/' in index
    assert "pfc-on-one-side" in index
