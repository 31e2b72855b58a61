"""Further NVIDIA tools: `mlxlink`, `mst status`, `cma_roce_tos`, `cma_roce_mode` and `set-rdma-qos.sh q`."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from auditor.model.dump import Capture
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Where
from auditor.systems.linux import files, files_linux, jsontext, mlnx_qos, modules, sysfs, text
from auditor.systems.linux.command import LINK, QOS, Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank
from auditor.systems.linux.facts import make_nic_port, make_port
from auditor.systems.linux.fetch import MLX, NETDEV, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject, parse_pci
from auditor.util.regex import regex

_FIELD = regex(r"([^:]+):\s*(.*)")
_SPEED = regex(r"(\d{1,4}(?:\.\d{1,3})?)G(?:bE)?(?:[_-]\S+)?")
_INFINIBAND = regex(r"IB-\w+")
_WIDTH = regex(r"(\d{1,2})x")
_LINK_FIELDS = ("Speed", "Width", "FEC")
_NOTHING = frozenset({"", "N/A", "NA", "No FEC information"})
_MST_LINE = regex(r"/dev/mst/(\S+)\s.*")
_BUS = regex(r"domain:bus:dev\.fn=(\S+)(?:\s.*)?")
_SECTION = regex(r"=+\s*show configuration for device\s+([^\s=/]+)\s*+(?:/\s*([^\s=]+))?\s*=*")
_TOS = regex(r"cma_roce_tos:\s*(\S+)")


def read_mlxlink(capture: Capture, call: Call) -> Events:
    """Yield speed, lanes and FEC of the link of `mlxlink`, and the module that `-m` shows."""
    if jsontext.is_json(capture):
        root = yield from jsontext.open_json(capture, frozenset({*_LINK_FIELDS, *modules.OF_MLXLINK}))
        if root is None:
            return
        info = _find_node(root, ("result", "output", "Operational Info"))
        values = {
            name: Known(node.value, Origin.LEARNED, node.where)
            for name, node in (info.members() if info else ())
            if name in _LINK_FIELDS and isinstance(node.value, str)
        }
        yield _describe_link(call, values, capture.where(0))
        about = _find_node(root, ("result", "output", "Module Info"))
        told = {
            name: Known(node.value, Origin.LEARNED, node.where)
            for name, node in (about.members() if about else ())
            if name in modules.OF_MLXLINK and isinstance(node.value, str)
        }
        yield from _describe_module(call, told, capture.where(0))
        return
    values, told = {}, {}
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        name = match[1].strip() if match else ""
        if match and name in _LINK_FIELDS and name not in values:
            values[name] = Known(match[2].strip(), Origin.LEARNED, capture.where(index))
            is_read = match[2].strip() in _NOTHING or _is_read(name, match[2].strip())
            yield (
                mark_modelled(index)
                if is_read
                else text.make_doubt(capture, index, "a speed such as 200G, or lanes such as 4x")
            )
        elif match and name in modules.OF_MLXLINK and name not in told:
            told[name] = Known(match[2].strip(), Origin.LEARNED, capture.where(index))
            yield mark_modelled(index)
        elif match:
            yield mark_not_modelled(index)
        elif not text.is_error(line):
            yield mark_ignored(index)
    yield _describe_link(call, values, capture.where(0))
    yield from _describe_module(call, told, capture.where(0))


def _describe_module(call: Call, told: dict[str, Known[str]], where: Where) -> Iterator[PortFact]:
    plugged = modules.describe_mlxlink(told)
    if modules.is_told(plugged):
        yield PortFact(call.subject, plugged.describe(where), rank=Rank.FALLBACK)  # whole degrees, and no fibre


def _find_node(node: jsontext.JsonNode, keys: tuple[str, ...]) -> jsontext.JsonNode | None:
    found: jsontext.JsonNode | None = node
    for key in keys:
        found = found.get(key) if found else None
    return found


def _is_read(name: str, value: str) -> bool:
    if name == "Speed" and _INFINIBAND.fullmatch(value):
        return True
    return name == "FEC" or (_SPEED if name == "Speed" else _WIDTH).fullmatch(value) is not None


def _describe_link(call: Call, values: dict[str, Known[str]], where: Where) -> PortFact:
    speed, width, fec = (values.get(name) for name in _LINK_FIELDS)
    gbps = _SPEED.fullmatch(speed.value) if speed else None
    lanes = _WIDTH.fullmatch(width.value) if width else None
    ethernet = Ethernet(
        speed_gbps=Known(float(gbps[1]), Origin.LEARNED, speed.where) if speed and gbps else NOT_COLLECTED,
        lanes=Known(int(lanes[1]), Origin.LEARNED, width.where) if width and lanes else NOT_COLLECTED,
        fec=fec if fec and fec.value not in _NOTHING else NOT_COLLECTED,
    )
    about = call.subject
    said = make_nic_port(Nic(), where, about.rdma) if about.rdma else make_port(PortConfig(), where)
    return PortFact(about, replace(said, config=replace(said.config, ethernet=ethernet)))


def read_mst(capture: Capture, _: Call) -> Events:
    """Yield the MST path, PCI address, RDMA device and netdev of each card of `mst status -v`."""
    mst = ""
    for index, line in text.list_lines(capture):
        where = capture.where(index)
        words = line.split()
        path, bus = _MST_LINE.fullmatch(line), _BUS.fullmatch(line)
        row = list(_parse_row(words))
        if row:
            for about in row:
                model = Known(text.format_model(words[0]), Origin.LEARNED, where)
                vendor = Known("NVIDIA", Origin.LEARNED, where)
                yield PortFact(about, make_nic_port(Nic(model=model, vendor=vendor), where, about.rdma))
            yield mark_modelled(index)
        elif path:
            mst = path[1]
            yield mark_modelled(index)
        elif bus and mst and parse_pci(bus[1]):
            yield PortFact(Subject(pci=parse_pci(bus[1]), mst=mst), make_nic_port(Nic(), where))
            yield mark_modelled(index)
        elif not text.is_error(line) or line.startswith("MST "):
            yield (
                mark_ignored(index)
                if set(line) <= {"-"} or line.endswith(":") or "NUMA" in line
                else mark_not_modelled(index)
            )


def _parse_row(words: list[str]) -> Iterator[Subject]:
    """Yield the subjects of a row of `mst status -v`, one per netdev."""
    at = next((number for number, word in enumerate(words[1:], 1) if parse_pci(word)), 0)
    if not at:
        return
    mst = next((word.removeprefix("/dev/mst/") for word in words[1:at] if word.startswith("/dev/mst/")), "")
    rest = words[at + 1 :]
    rdma = next((w for w in rest if not w.startswith("net-") and not w.isdecimal() and w not in _NOTHING | {"-1"}), "")
    netdevs = [n for w in rest if w.startswith("net-") for n in w.removeprefix("net-").split(",net-")]
    for netdev in netdevs or [""]:
        yield Subject(netdev=netdev, rdma=rdma, pci=parse_pci(words[at]), mst=mst)


def read_cma_roce_tos(capture: Capture, call: Call) -> Events:
    """Yield the default ToS of RDMA-CM that `cma_roce_tos -d DEV` prints."""
    for index, line in text.list_lines(capture):
        if not text.is_error(line):
            yield from _read_cma(files_linux.read_rdma_cm_tos, capture, index, line, call.subject.rdma)


def read_cma_roce_mode(capture: Capture, call: Call) -> Events:
    """Yield the default version of RoCE that `cma_roce_mode -d DEV -p PORT` prints."""
    for index, line in text.list_lines(capture):
        if not text.is_error(line):
            yield from _read_cma(files_linux.read_rdma_cm_mode, capture, index, line, call.subject.rdma)


def _read_cma(read: sysfs.FileReader, capture: Capture, index: int, value: str, rdma: str) -> Events:
    found = read({"rdma": rdma}, sysfs.LineContent(value, capture.where(index)))
    yield from found.events
    yield mark_modelled(index) if found.events else text.make_doubt(capture, index, found.expected)


def read_set_rdma_qos(capture: Capture, call: Call) -> Events:
    """Yield the settings of each device of `set-rdma-qos.sh q`: `mlnx_qos`, then sysfs as `path = value`."""
    numbered = tuple(text.list_lines(capture))
    heads = [at for at, (_, line) in enumerate(numbered) if _SECTION.fullmatch(line)]
    for at, end in pairwise([*heads, len(numbered)]):
        index, line = numbered[at]
        head = _SECTION.fullmatch(line)
        netdev, rdma = (head[1], head[2] or "") if head else ("", "")
        about = Subject(netdev=netdev, rdma=rdma)
        yield mark_modelled(index)
        yield PortFact(about, make_nic_port(Nic(), capture.where(index), rdma))
        section = numbered[at + 1 : end]
        yield from mlnx_qos.read_lines(capture, section, Subject(netdev=netdev))
        for below, value in section:
            tos = _TOS.fullmatch(value)
            if tos:
                yield from _read_cma(files_linux.read_rdma_cm_tos, capture, below, tos[1], rdma)
    yield from files.read_prefixed(capture, call)


_DEVICE = r"(?: -d {device}| -e| -p [0-9]+| -m| -c| --[a-z_]+(?: [A-Z_]+)?)*"

OF_SCRIPT = (
    Command(
        "set-rdma-qos.sh",
        r"(?:ba)?(?:sh )?(?:\.)?/?set-rdma-qos\.sh(?: q(?:uery)?)?",
        read_set_rdma_qos,
        QOS,
        r"^=+ ?show configuration for device ",
        "trust, PFC, buffers, DCQCN, CNP and RDMA marking of each device",
    ),
)
COMMANDS = (
    Command(
        "mlxlink[ -d {device}]",
        rf"mlxlink{_DEVICE}",
        read_mlxlink,
        LINK,
        r"^\W*Operational Info|\"Operational Info\"",
        "speed, lanes and FEC; part, length, temperature and received power of the module",
        fetch=(
            Fetch(
                ("mlxlink -d {pci} -m", "mlxlink -d {pci}"),
                "speed and FEC of the link, and its module",
                NETDEV,
                drivers=MLX,
                is_root=True,
                by=SCRIPT,
            ),
        ),
    ),
    Command(
        "mst status -v",
        r"mst status(?: -v)?",
        read_mst,
        (),
        r"^MST modules:",
        "which MST path, PCI address, RDMA device and netdev are one",
        fetch=(Fetch(("mst status -v",), "NVIDIA devices by PCI address", drivers=MLX, is_root=True, by=SCRIPT),),
    ),
    Command(
        "cma_roce_tos[ -d {rdma}]",
        r"cma_roce_tos(?: -d {rdma})?(?: -p [0-9]+)?(?: -t [0-9]+)?",
        read_cma_roce_tos,
        ("config.nic.rdma_cm_tos",),
        shows="ToS of RDMA-CM connections",
    ),
    Command(
        "cma_roce_mode[ -d {rdma}]",
        r"cma_roce_mode(?: -d {rdma})?(?: -p [0-9]+)?(?: -m [0-9]+)?",
        read_cma_roce_mode,
        ("config.nic.rdma_cm_mode",),
        shows="RoCE version of RDMA-CM connections",
    ),
)
