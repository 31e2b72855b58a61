"""Dumps to model: one module per operating system or tool."""
