"""The addresses of devices: two names of one address are one device, which gets one session at a time."""

import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Mapping, Sequence

from auditor.collect.route import Route

RESOLVE_S = 5.0
"""For all names; a name that takes longer stands for itself."""
_THREADS = 16
Place = tuple[str, int]
"""An address, or a name without one, and a port."""


def find_places(routes: Mapping[str, Route]) -> dict[str, frozenset[Place]]:
    """Return the places of each device.

    A name behind a jump host stands for itself: the jump host resolves it, and its network may use any address.
    """
    names = {route.hostname for route in routes.values() if not route.proxy}
    known = _resolve_names(sorted(names))
    found: dict[str, frozenset[Place]] = {}
    for name, route in routes.items():
        own = _normalise(route.hostname)
        known_here = known.get(route.hostname) or (own,)
        addresses = (">".join([*route.jumps, own]),) if route.proxy else known_here
        found[name] = frozenset((address, route.port) for address in addresses)
    return found


def _normalise(name: str) -> str:
    """Return *name* in one spelling.

    >>> _normalise("2001:DB8:0::1"), _normalise("::ffff:192.0.2.1"), _normalise("Leaf1.")
    ('2001:db8::1', '192.0.2.1', 'leaf1')
    """
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.casefold().rstrip(".")
    return str(getattr(address, "ipv4_mapped", None) or address)


def _resolve_names(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the addresses of *names*, as far as they come in time: a resolver may hang."""
    open_names: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in names:
        open_names.put(name)
    found: queue.SimpleQueue[tuple[str, tuple[str, ...]]] = queue.SimpleQueue()

    def resolve() -> None:
        while True:
            try:
                name = open_names.get_nowait()
            except queue.Empty:
                return
            try:
                answers = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError):
                answers = []
            found.put((name, tuple(sorted({_normalise(str(answer[4][0])) for answer in answers}))))

    for _ in range(min(_THREADS, len(names))):
        threading.Thread(target=resolve, daemon=True).start()
    end = time.monotonic() + RESOLVE_S
    known: dict[str, tuple[str, ...]] = {}
    try:
        while len(known) < len(names):
            name, addresses = found.get(timeout=max(end - time.monotonic(), 0))
            known[name] = addresses
    except queue.Empty:
        pass
    return known
