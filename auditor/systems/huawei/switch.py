"""What a CloudEngine switch has written for all its ports: PFC profiles, DiffServ domains, drop profiles."""

import re
from dataclasses import dataclass, field

from auditor.grammar.body import DROP_PROFILE, QueueBody, known
from auditor.grammar.config import Config, Place
from auditor.grammar.interfaces import numbers as listed_numbers
from auditor.grammar.tree import Node
from auditor.model.dump import LineState
from auditor.model.qos import Threshold, Unit, WredDrop
from auditor.model.setting import Known, Setting, Where
from auditor.systems.huawei.interfaces import DOMAIN, PFC_PROFILE, QUEUE

PHBS = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")
"""Per-hop behaviours by the number of their queue."""
KBYTE = 1000
"""Huawei does not document whether a kbyte is 1000 or 1024 bytes; no rule hangs on the difference."""


@dataclass(slots=True)
class Domain:
    """A DiffServ domain: code points to internal priorities, and these to the DSCP that leaves."""

    dscp: dict[int, Known[int]] = field(default_factory=dict)
    pcp: dict[int, Known[int]] = field(default_factory=dict)
    to_dscp: dict[str, Known[int]] = field(default_factory=dict)


@dataclass(slots=True)
class Vrp:
    """What is written for the whole switch."""

    no_drop: dict[str, dict[int, Setting[bool]]] = field(default_factory=dict)
    watched: dict[str, dict[int, Where]] = field(default_factory=dict)
    deadlock: Where | None = None
    domains: dict[str, Domain] = field(default_factory=dict)
    profiles: dict[str, QueueBody] = field(default_factory=dict)
    queues: dict[int, QueueBody] = field(default_factory=dict)


_PRIORITY = re.compile(r"priority (?P<numbers>\d(?:(?: to)? \d)*)(?: (?P<rest>[a-z].*))?\Z")
_PROFILE_HEAD = re.compile(r"dcb pfc(?: (?P<name>(?!dscp-mapping|buffer|uplink|deadlock|xon)\S+))?\Z")
_INBOUND = re.compile(
    r"(?P<what>ip-dscp|8021p)-inbound (?P<values>\d[\d to]*?) phb (?P<phb>\w+)(?: (?P<colour>green|yellow|red))?\Z"
)
_OUTBOUND = re.compile(r"ip-dscp-outbound (?P<phb>\w+) (?P<colour>green|yellow|red) map (?P<value>\d{1,2})\Z")
_UNITS = r"(?: (?:cells?|bytes|kbytes|mbytes))?"
_CURVE = re.compile(
    r"(?:ecn|color (?P<colour>green|yellow|red|non-tcp))(?P<size> buffer-size)?(?P<unit>" + _UNITS + r")"
    r" low-limit (?P<low>\d{1,9})(?P<low_unit>"
    + _UNITS
    + r") high-limit (?P<high>\d{1,9})(?P<high_unit>"
    + _UNITS
    + r")"
    r" discard-percentage (?P<probability>\d{1,3})\Z"
)


def block(config: Config[Vrp], node: Node, place: Place) -> bool:
    """Read a view or line of the whole switch."""
    head, words = _PROFILE_HEAD.match(node.text), node.text.split()
    if head:
        _pfc_profile(config, node, head["name"] or "", place)
    elif words[:2] == ["diffserv", "domain"] and len(words) > 2:  # noqa: PLR2004  and its name
        _domain(config, node, words[2], place)
    elif words[0] == "drop-profile" and len(words) > 1:
        _drop_profile(config, node, words[1], place)
    elif node.text.startswith("dcb pfc deadlock-detect"):
        config.system.deadlock = place(node.index)
        config.states[node.index] = LineState.NOT_MODELLED
    elif (queue := QUEUE.match(node.text)) and queue["profile"]:
        said = config.system.queues.setdefault(int(queue["queue"]), QueueBody(place(node.index)))
        said.profile = known(queue["profile"], place(node.index))
        config.used.setdefault((DROP_PROFILE, queue["profile"]), place(node.index))
        config.states[node.index] = LineState.MODELLED
    else:
        return False
    return True


def _pfc_profile(config: Config[Vrp], node: Node, name: str, place: Place) -> None:
    config.states[node.index] = LineState.MODELLED
    if name:
        config.defined[PFC_PROFILE, name] = place(node.index)
    no_drop = config.system.no_drop.setdefault(name, {})
    for child in node.children:
        text = child.text.removeprefix("undo ")
        match = _PRIORITY.match(text)
        numbers = listed_numbers(match["numbers"], 7) if match else None
        if match is None or numbers is None:
            continue
        where = place(child.index)
        is_deadlock = (match["rest"] or "").startswith("deadlock-detect")
        config.states[child.index] = LineState.MODELLED
        if is_deadlock and text == child.text:
            config.system.watched.setdefault(name, {}).update(dict.fromkeys(numbers, where))
        elif match["rest"]:
            config.states[child.index] = LineState.NOT_MODELLED
        else:
            no_drop.update(dict.fromkeys(numbers, known(text == child.text, where)))


def _domain(config: Config[Vrp], node: Node, name: str, place: Place) -> None:
    config.states[node.index] = LineState.MODELLED
    config.defined.setdefault((DOMAIN, name), place(node.index))
    domain = config.system.domains.setdefault(name, Domain())
    for child in node.children:
        inbound, outbound = _INBOUND.match(child.text), _OUTBOUND.match(child.text)
        where = place(child.index)
        if inbound and inbound["phb"] in PHBS:
            is_dscp = inbound["what"] == "ip-dscp"
            values = listed_numbers(inbound["values"], 63 if is_dscp else 7)
            if values is not None:
                table = domain.dscp if is_dscp else domain.pcp
                table.update(dict.fromkeys(values, known(PHBS.index(inbound["phb"]), where)))
                config.states[child.index] = LineState.MODELLED
        elif outbound and outbound["phb"] in PHBS and int(outbound["value"]) < 64:  # noqa: PLR2004  DSCPs
            if outbound["colour"] == "green":
                domain.to_dscp[outbound["phb"]] = known(int(outbound["value"]), where)
            config.states[child.index] = LineState.MODELLED
        else:
            config.states[child.index] = LineState.NOT_MODELLED


def _drop_profile(config: Config[Vrp], node: Node, name: str, place: Place) -> None:
    """Read a WRED drop profile: what it drops by colour, and what it marks."""
    config.states[node.index] = LineState.MODELLED
    config.defined.setdefault((DROP_PROFILE, name), place(node.index))
    profile = config.system.profiles.setdefault(name, QueueBody(place(node.index)))
    for child in node.children:
        match, where = _CURVE.match(child.text), place(child.index)
        if match is None or int(match["probability"]) > 100:  # noqa: PLR2004  percent
            continue
        config.states[child.index] = LineState.MODELLED
        low = _threshold(match["low"], match["low_unit"] or match["unit"], match["size"])
        high = _threshold(match["high"], match["high_unit"] or match["unit"], match["size"])
        probability = int(match["probability"]) / 100
        if match["colour"]:
            drop = WredDrop(match["colour"], low.bytes, high.bytes, probability)
            profile.drops[match["colour"]] = known(drop, where)
        else:
            profile.ecn_min, profile.ecn_max = known(low, where), known(high, where)
            profile.probability = known(probability, where)


def _threshold(number: str, unit: str, size: str | None) -> Threshold:
    """Return a threshold: percent of the queue's buffer, or behind `buffer-size` an amount (of bytes)."""
    if not size:
        return Threshold(int(number), Unit.PERCENT)
    if unit.strip().startswith("cell"):
        return Threshold(int(number), Unit.CELLS)
    return Threshold(int(number) * {"kbytes": KBYTE, "mbytes": KBYTE**2}.get(unit.strip(), 1), Unit.BYTES)
