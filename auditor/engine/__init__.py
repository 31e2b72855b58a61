"""Paths to a report without a terminal: load, link, complete the intent, check, compare."""
