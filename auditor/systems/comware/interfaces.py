"""Interfaces of Comware switches: what each statement says."""

import re
from collections.abc import Mapping, Sequence

from auditor.grammar import interfaces
from auditor.grammar.body import Body, QueueBody, known
from auditor.grammar.config import Reader
from auditor.grammar.numbers import expand
from auditor.model.dump import LineState
from auditor.model.port import PfcMode
from auditor.model.qos import Trust, WredDrop
from auditor.model.setting import Unknown, Unset, Where

WRED_TABLE = "qos wred queue table"
LONGEST_FRAME, LARGEST_MTU = 16384, 16384
_BUFFERS = (["dot1p"], ["deadlock"], ["early-warning"], ["poolid"], ["poolID"], ["config-style"], ["pause-time"])
_MODES = {"enable": PfcMode.ON, "auto": PfcMode.AUTO}
_COLOURS = {None: "any", "0": "green", "1": "yellow", "2": "red"}
_WRED = re.compile(
    r"queue (?P<queue>[0-7]) (?:(?P<ecn>ecn)|weighting-constant \d{1,2}|"
    r"(?:drop-level (?P<level>[0-2]) )?low-limit \d{1,6} high-limit \d{1,6}"
    r"(?: discard-probability (?P<probability>\d{1,3}))?)\Z"
)
DEFAULT_PROBABILITY = 10
"""Percent, where a line does not say: https://support.hpe.com/techhub/eginfolib/networking/docs/switches/5130hi/5998-8424b_acl-qos_cr/content/472932035.htm"""


def pfc(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    """Read `priority-flow-control …`, which an interface and the system write alike."""
    rest = list(words[1:])
    if (not rest and undo) or rest[:1] in (["enable"], ["auto"]):
        body.pfc_mode = known(PfcMode.OFF, where) if undo else known(_MODES[rest[0]], where)
    elif rest[:2] == ["no-drop", "dot1p"]:
        listed = expand(",".join(rest[2:]), 0, 7) if len(rest) > 2 else tuple(range(8))  # noqa: PLR2004
        if listed is None or (len(rest) == 2 and not undo):  # noqa: PLR2004  no list
            body.no_drop.update(dict.fromkeys(range(8), Unknown("the list of no-drop priorities is malformed")))
            return None
        body.no_drop.update(dict.fromkeys(listed, known(not undo, where)))
    elif rest == ["deadlock", "enable"]:
        body.watchdog = known(not undo, where)
    else:
        return LineState.NOT_MODELLED if rest[:1] in _BUFFERS else None
    return LineState.MODELLED


def wred(queues: dict[int, QueueBody], text: str, where: Where, undo: bool) -> LineState | None:
    """Read one line of WRED for a queue; what unit the limits are in differs between models."""
    match = _WRED.match(text)
    if match is None:
        return None
    queue = queues.setdefault(int(match["queue"]), QueueBody(where))
    if match["ecn"]:
        queue.ecn = known(not undo, where)
    elif "limit" in text:
        colour = _COLOURS[match["level"]]
        percent = int(match["probability"]) if match["probability"] else DEFAULT_PROBABILITY
        probability = min(percent, 100) / 100
        queue.drops[colour] = Unset(where) if undo else known(WredDrop(colour, None, None, probability), where)
        queue.probability = known(probability, where) if colour in {"any", "green"} else queue.probability
    return LineState.CONDITIONAL if "limit" in text else LineState.MODELLED


def _qos(body: Body, words: Sequence[str], where: Where, undo: bool) -> LineState | None:
    rest = list(words[1:])
    if rest[:1] == ["trust"]:
        return _trust(body, "".join(rest[1:]), where, undo)
    if rest[:2] == ["wred", "apply"]:
        named = len(rest) > 2 and not undo  # noqa: PLR2004  `qos wred apply NAME`
        body.names[WRED_TABLE] = known(rest[2], where) if named else Unset(where)
        return LineState.MODELLED
    if rest[:2] == ["wred", "queue"]:
        return wred(body.queues, " ".join(rest[1:]), where, undo)
    if rest[:2] == ["apply", "policy"] and "inbound" in rest:
        body.policy = Unset(where) if undo else known(rest[2], where)
        return LineState.CONDITIONAL
    return LineState.NOT_MODELLED


def _trust(body: Body, value: str, where: Where, undo: bool) -> LineState | None:
    found = {"dscp": Trust.DSCP, "dot1p": Trust.PCP, "none": Trust.NONE}.get(value)
    if undo:
        body.trust = Unset(where)
    elif found is None:
        body.trust = Unknown("what the port trusts is malformed")
        return None
    else:
        body.trust = known(found, where)
    return LineState.MODELLED


READERS: Mapping[str, Reader] = {
    "priority-flow-control": pfc,
    "qos": _qos,
    "mtu": interfaces.mtu(LARGEST_MTU),
    "jumboframe": interfaces.jumbo(LONGEST_FRAME),
    "shutdown": interfaces.shutdown,
    "speed": interfaces.speed,
    "port": interfaces.port,
    "flow-control": interfaces.flow_control,
}
