"""Addresses, VRFs and BGP neighbours of a switch whose configuration consists of views."""

import re

from auditor.grammar.configuration import S, ViewConfig
from auditor.grammar.routing import parse_address
from auditor.grammar.viewbgp import BGP, BgpProcess, list_neighbours
from auditor.model.routing import Routing
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Unset, Where
from auditor.model.text_facts import InterfaceAddress

_ADDRESS = re.compile(
    r"(?P<undo>undo )?ip(?:v6)? address(?: (?P<address>[\da-fA-F.:]{2,45})(?:/| )(?P<mask>[\d.]{1,15}))?"
)
_VRF = re.compile(r"ip binding vpn-instance (?P<name>\S{1,64})")


def build_routing(config: ViewConfig[S]) -> Routing:
    """Return the addresses of interfaces, their VRFs, and the neighbours of BGP, which a part does not list."""
    addresses: list[InterfaceAddress] = []
    vrfs: dict[str, Known[str]] = {}
    for name, entry in config.interfaces.items():
        own: dict[str, InterfaceAddress] = {}
        for text, where in entry.network:
            if match := _VRF.match(text):
                vrfs[name] = Known(match["name"], Origin.INTENDED, where)
            else:
                _read_address(name, text, where, own)
        addresses += own.values()
    process = config.find(BGP, "", BgpProcess)
    listed = Known(tuple(list_neighbours(process)), Origin.INTENDED) if process and config.complete else NOT_COLLECTED
    own_as = process.own_as if process and not isinstance(process.own_as, Unset) else NOT_COLLECTED
    return Routing(tuple(addresses), vrfs, own_as, listed)


def _read_address(name: str, text: str, where: Where, own: dict[str, InterfaceAddress]) -> None:
    """Add to the addresses of an interface, or take one back; `undo` without an address takes all back."""
    match = _ADDRESS.match(" ".join(text.split()))
    address = parse_address(f"{match['address']}/{match['mask']}") if match and match["address"] else None
    if match and match["undo"] and match["address"]:
        own.pop(address or "", None)
    elif match and match["undo"]:
        own.clear()
    elif address:
        own[address] = InterfaceAddress(name, address, where)
