"""Rows against SONiC's models: each limit of the table at its edges, each condition, and what real switches hold."""

import csv
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.finding import Level
from auditor.model.rows import RowFault, RowFaultKind
from auditor.systems.sonic.constraints import CONSTRAINTS
from auditor.systems.sonic.judge import MAX_OF_A_KIND
from auditor.systems.sonic.parse import parse
from auditor.systems.sonic.schema import Leaf
from auditor.systems.sonic.vocabulary import TABLES

SHARED = Path(__file__).parents[4] / "shared"
CASES = SHARED / "corpus2" / "yang-cases.tar.xz"
PORT, OTHER = ({"lanes": lanes, "speed": "100000"} for lanes in ("1,2,3,4", "5,6,7,8"))
HOST = {"hostname": "leaf1", "buffer_model": "traditional"}
Tables = Mapping[str, Mapping[str, Mapping[str, Any]]]
WHOLE: Tables = {
    "DEVICE_METADATA": {"localhost": HOST},
    "PORT": {"Ethernet0": PORT, "Ethernet4": OTHER},
    "BUFFER_POOL": {"pool": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
}


def read(tables: Tables, name: str = "config_db.json") -> Device:
    text = json.dumps(tables, indent=1)
    return parse("leaf1", "leaf1", [Capture(name, tuple(text.splitlines()))])


def faults(tables: Tables) -> list[RowFault]:
    """Return what the models refuse in *tables*."""
    checks = read(tables).row_checks
    return [fault for check in checks if check.kind is RowFaultKind.REFUSED_BY_MODEL for fault in check.faults]


def messages(tables: Tables) -> list[str]:
    return [fault.message for fault in faults(tables)]


def change(**tables: Mapping[str, Mapping[str, Any]]) -> Tables:
    """Return the whole configuration with rows added or replaced."""
    return {name: {**WHOLE.get(name, {}), **tables.get(name, {})} for name in {**WHOLE, **tables}}


LIMITS = [
    pytest.param(table, name, leaf, id=f"{table}-{name}")
    for table, constraint in CONSTRAINTS.items()
    for name, leaf in constraint.fields.items()
    if leaf.numbers is not None
]


@pytest.mark.parametrize(("table", "name", "leaf"), LIMITS)
def test_a_number_is_refused_one_beyond_its_limits_alone(table: str, name: str, leaf: Leaf) -> None:
    """In a part of a configuration nothing but the field is judged."""
    key = {"POLL_INTERVAL": "GLOBAL"}.get(name, "PortChannel1" if table == "PORTCHANNEL" else "Ethernet0")
    assert leaf.numbers is not None
    low, high = leaf.numbers[0], leaf.numbers[-1]
    for number, is_refused in ((low, False), (high, False), (low - 1, True), (high + 1, True)):
        found = messages({table: {key: {name: str(number)}}})
        assert [f"{name} '{number}'" in text for text in found] == [True] * is_refused


@pytest.mark.parametrize("table", sorted(name for name, each in CONSTRAINTS.items() if each.codes))
def test_a_map_has_no_other_codes_and_no_other_values(table: str) -> None:
    codes, entry = CONSTRAINTS[table].codes, CONSTRAINTS[table].entry
    assert codes is not None
    assert entry is not None
    assert codes.numbers is not None
    assert entry.numbers is not None
    last, value = codes.numbers[-1], entry.numbers[-1]
    assert messages({table: {"MAP": {str(last): str(value)}}}) == []
    assert len(messages({table: {"MAP": {str(last + 1): str(value)}}})) == 1
    assert len(messages({table: {"MAP": {str(last): str(value + 1)}}})) == 1


def test_every_table_and_every_part_of_a_key_is_known_to_the_reader() -> None:
    for table, constraint in CONSTRAINTS.items():
        assert len(constraint.key) <= len(TABLES[table].keys)
        assert constraint.model.startswith("sonic-")


REFUSED = {
    "port without lanes": (change(PORT={"Ethernet8": {"speed": "100000"}}), "PORT Ethernet8: the row has no lanes"),
    "port without speed": (change(PORT={"Ethernet8": {"lanes": "9"}}), "PORT Ethernet8: the row has no speed"),
    "pool without type": (change(BUFFER_POOL={"p": {"mode": "static"}}), "BUFFER_POOL p: the row has no type"),
    "pool without mode": (change(BUFFER_POOL={"p": {"type": "both"}}), "BUFFER_POOL p: the row has no mode"),
    "share of a traditional model": (
        change(BUFFER_POOL={"p": {"type": "both", "mode": "static", "percentage": "9"}}),
        "only a pool of the dynamic buffer model",
    ),
    "profile without size": (change(BUFFER_PROFILE={"p": {"pool": "pool"}}), "BUFFER_PROFILE p: the row has no size"),
    "profile without pool": (change(BUFFER_PROFILE={"p": {"size": "0"}}), "BUFFER_PROFILE p: the row has no pool"),
    "pattern without mtu": (
        change(LOSSLESS_TRAFFIC_PATTERN={"A": {"small_packet_percentage": "1"}}),
        "A: the row has no mtu",
    ),
    "queue of no port": (change(QUEUE={"Ethernet9|3": {}}), "QUEUE Ethernet9|3: the table PORT has no such port"),
    "one of two ports": (
        change(QUEUE={"Ethernet0,Ethernet9|3": {}}),
        "Ethernet9': the table PORT has no such port",
    ),
    "member of no port": (
        change(PORTCHANNEL_MEMBER={"PortChannel1|Ethernet9": {}}),
        "the table PORT has no such port",
    ),
    "member of no channel": (
        change(PORTCHANNEL={"PortChannel2": {}}, PORTCHANNEL_MEMBER={"PortChannel1|Ethernet0": {}}),
        "the table PORTCHANNEL has no PortChannel1",
    ),
    "name of a channel": (change(PORTCHANNEL={"Bond1": {}}), "expected PortChannel and a number"),
    "cable of no port": (change(CABLE_LENGTH={"A": {"Ethernet9": "5m"}}), "CABLE_LENGTH A, Ethernet9: the table PORT"),
    "cable without unit": (change(CABLE_LENGTH={"A": {"Ethernet0": "5"}}), "expected metres"),
    "queue without number": (change(QUEUE={"Ethernet0": {}}), "expected a key of the form ifname|qindex"),
    "range that goes down": (change(BUFFER_PG={"Ethernet0|4-3": {}}), "a range begins below its end"),
    "range of one": (change(QUEUE={"Ethernet0|3-3": {}}), "a range begins below its end"),
    "group above 7": (change(BUFFER_PG={"Ethernet0|8": {}}), "expected a priority group"),
    "queue above 15": (change(BUFFER_QUEUE={"Ethernet0|16": {}}), "expected a queue from 0 to 15"),
    "name of a map": (change(DSCP_TO_TC_MAP={"A$": {"1": "1"}}), "DSCP_TO_TC_MAP A$, 'A$': expected up to 32"),
    "long name": (change(WRED_PROFILE={"A" * 33: {}}), "expected up to 32"),
    "all beside others": (change(PORT={"Ethernet0": {**PORT, "adv_speeds": ["all", "50000"]}}), "all stands alone"),
    "wrong type in a list": (change(PORT={"Ethernet0": {**PORT, "adv_interface_types": ["CR4", "XX"]}}), "CR4,XX"),
    "peak alone": (change(SCHEDULER={"s": {"pir": "9"}}), "pir '9': it needs a cir above 0"),
    "burst alone": (change(SCHEDULER={"s": {"cbs": "9"}}), "cbs '9': it needs a cir above 0"),
    "peak burst alone": (change(SCHEDULER={"s": {"cir": "9", "pbs": "9"}}), "pbs '9': it needs a pir above 0"),
    "peak below rate": (change(SCHEDULER={"s": {"cir": "9", "pir": "8"}}), "pir '8': it is below cir 9"),
    "curve backwards": (
        change(WRED_PROFILE={"W": {"yellow_min_threshold": "9", "yellow_max_threshold": "8"}}),
        "yellow_max_threshold '8': it is below yellow_min_threshold 9",
    ),
    "curve without beginning": (change(WRED_PROFILE={"W": {"red_max_threshold": "8"}}), "needs a red_min_threshold"),
    "time below polling": (
        change(PFC_WD={"GLOBAL": {"POLL_INTERVAL": "300"}, "Ethernet0": {"detection_time": "200"}}),
        "detection_time '200': it is below POLL_INTERVAL 300",
    ),
    "time in the global row": (change(PFC_WD={"GLOBAL": {"action": "drop"}}), "it belongs in the row of a port"),
    "polling in a port's row": (
        change(PFC_WD={"Ethernet0": {"POLL_INTERVAL": "200"}}),
        "it belongs in the row GLOBAL",
    ),
    "own virtual queue": (
        change(
            DEVICE_METADATA={"localhost": {**HOST, "switch_type": "voq", "asic_name": "asic0"}},
            QUEUE={"leaf1|asic0|Ethernet9|3": {}},
        ),
        "the table PORT has no such port",
    ),
}


@pytest.mark.parametrize(("tables", "said"), REFUSED.values(), ids=REFUSED)
def test_a_condition_is_found_once_and_named(tables: Tables, said: str) -> None:
    (message,) = messages(tables)
    assert said in message


ALLOWED = {
    "lanes with spaces": change(PORT={"Ethernet0": {**PORT, "lanes": "60, 61"}}),
    "field of a vendor": change(PORT={"Ethernet0": {**PORT, "xyz": "1"}}, XYZ_TABLE={"a": {"b": "c"}}),
    "no lanes anywhere": change(PORT={"Ethernet0": {"mtu": "9100"}, "Ethernet4": {"alias": "fortyGigE0/4"}}),
    "port of a chassis": change(
        DEVICE_METADATA={"localhost": {**HOST, "switch_type": "voq"}}, PORT={"Ethernet8": {"speed": "100000"}}
    ),
    "virtual queue of another host": change(
        DEVICE_METADATA={"localhost": {**HOST, "switch_type": "voq", "asic_name": "asic0"}},
        QUEUE={"leaf2|asic0|Ethernet9|3": {}, "leaf1|asic1|Ethernet9|3": {}},
    ),
    "profile of dynamic headroom": change(BUFFER_PROFILE={"p": {"pool": "pool", "headroom_type": "dynamic"}}),
    "reference in brackets": change(BUFFER_PROFILE={"p": {"pool": "[BUFFER_POOL|pool]", "size": "0"}}),
    "the CPU's queue": change(QUEUE={"CPU|0": {}}),
    "map of the whole switch": change(PORT_QOS_MAP={"global": {"pfc_enable": ""}}),
    "row without fields": change(QUEUE={"Ethernet0|3": {"NULL": "NULL"}}),
    "part of a row": {"BUFFER_PROFILE": {"p": {"xoff": "9"}}, "QUEUE": {"Ethernet9|3": {}}},
    "time beside pausing": change(
        PFC_WD={"GLOBAL": {"POLL_INTERVAL": "300"}, "Ethernet0": {"detection_time": "200"}},
        PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3"}},
    ),
    "large share of a dynamic model": change(
        DEVICE_METADATA={"localhost": {**HOST, "buffer_model": "dynamic"}},
        BUFFER_POOL={"p": {"type": "both", "mode": "static", "percentage": "200"}},
    ),
}


@pytest.mark.parametrize("tables", ALLOWED.values(), ids=ALLOWED)
def test_what_switches_hold_is_allowed(tables: Tables) -> None:
    assert messages(tables) == []


def test_a_refused_value_is_a_fault_and_no_doubt() -> None:
    device = read(change(PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3-4"}}))
    assert device.doubts == ()
    assert [fault.level for check in device.row_checks for fault in check.faults] == [Level.ERROR]


def test_a_name_that_nothing_defines_is_named_with_its_user() -> None:
    device = read(change(BUFFER_PROFILE={"p": {"pool": "missing", "size": "0"}}))
    assert [(each.kind, each.name, each.user) for each in device.undefined] == [
        ("BUFFER_POOL", "missing", "pool of BUFFER_PROFILE p")
    ]


def test_a_fault_is_at_the_line_of_its_field() -> None:
    (fault,) = faults(change(PORT={"Ethernet0": {**PORT, "fec": "rc"}}))
    lines = json.dumps(change(PORT={"Ethernet0": {**PORT, "fec": "rc"}}), indent=1).splitlines()
    assert '"fec"' in lines[fault.where.line - 1]


def test_many_faults_of_a_kind_are_counted() -> None:
    ports = {f"Ethernet{number}": {**PORT, "lanes": str(number), "fec": "rc"} for number in range(100)}
    found = faults(change(PORT=ports))
    assert len(found) == MAX_OF_A_KIND
    assert found[-1].message.endswith(f"; {100 - MAX_OF_A_KIND} more like this")


def test_a_cut_configuration_is_not_judged_by_what_it_lacks() -> None:
    text = json.dumps(change(PORT={"Ethernet8": {"speed": "100000"}}), indent=1).splitlines()
    device = parse("leaf1", "leaf1", [Capture("config_db.json", tuple(text[:-3]))])
    assert [fault for check in device.row_checks for fault in check.faults] == []


@pytest.mark.skipif(not CASES.is_file(), reason="no shared material lies beside this checkout")
def test_the_models_own_cases() -> None:
    """No valid case has a breach; each invalid one but those in `UNJUDGED` has one, or a name that nothing defines."""
    with tarfile.open(CASES) as archive:
        texts = {member.name: _read_member(archive, member) for member in archive.getmembers() if member.isfile()}
    found: dict[str, set[str]] = {"valid": set(), "invalid": set()}
    for row in csv.DictReader(io.StringIO(texts["cases.csv"])):
        device = read(json.loads(texts[f"cases/{row['file']}"]))
        has_breach = any(check.faults for check in device.row_checks if check.kind is RowFaultKind.REFUSED_BY_MODEL)
        if (has_breach or bool(device.undefined)) is not (row["kind"] == "invalid"):
            found[row["kind"]].add(Path(row["file"]).stem)
    assert found == {"valid": set(), "invalid": UNJUDGED}


UNJUDGED = {
    *("QUEUE_PORT_NOT_EXIST", "PORT_QOS_MAP_APPLY_NON_EXISTS_PORT", "VOQ_QUEUE_LOCAL_MISSING_PORT"),
    *("PFC_WDOG_WITH_INVALID_DETECTION_TIME", "PFC_WDOG_WITH_INVALID_RESTORATION_TIME"),
    "WRED_PROFILE_INVALID_GREEN_THRESHOLD",
}
"""The first three are valid where they are set into a configuration that has the port; rules WDG002 and ECN003 report
the others."""


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    assert file is not None
    return file.read().decode()


REAL = sorted(SHARED.glob("corpus*/switch/sonic/*.json"))
PLANTED = {
    "util_mock_t1",
    "yang_tests_config_buffer_profile",
    "yang_tests_config_pfc",
    "yang_tests_config_qosmaps",
    "util_mock_asic0",
}
"""Files with rows that are wrong on purpose, and a mock whose rows name ports that it has not."""


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_configuration_has_no_breach(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    device = parse("leaf1", "leaf1", [Capture(path.name, tuple(text.splitlines()))])
    found = [f for check in device.row_checks if check.kind is RowFaultKind.REFUSED_BY_MODEL for f in check.faults]
    assert bool(found) is (path.stem in PLANTED)
