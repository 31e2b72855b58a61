"""Arguments and printing: one module for each command; no package below prints."""

from auditor.cli.commands import main

__all__ = ["main"]
