"""Files and outputs of Cumulus Linux, recognised by command, content or name."""

import re
from collections.abc import Sequence

from auditor.grammar.show import Lifetime, Pull, Show, ShowTable, share_text
from auditor.grammar.signs import join_signs
from auditor.model.dump import Capture
from auditor.util.filenames import get_name
from auditor.util.memo import remember
from auditor.util.regex import regex

CONFIG = "nv config show"
SAVED = "cat /etc/nvue.d/startup.yaml"
DATAPATH = "cat qos_features.conf"
NETWORK = "cat /etc/network/interfaces"
SHOW = "nv show"
MODULE = "ethtool -m"
LINES_TO_LOOK_AT = 400

_PROMPT = r"(?:[\w.-]{1,64}+@[\w.:-]{1,64}\S{0,80}[$#] ?)?"
SHOWS: tuple[Show[None], ...] = (
    Show(
        CONFIG,
        "the configuration",
        regex(
            rf"^[^\S\n]*{_PROMPT}(?:sudo )?(?:nv (?:set|unset) \S|net (?:add|del) "
            r"(?:interface|bond|bridge|roce|loopback|hostname|vlan|vrf|bgp) )|"
            r"^[^\S\n]*(?:-\s*)?[\"']?nvue-api-version[\"']?\s*:|"
            r"^[^\S\n]*-\s*(?:set|unset):[^\S\n]*$(?>(?:\n\s*+#.*)*)\n\s++(?:acl|bridge|evpn|interface|mlag|nve|platform|qos|router|"
            r"service|system|vrf):|"
            r"\A\s*\[\s*\{\s*\"(?:header|set|unset)\"\s*:",
            re.MULTILINE,
        ),
        pull=(Pull(required=True, timeout_s=60),),
        form=regex(r"(?:sudo )?(?:nv config (?:show|diff)|net show configuration commands)\b"),
        whole=True,
        lifetime=Lifetime.RUNNING,
    ),
    Show(
        SAVED,
        "the configuration of the next boot",
        form=regex(r".*\bstartup\.ya?ml\b|(?:sudo )?nv config show\b.*\s(?:-r|--rev\w*)[ =]?startup\b"),
        whole=True,
        lifetime=Lifetime.SAVED,
    ),
    Show(
        DATAPATH,
        "quality of service where there is no NVUE",
        regex(
            r"^[^\S\n]*(?:traffic\.(?:packet_priority_|cos_\d\.|port_default_priority|priority_group_list)|"
            r"pfc\.[\w-]+\.(?:cos_list|port_set)|(?:source|remark|pfc|link_pause|ecn_red|ecn|egress_sched|shaping|"
            r"pfc_watchdog)\.port_group_list\s*=|default_ecn(?:_red)?_conf\.|default_egress_sched\.|"
            r"cos_egr_queue\.cos_\d|(?:ingress|egress)_service_pool\.\d|priority_group\.\w+\.)",
            re.MULTILINE,
        ),
        pull=(
            Pull("cat /etc/cumulus/datapath/qos/qos_features.conf", required=True),
            Pull("cat /etc/cumulus/datapath/qos/qos_infra.conf", "buffers where there is no NVUE"),
        ),
        form=regex(r".*\b(?:qos_features|qos_infra|traffic|datapath)\.conf\b"),
    ),
    Show(
        SHOW,
        "RoCE, ports and neighbours as they run",
        regex(
            r"^[^\S\n]+operational\s+applied\b|^Interface\s{2,}+.*\bRemote Host\s{2,}+Remote Port|"
            r"^RoCE (?:PCP/DSCP->SP|SP->TC|pool config)|^PFC WD Status",
            re.MULTILINE,
        ),
        pull=(
            Pull("nv show qos roce", "RoCE as it runs"),
            Pull("nv show interface", "speed and MTU as they run", timeout_s=60),
            Pull("nv show interface lldp", "cables", timeout_s=60),
        ),
        form=regex(r"(?:sudo )?nv show (?:qos|interface)\b"),
    ),
    Show(
        MODULE,
        "the module of a port",
        form=regex(r"(?:sudo )?ethtool (?:-m|--module-info|--dump-module-eeprom) swp\d"),
    ),
    Show(
        NETWORK,
        "ports where there is no NVUE",
        regex(r"^[^\S\n]*(?:auto|iface|allow-\S+) swp\d", re.MULTILINE),
        pull=(Pull(),),
        form=regex(r".*/etc/network/interfaces\b"),
    ),
)
TABLE = ShowTable(SHOWS, CONFIG)
SIGNS = join_signs(TABLE.signs)
ONLY = SHOWS[0].sign
"""Words of a configuration that no other system has."""
_WHOLE = regex(r"^frr (?:version|defaults) ", re.MULTILINE)


def recognise(capture: Capture) -> str | None:
    """Return the kind of *capture*, None if it is not a known file or output of Cumulus Linux.

    The command of a transcript or a manifest comes first, then the content, then the file's name.
    """
    if capture.command:
        named = _find_by_name(capture.command)
        return named if named != NETWORK or _find_by_sign(capture.lines) == NETWORK else None
    told = _find_by_sign(capture.lines)
    name = get_name(capture.file)
    if told == CONFIG and _find_by_name(re.sub(r"_+", " ", name)) == SAVED:
        return SAVED
    if told == NETWORK and _WHOLE.search("\n".join(capture.lines)):
        return CONFIG
    return told or _find_by_name(name) or _find_by_name(re.sub(r"_+", " ", name))


def names(capture: Capture) -> bool:
    """Return whether the command or the file name of *capture* may be enough to recognise it."""
    name = capture.command or get_name(capture.file)
    return bool(_find_by_name(name) or _find_by_name(re.sub(r"_+", " ", name)))


def find_content(capture: Capture) -> str | None:
    """Return the kind of *capture* by its lines alone."""
    return _find_by_sign(capture.lines)


def _find_by_sign(lines: Sequence[str]) -> str | None:
    return TABLE.find_sign(share_text("\n".join(lines[:LINES_TO_LOOK_AT])))


@remember
def _find_by_name(text: str) -> str | None:
    """Return the kind of a command's output.

    >>> _find_by_name("nv config show -o json"), _find_by_name("nv show qos roce"), _find_by_name("nv set qos roce")
    ('nv config show', 'nv show', None)
    """
    named = [each for each in SHOWS if each.form and each.form.match(text.lower())]
    saved = (each.command for each in named if each.lifetime is Lifetime.SAVED)
    return next(saved, named[0].command if named else None)
