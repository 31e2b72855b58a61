"""A baseline: a file of known findings, for comparison without a git history."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from auditor.engine.findings import ReportedFinding
from auditor.engine.result import Report
from auditor.intent import Retirement
from auditor.model.extent import AuditedDevice, AuditedPort, RuleExtent, sum_extents
from auditor.model.finding import FindingKind, Level
from auditor.model.setting import Where
from auditor.util.model_config import CLOSED
from auditor.util.natsort import natural
from auditor.util.redact import redact
from auditor.util.schema import describe_read
from auditor.util.values import dataclass


class BadBaseline(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The file is not a baseline; the message gives place and reason."""


class _File(BaseModel):
    model_config = CLOSED


class BaselineFinding(_File):
    """A known finding, matched by its fingerprint; people read the other fields."""

    fingerprint: str = Field(pattern=r"^[0-9a-f]{64}$")
    rule: str
    name: str
    level: Level
    device: str
    port: str | None
    message: str


class BaselinePorts(_File):
    """Ports of one file that were judged alike."""

    file: str
    lines: dict[str, int | None] = Field(description="the line of each port, by its name")
    rdma: bool = Field(description="whether the ports took part in RDMA")
    up: bool = Field(description="whether the ports were not shut down")
    judged: dict[str, tuple[int, int]] = Field(
        description="by rule: the objects that it decided, and that it left open"
    )


class BaselineDevice(_File):
    """A device that was audited."""

    device: str
    own_name: str
    os: str
    source: str
    file: str
    line: int
    judged: dict[str, tuple[int, int]] = Field(description="as of ports, by rules that judge the device as a whole")
    ports: list[BaselinePorts]
    cables: dict[str, tuple[str, str]] = Field(description="device and port at the other end, by port")


class BaselineRetirement(_File):
    """A device, or ports of a device, that may leave the audit."""

    device: str
    ports: list[str]
    reason: str
    expires: date | None


class BaselineFile(_File):
    """Known findings, and what was audited; files of version 1 hold findings alone."""

    schema_: Literal["roce-audit/baseline/2", "roce-audit/baseline/1"] = Field(
        default="roce-audit/baseline/2", alias="schema"
    )
    findings: list[BaselineFinding]
    devices: list[BaselineDevice] | None = None
    retired: list[BaselineRetirement] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The content of a baseline; `devices` are None where it does not record what was audited."""

    findings: tuple[ReportedFinding, ...]
    devices: tuple[AuditedDevice, ...] | None
    retired: tuple[Retirement, ...] = ()


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a baseline."""
    return describe_read(BaselineFile)


def format_baseline(report: Report) -> str:
    """Return the failures of *report* as the text of a baseline, sorted by rule and fingerprint."""
    known = [
        BaselineFinding(
            fingerprint=f.fingerprint,
            rule=f.rule,
            name=f.name,
            level=f.level,
            device=f.device,
            port=f.port,
            message=redact(f.message),
        )
        for f in sorted(report.of_kind(FindingKind.FAIL), key=lambda f: (f.rule, f.fingerprint))
        if not f.is_of_base
    ]
    devices = [_format_device(each) for each in sorted(report.audited, key=lambda each: natural(each.name))]
    retired = [
        BaselineRetirement(device=r.device, ports=list(r.ports), reason=redact(r.reason), expires=r.expires)
        for r in report.retired
    ]
    document = BaselineFile(findings=known, devices=devices, retired=retired)
    return document.model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def _format_device(device: AuditedDevice) -> BaselineDevice:
    groups: dict[object, list[AuditedPort]] = {}
    for port in device.ports:
        file = port.where.file if port.where else device.where.file
        groups.setdefault((file, port.carries_rdma, port.is_up, tuple(map(id, port.extents))), []).append(port)
    return BaselineDevice(
        device=device.name,
        own_name=device.own_name,
        os=device.os,
        source=device.source,
        file=device.where.file,
        line=device.where.line,
        judged=_format_extents(sum_extents(device.extents)),
        ports=[
            BaselinePorts(
                file=ports[0].where.file if ports[0].where else device.where.file,
                lines={port.name: port.where.line if port.where else None for port in ports},
                rdma=ports[0].carries_rdma,
                up=ports[0].is_up,
                judged=_format_extents(ports[0].count()),
            )
            for ports in groups.values()
        ],
        cables={port.name: port.peer for port in device.ports if port.peer},
    )


def _format_extents(extents: Mapping[str, RuleExtent]) -> dict[str, tuple[int, int]]:
    return {rule: (each.decided, each.open) for rule, each in sorted(extents.items())}


def _parse_device(written: BaselineDevice) -> AuditedDevice:
    ports = [
        AuditedPort(
            name,
            Where(group.file, line) if line else None,
            group.rdma,
            group.up,
            written.cables.get(name),
            (extents,),
        )
        for group in written.ports
        for extents in [_parse_extents(group.judged)]
        for name, line in group.lines.items()
    ]
    return AuditedDevice(
        written.device,
        written.os,
        written.source,
        Where(written.file, written.line),
        written.own_name,
        tuple(ports),
        _parse_extents(written.judged),
    )


def _parse_extents(written: Mapping[str, tuple[int, int]]) -> tuple[RuleExtent, ...]:
    return tuple(RuleExtent(rule, *counts) for rule, counts in written.items())


def parse_baseline(file: str, text: str) -> Baseline:
    """Return the content *text* of the baseline *file*; raises BadBaseline."""
    try:
        found = BaselineFile.model_validate(json.loads(text), by_alias=True)
    except json.JSONDecodeError as error:
        raise BadBaseline(f"{file}:{error.lineno}: not JSON: {error.msg}; expected a baseline") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = "/".join(map(str, first["loc"])) or "the document"
        raise BadBaseline(f"{file}: {place}: {first['msg']}; expected a file from --write-baseline") from None
    except (RecursionError, ValueError):
        raise BadBaseline(f"{file}: unreadable JSON: nested too deeply, or a number is too long") from None
    findings = tuple(
        ReportedFinding(
            rule=f.rule,
            name=f.name,
            pack="",
            level=f.level,
            kind=FindingKind.FAIL,
            device=f.device,
            port=f.port,
            message=f.message,
            file=None,
            line=None,
            related=(),
            fingerprint=f.fingerprint,
        )
        for f in found.findings
    )
    devices = None if found.devices is None else tuple(map(_parse_device, found.devices))
    retired = (Retirement(r.device, tuple(r.ports), r.reason, file, 1, r.expires) for r in found.retired)
    return Baseline(findings, devices, tuple(retired))
