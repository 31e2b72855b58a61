"""What all views have in common."""

from pydantic import BaseModel, ConfigDict

Priorities = list[int] | None
Number = int | float


class ClosedView(BaseModel):
    """A document that has its fields and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid")
