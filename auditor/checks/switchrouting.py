"""What takes routes away from a whole switch: a route map that is not defined, and maintenance."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params
from auditor.model.device import Device
from auditor.model.finding import Finding
from auditor.model.setting import Known, is_unclear


def list_mapping(device: Device, _context: Context) -> Iterable[Device]:
    """Return a switch whose BGP may use route maps."""
    lost = device.routing.lost_maps
    return (device,) if isinstance(lost, Known) or is_unclear(lost) else ()


def route_map_lost(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """A route map that is not there passes no route, or all of them: not those that were meant."""
    for name in device.routing.lost_maps.known().value:
        message = f"route map {name.value} is used here and defined nowhere"
        yield Finding(message, name.where, key=name.value, is_certain=True)


def list_in_service(device: Device, _context: Context) -> Iterable[Device]:
    """Return a switch of which the dumps say whether it is in service."""
    return (device,) if isinstance(device.routing.is_withdrawn, Known) else ()


def out_of_service(device: Device, _params: Params, _context: Context) -> Iterator[Finding]:
    """A switch that was taken out for maintenance and not put back leaves its share of the load to the others."""
    withdrawn = device.routing.is_withdrawn.known()
    if withdrawn.value:
        message = "the switch asks its neighbours to route around it: its links carry nothing, the others carry more"
        yield Finding(message, withdrawn.where, is_certain=True)
