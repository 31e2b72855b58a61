"""A baseline: a file of known findings, for comparison without a git history."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from auditor.engine.result import Report, ReportedFinding
from auditor.model.finding import FindingKind, Level
from auditor.util.redact import redact


class BadBaseline(Exception):  # noqa: N818  it becomes an exit status, not a traceback
    """The file is not a baseline; the message gives place and reason."""


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BaselineFinding(_File):
    """A known finding, matched by its fingerprint; people read the other fields."""

    fingerprint: str = Field(pattern=r"^[0-9a-f]{64}$")
    rule: str
    name: str
    level: Level
    device: str
    port: str | None
    message: str


class BaselineFile(_File):
    """Known findings."""

    schema_: Literal["roce-audit/baseline/1"] = Field(default="roce-audit/baseline/1", alias="schema")
    findings: list[BaselineFinding]


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a baseline."""
    document = BaselineFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}


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
    ]
    return BaselineFile(findings=known).model_dump_json(by_alias=True, indent=2, ensure_ascii=True) + "\n"


def parse_baseline(file: str, text: str) -> tuple[ReportedFinding, ...]:
    """Return the findings in the baseline *file* with content *text*; raises BadBaseline."""
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
    return tuple(
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
