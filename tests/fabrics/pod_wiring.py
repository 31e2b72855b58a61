"""What is cabled to what in the pod, and which address each end has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

PortName: TypeAlias = Callable[[int], str]
"""How a system names the port of a number."""

LEAVES, SPINES = range(1, 9), range(1, 5)
GPU_SERVERS, STORAGE_LEAVES, STORAGE_SERVERS = range(1, 17), range(1, 3), range(1, 5)
RAILS = 8
LINKS = 4
"""Links from each leaf to each spine."""
PER_STORAGE_LEAF = 8
PEER_LINKS = (15, 16)
"""Ports between the two storage switches."""


@dataclass(frozen=True, slots=True)
class Cable:
    """A port, what it is cabled to, the address of each end, and the AS behind it: 0 of a server."""

    port: int
    device: str
    peer: str
    address: str
    peer_address: str
    peer_as: int = 0


def nexus_port(number: int) -> str:
    """Return the name that NX-OS gives a port."""
    return f"Ethernet1/{number}"


def leaf_cables(number: int, port_name: PortName = nexus_port) -> Iterator[Cable]:
    """Yield what is on a leaf: a NIC of each GPU server, then the spines."""
    rail = number - 1
    for server in GPU_SERVERS:
        yield Cable(server, f"gpu{server:02d}", f"rail{rail}", f"10.{20 + rail}.{server}.0", rail_address(server, rail))
    for spine in SPINES:
        for link in range(LINKS):
            port = len(GPU_SERVERS) + (spine - 1) * LINKS + link + 1
            low = 2 * (port - len(GPU_SERVERS) - 1)
            there = port_name(rail * LINKS + link + 1)
            yield Cable(port, f"spine{spine}", there, f"10.255.{number}.{low + 1}", f"10.255.{number}.{low}", 65000)


def spine_cables(number: int, port_name: PortName = nexus_port) -> Iterator[Cable]:
    """Yield what is on a spine: the leaves, with all their links."""
    for leaf in LEAVES:
        links = (each for each in leaf_cables(leaf, port_name) if each.device == f"spine{number}")
        for port, each in enumerate(links, (leaf - 1) * LINKS + 1):
            yield Cable(port, f"leaf{leaf}", port_name(each.port), each.peer_address, each.address, leaf_as(leaf))


def storage_cables(number: int) -> Iterator[Cable]:
    """Yield what is on a storage switch: GPU servers of two racks, all storage servers, and the other switch."""
    first = (number - 1) * PER_STORAGE_LEAF
    for index in range(PER_STORAGE_LEAF):
        server = first + index + 1
        yield Cable(index + 1, f"gpu{server:02d}", "stor0", f"10.40.{server}.0", f"10.40.{server}.1")
    for server in STORAGE_SERVERS:
        port = PER_STORAGE_LEAF + server
        here = f"10.41.{server}.{2 * number - 2}"
        yield Cable(port, f"nfs{server}", f"stor{number - 1}", here, storage_address(server, number))
    for index, port in enumerate(PEER_LINKS):
        low, high = f"10.42.0.{2 * index}", f"10.42.0.{2 * index + 1}"
        own, other = (low, high) if number == 1 else (high, low)
        there = f"Ethernet{4 * (port - 1)}"
        yield Cable(port, f"stor-leaf{3 - number}", there, own, other, storage_as(3 - number))


def leaf_as(number: int) -> int:
    """Return the AS of a leaf."""
    return 65100 + number


def storage_as(number: int) -> int:
    """Return the AS of a storage switch."""
    return 65200 + number


def rail_address(server: int, rail: int) -> str:
    """Return the address of a GPU server's NIC."""
    return f"10.{20 + rail}.{server}.1"


def storage_address(server: int, leaf: int) -> str:
    """Return the address of a storage server's NIC on one of the switches."""
    return f"10.41.{server}.{2 * leaf - 1}"
