"""Which command's output a capture is, told from its content, and else from what was said or from its file's name."""

import re
from pathlib import PurePath

from auditor.grammar import commands
from auditor.model.dump import Capture
from auditor.systems.junos.captures import READERS

CONFIG = "show configuration"
PART = "show configuration PART"
"""A part of the hierarchy: no whole device by itself."""
LINES_TO_LOOK_AT = 4000

_CONTENT: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "show lldp neighbors detail",
        re.compile(r"^ *LLDP Neighbor Information:\s*\n\s*Local Information:", re.MULTILINE),
    ),
    (
        "show lldp neighbors",
        re.compile(r"^ *Local Interface +(?:Parent Interface +)?Chassis Id +Port info +System Name", re.MULTILINE),
    ),
    ("show class-of-service interface", re.compile(r"^ *Physical interface: \S+, Index: \d+", re.MULTILINE)),
    (
        "show interfaces",
        re.compile(
            r"^ *Physical interface: \S+, (?:Enabled|Administratively down|Disabled), Physical link", re.MULTILINE
        ),
    ),
    ("show interfaces terse", re.compile(r"^ *Interface +Admin +Link +Proto +Local", re.MULTILINE)),
    ("show interfaces descriptions", re.compile(r"^ *Interface +Admin +Link +Description", re.MULTILINE)),
    ("show version", re.compile(r"^ *(?:Model: (?:qfx|ex|ptx|mx|acx|srx)\S*|Junos: \d)", re.MULTILINE)),
)
_PORTS = r"(?:et|xe|ge)-(?:\d{1,3}/\d{1,3}/\d{1,3}|\*)|ae\d+|irb|lo0|interface-range"
_TYPED = re.compile(
    r"^\s*(?:[\w.-]{1,64}@[\w.-]{1,64}[#>]\s?)?(?:set|deactivate|delete|activate) (?:"
    rf"class-of-service |interfaces (?:{_PORTS})|groups \S+ \S|apply-groups |version \d|system host-name |"
    r"chassis (?:fpc|aggr)|forwarding-options |routing-options |policy-options |protocols (?:lldp|bgp|evpn|ospf|rstp))",
    re.MULTILINE,
)
_SHOWN = re.compile(
    r"^\s*(?:inactive: |protect: )*(?:"
    r"system|interfaces|class-of-service|groups|chassis|policy-options|routing-options|routing-instances|firewall|"
    r"forwarding-options|switch-options|classifiers|drop-profiles|forwarding-classes|scheduler-maps|schedulers|"
    r"congestion-notification-profile|shared-buffer|rewrite-rules|traffic-control-profiles|code-point-aliases|"
    rf"(?:{_PORTS})(?::\d+)?) \{{\s*(?:##.*)?$",
    re.MULTILINE,
)
_ENDED = re.compile(r"^[^\"'=,]*;\s*(?:##.*)?$", re.MULTILINE)
_RELEASE = re.compile(r"^\s*version \"?\d+\.\d\S*;$", re.MULTILINE)
_OTHER_OS = re.compile(r"^(?:!|hostname |nv set |sysname |#!/)|^\s*\"[\w-]+\"\s*:", re.MULTILINE)
"""How the configurations of other systems begin their lines."""


def recognise(capture: Capture) -> str | None:
    """Return the command whose output *capture* is, None where nothing in it is particular to Junos."""
    head = "\n".join(capture.lines[:LINES_TO_LOOK_AT])
    is_shown = _SHOWN.search(head) and _ENDED.search(head) and not _OTHER_OS.search(head)
    if is_shown or _TYPED.search(head) or _RELEASE.search(head):
        return PART if base(capture) else CONFIG
    return next((name for name, pattern in _CONTENT if pattern.search(head)), None)


def named(capture: Capture) -> str | None:
    """Return the command that a transcript, a manifest or the file's name says was run, None where it is not read."""
    found = commands.named(_said(capture), (*READERS, CONFIG))
    return PART if found == CONFIG and base(capture) else found


def base(capture: Capture) -> tuple[str, ...]:
    """Return the place in the hierarchy of which `show configuration` was asked; empty where it was all of it.

    >>> base(Capture("x", (), "show configuration class-of-service | display set"))
    ('class-of-service',)
    """
    said = _said(capture).partition("|")[0]
    words = re.split(r"[ _]+", said.strip()) if commands.named(said, (CONFIG,)) else []
    return tuple(word for word in words[2:] if word not in {"display", "set", "no-more", ""})


def _said(capture: Capture) -> str:
    return (capture.command or PurePath(capture.file).stem).removeprefix("run ")
