"""Dumps to model: one module per operating system or tool, bound to names in one table."""
