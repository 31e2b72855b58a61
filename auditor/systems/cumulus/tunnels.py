"""VXLAN tunnels of Cumulus Linux: the DSCP of their outer header."""

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unset
from auditor.systems.cumulus.objects import ObjectNode, find_value, parse_switch, parse_word

_NAMES = {**DSCP_NAMES, "be": 0}


def resolve_outer_dscp(root: ObjectNode) -> Setting[int]:
    """Return the DSCP of all outer headers; Unset where the DSCP comes from the inner packet.

    Cumulus Linux derives it from the switch priority by default (VXLAN Tunnel DSCP Operations).
    """
    vxlan = root.at("nve", "vxlan")
    runs = [find_value(vxlan, name, parse_switch) for name in ("state", "enable")]
    if vxlan is None or not any(isinstance(state, Known) and state.value for state in runs):
        return NOT_COLLECTED
    marking = vxlan.at("encapsulation", "dscp")
    action = find_value(marking, "action", parse_word)
    is_fixed = isinstance(action, Known) and action.value == "set"
    return find_value(marking, "value", _dscp) if is_fixed else Unset(marking.proof.where if marking else None)


def _dscp(text: str) -> int | None:
    found = expand(text, 0, 63, _NAMES)
    return found[0] if found and len(found) == 1 else None
