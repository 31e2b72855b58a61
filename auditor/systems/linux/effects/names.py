"""Netdevs, RDMA devices and PCI functions of a host, as its captures pair them."""

import re
from collections.abc import Iterator, Sequence

from auditor.model.dump import Capture
from auditor.systems.linux.portnames import parse_device
from auditor.util.regex import regex

_PAIRS = (
    regex(r"^(\S+) port \d+ ==> (\S+) \("),
    regex(r"^link (\S+)/\d+ .*\bnetdev (\S+)"),
    regex(r'"ifname"\s*:\s*"([^"]+)"\s*,\s*"port"[^{}]{0,400}?"netdev"\s*:\s*"([^"]+)"'),
)
"""`ibdev2netdev`, `rdma link` and `rdma -j link`: an RDMA device and its netdev."""


def list_pairs(captures: Sequence[Capture]) -> Iterator[tuple[str, str]]:
    """Yield RDMA devices, each with its netdev."""
    for capture in captures:
        for line in capture.lines:
            for pattern in _PAIRS:
                yield from pattern.findall(line)


def find_devices(netdev: str, captures: Sequence[Capture]) -> frozenset[str]:
    """Return the RDMA devices of *netdev*."""
    return frozenset(rdma for rdma, other in list_pairs(captures) if other == netdev)


def find_pci(rdma: str, captures: Sequence[Capture]) -> str:
    """Return the PCI function of an RDMA device, by way of its netdev; empty where the captures do not tell."""
    netdevs = {netdev for name, netdev in list_pairs(captures) if name == rdma}
    if len(netdevs) != 1:
        return ""
    driver = re.compile(rf"ethtool (?:-i|--driver) {re.escape(netdevs.pop())}")
    found = (line for capture in captures if driver.search(capture.command) for line in capture.lines)
    return next((parse_device(line.split()[1]).pci for line in found if line.startswith("bus-info: ")), "")
