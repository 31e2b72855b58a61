"""Firmware of adapters: `devlink dev info`, `flint q`, `mstflint q` and `mlxfwmanager`."""

from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_device, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([\w #()](?:[\w #()]*?[\w#()])??)\s*+:\s*+(\S.*)")
_DEVICE = regex(r"pci/(\S+?):")
_PAIR = regex(r"(\S+) (\S.*)")
_FIRMWARE = regex(r"FW\s+(\d+(?:\.\d+)+)\s.*")
_NAMES = ("fw.version", "fw")
"""Drivers' names of the firmware version, the surest first."""


@dataclass(slots=True)
class _Adapter:
    about: Subject
    where: Where
    values: dict[str, Known[str]] = field(default_factory=dict)


def _describe_adapter(adapter: _Adapter) -> PortFact:
    driver, firmware, model = (adapter.values.get(name) for name in ("driver", "firmware", "model"))
    vendor = text.find_vendor(driver.value) if driver else "NVIDIA"
    shown = driver or model or firmware
    if vendor != "NVIDIA":  # the version is a part of what other drivers tell `ethtool -i`
        firmware = None
    nic = Nic(
        driver=driver or NOT_COLLECTED,
        firmware=firmware or NOT_COLLECTED,
        model=model or NOT_COLLECTED,
        vendor=Known(vendor, Origin.LEARNED, shown.where) if shown and vendor else NOT_COLLECTED,
    )
    rank = Rank.FIRMWARE if _find_pending(adapter) else Rank.FALLBACK  # in front of the version of the next reset
    return PortFact(adapter.about, make_nic_port(nic, adapter.where), Strength.LISTED, rank)


def read_devlink(capture: Capture, _: Call) -> Events:
    """Yield driver and running firmware of each PCI function of `devlink dev info`."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, frozenset({"driver", "running", *_NAMES}))
        listed = root.get("info") if root else None
        for handle, told in listed.members() if listed else ():
            adapter = _Adapter(Subject(pci=parse_pci(handle.removeprefix("pci/"))), told.where)
            versions = told.get("versions")
            running = versions.get("running") if versions else None
            for name, node in (("driver", told.get("driver")), ("firmware", _find_version(running))):
                if node and isinstance(node.value, str):
                    adapter.values[name] = Known(node.value, Origin.LEARNED, node.where)
            if adapter.about.pci:
                yield _describe_adapter(adapter)
        return
    adapters: list[_Adapter] = []
    section = ""
    for index, line in text.list_lines(capture):
        head, pair, where = _DEVICE.fullmatch(line), _PAIR.fullmatch(line), capture.where(index)
        if head and parse_pci(head[1]):
            adapters.append(_Adapter(Subject(pci=parse_pci(head[1])), where))
            yield mark_modelled(index)
        elif not adapters or not pair:
            section = line.rstrip(":")
            yield mark_ignored(index)
        elif pair[1] == "driver" or (section == "running" and pair[1] in _NAMES):
            name = "driver" if pair[1] == "driver" else "firmware"
            adapters[-1].values.setdefault(name, Known(pair[2], Origin.LEARNED, where))
            yield mark_modelled(index)
        else:
            yield mark_not_modelled(index)
    yield from map(_describe_adapter, adapters)


def _find_version(running: jsontext.JsonNode | None) -> jsontext.JsonNode | None:
    return next((node for name in _NAMES if running and (node := running.get(name))), None)


def read_images(capture: Capture, call: Call) -> Events:
    """Yield model and firmware of each adapter in the output of NVIDIA's tools, also that of the next reset."""
    adapters = [_Adapter(call.subject, capture.where(0))]
    for index, line in text.list_lines(capture):
        if _read_image(line, capture.where(index), adapters):
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_not_modelled(index)
    for adapter in (each for each in adapters if each.values):
        yield _describe_adapter(adapter)
        if pending := _find_pending(adapter):
            later = make_nic_port(Nic(firmware=pending), adapter.where)
            yield PortFact(adapter.about, later, Strength.LISTED, Rank.NEXT_BOOT)


def _read_image(line: str, where: Where, adapters: list[_Adapter]) -> bool:
    """Return whether a line says something of the last of *adapters*, or begins another one."""
    match, version = _FIELD.fullmatch(line), _FIRMWARE.fullmatch(line)
    name, value = (match[1].strip(), match[2].strip()) if match else ("", "")
    values = adapters[-1].values
    if name == "Device Type":
        if values:
            adapters.append(_Adapter(Subject(), where))
        adapters[-1].values["model"] = Known(text.format_model(value), Origin.LEARNED, where)
    elif name == "PCI Device Name":
        adapters[-1].about = parse_device(value)
    elif version or name == "FW Version":
        values.setdefault("firmware", Known(version[1] if version else value, Origin.LEARNED, where))
    elif name == "FW Version(Running)":  # the other is what the next reset will start
        if other := values.get("firmware"):
            values["pending"] = other
        values["firmware"] = Known(value, Origin.LEARNED, where)
    else:
        return False
    return True


def _find_pending(adapter: _Adapter) -> Known[str] | None:
    """Return the version that the next reset starts, None where the adapter runs it."""
    pending, running = adapter.values.get("pending"), adapter.values.get("firmware")
    return pending if pending and running and pending.value != running.value else None


COMMANDS = (
    Command(
        "devlink dev info",
        r"devlink(?: -[a-z]+)* dev info(?: .+)?",
        read_devlink,
        (),
        r"^pci/\S+:\n\s+driver \S+$|\"info\"\s*:\s*\{\s*\"pci/",
        "driver and firmware",
        fetch=(Fetch(("devlink -j dev info",), "firmware by PCI address", is_root=True, by=SCRIPT),),
    ),
    Command(
        "flint[ -d {device}] q",
        r"(?:mst)?flint(?: -d {device})?(?: -\S+)* q(?:uery)?(?: .+)?",
        read_images,
        (),
        r"^FW Version:\s+\d",
        "firmware (NVIDIA)",
    ),
    Command(
        "mlxfwmanager",
        r"mlxfwmanager(?: .+)?",
        read_images,
        (),
        r"^Querying Mellanox devices firmware",
        "model and firmware (NVIDIA)",
    ),
)
