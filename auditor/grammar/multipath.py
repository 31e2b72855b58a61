"""Equal-cost paths of a switch, from configurations of the CLI family."""

import re
from typing import TypeVar

from auditor.grammar.layers import is_silent
from auditor.grammar.running import ONLY_PART, CapturedStanza
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Setting, Unset
from auditor.model.spreading import Ecmp, HashField

S = TypeVar("S")
BGP = re.compile(r"router bgp \d")
_VRF = re.compile(r"vrf \S")
_MOST = re.compile(r"maximum-paths (?:ebgp )?(?P<count>\d{1,4})\b")
_NONE = re.compile(r"(?:no|default) maximum-paths(?! ibgp)")


def read_max_paths(block: CapturedStanza) -> Setting[int]:
    """Return the fewest paths that an address family of the default VRF may have; mark the lines that say so.

    Unset at the head of the block where no line says.
    """
    found: dict[int, Setting[int]] = {}
    vrf: int | None = None
    place = block.capture.where
    block.mark(block.head.index, LineState.MODELLED)
    for line in block.lines:
        if vrf is not None and line.indent > vrf:
            continue
        vrf = line.indent if _VRF.match(line.text) else None
        if match := _MOST.match(line.text):
            found[line.index] = Known(int(match["count"]), Origin.INTENDED, place(line.index))
        elif _NONE.match(line.text):
            found = {line.index: Unset(place(line.index))}
        else:
            continue
        block.mark(line.index, LineState.MODELLED)
    known = [each for each in found.values() if isinstance(each, Known)]
    silent = next(iter(found.values()), Unset(place(block.head.index)))
    return min(known, key=lambda each: each.value) if known else silent


def build_ecmp(
    fields: Setting[frozenset[HashField]], seed: Setting[int], max_paths: Setting[int], *, is_whole: bool
) -> Ecmp:
    """Return how a switch spreads flows; what a part of its configuration does not write may stand elsewhere."""
    return Ecmp(_unless_part(fields, is_whole=is_whole), _unless_part(seed, is_whole=is_whole), max_paths)


def _unless_part(found: Setting[S], *, is_whole: bool) -> Setting[S]:
    return ONLY_PART if not is_whole and is_silent(found) else found
