"""Whether a link runs, in the words of the kernel, of `rdma`, of `ibv_devinfo` and of `ibstat`."""

import re

from auditor.model.nic import Nic
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux.evidence import PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex

_STATE = regex(r"(?:\d{1,2}: *)?(?:PORT_)?(ACTIVE|UP|DOWN)(?: *\(\d{1,2}\))?", re.IGNORECASE)


def parse_link_state(text: str) -> bool | None:
    """Return whether state *text* is that of a link that runs; None for a state in between, such as `INIT`.

    >>> parse_link_state("PORT_ACTIVE (4)"), parse_link_state("1: DOWN"), parse_link_state("ARMED")
    (True, False, None)
    """
    match = _STATE.fullmatch(text.strip())
    return match[1].upper() != "DOWN" if match else None


def describe_link(about: Subject, is_up: bool, where: Where, rank: Rank = Rank.FALLBACK) -> PortFact:
    """Return the fact that the link of *about* runs or not; the state of the netdev outranks that of an RDMA port."""
    nic = Nic(link_up=Known(is_up, Origin.LEARNED, where))
    return PortFact(about, make_nic_port(nic, where), Strength.LISTED, rank)
