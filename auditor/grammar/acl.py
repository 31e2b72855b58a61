"""Access lists in class maps: the DSCPs and UDP ports that their `permit` lines match."""

import re
from collections.abc import Callable
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

    `is_whole` is False, and nothing else is told, where it also denies, reads addresses, source ports or other
    protocols, or permits several ports.
    """

    name: str
    where: Where
    dscp: tuple[int, ...] = ()
    udp_port: int | None = None
    is_whole: bool = False
    family: IpFamily | None = None


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
    is_whole = True
    for child in node.children:
        line = _LINE.match(child.text)
        mark(child.index, LineState.CONDITIONAL if line else LineState.IGNORED)
        if line is None or line["action"] == "remark":
            continue
        permit = _permit(line["rest"]) if line["action"] == "permit" else None
        if permit is None:
            is_whole = False
        else:
            permits.append(permit)
    ports = {port for port, _ in permits}
    if not is_whole or len(ports) != 1:
        return Acl(words[2], place(node.index), family=family)
    points = [dscp for _, dscp in permits]
    dscp = tuple(sorted({p for each in points for p in each})) if all(points) else ()
    return Acl(words[2], place(node.index), dscp, ports.pop(), is_whole=True, family=family)


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
