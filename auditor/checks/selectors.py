"""Selectors of device plugins and operators: they can match a NIC, and the node offers what they select."""

from collections.abc import Iterable, Iterator, Mapping

from auditor.checks.base import Params, Whole
from auditor.model.device import Device
from auditor.model.finding import Finding, Level, Related
from auditor.model.setting import Known
from auditor.model.text_facts import NicSelector, NodeResource
from auditor.util.values import dataclass

VENDORS: Mapping[str, str] = {
    "15b3": "NVIDIA (Mellanox)",
    "8086": "Intel",
    "14e4": "Broadcom",
    "1dd8": "AMD Pensando",
    "1077": "Marvell (QLogic)",
    "1425": "Chelsio",
    "19e5": "Huawei",
    "1d0f": "Amazon",
    "1ded": "Alibaba",
    "1414": "Microsoft",
    "1924": "AMD (Solarflare)",
    "1af4": "virtio",
    "15ad": "VMware",
    "10df": "Broadcom (Emulex)",
    "177d": "Marvell (Cavium)",
    "1137": "Cisco",
    "1f67": "Yunsilicon",
    "10ee": "AMD (Xilinx)",
}
"""Vendors of NICs by their PCI identifier (pci.ids)."""
DEVICES: Mapping[str, frozenset[str]] = {
    vendor: frozenset(listed.split())
    for vendor, listed in (
        ("15b3", "1003 1004 1007 1013 1014 1015 1016 1017 1018 1019 101a 101b 101c 101d 101e 101f 1021 1023 1025"),
        ("8086", "10c9 10ca 1563 1565 1572 1581 1583 1589 158a 158b 15ff 154c 0d58 1591 1592 1593 1599 159b 188a 1889"),
        ("14e4", "16d7 16dc 1750 1806"),
    )
}
"""Devices of vendors (supported NICs of k8snetworkplumbingwg/sriov-network-operator, and pci.ids)."""


@dataclass(frozen=True, slots=True)
class PlacedSelector:
    """A selector in the text of a device, and what nodes offer of its resource and name as their netdevs."""

    device: Device
    selector: NicSelector
    offers: tuple[NodeResource, ...]


@dataclass(frozen=True, slots=True)
class LoneResource:
    """A resource of which a node offers nothing, and whose selector no capture shows."""

    device: Device
    offer: NodeResource


def list_selectors(given: Whole, _params: object) -> Iterable[PlacedSelector | LoneResource]:
    """Return all selectors, and the resources without units that no selector explains."""
    offers = [(device, each) for device in given.fabric.devices for each in device.text.resources]
    found: list[PlacedSelector | LoneResource] = []
    explained = set()
    for device in given.fabric.devices:
        for selector in device.text.selectors:
            own = tuple(offer for _, offer in offers if offer.name.rpartition("/")[2] == _get_name(selector))
            explained |= {offer.name for offer in own}
            found.append(PlacedSelector(device, selector, own))
    lone = {offer.name: LoneResource(device, offer) for device, offer in offers if offer.name not in explained}
    return (*found, *lone.values())


def _get_name(selector: NicSelector) -> str:
    return selector.resource.rpartition("/")[2]


def selector_without_device(
    given: PlacedSelector | LoneResource, _params: Params, _context: object
) -> Iterator[Finding]:
    """A selector that matches no NIC leaves the node without the resource, and pods wait for ever."""
    if isinstance(given, LoneResource):
        if not given.offer.amount:
            message = (
                f"the node offers 0 of {given.offer.name}: the selector of the device plugin matches no NIC of the "
                "node; compare its ifNames, vendors and deviceIDs with `lspci -nn` and `ibdev2netdev`"
            )
            yield Finding(message, given.offer.where, given.offer.name, (), None, given.device.name)
        return
    yield from _check_identifiers(given)
    yield from _check_offer(given)


def _check_offer(given: PlacedSelector) -> Iterator[Finding]:
    """Yield that a node offers none of the resource."""
    none = [offer for offer in given.offers if not offer.amount]
    if not none:
        return
    keys = given.selector.keys
    written = "; ".join(f"{key}: {', '.join(known.value)}" for key, known in sorted(keys.items(), reverse=True))
    message = (
        f"the node offers 0 of {none[0].name}: its selector ({written}) matches no RDMA device of the node; compare "
        "with `ibdev2netdev` and `lspci -nn` there"
    )
    related = (Related("what the node offers", none[0].where),)
    where = keys["ifNames"].where if "ifNames" in keys else given.selector.where
    yield Finding(message, where, f"{given.selector.resource} offer", related, None, given.device.name)


def _check_identifiers(given: PlacedSelector) -> Iterator[Finding]:
    """Yield vendors that are none, and devices of another vendor than those that are selected."""
    resource = given.selector.resource
    vendors = given.selector.keys.get("vendors")
    devices = given.selector.keys.get("deviceIDs")
    names = [each.lower().removeprefix("0x") for each in vendors.value] if vendors else []
    for name in names:
        owner = next((each for each, own in DEVICES.items() if name in own), None)
        if vendors and name not in VENDORS and owner:
            message = (
                f"{resource}: vendor {name} is no PCI vendor; it is a device ID of {VENDORS[owner]}, whose vendor is "
                f"{owner}"
            )
            yield Finding(message, vendors.where, f"{resource} vendor {name}", (), None, given.device.name)
        elif vendors and name not in VENDORS:
            message = (
                f"{resource}: vendor {name} is not a known PCI vendor of NICs (NVIDIA is 15b3, Intel 8086, Broadcom "
                "14e4)"
            )
            yield Finding(message, vendors.where, f"{resource} vendor {name}", (), Level.WARNING, given.device.name)
    if devices and set(names) & set(VENDORS):
        yield from _check_devices(given, names, devices)


def _check_devices(given: PlacedSelector, vendors: list[str], devices: Known[tuple[str, ...]]) -> Iterator[Finding]:
    own = frozenset[str]().union(*(DEVICES.get(each, frozenset()) for each in vendors))
    for name in devices.value:
        number = name.lower().removeprefix("0x")
        owner = next((each for each, known in DEVICES.items() if number in known), None)
        if owner and owner not in vendors and number not in own:
            meant = " or ".join(vendors)
            message = (
                f"{given.selector.resource}: deviceID {number} is of {VENDORS[owner]} (vendor {owner}), but the "
                f"selector asks for vendor {meant}: no NIC has both"
            )
            key = f"{given.selector.resource} device {number}"
            yield Finding(message, devices.where, key, (), None, given.device.name)
