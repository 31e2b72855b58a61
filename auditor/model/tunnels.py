"""VXLAN tunnels of a switch: what their outer headers say of the packets inside."""

from auditor.model.setting import NOT_COLLECTED, Setting
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Tunnels:
    """The marking of a switch's tunnels; both are not collected where the dump shows no tunnel.

    `outer_dscp` is the DSCP that all packets get on the outside, None where each brings its own. `copies_ecn`: the bits
    of ECN get from the packet into the outer header, and marks of switches between come back (RFC 6040).
    """

    outer_dscp: Setting[int | None] = NOT_COLLECTED
    copies_ecn: Setting[bool] = NOT_COLLECTED
