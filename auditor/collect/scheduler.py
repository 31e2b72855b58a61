"""The next session: limits on sessions in all, per minute, per jump host, per address and per login."""

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from auditor.util.values import dataclass

MAX_REFUSALS = 2
"""Refusals of a login before the pull stops using the login: central authentication locks accounts."""


@dataclass(frozen=True, slots=True)
class PullLimits:
    """Limits of a pull: sessions at once, sessions over one jump host, new sessions a second, seconds.

    Each session is one login: `per_minute` bounds what a server for logins gets from the pull, `per_login` the logins
    of one user that wait for an answer at once.
    """

    workers: int = 16
    per_jump: int = 8
    rate: float = 50.0
    device_s: float = 300.0
    total_s: float = 3600.0
    per_minute: int = 600
    per_login: int = 16


MINUTE_S = 60.0


@dataclass(slots=True)
class StartLog:
    """The latest starts of sessions (monotonic), as many as one minute may have."""

    limits: PullLimits
    _starts: deque[float] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = deque(maxlen=self.limits.per_minute)

    def add(self, now: float, sessions: int) -> None:
        """Note the start of *sessions*."""
        self._starts.extend([now] * sessions)

    def find_earliest(self, sessions: int) -> float:
        """Return when *sessions* more may start."""
        if not self._starts:
            return float("-inf")
        over = len(self._starts) + sessions - self.limits.per_minute
        full = self._starts[min(over, len(self._starts)) - 1] + MINUTE_S if over > 0 else float("-inf")
        return max(full, self._starts[-1] + 1 / self.limits.rate)


def estimate_shortest(sessions: int, limits: PullLimits) -> float:
    """Return the seconds before the last of *sessions* may start.

    >>> estimate_shortest(1201, PullLimits(per_minute=600)), estimate_shortest(51, PullLimits())
    (120.0, 1.0)
    """
    return max(max(sessions - 1, 0) // limits.per_minute * MINUTE_S, max(sessions - 1, 0) / limits.rate)


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
    """A device that waits: its earliest start (monotonic), its jump hosts, its login, and its addresses."""

    not_before: float
    jumps: tuple[str, ...]
    login: Hashable
    places: frozenset[tuple[str, int]] = frozenset()


def find_next(  # noqa: PLR0913, PLR0917  the whole state that decides
    waiting: Sequence[Waiting],
    running: Sequence[tuple[str, ...]],
    logins: Mapping[Any, LoginState],
    limits: PullLimits,
    now: float,
    busy: frozenset[tuple[str, int]] = frozenset(),
) -> int | None:
    """Return the index of the device that may start *now*; None if no device may. *running*: jump hosts of sessions.

    Devices start in the order of the inventory. A device waits only for its own jump hosts and login, and for the end
    of another session with one of its addresses, which then is *busy*.
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
        login = logins.get(each.login, LoginState())
        is_free = login.may_be_tried and login.asking < limits.per_login and busy.isdisjoint(each.places)
        if is_due and has_room and is_free:
            return index
    return None
