"""How a switch spreads packets over equal-cost paths."""

from enum import StrEnum

from auditor.model.setting import NOT_COLLECTED, Setting
from auditor.util.values import dataclass


class Spreading(StrEnum):
    """What stays on one path: all packets of a flow, those of a burst (flowlet), or each packet by itself."""

    FLOW = "flow"
    FLOWLET = "flowlet"
    PACKET = "packet"


class HashField(StrEnum):
    """A field of a packet that the hash of equal-cost multipath (ECMP) reads; ports are those of UDP and TCP."""

    SOURCE_IP = "source_ip"
    DESTINATION_IP = "destination_ip"
    PROTOCOL = "protocol"
    SOURCE_PORT = "source_port"
    DESTINATION_PORT = "destination_port"
    FLOW_LABEL = "flow_label"
    QUEUE_PAIR = "queue_pair"
    INGRESS_PORT = "ingress_port"
    INNER = "inner"


@dataclass(frozen=True, slots=True)
class Ecmp:
    """Equal-cost multipath of a switch: what its hash reads, with which seed, and how many paths a route may have."""

    fields: Setting[frozenset[HashField]] = NOT_COLLECTED
    seed: Setting[int] = NOT_COLLECTED
    max_paths: Setting[int] = NOT_COLLECTED
