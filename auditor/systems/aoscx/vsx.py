"""The port-channel between the two switches of a VSX pair (AOS-CX)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import value
from auditor.grammar.statements import Table
from auditor.model.port import PEER_LINK
from auditor.model.setting import Known, Setting, Where
from auditor.systems.aoscx.statements import VSX_PAGE

_VSX = "vsx"


@dataclass(slots=True)
class Vsx:
    """The statements below `vsx`; `joins` names the LAG to the other switch."""

    where: Where
    joins: Setting[str] = NOTHING


def _name(text: str) -> str | None:
    return f"lag{text}" if re.fullmatch(r"\d{1,3}", text) else None


_STATEMENTS: Table[Vsx] = Table(
    (value("inter-switch-link lag {number}", "joins", _name, example="inter-switch-link lag 256", page=VSX_PAGE),),
    ignored=re.compile(r""),
)
VSX: ViewForm[Vsx] = ViewForm(_VSX, "vsx", "vsx", Vsx, _STATEMENTS, VSX_PAGE)


def find_peer_link(config: ViewConfig[Any]) -> Mapping[str, Known[str]]:
    """Return the LAG to the other switch by its name; empty without one."""
    found = config.find(_VSX, "", Vsx)
    joins = found.joins if found else NOTHING
    return {joins.value: replace(joins, value=PEER_LINK)} if isinstance(joins, Known) else {}
