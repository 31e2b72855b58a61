"""What link and fabric rules cost on a fat tree of three tiers, against parsing it.

    PYTHONPATH=tests/fabrics python tests/benchmarks/fat_tree.py [--broken] [--copies] [NICS ...]

The tree is built of pods of 1,024 NICs: 128 servers of 8 NICs, 32 leaves and 32 spines of 64 ports, and 16 core
switches for each pod, so that every tier has as many links up as down, rail-optimised. A tree of switches of 128 ports
has pods of 4,096 NICs. The text of every dump is made
and parsed, and each size is measured whole, in seconds of this process. With `--broken` one leaf of seven has lost a
cable to a spine, each another one, so that leaves of a pod no longer look alike. With `--copies` one device of each
kind is parsed and copied for the others, with names and neighbours of their own: for sizes that take long to parse.
"""

import argparse
import gc
import resource
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import process_time

from pod_hosts import transcript
from pod_nexus import configuration, lldp, status
from pod_nics import CONNECTX7, Nic
from pod_wiring import Cable

from auditor.checks.base import Scope
from auditor.checks.catalogue import Rule, load_rules
from auditor.engine.check import check_fabric, check_links, check_whole
from auditor.engine.load import read_device
from auditor.fabric.topology import link_devices
from auditor.inputs.detection import list_captures
from auditor.inputs.rawtext import Raw
from auditor.inputs.snapshot import DeviceUnit
from auditor.intent import Intents, fill_cable_lengths, parse_intent
from auditor.model.device import Device
from auditor.model.fabric import Fabric
from auditor.model.port import PeerPort, Port
from auditor.model.routing import BgpNeighbour, Routing
from auditor.model.setting import Known, Origin
from auditor.model.text_facts import InterfaceAddress

RAILS = 8
NICS = 1024
"""Those of a pod with switches of 64 ports."""
SIZES = (1024, 2048, 4096, 8192)
BUSES = ("1a", "3c", "4d", "5e", "9c", "bc", "cc", "dc")
COMMAND = 20_000, 20, 20
"""When the garbage of the command is collected."""
BROKEN = 7
"""Of so many leaves one has lost a cable."""

INTENT = """\
schema: roce-audit/intent/1
traffic:
  - {name: RDMA, kind: rdma, dscp: [26], priority: 3, lossless: true}
  - {name: CNP, kind: cnp, dscp: [48], priority: 6}
path_mtu_bytes: 4096
cables:
  - {between: ["gpu*", "leaf*"], length_m: 5}
  - {between: ["leaf*", "spine*"], length_m: 30}
  - {between: ["spine*", "core*"], length_m: 30}
"""


@dataclass(frozen=True, slots=True)
class Wired:
    """A device: its name and kind, the neighbour that each of its ports shows, and what makes its dump."""

    name: str
    kind: str
    peers: Mapping[str, tuple[str, str]]
    text: Callable[[], str]
    cables: tuple[Cable, ...] = ()
    """Those of a switch."""

    def parsed(self) -> Device:
        """Return the device that its dump shows; the dump is made before."""
        return self.reader()()

    def reader(self) -> Callable[[], Device]:
        """Return what parses the dump, which is made now."""
        raw = Raw(f"{self.name}.txt", ".", tuple(self.text().split("\n")), ends_with_newline=True)
        os = "linux" if self.kind == "gpu" else "cisco_nxos"
        return lambda: read_device(DeviceUnit(self.name, raw.name, os, list_captures(raw))).device

    def copied(self, model: Device) -> Device:
        """Return a copy of a device of this kind with this one's name and neighbours.

        Configurations are objects of its own, shared by the same ports as in the model: what rules remember of one does
        not help them with the next device.
        """
        configs = {id(port.config): replace(port.config) for port in model.ports}
        own = (port for port in model.ports if port.name in self.peers or not port.name.startswith("Ethernet1/"))
        ports = tuple(self._port(replace(port, config=configs[id(port.config)])) for port in own)
        return replace(model, name=self.name, source=self.name, ports=ports, routing=self._routing(model))

    def _routing(self, model: Device) -> Routing:
        """Return the routing of a copy: its own addresses and neighbours, at the lines of the model."""
        routing = model.routing
        if not self.cables or not routing.addresses or not isinstance(routing.neighbours, Known):
            return routing
        where = routing.addresses[0].where
        addresses = tuple(
            InterfaceAddress(f"Ethernet1/{each.port}", f"{each.address}/31", where) for each in self.cables
        )
        neighbours = tuple(
            BgpNeighbour(each.peer_address, where, remote_as=each.peer_as) for each in self.cables if each.peer_as
        )
        own = replace(routing.own_as, value=find_system(self.name)) if isinstance(routing.own_as, Known) else None
        told = replace(routing.neighbours, value=neighbours)
        return replace(routing, addresses=addresses, neighbours=told, own_as=own or routing.own_as)

    def _port(self, port: Port) -> Port:
        if not isinstance(port.peer, Known):
            return port
        peer = Known(PeerPort(*self.peers[port.name], "lldp"), Origin.LEARNED, port.peer.where)
        mac = port.mac if not isinstance(port.mac, Known) else replace(port.mac, value=f"{self.name}{port.name}")
        return replace(port, peer=peer, mac=mac)


@dataclass(frozen=True, slots=True)
class Tree:
    """A fat tree: `side` leaves and spines in a pod, each with as many ports in either direction.

    The cores have ports for `places` pods, which divides `side`; the first `pods` of them are built.
    """

    pods: int
    places: int
    side: int = 32

    @property
    def nics(self) -> int:
        """The NICs of a pod."""
        return self.side * self.side

    @property
    def cores(self) -> int:
        """The core switches with links to a spine, two to each."""
        return self.side // 2

    def addresses(self, tier: int, pod: int, number: int) -> tuple[str, str]:
        """Return the addresses of the lower and the upper end of a cable: each tier of a pod has one for a NIC."""
        net, low = divmod(2 * ((tier * self.side + pod) * self.nics + number), 256)
        return f"10.{net >> 8}.{net & 255}.{low + 1}", f"10.{net >> 8}.{net & 255}.{low}"

    def leaf_cables(self, pod: int, leaf: int) -> Iterator[Cable]:
        """Yield what is on a leaf: one rail of servers, then every spine of the pod."""
        first = leaf // RAILS * self.side
        for port in range(self.side):
            below, here = self.addresses(0, pod, leaf * self.side + port)
            server = name_server(pod * self.nics // RAILS + first + port)
            yield Cable(port + 1, server, f"rail{leaf % RAILS}", here, below)
        for spine in range(self.side):
            here, above = self.addresses(1, pod, leaf * self.side + spine)
            name, port = f"spine{pod:02d}{spine:02d}", self.side + spine + 1
            yield Cable(port, name, f"Ethernet1/{leaf + 1}", here, above, 65000)

    def spine_cables(self, pod: int, spine: int) -> Iterator[Cable]:
        """Yield what is on a spine: every leaf of the pod, then two links to each of its core switches."""
        for leaf in range(self.side):
            below, here = self.addresses(1, pod, leaf * self.side + spine)
            name, peer = f"leaf{pod:02d}{leaf:02d}", f"Ethernet1/{self.side + spine + 1}"
            yield Cable(leaf + 1, name, peer, here, below, 64000 + pod)
        for link in range(self.side):
            here, above = self.addresses(2, pod, spine * self.side + link)
            core, port = spine % self.places * self.cores + link // 2, self._core_port(pod, spine, link)
            yield Cable(self.side + link + 1, f"core{core:03d}", f"Ethernet1/{port}", here, above, 65001)

    def core_cables(self, core: int) -> Iterator[Cable]:
        """Yield what is on a core switch: two links to each spine of its group in every pod."""
        for pod in range(self.pods):
            for spine in range(core // self.cores, self.side, self.places):
                for link in (core % self.cores * 2, core % self.cores * 2 + 1):
                    below, here = self.addresses(2, pod, spine * self.side + link)
                    name, peer = f"spine{pod:02d}{spine:02d}", f"Ethernet1/{self.side + link + 1}"
                    yield Cable(self._core_port(pod, spine, link), name, peer, here, below, 65000)

    def _core_port(self, pod: int, spine: int, link: int) -> int:
        return 2 * (pod * self.side // self.places + spine // self.places) + link % 2 + 1

    def server(self, number: int) -> "Wired":
        """Return a server: a NIC on each of the eight leaves of its group."""
        pod, within = divmod(number, self.nics // RAILS)
        group, port = divmod(within, self.side)
        nics = [
            Nic(
                netdev=f"rail{rail}",
                rdma=f"mlx5_{rail}",
                pci=f"0000:{BUSES[rail]}:00.0",
                mac=f"02:00:5e:{number >> 8:02x}:{number & 255:02x}:{rail:02x}",
                address=self.addresses(0, pod, (group * RAILS + rail) * self.side + port)[0],
                switch=f"leaf{pod:02d}{group * RAILS + rail:02d}",
                port=f"Ethernet1/{port + 1}",
                gbps=400,
                card=CONNECTX7,
            )
            for rail in range(RAILS)
        ]
        peers = {nic.netdev: (nic.switch, nic.port) for nic in nics}
        name = name_server(number)
        return Wired(name, "gpu", peers, partial(transcript, name, nics, has_gpus=True))

    def devices(self, *, broken: bool = False) -> Iterator["Wired"]:
        """Yield every device; where *broken*, one leaf of seven has lost a cable to a spine."""
        yield from map(self.server, range(self.pods * self.nics // RAILS))
        for pod in range(self.pods):
            for index in range(self.side):
                lost = self.side + 1 + index if broken and index % BROKEN == 0 else None
                leaf = (each for each in self.leaf_cables(pod, index) if each.port != lost)
                yield switch("leaf", f"{pod:02d}{index:02d}", leaf)
                lost = index + 1 if broken and index % BROKEN == 0 else None
                spine = (each for each in self.spine_cables(pod, index) if each.port != lost)
                yield switch("spine", f"{pod:02d}{index:02d}", spine)
        for core in range(self.places * self.cores):
            yield switch("core", f"{core:03d}", self.core_cables(core))


def plan_tree(nics: int) -> Tree:
    """Return the smallest tree with at least *nics* NICs: its pods have 1,024 of them, or 4,096 where that is too few.

    >>> plan_tree(8192), plan_tree(100_000)
    (Tree(pods=8, places=8, side=32), Tree(pods=25, places=32, side=64))
    """
    side = 32 if nics <= 32 * NICS else 64
    pods = -(-nics // (side * side))
    return Tree(pods, 1 << (pods - 1).bit_length(), side)


def name_server(number: int) -> str:
    """Return the name of a server."""
    return f"gpu{number:04d}"


def switch(kind: str, place: str, cables: Iterable[Cable]) -> Wired:
    """Return a switch, whose dump is a session: its configuration, its ports and the switches beside it."""
    name, own = f"{kind}{place}", tuple(cables)
    peers = {f"Ethernet1/{each.port}": (each.device, each.peer) for each in own}
    return Wired(name, kind, peers, partial(_session, name, own), own)


def find_system(name: str) -> int:
    """Return the autonomous system of a switch: one for the leaves of a pod, one for all spines, one for all cores."""
    above = {"spine": 65000, "core": 65001}
    return next((number for kind, number in above.items() if name.startswith(kind)), 0) or 64000 + int(name[4:6])


def _session(name: str, cables: tuple[Cable, ...]) -> str:
    shown = {
        "show running-config": configuration(name, int(name[-2:]), find_system(name), cables),
        "show interface status": status(cables),
        "show lldp neighbors detail": lldp(name, [each for each in cables if each.peer_as]),
    }
    return "".join(f"{name}# {command}\n{text}" for command, text in shown.items())


def parse_tree(plan: Tree, *, broken: bool) -> tuple[list[Device], float]:
    """Return every device of a tree, and the seconds that parsing took; making the text is not among them."""
    devices: list[Device] = []
    taken = 0.0
    for each in plan.devices(broken=broken):
        parse = each.reader()
        start = process_time()
        devices.append(parse())
        taken += process_time() - start
    return devices, taken


def copies(plan: Tree, *, broken: bool) -> Iterator[Device]:
    """Yield every device of a tree, copied from one that was parsed for each kind."""
    models: dict[str, Device] = {}
    for each in Tree(1, 1, plan.side).devices():
        if each.kind not in models:
            models[each.kind] = each.parsed()
    return (each.copied(models[each.kind]) for each in plan.devices(broken=broken))


def measure(whole: Fabric, intents: Intents, rules: Sequence[Rule]) -> tuple[float, dict[str, float], int]:
    """Return the seconds of all *rules* in one run, those of each in a run of its own, and the findings."""
    start = process_time()
    found = len(check_fabric(whole, intents, rules).findings)
    total = process_time() - start
    taken = {}
    for rule in rules:
        start = process_time()
        check = check_links if rule.check.scope is Scope.LINK else check_whole
        check(whole, intents, [rule])
        taken[rule.file.id] = process_time() - start
    return total, taken, found


def main() -> None:
    """Print for each size what joining, each rule and all of it took, and the ratio to parsing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("nics", nargs="*", type=int, default=SIZES)
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--copies", action="store_true")
    arguments = parser.parse_args()
    gc.set_threshold(*COMMAND)
    intents = parse_intent("roce-audit.yaml", INTENT)
    judged = [rule for rule in load_rules() if rule.check.scope in {Scope.LINK, Scope.FABRIC}]
    for nics in arguments.nics:
        parsing, plan = 0.0, plan_tree(nics)
        if arguments.copies:
            devices = list(copies(plan, broken=arguments.broken))
        else:
            devices, parsing = parse_tree(plan, broken=arguments.broken)
        start = process_time()
        whole = fill_cable_lengths(link_devices(devices), intents)
        joined = process_time() - start
        gc.freeze()  # as the children do that judge the fabric
        gc.set_threshold(0)
        judging, taken, found = measure(whole, intents, judged)
        total, links = joined + judging, len(whole.links)
        ratio = f"parsing {parsing:.1f} s, ratio {total / parsing:.3f}, " if parsing else ""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{nics} NICs, {len(devices)} devices, {links} links: {ratio}joined {joined:.2f} s, judged {judging:.2f} s"
        )
        print(f"  {total / links * 1e6:.0f} µs a link; {found} findings; {peak:.1f} GB at most; each rule by itself:")
        costliest = sorted(taken.items(), key=lambda each: -each[1])
        print("  " + " ".join(f"{name} {seconds:.2f}" for name, seconds in costliest), flush=True)
        del devices, whole
        gc.unfreeze()
        gc.set_threshold(*COMMAND)
        gc.collect()


if __name__ == "__main__":
    main()
