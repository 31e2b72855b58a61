"""The lines that begin the output of a command: prompts with what is typed behind them."""

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

from auditor.grammar.prompts import PLACE
from auditor.util.memo import remember
from auditor.util.regex import regex

NAME = r"[\w.-]{1,80}"
MODE = r"\(conf[^)\s]{0,100}\)"
PREFIX = r"(?:\$ (?=\S+@))?(?:\[?(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d(?::\d\d)?(?:\.\d{1,6})?\]? )?(?:\([\w.-]{1,40}\) ?)?"
"""What stands before a shell's prompt: a prompt that was typed on a page, the time, and the name of an environment."""
STANDBY = r"[AB]:"
"""The control module before the name in a prompt of SR Linux."""
_SHOW = r"(?:do )?(?:run )?(?:sho?w?|di(?:s|sp|spl|spla|splay)) "
_SHELL = rf"{PREFIX}\[?[\w.-]{{1,64}}@[\w.-]{{1,64}}[:\s~][^#$%]{{0,200}}[#$%] ?"
_ARROW = r"[\u279c\u276f] +(?:[~/][\w./-]* +)?(?=[\w/.])"
_POWERSHELL = r"(?:\[[\w.-]{1,64}\]: ?)?PS(?: [A-Za-z]:\\[^>]{0,200})?> ?(?=Get-)"
SESSION_HEAD = regex(
    rf"(?:{_SHELL}|{_ARROW}|\$(?: |$)|\+{{1,4}} (?=\S)|"
    rf"{PLACE}{NAME}(?:{MODE} ?)?[#>] ?(?={_SHOW})|"
    rf"{_POWERSHELL}|"
    rf"{STANDBY}(?:[\w.-]{{1,64}}@)?[\w.-]{{1,64}}# ?(?=info(?:\s|$)|{_SHOW})|"
    rf"[<\[][~*]?[\w./:-]{{1,80}}[>\]] ?(?={_SHOW})|"
    rf"[\w.-]{{1,64}}@[\w.-]{{1,64}}[>#] ?(?={_SHOW}|sho?w?$))(?P<command>.*)"
)
"""The first line of a capture in a transcript: `$ COMMAND`, `+ COMMAND` in the trace of a script, a shell's prompt with
user and host, a switch's prompt in any mode before a show or display command, or PowerShell's prompt before a Get
cmdlet."""
_OWN_TOOLS = (
    r"mlnx_qos|m(?:lx|st)config|mlxlink|mlxreg|ibv_devinfo|ibdev2netdev|show_gids|cma_roce_tos|cma_roce_mode|lldptool"
    r"|niccli|bnxtqos|nicctl|ethtool"
)
_COMMON_TOOLS = (
    r"mst status|ibstat(?:us)?|ibv_devices|show_counters|ib_(?:write|read|send)_(?:bw|lat)|rdma|lldpctl|lldpcli|dcb|ip"
    r"|ifconfig|nmcli|lspci|devlink|nvidia-smi|amd-smi|rocm-smi|sysctl|ofed_info|lsmod|modinfo"
    r"|(?:cat|grep|tail|head)(?= [^|]*/(?:sys|proc|etc)/)"
)
BARE_HEAD = regex(
    r"(?:(?:[\w.-]{1,64}(?::[^\s#$]{0,200}| [~/][^\s#$]{0,200})? ?)?(?P<prompt>[#$]) ?)?"
    r"(?P<command>(?:sudo )?(?:/(?:[\w-]+/){0,5}s?bin/)?"
    rf"(?:{_OWN_TOOLS}|(?(prompt)(?:{_COMMON_TOOLS})|(?!)))(?: .*)?)"
)
"""Prompts that may also be comments or scripts: `# COMMAND` and `sh-5.1# COMMAND` before a host tool, and a command of
an RDMA tool without a prompt."""
_BEFORE = frozenset("+\u279c\u276f")
"""First characters of a command line without a mark: a trace, and an arrow."""
_BARE = (
    *("sudo ", "mlnx_qos", "mlx", "mst", "ibv_", "ibdev2netdev", "show_gids", "cma_roce_", "lldptool", "nic"),
    *("bnxtqos", "ethtool"),
)
"""Beginnings of commands that need no prompt, but for those with a path."""
_FIRST = frozenset(("/", *(each[0] for each in _BARE)))
"""First characters of commands that need no prompt."""
_SHELL_PROMPT = regex(rf"{_SHELL}|{_ARROW}|\$ \S|{_POWERSHELL}")


@lru_cache(maxsize=4)
def list_distinct(lines: tuple[str, ...]) -> frozenset[str]:
    """Return *lines*, each once; the steps of detection ask several times."""
    return frozenset(lines)


@lru_cache(maxsize=4)
def list_marked(lines: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines that may hold a prompt, by the mark at its end or the sign before a command.

    >>> list_marked(("leaf1# show version", "mtu 9216", "+ ibstat"))
    (0, 2)
    """
    marked = {
        line
        for line in list_distinct(lines)
        if "#" in line or "$" in line or ">" in line or "]" in line or "%" in line or line[:1] in _BEFORE
    }
    return _list_numbers(lines, marked)


def _list_numbers(lines: tuple[str, ...], wanted: AbstractSet[str]) -> tuple[int, ...]:
    """Return the numbers of the *lines* that are *wanted*."""
    return tuple([number for number, line in enumerate(lines) if line in wanted]) if wanted else ()


def list_bare(lines: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines with a bare prompt, and those that are a command of an RDMA tool without one.

    >>> list_bare(("# ibstat", "mlnx_qos -i ens1", "mlnx_qos: not found", "# all ports"))
    (0, 1)
    """
    return tuple(number for number in list_likely(lines) if is_bare_head(lines[number]))


@remember
def match_head(line: str) -> re.Match[str] | None:
    """Return the match of a line that begins a capture, with its `command`; the steps of detection ask several times.

    >>> [bool(match_head(line)) for line in ("leaf1# show version", "# ibstat", "mlx5_0")]
    [True, True, False]
    """
    return SESSION_HEAD.match(line) or BARE_HEAD.fullmatch(line.rstrip())


@remember
def is_session_head(line: str) -> bool:
    """Return whether a line is the first one of a capture in a transcript."""
    return SESSION_HEAD.match(line) is not None


@remember
def is_bare_head(line: str) -> bool:
    """Return whether a line is a command of a host tool behind a bare prompt, or without one."""
    return BARE_HEAD.fullmatch(line.rstrip()) is not None


@lru_cache(maxsize=4)
def list_likely(lines: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines that may begin a capture: flush, with a prompt or as a command without one.

    >>> list_likely(("# ibstat", "  # ibstat", "/usr/sbin/ethtool eth0", "/sys/class/net/eth0/mtu:9000"))
    (0, 2)
    """
    commands = {line for line in list_distinct(lines) if line[:1] in _FIRST and _is_command(line)}
    return tuple(sorted({*_list_numbers(lines, commands), *list_flush(lines)}))


def list_flush(lines: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines that may hold a prompt and begin with it."""
    return tuple([number for number in list_marked(lines) if not lines[number][:1].isspace()])


def _is_command(line: str) -> bool:
    return line.startswith(_BARE) or (line.startswith("/") and "bin/" in line)


def is_shell_prompt(line: str) -> bool:
    """Return whether *line* begins with the prompt of a shell.

    >>> is_shell_prompt("(base) root@gpu01:~# ibstat"), is_shell_prompt("a # b")
    (True, False)
    """
    return _SHELL_PROMPT.match(line) is not None
