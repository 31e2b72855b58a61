"""`ip`, `ethtool`, `systemctl`, `setpci` and `modprobe`: what they change in what the kernel and its tools print."""

import re
from collections.abc import Sequence
from dataclasses import replace

from auditor.systems.linux.effects.edit import Captures, Edit, Lines, edit_captures, in_turn, replace_matches
from auditor.systems.linux.effects.files import rewrite_file
from auditor.systems.linux.effects.names import find_devices
from auditor.systems.linux.effects.shell import ShellCommand
from auditor.systems.linux.portnames import parse_pci
from auditor.util.regex import regex

_DEVICE = regex(r"((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ")
_SWITCHES = frozenset({"on", "off"})
_RDMA_DEVICE = regex(r"hca_id:\s*+(\S++)")
_ACTIVE_MTU = regex(r"^(\s*+active_mtu:\s*+)\d++ \(\d\)")
_HEADERS_BYTES = 96
"""GRH, UDP, BTH, XRC and atomic headers, and ICRC."""
_WRITE = regex(r"(CAP_EXP\+8\.w|ECAP_ACS\+6\.w)=([0-9a-f]{4})(?::(0010|7000))?")
"""Registers that rules write: ordering and read requests of the device control, and the flags of access control."""
ACS = ("SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")
"""Flags of access control services, from bit 0 on."""


def set_link(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `ip link set dev IF mtu N`."""
    words = [word for word in typed.words if word != "dev"]
    if words[:2] != ["link", "set"] or words[3:4] != ["mtu"] or len(words) != 5 or not words[4].isdecimal():  # noqa: PLR2004
        return None
    name, size = re.escape(words[2]), words[4]
    as_json = re.compile(rf'("ifname"\s*:\s*"{name}"[^{{}}]{{0,400}}?"mtu"\s*:\s*)\d+')
    as_text = re.compile(rf"(\d+:\s+{name}(?:@\S+)?:\s+<[^>]*>.*?\bmtu\s)\d+")

    def edit(lines: Lines) -> Lines:
        joined = as_json.sub(lambda match: match[1] + size, "\n".join(lines))
        return [as_text.sub(lambda match: match[1] + size, line) for line in joined.split("\n")] if lines else lines

    shown = edit_captures(captures, "ip -d link", lambda *_: True, edit)
    devices = find_devices(words[2], captures)
    return (
        None if shown is None else edit_captures(shown, "ibv_devinfo", lambda *_: True, _set_path(devices, int(size)))
    )


def _set_path(devices: frozenset[str], size: int) -> Edit:
    """Return what writes the path MTU that the kernel derives from that of the netdev into the ports of *devices*."""
    path, code = find_path_mtu(size)

    def edit(lines: Lines) -> Lines:
        found, is_own = [], False
        for line in lines:
            head = _RDMA_DEVICE.match(line)
            is_own = head[1] in devices if head else is_own
            found.append(_ACTIVE_MTU.sub(rf"\g<1>{path} ({code})", line) if is_own else line)
        return found

    return edit


def find_path_mtu(size: int) -> tuple[int, int]:
    """Return the path MTU of RoCE on a netdev of *size* bytes, with its code; of `iboe_get_mtu` (linux/ib_addr.h).

    It is the largest one that fits with headers of 96 bytes.

    >>> find_path_mtu(9000), find_path_mtu(1500)
    ((4096, 5), (1024, 3))
    """
    sizes = [(256 << step, step + 1) for step in range(5)]
    return max((each for each in sizes if each[0] <= size - _HEADERS_BYTES), default=sizes[0])


def set_ethernet(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `ethtool -A IF …` or `ethtool --set-priv-flags IF FLAG on|off`."""
    option, netdev, *words = (*typed.words, "", "")
    if option == "--set-fec" and words[:1] == ["encoding"]:
        return set_fec(netdev, words[1], captures)
    pairs = dict(zip(words[:-2:2], words[1:-2:2], strict=False))
    if not pairs or not set(pairs.values()) <= _SWITCHES or len(words) % 2:
        return None
    if option in {"-A", "--pause"} and pairs.keys() <= _PAUSES.keys():
        edits = [replace_matches(_PAUSES[name], value) for name, value in pairs.items()]
        return _edit_of(captures, "ethtool -a", netdev, in_turn(edits))
    if option == "--set-priv-flags":
        flags = [replace_matches(re.compile(rf"\s*{re.escape(name)}\s*:\s*(\w+)"), on) for name, on in pairs.items()]
        return _edit_of(captures, "ethtool --show-priv-flags", netdev, in_turn(flags))
    return None


def set_fec(netdev: str, encoding: str, captures: Captures) -> Captures | None:
    """Return *captures* after `ethtool --set-fec IF encoding rs|baser|off`."""
    if encoding not in _ENCODINGS:
        return None
    edit = replace_matches(re.compile(r"\s*Active FEC encodings?:\s*(.*)"), _ENCODINGS[encoding])
    return _edit_of(captures, "ethtool --show-fec", netdev, edit)


_ENCODINGS = {"rs": "RS", "baser": "BaseR", "off": "Off"}
_PAUSES = {
    "autoneg": regex(r"\s*Autonegotiate:\s*(\w+)"),
    "rx": regex(r"\s*RX:\s*(\w+)"),
    "tx": regex(r"\s*TX:\s*(\w+)"),
}


def _edit_of(captures: Captures, tool: str, netdev: str, edit: Edit) -> Captures | None:
    return edit_captures(captures, tool, lambda call, _: call.subject.netdev == netdev, edit)


def switch_units(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `systemctl disable --now UNIT…` or `systemctl enable --now UNIT…`."""
    verb, now, *units = (*typed.words, "", "")
    state = {"disable": "inactive", "enable": "active"}.get(verb)
    if state is None or now != "--now" or not any(units):
        return None
    stopped = {unit.removesuffix(".service") for unit in units if unit}
    found = list(captures)
    for number, capture in enumerate(found):
        asked = re.search(r"systemctl is-active ((?:[\w.@-]+ ?)+)", capture.command)
        names = [each.removesuffix(".service") for each in asked[1].split()] if asked else []
        if asked and len(names) == len(capture.lines):
            lines = zip(names, capture.lines, strict=True)
            told = tuple(state if name in stopped else line for name, line in lines)
            found[number] = replace(capture, lines=told)
    return tuple(found)


def set_register(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `setpci -s ADDRESS REGISTER=VALUE`, for the registers that a rule speaks of."""
    option, address, write = typed.words if len(typed.words) == 3 else ("", "", "")  # noqa: PLR2004  one register
    pci, changes = parse_pci(address), _list_flags(write)
    if option != "-s" or not pci or not changes:
        return None

    def edit(lines: Lines) -> Lines:
        found, current = [], ""
        for line in lines:
            head = _DEVICE.match(line)
            current = parse_pci(head[1]) if head else current
            found.append(_write_flags(line, changes) if current == pci else line)
        return found

    return edit_captures(captures, "lspci", lambda *_: True, edit)


def _list_flags(write: str) -> Sequence[tuple[str, str, str]]:
    r"""Return what `lspci` prints of a register: the line that begins so, a pattern there, and what it becomes.

    >>> _list_flags("CAP_EXP+8.w=0010:0010"), _list_flags("CAP_EXP+8.w=5000:7000")
    ([('RlxdOrd', 'RlxdOrd[+-]', 'RlxdOrd+')], [('MaxPayload', 'MaxReadReq \\d+', 'MaxReadReq 4096')])
    """
    match = _WRITE.fullmatch(write)
    if not match:
        return ()
    value = int(match[2], 16)
    if match[1].startswith("ECAP"):
        signs = (("-", "+")[value >> bit & 1] for bit in range(len(ACS)))
        return [("ACSCtl:", rf"{name}[+-]", f"{name}{sign}") for name, sign in zip(ACS, signs, strict=True)]
    if match[3] == "0010":
        return [("RlxdOrd", "RlxdOrd[+-]", f"RlxdOrd{'+' if value & 16 else '-'}")]
    return [("MaxPayload", r"MaxReadReq \d+", f"MaxReadReq {128 << (value >> 12 & 7)}")]


def _write_flags(line: str, changes: Sequence[tuple[str, str, str]]) -> str:
    for start, before, after in changes:
        line = re.sub(before, after, line) if line.lstrip().startswith(start) else line
    return line


def load_module(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `modprobe NAME`."""
    if len(typed.words) != 1 or not re.fullmatch(r"\w+", typed.words[0]):
        return None
    name = typed.words[0]

    def load(lines: list[str]) -> list[str]:
        is_loaded = any(line.split(" ", 1)[0] == name for line in lines)
        return lines if is_loaded else [*lines, f"{name} 16384 0 - Live 0x0000000000000000"]

    listed = edit_captures(captures, "lsmod", lambda *_: True, load)
    return None if listed is None else rewrite_file(listed, "/proc/modules", load)
