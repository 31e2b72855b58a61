"""Names of interfaces as IOS XR writes them: the kind tells the rate, the numbers rack, slot, instance, port, lane."""

import re

from auditor.grammar.ports import write_in_full
from auditor.util.regex import regex

RATES = {
    "GigabitEthernet": 1.0,
    "TenGigE": 10.0,
    "TwentyFiveGigE": 25.0,
    "FortyGigE": 40.0,
    "FiftyGigE": 50.0,
    "HundredGigE": 100.0,
    "TwoHundredGigE": 200.0,
    "FourHundredGigE": 400.0,
    "EightHundredGigE": 800.0,
}
KIND_OF_RATE = {rate: kind for kind, rate in RATES.items()}
PORT = regex(rf"(?P<kind>{'|'.join(RATES)})(?P<slot>\d+/\d+)/\d+/\d+(?P<lane>/\d+)?\Z")
_ABBREVIATIONS = {
    "GigabitEthernet": "gi(?:gabitethernet)?",
    "TenGigE": "te(?:ngige)?",
    "TwentyFiveGigE": "t(?:f|wentyfivegige)",
    "FortyGigE": "fo(?:rtygige)?",
    "FiftyGigE": "fi(?:ftygige)?",
    "HundredGigE": "hu(?:ndredgige)?",
    "TwoHundredGigE": "t(?:h|wohundredgige)",
    "FourHundredGigE": "f(?:h|ourhundredgige)",
    "EightHundredGigE": "e(?:h|ighthundredgige)",
    "Bundle-Ether": "b(?:e|undle-ether)",
}
SHORT_KINDS = "Gi|Te|TF|Fo|Fi|Hu|TH|FH|EH|Mg"
"""How tables begin the names of ports."""
_KINDS = tuple((kind, regex(rf"{short} ?(?=\d)", re.IGNORECASE | re.ASCII)) for kind, short in _ABBREVIATIONS.items())


def complete_name(name: str) -> str:
    """Return an interface name in full, without a blank.

    >>> [complete_name(name) for name in ("Hu0/0/0/1", "FourHundredGigE 0/0/0/2", "BE7", "Null0")]
    ['HundredGigE0/0/0/1', 'FourHundredGigE0/0/0/2', 'Bundle-Ether7', 'Null0']
    """
    return write_in_full(name, _KINDS)


def list_names(text: str) -> tuple[str, ...] | None:
    """Return the interface that a header names; IOS XR has no ranges.

    >>> list_names("Hu0/0/0/1"), list_names("HundredGigE 0/0/0/1.7"), list_names("")
    (('HundredGigE0/0/0/1',), ('HundredGigE0/0/0/1.7',), None)
    """
    return (complete_name(text),) if text else None


def find_kind(port: str) -> str:
    """Return the kind of a port, empty for another interface."""
    match = PORT.match(port)
    return match["kind"] if match else ""


def find_rate(port: str) -> float:
    """Return the rate in Gb/s that the name of a port tells, 0 for another interface.

    >>> find_rate("FourHundredGigE0/0/0/1"), find_rate("Bundle-Ether1")
    (400.0, 0.0)
    """
    return RATES.get(find_kind(port), 0.0)


def carries_packets(name: str) -> bool:
    """Return whether an interface is a port, a bundle, or a subinterface of one.

    >>> [carries_packets(name) for name in ("TenGigE0/0/0/1.7", "Bundle-Ether7", "tunnel-te1", "MgmtEth0/RP0/CPU0/0")]
    [True, True, False, False]
    """
    main = name.partition(".")[0]
    return main.startswith("Bundle-Ether") or PORT.match(main) is not None


def find_location(port: str) -> str:
    """Return the rack and slot of a port, such as `0/0`; empty for another interface."""
    match = PORT.match(port)
    return match["slot"] if match else ""


def find_parent(port: str) -> str | None:
    """Return the optics that a port is a lane of, None for a whole port.

    >>> find_parent("HundredGigE0/0/0/5/2"), find_parent("HundredGigE0/0/0/5")
    ('Optics0/0/0/5', None)
    """
    match = PORT.match(port)
    if match is None or match["lane"] is None:
        return None
    return "Optics" + port.removeprefix(match["kind"]).rpartition("/")[0]
