"""How Comware spreads flows over equal-cost paths: the fields of its hash, and the paths of BGP."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.grammar.assemble import NOT_READ
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.multipath import build_ecmp
from auditor.grammar.rows import value
from auditor.grammar.statements import Statement
from auditor.grammar.viewbgp import BgpSyntax, build_bgp_view, list_paths
from auditor.model.setting import Known, Setting, Unset
from auditor.model.spreading import Ecmp, HashField
from auditor.util.regex import regex

PAGE = "https://support.hpe.com/techhub/eginfolib/networking/docs/switches/5980/5200-3925_l3-ip-svcs_cg/content/498931160.htm"
"""`ip load-sharing mode per-flow`: without fields it reads those of the default, whatever its algorithm."""
BGP_PAGE = (
    "https://support.hpe.com/techhub/eginfolib/networking/docs/switches/10500/5200-1898a_l3-ip-rtng_cg/content/"
    "495504176.htm"
)
"""`balance` gives the most paths of a route; without it BGP does not balance."""
_FIELDS: Mapping[str, HashField] = {
    "src-ip": HashField.SOURCE_IP,
    "dest-ip": HashField.DESTINATION_IP,
    "src-port": HashField.SOURCE_PORT,
    "dest-port": HashField.DESTINATION_PORT,
    "ip-pro": HashField.PROTOCOL,
    "ingress-port": HashField.INGRESS_PORT,
}
_MODE = regex(
    r"(?:algorithm \d{1,3} ?(?:(?:seed|shift) [\da-f]{1,10} ?){0,2})?(?P<fields>(?>(?:[a-z]+-[a-z]+ ?)*))"
    r"(?:tunnel (?:all|inner|outer) ?)?(?:global|(?:chassis \d{1,2} )?slot \d{1,3})?\Z"
)


def _read(text: str) -> frozenset[HashField] | None:
    match = _MODE.match(text)
    words = match["fields"].split() if match else []
    is_read = match is not None and set(words) <= _FIELDS.keys()
    return frozenset(_FIELDS[each] for each in words) if is_read else None


LOAD_SHARING: Statement[Any] = replace(
    value(
        "ip load-sharing mode per-flow {words*}",
        "hash_fields",
        _read,
        example="ip load-sharing mode per-flow src-ip dest-ip src-port global",
        page=PAGE,
    ),
    least=3,
)
BGP_VIEW = build_bgp_view(BgpSyntax(("undo",), "balance", BGP_PAGE))


def find_ecmp(config: ViewConfig[Any]) -> Ecmp:
    """Return how the switch spreads flows over equal-cost paths; no page tells how the seed of its hash is written."""
    fields: Setting[frozenset[HashField]] = config.switch.hash_fields
    if isinstance(fields, Known) and not fields.value:
        fields = Unset(fields.where)
    return build_ecmp(fields, NOT_READ, list_paths(config), is_whole=config.complete)
