"""Commands with several settings of one level: `set ... interpolate fill-level 30 drop-probability 0`.

The command line accepts the next setting of a level after a value; the switch prints each on its own line.
"""

from collections.abc import Iterator, Sequence

_RATES = frozenset({"transmit-rate", "shaping-rate", "buffer-size", "guaranteed-rate", "excess-rate"})
_KINDS = frozenset({"percent", "temporal", "proportion"})
_AFTER_RATES = frozenset({"exact", "rate-limit"})
_VALUES = frozenset(
    """
    fill-level drop-probability priority drop-profile buffer-dynamic-threshold excess-priority scheduler-map
    congestion-notification-profile output-traffic-control-profile dscp dscp-ipv6 ieee-802.1 cable-length detection
    poll-interval recovery watchdog-action xon percent dynamic-threshold mtu speed channel-speed description
    number-of-sub-ports fec 802.3ad queue-num pfc-priority
    """.split()  # noqa: SIM905  a list of names
)
"""Settings of one value."""
_FLAGS = frozenset({"explicit-congestion-notification", "pfc", "flow-control", "no-flow-control", "disable", "no-loss"})
_BEGINS = {
    ("class-of-service", "drop-profiles"): 4,
    ("class-of-service", "forwarding-classes"): 4,
    ("class-of-service", "schedulers"): 3,
    ("class-of-service", "traffic-control-profiles"): 3,
    ("class-of-service", "interfaces"): 3,
    ("class-of-service", "congestion-notification-profile"): 3,
    ("class-of-service", "shared-buffer"): 2,
    ("chassis", "fpc"): 4,
}
"""How many words of a statement are names and so no settings, by where it stands."""
_DEFINES = frozenset({"dscp", "dscp-ipv6", "ieee-802.1"})

_SINGLE = frozenset(
    [
        "mtu",
        "speed",
        "description",
        "host-name",
        "scheduler-map",
        "congestion-notification-profile",
        "output-traffic-control-profile",
        "scheduler",
        "percent",
        "dynamic-threshold",
        "fill-level",
        "drop-probability",
        "priority",
        "transmit-rate",
        "shaping-rate",
        "buffer-size",
        "queue-num",
        "pfc-priority",
        "cable-length",
        "mru",
        "xon",
        "detection",
        "poll-interval",
        "recovery",
        "drop-profile",
        "interface-mode",
        "channel-speed",
        "number-of-sub-ports",
        "802.3ad",
        "version",
        "fec",
        "native-vlan-id",
        "watchdog-action",
    ]
)
"""Statements that hold one value: a group's gives way to what is written."""
_SINGLE_ON_INTERFACES = frozenset({"dscp", "dscp-ipv6", "ieee-802.1", "inet-precedence"})
"""Those of which an interface names one, while others define many."""


def holds_one_value(path: Sequence[str]) -> bool:
    """Tell whether the last word of *path* is a setting of one value, by what it is and where it stands.

    >>> holds_one_value(["interfaces", "et-0/0/0", "mtu"]), holds_one_value(["class-of-service", "classifiers", "dscp"])
    (True, False)
    """
    on_interface = path[-1] in _SINGLE_ON_INTERFACES and tuple(path[:2]) == ("class-of-service", "interfaces")
    return on_interface or path[-1] in _SINGLE


def split_path(path: Sequence[str]) -> Iterator[list[str]]:
    """Yield the statements of a command in their order; most commands have one.

    >>> list(split_path("class-of-service schedulers s transmit-rate percent 5 priority low".split()))[1]
    ['class-of-service', 'schedulers', 's', 'priority', 'low']
    """
    here = list(path)
    at = begin(here)
    while at and at < len(here):
        after = at + _length(here, at)
        if at < after < len(here):
            yield here[:after]
            here = here[:at] + here[after:]
        else:
            at += 1
    yield here


def begin(path: Sequence[str]) -> int:
    """Return the place of the first word that can be a setting; 0 without one."""
    offset = 2 if path[:1] == ["groups"] else 0
    inner = tuple(path[offset : offset + 2])
    if inner[:1] == ("interfaces",):
        return offset + 2
    return offset + _BEGINS[inner] if inner in _BEGINS else 0


def _length(words: Sequence[str], at: int) -> int:
    """Return the number of words of the setting at *at*, 0 if the word is not a known setting."""
    word, following = words[at], words[at + 1 : at + 3]
    if word in _RATES and following:
        count = 3 if following[0] in _KINDS and len(following) > 1 else 2
        return count + any(after in _AFTER_RATES for after in words[at + count : at + count + 1])
    if word in _DEFINES and following[:1] == ["code-point"]:
        return 0
    return 2 if word in _VALUES else 1 if word in _FLAGS else 0
