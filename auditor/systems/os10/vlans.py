"""Which VLANs a port of OS10 carries, from its `switchport` lines."""

from functools import lru_cache

from auditor.grammar.numbers import expand
from auditor.grammar.vlans import ACCESS, MAX_VLAN, MODE
from auditor.util.regex import regex

_ALLOWED = regex(r"(?P<no>no )?switchport trunk allowed vlan (?P<list>[\d, -]+)")


@lru_cache(maxsize=64)
def list_vlans(written: tuple[str, ...]) -> frozenset[int]:
    """Return the VLANs that a port carries: a trunk has those that its lines add up to, and its access VLAN untagged.

    `no switchport` takes back all lines before it, `no switchport access vlan` the access VLAN.

    >>> lines = ("no switchport", "switchport mode trunk", "switchport access vlan 2")
    >>> sorted(list_vlans((*lines, "switchport trunk allowed vlan 7", "switchport trunk allowed vlan 10-11")))
    [2, 7, 10, 11]
    """
    mode, access, tagged = "", 1, set[int]()
    for line in written:
        if line == "no switchport":
            mode, access, tagged = "", 1, set()
        elif line == "no switchport mode":
            mode = "access"
        elif line.startswith("no switchport access"):
            access = 1
        elif line.startswith("switchport"):
            mode = mode or "access"
        if match := MODE.match(line):
            mode = match["mode"]
        elif match := ACCESS.match(line):
            access = int(match["vlan"])
        elif match := _ALLOWED.match(line):
            listed = expand(match["list"], 1, MAX_VLAN) or ()
            tagged = tagged.difference(listed) if match["no"] else tagged.union(listed)
    if mode not in {"access", "trunk"}:
        return frozenset()
    return frozenset({access, *tagged} if mode == "trunk" else {access})
