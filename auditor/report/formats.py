"""Which name of a format stands for which renderer."""

from collections.abc import Callable, Mapping

from auditor.engine.result import Report
from auditor.report import github, gitlab, json, junit, markdown, sarif, terminal
from auditor.report.shown import Shown

Renderer = Callable[[Report, Shown], str]


def _terminal(report: Report, shown: Shown) -> str:
    return terminal.render(report, shown.source, colour=shown.colour, listed=shown.listed)


def _json(report: Report, shown: Shown) -> str:
    return json.render(report, shown.source)


RENDERERS: Mapping[str, Renderer] = {
    "terminal": _terminal,
    "json": _json,
    "sarif": sarif.render,
    "junit": junit.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "markdown": markdown.render,
}
