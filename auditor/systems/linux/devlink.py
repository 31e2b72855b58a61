"""`devlink`, text and JSON: whether a PCI function offers RoCE or iWARP, and how it forwards for virtual functions."""

from collections.abc import Iterator

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux import jsontext, text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import NETDEV, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex
from auditor.util.values import dataclass

_DEVICE = regex(r"pci/(\S+?):?")
_NAME = regex(r"name (\S+) type \S+")
_VALUE = regex(r"cmode (\w+) value (\S+)")
_ESWITCH_MODES = frozenset({"legacy", "switchdev"})
_ESWITCH = regex(r"(pci/\S+): mode (\w+)\b")
_TRANSPORTS = {"enable_roce": "roce", "enable_iwarp": "iwarp"}
_SHOWN = frozenset({"enable_roce", "enable_iwarp", "cmode", "value"})


@dataclass(frozen=True, slots=True)
class _Parameter:
    pci: str
    name: str
    mode: str
    value: str
    where: Where


def read_parameters(capture: Capture, _: Call) -> Events:
    """Yield the transport of the parameters `enable_roce` and `enable_iwarp`."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, _SHOWN)
        if root is None:
            return
        parameters = list(_read_json(root))
    else:
        parameters = []
        yield from _read_text(capture, parameters)
    for each in parameters:
        yield from _describe_parameter(each)


def _read_text(capture: Capture, parameters: list[_Parameter]) -> Events:
    pci, name = "", ""
    for index, line in text.list_lines(capture):
        device, named, value = _DEVICE.fullmatch(line), _NAME.fullmatch(line), _VALUE.fullmatch(line)
        if device:
            pci, name = parse_pci(device[1].rstrip(":")), ""
            yield mark_modelled(index) if pci else mark_not_modelled(index)
        elif named:
            name = named[1]
            yield mark_modelled(index) if name in _TRANSPORTS else mark_not_modelled(index)
        elif value and pci:
            parameters.append(_Parameter(pci, name, value[1], value[2], capture.where(index)))
            yield mark_modelled(index) if name in _TRANSPORTS else mark_not_modelled(index)
        elif line.startswith("values:"):
            yield mark_not_modelled(index)


def _read_json(root: jsontext.JsonNode) -> Iterator[_Parameter]:
    devices = root.get("param")
    for handle, listed in devices.members() if devices else ():
        device = _DEVICE.fullmatch(handle)
        pci = parse_pci(device[1]) if device else ""
        for node in listed.items() if pci else ():
            values = node.get("values")
            for each in values.items() if values else ():
                value = each.get("value")
                shown = str(value.value).lower() if value else ""
                yield _Parameter(pci, node.text("name"), each.text("cmode"), shown, each.where)


def _describe_parameter(each: _Parameter) -> Events:
    transport = _TRANSPORTS.get(each.name)
    if transport and each.value == "true" and each.mode in {"runtime", "driverinit"}:
        # the RDMA device itself overrules the parameters of a driver's start
        nic = Nic(transport=Known(transport, Origin.INTENDED, each.where))
        yield PortFact(Subject(pci=each.pci), make_nic_port(nic, each.where), Strength.LISTED, Rank.FALLBACK)


def read_eswitch(capture: Capture, _: Call) -> Events:
    """Yield the mode of the embedded switch of each PCI function."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, frozenset({"mode"}))
        devices = root.get("dev") if root else None
        for handle, told in devices.members() if devices else ():
            yield from _describe_eswitch(handle, told.text("mode"), told.where)
        return
    for index, line in text.list_lines(capture):
        found = _ESWITCH.match(line)
        if found:
            yield from _describe_eswitch(found[1], found[2], capture.where(index))
            yield mark_modelled(index)


def _describe_eswitch(handle: str, mode: str, where: Where) -> Events:
    pci = parse_pci(handle.removeprefix("pci/"))
    if pci and mode in _ESWITCH_MODES:
        nic = Nic(eswitch_mode=Known(mode, Origin.INTENDED, where))
        yield PortFact(Subject(pci=pci), make_nic_port(nic, where), Strength.LISTED)


COMMANDS = (
    Command(
        "devlink dev eswitch show",
        r"devlink(?: -[a-z]+)* dev eswitch(?: show)?(?: .+)?",
        read_eswitch,
        ("config.nic.eswitch_mode",),
        r"^pci/\S+: mode (?:legacy|switchdev)\b",
        "how a NIC forwards for its virtual functions",
        fetch=(
            Fetch(
                ("devlink -j dev eswitch show pci/{pci}",),
                "how it forwards for virtual functions",
                NETDEV,
                needs="/sys/bus/pci/devices/{pci}/sriov_numvfs",
                is_root=True,
                by=SCRIPT,
            ),
        ),
    ),
    Command(
        "devlink dev param show",
        r"devlink(?: -[a-z]+)* dev param(?: show)?(?: .+)?",
        read_parameters,
        (),
        r"^pci/\S+:$\n\s+name \S+ type|\"param\"\s*:\s*\{",
        "RoCE or iWARP mode",
        fetch=(
            Fetch(("devlink -j dev param show",), "parameters of drivers, RoCE among them", is_root=True, by=SCRIPT),
        ),
    ),
)
