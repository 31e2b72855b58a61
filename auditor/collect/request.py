"""A session as an order to another process: the request, and the limits that come with it."""

from collections.abc import Mapping

from auditor.collect.credentials import Credentials
from auditor.collect.platforms import Platform
from auditor.collect.route import Route
from auditor.util.values import dataclass

CONNECT_TIMEOUT_S = 15.0
"""Of the TCP connection, the key exchange and the login, each."""
QUIET_S = 3.0
"""Silence that ends an output of a device of unknown platform; a slow device pauses almost as long after the echo."""
MAX_DEVICE_BYTES = 256 * 2**20
"""Of all outputs of one session."""


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """One session: a `platform` of None is detected, `settled` commands are left out, `left_s` bounds its seconds.

    `counts_only`: only the commands that show counters are sent.
    """

    route: Route
    credentials: Credentials
    platform: Platform | None
    settled: frozenset[str]
    sudo: bool
    accept_new: bool
    left_s: float
    environment: Mapping[str, str]
    connect_s: float
    quiet_s: float
    counts_only: bool = False
