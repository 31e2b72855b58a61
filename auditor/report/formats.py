"""The table of formats: one module of this package each, loaded with its first use."""

from importlib import import_module
from typing import TYPE_CHECKING

from auditor.util.printable import escape_json, escape_xml

if TYPE_CHECKING:
    from auditor.engine.result import Report
    from auditor.report.presentation import Presentation

FORMATS = (
    "terminal",
    "json",
    "sarif",
    "junit",
    "github",
    "github-review",
    "gitlab",
    "markdown",
    "html",
    "csv",
    "prometheus",
)


_ESCAPES = {
    "json": escape_json,
    "sarif": escape_json,
    "github-review": escape_json,
    "gitlab": escape_json,
    "junit": escape_xml,
}
"""By format: how a command to a CI system is written so that only a reader of the format finds the text."""


def render(kind: str, report: "Report", shown: "Presentation") -> str:
    """Return *report* in the format *kind*, one of `FORMATS`."""
    text: str = import_module(f"auditor.report.{kind.replace('-', '_')}").render(report, shown)
    return _ESCAPES[kind](text) if kind in _ESCAPES else text
