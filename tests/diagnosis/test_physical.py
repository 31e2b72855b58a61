"""Physical facts beside findings: those of both ends of a cable, each with its line, none twice, and none judged."""

from collections.abc import Mapping

from auditor.diagnosis.counters import Confirmation, CounterVerdict, Evidence
from auditor.diagnosis.physical import CableEnd, PhysicalFact, list_physical
from auditor.model.device import Device
from auditor.model.fabric import End, Fabric, Link
from auditor.model.hardware import Hardware, Module
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Unknown, Where

LINK = Link(End("far", "p"), End("here", "p"), ("lldp",), confirmed=True)


def make_device(name: str, module: Module, counters: Mapping[str, int]) -> Device:
    counted = {key: Known(value, Origin.LEARNED, Where(f"{name}.txt", 7)) for key, value in counters.items()}
    port = Port("p", PortConfig(), counters=counted or None, hardware=Hardware(module=module))
    return Device(name, "switch", "sonic", name, (port,))


def list_facts(here: Device, far: Device, cabled: CableEnd | None) -> tuple[PhysicalFact, ...]:
    (facts,) = list_physical(Fabric((here, far), (LINK,)), [cabled])
    return facts


def know(value: float, line: int) -> Known[float]:
    return Known(value, Origin.LEARNED, Where("here.txt", line))


HERE = make_device(
    "here",
    Module(length_m=know(3.0, 4), temperature_c=know(58.2, 5), rx_power_dbm=Unknown("lane 1 measures no light")),
    {"link_down_events_phy": 3, "rx_crc_errors_phy": 0, "rx_prio3_pause": 9},
)
FAR = make_device(
    "far", Module(part_number=Known("A-CR4-3", Origin.LEARNED, Where("far.txt", 2))), {"rx_corrected_bits_phy": 8}
)


def test_both_ends_tell_what_they_know() -> None:
    facts = list_facts(HERE, FAR, CableEnd("here", "p"))
    assert [(each.device, each.name, each.value, each.unit, each.line) for each in facts] == [
        ("here", "length_m", 3.0, "m", 4),
        ("here", "temperature_c", 58.2, "C", 5),
        ("here", "link_down_events_phy", 3, "", 7),
        ("far", "part_number", "A-CR4-3", "", 2),
        ("far", "rx_corrected_bits_phy", 8, "", 7),
    ]


def test_a_counter_that_is_evidence_already_does_not_stand_beside_it() -> None:
    evidence = (Evidence("here", "p", "link_down_events_phy", 3, "here.txt", 7),)
    facts = list_facts(HERE, FAR, CableEnd("here", "p", CounterVerdict(Confirmation.EXPOSED, evidence)))
    assert [each.name for each in facts if each.device == "here"] == ["length_m", "temperature_c"]


def test_nothing_stands_beside_other_findings() -> None:
    assert list_facts(HERE, FAR, None) == ()
    assert list_facts(HERE, FAR, CableEnd("elsewhere", "p")) == ()
