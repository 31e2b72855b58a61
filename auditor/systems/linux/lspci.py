"""`lspci -vvv`: read requests, ordering, link, part and virtual functions of each NIC, and ACS of the bridges."""

from dataclasses import field, replace
from itertools import count

from auditor.grammar.optics import read_word
from auditor.model.dump import Capture
from auditor.model.hardware import Hardware
from auditor.model.host import Host
from auditor.model.nic import Function, Nic, Pcie
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact, LineMark, PortFact, Rank, Strength, VirtualFunction
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_HEAD = regex(r"((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\s++([^:\[]+?)(?: \[[0-9a-f]{4}\])?:\s+(.*)")
_NIC_CLASSES = frozenset({"Ethernet controller", "Infiniband controller", "Network controller", "Fabric controller"})
_VENDORS = (
    ("Mellanox", "NVIDIA"),
    ("Broadcom", "Broadcom"),
    ("Cornelis", "Cornelis"),
    ("Intel", "Intel"),
    ("Pensando", "AMD"),
    ("Amazon", "Amazon"),
    ("Cray", "HPE"),
    ("Hewlett Packard", "HPE"),
)
_FABRICS = (("Elastic Fabric Adapter", "efa"), ("Slingshot", "slingshot"), ("Omni-Path HFI", "omni_path"))
"""Names of adapters whose RDMA is no RoCE."""
_READ_REQUEST = regex(r"MaxPayload (\d{3,4}) bytes, MaxReadReq (\d{3,4}) bytes")
_ORDERING = regex(r"RlxdOrd([+-])\s.*")
_LINK = regex(
    r"Lnk(Cap|Sta):\s+(?:Port #\d+, )?Speed (\d{1,3}(?:\.\d)?)GT/s(?: \(\w+\))?, Width x(\d{1,2})(?: \(\w+\))?.*"
)
_ACS = regex(r"ACSCtl:\s+SrcValid([+-])\s+TransBlk[+-]\s+ReqRedir([+-])\s+CmpltRedir([+-])\s.*")
_FAMILY = regex(r"\[((?:ConnectX|BlueField)[^\[\]]*+)\]|\b(BlueField-\d|BCM57\d{3}|E8\d\d(?:-\w+)?)\b")
_ATS = regex(r"ATSCtl:\s+Enable([+-]).*")
_VFS = regex(r"Initial VFs: \d+, Total VFs: \d+, Number of VFs: (\d{1,4}), .*")
_OFFSET = regex(r"VF offset: (\d{1,5}), stride: (\d{1,5}), .*")
_VPD = regex(r"\[(PN|SN)\] (?:Part|Serial) number: (\S.*)")
_MOST_VFS = 4096
_ASKED = "asked"
"""The kind of a device that the command names, where the line that says what it is may be cut."""
_ONCE = frozenset({"LnkCap", "LnkSta", "DevCtl", "DevCap", "ACSCap"})
UNNAMED_BRIDGE = "#"
"""What the number of an ACS register begins with whose device was cut."""


@dataclass(slots=True)
class _Device:
    pci: str
    where: Where
    title: str
    kind: str
    pcie: Pcie = field(default_factory=Pcie)
    vpd: dict[str, Setting[str]] = field(default_factory=dict)
    vfs: int = 0
    layout: tuple[int, int] = (0, 0)
    names: set[str] = field(default_factory=set)
    """The registers read so far; each is printed once for a device."""
    repeated: int | None = None
    """The line that shows a register for the second time: the line of another device was cut."""

    @property
    def is_nic(self) -> bool:
        """Whether the device is a network adapter."""
        return self.kind in _NIC_CLASSES or self.kind == _ASKED


def read_lspci(capture: Capture, call: Call) -> Events:
    """Yield the settings of NICs and bridges of `lspci -vv` or `-vvv`.

    Where `grep` cut the line of a device, its ACS register counts under a number in place of the address, and its other
    registers are left out, unless the command asks for one device.
    """
    asked = call.subject.pci
    device = _Device(asked, capture.where(0), "", _ASKED) if asked else None
    unnamed, bridges, is_cut = count(1), set[int](), False
    for index, line in text.list_lines(capture):
        head, acs = _HEAD.fullmatch(line), _ACS.fullmatch(line)
        if head:
            yield from _describe_device(capture, device)
            device = _Device(parse_pci(head[1]), capture.where(index), head[3], head[2].strip())
            yield mark_modelled(index) if device.is_nic else mark_ignored(index)
        elif acs:
            is_own = device is not None and "ACSCtl" not in device.names and device.repeated is None
            place = device.pci if device and is_own else f"{UNNAMED_BRIDGE}{next(unnamed)}"
            if device:
                device.names.add("ACSCtl")
            # redirection is what sends the traffic between two devices through the root complex
            is_on = Known("+" in acs.groups()[1:], Origin.LEARNED, capture.where(index))
            yield HostFact(Host(acs=Known({place: is_on}, Origin.LEARNED, capture.where(index))))
            yield mark_modelled(index)
        elif device:
            yield _read_line(device, line, capture.where(index), index)
            bridges |= {index} if device.kind == "PCI bridge" and line.startswith("LnkCap:") else set()
        elif line.partition(":")[0] in _ONCE and not is_cut:
            is_cut = True
            yield text.make_doubt(capture, index, "the line of the device above its registers")
    yield from _describe_device(capture, device)
    if bridges and not text.is_excerpt(capture):  # a whole listing, whose bridges without the register have none
        yield HostFact(Host(acs=Known({}, Origin.LEARNED, capture.where(min(bridges)))))


def _read_line(device: _Device, line: str, where: Where, index: int) -> LineMark:
    name = line.partition(":")[0]
    if name in _ONCE and name in device.names and device.repeated is None:
        device.repeated = index
    device.names.add(name)
    if device.is_nic and _take_line(device, line, where):
        return mark_modelled(index)
    is_known = device.is_nic and line.startswith(("Lnk", "ACS", "MaxPay"))
    return mark_not_modelled(index) if is_known else mark_ignored(index)


def _take_line(device: _Device, line: str, where: Where) -> bool:
    """Take one line of a NIC; return whether the model keeps the line."""
    request, ordering, link = _READ_REQUEST.fullmatch(line), _ORDERING.fullmatch(line), _LINK.fullmatch(line)
    ats, vfs, offset = _ATS.fullmatch(line), _VFS.fullmatch(line), _OFFSET.fullmatch(line)
    vpd = _VPD.fullmatch(line)
    pcie = device.pcie
    if request:
        device.pcie = replace(
            pcie,
            max_payload_bytes=Known(int(request[1]), Origin.LEARNED, where),
            max_read_request_bytes=Known(int(request[2]), Origin.LEARNED, where),
        )
    elif ordering:
        device.pcie = replace(pcie, relaxed_ordering=Known(ordering[1] == "+", Origin.LEARNED, where))
    elif link:
        speed, width = Known(float(link[2]), Origin.LEARNED, where), Known(int(link[3]), Origin.LEARNED, where)
        device.pcie = (
            replace(pcie, max_speed_gtps=speed, max_width=width)
            if link[1] == "Cap"
            else replace(pcie, speed_gtps=speed, width=width)
        )
    elif ats:
        device.pcie = replace(pcie, ats=Known(ats[1] == "+", Origin.LEARNED, where))
    elif vpd:
        device.vpd.setdefault(vpd[1], read_word(vpd[2], where))
    elif vfs:
        device.vfs = min(int(vfs[1]), _MOST_VFS)
    elif offset:
        device.layout = int(offset[1]), int(offset[2])
    else:
        return False
    return True


def _describe_device(capture: Capture, device: _Device | None) -> Events:
    if device is None or not device.is_nic or not device.pci:
        return
    if device.kind == _ASKED and device.pcie == Pcie() and not device.vpd:
        return  # the line of the device follows, or nothing of it was asked
    if device.repeated is not None:
        device.pcie, device.vfs, device.vpd = Pcie(), 0, {}
        why = f"one such line below {device.pci}; the line of the next device was cut, so its registers are left out"
        yield text.make_doubt(capture, device.repeated, why)
    vendor = next((name for word, name in _VENDORS if word in device.title), "")
    is_virtual = "Virtual Function" in device.title
    function = Known(Function.VF if is_virtual else Function.PF, Origin.LEARNED, device.where)
    nic = Nic(pcie=device.pcie, function=function if device.title else NOT_COLLECTED)
    if vendor:
        nic = replace(nic, vendor=Known(vendor, Origin.LEARNED, device.where))
    fabric = next((name for words, name in _FABRICS if words in device.title), "")
    if fabric:
        nic = replace(nic, transport=Known(fabric, Origin.LEARNED, device.where))
    family = _FAMILY.search(device.title)
    if family:
        model = Nic(model=Known(text.format_model(family[1] or family[2]), Origin.LEARNED, device.where))
        yield PortFact(Subject(pci=device.pci), make_nic_port(model, device.where), Strength.LISTED, Rank.FALLBACK)
    card = Hardware(
        slot=Known(device.pci, Origin.LEARNED, device.where) if device.title else NOT_COLLECTED,
        part_number=device.vpd.get("PN", NOT_COLLECTED),
        serial=device.vpd.get("SN", NOT_COLLECTED),
    )
    if card != Hardware():
        said = replace(make_nic_port(Nic(), device.where), hardware=card)
        yield PortFact(Subject(pci=device.pci), said, Strength.LISTED, Rank.FALLBACK)
    # other Ethernet controllers than RDMA NICs are listed, too
    yield PortFact(Subject(pci=device.pci), make_nic_port(nic, device.where), Strength.LISTED)
    if device.vfs:
        yield VirtualFunction(Subject(pci=device.pci), tuple(_list_virtual_functions(device)))


def _list_virtual_functions(device: _Device) -> list[str]:
    """Return the PCI addresses of the virtual functions: routing IDs by offset and stride (PCI Express SR-IOV)."""
    domain, bus, rest = device.pci.split(":")
    slot, function = rest.split(".")
    routing = int(bus, 16) << 8 | int(slot, 16) << 3 | int(function)
    offset, stride = device.layout
    found = []
    for number in range(device.vfs):
        own = routing + offset + number * stride
        found.append(f"{domain}:{own >> 8 & 0xFF:02x}:{own >> 3 & 0x1F:02x}.{own & 7}")
    return found


COMMANDS = (
    Command(
        "lspci -vvv",
        r"lspci(?: -\S+)*(?: -s {device})?(?: -\S+)*",
        read_lspci,
        (),
        r"^(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] [A-Z][\w /-]+?(?: \[[0-9a-f]{4}\])?: \S"
        r"|^\s*ACSCtl:\s+SrcValid[+-]",
        "PCIe read request, ordering, link, part number, serial number and virtual functions of NICs; ACS of bridges",
        fetch=(
            Fetch(("lspci -D -nn",), "PCI devices", by=SCRIPT),
            Fetch(("lspci -vvv",), "PCIe links, read request size, ACS", is_root=True, by=SCRIPT),
        ),
    ),
)
