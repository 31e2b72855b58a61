"""Commands that take back what commands changed: the values that captures showed before."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from auditor.model.dump import Capture
from auditor.systems.linux.effects.apply import type_lines
from auditor.systems.linux.effects.firmware import list_captures
from auditor.systems.linux.effects.kernel import ACS
from auditor.systems.linux.effects.shell import ShellCommand, parse_commands, parse_options
from auditor.systems.linux.identify import identify
from auditor.systems.linux.portnames import parse_pci
from auditor.systems.linux.show import KNOWN
from auditor.util.regex import regex

Find: TypeAlias = Callable[[str], str]
"""Returns the first group of the first line that a pattern matches; raises LookupError without one."""
_QOS = {
    "--pfc": r"\s*+enabled(?:\s|:\s)([\d\s]++)",
    "--prio2buffer": r"\s*+buffer(?:\s|:\s)([\d\s]++)",
    "--buffer_size": r"\s*+Receive buffer size \(bytes\):\s*+((?:\d++,){7}\d++),?(?:max_buffer_size.*|total_size.*)?",
    "--trust": r"Priority trust state:\s*+(\S++)",
    "--cable_len": r"Cable len:\s*+(\S++)",
    "--dcbx": r"DCBX mode:\s*+(OS|Firmware) controlled",
}
"""Options of `mlnx_qos` by the line that shows what they set."""
_WORD = regex(r"(?<![A-Za-z0-9_])[A-Za-z0-9_]++\((\d++)\)")
_MODES = {"OS": "os", "Firmware": "fw"}


def undo_lines(lines: Sequence[str], captures: Sequence[Capture]) -> tuple[str, ...] | None:
    r"""Return commands that take *lines* back on a host of *captures*; None unless typing both leaves all as it was.

    >>> before = (Capture("gpu1.txt", ("RX:\ton",), "ethtool -a rail0"),)
    >>> undo_lines(["ethtool -A rail0 rx off"], before)
    ('ethtool -A rail0 rx on',)
    >>> undo_lines(["ethtool -A"], before) is None
    True
    """
    after = type_lines(lines, captures)
    commands = [typed for line in lines for typed in parse_commands(line) or ()]
    try:
        found = tuple(dict.fromkeys(back for typed in commands for back in _invert(typed, captures)))
    except (LookupError, ValueError):  # a value that no capture shows, or a command that lacks words
        return None
    back = type_lines(found, after) if after is not None else None
    return found if back is not None and _list_words(back) == _list_words(captures) else None


def _list_words(captures: Sequence[Capture]) -> list[list[list[str]]]:
    """Return the words of all lines: the width of columns tells nothing, nor does the word before a number's."""
    return [[_WORD.sub(r"(\1)", line).split() for line in capture.lines] for capture in captures]


def _invert(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    """Yield commands that write what *captures* show where *typed* writes; raises LookupError where nothing is."""
    invert = _INVERSES.get(typed.tool)
    if invert is None:
        raise LookupError(typed.tool)
    yield from invert(typed, captures)


def _search(captures: Sequence[Capture], command: str) -> Find:
    named = ((identify(capture, KNOWN), capture) for capture in captures)
    shown = [capture for identified, capture in named if identified and re.search(command, identified.call.text)]
    return _search_lines([line for capture in shown for line in capture.lines])


def _search_lines(lines: Sequence[str]) -> Find:

    def find(pattern: str) -> str:
        compiled = re.compile(pattern)
        for line in lines:
            if match := compiled.fullmatch(line):
                return match[1]
        raise LookupError(pattern)

    return find


def _invert_qos(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    options = parse_options(typed.words) or {}
    netdev = options.pop("-i", "")
    find = _search(captures, rf"\bmlnx_qos -i {re.escape(netdev)}$")
    for name, value in options.items():
        if name == "--dscp2prio":
            dscp = int(value.split(",")[1])
            priority = find(rf"\s*+prio:\s*+(\d)\s++dscp:(?:\d\d,){{0,63}}?{dscp:02d},(?>(?:\d\d,)*)\s*+")
            yield f"mlnx_qos -i {netdev} --dscp2prio set,{dscp},{priority}"
            continue
        shown = find(_QOS[name]).strip()
        old = _MODES.get(shown) or (shown if "," in shown else ",".join(shown.split()))
        yield f"mlnx_qos -i {netdev} {name}{'=' if name in {'--dcbx', '--buffer_size', '--prio2buffer'} else ' '}{old}"


def _invert_file(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    path = re.escape(typed.target)
    if typed.appends:
        yield f"sed -i '/^{typed.words[0].partition('=')[0]}=/d' {typed.target}"
        return
    if typed.target.endswith("/cc/apply"):
        yield f"{typed.tool} {typed.words[0]} > {typed.target}"
        return
    folder, _, name = typed.target.rpartition("/")
    if folder.endswith("/cc"):
        label = re.escape(name.replace("_", " "))
        old = hex(int(_search(captures, re.escape(f"{folder}/apply"))(rf"{label}\s*: (\d+)")))
    else:
        try:
            old = _search(captures, rf"\b(?:cat|head) {path}$")(r"(?:Global tclass=)?(\S+)")
        except LookupError:
            old = _search(captures, r"\b(?:grep|head|tail)\b")(rf"{path}:(\S+)")
    yield f"{typed.tool} {old} > {typed.target}"


def _invert_edit(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    script, path = typed.words[1:]
    name = script.split("=", 1)[0].removeprefix("s/^")
    old = _search(captures, rf"\bcat {re.escape(path)}$")(rf"{re.escape(name)}=(.*)")
    yield f"sed -i 's/^{name}=.*/{name}={old}/' {path}"


def _invert_firmware(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    device, settings = typed.words[1], [word for word in typed.words if re.match(r"[A-Z][A-Z0-9_]*=", word)]
    find = _search_lines([line for capture in list_captures(device, captures) for line in capture.lines])
    for name in (each.partition("=")[0] for each in settings):
        old = find(rf"\*?\s*+{re.escape(name)}\s++(?:\S++\s++){{0,2}}(?:[^\s(]*+\()?(\w++)\)?\s*+")
        yield f"mlxconfig -d {device} set {name}={old}"


def _invert_link(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    name, *_ = (word for word in typed.words[2:] if word != "dev")
    find = _search(captures, r"\bip\b.*\blink\b")
    try:
        old = find(rf'.*"ifname"\s*:\s*"{re.escape(name)}"[^{{}}]{{0,400}}?"mtu"\s*:\s*(\d+).*')
    except LookupError:
        old = find(rf"\d+:\s+{re.escape(name)}(?:@\S+)?:\s+<.*?\bmtu (\d+).*")
    yield f"ip link set dev {name} mtu {old}"


def _invert_ethernet(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    option, netdev, *words = typed.words
    names = {"-A": {"autoneg": "Autonegotiate", "rx": "RX", "tx": "TX"}}.get(option, {})
    shown = {"-A": "-a", "--set-priv-flags": "--show-priv-flags"}.get(option)
    if shown is None:
        raise LookupError(option)
    find = _search(captures, rf"\bethtool {shown} {re.escape(netdev)}$")
    olds = ((name, find(rf"\s*{re.escape(names.get(name, name))}\s*:\s*(\w+)")) for name in words[::2])
    yield f"ethtool {option} {netdev} {' '.join(f'{name} {old}' for name, old in olds)}"


def _invert_units(typed: ShellCommand, _: Sequence[Capture]) -> Iterator[str]:
    yield f"systemctl enable --now {' '.join(typed.words[2:])}"


def _invert_register(typed: ShellCommand, captures: Sequence[Capture]) -> Iterator[str]:
    pci, (register, _, _) = parse_pci(typed.words[1]), typed.words[2].partition("=")
    lines, current = [], ""
    for line in (line for capture in captures if "lspci" in capture.command for line in capture.lines):
        head = re.match(r"((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) ", line)
        current = parse_pci(head[1]) if head else current
        lines += [line] if current == pci else []
    text = "\n".join(lines)
    if register == "ECAP_ACS+6.w" and "ACSCtl:" in text:
        flags = text.split("ACSCtl:", 1)[1]
        bits = sum(1 << bit for bit, name in enumerate(ACS) if f"{name}+" in flags.split("\n", 1)[0])
        yield f"setpci -s {typed.words[1]} {register}={bits:04x}"
    elif typed.words[2].endswith(":0010") and "RlxdOrd" in text:
        yield f"setpci -s {typed.words[1]} {register}={'0010' if 'RlxdOrd+' in text else '0000'}:0010"
    elif match := re.search(r"MaxReadReq (\d+)", text):
        yield f"setpci -s {typed.words[1]} {register}={int(match[1]).bit_length() - 8:x}000:7000"
    else:
        raise LookupError(register)


_INVERSES: Mapping[str, Callable[[ShellCommand, Sequence[Capture]], Iterator[str]]] = {
    "mlnx_qos": _invert_qos,
    "echo": _invert_file,
    "printf": _invert_file,
    "sed": _invert_edit,
    "mlxconfig": _invert_firmware,
    "mlxfwreset": lambda typed, _: iter((" ".join((typed.tool, *typed.words)),)),
    "ip": _invert_link,
    "ethtool": _invert_ethernet,
    "systemctl": _invert_units,
    "setpci": _invert_register,
    "modprobe": lambda typed, _: iter((f"modprobe -r {typed.words[0]}",)),
}
