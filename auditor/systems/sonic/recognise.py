"""Which file or command's output a capture of SONiC is, told from what was said, its content, or its file's name."""

import re
from pathlib import PurePath

from auditor.grammar.commands import SHORTEST
from auditor.model.dump import Capture
from auditor.systems.sonic.captures import READERS, RUNS, STATE
from auditor.systems.sonic.vocabulary import TABLES

CONFIG = "config_db.json"
FRAGMENT = "qos.json"
RUNNING = "show runningconfiguration all"
LOOKUP = "pg_profile_lookup.ini"
HEAD = 200_000

_TABLE = re.compile(
    r'"(?:sonic-[a-z0-9-]+:)?(?P<name>' + "|".join(TABLES) + r')(?:\|[^"]*)?"\s*:\s*\{|'
    r'"(?:QOS_CAPABILITY_TABLE|BUFFER_\w+_TABLE|BUFFER_\w+|SAMPLE_CONFIG_DB_\w+)[^"]*"\s*:\s*\{|'
    r'"\[BUFFER_PROFILE_TABLE:|"pfc_wd_(?:action|detection_time)"\s*:'
)
_SHARED_NAMES = frozenset(
    {"PORT", "QUEUE", "SCHEDULER", "ACL_RULE", "TUNNEL", "SWITCH", "VLAN", "VLAN_INTERFACE", "VLAN_MEMBER"}
)
"""Names of tables that other JSON may have, too."""
_ENTERPRISE = re.compile(r'"(?:DSCP_TO_FC_MAP_TABLE|openconfig-[a-z-]+:\w+|QOS_INTERFACE)"')
_LOOKUP = re.compile(r"^#\s*speed\s+cable\s+size\s+xon\s+xoff\s+threshold", re.MULTILINE)
_FRAGMENTS = frozenset({"qos.json", "buffers.json"})
_RUNNING_SAID = re.compile(
    r"(?:sudo )?(?:show run\w* all\b|sonic-cfggen .*-d\b.*--print-data|sonic-db-dump -n CONFIG_DB\b)"
)
_RUNNING_NAMED = re.compile(r"show[_ ]run\w*_all|running_?config(?:uration)?")
_CONFIG_SAID = re.compile(r"(?:sudo )?cat \S*config_db\d*\.json|(?:sudo )?cat \S*(?:qos|buffers)\.json")


def recognise(capture: Capture) -> str | None:
    """Return what *capture* is, None where it is none of SONiC's that is known here."""
    head = beginning(capture)
    if head.lstrip()[:1] in {"{", "["}:
        return next((name for name in (STATE, RUNS) if _is_database(capture, head, name)), None) or _json(capture, head)
    if _LOOKUP.search(head) or (not capture.command and PurePath(capture.file).name == LOOKUP):
        return LOOKUP
    if capture.command:
        return next((name for name in READERS if _is_command(capture.command, name)), None)
    return next((name for name, reader in READERS.items() if reader.content.search(head)), None)


def unread(capture: Capture) -> str | None:
    """Return what relative of this system's JSON *capture* is that is not read, None where it is none."""
    head = beginning(capture)
    is_other = head.lstrip()[:1] in {"{", "["} and _ENTERPRISE.search(head)
    return "Enterprise SONiC's management framework (OpenConfig JSON)" if is_other else None


def beginning(capture: Capture) -> str:
    """Return the beginning of a capture, as long as it takes to tell what it is."""
    taken: list[str] = []
    size = 0
    for line in capture.lines:
        taken.append(line[: HEAD - size])
        size += len(line) + 1
        if size >= HEAD:
            break
    return "\n".join(taken)


def _is_database(capture: Capture, head: str, name: str) -> bool:
    """Tell whether *capture* is the dump of a database that is no configuration."""
    if capture.command:
        return _is_command(capture.command, name)
    return READERS[name].content.search(head) is not None


def _json(capture: Capture, head: str) -> str | None:
    is_sonic = any(match["name"] not in _SHARED_NAMES for match in _TABLE.finditer(head))
    if not is_sonic or _ENTERPRISE.search(head):
        return None
    name = PurePath(capture.file).name
    if _RUNNING_SAID.search(capture.command) or _RUNNING_NAMED.search(name.lower()):
        return RUNNING
    return FRAGMENT if name in _FRAGMENTS else CONFIG


def _is_command(said: str, name: str) -> bool:
    """Tell whether *said* runs the command *name*, with or without options and `sudo`; its words may be cut short.

    >>> [_is_command(said, "show pfc priority") for said in ("sudo show pfc priority Ethernet0", "show pfc counters")]
    [True, False]
    >>> _is_command("show int status -d all", "show interfaces status")
    True
    """
    words, named = said.removeprefix("sudo ").split(), name.split()
    return len(words) >= len(named) and all(
        full == word or (len(word) >= SHORTEST and full.startswith(word))
        for full, word in zip(named, words, strict=False)
    )
