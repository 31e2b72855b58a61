"""The table of formats: one module of this package each, loaded with its first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.engine.result import Report
    from auditor.report.presentation import Presentation

FORMATS = ("terminal", "json", "sarif", "junit", "github", "gitlab", "markdown")


def render(kind: str, report: "Report", shown: "Presentation") -> str:
    """Return *report* in the format *kind*, one of `FORMATS`."""
    text: str = import_module(f"auditor.report.{kind}").render(report, shown)
    return text
