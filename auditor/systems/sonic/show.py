"""Files and show outputs of SONiC, and which of them a capture is: by its command, its content, or its file name."""

import re

from auditor.grammar.commands import SHORTEST
from auditor.grammar.show import Deferred, Lifetime, Pull, Show, ShowTable, share_text
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture
from auditor.systems.sonic import counters
from auditor.systems.sonic.operation import Read
from auditor.systems.sonic.outputs import (
    asymmetric_pfc,
    buffers,
    lldp_table,
    lossless_priorities,
    parse_neighbours,
    parse_watchdog,
    wred_profiles,
)
from auditor.systems.sonic.patch import SIGN as PATCH
from auditor.systems.sonic.quotes import unquote
from auditor.systems.sonic.refusals import LOG_SIGN, parse_log, parse_pfc_reply
from auditor.systems.sonic.status import parse_status, parse_version
from auditor.systems.sonic.transceivers import parse_modules
from auditor.systems.sonic.vocabulary import APPLICATION, LIMITS, TABLES
from auditor.util.filenames import get_name
from auditor.util.memo import remember
from auditor.util.regex import regex

CONFIG = "config_db.json"
FRAGMENT = "qos.json"
RUNNING = "show runningconfiguration all"
LOOKUP = "pg_profile_lookup.ini"
LOG = "syslog"
HEAD = 200_000
_BLOCK = 1000
"""Lines that are counted at once."""
STATE = "sonic-db-dump -n STATE_DB"
RUNS = "sonic-db-dump -n APPL_DB"
_READS_DATABASES = "auditor.systems.sonic.state"
_PLATFORM = (r'"platform"\s*:\s*"(?P<platform>[\w.-]+)"', r'"hwsku"\s*:\s*"(?P<hwsku>[\w.-]+)"')


def _lines(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


SHOWS: tuple[Show[Read], ...] = (
    Show(
        CONFIG,
        "the configuration",
        pull=(Pull("cat /etc/sonic/config_db.json", required=True, root=True, finds=_PLATFORM),),
        whole=True,
        lifetime=Lifetime.SAVED,
    ),
    Show(FRAGMENT, "a part of the configuration", lifetime=Lifetime.SAVED),
    Show(
        RUNNING,
        "the configuration as it runs",
        pull=(Pull(required=True, root=True, timeout_s=120),),
        lifetime=Lifetime.RUNNING,
    ),
    Show(
        LOOKUP,
        "headroom by speed and cable",
        pull=(Pull("cat /usr/share/sonic/device/{platform}/{hwsku}/pg_profile_lookup.ini"),),
        lifetime=Lifetime.FIXED,
    ),
    Show(
        STATE,
        "what the chip can do",
        _lines(rf'"{LIMITS}\|[^"]*"\s*:'),
        Deferred(_READS_DATABASES, "read_state"),
        lifetime=Lifetime.FIXED,
    ),
    Show(RUNS, "buffers and links as they run", APPLICATION, Deferred(_READS_DATABASES, "read_application")),
    Show(
        "show pfc priority",
        "PFC as it runs",
        _lines(r"^[^\S\n]*Interface\s+Lossless priorities"),
        lossless_priorities,
        (Pull(),),
    ),
    Show(
        "show pfc asymmetric", "asymmetric PFC as it runs", _lines(r"^[^\S\n]*Interface\s+Asymmetric"), asymmetric_pfc
    ),
    Show(
        "show pfc counters",
        "counters of pauses",
        _lines(r"^[^\S\n]*Port Rx\s+PFC0\s+PFC1"),
        counters.parse_pauses,
        (Pull(counts=True),),
    ),
    Show(
        "show priority-group drop counters",
        "counters of discards on arrival",
        _lines(r"^[^\S\n]*Ingress PG dropped packets:"),
        counters.parse_groups,
        (Pull(counts=True),),
    ),
    Show(
        "show queue counters",
        "counters of discards by queue",
        _lines(r"^[^\S\n]*Port\s+TxQ\s+Counter/pkts"),
        counters.parse_queues,
        (Pull(timeout_s=60, counts=True),),
    ),
    Show(
        "show queue wredcounters",
        "counters of ECN marks and WRED",
        _lines(r"^[^\S\n]*Port\s+TxQ\s+(?:WredDrp|EcnMarked)/pkts"),
        counters.parse_queues,
        (Pull(timeout_s=60, counts=True),),
    ),
    Show(
        "show pfcwd config",
        "PFC watchdog as it runs",
        regex(r"^[^\S\n]*PORT\s+ACTION\s+DETECTION TIME", re.MULTILINE | re.IGNORECASE),
        parse_watchdog,
        (Pull(root=True),),
    ),
    Show(
        "show buffer configuration",
        "buffer profiles",
        _lines(r"^Pool: \S+$|^Lossless traffic pattern:"),
        buffers,
        (Pull(),),
    ),
    Show("show buffer information", "buffers as they run", read=buffers, pull=(Pull(),)),
    Show("mmuconfig -l", "buffers as they run", read=buffers),
    Show(
        "ecnconfig -l",
        "ECN thresholds as they run",
        _lines(r"^Profile: \S+\s*\n[- ]+\n(?:.*\n){0,16}?(?:green|yellow|red)_m(?:in|ax)_threshold"),
        wred_profiles,
        (Pull(root=True),),
    ),
    Show("show ecn", "ECN thresholds as they run", read=wred_profiles),
    Show(
        "show interfaces status",
        "speed and state of ports",
        _lines(r"^[^\S\n]*Interface\s+Lanes\s+Speed\s+MTU\b"),
        parse_status,
    ),
    Show(
        "show interfaces transceiver eeprom",
        "modules, their temperature and received power",
        _lines(r"^[^\S\n]*Ethernet\S{1,64}: SFP EEPROM (?:[Nn]ot )?detected"),
        parse_modules,
        (Pull("show interfaces transceiver eeprom --dom", timeout_s=60),),
    ),
    Show("sfputil show eeprom", "modules", read=parse_modules),
    Show(LOG, "rows that the switch refused", LOG_SIGN, parse_log),
    Show("config interface pfc priority", "PFC set by hand", read=parse_pfc_reply),
    Show("pfc config priority", "PFC set by hand", read=parse_pfc_reply),
    Show(
        "show version",
        "model",
        _lines(r"^[^\S\n]*SONiC Software Version: (?!.*Enterprise)"),
        parse_version,
        lifetime=Lifetime.FIXED,
    ),
    Show(
        "show platform summary",
        "model and chip",
        _lines(r"^[^\S\n]*HwSKU: \S+[^\S\n]*\n\s*ASIC: "),
        parse_version,
        lifetime=Lifetime.FIXED,
    ),
    Show(
        "show lldp table",
        "cables",
        _lines(r"^LocalPort\s+RemoteDevice\s+RemotePortID"),
        lldp_table,
        (Pull(),),
    ),
    Show("show lldp neighbors", "cables", _lines(r"^Interface:\s+Ethernet\d+, via: LLDP"), parse_neighbours, (Pull(),)),
)
TABLE = ShowTable(SHOWS, CONFIG)
READERS = TABLE.readers
_SIGNS = {each.command: each.sign for each in SHOWS if each.sign}


_TABLE = regex(
    r'"(?:sonic-[a-z0-9-]+:)?(?P<name>' + "|".join(TABLES) + r')(?:\|[^"]*)?"\s*:\s*\{|'
    r'"(?:QOS_CAPABILITY_TABLE|BUFFER_\w|SAMPLE_CONFIG_DB_\w)[^"]*+"\s*:\s*\{|'
    r'"\[BUFFER_PROFILE_TABLE:|"pfc_wd_(?:action|detection_time)"\s*:'
)
_SHARED_NAMES = frozenset(
    {"PORT", "QUEUE", "SCHEDULER", "ACL_RULE", "TUNNEL", "SWITCH", "VLAN", "VLAN_INTERFACE", "VLAN_MEMBER"}
)
"""Names of tables that other JSON may have, too."""
_ENTERPRISE = regex(r'"(?:DSCP_TO_FC_MAP_TABLE|openconfig-[a-z-]+:\w+|QOS_INTERFACE)"')
_LOOKUP = regex(r"^#\s*speed\s+cable\s+size\s+xon\s+xoff\s+threshold", re.MULTILINE)
_LOGS = join_signs([LOG_SIGN])
_FRAGMENTS = frozenset({"qos.json", "buffers.json"})
_RUNNING_SAID = regex(
    r"(?:sudo )?(?:show run\w* all\b|sonic-cfggen (?>.{0,300}?-d\b).{0,300}--print-data|sonic-db-dump -n CONFIG_DB\b)"
)
_RUNNING_NAMED = regex(r"show[_ ]run\w{0,20}_all|running_?config(?:uration)?")
_LOG_SAID = regex(r"(?:sudo )?(?:(?:tail|cat|z?cat|z?e?grep|head|less|journalctl)\b|show logging\b)")
_CONFIG_SAID = regex(r"(?:sudo )?cat \S*config_db\d*\.json|(?:sudo )?cat \S*(?:qos|buffers)\.json")


def recognise(capture: Capture) -> str | None:
    """Return the kind of *capture*, None if it is not a known file or output of SONiC."""
    head = find_head(capture)
    if head.lstrip()[:1] not in {"{", "["} and not capture.command and _names_table(head):
        head = find_head(unquote(capture))
    if head.lstrip()[:1] in {"{", "["}:
        return next((name for name in (STATE, RUNS) if _is_database(capture, head, name)), None) or _json(capture, head)
    text = share_text(head)
    if (not capture.command or _LOG_SAID.match(capture.command)) and _LOGS.are_in(text):
        return LOG
    if ("xoff" in head and _LOOKUP.search(head)) or (not capture.command and get_name(capture.file) == LOOKUP):
        return LOOKUP
    return _find_command(capture.command) if capture.command else TABLE.find_sign(text)


@remember
def _find_command(said: str) -> str | None:
    return next((name for name in READERS if _is_command(said, name)), None)


def foreign(capture: Capture) -> str | None:
    """Return the related system whose unsupported JSON *capture* holds, else None."""
    head = find_head(capture)
    is_other = head.lstrip()[:1] in {"{", "["} and _ENTERPRISE.search(head)
    return "Enterprise SONiC's management framework (OpenConfig JSON)" if is_other else None


def find_head(capture: Capture) -> str:
    """Return the beginning of a capture, long enough for detection."""
    lines, size = capture.lines, 0
    for start in range(0, len(lines), _BLOCK):
        size += len("\n".join(lines[start : start + _BLOCK])) + 1
        if size >= HEAD:
            return "\n".join(lines[: start + _BLOCK])[:HEAD]
    return "\n".join(lines)


def _is_database(capture: Capture, head: str, name: str) -> bool:
    """Return whether *capture* is a dump of a database other than the configuration."""
    if capture.command:
        return _is_command(capture.command, name)
    return _SIGNS[name].search(head) is not None


def _names_table(head: str) -> bool:
    """Return whether a text has the name of a table that no other JSON has."""
    return any(match["name"] not in _SHARED_NAMES for match in _TABLE.finditer(head))


def _json(capture: Capture, head: str) -> str | None:
    is_sonic = _names_table(head) or PATCH.search(head)
    if not is_sonic or _ENTERPRISE.search(head):
        return None
    name = get_name(capture.file)
    if _RUNNING_SAID.search(capture.command) or _RUNNING_NAMED.search(name.lower()):
        return RUNNING
    return FRAGMENT if name in _FRAGMENTS or PATCH.search(head) else CONFIG


def _is_command(said: str, name: str) -> bool:
    """Return whether *said* runs the command *name*; options, `sudo` and abbreviated words are allowed.

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
