"""The state database: the headroom that a port may have, and nothing else of it."""

import json

import pytest

from auditor.model.dump import Capture, LineState
from auditor.model.setting import Known, value_of
from auditor.systems.sonic.parse import parse
from auditor.systems.sonic.show import RUNS, STATE, recognise

DUMPED = {
    "BUFFER_MAX_PARAM_TABLE|Ethernet0": {"ttl": -0.001, "type": "hash", "value": {"max_headroom_size": "607744"}},
    "BUFFER_MAX_PARAM_TABLE|Ethernet8": {"type": "hash", "value": {"max_headroom_size": "many"}},
    "BUFFER_MAX_PARAM_TABLE|global": {"type": "hash", "value": {"mmu_size": "67108864"}},
    "QUEUE_COUNTER_CAPABILITIES|X": {"type": "hash", "value": {"isSupported": "true"}},
}


def capture(text: str, command: str = "") -> Capture:
    return Capture("STATE_DB.json", tuple(text.split("\n")), command=command)


@pytest.mark.parametrize("indent", [2, None])
def test_the_limit_of_a_port_is_read_with_its_line(indent: int | None) -> None:
    given = capture(json.dumps(DUMPED, indent=indent))
    assert recognise(given) == STATE
    ports = {port.name: port for port in parse("leaf1", "leaf1", [given]).ports}
    limit = ports["Ethernet0"].headroom_limit_bytes
    assert isinstance(limit, Known)
    assert limit.value == 607744
    assert limit.where
    assert '"max_headroom_size": "607744"' in given.lines[limit.where.line - 1]
    assert "global" not in ports
    assert "Ethernet8" not in ports


def test_other_tables_are_nobody_s_business_and_a_limit_that_is_none_is_told() -> None:
    given = capture(json.dumps(DUMPED, indent=2))
    (dump,) = parse("leaf1", "leaf1", [given]).dumps
    states = dict(zip(given.lines, dump.states, strict=True))
    assert states['      "max_headroom_size": "607744"'] is LineState.MODELLED
    assert states['      "max_headroom_size": "many"'] is LineState.UNRECOGNISED
    assert states['      "isSupported": "true"'] is LineState.IGNORED


@pytest.mark.parametrize(
    "text", ["{", '{"BUFFER_MAX_PARAM_TABLE|Ethernet0": []}', '{"BUFFER_MAX_PARAM_TABLE|": {"a": 1}}']
)
def test_what_is_no_dump_tells_nothing(text: str) -> None:
    ports = parse("leaf1", "leaf1", [capture(text, "sonic-db-dump -n STATE_DB -y")]).ports
    assert not any(value_of(port.headroom_limit_bytes) for port in ports)


RUNNING = {
    "BUFFER_PROFILE_TABLE:pg_lossless_50000_5m_profile": {
        "type": "hash",
        "value": {
            "pool": "[BUFFER_POOL_TABLE:ingress_lossless_pool]",
            "size": "49152",
            "xon": "19456",
            "xoff": "29696",
        },
    },
    "BUFFER_POOL_TABLE:ingress_lossless_pool": {"type": "hash", "value": {"mode": "dynamic", "size": "9000000"}},
    "PORT_TABLE:Ethernet0": {"type": "hash", "value": {"speed": "50000", "mtu": "9100", "fec": "rs", "lanes": "0,1"}},
    "PORT_TABLE:PortInitDone": {"type": "hash", "value": {"lanes": "0"}},
    "NEIGH_TABLE:eth0:10.0.0.1": {"type": "hash", "value": {"family": "IPv4"}},
}
DYNAMIC = {
    "DEVICE_METADATA": {"localhost": {"hwsku": "ACS-MSN3700", "buffer_model": "dynamic"}},
    "PORT": {"Ethernet0": {"speed": "50000"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}},
    "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"}},
    "BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}},
}


@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("command", ["", "sonic-db-dump -n APPL_DB -y"])
def test_what_runs_fills_what_the_switch_sizes_by_itself(indent: int | None, command: str) -> None:
    runs = capture(json.dumps(RUNNING, indent=indent), command)
    assert recognise(runs) == RUNS
    device = parse("leaf1", "leaf1", [Capture("config_db.json", (json.dumps(DYNAMIC),)), runs])
    (port,) = device.ports
    groups = port.config.priority_groups.known().value
    sizes = {group.pg: (value_of(group.xoff_bytes), value_of(group.size_bytes)) for group in groups}
    assert sizes == {3: (29696, 49152), 4: (29696, 49152)}
    link = port.config.ethernet
    assert (value_of(link.mtu_bytes), value_of(link.fec), value_of(link.lanes)) == (9100, "rs", 2)
    assert not device.doubts
    (pool,) = value_of(device.pools) or ()
    assert value_of(pool.size_bytes) == 9_000_000
