"""Variables without a job: files of Docker Compose, values of charts, parts of manifests, and environments."""

import re
from collections.abc import Iterator, Sequence

from auditor.grammar.variables import KEPT, NAME, literal, unquote
from auditor.util.regex import regex

_NAMED = regex(rf"\s*(?:-\s+)?[\"']?name[\"']?\s*:\s*[\"']?(?P<name>{NAME})[\"']?,?\s*")
_VALUE = regex(r"\s*[\"']?value[\"']?\s*:\s*(?P<value>\S.*)")
_MAPPED = regex(rf"\s+[\"']?(?P<name>{NAME})[\"']?\s*:\s+(?P<value>[^\s#&*{{\[|>].*)")
_ASSIGNED = regex(rf"\s*(?:-\s+|export\s+|declare -x\s+|ENV\s+)?[\"']?({NAME})=")
_ANY = regex(r"\s*(?:export\s+|declare -x\s+)?[A-Za-z_]\w*=.*|\s*#.*|\s*")
_COMMENT = regex(r"(?<!\s)\s++#.*+$", re.DOTALL)
_FEWEST = 2
"""Lines of a mapping or of a script; a single line may be prose about a variable."""


def is_environment(lines: Sequence[str]) -> bool:
    """Return whether *lines* set variables that are kept: several of them, or nothing but variables.

    >>> is_environment(["# RoCE", "NCCL_IB_TC=106"]), is_environment(["We set", "NCCL_IB_TC=106"])
    (True, False)
    """
    found = [match[1] for line in lines if (match := _ASSIGNED.match(line)) and KEPT.fullmatch(match[1])]
    return len(found) >= _FEWEST or (bool(found) and all(map(_ANY.fullmatch, lines)))


def find_settings(lines: Sequence[str]) -> Iterator[tuple[int, str, str | None]]:
    """Yield each variable that YAML sets: its line, its name and its value, None where something else puts it in.

    >>> list(find_settings(["env:", "- name: NCCL_IB_TC", '  value: "106"']))
    [(2, 'NCCL_IB_TC', '106')]
    >>> list(find_settings(["environment:", "  NCCL_IB_TC: 106  # DSCP 26", "  UCX_TLS: 'rc'"]))
    [(1, 'NCCL_IB_TC', '106'), (2, 'UCX_TLS', 'rc')]
    """
    mapped = [(index, match) for index, line in enumerate(lines) if (match := _MAPPED.fullmatch(line))]
    found = [(index, match["name"], match["value"]) for index, match in mapped if len(mapped) >= _FEWEST]
    for index, line in enumerate(lines[:-1]):
        named, value = _NAMED.fullmatch(line), _VALUE.fullmatch(lines[index + 1])
        if named and value:
            found.append((index + 1, named["name"], value["value"]))
    for index, name, written in sorted(found):
        if KEPT.fullmatch(name):
            yield index, name, literal(unquote(_COMMENT.sub("", written).strip().rstrip(",")))
