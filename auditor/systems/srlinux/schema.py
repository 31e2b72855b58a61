"""The statements of SR Linux that bear on RoCE: which of them are modelled, and which words are leaves.

Source: https://github.com/nokia/srlinux-yang-models, releases 22.6 to 25.3.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from auditor.model.dump import LineState

MODELLED = """
interface * admin-state
interface * breakout-mode breakout-port-speed
interface * breakout-mode channel-speed
interface * breakout-mode num-breakout-ports
interface * breakout-mode num-channels
interface * description
interface * ethernet aggregate-id
interface * ethernet auto-negotiate
interface * ethernet flow-control receive
interface * ethernet flow-control transmit
interface * ethernet forward-error-correction fec-option
interface * ethernet port-speed
interface * loopback-mode
interface * mtu
interface * num-physical-channels
interface * transceiver forward-error-correction
interface * vlan-tagging
interface * subinterface * type
interface * subinterface * ip-mtu
interface * subinterface * l2-mtu
interface * subinterface * vlan encap
interface * subinterface * qos input classifiers default-forwarding-class
interface * subinterface * qos input classifiers dscp
interface * subinterface * qos input classifiers dscp-policy
interface * subinterface * qos input classifiers ipv4-dscp
interface * subinterface * qos input classifiers ipv4-dscp-policy
interface * subinterface * qos input classifiers ipv6-dscp
interface * subinterface * qos input classifiers ipv6-dscp-policy
interface * subinterface * qos output rewrite-rules dscp
interface * subinterface * qos output rewrite-rules dscp-policy
interface * subinterface * qos output rewrite-rules ipv4-dscp
interface * subinterface * qos output rewrite-rules ipv4-dscp-policy
interface * qos output queue * template
interface * qos output queue * voq-template
interface * qos output queue * scheduling peak-rate-percent
interface * qos output queue * scheduling strict-priority
interface * qos output queue * scheduling weight
interface * qos output unicast-queue * template
interface * qos output unicast-queue * voq-template
interface * qos output unicast-queue * scheduling peak-rate-percent
interface * qos output unicast-queue * scheduling strict-priority
interface * qos output unicast-queue * scheduling weight
network-instance * type
network-instance * interface *
qos queues queue * queue-index
qos queues pfc-queue * queue-index
qos forwarding-classes forwarding-class * forwarding-class-index
qos forwarding-classes forwarding-class * output queue
qos forwarding-classes forwarding-class * output unicast-queue
qos classifiers dscp-policy * dscp * forwarding-class
qos classifiers dscp-policy * dscp * drop-probability
qos rewrite-rules dscp-policy * map * dscp
qos rewrite-rules dscp-policy * map * drop-probability * dscp
qos pfc-mapping-profile * received-traffic unicast-mapping pfc-queue * dot1p
qos pfc-mapping-profile * received-traffic unicast-mapping pfc-queue * forwarding-class
qos pfc-mapping-profile * received-traffic unicast-mapping pfc-queue * pfc-pause-frame-priority
qos pfc-mapping-profile * received-pfc-pause-frames deadlock enable
qos pfc-mapping-profile * received-pfc-pause-frames deadlock detection-timer
qos pfc-mapping-profile * received-pfc-pause-frames deadlock recovery-timer
qos pfc-mapping-profile * received-pfc-pause-frames queue * pfc-pause-frame-priority
qos pfc-mapping-profile * received-pfc-pause-frames queue * enable-pfc
qos scheduler-policies scheduler-policy * scheduler * priority
qos scheduler-policies scheduler-policy * scheduler * input * input-type
qos scheduler-policies scheduler-policy * scheduler * input * queue-name
qos scheduler-policies scheduler-policy * scheduler * input * queue
qos scheduler-policies scheduler-policy * scheduler * input * peak-rate-percent
qos scheduler-policies scheduler-policy * scheduler * input * weight
qos buffer-management queue-management-profile * wred wred-slope
qos buffer-management buffer-allocation-profile * queues queue * maximum-burst-size
qos buffer-management buffer-allocation-profile * queues queue * committed-burst-size
qos buffer-management buffer-allocation-profile * queues pfc-queue * maximum-burst-size
qos buffer-management buffer-allocation-profile * queues pfc-queue * maximum-pfc-reserved-share-bytes
qos buffer-management buffer-allocation-profile * queues pfc-queue * use-dynamic-allocation
qos queue-templates queue-template * queue-depth maximum-burst-size
qos queue-templates queue-template * active-queue-management wred-slope
qos queue-templates queue-template * active-queue-management ecn-slope
qos interfaces interface * interface-ref interface
qos interfaces interface * interface-ref subinterface
qos interfaces interface * pfc pfc-enable
qos interfaces interface * pfc pfc-mapping-profile
qos interfaces interface * input classifiers default forwarding-class
qos interfaces interface * input classifiers dscp-policy
qos interfaces interface * input classifiers ipv4-dscp-policy
qos interfaces interface * input classifiers ipv6-dscp-policy
qos interfaces interface * input pfc-buffer-allocation-profile
qos interfaces interface * output buffer-allocation-profile
qos interfaces interface * output queues queue * queue-management-profile
qos interfaces interface * output scheduler scheduler-policy
qos interfaces interface * output rewrite-rules dscp-policy
qos interfaces interface * output rewrite-rules ipv4-dscp-policy
system name host-name
system mtu default-port-mtu
system mtu default-ip-mtu
system mtu default-l2-mtu
"""
"""Statements that the model takes up; `*` is the key of a list entry, and values follow a leaf."""
NOT_MODELLED = """
interface * qos
interface * subinterface * qos
interface * subinterface * acl
interface * storm-control
interface * ethernet storm-control
interface * load-balancing
qos explicit-congestion-notification
qos queues queue-depth-sampling
qos forwarding-classes forwarding-class * output multicast-queue
qos forwarding-classes forwarding-class * output slope-policy
qos forwarding-classes forwarding-class * input
qos resource-management
qos input-class-map
qos output-class-map
qos out-class-map
qos policer-policies
qos policer-templates
qos policers
qos cbs-size-table
qos classifiers vxlan-default
qos classifiers mpls-traffic-class-policy
qos classifiers dot1p-policy
qos classifiers dscp-reclassify-policy
qos classifiers dscp-policy * dscp * profile
qos classifiers dscp-policy * dscp * de-out-profile
qos classifiers dscp-policy * dscp * ip-rewrite-policy
qos rewrite-rules vxlan-outer-header-dscp-policy
qos rewrite-rules mpls-traffic-class-policy
qos rewrite-rules dot1p-policy
qos rewrite-rules ip-rewrite-policy
qos rewrite-rules ip-remark-policy
qos rewrite-rules dscp-policy * map * profile
qos scheduler-policies scheduling-priority-mapping-table
qos scheduler-policies queue-scheduling-policy
qos scheduler-policies sched-class-scheduling-policy
qos preserve-dscp
qos pfc-mapping-profile * received-traffic unicast-mapping pfc-queue * enable-pfc
qos interfaces interface * input classifiers dot1p-policy
qos interfaces interface * input classifiers mpls-traffic-class-policy
qos interfaces interface * input classifiers default drop-probability
qos interfaces interface * input classifiers default profile
qos interfaces interface * input classifiers ler-use-dscp
qos interfaces interface * input classifiers match-qinq-dot1p
qos interfaces interface * input classifiers tos-rewrite-state
qos interfaces interface * input input-class-map
qos interfaces interface * input policer-policies
qos interfaces interface * input policer-templates
qos interfaces interface * output interface-pool-policy
qos interfaces interface * output dscp-reclassify-policy
qos interfaces interface * output output-class-map
qos interfaces interface * output scheduler queue-scheduling-policy
qos interfaces interface * output scheduler sched-class-scheduling-policy
qos interfaces interface * output scheduler tier
qos interfaces interface * output rewrite-rules ipv6-dscp-policy
qos interfaces interface * output rewrite-rules dot1p-policy
qos interfaces interface * output rewrite-rules mpls-traffic-class-policy
qos interfaces interface * output rewrite-rules dscp-rewrite
qos interfaces interface * output rewrite-rules qinq-rewrite-outer-only
qos buffer-management committed-burst-size-table
qos buffer-management slope-policy
qos buffer-management queue-management-profile * weight-factor
qos queue-templates queue-template * active-queue-management weight-factor
qos buffer-management fp-pool-policy
qos buffer-management interface-pool-policy
qos buffer-management buffer-allocation-profile * queues queue * mbs-adaptation-rule
qos buffer-management buffer-allocation-profile * queues queue * cbs-adaptation-rule
qos buffer-management buffer-allocation-profile * queues queue * high-threshold-bytes
qos buffer-management buffer-allocation-profile * queues queue * interface-pool
qos buffer-management buffer-allocation-profile * queues pfc-queue * maximum-pfc-reserved-share-percentage
qos buffer-management buffer-allocation-profile * queues pfc-queue * committed-burst-size
qos buffer-management buffer-allocation-profile * queues pfc-queue * pfc-off-threshold
qos buffer-management buffer-allocation-profile * queues pfc-queue * pfc-on-threshold
qos queue-templates queue-template * queue-depth high-threshold-bytes
qos linecard
qos forwarding-complexes
system load-balancing
"""
"""Statements that bear on quality of service and that the model does not take up."""
LEAVES = frozenset(
    {
        "admin-state",
        "aggregate-id",
        "breakout-port-speed",
        "channel-speed",
        "default-ip-mtu",
        "default-l2-mtu",
        "default-port-mtu",
        "description",
        "detection-timer",
        "enable-pfc",
        "forwarding-class-index",
        "host-name",
        "ip-mtu",
        "l2-mtu",
        "max-drop-probability-percent",
        "max-probability",
        "max-threshold",
        "max-threshold-percent",
        "maximum-burst-size",
        "maximum-pfc-reserved-share-bytes",
        "min-threshold",
        "min-threshold-percent",
        "mtu",
        "multicast-queue",
        "num-breakout-ports",
        "num-channels",
        "peak-rate-percent",
        "pfc-enable",
        "pfc-pause-frame-priority",
        "port-speed",
        "queue-index",
        "queue-name",
        "receive",
        "recovery-timer",
        "transmit",
        "vlan-tagging",
        "weight",
    }
)
"""Words that a value follows wherever they stand; what follows that value on its line is another statement."""
_Node: TypeAlias = "dict[str, _Node | LineState]"
_REST = ""
"""The key of the state of what is below a node and has no entry of its own."""


def _build(tables: Mapping[LineState, str]) -> _Node:
    root: _Node = {}
    for state, table in tables.items():
        for line in table.split("\n"):
            node = root
            for word in line.split():
                below = node.setdefault(word, {})
                node = below if isinstance(below, dict) else node
            node.setdefault(_REST, state)
    root.pop(_REST, None)
    return root


_TABLE = _build({LineState.MODELLED: MODELLED, LineState.NOT_MODELLED: NOT_MODELLED})
_SAFE = frozenset({"mtu", "flow-control", "pfc", "qos"})
"""Words below an interface that read like quality of service."""


def find_state(path: Sequence[str]) -> LineState:
    """Return the state of the line of a statement.

    >>> find_state(("interface", "ethernet-1/1", "mtu", "9000")), find_state(("qos", "surprise", "1"))
    (<LineState.MODELLED: 'modelled'>, <LineState.UNRECOGNISED: 'unrecognised'>)
    """
    node: _Node = _TABLE
    for place, word in enumerate(path):
        below = node.get(word, node.get("*"))
        if not isinstance(below, dict):
            return _rest(node, path, place)
        node = below
    found = node.get(_REST)
    return found if isinstance(found, LineState) else LineState.MODELLED


def _rest(node: _Node, path: Sequence[str], place: int) -> LineState:
    found = node.get(_REST)
    if isinstance(found, LineState):
        return found
    if path[0] == "qos" or (place and path[0] == "interface" and path[place] in _SAFE):
        return LineState.UNRECOGNISED
    return LineState.IGNORED


@lru_cache(maxsize=1024)
def _is_leaf(above: str, word: str) -> bool:
    is_block = (above, word) == ("system", "mtu")
    return (word in LEAVES and not is_block) or above in {"interface-ref", "breakout-mode"}


def split_leaves(path: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the statements of one line, which may set several leaves of one block.

    >>> list(split_leaves("interface ethernet-1/1 breakout-mode num-channels 4 channel-speed 25G".split()))[1]
    ['interface', 'ethernet-1/1', 'breakout-mode', 'channel-speed', '25G']
    """
    block: list[str] = []
    place, is_whole = 0, False
    while place < len(path):
        word = path[place]
        if place + 1 < len(path) and _is_leaf(block[-1] if block else "", word):
            yield [*block, word, path[place + 1]]
            place, is_whole = place + 2, True
            continue
        block.append(word)
        place, is_whole = place + 1, False
    if not is_whole:
        yield block
