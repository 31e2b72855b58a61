"""The operational state of ports of SR Linux, with what pages of interfaces alone print."""

from dataclasses import field, replace

from auditor.grammar.numbers import parse_whole
from auditor.grammar.operational import OperationalPort, Ports
from auditor.grammar.thresholds import fill_setting
from auditor.model.port import Port, PortConfig
from auditor.model.qos import Queue
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where, value_of
from auditor.systems.srlinux.interfaces import MIXED, TYPES
from auditor.systems.srlinux.names import PORT
from auditor.util.values import dataclass

_NUMBER = range(2**31)


@dataclass(slots=True)
class DetailedPort(OperationalPort):
    """The state of a port with its queues, and what its subinterfaces say: their least IP MTU, and if any rewrites."""

    queues: dict[int, Queue] = field(default_factory=dict)
    ip_mtu: Setting[int] = field(default_factory=Unset)
    rewrites: Setting[bool] = field(default_factory=Unset)

    def learn_type(self, word: str, where: Where) -> bool:
        """Take up the type of a subinterface; return whether *word* is a known one."""
        kind = TYPES.get(word)
        if kind is None:
            return False
        is_mixed = value_of(self.forwarding) not in {None, kind} or isinstance(self.forwarding, Unknown)
        self.forwarding = Unknown(MIXED) if is_mixed else Known(kind, Origin.LEARNED, where)
        return True

    def learn_ip_mtu(self, word: str, where: Where) -> bool:
        """Take up the IP MTU of a subinterface, the least of which counts; return whether *word* is a number."""
        number = parse_whole(word, _NUMBER)
        held = value_of(self.ip_mtu)
        if number is not None and (held is None or number < held):
            self.ip_mtu = Known(number, Origin.LEARNED, where)
        return number is not None

    @property
    def has_details(self) -> bool:
        """Whether a page of the interface printed anything that no other output has."""
        return bool(self.queues) or isinstance(self.ip_mtu, Known) or isinstance(self.rewrites, Known)


def add_details(ports: tuple[Port, ...], learned: Ports) -> tuple[Port, ...]:
    """Return *ports* with what pages of interfaces print of them, where their configuration is open."""
    made: dict[int, tuple[PortConfig, PortConfig]] = {}
    return tuple(_derive_frame(_add(port, learned.get(port.name)), made) for port in ports)


def _derive_frame(port: Port, made: dict[int, tuple[PortConfig, PortConfig]]) -> Port:
    """Return a port that outputs alone show, whose longest frame follows from its MTU, whatever its tags (MTU_PAGE).

    Ports of one configuration still share it: *made* keeps both by the identity of the first.
    """
    config, ethernet = port.config, port.config.ethernet
    if ethernet.max_frame_bytes != NOT_COLLECTED or not isinstance(ethernet.mtu_bytes, Known):
        return port
    if id(config) not in made:
        frame = Unset(ethernet.mtu_bytes.where)
        made[id(config)] = config, replace(config, ethernet=replace(ethernet, max_frame_bytes=frame))
    return replace(port, config=made[id(config)][1])


def _add(port: Port, found: OperationalPort | None) -> Port:
    if not isinstance(found, DetailedPort) or not found.has_details:
        return port
    config = port.config
    ethernet = replace(config.ethernet, ip_mtu_bytes=fill_setting(config.ethernet.ip_mtu_bytes, found.ip_mtu))
    queues = config.queues
    if found.queues and not isinstance(queues, Known):
        every = tuple(queue for _, queue in sorted(found.queues.items()))
        queues = Known(every, Origin.LEARNED, found.where)
    marking = replace(config.marking, rewrite=fill_setting(config.marking.rewrite, found.rewrites))
    return replace(port, config=replace(config, ethernet=ethernet, queues=queues, marking=marking))


def find_port(ports: Ports, name: str, where: Where) -> DetailedPort | None:
    """Return the state of the port *name*, begun at *where*; None where the interface is no port."""
    if not PORT.match(name):
        return None
    found = ports.setdefault(name, DetailedPort(where))
    return found if isinstance(found, DetailedPort) else None
