"""The page in Chromium, under its own policy: nothing is reported, filters and views work, and axe finds nothing."""

import csv
import os
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from hostile_report import TEXTS
from html_pages import FIXTURES, ROOT, read_large, read_report, write_page, write_poisoned
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from auditor.cli import main

CHROMIUM = "/usr/bin/chromium"
AXE = ROOT / ".ci" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDTHS = (360, 1280, 3840)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OWN = ("file:", "blob:")
MOST_BYTES, MOST_PAINT_MS = 5_000_000, 2_000
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which(CHROMIUM) and not os.environ.get("CI"), reason="no Chromium"),
]


def write_commands(folder: Path) -> None:
    """Write the pages of the other commands."""
    pod = str(FIXTURES / "pod-faulty")
    for name, arguments in {
        "path": ("path", "gpu01", "gpu09", pod),
        "fix": ("fix", str(FIXTURES / "fabric")),
        "drift": ("drift", str(FIXTURES / "pod-clean"), pod),
        "estimate": ("estimate", "--speed", "400G", "--pfc", "off"),
    }.items():
        main([*arguments, "--format", "html", "--output", str(folder / f"{name}.html")])


MADE: dict[str, Callable[[], str]] = {
    "pod": lambda: write_page(read_report("pod-faulty")),
    "change": lambda: write_page(read_report("pod-faulty", "pod-clean")),
    "mixed": lambda: write_page(read_report("fabric-mixed")),
    "clean": lambda: write_page(read_report("fabric-clean")),
    "hostile": lambda: write_poisoned("".join(TEXTS.values())),
}
PAGES = (*MADE, "path", "fix", "drift", "estimate")


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return what gives the URL of a page, which is made with its first use."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def find(name: str) -> str:
        if name in MADE:
            (folder / f"{name}.html").write_text(MADE[name](), encoding="utf-8")
        elif not (folder / f"{name}.html").exists():
            write_commands(folder)
        return (folder / f"{name}.html").as_uri()

    return find


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce", accept_downloads=True)
    yield made
    made.close()


@pytest.fixture
def view(context: BrowserContext) -> Iterator[Page]:
    """Yield an empty page; the test fails where anything is reported or asked of a network meanwhile."""
    made = context.new_page()
    reports: list[str] = []
    made.add_init_script("document.addEventListener('securitypolicyviolation', (e) => console.error('policy', e))")
    made.on("console", lambda message: reports.append(f"{message.type}: {message.text}"))
    made.on("pageerror", lambda error: reports.append(str(error)))
    made.on("dialog", lambda dialog: reports.append(dialog.message))
    made.on("request", lambda request: None if request.url.startswith(OWN) else reports.append(request.url))
    yield made
    assert reports == []


@pytest.fixture
def pod(view: Page, urls: Callable[[str], str]) -> Page:
    view.goto(urls("pod"))
    return view


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_at_every_width_without_a_report(name: str, view: Page, urls: Callable[[str], str]) -> None:
    view.goto(urls(name))
    assert find_overflow(view) == []
    assert view.locator("h1").count() == 1


def find_overflow(view: Page) -> list[int]:
    """Return the widths at which a page is wider than its window."""
    found = []
    for width in WIDTHS:
        view.set_viewport_size({"width": width, "height": 900})
        if not view.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(width)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(name: str, view: Page, urls: Callable[[str], str]) -> None:
    view.goto(urls(name))
    if name == "pod":
        view.locator(".map a", has_text="leaf6").click()
        view.locator("#view .chip.error").first.click()
        view.locator("#unfold").click()
        for each in view.locator("#more > details, #each").all():
            each.evaluate("(details) => { details.open = true; }")
    assert find_violations(view) == []


def find_violations(view: Page) -> list[tuple[str, str, str]]:
    """Return what axe finds wrong with a page, in light and in dark."""
    if not AXE.exists() and not os.environ.get("CI"):
        pytest.skip("no axe-core: .ci/run installs it")
    view.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[tuple[str, str, str]] = []
    for scheme in SCHEMES:
        view.emulate_media(color_scheme=scheme)
        result = view.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        found += [(scheme, each["id"], each["nodes"][0]["html"][:200]) for each in result["violations"]]
    return found


PAINT = "performance.getEntriesByName('first-contentful-paint')"


def test_a_large_fabric_is_painted_at_once(view: Page, tmp_path: Path) -> None:
    page = write_page(read_large())
    assert len(page.encode()) <= MOST_BYTES
    (tmp_path / "large.html").write_text(page, encoding="utf-8")
    view.goto((tmp_path / "large.html").as_uri())
    view.wait_for_function(f"{PAINT}.length")  # a page may be loaded before it is painted
    assert view.evaluate(f"{PAINT}[0].startTime") <= MOST_PAINT_MS
    count = int((view.locator("#findings-count").text_content() or "0").split()[0])
    assert count > 2_000
    view.locator("#each > summary").click()
    assert view.locator("#findings tbody tr").count() == 100
    view.locator(".more").click()
    assert view.locator("#findings tbody tr").count() == 200
    assert view.evaluate("document.querySelectorAll('*').length") < 40_000
    view.locator(".map a", has_text="leaves").first.click()
    assert view.locator("details.group[open]").count() == 1
    assert find_overflow(view) == []
    assert find_violations(view) == []


def count_causes(view: Page) -> int:
    return view.locator("#causes tbody tr:visible").count()


def test_filters_and_search_narrow_causes_and_the_fragment_keeps_them(pod: Page) -> None:
    causes = read_report("pod-faulty").causes
    assert count_causes(pod) == len(causes)
    pod.locator("select[name=level]").select_option("warning")
    assert count_causes(pod) == sum(cause.level == "warning" for cause in causes)
    pod.locator("select[name=rule]").select_option("HST002")
    assert count_causes(pod) == sum(cause.rule == "HST002" for cause in causes)
    assert pod.url.endswith("#find?level=warning&rule=HST002")
    other = pod.context.new_page()
    other.goto(pod.url)
    assert count_causes(other) == count_causes(pod)
    pod.get_by_role("button", name="Clear").click()
    pod.get_by_role("searchbox").fill("spine2 no-drop")
    assert 0 < count_causes(pod) < len(causes)
    pod.get_by_role("searchbox").fill("")
    pod.locator("select[name=device]").select_option("leaf6")
    assert count_causes(pod) == sum("leaf6" in cause.devices for cause in causes)


def test_new_causes_are_found_by_their_state(view: Page, urls: Callable[[str], str]) -> None:
    view.goto(urls("change"))
    view.locator("select[name=state]").select_option("new")
    assert count_causes(view) == len(read_report("pod-faulty", "pod-clean").relevant_causes)


def test_a_head_sorts_both_ways(pod: Page) -> None:
    cells = pod.locator("#causes tbody tr td:nth-child(5)")
    button = pod.locator("#causes th", has_text="Findings").get_by_role("button")
    button.click()
    counts = [int(text.replace(",", "")) for text in cells.all_text_contents()]
    assert counts == sorted(counts)
    button.click()
    assert [int(text.replace(",", "")) for text in cells.all_text_contents()] == sorted(counts, reverse=True)
    assert pod.locator("#causes th[aria-sort]").count() == 1


def test_findings_are_saved_as_csv(pod: Page, tmp_path: Path) -> None:
    pod.locator("select[name=rule]").select_option("MTU002")
    pod.locator("#each > summary").click()
    with pod.expect_download() as caught:
        pod.locator("[data-csv=findings]").click()
    caught.value.save_as(tmp_path / "findings.csv")
    rows = list(csv.DictReader((tmp_path / "findings.csv").read_text(encoding="utf-8").splitlines()))
    own = [found for found in read_report("pod-faulty").findings if found.rule == "MTU002"]
    assert sorted((row["device"], row["port"], row["message"]) for row in rows) == sorted(
        (found.device, found.port, found.message) for found in own
    )


def test_lines_to_type_are_copied(pod: Page) -> None:
    pod.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pod.locator(".copy").first.click()
    pod.get_by_role("button", name="Copied").or_(pod.locator(".copy", has_text="Copied")).first.wait_for()
    remedy = read_report("pod-faulty").causes[0].remedy
    assert remedy
    assert pod.evaluate("navigator.clipboard.readText()").strip() == remedy.text.strip()


def test_all_causes_unfold(pod: Page) -> None:
    pod.locator("#unfold").click()
    assert pod.locator("#causes details[open]").count() == len(read_report("pod-faulty").causes)
    pod.locator("#unfold").click()
    assert pod.locator("#causes details[open]").count() == 0


def test_two_clicks_lead_from_the_map_to_a_port_with_its_true_lines(pod: Page) -> None:
    pod.locator(".map a", has_text="leaf6").click()
    pod.locator("#view .chip", has_text=re.compile(r"Ethernet1/30$|Ethernet1/30,")).click()
    view = pod.locator("#view")
    assert "BUF001" in (view.text_content() or "")
    stages = view.locator(".pipe").first.locator("h4").all_text_contents()
    assert stages == ["in", "class RDMA", "priority group 3", "queue 3", "wire", "out"]
    assert view.locator("svg.thresholds").count() == 1
    row = view.locator(".pipe div", has=pod.locator("dt", has_text=re.compile("^speed$")))
    file, line = (row.locator("small").get_attribute("title") or "").rsplit(": ", 1)[-1].rsplit(":", 1)
    text = (ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert "speed 400000" in text
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()[: int(line)]
    assert next(each for each in reversed(lines) if each.startswith("interface")) == "interface Ethernet1/30"


def test_a_cell_of_the_matrix_leads_to_its_port(pod: Page) -> None:
    pod.locator("#hosts tr", has_text="gpu04").locator("td.error a").first.click()
    assert (pod.locator("#view h3").text_content() or "").startswith("gpu04 rail")


def test_a_path_has_every_hop(pod: Page) -> None:
    pod.locator("#path").scroll_into_view_if_needed()
    pod.locator("#ends select[name=a]").select_option(label="gpu01")
    pod.locator("#ends select[name=b]").select_option(label="gpu09")
    devices = pod.locator("#hops tbody th").all_text_contents()
    assert devices == ["gpu01", "leaf1", "gpu09"]
    assert pod.locator("#hops tbody tr").nth(1).locator("td").nth(3).text_content() == "26"


def test_the_keyboard_reaches_and_opens(pod: Page) -> None:
    pod.keyboard.press("Tab")
    assert pod.evaluate("document.activeElement.className") == "skip"
    pod.locator("#causes summary").first.focus()
    pod.keyboard.press("Enter")
    assert pod.locator("#causes details[open]").count() == 1
    pod.locator(".map a").first.focus()
    assert pod.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    pod.keyboard.press("Enter")
    assert pod.locator("#view").is_visible()
    assert pod.evaluate("document.activeElement.id") == "view"


def test_without_scripts_tables_matrix_map_and_details_are_there(browser: Browser, urls: Callable[[str], str]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(urls("pod"))
    for selector in ("#causes tbody tr", "#hosts td.error", "#switches td", ".map a", ".first pre"):
        assert page.locator(selector).count() > 0, selector
    assert page.locator("#filter, .copy, .tools").filter(visible=True).count() == 0
    page.locator("#causes summary").first.click()
    assert page.locator("#causes .inside").first.is_visible()
    page.locator(".map a", has_text="leaf6").click()
    assert "#d" in page.url
    context.close()


def test_paper_gets_everything_unfolded(pod: Page, tmp_path: Path) -> None:
    pod.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    content = (tmp_path / "page.pdf").read_bytes()
    width, height = (float(each) for each in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)[0])
    assert (round(width), round(height)) == (842, 595)
    assert content.count(b"/Type /Page\n") > 5
    pod.emulate_media(media="print")
    assert pod.locator("#causes .inside").first.is_visible()
    assert not pod.locator("nav").is_visible()


def test_a_hostile_name_stays_text_in_the_views(view: Page, urls: Callable[[str], str]) -> None:
    view.goto(urls("hostile"))
    view.locator("#each > summary").click()
    assert view.locator("#findings tbody tr").count() > 10
    view.locator(".map a").first.click()
    view.locator("#view .chip").first.click()
    assert view.locator("#view .pipe li").count() > 3
    view.get_by_role("searchbox").fill("alert(1)")
    assert view.locator("script").count() == 2
    assert view.locator("img").count() == 0
