"""Peers that stall, flood and break: below SSH as bytes on a socket, above SSH as a device of `replay`."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Peer = Callable[[socket.socket, threading.Event], None]
_HELLO = b"SSH-2.0-OpenSSH_9.9\r\n"


def _stay_silent(peer: socket.socket, end: threading.Event) -> None:
    del peer
    end.wait()


def _flood(piece: bytes, first: bytes = b"") -> Peer:
    def send(peer: socket.socket, end: threading.Event) -> None:
        peer.sendall(first)
        while not end.is_set():
            peer.sendall(piece)

    return send


def _drip(text: bytes) -> Peer:
    def send(peer: socket.socket, end: threading.Event) -> None:
        for n in range(10**6):
            if end.wait(0.2):
                return
            peer.sendall(text[n % len(text) :][:1])

    return send


def _say(text: bytes) -> Peer:
    def send(peer: socket.socket, end: threading.Event) -> None:
        peer.sendall(text)
        end.wait()

    return send


PEERS: dict[str, Peer] = {
    "accepts and stays silent": _stay_silent,
    "a banner without an end": _flood(b"x" * 2**16),
    "a banner of endless lines": _flood(b"welcome to this device\r\n" * 2**10),
    "a banner by single bytes": _drip(b"welcome to this device\r\n"),
    "negotiation of telnet": _flood(b"\xff\xfd\x18\xff\xfb\x01\r\n" * 2**8),
    "a stall in the key exchange": _say(_HELLO),
    "a packet of two gigabytes": _flood(b"\0" * 2**16, _HELLO + b"\x7f\xff\xff\xf0\x0a\x14"),
    "garbage after the banner": _flood(bytes(range(256)) * 2**8, _HELLO),
}
"""By what they do before a login."""


@contextmanager
def serving(peer: Peer) -> Iterator[int]:
    """Serve *peer* to every visitor; yield the port on 127.0.0.1."""
    end = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.1)

    visitors: list[tuple[socket.socket, threading.Thread]] = []

    def meet(visitor: socket.socket) -> None:
        with visitor, suppress(OSError):
            visitor.settimeout(30)
            peer(visitor, end)

    def accept() -> None:
        while not end.is_set():
            with suppress(TimeoutError):
                visitor, _ = listening.accept()
                visitors.append((visitor, threading.Thread(target=meet, args=(visitor,), daemon=True)))
                visitors[-1][1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        end.set()
        accepting.join(5)
        listening.close()
        for visitor, thread in visitors:
            with suppress(OSError):
                visitor.shutdown(socket.SHUT_RDWR)  # it may wait for room to send
            thread.join(5)
