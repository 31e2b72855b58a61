"""Lists of `net add` and `net del` commands (NCLU, up to release 4.4) as NVUE statements."""

from collections.abc import Iterator, Sequence

from auditor.model.dump import Capture, LineState
from auditor.systems.cumulus import nvset
from auditor.systems.cumulus.names import list_interfaces
from auditor.systems.cumulus.nvset import is_own
from auditor.systems.cumulus.objects import NvueStatement, Proof
from auditor.util.regex import regex

LAST = "4.4"
"""The last release with these commands."""
_COMMAND = regex(r"\s*(?:[\w.-]{1,64}@[\w.:-]{1,64}\S{0,80}[$#] ?)?(?:sudo )?net (?P<verb>add|del)\s+(?P<rest>\S.*)")
_LINK = {
    ("mtu",): "mtu",
    ("link", "speed"): "speed",
    ("link", "fec"): "fec",
    ("link", "autoneg"): "auto-negotiate",
    ("breakout",): "breakout",
}
"""Settings of a port with one value, and the name of each below `link`."""
_QOS = frozenset({"roce", "storage-optimized", "pfc", "ecn"})
"""Words of commands on quality of service; what `storage-optimized` pauses and marks is on no page."""


def is_command(line: str) -> bool:
    """Return whether *line* is a `net add` or `net del` command."""
    return _COMMAND.match(line) is not None


def sessions_last(captures: Sequence[Capture]) -> Sequence[Capture]:
    """Return *captures* with lists of commands behind configurations.

    The order of files is that of their names, and commands are typed after the configuration that they change.
    """
    return captures if len(captures) < 2 else sorted(captures, key=_is_session)  # noqa: PLR2004  nothing to order


def _is_session(capture: Capture) -> bool:
    if capture.command:
        return nvset.is_command(capture.command)
    return any(nvset.is_command(line) or is_command(line) for line in capture.lines)


def read(capture: Capture, states: list[LineState]) -> list[NvueStatement]:
    """Return the statements of the commands; mark their lines in *states*, and blank ones."""
    found: list[NvueStatement] = []
    for index, line in enumerate(capture.lines):
        command = _COMMAND.match(line)
        if command is None and line.strip():
            continue
        words = command["rest"].split() if command else []
        told = list(_statements(words))
        states[index] = LineState.UNRECOGNISED if _QOS & {*words} and not told else LineState.IGNORED
        for said in told:
            proof = Proof(capture.where(index), is_own=is_own(said))
            is_unset = command is not None and command["verb"] == "del"
            whole = said[:2] if is_unset and said[0] == "qos" else said
            found.append(NvueStatement(whole, proof, is_unset, (index,)))
    return found


def _statements(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    match words:
        case ["roce", *_, "lossless" | "lossy" as mode]:
            yield ("qos", "roce", "mode", mode)
        case ["hostname", name]:
            yield ("system", "hostname", name)
        case ["bond", name, "bond", "slaves", members]:
            for member in list_interfaces(members) or ():
                yield ("interface", name, "bond", "member", member)
        case ["bridge", "bridge", "ports", members]:
            for member in list_interfaces(members) or ():
                yield ("interface", member, "bridge", "domain", "bridge")
        case ["interface" | "bond", names, *said] if list_interfaces(names):
            yield from _of_interface(names, said)


def _of_interface(names: str, said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    at = ("interface", names)
    match said:
        case []:
            yield at
        case ["link", "down"]:
            yield (*at, "link", "state", "down")
        case ["alias", *text] if text:
            yield (*at, "description", " ".join(text))
        case ["ip" | "ipv6" as family, "address", address]:
            yield (*at, family, "address", address)
        case ["bridge", "access", vlan]:
            yield (*at, "bridge", "domain", "bridge", "access", vlan)
        case [*key] if tuple(key) in _LINK:
            yield (*at, "link", _LINK[tuple(key)])
        case [*key, value] if tuple(key) in _LINK:
            yield (*at, "link", _LINK[tuple(key)], value)
