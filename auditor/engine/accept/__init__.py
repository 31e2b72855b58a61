"""Acceptance of devices: each item of a specification passes, fails, or is not shown by the dumps."""
