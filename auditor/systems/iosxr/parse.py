"""Cisco IOS XR: running configurations and show captures."""

import re
from collections.abc import Sequence
from dataclasses import replace

from auditor.grammar.doubts import Ending
from auditor.grammar.output import OutputReader, read_outputs
from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Unset
from auditor.systems.iosxr.assemble import Assembler
from auditor.systems.iosxr.bridges import list_vlan_interfaces
from auditor.systems.iosxr.config import read_config
from auditor.systems.iosxr.configuration import Config
from auditor.systems.iosxr.counters import name_queues
from auditor.systems.iosxr.names import find_kind, find_rate
from auditor.systems.iosxr.npu import merge_profiles, read_profiles
from auditor.systems.iosxr.queuing import LearnedQueues, add_queues, read_queues
from auditor.systems.iosxr.references import find_unattached, find_undefined
from auditor.systems.iosxr.resolve import list_served
from auditor.systems.iosxr.show import CONFIG, CONTROLLERS, NPU, PAUSES, QUEUING, TABLE, recognise
from auditor.systems.iosxr.system import SYSTEM
from auditor.systems.iosxr.watchdogs import Watchdogs, add_watchdogs, read_watchdogs
from auditor.util.regex import regex


def parse(name: str, source: str, captures: Sequence[Capture]) -> Device:
    """Return the router that *captures* show; *name* stands in for a missing hostname.

    An unrecognised file counts as a running configuration: the caller names the system.
    """
    found = read_outputs(captures, _READER)
    config = found.config
    name_queues(found.learned, _list_queues(config) if config else {})
    device = found.build_switch(SYSTEM.os, name, source)
    device = replace(device, buffer_architecture=Unset())  # the system's default says what it is
    shown = _read_shown(captures)
    if config is None:
        return replace(device, ports=_complete(device.ports, shown))
    running = read_profiles(capture for capture in captures if recognise(capture) == NPU)
    config.profiles = merge_profiles(config.profiles, running)
    router = config.describe(device, Assembler(config).ports(), found.learned, find_undefined, find_unattached)
    gateways = list_vlan_interfaces(config.bridges, config.interfaces)
    return replace(router, ports=_complete(router.ports, shown), vlan_interfaces=gateways)


def _read_shown(captures: Sequence[Capture]) -> tuple[LearnedQueues, Watchdogs]:
    """Return the queues and the watchdogs that outputs show."""
    commands = [(capture, recognise(capture)) for capture in captures]
    queues = read_queues(capture for capture, command in commands if command == QUEUING)
    return queues, read_watchdogs(capture for capture, command in commands if command in {CONTROLLERS, PAUSES})


def _complete(ports: Sequence[Port], shown: tuple[LearnedQueues, Watchdogs]) -> tuple[Port, ...]:
    """Return *ports* with what outputs show of them beside their state."""
    made: dict[tuple[int, str], PortConfig] = {}
    for port in ports:
        key = id(port.config), find_kind(port.name)
        if key not in made:
            made[key] = replace(port.config, ethernet=_derive_sizes(port.config.ethernet, find_rate(port.name)))
    derived = [replace(port, config=made[id(port.config), find_kind(port.name)]) for port in ports]
    queues, watchdogs = shown
    return add_watchdogs(add_queues(derived, queues), watchdogs)


def _derive_sizes(ethernet: Ethernet, rate: float) -> Ethernet:
    """Return the speed that the name of a port tells, and the IP packet that its MTU holds, where no line says it."""
    speed, mtu, packet = ethernet.speed_gbps, ethernet.mtu_bytes, ethernet.ip_mtu_bytes
    if not isinstance(speed, Known) and rate:
        speed = Known(rate, Origin.LEARNED)
    if isinstance(mtu, Known) and packet == NOT_COLLECTED:
        packet = Unset(mtu.where)
    return replace(ethernet, speed_gbps=speed, ip_mtu_bytes=packet)


def _list_queues(config: Config) -> dict[tuple[str, str], int]:
    """Return the queue of each class of each policy, by the names of both."""
    policies = config.policy_maps.values()
    served = ((policy, *each) for policy in policies for each in list_served(config, policy))
    return {(policy.name, action.class_name): numbers[0] for policy, numbers, action in served if numbers}


_READS_LIKE_QOS = regex(
    r"\bqos\b|qos-group|traffic-class|priority-flow-control|\bpause\b|pfc-|\becn\b|random-detect|\bwred\b|\bdscp\b|"
    r"class-map|policy-map|service-policy|\bmtu\b|flow-control|buffer-(?:internal|extended)|bandwidth |queue-limit|"
    r"\bcos\b|\bpolice\b|multiplier \S|^\s*interval \S|^\s*interface \S+GigE",
    re.IGNORECASE,
)
_COMMANDS = (
    "priority-flow-control service-policy random-detect bandwidth class-map policy-map interface traffic-class "
    "qos-group bundle flow-control pause-threshold headroom description shutdown hostname hw-module queue-limit"
)
_ENDING = Ending(regex(r"!! IOS XR Configuration"), "end")
_READER = OutputReader(
    "IOS XR", CONFIG, recognise, TABLE.find_name, read_config, TABLE.readers, _READS_LIKE_QOS, _COMMANDS, _ENDING
)
