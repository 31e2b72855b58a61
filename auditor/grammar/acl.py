"""Access lists in class maps: the DSCPs and UDP ports that their `permit` lines match."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.grammar.numbers import DSCP_NAMES, expand
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import IpFamily
from auditor.model.setting import Where


@dataclass(frozen=True, slots=True)
class Acl:
    """An access list: the DSCPs (empty: any) and the UDP destination ports (None: any) that it permits.

    `family` is the version of IP that it reads, None where it reads none or both.

    `is_whole` is False, and nothing else of these is told, where it also denies, reads addresses, source ports or other
    protocols, or permits several ports. `passes_roce` is whether it lets RoCEv2 pass that arrives at a port with it,
    None where addresses or code points decide.
    """

    name: str
    where: Where
    dscp: tuple[int, ...] = ()
    udp_port: int | None = None
    is_whole: bool = False
    family: IpFamily | None = None
    passes_roce: bool | None = None


_FAMILIES = {"ip": IpFamily.IPV4, "ipv6": IpFamily.IPV6}
_LINE = re.compile(r"(?:(?:seq )?\d+ )?(?P<action>permit|deny|remark) ?(?P<rest>.*)")
_PERMITTED = re.compile(
    r"(?:ip|ipv6|udp) any any(?: (?<=udp any any )eq (?P<port>\d{1,5}))?(?: dscp (?P<dscp>\S+))?(?: log)?\Z"
)


def read_acl(node: Node, place: Callable[[int], Where], mark: Callable[[int, LineState], None]) -> Acl | None:
    """Return the access list of a stanza, None where its header is malformed; marks each line."""
    words = node.text.split()
    if len(words) < 3:  # noqa: PLR2004  `ip access-list NAME`
        return None
    mark(node.index, LineState.CONDITIONAL)
    family = _FAMILIES.get(words[0])
    permits: list[tuple[int | None, tuple[int, ...]]] = []
    rules: list[tuple[bool, bool | None]] = []
    is_whole = True
    for child in node.children:
        line = _LINE.match(child.text)
        mark(child.index, LineState.CONDITIONAL if line else LineState.IGNORED)
        if line is None or line["action"] == "remark":
            continue
        rules.append((line["action"] == "permit", _takes_roce(line["rest"])))
        permit = _permit(line["rest"]) if line["action"] == "permit" else None
        if permit is None:
            is_whole = False
        else:
            permits.append(permit)
    ports = {port for port, _ in permits}
    if not is_whole or len(ports) != 1:
        return Acl(words[2], place(node.index), family=family, passes_roce=_judge(rules))
    points = [dscp for _, dscp in permits]
    dscp = tuple(sorted({p for each in points for p in each})) if all(points) else ()
    passes = _judge(rules)
    return Acl(words[2], place(node.index), dscp, ports.pop(), is_whole=True, family=family, passes_roce=passes)


def keep_acl(acls: dict[str, Acl], found: Acl) -> None:
    """Add an access list to *acls*; its contents are unknown if a list of another family has the name."""
    known = acls.get(found.name, found)
    acls[found.name] = found if known.family is found.family else Acl(found.name, found.where)


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
_OF_UDP = frozenset({"ip", "ipv4", "ipv6", "any", "udp", "17"})
"""Protocols of a rule that takes UDP."""
_OPERATORS = {"eq": 1, "neq": 1, "gt": 1, "lt": 1, "range": 2}
"""Comparisons of a port, with the number of their words."""


def _judge(rules: Sequence[tuple[bool, bool | None]]) -> bool | None:
    """Return whether rules, each whether it permits and whether it takes all RoCE, let it pass; None if unclear.

    The first rule that takes a packet decides, and what none takes is dropped.

    >>> _judge([(True, False)]), _judge([(True, None)]), _judge([(False, None), (False, True)]), _judge([(True, True)])
    (False, None, False, True)
    """
    decided = next((permits for permits, takes in rules if takes), False)
    before = []
    for permits, takes in rules:
        if takes:
            break
        if takes is None:
            before.append(permits)
    return decided if all(permits is decided for permits in before) else None


def _takes_roce(rest: str) -> bool | None:
    """Return whether a rule takes RoCEv2 packets: all of them, none, or (None) those of some addresses or code points.

    >>> [_takes_roce(rest) for rest in ("ip any any", "tcp any any", "udp any any eq 4791", "udp any any eq domain")]
    [True, False, True, False]
    >>> [_takes_roce(rest) for rest in ("udp any any range 4000 5000", "ip 10.0.0.0/8 any", "ip any any dscp 26")]
    [True, None, None]
    """
    words = rest.split()
    if not words or words[0] not in _OF_UDP:
        return False if words and (words[0].isalpha() or words[0].isdecimal()) else None
    if words[1:2] != ["any"]:
        return None
    source, left = _read_port(words[2:])
    if left[:1] != ["any"]:
        return None
    target, left = _read_port(left[1:])
    if target is False:
        return False
    return True if source is None and not set(left) - {"log"} else None


def _read_port(words: Sequence[str]) -> tuple[bool | None, Sequence[str]]:
    """Return whether a comparison holds for the port of RoCE, None where there is none, and the words behind it."""
    count = _OPERATORS.get(words[0]) if words else None
    if count is None:
        return None, words
    numbers = [int(word) if word.isdecimal() and len(word) < _LONG else -1 for word in words[1 : count + 1]]
    if len(numbers) < count:
        return None, words[count + 1 :]
    holds = {
        "eq": numbers[0] == _ROCE,
        "neq": numbers[0] != _ROCE,
        "gt": 0 <= numbers[0] < _ROCE,
        "lt": numbers[0] > _ROCE,
        "range": numbers[0] <= _ROCE <= numbers[-1],
    }
    return holds[words[0]], words[count + 1 :]


_LONG = 7
