"""Files of Oxidized that hold several files of a Cumulus switch, each below a head of its own."""

from collections.abc import Sequence
from types import MappingProxyType

from auditor.util.regex import regex

SIGN = "###### THE INTERFACES ######"
_FILES = MappingProxyType(
    {
        "ACL": "/etc/cumulus/acl/policy.conf",
        "DHCP-RELAY": "/etc/default/isc-dhcp-relay",
        "MOTD": "/etc/motd",
        "NTP.CONF": "/etc/ntp.conf",
        "PASSWD": "/etc/passwd",
        "PORTS": "/etc/cumulus/ports.conf",
        "RESOLV.CONF": "/etc/resolv.conf",
        "SNMP settings": "/etc/snmp/snmpd.conf",
        "SWITCHD": "/etc/cumulus/switchd.conf",
        "THE HOSTNAME": "/etc/hostname",
        "THE HOSTS": "/etc/hosts",
        "THE INTERFACES": "/etc/network/interfaces",
        "TRAFFIC": "/etc/cumulus/datapath/traffic.conf",
        "VERSION": "/etc/cumulus/etc.replace/os-release",
    }
)
_ROUTING = MappingProxyType(
    {
        "BGP": "bgpd.conf",
        "CONF": "frr.conf",
        "DAEMONS": "daemons",
        "OSPF": "ospfd.conf",
        "OSPF6": "ospf6d.conf",
        "ZEBRA": "zebra.conf",
    }
)
_HEAD = regex(r"###### (?P<name>[A-Za-z][\w. -]{0,40}) ######\s*")
_OWN = regex(r"interfaces(?:\.d/[^:\s]{1,100})?:")


def restore_files(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* with each head as the command that shows the file below; their count stays.

    The file of ports loses the names that `grep` puts before its lines. Source: the model `cumulus` of
    https://github.com/ytti/oxidized, lib/oxidized/model/cumulus.rb.

    >>> restore_files(["###### THE INTERFACES ######", "interfaces:auto swp1"])
    ['$ cat /etc/network/interfaces', 'auto swp1']
    """
    found, is_network = [], False
    for line in lines:
        head = _HEAD.fullmatch(line)
        if head:
            is_network = line.rstrip() == SIGN
            found.append(f"$ {_find_command(head['name'])}")
        else:
            found.append(_OWN.sub("", line, count=1) if is_network and _OWN.match(line) else line)
    return found


def _find_command(name: str) -> str:
    """Return the command whose output stands below a head."""
    daemon, _, part = name.partition(" ")
    if daemon in {"FRR", "QUAGGA"} and part in _ROUTING:
        return f"cat /etc/{daemon.lower()}/{_ROUTING[part]}"
    return f"cat {_FILES[name]}" if name in _FILES else f"cat {name}"
