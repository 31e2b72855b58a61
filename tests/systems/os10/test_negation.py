"""Each statement of OS10 and its `no` form: the last word wins, wherever it stands."""

from collections.abc import Callable
from typing import Any

import pytest
from negation import Case, Context, broken, cases, check, check_broken

from auditor.systems import systems
from auditor.systems.os10.config import read_config
from auditor.systems.os10.hardware import PORT_GROUP
from auditor.systems.os10.lines import TOP, VLT
from auditor.systems.os10.maps import DOT1P_MAP, DSCP_MAP, QUEUE_MAP
from auditor.systems.os10.policies import ACTION, WRED_PROFILE
from auditor.systems.os10.statements import INTERFACE, SYSTEM_QOS

PORT = "ethernet1/1/1"


def stanza(name: str, table: Any, head: str, mode: str, body: Callable[[Any], Any]) -> Context:  # noqa: ANN401
    """Return the context of a stanza below the top level."""
    return Context(name, table, (head,), ("config", mode), body)


CONTEXTS = (
    Context(
        "interface",
        INTERFACE,
        (f"interface {PORT}",),
        ("config", "conf-if-eth1/1/1"),
        lambda config: config.interfaces[PORT].body,
        lambda config: config.interfaces[PORT].where,
        ("hostname leaf1",),
    ),
    Context(
        "class",
        ACTION,
        ("policy-map type queuing OUT", "class Q3"),
        ("config", "config-pmap-queuing", "config-pmap-c-que"),
        lambda config: config.policy_maps["queuing", "OUT"].classes[0],
    ),
    stanza("system qos", SYSTEM_QOS, "system qos", "config-sys-qos", lambda config: config.system),
    stanza("wred", WRED_PROFILE, "wred W", "config-wred", lambda config: config.wreds["W"]),
    stanza("dot1p map", DOT1P_MAP, "trust dot1p-map M", "config-tmap-dot1p-map", lambda c: c.dot1p_maps["M"]),
    stanza("dscp map", DSCP_MAP, "trust dscp-map M", "config-tmap-dscp-map", lambda c: c.dscp_maps["M"]),
    stanza("queue map", QUEUE_MAP, "qos-map traffic-class M", "config-qos-map", lambda c: c.queue_maps["M"]),
    stanza("port group", PORT_GROUP, "port-group 1/1/2", "conf-pg-1/1/2", lambda c: c.port_groups["1/1/2"]),
    stanza("vlt", VLT, "vlt-domain 1", "conf-vlt-1", lambda config: config),
    Context("top", TOP, (), ("config",), lambda config: config),
)


@pytest.mark.parametrize(
    ("context", "line"),
    [(context, line) for context, line in broken(CONTEXTS) if context.name not in {"port group", "vlt"}],
)
def test_a_broken_number_is_told(context: Context, line: str) -> None:
    check_broken(context, line, lambda captures: systems()["dell_os10"].parse("leaf1", "leaf1", captures))


@pytest.mark.parametrize("case", list(cases(CONTEXTS)), ids=str)
def test_the_last_word_wins(case: Case) -> None:
    check(case, read_config)
