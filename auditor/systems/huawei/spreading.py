"""How VRP spreads flows over equal-cost paths: the fields and the seed of its hash, and what stays on one path."""

from typing import Any

from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.layers import NOTHING, is_silent
from auditor.grammar.multipath import build_ecmp
from auditor.grammar.rows import choice, number, value
from auditor.grammar.statements import Table
from auditor.grammar.viewbgp import BgpSyntax, build_bgp_view, list_paths
from auditor.model.setting import NOT_COLLECTED, Setting, Unknown, Where
from auditor.model.spreading import Ecmp, HashField, Spreading
from auditor.util.regex import regex
from auditor.util.values import dataclass

ECMP = "load-balance ecmp"
"""The kind of the view of equal-cost paths."""
_BOOK = "CloudEngine CE6800 V300R023 Command Reference"
VIEW_PAGE = f"{_BOOK}, load-balance ecmp"
FIELDS_PAGE = f"{_BOOK}, ip(ECMP load balance view)"
SEED_PAGE = f"{_BOOK}, ecmp seed; ecmp universal-id"
"""A seed and an offset (`universal-id`) make switches hash differently; most models have one of the two."""
MODE_PAGE = f"{_BOOK}, ecmp mode(ECMP load balancing view)"
_FIELDS = {
    "src-ip": HashField.SOURCE_IP,
    "dst-ip": HashField.DESTINATION_IP,
    "l4-src-port": HashField.SOURCE_PORT,
    "l4-dst-port": HashField.DESTINATION_PORT,
    "protocol": HashField.PROTOCOL,
    "flow-label": HashField.FLOW_LABEL,
    "src-interface": HashField.INGRESS_PORT,
    "vlan": None,
}
_MODES = {"spray": Spreading.PACKET, "eligible": Spreading.FLOWLET, "fixed": Spreading.FLOW}
_BOTH = Unknown("a seed and an offset choose the hash together")


@dataclass(slots=True)
class EqualCost:
    """The view of equal-cost paths; `offset` is the `universal-id`."""

    where: Where
    fields: Setting[frozenset[HashField]] = NOTHING
    seed: Setting[int] = NOTHING
    offset: Setting[int] = NOTHING
    mode: Setting[Spreading] = NOTHING


def _read_fields(text: str) -> frozenset[HashField] | None:
    words = text.split()
    return frozenset(filter(None, map(_FIELDS.get, words))) if set(words) <= _FIELDS.keys() else None


_TABLE: Table[EqualCost] = Table(
    (
        value("ip {fields+}", "fields", _read_fields, example="ip src-ip dst-ip l4-src-port", page=FIELDS_PAGE),
        *(
            value(form, name, number(0, 255), example=form.replace("{number}", "7"), page=SEED_PAGE)
            for words, name in (("seed", "seed"), ("universal-id", "offset"))
            for form in (f"ecmp {words} {{number}}", f"ecmp underlay {words} {{number}}")
        ),
        value("ecmp mode {mode:spray|fixed}", "mode", choice(_MODES), example="ecmp mode spray", page=MODE_PAGE),
        value(
            "ecmp mode eligible ...", "mode", lambda _: Spreading.FLOWLET, example="ecmp mode eligible", page=MODE_PAGE
        ),
    ),
    undo=("undo",),
    not_modelled=regex("ip-tunnel|ecmp|l2|mpls"),
)
_BGP_PAGE = f"{_BOOK}, maximum load-balancing (BGP view)"
ECMP_VIEW: ViewForm[Any] = ViewForm(ECMP, ECMP, ECMP, EqualCost, _TABLE, VIEW_PAGE)
BGP_VIEW = build_bgp_view(BgpSyntax(("undo",), "maximum load-balancing", _BGP_PAGE))


def find_ecmp(config: ViewConfig[Any]) -> Ecmp:
    """Return how the switch spreads flows over equal-cost paths."""
    found = config.find(ECMP, "", EqualCost) or EqualCost(Where("", 0))
    seeds = [each for each in (found.seed, found.offset) if not is_silent(each)]
    seed = _BOTH if len(seeds) > 1 else next(iter(seeds), NOTHING)
    return build_ecmp(found.fields, seed, list_paths(config), is_whole=config.complete)


def find_spreading(config: ViewConfig[Any]) -> Setting[Spreading]:
    """Return what the switch keeps on one path, where a line says so."""
    found = config.find(ECMP, "", EqualCost)
    return NOT_COLLECTED if found is None or is_silent(found.mode) else found.mode
