"""Code points of Junos: bits, built-in names or aliases."""

from collections.abc import Mapping

from auditor.grammar.numbers import DSCP_NAMES

_DSCP = {
    **{name: value for name, value in DSCP_NAMES.items() if name != "default"},
    "be": 0,
    "nc1": 48,
    "nc2": 56,
}
_PCP = {"be": 0, "be1": 1, "ef": 2, "ef1": 3, "af11": 4, "af12": 5, "nc1": 6, "cs6": 6, "nc2": 7, "cs7": 7}
BUILT_IN: Mapping[str, Mapping[str, int]] = {
    "dscp": _DSCP,
    "dscp-ipv6": _DSCP,
    "ieee-802.1": _PCP,
    "inet-precedence": {
        "be": 0,
        "be1": 1,
        "ef": 2,
        "ef1": 3,
        "af11": 4,
        "af12": 5,
        "nc1": 6,
        "cs6": 6,
        "nc2": 7,
        "cs7": 7,
    },
}
"""By kind of code point, the built-in names on switches of the QFX series
(https://www.juniper.net/documentation/us/en/software/junos/traffic-mgmt-qfx/topics/concept/cos-qfx-series-code-points-understanding.html)."""
BITS: Mapping[str, int] = {"dscp": 6, "dscp-ipv6": 6, "ieee-802.1": 3, "inet-precedence": 3}
"""The kinds of code point that sort packets, and how many bits each has."""


def parse_code_point(kind: str, word: str, aliases: Mapping[str, int]) -> int | None:
    """Return the number of a code point, None if invalid: bits first, then an alias, then a built-in name.

    >>> [parse_code_point("dscp", word, {"rdma": 24}) for word in ("011010", "af31", "rdma", "26", "011")]
    [26, 26, 24, None, None]
    >>> parse_code_point("ieee-802.1", "011", {})
    3
    """
    if len(word) == BITS.get(kind) and not word.strip("01"):
        return int(word, 2)
    found = aliases.get(word)
    return BUILT_IN.get(kind, {}).get(word.lower()) if found is None else found
