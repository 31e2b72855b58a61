"""Addresses of netdevs, whole tables of GIDs, and lists of RDMA devices in a text."""

import re
from collections.abc import Iterator
from ipaddress import AddressValueError

from auditor.model.dump import Capture
from auditor.model.setting import Known, Origin
from auditor.model.text_facts import GidRow, InterfaceAddress
from auditor.util.addresses import parse_interface, parse_ipv6
from auditor.util.masks import unmask
from auditor.util.regex import regex

_LINK = regex(r"\d+: ([\w.-]+)(?:@[\w.-]+)?: <")
_ADDRESS = regex(r"\s+inet6? ([0-9a-fA-F.:]{2,45}/\d{1,3}) (?:brd \S+ )?scope (?:global|site)\b(.*)")
_BRIEF = regex(r"([\w.-]+)(?:@[\w.-]+)?\s+(?:UP|UNKNOWN|DOWN)\s+((?:[0-9a-fA-F.:]{2,45}/\d{1,3}\s*)+)")
_GID_HEAD = regex(r"\s*DEV\s+PORT\s+INDEX\s+GID\b")
_GID_ROW = regex(r"\s*([\w.-]+)\s+\d+\s+(\d{1,5})\s+([0-9a-fA-F:xX*#]{15,39})\s+(?:[\d.xX*#]{7,15}\s+)?(v[12])\b.*")
_NETDEV = regex(r"([\w.-]+) port \d+ ==> ([\w.-]+) \((?:Up|Down)\)")
_RDMA_LINK = regex(r"(?:\d+/\d+: |link )([\w.-]+)/\d+:? .*?\bstate \w(?:.*\bnetdev ([\w.-]+)\s*$)?")
_CUT = regex(r"\|\s*(?:e?grep|head|tail|awk|sed)\b")


def find_addresses(capture: Capture) -> Iterator[InterfaceAddress]:
    """Yield the global addresses that `ip addr` shows, those of a second table or that are deprecated left out."""
    netdev = ""
    for index, line in enumerate(capture.lines):
        if link := _LINK.match(line):
            netdev = link[1]
        elif (found := _ADDRESS.fullmatch(line)) and netdev and not re.search("secondary|deprecated", found[2]):
            yield from _make_address(capture, index, netdev, found[1])
        elif found := _BRIEF.fullmatch(line.rstrip()):
            for word in found[2].split():
                yield from _make_address(capture, index, found[1], word)


def _make_address(capture: Capture, index: int, netdev: str, text: str) -> Iterator[InterfaceAddress]:
    try:
        address = parse_interface(text)
    except ValueError:
        return
    if not address.is_link_local and not address.is_loopback:
        yield InterfaceAddress(netdev, str(address), capture.where(index))


def find_gid_rows(capture: Capture) -> Iterator[GidRow]:
    """Yield the rows of tables of `show_gids` that have their heading: a table that is cut by `grep` has none."""
    head = None
    for index, line in enumerate(capture.lines):
        if _GID_HEAD.match(line):
            head = capture.where(index)
        elif head is not None and (row := _GID_ROW.fullmatch(line)):
            try:
                gid = str(parse_ipv6(unmask(row[3])))
            except AddressValueError:
                continue
            yield GidRow(row[1], int(row[2]), gid, row[4], capture.where(index), head)


_WHOLE_LIST = regex(r"(?:sudo )?ip(?: -\S+)* (?:l|li|link|a|addr|address)(?: (?:sh|show|ls|list))?\s*\Z")
_IFNAME = regex(r'"ifname"\s*:\s*"([\w.-]{1,64})"')
_BRIEF_NAME = regex(r"([\w.-]+)(?:@[\w.-]+)?\s+(?:UP|UNKNOWN|DOWN)\s")


def find_netdevs(capture: Capture) -> Iterator[str]:
    """Yield the netdevs that `ip link` or `ip addr` lists without the name of one: all of the host."""
    for line in capture.lines if _WHOLE_LIST.match(capture.command) else ():
        yield from _IFNAME.findall(line)
        if found := _LINK.match(line) or _BRIEF_NAME.match(line):
            yield found[1]


def find_devices(capture: Capture) -> Iterator[tuple[str, Known[str]]]:
    """Yield RDMA devices with their netdevs from whole lists: `ibdev2netdev`, `rdma link`; the netdev may be empty."""
    if _CUT.search(capture.command):
        return
    for index, line in enumerate(capture.lines):
        if _CUT.search(line):
            return
        if found := _NETDEV.match(line) or _RDMA_LINK.match(line):
            yield found[1], Known(found[2] or "", Origin.LEARNED, capture.where(index))
