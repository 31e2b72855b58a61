"""Cables in files that other tools keep beside configurations.

Each format is a row of `FORMATS`; its reader says which source defines it. A plan gives cables and no settings.
"""

import json
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath
from typing import Any, Never, TypeGuard
from xml.parsers import expat

from auditor.inputs.rawtext import Problem, Raw, Skipped
from auditor.model.fabric import End
from auditor.util.regex import regex
from auditor.util.surrogates import replace_halves
from auditor.util.values import dataclass
from auditor.util.yamlfile import YamlError, load

MAX_DEPTH = 32
"""Elements of XML within each other; a minigraph has 9."""
MAX_NAME = 255
"""Characters in the name of a device or port."""
HEAD_LINES = 40
"""Lines of a file that may hold the sign of its format."""
LAYER1 = "layer1_topology.json"


@dataclass(frozen=True, slots=True)
class CablePlan:
    """The cables in a file of another tool; `what` names the format.

    `device` is the one that the file is about, empty for a file about a fabric, and `settings_in` names the file that
    has its settings. `wrong` says why the file cannot be read, at `line` where that is known.
    """

    what: str
    cables: tuple[tuple[End, End], ...] = ()
    device: str = ""
    settings_in: str = ""
    wrong: str = ""
    line: int | None = None

    def describe(self) -> str:
        """Return what is read of the file, in words.

        >>> CablePlan("layer-1 topology of Batfish").describe()
        'layer-1 topology of Batfish, of which cables are read: 0'
        """
        rest = f"; settings are read from {self.settings_in}" if self.settings_in else ""
        return f"{self.what}, of which cables are read: {len(self.cables)}{rest}"


class PlanError(ValueError):
    """A plan cannot be read; `line` counts from 1, None where it is unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class PlanFormat:
    """A format: `plan` without cables, whether a file has it, and its reader, which raises PlanError."""

    plan: CablePlan
    has_sign: Callable[[Raw], bool]
    read: Callable[[str, CablePlan], CablePlan]


def find_plan(raw: Raw) -> CablePlan | None:
    """Return the cables in *raw*; None for a file of another kind."""
    found = next((each for each in FORMATS if each.has_sign(raw)), None)
    if found is None:
        return None
    try:
        return found.read("\n".join(raw.lines), found.plan)
    except PlanError as error:
        return replace(found.plan, wrong=f"{found.plan.what}: {error}", line=error.line)


def close_plans(
    plans: Sequence[tuple[Raw, CablePlan]], names: Container[str], folders: Container[str]
) -> Iterator[Skipped | Problem]:
    """Yield what is to report of each file with cables.

    The device of such a file must have a dump, as a plan has no settings. It has one by its name, where *names* are
    those of the devices in lower case, or by its folder, where *folders* have dumps and it is the only plan there.
    """
    alone = Counter(raw.folder for raw, _ in plans)
    for raw, plan in plans:
        is_audited = plan.device.lower() in names or (raw.folder in folders and alone[raw.folder] == 1)
        if plan.wrong:
            yield Problem(raw.name, plan.line, plan.wrong)
        elif plan.settings_in and not is_audited:
            why = f"{plan.what} of {plan.device!r} alone, which has no settings; give {plan.settings_in}, too"
            yield Problem(raw.name, None, why)
        else:
            yield Skipped(raw.name, plan.describe())


_EDGES = regex(r"\s*+\{\s*+\"edges\"\s*+:\s*+\[\s*+\{\s*+\"node[12]\"\s*+:")


def _has_edges(raw: Raw) -> bool:
    return PurePosixPath(raw.name).name == LAYER1 or _EDGES.match("\n".join(raw.lines[:HEAD_LINES])) is not None


def read_layer1(text: str, plan: CablePlan) -> CablePlan:
    """Return *plan* with the cables of a layer-1 topology of Batfish; raises PlanError.

    Source: `Layer1Topology`, `Layer1Edge` and `Layer1Node` of https://github.com/batfish/batfish, below
    projects/common/src/main/java/org/batfish/common/topology. Batfish reads the file in the folder `batfish` of a
    snapshot, else the one at its top.

    >>> edge = '{"node1": {"hostname": "a", "interfaceName": "1"}, "node2": {"hostname": "b", "interfaceName": "2"}}'
    >>> [[str(end) for end in cable] for cable in read_layer1(f'{{"edges": [{edge}]}}', CablePlan("")).cables]
    [['a 1', 'b 2']]
    """
    try:
        data: Any = json.loads(replace_halves(text))
    except json.JSONDecodeError as error:
        raise PlanError(f"not JSON: {error.msg}", error.lineno) from None
    except (RecursionError, ValueError):
        raise PlanError("unreadable JSON: nested too deeply, or a number is too long") from None
    edges = data.get("edges") if isinstance(data, dict) else None
    if not isinstance(edges, list):
        raise PlanError('expected an object with a list "edges"')
    return replace(plan, cables=tuple(dict.fromkeys(_parse_edge(edge, n) for n, edge in enumerate(edges, start=1))))


def _parse_edge(edge: object, number: int) -> tuple[End, End]:
    """Return the ends of an edge in one order: many files have each cable once in each direction."""
    nodes = [edge.get(name) for name in ("node1", "node2")] if isinstance(edge, dict) else []
    named = [(n.get("hostname"), n.get("interfaceName")) for n in nodes if isinstance(n, dict)]
    ends = sorted(End(host, port) for host, port in named if _is_name(host) and _is_name(port))
    if len(ends) != len(("node1", "node2")):
        raise PlanError(f"edge {number}: expected node1 and node2, each with hostname and interfaceName as names")
    return ends[0], ends[1]


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= MAX_NAME


def _has_minigraph(raw: Raw) -> bool:
    head = raw.lines[:HEAD_LINES]
    first = next((line for line in head if line.strip()), "")
    return first.lstrip().startswith("<") and any("<DeviceMiniGraph" in line for line in head)


_ENDS = (("StartDevice", "StartPort"), ("EndDevice", "EndPort"))
_CABLES = frozenset({"DeviceInterfaceLink", "UnderlayInterfaceLink"})


@dataclass(slots=True)
class _Minigraph:
    """The handlers of a parser of XML, and what they found."""

    parser: Any
    path: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    link: dict[str, str] = field(default_factory=dict)
    cables: dict[tuple[End, End], None] = field(default_factory=dict)
    hostname: str = ""

    def fail(self, message: str) -> Never:
        """Raise PlanError at the line that is parsed."""
        raise PlanError(message, self.parser.CurrentLineNumber)

    def refuse(self, *_: object) -> None:
        """Raise PlanError for a document type, the only place of entities."""
        self.fail("has a document type; expected XML without one")

    def start(self, name: str, _: Mapping[str, str]) -> None:
        """Enter an element."""
        self.path.append(name.rpartition(" ")[2])
        self.text.clear()
        if len(self.path) > MAX_DEPTH:
            self.fail(f"elements nested deeper than {MAX_DEPTH}")
        if self.path[-1] == "DeviceLinkBase":
            self.link = {}

    def end(self, _: str) -> None:
        """Leave an element; one of a link or the name of the device is kept."""
        name, text = self.path.pop(), "".join(self.text).strip()
        self.text.clear()
        if self.path[-1:] == ["DeviceLinkBase"]:
            self.link[name] = text
        elif self.path == ["DeviceMiniGraph"] and name == "Hostname":
            self.hostname = text
        elif name == "DeviceLinkBase" and self.path[-1:] == ["DeviceInterfaceLinks"]:
            self.close_link()

    def close_link(self) -> None:
        """Keep the cable of a link; other kinds lead to consoles, management ports or inside of the device."""
        if self.link.get("ElementType") not in _CABLES or self.link.get("ChassisInternal", "").lower() == "true":
            return
        ends = sorted(End(self.link.get(device, ""), self.link.get(port, "")) for device, port in _ENDS)
        if not all(_is_name(name) for end in ends for name in end):
            self.fail("a link without a name in StartDevice, StartPort, EndDevice or EndPort")
        self.cables[ends[0], ends[1]] = None


def read_minigraph(text: str, plan: CablePlan) -> CablePlan:
    """Return *plan* with the cables of a SONiC minigraph; raises PlanError, also for each document type.

    Source: `parse_png` of https://github.com/sonic-net/sonic-buildimage, src/sonic-config-engine/minigraph.py. All else
    in the file is in `config_db.json`, which SONiC writes from it (`sudo config load_minigraph`).
    """
    parser = expat.ParserCreate("utf-8", " ")
    found = _Minigraph(parser)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = found.refuse
    parser.StartElementHandler = found.start
    parser.EndElementHandler = found.end
    parser.CharacterDataHandler = found.text.append
    try:
        parser.Parse(text.lstrip().encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise PlanError(f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    if not _is_name(found.hostname):
        raise PlanError("expected the name of the device in Hostname")
    return replace(plan, cables=tuple(found.cables), device=found.hostname)


_BLOCK = "ethernet_interfaces:"
_SUFFIXES = frozenset({".yml", ".yaml"})
_NAME = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
_PORT = {"type": "object", "required": ["name"], "properties": {"name": _NAME}}
_STRUCTURED = {
    "type": "object",
    "required": ["hostname"],
    "properties": {"hostname": _NAME, "ethernet_interfaces": {"type": ["array", "null"], "items": _PORT}},
}


def _is_structured(raw: Raw) -> bool:
    if PurePosixPath(raw.name).suffix.lower() not in _SUFFIXES or _BLOCK not in raw.lines:
        return False
    return any(line.startswith("hostname: ") for line in raw.lines)


def read_structured(text: str, plan: CablePlan) -> CablePlan:
    """Return *plan* with the cables of a structured configuration of Arista AVD; raises PlanError.

    Source: `peer` and `peer_interface` of https://github.com/aristanetworks/avd,
    python-avd/pyavd/_eos_cli_config_gen/schema/schema_fragments/ethernet_interfaces.schema.yml. AVD renders the file to
    the configuration in `intended/configs`, which has all settings.
    """
    try:
        data = load("", _cut_block(text.split("\n")), _STRUCTURED, foreign_tags=True).data
    except YamlError as error:
        expected = "expected YAML with a hostname and a list of ports, each with a name, without aliases"
        raise PlanError(expected, error.line) from None  # its own words may quote a secret
    own, ports = data["hostname"], data.get("ethernet_interfaces") or ()
    named = ((port["name"], port.get("peer"), port.get("peer_interface")) for port in ports)
    cables = ((End(own, name), End(peer, far)) for name, peer, far in named if _is_name(peer) and _is_name(far))
    return replace(plan, cables=tuple(dict.fromkeys(cables)), device=own)


def _cut_block(lines: Sequence[str]) -> str:
    r"""Return the hostname and the ports of *lines* alone, each on its own line: the rest may be long and is not read.

    >>> _cut_block(["a: 1", "hostname: x", "ethernet_interfaces:", "- name: y", "b:", "- 2"])
    '\nhostname: x\nethernet_interfaces:\n- name: y\n\n'
    """
    return "\n".join(_blank_others(lines))


def _blank_others(lines: Sequence[str]) -> Iterator[str]:
    is_inside = False
    for line in lines:
        if line[:1].strip(" -#"):
            is_inside = line.startswith((_BLOCK, "hostname:"))
        yield line if is_inside else ""


FORMATS: tuple[PlanFormat, ...] = (
    PlanFormat(CablePlan("layer-1 topology of Batfish"), _has_edges, read_layer1),
    PlanFormat(CablePlan("SONiC minigraph", settings_in="config_db.json"), _has_minigraph, read_minigraph),
    PlanFormat(
        CablePlan("structured configuration of AVD", settings_in="the rendered configuration"),
        _is_structured,
        read_structured,
    ),
)
"""The formats, in the order in which a file is tried."""
