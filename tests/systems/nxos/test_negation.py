"""Each statement of NX-OS and its `no` form: the last word wins, wherever it stands."""

import pytest
from negation import Case, Context, cases, check

from auditor.systems.nxos.actions import ACTION
from auditor.systems.nxos.config import read_config
from auditor.systems.nxos.statements import INTERFACE, SYSTEM_QOS

POLICY = ("policy-map type queuing OUT", "class type queuing c-out-8q-q3")
CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        ("interface Ethernet1/1",),
        ("config", "config-if"),
        lambda config: config.interfaces["Ethernet1/1"].body,
        lambda config: config.interfaces["Ethernet1/1"].where,
        ("hostname leaf1",),
    ),
    Context(
        "class",
        ACTION,
        POLICY,
        ("config", "config-pmap-que", "config-pmap-c-que"),
        lambda config: config.policy_maps["queuing", "OUT"].classes[0],
    ),
    Context("system qos", SYSTEM_QOS, ("system qos",), ("config", "config-sys-qos"), lambda config: config.system),
)


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)
