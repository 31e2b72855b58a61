"""Cable lengths by tier: what the intent says of a link's length becomes the length of the ports at its ends."""

from dataclasses import replace

from auditor.intent.model import CableLength, Intents
from auditor.model.fabric import Fabric
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin


def fill_cable_lengths(fabric: Fabric, intents: Intents) -> Fabric:
    """Return *fabric* with a cable length for each port whose dump tells none and whose link the intent describes.

    Ports that were configured alike and have cables of one length still share their configuration.
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

    def measured(device: str, port: Port) -> Port:
        length = lengths.get((device, port.name))
        if length is None or isinstance(port.config.cable_length_m, Known):
            return port
        key = (id(port.config), length)
        if key not in made:
            made[key] = replace(port.config, cable_length_m=Known(length, Origin.INTENDED))
        return replace(port, config=made[key])

    devices = (replace(d, ports=tuple(measured(d.name, port) for port in d.ports)) for d in fabric.devices)
    return replace(fabric, devices=tuple(devices))


def find_cable_length(cables: tuple[CableLength, ...], a: str, b: str) -> float | None:
    """Return how long the cable between devices *a* and *b* is by the first of *cables* that covers them, metres."""
    return next((each.length_m for each in cables if each.covers(a, b)), None)
