"""`/etc/network/interfaces` of ifupdown2, and an FRR configuration after it, as NVUE statements."""

from auditor.model.dump import Capture, LineState
from auditor.systems.cumulus.names import list_interfaces
from auditor.systems.cumulus.objects import NvueStatement, Proof
from auditor.util.regex import regex

_HEAD = regex(r"(?P<verb>auto|iface|allow-\S+)\s+(?P<names>\S+)")
_SETTINGS = {
    "mtu": ("link", "mtu"),
    "link-speed": ("link", "speed"),
    "link-fec": ("link", "fec"),
    "link-autoneg": ("link", "auto-negotiate"),
    "alias": ("description",),
}
_FRR = regex(
    r"(?:frr |router |ip |ipv6 |route-map |line |log |service |username |vrf |vni |neighbor |network |address-family |"
    r"exit|match |set |end\b|bgp |password |no |redistribute |advertise|debug |!)"
)


def read(capture: Capture, states: list[LineState]) -> list[NvueStatement]:
    """Return the statements of the file; mark each line in *states*."""
    found: list[NvueStatement] = []
    names = ""
    for index, line in enumerate(capture.lines):
        words = line.split()
        proof = Proof(capture.where(index))
        if not words or words[0][0] in "#!":
            states[index] = LineState.IGNORED
            continue
        head = _HEAD.fullmatch(" ".join(words[:2]))
        if head:
            names = head["names"] if list_interfaces(head["names"]) else ""
            own = Proof(proof.where, is_own="-" not in names)
            states[index] = LineState.MODELLED
            said = ("link", "state", "up") if head["verb"] == "auto" else ()
            found.append(NvueStatement(("interface", names or "lo", *said), own, lines=(index,)))
        elif words[0] == "hostname" and len(words) > 1:
            states[index] = LineState.MODELLED
            found.append(NvueStatement(("system", "hostname", words[1]), proof, lines=(index,)))
        elif not line[:1].isspace() and _FRR.match(line):
            names = ""
            states[index] = LineState.IGNORED
        elif names and line[:1].isspace():
            states[index] = _setting(found, names, words, Proof(proof.where, is_own="-" not in names), index)
        else:
            states[index] = LineState.IGNORED
    return found


def _setting(found: list[NvueStatement], names: str, words: list[str], proof: Proof, index: int) -> LineState:
    """Make statements of one line of an interface; return its state."""
    key, rest = words[0], words[1:]
    at = ("interface", names)
    if key in _SETTINGS and rest:
        found.append(NvueStatement((*at, *_SETTINGS[key], " ".join(rest)), proof, lines=(index,)))
    elif key == "address" and rest:
        found.append(NvueStatement((*at, "ip", "address", rest[0]), proof, lines=(index,)))
    elif key == "link-down" and rest == ["yes"]:
        found.append(NvueStatement((*at, "link", "state", "down"), proof, lines=(index,)))
    elif key == "bond-slaves":
        members = (name for word in rest for name in list_interfaces(word.removeprefix("glob ")) or ())
        found.extend(NvueStatement((*at, "bond", "member", name), proof, lines=(index,)) for name in members)
    elif key == "bridge-access" and rest:
        found.append(NvueStatement((*at, "bridge", "domain", "bridge", "access", rest[0]), proof, lines=(index,)))
    elif key == "bridge-ports":
        ports = (name for word in rest if word != "glob" for name in list_interfaces(word) or ())
        found.extend(
            NvueStatement(("interface", port, "bridge", "domain", names), proof, lines=(index,)) for port in ports
        )
    else:
        return LineState.IGNORED
    return LineState.MODELLED
