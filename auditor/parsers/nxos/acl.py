"""Access lists that class maps match: what their `permit` lines say of DSCP and UDP port."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from auditor.model.dump import LineState
from auditor.model.setting import Where
from auditor.parsers.nxos.numbers import DSCP_NAMES, expand
from auditor.parsers.tree import Node


@dataclass(frozen=True, slots=True)
class Acl:
    """An access list: `dscp` and `udp_port` hold where all its permit lines agree on them and nothing is denied."""

    name: str
    where: Where
    dscp: tuple[int, ...] = ()
    udp_port: int | None = None


_LINE = re.compile(r"(?:\d+ )?(?P<action>permit|deny|remark) ?(?P<rest>.*)")
_DSCP = re.compile(r"\bdscp (\S+)")
_PORT = re.compile(r"^udp .*\beq (\d{1,5})(?:\s|\Z)")


def read_acl(node: Node, place: Callable[[int], Where], mark: Callable[[int, LineState], None]) -> Acl | None:
    """Return the access list of a stanza, None where its header is malformed; marks each line."""
    words = node.text.split()
    if len(words) < 3:  # noqa: PLR2004  `ip access-list NAME`
        return None
    mark(node.index, LineState.CONDITIONAL)
    dscps: set[tuple[int, ...]] = set()
    ports: set[int | None] = set()
    denies = False
    for child in node.children:
        line = _LINE.match(child.text)
        mark(child.index, LineState.CONDITIONAL if line else LineState.IGNORED)
        if line is None or line["action"] == "remark":
            continue
        denies |= line["action"] == "deny"
        dscp = _DSCP.search(line["rest"])
        dscps.add((expand(dscp[1], 0, 63, DSCP_NAMES) or ()) if dscp else ())
        port = _PORT.match(line["rest"])
        ports.add(int(port[1]) if port else None)
    agreed = not denies
    return Acl(
        words[2],
        place(node.index),
        next(iter(dscps)) if agreed and len(dscps) == 1 else (),
        next(iter(ports)) if agreed and len(ports) == 1 else None,
    )
