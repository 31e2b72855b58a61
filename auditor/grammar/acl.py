"""Access lists: the DSCPs and UDP ports that their `permit` lines match, and whether they let RoCEv2 pass."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from auditor.grammar.layers import fall_back
from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.port import AccessList
from auditor.model.qos import IpFamily
from auditor.model.setting import Known, Setting, Unknown, Unset, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class AclRule:
    """A rule of an access list; `rest` is what stands behind `permit` or `deny`."""

    sequence: int
    permits: bool
    rest: str


@dataclass(frozen=True)
class Acl:
    """An access list: its rules in the order in which they are tried.

    `family` is the version of IP that it reads, None where it reads none or both. Without rules its contents are
    unknown: it is empty, or two lists have the name.
    """

    name: str
    where: Where
    rules: tuple[AclRule, ...] = ()
    family: IpFamily | None = None

    @property
    def dscp(self) -> tuple[int, ...]:
        """The DSCPs that it permits, empty where it permits any, or `is_whole` is False."""
        return self._permits[1]

    @property
    def udp_port(self) -> int | None:
        """The UDP destination port that it permits, None where it permits any, or `is_whole` is False."""
        return self._permits[0]

    @property
    def is_whole(self) -> bool:
        """Whether `dscp` and `udp_port` are all that decides, and no address, source port, protocol or `deny`."""
        return self._permits[2]

    @cached_property
    def passes_roce(self) -> bool | None:
        """Whether it lets RoCEv2 pass that arrives at a port with it, None where addresses or code points decide."""
        return _judge([(rule.permits, _takes_roce(rule.rest)) for rule in self.rules]) if self.rules else None

    @cached_property
    def _permits(self) -> tuple[int | None, tuple[int, ...], bool]:
        found = [_permit(rule.rest) if rule.permits else None for rule in self.rules]
        permits = [each for each in found if each is not None]
        if len(permits) < len(found) or len({port for port, _ in permits}) != 1:
            return None, (), False
        points = [dscp for _, dscp in permits]
        return permits[0][0], tuple(sorted({p for each in points for p in each})) if all(points) else (), True


_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
_LINE = regex(r"(?:(?:seq )?(?P<sequence>\d{1,10}) )?(?P<action>permit|deny|remark) ?(?P<rest>.*)", re.ASCII)
_UNDONE = regex(r"no (?:(?:seq )?(?P<sequence>\d{1,10})\b.*|(?P<action>permit|deny) (?P<rest>.*))\Z", re.ASCII)
_STEP = 10
"""How much higher than the last one the sequence number of a rule is that has none of its own."""
_PERMITTED = regex(
    r"(?:ip|ipv6|udp) any any(?: (?<=udp any any )eq (?P<port>\d{1,5}))?(?: dscp (?P<dscp>\S+))?(?: log)?\Z"
)


def read_acl(
    node: Node, place: Callable[[int], Where], mark: Callable[[int, LineState], None], acls: dict[str, Acl]
) -> Acl | None:
    """Add the rules of a stanza to its list in *acls* and return the list; None where the header is malformed.

    Marks each line. The contents are unknown where a list of another family has the name.
    """
    words = node.text.split()
    if len(words) < 3:  # noqa: PLR2004  `ip access-list NAME`
        return None
    mark(node.index, LineState.CONDITIONAL)
    name, family = words[2], _FAMILIES.get(words[0])
    known = acls.get(name, Acl(name, place(node.index), family=family))
    rules = {rule.sequence: rule for rule in known.rules}
    for child in node.children:
        line = _LINE.match(child.text)
        undone = _UNDONE.match(child.text)
        mark(child.index, LineState.CONDITIONAL if line or undone else LineState.IGNORED)
        if undone:
            for sequence in [number for number, rule in rules.items() if _is_meant(undone, rule)]:
                del rules[sequence]
        elif line and line["action"] != "remark":
            sequence = int(line["sequence"]) if line["sequence"] else max(rules, default=0) + _STEP
            rules.setdefault(sequence, AclRule(sequence, line["action"] == "permit", line["rest"]))
    ordered = tuple(rules[sequence] for sequence in sorted(rules))
    acls[name] = replace(known, rules=ordered) if known.family is family else Acl(name, place(node.index))
    return acls[name]


def _is_meant(undone: re.Match[str], rule: AclRule) -> bool:
    """Return whether the line *undone* takes *rule* back, by its number or by its words."""
    if undone["sequence"]:
        return rule.sequence == int(undone["sequence"])
    return (rule.permits, rule.rest) == (undone["action"] == "permit", undone["rest"])


def find_access(name: Setting[str], acls: Mapping[str, Acl], nothing: Unset) -> Setting[AccessList]:
    """Return the access list called *name* on what arrives at a port, *nothing* where no line writes one."""
    if not isinstance(name, Known):
        return fall_back(name, nothing)
    found = acls.get(name.value)
    if found is None:
        return Unknown(f"access list {name.value} is not in the dump")
    return Known(AccessList(name.value, found.passes_roce), name.origin, name.where)


def _permit(rest: str) -> tuple[int | None, tuple[int, ...]] | None:
    """Return UDP port (None: any) and DSCPs (empty: any) of a permit line, None where it reads anything else.

    >>> _permit("udp any any eq 4791 dscp af31"), _permit("ip any any"), _permit("tcp any any dscp 26")
    ((4791, (26,)), (None, ()), None)
    """
    found = _PERMITTED.match(rest.strip())
    if found is None:
        return None
    dscp = expand(found["dscp"], 0, 63, DSCP_NAMES) if found["dscp"] else ()
    return None if dscp is None else (int(found["port"]) if found["port"] else None, dscp)


_ROCE = 4791
_OF_UDP = frozenset({"ip", "ipv4", "ipv6", "udp", "17"})
"""Protocols of a rule that takes UDP."""
_NOT_UDP = frozenset(
    {
        *("ah", "ahp", "eigrp", "esp", "gre", "icmp", "icmp6", "icmpv6", "igmp", "ipip", "nos", "ospf", "pcp", "pim"),
        *("rsvp", "sctp", "tcp", "vrrp"),
    }
)
"""Names of other protocols."""
_OPERATORS = {"eq": 1, "neq": 1, "gt": 1, "lt": 1, "range": 2}
"""Comparisons of a port, with the least number of their words."""
_MAX_DIGITS = 6
"""Digits of a port, and one more."""


def _judge(rules: Sequence[tuple[bool, bool | None]]) -> bool | None:
    """Return whether rules, each whether it permits and whether it takes all RoCE, let it pass; None if unclear.

    The first rule that takes a packet decides, and what none takes is dropped.

    >>> _judge([(True, False)]), _judge([(True, None)]), _judge([(False, None), (False, True)]), _judge([(True, True)])
    (False, None, False, True)
    """
    decided = next((permits for permits, takes in rules if takes), False)
    before = [permits for permits, takes in takewhile(lambda rule: not rule[1], rules) if takes is None]
    return decided if all(permits is decided for permits in before) else None


def _takes_roce(rest: str) -> bool | None:
    """Return whether a rule takes RoCEv2 packets: all of them, none, or (None) those of some addresses or code points.

    >>> [_takes_roce(rest) for rest in ("ip any any", "tcp any any", "udp any any eq 4791", "udp any any eq domain")]
    [True, False, True, False]
    >>> [_takes_roce(rest) for rest in ("udp any any range 4000 5000", "ip 10.0.0.0/8 any", "ip any any dscp 26")]
    [True, None, None]
    >>> [_takes_roce(rest) for rest in ("host 10.0.0.1", "udp any any eq 53 4791", "udp any any eq domain ntp 4791")]
    [None, True, None]
    """
    words = rest.split()
    protocol = words[0] if words else ""
    if protocol in _NOT_UDP or (protocol.isdecimal() and protocol not in _OF_UDP):
        return False
    if protocol not in _OF_UDP or words[1:2] != ["any"]:
        return None
    source, left = _compare_port(words[2:])
    if left[:1] != ["any"]:
        return None
    target, left = _compare_port(left[1:])
    if target is False:
        return False
    return True if source is None and not set(left) - {"log"} else None


def _compare_port(words: Sequence[str]) -> tuple[bool | None, Sequence[str]]:
    """Return whether a comparison may hold for the port of RoCE, None where there is none, and the words behind it.

    `eq` and `neq` may name several ports, also by names of services.

    >>> _compare_port(["eq", "4791", "any"]), _compare_port(["lt", "1024"]), _compare_port(["eq", "domain", "ntp"])
    ((True, ['any']), (False, []), (False, ['ntp']))
    """
    least = _OPERATORS.get(words[0]) if words else None
    if least is None:
        return None, words
    span = list(takewhile(lambda word: word not in {"any", "host"} and not set(word) & set("./:"), words[1:]))
    count = least
    if words[0] in {"eq", "neq"}:
        count += sum(1 for _ in takewhile(str.isdecimal, span[least:]))
    numbers = [int(word) if word.isdecimal() and len(word) < _MAX_DIGITS else -1 for word in span[:count]]
    left = words[1 + count :]
    if len(numbers) < least:
        return None, left
    holds = {
        "eq": str(_ROCE) in span,
        "neq": str(_ROCE) not in span,
        "gt": 0 <= numbers[0] < _ROCE,
        "lt": numbers[0] > _ROCE,
        "range": numbers[0] <= _ROCE <= numbers[-1],
    }
    return holds[words[0]], left
