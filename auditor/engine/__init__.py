"""Paths to a report without a terminal: load, link, settle the intent, check, compare."""
