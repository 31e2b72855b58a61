"""The names by which captures call a port: netdev, RDMA device, PCI address or a tool's own handle."""

import re

from auditor.util.regex import regex
from auditor.util.values import dataclass

PCI_ADDRESS = regex(r"(?:([0-9A-Fa-f]{4,8})[:_])?([0-9A-Fa-f]{2})[:_]([0-9A-Fa-f]{2})\.([0-7])")


@dataclass(frozen=True, slots=True)
class Subject:
    """The names of a port in a capture; empty names are unknown.

    `mst` is a vendor tool's own handle of a card, neither an address nor a device.
    """

    netdev: str = ""
    rdma: str = ""
    rdma_port: int | None = None
    pci: str = ""
    mst: str = ""

    @property
    def is_named(self) -> bool:
        """Whether any name is known."""
        return bool(self.netdev or self.rdma or self.pci or self.mst)


EVERY = Subject(netdev="*")
"""All ports for RDMA, of which a setting of the host as a whole is asked."""
_PLACEHOLDERS = frozenset({"device", "dev", "interface", "iface", "intf", "ifname", "netdev", "netdevice", "if"})
_SHELL = frozenset("$<>{}`*[]?")


def is_placeholder(name: str) -> bool:
    """Whether *name* stands for any port: a variable of the shell, a pattern, or a word of a manual.

    >>> is_placeholder("${dev}"), is_placeholder("<interface>"), is_placeholder("IF"), is_placeholder("ens1f0")
    (True, True, True, False)
    """
    return not _SHELL.isdisjoint(name) or name.lower() in _PLACEHOLDERS


def parse_device(argument: str) -> Subject:
    """Return the subject of an NVIDIA tool's `-d` argument: a PCI function, an MST path or an RDMA device.

    >>> parse_device("5e:00.0")
    Subject(netdev='', rdma='', rdma_port=None, pci='0000:5e:00.0', mst='')
    >>> parse_device("/dev/mst/mt4129_pciconf0").mst
    'mt4129_pciconf0'
    """
    pci = parse_pci(argument)
    if pci:
        return Subject(pci=pci)
    mst = re.fullmatch(r"(?:/?dev[/_])?(?:mst[/_])?([^/]*(?:pciconf|pci_cr|_cr)\d[^/]*)", argument)
    return Subject(mst=mst[1]) if mst else Subject(rdma=argument)


def parse_card(argument: str) -> Subject:
    """Return the subject of a Broadcom tool's `-dev` argument: a PCI function, a list index, or a netdev.

    >>> parse_card("1").mst, parse_card("ens28np0").netdev
    ('niccli 1', 'ens28np0')
    """
    pci = parse_pci(argument)
    if pci or argument.isdecimal():
        return Subject(pci=pci, mst="" if pci else f"niccli {argument}")
    return Subject(netdev=argument)


def parse_pci(text: str) -> str:
    """Return the PCI address *text* with its domain, in lower case; empty if *text* is no PCI address.

    >>> parse_pci("0000_4D_00.1")
    '0000:4d:00.1'
    """
    match = PCI_ADDRESS.fullmatch(text)
    return f"{match[1] or '0000'}:{match[2]}:{match[3]}.{match[4]}".lower() if match else ""
