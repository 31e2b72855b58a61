"""The configuration of models that are closed: no other fields, no changes."""

from pydantic import ConfigDict

CLOSED = ConfigDict(extra="forbid", frozen=True, defer_build=True)
"""A model is built when it is first used: a run uses few of all."""
