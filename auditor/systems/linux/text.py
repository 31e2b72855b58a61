"""Lines, numbers and error messages of command output."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from auditor.grammar import numbers
from auditor.model.dump import Capture, Doubt
from auditor.model.setting import Origin
from auditor.util.memo import remember
from auditor.util.redact import redact
from auditor.util.regex import regex

PRIORITIES = range(8)
DSCPS = range(64)
TOS_VALUES = range(256)
MAX_COUNT = 2**64 - 1
MAX_SIZE = 2**40
MAX_MTU = 2**17

_LONGEST_LINE = 8192
_LONGEST_QUOTE = 200
_ANSI = regex(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_ERROR = regex(
    r"operation not (?:supported|permitted)|not supported|command not found|permission denied|access denied"
    r"|no such (?:file|device)|not found|does not exist|failed to|cannot|can't|could not|unable to|not installed"
    r"|invalid argument|netlink error|no data available|is unknown|unrecognized option|invalid option|^usage:"
    r"|must be (?:run as )?root|timed out|segmentation fault|traceback|^-E-|\berror\b|no ib devices found"
    r"|no devices? (?:was|were)? ?found|bad parameter",
    re.IGNORECASE,
)
_EXIT_STATUS = regex(r"(?:rc|exit(?: status| code)?)\s*[=:]\s*\d{1,3}", re.IGNORECASE)
_QOS = regex(
    r"pfc|ecn|dscp|prio|trust|\btc\b|\btsa\b|\bets\b|buffer|pause|cnp|dcqcn|tclass|traffic_class|roce|\btos\b|\bmtu\b",
    re.IGNORECASE,
)


def list_lines(capture: Capture) -> Iterator[tuple[int, str]]:
    """Return index and text of each line that is not blank: without colours, stripped, cut at 8,192 characters."""
    return iter(_list_lines(capture.lines))


@lru_cache(maxsize=1)
def _list_lines(lines: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return index and text of each line; the steps of a reader ask one after the other."""
    plain = (_ANSI.sub("", line[:_LONGEST_LINE]) if "\x1b" in line else line[:_LONGEST_LINE] for line in lines)
    return tuple((index, text) for index, line in enumerate(plain) if (text := line.strip()))


parse_whole = numbers.parse_whole
"""The reader of integers that all systems share."""


def parse_number(text: str, most: float = MAX_COUNT) -> float | None:
    """Return the decimal *text* as a number between 0 and *most*; None for other text.

    >>> parse_number("2.5"), parse_number("inf"), parse_number("-1")
    (2.5, None, None)
    """
    if len(text) > numbers.MAX_DIGITS or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text):
        return None
    value = float(text)
    return value if value <= most else None


def parse_wholes(texts: Iterable[str], allowed: range) -> tuple[int, ...] | None:
    """Return all *texts* as integers; None if a text is no allowed integer."""
    values = [parse_whole(text, allowed) for text in texts]
    found = tuple(value for value in values if value is not None)
    return found if len(found) == len(values) else None


def parse_switch(text: str) -> bool | None:
    """Return True for `on`, False for `off`, None for other text."""
    return {"on": True, "off": False}.get(text.lower())


def make_doubt(capture: Capture, index: int, why: str, *, fatal: bool = False) -> Doubt:
    """Return the doubt about line *index*; *why* is the expected content."""
    text = redact(capture.lines[index].strip()[:_LONGEST_LINE])[:_LONGEST_QUOTE] if index < len(capture.lines) else ""
    return Doubt(capture.where(index), text, why, fatal)


@remember
def is_error(text: str) -> bool:
    """Whether *text* is an error message rather than output."""
    return bool(_ERROR.search(text))


def is_exit_status(text: str) -> bool:
    """Whether *text* is an exit status that a script printed after the output."""
    return text[:1] in "rReE" and _EXIT_STATUS.fullmatch(text) is not None


def is_excerpt(capture: Capture) -> bool:
    """Whether the command of *capture* cuts its output, as `ethtool -S ens1 | grep prio3` does."""
    return "|" in capture.command


def reads_like_qos(text: str) -> bool:
    """Whether *text* uses a word of quality of service."""
    return bool(_QOS.search(text))


def find_vendor(driver: str) -> str | None:
    """Return the vendor of the NICs of kernel driver *driver*; None if unknown."""
    return {
        "mlx5_core": "NVIDIA",
        "mlx4_en": "NVIDIA",
        "mlx4_core": "NVIDIA",
        "bnxt_en": "Broadcom",
        "ionic": "AMD",
        "ice": "Intel",
        "irdma": "Intel",
        "i40e": "Intel",
        "iavf": "Intel",
        "idpf": "Intel",
        "qede": "Marvell",
        "qedr": "Marvell",
        "cxgb4": "Chelsio",
        "efa": "Amazon",
        "ena": "Amazon",
        "hfi1": "Cornelis",
        "cxi_eth": "HPE",
        "gve": "Google",
    }.get(driver.partition("[")[0])


def find_fabric(driver: str) -> str | None:
    """Return the transport of the NICs of kernel driver *driver* whose fabric is no RoCE; None for others."""
    return {"efa": "efa", "hfi1": "omni_path", "cxi_eth": "slingshot"}.get(driver)


def format_model(text: str) -> str:
    """Return the product name *text* of an NVIDIA tool in NVIDIA's own spelling.

    >>> format_model("ConnectX4LX"), format_model("BlueField3"), format_model("ConnectX7(rev:0)")
    ('ConnectX-4 Lx', 'BlueField-3', 'ConnectX-7')
    """
    match = re.match(r"(ConnectX|BlueField)-?(\d{1,2})[ -]?([DLE]X)?", text.strip(), re.IGNORECASE | re.ASCII)
    if not match:
        return text.strip()
    family = {"connectx": "ConnectX", "bluefield": "BlueField"}[match[1].lower()]
    return f"{family}-{match[2]}" + (f" {match[3].capitalize()}" if match[3] else "")


ORIGIN_OF_DCBX = {"os controlled": Origin.INTENDED, "firmware controlled": Origin.LEARNED}
