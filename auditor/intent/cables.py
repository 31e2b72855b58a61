"""Cable lengths by tier, from the intent to the ports at the ends of each link."""

from dataclasses import replace
from fnmatch import fnmatchcase

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
    tiers = _Tiers(intents.cables)
    tier_of = {device.name: tiers.find(device.own_name) for device in fabric.devices}
    lengths: dict[tuple[str, str], float] = {}
    for link in fabric.links:
        a, b = (tier_of.get(end.device) or tiers.find(end.device) for end in (link.a, link.b))
        length = tiers.measure(a, b)
        if length is not None:
            lengths[link.a.device, link.a.port] = lengths[link.b.device, link.b.port] = length
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


class _Tiers:
    """Devices by the patterns of *cables* that their names match; the cables between two tiers are of one length."""

    def __init__(self, cables: tuple[CableLength, ...]) -> None:
        self._cables = cables
        self._patterns = sorted({pattern for each in cables for pattern in each.between})
        self._examples: dict[tuple[bool, ...], str] = {}
        self._known: dict[tuple[str, str], float | None] = {}

    def find(self, name: str) -> str:
        """Return a device of the same tier as the one of that *name*: always the same one."""
        tier = tuple(fnmatchcase(name, pattern) for pattern in self._patterns)
        return self._examples.setdefault(tier, name)

    def measure(self, a: str, b: str) -> float | None:
        """Return the length between the tiers of which *a* and *b* are the examples, None where no cable has any."""
        if (a, b) not in self._known:
            self._known[a, b] = find_cable_length(self._cables, a, b)
        return self._known[a, b]


def find_cable_length(cables: tuple[CableLength, ...], a: str, b: str) -> float | None:
    """Return the length in metres of the cable between *a* and *b*: the first entry of *cables* that covers both."""
    return next((each.length_m for each in cables if each.covers(a, b)), None)
