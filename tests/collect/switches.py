"""Switches that other programs pull, each served over SSH with the dumps of a fixture."""

from dataclasses import dataclass, field
from pathlib import Path

from replay import Device, Replay

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"


@dataclass
class Switches:
    """The leaves of the fixture `fabric` by name, served on `ports`; `known_hosts` lists their keys."""

    replay: Replay
    known_hosts: Path
    devices: dict[str, Device] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def add(self, *names: str) -> None:
        """Serve leaves."""
        for name in names:
            captures = (FABRIC / name).glob("show_*.txt")
            answers = {path.stem.replace("_", " "): path.read_bytes() for path in captures}
            self.devices[name] = Device("cisco_nxos", answers)
            self.ports[name] = self.replay.serve(self.devices[name])
        self.known_hosts.write_text(self.replay.known_hosts([*self.ports.values()]))
