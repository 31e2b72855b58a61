"""Forward error correction: both ends of a link run the same code, and run one where the speed is made for it.

Systems name the codes of IEEE 802.3 in their own words; `parse_code` brings them down to one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from auditor.checks.base import Cable, Context, Params
from auditor.checks.topology import make_difference
from auditor.model.fabric import Attached
from auditor.model.finding import Finding, Sign, Symptom
from auditor.model.port import Ethernet, PortConfig
from auditor.model.setting import Known, Undetermined, value_of
from auditor.util.regex import regex

NONE = "no FEC"
FIRECODE = "BASE-R (fire code) FEC"
RS = "RS-FEC"
_CODES = (
    (regex(r"off|none|no-?fec|disabled?"), NONE),
    (regex(r"fc|fire-?code(?:-?fec)?|base-?r(?:-?fec)?|fc-?fec|cl74(?:-?fc)?|fec74"), FIRECODE),
    (regex(r".*\bll-?rs.*|.*(?:271,257|272,257).*|llrs"), "low-latency RS-FEC"),
    (regex(r".*528.*"), "RS-FEC (528,514)"),
    (regex(r".*544.*"), "RS-FEC (544,514)"),
    (regex(r"rs|reed-?solomon|rs-?(?:fec|ieee|cons16|108)|(?:cl|fec)(?:91|108|119)(?:-?rs)?"), RS),
)
_DAMAGED = Symptom((Sign.DAMAGED,))
_ALWAYS_GBPS = 200
"""From here on IEEE 802.3 has no physical layer without RS-FEC: it is part of the PCS (clauses 119 and 172)."""
_PAM4_GBPS = 50
"""A lane of so much carries PAM4, which IEEE 802.3 defines with RS-FEC alone (clauses 91 and 134)."""


def parse_code(name: str) -> str | None:
    """Return the code of a system's *name*; None for `auto` and for an unknown name.

    >>> parse_code("reed-solomon"), parse_code("Off"), parse_code("Standard_RS-FEC - (544,514)"), parse_code("auto")
    ('RS-FEC', 'no FEC', 'RS-FEC (544,514)', None)
    """
    plain = re.sub(r"[\s_]+", "-", name.strip().lower())
    return next((meant for pattern, meant in _CODES if pattern.fullmatch(plain)), None)


def list_coded_cables(cable: Cable, _context: object) -> Iterable[Cable]:
    """Return each link that is up and whose ends both speak of FEC; a silent end leaves it to its medium."""
    ends = [end.port.config.ethernet for end in (cable.a, cable.b)]
    told = [end.fec.value for end in ends if isinstance(end.fec, Known)]
    return (cable,) if not cable.is_shut and len(told) == len(ends) and any(map(parse_code, told)) else ()


def fec_mismatch(cable: Cable, _params: Params, _context: object) -> Iterator[Finding]:
    """Two ends that code otherwise do not understand each other: the link stays down, or flaps."""
    (near, own), (far, theirs) = ((end, _find_code(end)) for end in (cable.a, cable.b))
    if _agree(own.value, theirs.value):
        return
    if _is_odd(far, theirs.value) and not _is_odd(near, own.value):
        (near, own), (far, theirs) = (far, theirs), (near, own)
    there = str(far.end)
    message = f"runs {own.value}, but {there} at the other end of the cable {theirs.value}"
    yield replace(make_difference(message, (near, own), (far, theirs)), symptom=_DAMAGED)


def _is_odd(end: Attached, code: str) -> bool:
    """Return whether most other ports of the device with the speed of this one, where they are up, run another code."""
    speed = value_of(end.port.config.ethernet.speed_gbps)
    likes = [
        parse_code(value_of(port.config.ethernet.fec) or "")
        for port in end.device.ports
        if port.name != end.port.name
        and not port.config.ethernet.is_shut
        and value_of(port.config.ethernet.speed_gbps) == speed
    ]
    known = [like for like in likes if like]
    return 2 * sum(not _agree(like, code) for like in known) > len(known)


def _find_code(end: Attached) -> Known[str]:
    told = end.known(end.port.config.ethernet.fec)
    meant = parse_code(told.value)
    if meant is None:
        why = f"{end.end}: FEC is {told.value!r}, and no capture shows which code runs"
        raise Undetermined(why, end.port.locate(told.where))
    return Known(meant, told.origin, told.where)


def _agree(a: str, b: str) -> bool:
    """Return whether two codes may be equal: a plain RS-FEC is the RS-FEC of the port's speed."""
    return a == b or (RS in {a, b} and a.startswith(RS) and b.startswith(RS))


def list_coded_ports(port: PortConfig, _context: Context) -> Iterable[PortConfig]:
    """Return ports that are up, whose speed is made for RS-FEC, and that say which code they run."""
    ethernet = port.ethernet
    is_up = not ethernet.is_shut
    return (port,) if is_up and parse_code(value_of(ethernet.fec) or "") and _explain_need(ethernet) else ()


def _explain_need(ethernet: Ethernet) -> str:
    """Return the reason for RS-FEC at a port; empty if speed and lanes do not require RS-FEC."""
    speed, lanes = value_of(ethernet.speed_gbps), value_of(ethernet.lanes)
    if speed and speed >= _ALWAYS_GBPS:
        return f"{speed:g} Gb/s"
    if speed and lanes and speed / lanes >= _PAM4_GBPS:
        return f"{speed:g} Gb/s over {'one lane' if lanes == 1 else f'{lanes} lanes'}"
    return ""


def fec_missing(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Where bits are sent faster than they arrive unharmed, a port without RS-FEC loses frames, pauses among them."""
    told = port.ethernet.fec.known()
    meant = parse_code(told.value)
    if meant in {NONE, FIRECODE}:
        message = f"runs {meant}, but {_explain_need(port.ethernet)} is defined with RS-FEC alone"
        yield Finding(message, told.where, symptom=_DAMAGED)
