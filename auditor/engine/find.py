"""A device and a port of a fabric by the names that people type."""

from collections.abc import Mapping
from difflib import get_close_matches

from auditor.engine.errors import CannotAudit
from auditor.fabric.topology import normalise_port_name
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.port import Port
from auditor.util.natsort import natural
from auditor.util.suggest import MOST, join_or

_MOST_NAMED = 5
_LEAST_ALIKE = 0.5


def find_device(fabric: Fabric, name: str) -> Device:
    """Return the device *name*, in any case of letters; raises CannotAudit with the names that are near."""
    exact = next((device for device in fabric.devices if device.name == name), None)
    alike = [device for device in fabric.devices if name.lower() in {device.name.lower(), device.own_name.lower()}]
    if exact is None and len(alike) != 1:
        names = {device.name.lower(): device.name for device in alike or fabric.devices}
        raise _refuse(f"--device {name}: no device of the dumps has this name", name.lower(), names, "they have")
    return exact or alike[0]


def find_port(device: Device, name: str) -> Port:
    """Return the port *name* of *device*, also by a short name or an alias; raises CannotAudit with near names."""
    exact = device.port(name)
    wanted = normalise_port_name(name)
    alike = [port for port in device.ports if wanted in _list_spellings(port)]
    if exact is None and len(alike) != 1:
        names = {spelling: port.name for port in alike or device.ports for spelling in _list_spellings(port)}
        raise _refuse(f"--port {name}: {device.name} has no port of this name", wanted, names, "it has")
    return exact or alike[0]


def _list_spellings(port: Port) -> set[str]:
    return {normalise_port_name(name) for name in (port.name, *port.aliases)}


def _refuse(message: str, wanted: str, names: Mapping[str, str], has: str) -> CannotAudit:
    """Return the error with the names that are near, the first ones where none is; *names* is spelling to name."""
    near = list(dict.fromkeys(names[spelling] for spelling in get_close_matches(wanted, names, MOST, _LEAST_ALIKE)))
    if near:
        return CannotAudit(f"{message}; did you mean {join_or(near)}?")
    first = sorted(set(names.values()), key=natural)
    more = f" and {len(first) - _MOST_NAMED} more" if len(first) > _MOST_NAMED else ""
    return CannotAudit(f"{message}; {has} {', '.join(first[:_MOST_NAMED]) or 'none'}{more}")
