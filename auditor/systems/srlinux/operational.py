"""The operational state of ports of SR Linux, with what pages of interfaces alone print."""

from dataclasses import dataclass, field, replace

from auditor.grammar.operational import OperationalPort, Ports
from auditor.grammar.thresholds import fill_setting
from auditor.model.port import Port
from auditor.model.qos import Queue
from auditor.model.setting import Known, Origin, Setting, Unset, Where, value_of
from auditor.systems.srlinux.names import PORT


@dataclass(slots=True)
class DetailedPort(OperationalPort):
    """The state of a port with its queues and what its subinterfaces say: the least IP MTU, and whether any rewrites."""

    queues: dict[int, Queue] = field(default_factory=dict)
    ip_mtu: Setting[int] = field(default_factory=Unset)
    rewrites: Setting[bool] = field(default_factory=Unset)

    @property
    def has_details(self) -> bool:
        """Whether a page of the interface printed anything that no other output has."""
        return bool(self.queues) or isinstance(self.ip_mtu, Known) or isinstance(self.rewrites, Known)


def add_details(ports: tuple[Port, ...], learned: Ports) -> tuple[Port, ...]:
    """Return *ports* with what pages of interfaces print of them, where their configuration is open."""
    return tuple(_add(port, learned.get(port.name)) for port in ports)


def _add(port: Port, found: OperationalPort | None) -> Port:
    if not isinstance(found, DetailedPort) or not found.has_details:
        return port
    config = port.config
    ethernet = replace(config.ethernet, ip_mtu_bytes=fill_setting(config.ethernet.ip_mtu_bytes, found.ip_mtu))
    queues = config.queues
    if found.queues and not isinstance(queues, Known):
        speed = value_of(ethernet.speed_gbps)
        every = tuple(_limit(queue, speed) for _, queue in sorted(found.queues.items()))
        queues = Known(every, Origin.LEARNED, found.where)
    marking = replace(config.marking, rewrite=fill_setting(config.marking.rewrite, found.rewrites))
    return replace(port, config=replace(config, ethernet=ethernet, queues=queues, marking=marking))


def _limit(queue: Queue, speed_gbps: float | None) -> Queue:
    share = queue.shape_percent
    if not isinstance(share, Known) or speed_gbps is None:
        return queue
    return replace(queue, shape_gbps=Known(speed_gbps * share.value / 100, share.origin, share.where))


def find_port(ports: Ports, name: str, where: Where) -> DetailedPort | None:
    """Return the state of the port *name*, begun at *where*; None where the interface is no port."""
    if not PORT.match(name):
        return None
    found = ports.setdefault(name, DetailedPort(where))
    return found if isinstance(found, DetailedPort) else None
