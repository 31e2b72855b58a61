"""What a fabric is meant to be: declared in roce-audit.yaml, or inferred from what most of the fleet does."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.ignore import Ignore
from auditor.model.device import Device
from auditor.model.port import PfcMode
from auditor.model.setting import Known, Origin, Setting, Unknown, value_of
from auditor.yamlfile import YamlError, load

T = TypeVar("T")
Priority = Annotated[int, Field(ge=0, le=7)]
Dscp = Annotated[int, Field(ge=0, le=63)]


class TrafficKind(StrEnum):
    """What a traffic class carries."""

    RDMA = "rdma"
    CNP = "cnp"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Traffic:
    """A traffic class of the fabric: how it is marked, the priority it belongs to, and whether it may be dropped."""

    name: str
    kind: TrafficKind
    dscp: Setting[tuple[int, ...]]
    priority: Setting[int]
    lossless: Setting[bool]

    def by_dscp(self) -> "tuple[Traffic, ...]":
        """Return the class once for each of its DSCPs; as it is where none is known."""
        if not isinstance(self.dscp, Known):
            return (self,)
        return tuple(replace(self, dscp=replace(self.dscp, value=(point,))) for point in self.dscp.value)


@dataclass(frozen=True, slots=True)
class Intent:
    """The intent for one device.

    `lossless` are the priorities that never drop; `path_mtu_bytes` the RDMA payload per packet (256 to 4096);
    `cable_length_m` what a port's cable is taken to be where nothing tells. `evidence` says, for an inferred intent,
    from how many ports each value was taken.
    """

    declared: bool
    evidence: tuple[str, ...]
    traffic: tuple[Traffic, ...]
    lossless: Setting[tuple[int, ...]]
    path_mtu_bytes: Setting[int]
    cable_length_m: Setting[float]
    role: str | None = None

    def of_kind(self, kind: TrafficKind) -> tuple[Traffic, ...]:
        """Return the traffic classes of one kind."""
        return tuple(t for t in self.traffic if t.kind is kind)


@dataclass(frozen=True, slots=True)
class Role:
    """The intent for the devices whose names match one of the patterns."""

    devices: tuple[str, ...]
    intent: Intent


@dataclass(frozen=True, slots=True)
class Intents:
    """The intent of a fabric, of the roles that differ from it, and what its site has decided to live with."""

    general: Intent
    roles: tuple[Role, ...] = ()
    ignores: tuple[Ignore, ...] = ()

    def of(self, device: str) -> Intent:
        """Return the intent for the device of that name: its first matching role's, else the general one."""
        for role in self.roles:
            if any(fnmatchcase(device, pattern) for pattern in role.devices):
                return role.intent
        return self.general


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TrafficFile(_Closed):
    """One traffic class."""

    name: str
    kind: TrafficKind = TrafficKind.OTHER
    dscp: list[Dscp] = Field(default_factory=list, description="DSCP values that mark it")
    priority: Priority = Field(description="the priority that a PFC frame or a PCP tag carries for it")
    lossless: bool = Field(default=False, description="whether it is never dropped (PFC)")


class RoleFile(_Closed):
    """Devices that differ from the rest of the fabric."""

    name: str
    devices: list[str] = Field(min_length=1, description="device names; * and ? are wildcards")
    traffic: list[TrafficFile] | None = None
    path_mtu_bytes: Literal[256, 512, 1024, 2048, 4096] | None = None
    cable_length_m: float | None = Field(default=None, gt=0, le=100_000)


class IgnoreFile(_Closed):
    """Findings to live with."""

    rule: str = Field(min_length=1, description="id or name of the rule")
    devices: list[str] = Field(default=["*"], min_length=1, description="device names; * and ? are wildcards")
    ports: list[str] = Field(default=["*"], min_length=1, description="port names; * and ? are wildcards")
    reason: str = Field(min_length=3, description="why the site lives with it")
    expires: date | None = Field(default=None, description="the last day on which this holds, YYYY-MM-DD")


class IntentFile(_Closed):
    """roce-audit.yaml: what the fabric is meant to be."""

    schema_: Literal["roce-audit/intent/1"] = Field(alias="schema")
    traffic: list[TrafficFile] = Field(min_length=1)
    path_mtu_bytes: Literal[256, 512, 1024, 2048, 4096] | None = None
    cable_length_m: float | None = Field(default=None, gt=0, le=100_000)
    roles: list[RoleFile] = Field(default_factory=list)
    ignore: list[IgnoreFile] = Field(default_factory=list)


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of roce-audit.yaml."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **IntentFile.model_json_schema()}


def declared(file: str, text: str) -> Intents:
    """Return the intent that the file *file* with content *text* declares; raises YamlError."""
    located = load(file, text, schema())
    try:
        written = IntentFile.model_validate(located.data)
    except ValidationError as error:  # what a JSON Schema cannot say: a date that no calendar has
        wrong = error.errors()[0]
        raise YamlError(
            file, located.line(wrong["loc"]), f"{'/'.join(map(str, wrong['loc']))}: {wrong['msg']}"
        ) from None
    general = _declared(written.traffic, written.path_mtu_bytes, written.cable_length_m)
    return Intents(
        general,
        tuple(
            Role(
                tuple(role.devices),
                replace(
                    _declared(
                        written.traffic if role.traffic is None else role.traffic,
                        role.path_mtu_bytes or written.path_mtu_bytes,
                        role.cable_length_m or written.cable_length_m,
                    ),
                    role=role.name,
                ),
            )
            for role in written.roles
        ),
        tuple(
            Ignore(
                (each.rule,),
                each.reason,
                file,
                located.line(("ignore", number)),
                tuple(each.devices),
                tuple(each.ports),
                each.expires,
            )
            for number, each in enumerate(written.ignore)
        ),
    )


def _declared(traffic: Sequence[TrafficFile], path_mtu: int | None, cable: float | None) -> Intent:
    classes = tuple(
        Traffic(
            t.name,
            t.kind,
            Known(tuple(t.dscp), Origin.INTENDED) if t.dscp else Unknown(f"the intent gives no DSCP for {t.name}"),
            Known(t.priority, Origin.INTENDED),
            Known(t.lossless, Origin.INTENDED),
        )
        for t in traffic
    )
    return Intent(
        declared=True,
        evidence=(),
        traffic=classes,
        lossless=Known(tuple(sorted({t.priority for t in traffic if t.lossless})), Origin.INTENDED),
        path_mtu_bytes=_or_unknown(path_mtu, "the intent gives no path MTU"),
        cable_length_m=_or_unknown(cable, "the intent gives no cable length"),
    )


def _or_unknown(value: T | None, why: str) -> Setting[T]:
    return Unknown(why) if value is None else Known(value, Origin.INTENDED)


@dataclass(frozen=True, slots=True)
class Votes:
    """What the ports of one device, or of many, do: each table counts ports by value."""

    lossless: Counter[tuple[int, ...]] = field(default_factory=Counter)
    rdma_dscp: Counter[int] = field(default_factory=Counter)
    lossless_dscp: Counter[tuple[int, ...]] = field(default_factory=Counter)
    priority_of: Counter[tuple[int, int]] = field(default_factory=Counter)
    cnp_dscp: Counter[int] = field(default_factory=Counter)
    path_mtu: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: "Votes") -> "Votes":
        return Votes(
            self.lossless + other.lossless,
            self.rdma_dscp + other.rdma_dscp,
            self.lossless_dscp + other.lossless_dscp,
            self.priority_of + other.priority_of,
            self.cnp_dscp + other.cnp_dscp,
            self.path_mtu + other.path_mtu,
        )


def votes_of(device: Device) -> Votes:
    """Return what each port of *device* says of the fabric's intent; a shared configuration votes once per port."""
    votes = Votes()
    weights = Counter(id(p.config) for p in device.ports)
    for number_of, port in {id(p.config): p.config for p in device.ports}.items():
        weight = weights[number_of]
        paused = value_of(port.pfc.priorities)
        mode = value_of(port.pfc.mode)
        if paused and mode is PfcMode.ON:
            votes.lossless[tuple(sorted(paused))] += weight
        classes = {c.id: c for c in value_of(port.classification.classes) or ()}
        paused_dscp = []
        for dscp, entry in (value_of(port.classification.dscp_to_class) or {}).items():
            found = classes.get(entry.value)
            if found is None:
                continue
            priority = value_of(found.pfc_priority)
            number = value_of(found.internal) if priority is None else priority
            if number is not None:
                votes.priority_of[dscp, number] += weight
            if value_of(found.lossless):
                paused_dscp.append(dscp)
        if paused_dscp and device.kind == "switch":
            votes.lossless_dscp[tuple(sorted(paused_dscp))] += weight
        if port.nic:
            marked = value_of(port.nic.traffic_class) or value_of(port.nic.rdma_cm_tos)
            if marked:
                votes.rdma_dscp[marked >> 2] += weight
            _count(votes.cnp_dscp, value_of(port.nic.cnp_dscp), weight)
            _count(votes.path_mtu, value_of(port.nic.active_mtu_bytes), weight)
    return votes


def _count(table: "Counter[int]", value: int | None, weight: int) -> None:
    if value is not None:
        table[value] += weight


def infer(votes: Iterable[Votes]) -> Intents:
    """Return the intent that most ports follow; what no majority tells is Unknown.

    A fleet can be uniformly wrong, so an inferred intent is good for consistency and arithmetic only.
    """
    total = sum(votes, Votes())
    evidence: list[str] = []
    lossless = _majority(total.lossless, "lossless priorities", "ports with PFC on", evidence, _join)
    dscp = _rdma_dscp(total, evidence)
    priority = _priority(total.priority_of, dscp, "RDMA priority", evidence)
    if isinstance(lossless, Known) and not isinstance(priority, Known) and len(lossless.value) == 1:
        priority = Known(lossless.value[0], Origin.LEARNED)
    cnp = _majority(total.cnp_dscp, "CNP DSCP", "host ports", evidence, str)
    cnp_priority = _priority(total.priority_of, cnp, "CNP priority", evidence)
    in_lossless: Setting[bool] = lossless if isinstance(lossless, Unknown) else Unknown("no RDMA priority is known")
    if isinstance(lossless, Known) and isinstance(priority, Known):
        in_lossless = Known(priority.value in lossless.value, Origin.LEARNED)
    return Intents(
        Intent(
            declared=False,
            evidence=tuple(evidence),
            traffic=(
                Traffic("RDMA", TrafficKind.RDMA, _as_tuple(dscp), priority, in_lossless),
                Traffic(
                    "CNP", TrafficKind.CNP, _as_tuple(cnp), cnp_priority, Known(value=False, origin=Origin.LEARNED)
                ),
            ),
            lossless=lossless,
            path_mtu_bytes=_majority(total.path_mtu, "RDMA path MTU", "host ports", evidence, str),
            cable_length_m=Unknown("no intent is declared"),
        )
    )


def _rdma_dscp(votes: Votes, evidence: list[str]) -> Setting[int]:
    """Return what most hosts mark RDMA with or, without hosts, the only DSCP that most switch ports keep lossless."""
    if votes.rdma_dscp:
        return _majority(votes.rdma_dscp, "RDMA DSCP", "host ports", evidence, str)
    told: list[str] = []
    witnesses = "switch ports that map a DSCP to a no-drop class"
    points = _majority(votes.lossless_dscp, "RDMA DSCP", witnesses, told, _join)
    if not isinstance(points, Known):
        return points
    if len(points.value) > 1:
        return Unknown(f"RDMA DSCP cannot be inferred: the no-drop class takes DSCP {_join(points.value)}")
    evidence.extend(told)
    return Known(points.value[0], Origin.LEARNED)


def _join(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _as_tuple(setting: Setting[int]) -> Setting[tuple[int, ...]]:
    return Known((setting.value,), setting.origin) if isinstance(setting, Known) else setting


def _majority(
    table: "Counter[T]", what: str, witnesses: str, evidence: list[str], show: Callable[[T], str]
) -> Setting[T]:
    """Return the value that more than half of the votes have."""
    total = sum(table.values())
    if not total:
        return Unknown(f"{what} cannot be inferred: there are no {witnesses}")
    value, count = table.most_common(1)[0]
    if 2 * count <= total:
        return Unknown(f"{what} cannot be inferred: no majority among {total} {witnesses}")
    evidence.append(f"{what} {show(value)}: {count} of {total} {witnesses}")
    return Known(value, Origin.LEARNED)


def _priority(table: "Counter[tuple[int, int]]", dscp: Setting[int], what: str, evidence: list[str]) -> Setting[int]:
    if not isinstance(dscp, Known):
        return dscp
    votes = Counter({priority: count for (point, priority), count in table.items() if point == dscp.value})
    return _majority(votes, what, f"ports that map DSCP {dscp.value}", evidence, str)


def described(intents: Intents) -> Mapping[str, Any]:
    """Return the general intent as data for a report."""
    intent = intents.general
    return {
        "declared": intent.declared,
        "evidence": list(intent.evidence),
        "traffic": [
            {
                "name": t.name,
                "kind": t.kind.value,
                "dscp": None if (points := value_of(t.dscp)) is None else list(points),
                "priority": value_of(t.priority),
                "lossless": value_of(t.lossless),
            }
            for t in intent.traffic
        ],
        "lossless_priorities": None if (found := value_of(intent.lossless)) is None else list(found),
        "path_mtu_bytes": value_of(intent.path_mtu_bytes),
        "cable_length_m": value_of(intent.cable_length_m),
        "roles": [role.intent.role for role in intents.roles],
    }
