"""Port-channels that two switches share: vPC, MLAG, M-LAG and VSX, by the number that both know them by."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.grammar.configuration import ViewConfig
from auditor.grammar.running import InterfaceStanzas
from auditor.model.port import Port
from auditor.model.setting import Known


def share_ports(ports: tuple[Port, ...], shared: Mapping[str, Known[str]]) -> tuple[Port, ...]:
    """Return *ports* with the number that *shared* gives by the name of their port-channel, or by their own."""
    if not shared:
        return ports
    lags = (port.lag.value if isinstance(port.lag, Known) else None for port in ports)
    numbers = (shared.get(lag or "") or shared.get(port.name) for lag, port in zip(lags, ports, strict=True))
    return tuple(replace(port, mlag=each) if each else port for port, each in zip(ports, numbers, strict=True))


def list_shared(config: ViewConfig[Any]) -> Mapping[str, Known[str]]:
    """Return the numbers that the interfaces of a configuration of views say, by their names."""
    found = ((name, each.own.mlag) for name, each in config.interfaces.items())
    return {name: number for name, number in found if isinstance(number, Known)}


def list_shared_stanzas(interfaces: Mapping[str, InterfaceStanzas[Any]]) -> Mapping[str, Known[str]]:
    """Return the numbers that the interfaces of a running configuration say, by their names."""
    found = ((name, each.mlag) for name, each in interfaces.items())
    return {name: Known(each.value, each.origin, each.where) for name, each in found if each and each.value}
