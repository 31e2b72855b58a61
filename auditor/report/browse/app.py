"""The program that turns the pages of a report: the only module that knows textual."""

import asyncio
import select
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import ClassVar, cast

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, Static

from auditor.report.browse.pages import ReportPages, Row, TablePage, Target, TextPage
from auditor.report.browse.writing import style_level

MOST_ROWS = 2_000
"""Rows of a table that are drawn; a filter finds the others."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_BETWEEN_LOOKS = 2.0
"""Seconds between two looks at whether the terminal is still there."""
_BACK = Binding("escape", "back", "Back")
Page = TablePage | TextPage


class PageTable(DataTable[Text]):
    """A table whose rows are chosen with the keys of pagers too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
    ]


class PageScreen(Screen[None]):
    """A page; the browser turns the pages."""

    @property
    def browser(self) -> "Browser":
        """The program that shows the page."""
        return cast("Browser", self.app)


class TableScreen(PageScreen):
    """A table; Enter opens the page of a row, and `/` keeps the rows that hold a text."""

    CSS = "Input { display: none; } Input.asked { display: block; } PageTable { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [_BACK, Binding("slash", "filter", "Filter")]

    def __init__(self, page: TablePage, head: str) -> None:
        super().__init__()
        self.page = page
        self._head = head
        self._shown: tuple[Row, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the head, the table, the filter and the keys."""
        yield Static(id="head", markup=False)
        yield PageTable(cursor_type="row", zebra_stripes=True)
        yield Input(placeholder="text of a row; Escape shows all rows")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill the table."""
        table = self.query_one(PageTable)
        table.add_columns(*(Text(name) for name in self.page.columns))
        self._fill("")
        table.focus()

    def _fill(self, wanted: str) -> None:
        """Show the rows that hold the text *wanted*, whatever its case."""
        found = [row for row in self.page.rows if wanted.casefold() in "\n".join(row.cells).casefold()]
        self._shown = tuple(found[:MOST_ROWS])
        table = self.query_one(PageTable)
        table.clear()
        for row in self._shown:
            first, *rest = row.cells
            table.add_row(Text(first, style_level(row.level)), *map(Text, rest))
        count = f"{len(found):,} of {len(self.page.rows):,}" if wanted else f"{len(found):,}"
        more = f", the first {MOST_ROWS:,} shown" if len(found) > MOST_ROWS else ""
        self.query_one("#head", Static).update(Text(f"{self._head}\n{self.page.title} ({count}{more})", "bold"))

    def action_filter(self) -> None:
        """Ask for the text that rows hold."""
        asked = self.query_one(Input)
        asked.add_class("asked")
        asked.focus()

    def action_back(self) -> None:
        """Take the filter away, or leave the page where there is none."""
        asked = self.query_one(Input)
        if asked.has_class("asked"):
            asked.remove_class("asked")
            asked.clear()
            self.query_one(PageTable).focus()
        else:
            self.browser.leave()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the rows that hold the text."""
        self._fill(event.value)

    def on_input_submitted(self) -> None:
        """Go back to the rows."""
        self.query_one(PageTable).focus()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Open the page of the row."""
        if 0 <= event.cursor_row < len(self._shown):
            self.browser.open_target(self._shown[event.cursor_row].target)


class TextScreen(PageScreen):
    """A text; `e` explains its rules, and `r` lists the ports of a cause or the causes at a port."""

    CSS = "VerticalScroll { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        _BACK,
        Binding("e", "explain", "Explain"),
        Binding("r", "related", "Ports or causes"),
    ]

    def __init__(self, page: TextPage) -> None:
        super().__init__()
        self.page = page

    def compose(self) -> ComposeResult:
        """Yield the title, the text and the keys."""
        yield Static(Text(self.page.title, "bold"), id="head", markup=False)
        with VerticalScroll():
            yield Static(self.page.text, id="text", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Let the keys scroll the text."""
        self.query_one(VerticalScroll).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what the page has."""
        del parameters
        has = {"explain": bool(self.page.rules), "related": bool(self.page.related and self.page.related.rows)}
        return has.get(action, True)

    def action_back(self) -> None:
        """Leave the page."""
        self.browser.leave()

    def action_explain(self) -> None:
        """Explain each rule of the page."""
        for rule in reversed(self.page.rules):  # the first one ends on top
            self.browser.open_page(partial(self.browser.pages.explain, rule))

    def action_related(self) -> None:
        """List the ports of the cause, or the causes at the port."""
        if self.page.related is not None:
            self.browser.open_page(partial(_return, self.page.related))


class Browser(App[signal.Signals]):
    """The program: a stack of pages, with the causes below all others. It returns the signal that ended it, if any."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "roce-audit"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "causes", "Causes"),
        Binding("d", "devices", "Devices"),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, pages: ReportPages) -> None:
        super().__init__()
        self.pages = pages

    def on_load(self) -> None:
        """End at a signal as at a key: in order, so that the terminal is given back before a word is printed on it."""
        for number in _ENDING:
            asyncio.get_running_loop().add_signal_handler(number, self.exit, number)

    def on_mount(self) -> None:
        """Begin with the causes."""
        self.open_page(self.pages.list_causes)
        if not self.is_headless:
            self.set_interval(_BETWEEN_LOOKS, self._end_without_terminal)

    def _end_without_terminal(self) -> None:
        """End where the terminal is gone and no signal said so: what reads its keys would go on for ever."""
        if _has_hung_up():
            self.exit(signal.SIGHUP)

    def leave(self) -> None:
        """Leave the page on top; the causes stay."""
        if len(self.screen_stack) > _LEAST_STACK:
            self.pop_screen()

    def action_interrupt(self) -> None:
        """End as the signal of Ctrl-C would end a program."""
        self.exit(signal.SIGINT)

    async def action_causes(self) -> None:
        """Go to the table of causes."""
        await self._return_to_first()

    async def action_devices(self) -> None:
        """Go to the table of devices."""
        await self._return_to_first()
        self.open_page(self.pages.list_devices)

    async def _return_to_first(self) -> None:
        while len(self.screen_stack) > _LEAST_STACK:
            await self.pop_screen()

    def open_target(self, target: Target) -> None:
        """Open the page of a row."""
        match target.kind:
            case "cause":
                self.open_page(partial(self.pages.show_cause, target.number))
            case "device":
                self.open_page(partial(self.pages.list_ports, target.device))
            case "port":
                self.open_page(partial(self.pages.show_port, target.device, target.port))

    def open_page(self, build: Callable[[], Page]) -> None:
        """Put a page on top; a page that cannot be built says so, and the others stay."""
        try:
            page = build()
        except Exception as error:  # noqa: BLE001  dumps are hostile, and one odd line must not end the session
            page = TextPage("Error", Text(f"This page cannot be shown ({type(error).__name__}); please report it."))
        self.push_screen(TableScreen(page, self.pages.head) if isinstance(page, TablePage) else TextScreen(page))


_LEAST_STACK = 2
"""The empty screen of textual, and the causes."""


def _return(page: Page) -> Page:
    return page


def _has_hung_up() -> bool:
    """Return whether the terminal of the standard input is closed at its other end."""
    if sys.__stdin__ is None:
        return True
    poll = select.poll()
    poll.register(sys.__stdin__.fileno(), 0)
    return any(event & (select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0))
