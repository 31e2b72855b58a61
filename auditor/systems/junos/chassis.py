"""Speeds of ports and channels in the chassis part of a configuration."""

from dataclasses import field

from auditor.model.setting import Known
from auditor.systems.junos.names import list_between, parse_gbps
from auditor.systems.junos.reading import StatementReader
from auditor.systems.junos.tree import StatementNode
from auditor.util.values import dataclass


@dataclass(slots=True)
class Chassis:
    """Speeds by `FPC/PIC/PORT`: of the port, and of its channels."""

    ports: dict[str, Known[float]] = field(default_factory=dict)
    channels: dict[str, Known[float]] = field(default_factory=dict)


def read_chassis(reading: StatementReader) -> Chassis:
    """Return the speeds in `chassis`, of single ports and of port ranges."""
    found = Chassis()
    top = reading.block(reading.written.root, "chassis")
    for fpc in reading.entries(top, "fpc") if top else ():
        for pic in reading.entries(fpc, "pic"):
            for port in reading.entries(pic, "port"):
                _chassis_port(reading, port, (f"{fpc.word}/{pic.word}/{port.word}",), found)
            for low in reading.entries(pic, "port-range"):
                for high in reading.entries(low):
                    places = list_between(f"{fpc.word}/{pic.word}/{low.word}", f"{fpc.word}/{pic.word}/{high.word}")
                    _chassis_port(reading, high, places, found)
    return found


def _chassis_port(reading: StatementReader, port: StatementNode, places: tuple[str, ...], found: Chassis) -> None:
    split = reading.whole(port, "number-of-sub-ports", high=64)
    for key in ("speed", "channel-speed"):
        name = reading.name(port, key)
        rate = parse_gbps(name.value) if name else None
        if name is None or rate is None:
            continue
        is_channel = key == "channel-speed" or (isinstance(split, Known) and split.value > 1)
        for place in places:
            (found.channels if is_channel else found.ports)[place] = Known(rate, name.origin, name.where)
