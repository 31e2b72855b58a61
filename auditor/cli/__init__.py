"""Arguments and printing: one module for each command; nothing below this package prints."""

from auditor.cli.commands import main

__all__ = ["main"]
