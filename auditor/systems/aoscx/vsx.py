"""The link between the two switches of a VSX pair (AOS-CX)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING
from auditor.grammar.rows import value
from auditor.grammar.statements import Table
from auditor.model.port import PEER_LINK
from auditor.model.setting import Known, Setting, Where
from auditor.systems.aoscx.interfaces import PORT
from auditor.systems.aoscx.statements import name_lag
from auditor.util.regex import regex
from auditor.util.values import dataclass

_VSX = "vsx"


@dataclass(slots=True)
class Vsx:
    """The statements below `vsx`; `joins` names the LAG or the port to the other switch."""

    where: Where
    joins: Setting[str] = NOTHING


_PAGE = (
    "https://support.hpe.com/techhub/eginfolib/Aruba/8320_10.01/5200-5120/"
    "GUID-A619C72E-7828-4E5F-89E2-F2E1421C2996.html"
)


def _find_port(text: str) -> str | None:
    return text if PORT.match(text) else None


_STATEMENTS: Table[Vsx] = Table(
    (
        replace(
            value("inter-switch-link lag {number}", "joins", name_lag, example="inter-switch-link lag 256", page=_PAGE),
            least=1,
        ),
        value("inter-switch-link {port}", "joins", _find_port, example="inter-switch-link 1/1/49", page=_PAGE),
    ),
    ignored=regex(r""),
)
VSX: ViewForm[Vsx] = ViewForm(_VSX, "vsx", "vsx", Vsx, _STATEMENTS, _PAGE)


def find_peer_link(config: ViewConfig[Any]) -> Mapping[str, Known[str]]:
    """Return the LAG or the port to the other switch by its name; empty without one."""
    found = config.find(_VSX, "", Vsx)
    joins = found.joins if found else NOTHING
    return {joins.value: replace(joins, value=PEER_LINK)} if isinstance(joins, Known) else {}
