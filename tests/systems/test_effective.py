"""Defaults fill silence and nothing else, and what follows from other values is derived."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import auditor
from auditor.model.device import Device
from auditor.model.nic import Nic
from auditor.model.port import Ethernet, Pfc, PfcMode, Port, PortConfig, Watchdog
from auditor.model.qos import Queue, TrafficClass
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems import systems
from auditor.systems.effective import Default, fill_defaults, load_defaults

SYSTEMS = sorted(os for os in systems() if load_defaults(os).mtu_reference)
DEFAULTS = [(system, default) for system in SYSTEMS for default in load_defaults(system).values]
SILENT = Where("leaf1.cfg", 2, relative=True)
NXOS = "cisco_nxos"
EMPTY = PortConfig(nic=Nic())


def applied(config: PortConfig, os: str = NXOS) -> PortConfig:
    device = Device("leaf1", "switch", os, "leaf1.cfg", (Port("Ethernet1/1", config, Where("leaf1.cfg", 10)),))
    return fill_defaults(device).ports[0].config


ELEMENTS = {"queues": Queue(0), "classes": TrafficClass("0", "class-default")}


def holding(default: Default, setting: Setting[Any]) -> PortConfig:
    """Return a port configuration in which *setting* is at the path of *default* and only its conditions are known."""
    conditions = ((path, Known(value, Origin.INTENDED)) for path, value in default.when)
    made = EMPTY
    for path, value in ((default.path, setting), *conditions):
        made = _with(made, path.split("."), value)
    return made


def _with(holder: Any, steps: list[str], setting: Setting[Any]) -> Any:  # noqa: ANN401  any dataclass of the model
    name = steps[0].removesuffix("[]")
    if len(steps) == 1:
        inner: Any = setting
    elif steps[0].endswith("[]"):
        inner = Known((_with(ELEMENTS[name], steps[1:], setting),), Origin.LEARNED)
    else:
        inner = _with(getattr(holder, name), steps[1:], setting)
    return replace(holder, **{name: inner})


def setting_at(config: PortConfig, path: str) -> object:
    found: Any = config
    for step in path.split("."):
        found = getattr(found, step.removesuffix("[]"))
        found = found.value[0] if step.endswith("[]") else found
    return found


def placed(system: str, path: str) -> object:
    return setting_at(applied(holding(Default(path, None, ""), NOT_COLLECTED), system), path)


def name_of(system: str, default: Default) -> str:
    return " ".join([f"{system}:{default.path}", *(f"{path}={value}" for path, value in default.when)])


each_default = pytest.mark.parametrize(("system", "default"), DEFAULTS, ids=[name_of(*each) for each in DEFAULTS])


@each_default
def test_a_default_names_a_setting_of_the_model_and_who_says_so(system: str, default: Default) -> None:
    assert isinstance(placed(system, default.path), Unknown)
    assert len(default.reference) > 10


@each_default
def test_a_default_fills_silence_with_its_origin_reference_and_line(system: str, default: Default) -> None:
    filled = setting_at(applied(holding(default, Unset(SILENT)), system), default.path)
    assert filled == Known(default.value, Origin.DEFAULT, SILENT, default.reference)


@each_default
@pytest.mark.parametrize("own", [Known((), Origin.INTENDED, SILENT), Unknown("why")], ids=["written", "unknown"])
def test_a_default_fills_nothing_else(system: str, default: Default, own: Setting[Any]) -> None:
    assert setting_at(applied(holding(default, own), system), default.path) == own


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_nothing_shows_says_which_command_would(system: str) -> None:
    for path, command in load_defaults(system).collect:
        found = placed(system, path)
        assert isinstance(found, Unknown)
        assert command in found.why


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_file_of_defaults_says_each_thing_once(system: str) -> None:
    text = (Path(auditor.__file__).parent / "systems" / systems()[system].folder / "defaults.yaml").read_text()
    node = yaml.compose(text)
    assert isinstance(node, yaml.MappingNode)
    keys = [key.value for key, _ in node.value]
    names = [name_of(system, default) for default in load_defaults(system).values]
    assert (sorted(set(keys)), sorted(set(names))) == (sorted(keys), sorted(names))


CONDITIONAL = [(system, default) for system, default in DEFAULTS if default.when]


@pytest.mark.parametrize(("system", "default"), CONDITIONAL, ids=[name_of(*each) for each in CONDITIONAL])
def test_a_conditional_default_waits_for_its_condition(system: str, default: Default) -> None:
    without = holding(replace(default, when=()), Unset(SILENT))
    assert not isinstance(setting_at(applied(without, system), default.path), Known)


def test_a_system_without_a_file_has_no_defaults() -> None:
    config = PortConfig(pfc=Pfc(mode=Unset(SILENT)))
    assert applied(config, "no_such_os").pfc.mode == Unset(SILENT)


ON, OFF = True, False
UNTOLD = None


@pytest.mark.parametrize(
    ("mode", "oper", "running"),
    [
        (PfcMode.ON, ON, (3,)),
        (PfcMode.ON, UNTOLD, (3,)),
        (PfcMode.OFF, OFF, ()),
        (PfcMode.OFF, UNTOLD, ()),
        (PfcMode.AUTO, ON, (3,)),
        (PfcMode.AUTO, OFF, ()),
        (PfcMode.AUTO, UNTOLD, None),
    ],
)
def test_what_is_paused_follows_from_the_mode_and_from_what_runs(
    mode: PfcMode, oper: bool | None, running: tuple[int, ...] | None
) -> None:
    pfc = Pfc(
        mode=Known(mode, Origin.INTENDED, SILENT),
        oper=NOT_COLLECTED if oper is None else Known(oper, Origin.LEARNED, SILENT),
        priorities=Known((3,), Origin.INTENDED, SILENT),
        tx_priorities=Unset(),
        rx_priorities=Unset(),
    )
    found = applied(PortConfig(pfc=pfc)).pfc
    for each in (found.tx_priorities, found.rx_priorities):
        assert (each.value if isinstance(each, Known) else None) == running
        assert isinstance(each, Unknown) == (running is None)
    assert isinstance(found.priorities, Known)
    assert found.priorities.value == (() if mode is PfcMode.OFF else (3,))


def test_directions_that_the_dump_gives_stay() -> None:
    own: Setting[tuple[int, ...]] = Known((5,), Origin.INTENDED, SILENT)
    pfc = Pfc(
        mode=Known(PfcMode.ON, Origin.INTENDED),
        priorities=Known((3,), Origin.INTENDED),
        tx_priorities=own,
        rx_priorities=Unset(),
    )
    found = applied(PortConfig(pfc=pfc)).pfc
    assert found.tx_priorities == own
    assert isinstance(found.rx_priorities, Known)
    assert found.rx_priorities.value == (3,)


@pytest.mark.parametrize(("enabled", "watched"), [(True, (3, 4)), (False, ())])
def test_a_watchdog_without_a_list_watches_what_is_paused(enabled: bool, watched: tuple[int, ...]) -> None:
    pfc = Pfc(
        mode=Known(PfcMode.ON, Origin.INTENDED),
        priorities=Known((3, 4), Origin.INTENDED),
        watchdog=Watchdog(enabled=Known(enabled, Origin.INTENDED), priorities=Unset()),
    )
    found = applied(PortConfig(pfc=pfc)).pfc.watchdog.priorities
    assert isinstance(found, Known)
    assert found.value == watched


@pytest.mark.parametrize(
    ("mtu", "ip", "frame"),
    [
        (Known(9216, Origin.INTENDED, SILENT), 9216, 9238),
        (Unset(SILENT), 1500, 1522),
        (Unknown("not collected"), None, None),
    ],
)
def test_nxos_counts_the_ip_packet(mtu: Setting[int], ip: int | None, frame: int | None) -> None:
    ethernet = Ethernet(mtu_bytes=mtu, ip_mtu_bytes=Unset(), max_frame_bytes=Unset())
    found = applied(PortConfig(ethernet=ethernet)).ethernet
    for setting, bytes_ in ((found.ip_mtu_bytes, ip), (found.max_frame_bytes, frame)):
        assert (setting.value if isinstance(setting, Known) else None) == bytes_
        assert not isinstance(setting, Known) or setting.where == SILENT


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("size", range(40))
def test_an_mtu_that_holds_no_packet_leaves_the_packet_unknown(system: str, size: int) -> None:
    config = PortConfig(ethernet=Ethernet(Unset(SILENT), mtu_bytes=Known(size, Origin.INTENDED, SILENT)))
    silent = replace(config.ethernet, ip_mtu_bytes=Unset(SILENT), max_frame_bytes=Unset(SILENT))
    found = applied(replace(config, ethernet=silent), system).ethernet
    for each in (found.ip_mtu_bytes, found.max_frame_bytes):
        assert not isinstance(each, Known) or each.value >= min(size, 1)


def test_an_mtu_in_other_terms_that_the_dump_gives_stays() -> None:
    own = Known(4000, Origin.LEARNED)
    ethernet = Ethernet(mtu_bytes=Known(9216, Origin.INTENDED), ip_mtu_bytes=own, max_frame_bytes=own)
    found = applied(PortConfig(ethernet=ethernet)).ethernet
    assert (found.ip_mtu_bytes, found.max_frame_bytes) == (own, own)


def test_ports_that_share_a_configuration_share_the_result() -> None:
    shared, other = PortConfig(pfc=Pfc(mode=Unset(SILENT))), PortConfig()
    ports = tuple(Port(f"Ethernet1/{n}", config) for n, config in enumerate((shared, shared, other)))
    done = fill_defaults(Device("leaf1", "switch", NXOS, "leaf1.cfg", ports)).ports
    assert done[0].config is done[1].config
    assert done[0].config is not done[2].config
    assert [p.name for p in done] == [p.name for p in ports]


def test_no_field_of_a_port_is_lost() -> None:
    port = Port(
        "Ethernet1/1",
        PortConfig(),
        Where("leaf1.cfg", 10),
        ("Eth1/1",),
        description="x",
        counters={"a": Known(1, Origin.LEARNED)},
    )
    (done,) = fill_defaults(Device("leaf1", "switch", NXOS, "leaf1.cfg", (port,))).ports
    kept = [f.name for f in fields(Port) if f.name != "config"]
    assert [getattr(done, name) for name in kept] == [getattr(port, name) for name in kept]
