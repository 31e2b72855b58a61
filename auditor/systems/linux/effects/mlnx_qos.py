"""`mlnx_qos -i IF`: what its options change in what it prints."""

import re
from collections.abc import Callable, Mapping, Sequence

from auditor.systems.linux.effects.edit import Captures, Edit, Lines, edit_captures, in_turn, replace_matches
from auditor.systems.linux.effects.shell import ShellCommand, parse_options
from auditor.util.regex import regex

_INTERFACE = frozenset({"-i", "--interface"})
_PRIORITIES = 8
_COLUMNS = regex(r"\s*+priority:?((?>(?:\s++\d)+))\s*+")
_BUFFERS = regex(r"(\s*+Receive buffer size \(bytes\):\s*+)([^a-z]*+)((?:max_buffer|total)_size=(\d++).*)?")
_DSCPS = regex(r"(\s*+prio:\s*+(\d)\s++dscp:)([\d,\s]*+)")
_CLASS = regex(r"tc:\s*+(\d)\s++ratelimit:\s*+([^,]*+),\s*+tsa:\s*+(\w++)(?:,\s*+bw:\s*+([\d.]++)%?)?")
_CARRIES = regex(r"\s*+(?:priority|up):\s*+((?>(?:\d\s*+)+))")
_TRUSTS = frozenset({"dscp", "pcp"})
_MODES = {"os": "OS controlled", "fw": "Firmware controlled"}


def type_options(typed: ShellCommand, captures: Captures, _: Sequence[ShellCommand]) -> Captures | None:
    """Return *captures* after `mlnx_qos` set what its options say."""
    options = parse_options(typed.words)
    netdev = next((options[name] for name in options if name in _INTERFACE), "") if options else ""
    if not options or not netdev:
        return None
    edits = [
        _EDITS[name](value) if name in _EDITS else None for name, value in options.items() if name not in _INTERFACE
    ]
    known = [each for each in edits if each]
    if len(known) != len(edits) or not known:
        return None
    return edit_captures(captures, "mlnx_qos", lambda call, _: call.subject.netdev == netdev, in_turn(known))


def _list_numbers(text: str) -> list[int] | None:
    """Return the eight numbers of an option, None for others.

    >>> _list_numbers("0,0,0,1,0,0,0,0"), _list_numbers("3")
    ([0, 0, 0, 1, 0, 0, 0, 0], None)
    """
    words = text.split(",")
    is_whole = len(words) == _PRIORITIES and all(each.isdecimal() for each in words)
    return [int(each) for each in words] if is_whole else None


def _set_row(name: str) -> Callable[[str], Edit | None]:
    """Return what writes eight digits into the row *name* of the table of priorities."""
    row = re.compile(rf"\s*+{name}(?:\s|:\s)")

    def set_row(text: str) -> Edit | None:
        digits = _list_numbers(text)
        if digits is None or max(digits) >= _PRIORITIES:
            return None

        def edit(lines: Lines) -> Lines | None:
            order = next((match[1].split() for line in lines if (match := _COLUMNS.fullmatch(line))), [])
            if sorted(order) != [str(number) for number in range(_PRIORITIES)]:
                return None
            values = iter([str(digits[int(priority)]) for priority in order])
            found = [re.sub(r"\d", lambda _: next(values), line) if row.match(line) else line for line in lines]
            return found if next(values, None) is None else None

        return edit

    return set_row


def _set_paused(text: str) -> Edit | None:
    """Return what pauses priorities; the firmware keeps its own buffers in step, unless they were set by hand.

    By hand means that they differ from what the firmware gives: buffer 1 to paused priorities, buffer 0 to others (the
    default of mlx5_core, https://git.zx2c4.com/linux-dev/commit/?id=ecdf2dadee8e8c5015771b802a9851ff332d3fc4).
    """
    pause, follow = _set_row("enabled")(text), _set_row("buffer")(text)

    def edit(lines: Lines) -> Lines | None:
        is_own = _list_digits("enabled", lines) == _list_digits("buffer", lines)
        paused = pause(lines) if pause else None
        return follow(paused) if is_own and follow and paused else paused

    return edit if pause else None


def _list_digits(name: str, lines: Lines) -> list[str]:
    """Return the digits of the row *name* of the table of priorities; empty without one."""
    row = re.compile(rf"\s*+{name}(?:\s|:\s)([\d\s]++)")
    return next((match[1].split() for line in lines if (match := row.fullmatch(line))), [])


def _set_buffers(text: str) -> Edit | None:
    sizes = _list_numbers(text)
    if sizes is None:
        return None

    def edit(lines: Lines) -> Lines | None:
        matches = [_BUFFERS.fullmatch(line) for line in lines]
        most = next((int(match[4]) for match in matches if match and match[4]), None)
        if not any(matches) or (most is not None and sum(sizes) > most):
            return None  # the tool refuses more than the port has
        return [
            f"{match[1]}{text}{f',{match[3]}' if match[3] else ''}" if match else line
            for line, match in zip(lines, matches, strict=True)
        ]

    return edit


def _map_dscp(text: str) -> Edit | None:
    verb, _, rest = text.partition(",")
    dscp, _, priority = rest.partition(",")
    if verb != "set" or not dscp.isdecimal() or not priority.isdecimal():
        return None

    def edit(lines: Lines) -> Lines | None:
        found, is_placed = [], False
        for line in lines:
            match = _DSCPS.fullmatch(line)
            if match:
                kept = [each for each in match[3].replace(" ", "").split(",") if each and int(each) != int(dscp)]
                takes = match[2] == priority and not is_placed
                is_placed |= takes
                kept += [f"{int(dscp):02d}"] if takes else []
                found.append(match[1] + "".join(f"{each}," for each in kept))
            else:
                found.append(line)
        return found if is_placed else None

    return edit


def _edit_classes(text: str, change: Callable[[list[str], str], list[str]]) -> Edit | None:
    """Return what changes rate limit, algorithm and share of each traffic class by one of eight words."""
    words = text.split(",")
    if len(words) != _PRIORITIES:
        return None

    def edit_line(line: str) -> str:
        match = _CLASS.fullmatch(line)
        if not match or int(match[1]) >= _PRIORITIES:
            return line
        rate, algorithm, share = change([match[2], match[3], match[4] or "0"], words[int(match[1])])
        shown = f", bw: {share}%" if algorithm == "ets" else ""
        return f"tc: {match[1]} ratelimit: {rate}, tsa: {algorithm}{shown}"

    return lambda lines: [*map(edit_line, lines)] if any(map(_CLASS.fullmatch, lines)) else None


def _set_rates(text: str) -> Edit | None:
    if not all(re.fullmatch(r"\d{1,4}(?:\.\d)?", each) for each in text.split(",")):
        return None
    return _edit_classes(text, lambda own, word: ["unlimited" if float(word) == 0 else f"{word} Gbps", *own[1:]])


def _set_algorithms(text: str) -> Edit | None:
    if not set(text.split(",")) <= {"ets", "strict", "vendor"}:
        return None
    return _edit_classes(text, lambda own, word: [own[0], word, own[2]])


def _set_shares(text: str) -> Edit | None:
    if _list_numbers(text) is None:
        return None
    return _edit_classes(text, lambda own, word: [*own[:2], word])


def _map_classes(text: str) -> Edit | None:
    """Return what puts each priority below the traffic class that eight numbers give it."""
    classes = _list_numbers(text)
    if classes is None or max(classes) >= _PRIORITIES:
        return None

    def edit(lines: Lines) -> Lines | None:
        found, is_shown = [], False
        for line in lines:
            if _CARRIES.fullmatch(line) and is_shown:
                continue
            found.append(line)
            match = _CLASS.fullmatch(line)
            if match:
                is_shown = True
                found += [f"\t priority:  {each}" for each, own in enumerate(classes) if own == int(match[1])]
        return found if is_shown else None

    return edit


def _choose(words: Mapping[str, str], pattern: str) -> Callable[[str], Edit | None]:
    line = re.compile(pattern)
    return lambda text: replace_matches(line, words[text]) if text in words else None


def _set_length(text: str) -> Edit | None:
    return replace_matches(re.compile(r"Cable len:\s*(\S*)"), text) if text.isdecimal() else None


_EDITS: Mapping[str, Callable[[str], Edit | None]] = {
    "--pfc": _set_paused,
    "-f": _set_paused,
    "--prio2buffer": _set_row("buffer"),
    "--buffer_size": _set_buffers,
    "--trust": _choose({each: each for each in _TRUSTS}, r"Priority trust state:\s*(\S*)"),
    "--dscp2prio": _map_dscp,
    "--dcbx": _choose(_MODES, r"DCBX mode:\s*(.*)"),
    "-d": _choose(_MODES, r"DCBX mode:\s*(.*)"),
    "--cable_len": _set_length,
    "--ratelimit": _set_rates,
    "-r": _set_rates,
    "--tsa": _set_algorithms,
    "-s": _set_algorithms,
    "--tcbw": _set_shares,
    "-t": _set_shares,
    "--prio_tc": _map_classes,
    "-p": _map_classes,
}
