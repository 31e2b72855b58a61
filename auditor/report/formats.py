"""The table of formats: name to renderer."""

from collections.abc import Callable, Mapping

from auditor.engine.result import Report
from auditor.report import github, gitlab, json, junit, markdown, sarif, terminal
from auditor.report.presentation import Presentation

Renderer = Callable[[Report, Presentation], str]


def _render_terminal(report: Report, shown: Presentation) -> str:
    return terminal.render(report, shown.source, colour=shown.colour, listed=shown.listed)


def _render_json(report: Report, shown: Presentation) -> str:
    return json.render(report, shown.source)


RENDERERS: Mapping[str, Renderer] = {
    "terminal": _render_terminal,
    "json": _render_json,
    "sarif": sarif.render,
    "junit": junit.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "markdown": markdown.render,
}
