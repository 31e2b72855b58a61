"""Interfaces of CloudEngine switches: what each statement says."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar import interfaces
from auditor.grammar.body import Body, known
from auditor.grammar.config import Reader, Stanza
from auditor.grammar.tree import Node
from auditor.grammar.views import interface_view, listed
from auditor.model.dump import LineState
from auditor.model.port import PfcMode
from auditor.model.qos import Scheduler, Trust
from auditor.model.setting import Setting, Unknown, Unset, Where

DOMAIN, PFC_PROFILE = "diffserv domain", "dcb pfc"
LONGEST_FRAME, LARGEST_MTU = 12288, 9600


def _trust(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    what = words[1] if len(words) > 1 else ""
    if what == "upstream" and len(words) > 2:  # noqa: PLR2004  `trust upstream NAME`
        if words[2] == "none":
            body.trust = Unset(where) if undo else known(Trust.NONE, where)
        else:
            body.names[DOMAIN] = Unset(where) if undo else known(words[2], where)
        return LineState.MODELLED
    found = {"dscp": Trust.DSCP, "8021p": Trust.PCP}.get(what)
    if found is None:
        body.trust = Unknown("what the port trusts is malformed")
        return None
    body.trust = Unset(where) if undo else known(found, where)
    return LineState.MODELLED


_PFC = re.compile(r"dcb pfc enable(?: (?P<profile>(?!mode\b)\S+))?(?: mode (?P<mode>auto|manual))?\Z")


def _dcb(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    text = " ".join(words)
    match = _PFC.match(text)
    if match is None:
        return LineState.NOT_MODELLED if words[1:2] != ["pfc"] or words[2:3] in (["buffer"], ["xon"]) else None
    if undo:
        body.pfc_mode = known(PfcMode.OFF, where)
        return LineState.MODELLED
    modes: dict[str | None, Setting[PfcMode]] = {
        "manual": known(PfcMode.ON, where),
        "auto": known(PfcMode.AUTO, where),
        None: Unknown("which mode `dcb pfc enable` has without `mode` is not documented"),
    }
    body.pfc_mode = modes[match["mode"]]
    if match["profile"]:
        body.names[PFC_PROFILE] = known(match["profile"], where)
    return LineState.MODELLED


def _policy(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    if len(words) < 3 or words[2] != "inbound":  # noqa: PLR2004  `traffic-policy NAME inbound`
        return LineState.NOT_MODELLED
    body.policy = Unset(where) if undo else known(words[1], where)
    return LineState.CONDITIONAL


QUEUE = re.compile(r"qos queue (?P<queue>[0-7]) (?:(?P<ecn>ecn)|wred (?P<profile>\S+))\Z")
_SCHEDULER = re.compile(r"qos (?P<kind>pq|drr|wrr) (?P<queues>[\d to]+)\Z")
_WEIGHT = re.compile(r"qos queue (?P<queue>[0-7]) (?:drr|wrr) weight (?P<weight>\d{1,3})\Z")
_SCHEDULERS = {"pq": Scheduler.STRICT, "drr": Scheduler.DWRR, "wrr": Scheduler.WRR}


def _qos(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read what concerns one queue, and whether leaving packets are marked anew."""
    text = " ".join(words)
    queue, scheduler, weight = QUEUE.match(text), _SCHEDULER.match(text), _WEIGHT.match(text)
    if text == "qos phb marking dscp enable":
        body.rewrite = known(not undo, where)
    elif queue and queue["ecn"]:
        body.queue(int(queue["queue"]), where).ecn = known(not undo, where)
    elif queue:
        body.queue(int(queue["queue"]), where).profile = Unset(where) if undo else known(queue["profile"], where)
    elif weight and not undo:
        body.queue(int(weight["queue"]), where).weight = known(int(weight["weight"]), where)
    elif scheduler and not undo and (found := interfaces.numbers(scheduler["queues"].strip(), 7)) is not None:
        for number in found:
            body.queue(number, where).scheduler = known(_SCHEDULERS[scheduler["kind"]], where)
    else:
        return LineState.NOT_MODELLED if not queue and not scheduler else None
    return LineState.MODELLED


READERS: Mapping[str, Reader] = {
    "trust": _trust,
    "dcb": _dcb,
    "mtu": interfaces.mtu(LARGEST_MTU),
    "jumboframe": interfaces.jumbo(LONGEST_FRAME),
    "shutdown": interfaces.shutdown,
    "speed": interfaces.speed,
    "port": interfaces.port,
    "portswitch": interfaces.portswitch,
    "flow-control": interfaces.flow_control,
    "traffic-policy": _policy,
    "qos": _qos,
}


def stanza(node: Node) -> Stanza | None:
    """Return the interfaces that a view speaks of: its own, a range, or the members of a port group."""
    words = node.text.split()
    if words[0] != "port-group" or len(words) == 1:
        return interface_view(node)
    members = [child.text.split()[1:] for child in node.children if child.text.startswith("group-member ")]
    found = [listed(each[1:] if each[:1] == ["interface"] else each) for each in members]
    statements = tuple(child for child in node.children if not child.text.startswith("group-member "))
    if not statements or None in found:
        return None
    return tuple(name for each in found if each for name in each), statements
