"""The base of all views."""

from pydantic import BaseModel, ConfigDict

Priorities = list[int] | None
Number = int | float


class ClosedView(BaseModel):
    """A document without further fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
