"""Whose turn it is: how many sessions at once, in all and per jump host, and with which login. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

MAX_REFUSALS = 2
"""Devices that may refuse a login before it is tried no further: central authentication locks accounts."""


@dataclass(frozen=True, slots=True)
class PullLimits:
    """What bounds a pull: sessions at once, in all and over one jump host; new ones a second; seconds in all."""

    workers: int = 16
    per_jump: int = 8
    rate: float = 50.0
    device_s: float = 300.0
    total_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class LoginState:
    """What is known of a login: whether any device took it, which refused it, and how many are being asked."""

    proven: bool = False
    refused: tuple[str, ...] = ()
    asking: int = 0

    @property
    def may_be_tried(self) -> bool:
        """Whether one more device may be asked now."""
        return self.proven or self.asking + len(self.refused) < MAX_REFUSALS

    @property
    def is_hopeless(self) -> bool:
        """Whether it is not to be tried any more."""
        return not self.proven and len(self.refused) >= MAX_REFUSALS

    def add_asking(self, by: int) -> "LoginState":
        """Return it with *by* more devices being asked."""
        return replace(self, asking=max(self.asking + by, 0))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A device that waits: from when on it may start (monotonic), the hosts that it is reached over, and its login."""

    not_before: float
    jumps: tuple[str, ...]
    username: str


def find_next(
    waiting: Sequence[Waiting],
    running: Sequence[tuple[str, ...]],
    logins: Mapping[str, LoginState],
    limits: PullLimits,
    now: float,
) -> int | None:
    """Return the index of who may start *now*, None where nobody may; *running* are the jump hosts of each session.

    The order is that of the inventory: a device waits only for what it needs itself.
    """
    if len(running) >= limits.workers:
        return None
    used: dict[str, int] = {}
    for jumps in running:
        for jump in jumps:
            used[jump] = used.get(jump, 0) + 1
    for index, each in enumerate(waiting):
        is_due = each.not_before <= now
        has_room = all(used.get(jump, 0) < limits.per_jump for jump in each.jumps)
        if is_due and has_room and logins.get(each.username, LoginState()).may_be_tried:
            return index
    return None
