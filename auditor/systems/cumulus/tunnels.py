"""VXLAN tunnels of Cumulus Linux: the marking of their outer header."""

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.model.setting import Known, Origin, Setting, Unset
from auditor.model.tunnels import Tunnels
from auditor.systems.cumulus.objects import ObjectNode, find_value, parse_switch, parse_word

_NAMES = {**DSCP_NAMES, "be": 0}


_PAGE = "https://docs.nvidia.com/networking-ethernet-software/cumulus-linux-57/Network-Virtualization/VXLAN-Tunnel-DSCP"


def read_tunnels(root: ObjectNode) -> Tunnels:
    """Return what the outer headers say; ECN is carried on by RFC 6040, whatever the configuration says.

    Cumulus Linux derives the outer DSCP from the switch priority by default (VXLAN Tunnel DSCP Operations).
    """
    vxlan = root.at("nve", "vxlan")
    runs = [find_value(vxlan, name, parse_switch) for name in ("state", "enable")]
    if vxlan is None or not any(isinstance(state, Known) and state.value for state in runs):
        return Tunnels()
    carries = Known(value=True, origin=Origin.DEFAULT, where=vxlan.proof.where, reference=_PAGE)
    return Tunnels(_find_outer_dscp(vxlan), carries)


def _find_outer_dscp(vxlan: ObjectNode) -> Setting[int | None]:
    marking = vxlan.at("encapsulation", "dscp")
    action = find_value(marking, "action", parse_word)
    if isinstance(action, Known) and action.value == "copy":
        return Known(None, action.origin, action.where)
    is_fixed = isinstance(action, Known) and action.value == "set"
    return find_value(marking, "value", _dscp) if is_fixed else Unset(marking.proof.where if marking else None)


def _dscp(text: str) -> int | None:
    found = expand(text, 0, 63, _NAMES)
    return found[0] if found and len(found) == 1 else None
