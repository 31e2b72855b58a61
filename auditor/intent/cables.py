"""Cable lengths by tier, from the intent to the ports at the ends of each link."""

from dataclasses import replace

from auditor.intent.model import CableLength, Intents
from auditor.model.fabric import Fabric
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin
from auditor.util.quick import replace_fields


def fill_cable_lengths(fabric: Fabric, intents: Intents) -> Fabric:
    """Return *fabric* with the intent's cable length at each port whose dump shows no length.

    Ports of equal configuration and cable length still share their configuration.
    """
    if not intents.cables:
        return fabric
    own_name = {device.name: device.own_name for device in fabric.devices}
    lengths: dict[tuple[str, str], float] = {}
    for link in fabric.links:
        names = (own_name.get(end.device, end.device) for end in (link.a, link.b))
        length = find_cable_length(intents.cables, *names)
        if length is not None:
            lengths |= {(end.device, end.port): length for end in (link.a, link.b)}
    made: dict[tuple[int, float], PortConfig] = {}

    def set_length(device: str, port: Port) -> Port:
        length = lengths.get((device, port.name))
        if length is None or isinstance(port.config.cable_length_m, Known):
            return port
        key = (id(port.config), length)
        if key not in made:
            made[key] = replace(port.config, cable_length_m=Known(length, Origin.INTENDED))
        return replace_fields(port, {"config": made[key]})

    devices = (replace(d, ports=tuple(set_length(d.name, port) for port in d.ports)) for d in fabric.devices)
    return replace(fabric, devices=tuple(devices))


def find_cable_length(cables: tuple[CableLength, ...], a: str, b: str) -> float | None:
    """Return the length in metres of the cable between *a* and *b*: the first entry of *cables* that covers both."""
    return next((each.length_m for each in cables if each.covers(a, b)), None)
