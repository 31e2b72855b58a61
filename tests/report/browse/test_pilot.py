"""The browser under textual's own pilot: keys turn pages, whatever dumps hold, on a small terminal, without colour."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hostile_report import TEXTS, poison_report
from rich.color import Color
from rich.segment import Segment

import auditor
from auditor.report.browse.app import MOST_ROWS, Browser
from auditor.report.browse.pages import ReportPages, Row, TablePage, Target
from auditor.report.presentation import Presentation

ROOT = Path(__file__).parents[3]
SMALL, WIDE = (80, 24), (200, 60)
Size = tuple[int, int]
Press = Callable[..., Awaitable[str]]
"""Presses keys, and returns the screen after them."""
pytestmark = pytest.mark.read_once


@pytest.fixture(scope="module")
def report() -> auditor.Report:
    return auditor.audit(ROOT / "fixtures" / "fabric", auditor.Options(jobs=1, fabric_map=True))


def make_pages(report: auditor.Report) -> ReportPages:
    shown = Presentation(rules=report.catalogue, source=report.inputs.index_lines(), here=str(ROOT))
    return ReportPages(report, shown)


def list_segments(app: Browser) -> list[Segment]:
    return [segment for strip in app.screen._compositor.render_strips() for segment in strip]


def read_screen(app: Browser) -> str:
    lines = ("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
    return "\n".join(line.rstrip() for line in lines)


def drive(
    pages: ReportPages, act: Callable[[Browser, Callable[..., Awaitable[str]]], Awaitable[None]], size: Size
) -> None:
    """Run the browser; *act* gets it, and what presses keys and returns the screen after them."""

    async def run() -> None:
        app = Browser(pages)
        async with app.run_test(size=size) as pilot:

            async def press(*keys: str) -> str:
                await pilot.press(*keys)
                await pilot.pause()
                return read_screen(app)

            await act(app, press)

    asyncio.run(run())


def look(pages: ReportPages, *steps: str, size: Size = WIDE) -> list[str]:
    """Return the screen at the beginning, and after each of *steps*, whose keys stand apart by spaces."""
    seen: list[str] = []

    async def act(_: Browser, press: Press) -> None:
        seen.append(await press())
        seen.extend([await press(*step.split()) for step in steps])

    drive(pages, act, size)
    return seen


def test_from_the_causes_to_a_line_and_its_rule(report: auditor.Report) -> None:
    first, cause, ports, port, rule, back = look(make_pages(report), "enter", "r", "enter", "e", "escape escape escape")
    assert "13 causes to fix | 14 devices, 208 ports" in first
    assert re.search(r"error +MTU002 +leaf3 Ethernet1/31 +1 of 4 uplinks, 4 hosts: fails the queue pairs", first)
    assert "fixtures/fabric/leaf3/show_running-config.txt:271\n" in cause
    assert "\n| interface Ethernet1/31\n" in cause
    assert "\ntype on cisco_nxos\ninterface Ethernet1/31\n  mtu 9216\n" in cause
    assert re.search(r"device +port\n +leaf3 +Ethernet1/31\n", ports)
    assert "\nerror MTU001: takes IP packets of 1500 bytes at most" in port
    assert re.search(r"\ntrust +dscp +configured\n +fixtures/\S+:276 \| service-policy type qos input POD", port)
    assert rule.startswith("Rule MTU001\nMTU001 peer-mtu-too-small (error, mtu)\n")
    assert back == ports


def test_from_the_devices_to_the_causes_at_a_port(report: auditor.Report) -> None:
    devices, ports, port, causes, first = look(make_pages(report), "d", "enter", "enter end", "r", "c")[1:]
    assert re.search(r"\n error +4 +host3 +host +linux +2\n", devices)
    assert devices.index("host8") < devices.index("host1")
    assert re.search(r"\n error +4 +ens2f0np0 +leaf2 Ethernet1/3 +mlx5_1\n", ports)
    assert "\nNIC\n" in port
    assert "\nout\n" in port
    assert "Causes at host3 ens2f0np0 (1)" in causes
    assert "\nCauses (13)\n" in first


def test_findings_without_a_port_are_those_of_the_device(report: auditor.Report) -> None:
    ports, device = look(make_pages(report), "d slash l e a f 3 enter enter", "enter")[1:]
    assert re.search(r"\n error +1 +\(the device\)\n", ports)
    assert device.startswith("leaf3\nerror CLS004: ")


def test_a_filter_keeps_rows_and_goes_away(report: auditor.Report) -> None:
    asked, kept, opened, left = look(make_pages(report), "slash W D G", "enter", "enter", "escape escape")[1:]
    assert "Causes (1 of 13)" in asked
    assert "MTU002" not in kept
    assert opened.startswith("WDG001 leaf1 Ethernet1/30\n")
    assert "Causes (13)" in left


def test_the_last_page_stays(report: auditor.Report) -> None:
    assert "Causes (13)" in look(make_pages(report), "escape escape escape")[-1]


def test_keys_without_a_meaning_change_nothing(report: auditor.Report) -> None:
    first, same, rule, still = look(make_pages(report), "e r x 1 tab", "enter e", "e r")
    assert same.splitlines()[:10] == first.splitlines()[:10]
    assert rule == still


LINES = "\nleaf" * 500
HOSTILE = {
    "markup": "[red]leaf[/red] [@click=app.quit]x[/] [link=file:///etc/passwd] [/][[red [bold",
    "escapes": f"\x1b[2J\x1b]0;title\x07\x1b[31m\x9b31m\r\x08{TEXTS['control']}{TEXTS['bidi']}",
    "half a character": TEXTS["lone"],
    "10,000 characters": TEXTS["long"],
    "10,000 wide characters": "\N{CJK UNIFIED IDEOGRAPH-4E00}" * 10_000,
    "lines with a secret": f"{LINES}\nsnmp-server community s3cr3t-w0rd rw",
}


@pytest.mark.parametrize("evil", HOSTILE.values(), ids=HOSTILE)
def test_no_name_of_a_dump_is_an_order(report: auditor.Report, evil: str) -> None:
    """Each text that a dump gives has *evil* behind it: what cannot be printed is replaced, and markup stays text."""
    spoiled = poison_report(report, evil)
    pages = ReportPages(spoiled, Presentation(rules=report.catalogue, source=lambda _file, line: f"{line}{evil}"))
    screens = look(pages, "enter", "r enter e", "d", "enter", "enter end", size=SMALL)
    for screen in screens:
        assert all(c.isprintable() or c == "\n" for c in screen)
        assert len(screen.splitlines()) == SMALL[1]
        assert "This page cannot be shown" not in screen
        assert "s3cr3t" not in screen
    if evil.startswith("["):
        assert f"leaf3{evil[:6]}" in screens[0]
        assert f"leaf3{evil[:6]}" in screens[1]


def test_a_line_of_a_dump_is_no_order_either(report: auditor.Report) -> None:
    shown = Presentation(rules=report.catalogue, source=lambda _file, _line: "[red]x[/red]\x1b[2J")
    cause, port = look(ReportPages(report, shown), "enter", "r enter")[1:]
    assert "| [red]x[/red]\N{REPLACEMENT CHARACTER}[2J" in cause
    assert "| [red]x[/red]\N{REPLACEMENT CHARACTER}[2J" in port


def test_a_page_that_fails_leaves_the_others(report: auditor.Report) -> None:
    def fail(_file: str, _line: int) -> str:
        raise RecursionError

    pages = ReportPages(report, Presentation(rules=report.catalogue, source=fail))
    devices, broken, left = look(pages, "d", "enter enter", "escape")[1:]
    assert "This page cannot be shown (RecursionError)" in broken
    assert "Devices (14)" in devices
    assert "Ports of host3" in left


@pytest.mark.parametrize("size", [SMALL, (40, 10), (10, 4)])
def test_a_terminal_may_be_small(report: auditor.Report, size: Size) -> None:
    for screen in look(make_pages(report), "enter", "r", "enter", "pagedown", "d", size=size):
        assert len(screen.splitlines()) <= size[1]


def is_grey(colour: Color | None) -> bool:
    return colour is None or colour.triplet is None or len(set(colour.triplet)) == 1


@pytest.mark.parametrize("has_colour", [True, False])
def test_without_colour_levels_are_words(
    report: auditor.Report, monkeypatch: pytest.MonkeyPatch, *, has_colour: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not has_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    greys: set[bool] = set()

    async def act(app: Browser, press: Press) -> None:
        for keys in ((), ("enter",), ("d",)):
            screen = await press(*keys)
            assert "error" in screen
            styles = [segment.style for segment in list_segments(app) if segment.style]
            greys.add(all(is_grey(style.color) and is_grey(style.bgcolor) for style in styles))

    drive(make_pages(report), act, SMALL)
    assert greys == ({False} if has_colour else {True})


def test_a_table_of_many_rows_draws_the_first_and_finds_the_others() -> None:
    rows = tuple(Row((f"port{number}",), Target("port", "leaf1", f"port{number}")) for number in range(50_000))
    page = TablePage("Ports", ("port",), rows)
    seen: list[str] = []

    class Fixed(ReportPages):
        head = "head"

        def list_causes(self) -> TablePage:
            return page

    async def act(_: Browser, press: Press) -> None:
        seen.extend([await press(), await press("slash", *"port49999")])

    drive(Fixed(auditor.Report({}, 0, 0, 0, (), (), ()), Presentation()), act, SMALL)
    assert f"Ports (50,000, the first {MOST_ROWS:,} shown)" in seen[0]
    assert "Ports (1 of 50,000)" in seen[1]
    assert "port49999" in seen[1].partition("of 50,000")[2]
