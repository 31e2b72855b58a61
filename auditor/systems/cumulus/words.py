"""The state of each NVUE statement: modelled, known but not modelled, irrelevant, or unrecognised."""

from auditor.model.dump import LineState
from auditor.util.regex import regex

_LIST = r"[\d,\- ]+"
_SWITCH = r"(?:on|off|enabled?|disabled?|true|false|yes|no)"
_PROFILED = r"(?:mapping|remark|pfc|link-pause|congestion-control|egress-scheduler|egress-shaper|egress-queue-mapping)"
_MODELLED = regex(
    "|".join(
        (
            (
                rf"qos roce(?: (?:enable|state)(?: {_SWITCH})?| mode lossless| mode lossy| mode lossless-single-ipool"
                r"| mode lossy-multi-tc)?"
            ),
            r"qos roce cable-length \d+",
            rf"qos {_PROFILED}(?: \S+)?",
            (
                rf"qos mapping \S+ (?:trust (?:l2|l3|both|port)|port-default-sp [0-7]|(?:dscp|pcp) {_LIST}"
                r"(?: switch-priority [0-7])?)"
            ),
            rf"qos remark \S+ (?:rewrite (?:l2|l3|both)|switch-priority {_LIST}(?: (?:pcp|dscp) \d{{1,2}})?)",
            (
                rf"qos pfc \S+ (?:switch-priority {_LIST}|[rt]x {_SWITCH}|cable-length \d+|port-buffer \d+(?: ?B)?"
                r"|xo(?:ff|n)-threshold \d+(?: ?B)?)"
            ),
            rf"qos link-pause \S+ (?:[rt]x {_SWITCH}|cable-length \d+)",
            (
                rf"qos congestion-control \S+ traffic-class {_LIST}(?: (?:(?:min|max)-threshold(?:-bytes)? \d+(?: ?B)?"
                rf"|probability \d+|(?:ecn|red) {_SWITCH}))?"
            ),
            rf"qos egress-scheduler \S+ traffic-class {_LIST}(?: (?:mode (?:dwrr|strict)|bw-percent \d+))?",
            rf"qos egress-queue-mapping \S+ switch-priority {_LIST}(?: traffic-class \d+)?",
            rf"qos egress-shaper \S+ (?:traffic-class {_LIST} max-rate|port-max-rate) \d+",
            r"qos pfc-watchdog (?:polling-interval|robustness) \d+",
            rf"qos traffic-pool \S+ (?:memory-percent \d+|switch-priority {_LIST})",
            r"qos advance-buffer-config \S+ (?:in|e)gress-lossless-buffer shared-alpha \S+",
            r"qos advance-buffer-config \S+ egress-lossless-buffer (?:reserved|shared-bytes) \d+",
            (
                rf"qos advance-buffer-config \S+ egress-lossy-buffer traffic-class {_LIST}"
                r" (?:shared-alpha \S+|(?:reserved|shared-bytes) \d+)"
            ),
            rf"interface \S+ qos(?: {_PROFILED} (?:profile )?\S+| pfc-watchdog(?: state {_SWITCH})?)?",
            (
                r"interface \S+ link (?:mtu \d+|(?:speed|fec|auto-negotiate) \S+|lanes \d+"
                r"|state(?: (?:up|down|enabled|disabled))?|breakout(?: \S+)?(?: lanes-per-port \d+)?)"
            ),
            r"interface \S+ (?:bridge domain \S+(?: (?:access|untagged|vlan) \S+)?|(?:ip|ipv4|ipv6) address \S+)",
            r"vrf \S+ router bgp neighbor swp\S+ type unnumbered",
            rf"(?:interface \S+ )?router adaptive-routing(?: (?:enable|state)(?: {_SWITCH})?)?",
            r"interface \S+ (?:type \S+|description .+|bond member \S+|vlan \d{1,4}|base-interface \S+)",
            r"bridge domain \S+ (?:vlan|untagged) \S+",
            r"interface \S+",
            r"nve vxlan encapsulation dscp (?:action (?:copy|derive|set)|value \S+)",
            r"system hostname \S+",
            rf"system forwarding (?:ecmp-hash(?: [a-z0-9-]+(?: {_SWITCH})?)?|hash-seed \d+)",
            r"vrf default router bgp address-family ipv4-unicast multipaths ebgp \d+",
        )
    )
)
_NOT_MODELLED = regex(
    r"qos (?:link-pause|egress-shaper|traffic-pool|advance-buffer-config|buffer|pfc-watchdog) .+|"
    r"qos roce (?:mode dci-1|(?!mode |enable |state )\S.*)|"
    r"qos pfc \S+ small-packet-probability .+|"
    r"interface \S+ (?:lldp dcbx\S*|packet-trim|router adaptive-routing|storm-control|qos \S+)\b.*|"
    r"interface \S+ link (?:duplex|breakout|lanes|fast-linkup|dot1x|mac|flap-protection|traffic)\b.*|"
    r"nve vxlan (?:en|de)capsulation dscp\b.*|"
    r"router adaptive-routing\b.*|system (?:forwarding|lldp|traffic|wjh|link)\b.*|system port-group\b.*"
)
_IGNORED = regex(
    r"(?:acl|bridge|evpn|interface|maintenance|mlag|nve|platform|router|service|system|vrf|header|cluster|ib)\b"
)


_UNSET = regex(
    rf"(?:qos(?: (?:roce|pfc-watchdog|traffic-pool|{_PROFILED})\b.*)?|"
    r"interface \S+(?: (?:qos|link|bond|bridge|ip|ipv4|ipv6|description)\b.*)?)"
)


def find_state(words: tuple[str, ...], *, is_unset: bool = False) -> LineState:
    """Return what is done with a statement.

    >>> find_state(("qos", "pfc", "p", "switch-priority", "3")).value
    'modelled'
    >>> find_state(("qos", "pfc", "p", "switch-prio", "3")).value, find_state(("router", "bgp")).value
    ('unrecognised', 'ignored')
    """
    text = " ".join(words)
    if _MODELLED.fullmatch(text) or (is_unset and _UNSET.fullmatch(text)):
        return LineState.MODELLED
    if _NOT_MODELLED.fullmatch(text):
        return LineState.NOT_MODELLED
    return LineState.IGNORED if _IGNORED.match(text) else LineState.UNRECOGNISED
