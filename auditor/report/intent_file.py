"""An inferred intent as a first roce-audit.yaml, each value with its evidence in a comment."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from auditor.intent import Comparison, Intent, Traffic, parse_intent
from auditor.intent.file import make_schema
from auditor.model.setting import Known, Setting, Unknown
from auditor.util.printable import printable
from auditor.util.yamlfile import YamlError

SCHEMA_FILE = ".roce-audit.schema.json"
"""The schema beside a settings file, for editors; no audit reads hidden files."""
HEAD = f"""\
# yaml-language-server: $schema=./{SCHEMA_FILE}
# What this fabric is meant to be; its form: `roce-audit schema intent`.
# Taken from what most ports do today. That need not be what is meant: read each line, and correct it.
"""


def render_schema() -> str:
    """Return the text of the schema of a settings file."""
    return json.dumps(make_schema(), indent=2) + "\n"


def render_settings(intent: Intent, nearest: Sequence[Comparison]) -> str | None:
    """Return *intent* as the text of a settings file; None without values of RDMA."""
    for design in (True, False):  # what most ports do may be at odds with itself: then the design is left to people
        text = _render_text(intent, nearest, design=design)
        try:
            parse_intent("roce-audit.yaml", text)
        except YamlError:
            continue
        return text
    return None


def _render_text(intent: Intent, nearest: Sequence[Comparison], *, design: bool) -> str:
    lines = [f"schema: {make_schema()['properties']['schema']['const']}", ""]
    lines += [f"# {line}" for line in intent.evidence]
    for each in nearest:
        lines.append(f"# It follows the preset {each.name} most nearly; `preset: {each.name}` declares all of that.")
    lines += ["", *_render_value("design", intent.design)] if design else ["", "# design: lossless or ecn-only"]
    lines += _render_value("congestion_control", intent.congestion_control)
    lines += _render_value("path_mtu_bytes", intent.path_mtu_bytes)
    lines.append("# cable_length_m: how long cables are of which no dump tells it")
    lines.append("traffic:")
    for traffic in intent.traffic:
        lines += _render_traffic(traffic)
    return HEAD + "\n".join(printable(line) for line in lines) + "\n"


def _render_value(name: str, setting: Setting[Any]) -> Iterator[str]:
    yield f"{name}: {setting.value}" if isinstance(setting, Known) else f"# {name}: {_explain_unknown(setting)}"


def _explain_unknown(setting: Setting[Any]) -> str:
    return setting.why if isinstance(setting, Unknown) else "no dump tells"


def _render_traffic(traffic: Traffic) -> Iterator[str]:
    fields = (("dscp", traffic.dscp), ("priority", traffic.priority), ("lossless", traffic.lossless))
    known = [f"{name}: {json.dumps(setting.value)}" for name, setting in fields if isinstance(setting, Known)]
    told = any(isinstance(setting, Known) for setting in (traffic.dscp, traffic.priority))
    entry = ", ".join([f"name: {traffic.name}", f"kind: {traffic.kind.value}", *known])
    yield f"  - {{{entry}}}" if told else f"  # - {{{entry}}}: neither its DSCP nor its priority is known"
    for name, setting in fields:
        if not isinstance(setting, Known):
            yield f"    # {name}: {_explain_unknown(setting)}"
