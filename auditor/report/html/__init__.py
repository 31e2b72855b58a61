"""The report as one HTML page that needs no network: what to fix first, where it stands, and what proves it."""

from auditor.report.html.page import render

__all__ = ["render"]
