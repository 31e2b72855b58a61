"""H3C and HPE FlexFabric switches (Comware): their core, from `display current-configuration` and LLDP neighbours."""

import re

from auditor.grammar.config import Dialect
from auditor.grammar.lldp import LldpForm
from auditor.grammar.prompts import typed_in_views
from auditor.grammar.system import Shown, System
from auditor.grammar.views import Syntax, interface_view
from auditor.systems.comware.resolve import resolve
from auditor.systems.comware.statements import INTERFACE, OWN
from auditor.systems.comware.switch import MAP_TABLE, MAPS, SWITCH, VIEWS, Comware

_RATES = {
    "Twenty-FiveGigE": 25.0,
    "FortyGigE": 40.0,
    "FiftyGigE": 50.0,
    "HundredGigE": 100.0,
    "TwoHundredGigE": 200.0,
    "FourHundredGigE": 400.0,
    "EightHundredGigE": 800.0,
}
_PORT = re.compile(rf"(?P<kind>{'|'.join(_RATES)}|Ten-GigabitEthernet|GigabitEthernet)\d+(?:/\d+){{1,3}}(?::\d+)?\Z")
DIALECT = Dialect(
    syntax=Syntax(
        comment=re.compile(r"#|(?:return|save)\Z"),
        leave=re.compile(r"quit\Z"),
        prompts=typed_in_views,
    ),
    opens=re.compile(r"interface \S"),
    stanza=interface_view,
    port=_PORT,
    interface=INTERFACE,
    own=OWN,
    switch=SWITCH,
    views=VIEWS,
    hostname=re.compile(r"sysname (?P<value>\S+)"),
    version=re.compile(r"\s?version (?P<value>\d+\.\d+\.\d+, \w+ \w+)"),
    whole=re.compile(r"\s?version \d+\.\d+\.\d+, |\s*(?:line (?:vty|class|aux)|user-group |role name |irf )"),
)
_LLDP = LldpForm(
    head=re.compile(r"LLDP neighbor-information of port \d+\s?\[(?P<port>[^\]]+)\]"),
    port=_PORT,
    port_id="Port ID",
    name="System name",
    fresh=re.compile(r"LLDP neighbor index\b"),
)
_SYSTEM = System(
    os="hp_comware",
    name="Comware",
    command="display current-configuration",
    dialect=DIALECT,
    new=Comware,
    resolve=resolve,
    rates=_RATES,
    own=re.compile(
        r"^\s*(?:interface (?:Bridge-Aggregation|Route-Aggregation|Vlan-interface|Ten-GigabitEthernet|"
        r"M-GigabitEthernet|Twenty-FiveGigE|FiftyGigE)\d|"
        r"priority-flow-control (?:enable|auto|no-drop dot1p|deadlock|dot1p \d|poolid)(?![\w-])|qos map-table |"
        r"qos wred (?:queue|apply)\b|qos trust dot1p|version \d+\.\d+\.\d+, (?:Release|ESS|Feature|Alpha|Beta) |"
        r"port link-aggregation group |port link-mode )",
        re.MULTILINE,
    ),
    other=re.compile(
        r"^\s*(?:!Software Version V\d|dcb pfc\b|diffserv domain |"
        r"interface (?:\d{2,3}GE|XGigabitEthernet|MEth|Eth-Trunk)\d)",
        re.MULTILINE,
    ),
    shown={
        "display lldp neighbor-information verbose": Shown(
            re.compile(r"^LLDP neighbor-information of port \d+\s?\[", re.MULTILINE), _LLDP.read
        ),
    },
    reads_like_qos=re.compile(
        r"\bqos\b|priority-flow-control|\bpause\b|\becn\b|\bwred\b|\bdscp\b|dot1p|no-drop|deadlock|\bmtu\b|jumbo|"
        r"flow-control|low-limit|\bimport \d|\bdcb\b|^interface ",
        re.IGNORECASE,
    ),
    built_in={MAP_TABLE: frozenset(MAPS)},
)
OS, CONFIG = _SYSTEM.os, _SYSTEM.command
recognise, parse = _SYSTEM.recognise, _SYSTEM.parse
__all__ = ["CONFIG", "OS", "parse", "recognise"]
