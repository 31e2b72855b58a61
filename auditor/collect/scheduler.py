"""The next session: limits on sessions in all, per jump host and per login. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

MAX_REFUSALS = 2
"""Refusals of a login before the pull stops using the login: central authentication locks accounts."""


@dataclass(frozen=True, slots=True)
class PullLimits:
    """Limits of a pull: sessions at once, sessions over one jump host, new sessions a second, seconds."""

    workers: int = 16
    per_jump: int = 8
    rate: float = 50.0
    device_s: float = 300.0
    total_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class LoginState:
    """The state of a login: accepted by a device, refused by devices, open attempts."""

    proven: bool = False
    refused: tuple[str, ...] = ()
    asking: int = 0

    @property
    def may_be_tried(self) -> bool:
        """Whether one more device may try the login now."""
        return self.proven or self.asking + len(self.refused) < MAX_REFUSALS

    @property
    def is_hopeless(self) -> bool:
        """Whether no further device may try the login."""
        return not self.proven and len(self.refused) >= MAX_REFUSALS

    def add_asking(self, by: int) -> "LoginState":
        """Return the state with *by* more open attempts."""
        return replace(self, asking=max(self.asking + by, 0))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A device that waits: its earliest start (monotonic), its jump hosts, and its user."""

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
    """Return the index of the device that may start *now*; None if no device may. *running*: jump hosts of sessions.

    Devices start in the order of the inventory. A device waits only for its own jump hosts and login.
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
