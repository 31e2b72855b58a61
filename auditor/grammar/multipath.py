"""Equal-cost paths of a switch, from configurations of the CLI family."""

from collections.abc import Mapping
from typing import TypeVar

from auditor.grammar.layers import is_silent
from auditor.grammar.running import ONLY_PART, CapturedStanza
from auditor.model.dump import LineState
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unset
from auditor.model.spreading import Ecmp, HashField
from auditor.util.regex import regex

S = TypeVar("S")
BGP = regex(r"router bgp \d")
_VRF = regex(r"vrf \S")
_MOST = regex(r"maximum-paths (?:ebgp )?(?P<count>\d{1,4})\b")
_NONE = regex(r"(?:no|default) maximum-paths(?! ibgp)")


def read_max_paths(block: CapturedStanza, paths: dict[str, Setting[int]]) -> None:
    """Add to *paths*, by address family of the default VRF, the paths that *block* gives it; mark these lines.

    The block itself is the family of an empty name, Unset at its first head where no line says a number.
    """
    vrf = family_indent = None
    family = ""
    place = block.capture.where
    block.mark(block.head.index, LineState.MODELLED)
    paths.setdefault("", Unset(place(block.head.index)))
    for line in block.lines:
        if vrf is not None and line.indent > vrf:
            continue
        vrf = line.indent if _VRF.match(line.text) else None
        if family_indent is not None and line.indent <= family_indent and not (line.typed and _MOST.match(line.text)):
            family, family_indent = "", None
        if line.text.startswith("address-family "):
            family, family_indent = line.text, line.indent
        if match := _MOST.match(line.text):
            paths[family] = Known(int(match["count"]), Origin.INTENDED, place(line.index))
        elif _NONE.match(line.text):
            paths[family] = Unset(place(line.index))
        else:
            continue
        block.mark(line.index, LineState.MODELLED)


def _find_fewest(paths: Mapping[str, Setting[int]]) -> Setting[int]:
    """Return the fewest paths that an address family may have; Unset where no line says, unknown without BGP."""
    known = [each for each in paths.values() if isinstance(each, Known)]
    last = [NOT_COLLECTED, *paths.values()][-1]
    return min(known, key=lambda each: each.value) if known else last


def build_ecmp(
    fields: Setting[frozenset[HashField]], seed: Setting[int], paths: Mapping[str, Setting[int]], *, is_whole: bool
) -> Ecmp:
    """Return how a switch spreads flows; what a part of its configuration does not write may stand elsewhere."""
    return Ecmp(_unless_part(fields, is_whole=is_whole), _unless_part(seed, is_whole=is_whole), _find_fewest(paths))


def _unless_part(found: Setting[S], *, is_whole: bool) -> Setting[S]:
    return ONLY_PART if not is_whole and is_silent(found) else found
