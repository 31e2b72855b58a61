"""The hook of MkDocs: it adds the generated pages, fills the marked places of the others, and links rules.

Generated pages are made at each build and kept nowhere.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import relpath
from typing import Any

import capture_tables
import command_pages
import notebook_pages
import preset_table
import rule_pages
import schema_pages
import system_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage
from pages import UNSOUGHT, Page

from auditor.checks.catalogue import load_rules
from auditor.report.site_address import DOCS_URL

ROOT = Path(__file__).parents[2]
PAGES = "docs/pages/"
IMAGES = ROOT / "docs" / "images"
ROOT_PAGES: Mapping[str, str] = {
    "CONTRIBUTING.md": "development/contributing.md",
    "SECURITY.md": "background/security.md",
    "CHANGELOG.md": "development/changelog.md",
    "fixtures/scenarios/COLUMNS.md": "reference/scenario-columns.md",
}
"""Files that are pages of the site, and stand where readers of a repository look for them."""
PICTURE = "pod-faulty.png"
"""The picture of the front page, and of the README."""
QUIET = frozenset({"CHANGELOG.md"})
"""Files that the search leaves out: they would hide the pages about the same things."""
_PLACE = re.compile(r"<!-- generated: ([a-z ]+) -->")
_LINK = re.compile(r"\]\(([^)#\s]+)")
_RULE = re.compile(r"\b[A-Z]{3}\d{3}\b")
_NOT_PROSE = re.compile(
    r"(^```.*?^ *```$|^ +```.*?^ +```$|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|^#.*$)", re.MULTILINE | re.DOTALL
)
"""Code, links and headings: rules in them stay as they are."""


def list_generated() -> Iterator[Page]:
    """Yield every page and file that the build makes."""
    for _, pages in rule_pages.list_rule_pages():
        yield from pages
    yield from system_pages.list_system_pages()
    yield from command_pages.list_command_pages()
    yield from schema_pages.list_schema_pages()
    yield from notebook_pages.list_notebook_pages()
    for name, path in ROOT_PAGES.items():
        text = move_links((ROOT / name).read_text(encoding="utf-8"), path)
        yield Page(path, "", f"{UNSOUGHT}{text}" if name in QUIET else text)


def move_links(text: str, path: str) -> str:
    """Return *text* of a file in the top folder with its links as seen from the page *path*.

    >>> move_links("[rules](docs/pages/rules/index.md) and [all](SECURITY.md#x)", "development/changelog.md")
    '[rules](../rules/index.md) and [all](../background/security.md#x)'
    """

    def move(match: re.Match[str]) -> str:
        target = ROOT_PAGES.get(match[1], match[1].removeprefix(PAGES))
        is_page = target != match[1]
        return f"]({relpath(target, PurePosixPath(path).parent)}" if is_page else match[0]

    return _LINK.sub(move, text)


def make_picture() -> str:
    """Return the picture of the front page; empty before it is made."""
    described = (
        "The page of a report: the costliest causes with their cost and the lines to type, and a map of the fabric"
    )
    return f"![{described}](images/{PICTURE})" if (IMAGES / PICTURE).is_file() else ""


PLACES: Mapping[str, Callable[[], str]] = {
    "commands": command_pages.make_overview,
    "field faults": rule_pages.make_fault_table,
    "host commands": capture_tables.make_command_table,
    "host files": capture_tables.make_file_table,
    "picture": make_picture,
    "presets": preset_table.make_table,
    "rules": rule_pages.make_overview,
    "schemas": schema_pages.make_overview,
    "silent tools": capture_tables.make_silent_list,
    "systems": system_pages.make_overview,
}
"""What a line `<!-- generated: NAME -->` of a page stands for."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give the site its address, and the navigation the pages that the build makes."""
    config.site_url = f"{DOCS_URL}/" if DOCS_URL else None
    config.nav = [_fill_navigation(entry) for entry in config.nav or ()]
    return config


def _fill_navigation(entry: Any) -> Any:  # noqa: ANN401  YAML
    """Return an entry of the navigation with the generated pages in the place of their name."""
    if isinstance(entry, dict):
        return {title: _fill_navigation(value) for title, value in entry.items()}
    if not isinstance(entry, list):
        return entry
    filled: list[Any] = []
    for each in entry:
        filled += _GENERATED[each]() if isinstance(each, str) and each in _GENERATED else [_fill_navigation(each)]
    return filled


def _name(pages: Iterable[Page]) -> list[Any]:
    return [{page.title: page.path} for page in pages if page.title]


_GENERATED: Mapping[str, Callable[[], list[Any]]] = {
    "RULES": lambda: [{pack: _name(pages)} for pack, pages in rule_pages.list_rule_pages()],
    "SYSTEMS": lambda: _name(system_pages.list_system_pages()),
    "COMMANDS": lambda: _name(command_pages.list_command_pages()),
    "SCHEMAS": lambda: _name(schema_pages.list_schema_pages()),
}
"""Entries of the navigation that stand for generated pages."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and the images that the README shows too."""
    for page in list_generated():
        files.append(File.generated(config, page.path, content=page.text))
    for image in sorted(IMAGES.glob("*")):
        files.append(File.generated(config, f"images/{image.name}", abs_src_path=str(image)))
    return files


def on_page_markdown(markdown: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:
    """Return the text of a page with its marked places filled, and with a link at each rule that it names."""
    del config, files
    filled = _PLACE.sub(lambda match: PLACES[match[1]](), markdown)
    return link_rules(filled, page.file.src_uri)


def link_rules(markdown: str, path: str) -> str:
    """Return *markdown* of the page *path* with a link at each rule that its prose names.

    >>> link_rules("CNT001 and `CNT002`", "how-to/counters.md")
    '[CNT001](../rules/CNT001.md) and `CNT002`'
    """
    known = {rule.file.id for rule in load_rules()} - {PurePosixPath(path).stem}

    def link(match: re.Match[str]) -> str:
        address = relpath(f"rules/{match[0]}.md", PurePosixPath(path).parent)
        return f"[{match[0]}]({address})" if match[0] in known else match[0]

    parts = _NOT_PROSE.split(markdown)
    return "".join(part if number % 2 else _RULE.sub(link, part) for number, part in enumerate(parts))
