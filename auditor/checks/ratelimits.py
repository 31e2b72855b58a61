"""Rate limits of whole ports, and of what arrives at them, below the speed of the port."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, list_switch_rdma_traffic
from auditor.intent import Traffic
from auditor.model.finding import Finding, Sign, Symptom
from auditor.model.port import PortConfig
from auditor.model.qos import NO_RATE
from auditor.model.setting import Known, is_unclear, value_of
from auditor.packet.classify import find_policer
from auditor.util.values import dataclass

EXACT = 0.01
"""How much below the speed a rate is still taken for the speed itself."""


@dataclass(frozen=True, slots=True)
class LimitedPort:
    """A port with a rate limit: of all that it sends where `traffic` is None, else of that traffic where it arrives."""

    port: PortConfig
    traffic: Traffic | None = None


def list_limited_ports(port: PortConfig, context: Context) -> Iterable[LimitedPort]:
    """Return each limit on a switch port that carries RDMA."""
    arriving = list_switch_rdma_traffic(port, context)
    if not arriving:
        return ()
    shape = port.limits.shape_gbps
    shaped = (LimitedPort(port),) if isinstance(shape, Known) or is_unclear(shape) else ()
    policers = port.limits.policers
    has_rates = any(each.value.gbps is not None for each in value_of(policers) or ())
    policed = arriving if has_rates or policers == NO_RATE else ()
    return (*shaped, *(LimitedPort(port, each.traffic) for each in policed))


def port_limited(given: LimitedPort, _params: Params, _context: Context) -> Iterator[Finding]:
    """A shaper below the speed makes a slow link of a fast one; a policer drops what PFC is to keep."""
    if given.traffic is None:
        limit = given.port.limits.shape_gbps.known()
        speed = given.port.ethernet.speed_gbps.known().value
        if 0 < limit.value < speed * (1 - EXACT):
            message = f"all that the port sends is limited to {limit.value:.6g} Gb/s, its speed is {speed:g} Gb/s"
            yield Finding(message, limit.where, key="sent", is_certain=True)
        return
    policer = find_policer(given.port, given.traffic)
    rate = policer.value.gbps if policer else None
    if policer is None or rate is None:
        return
    speed = given.port.ethernet.speed_gbps.known().value
    if rate < speed * (1 - EXACT):
        priority = value_of(given.traffic.priority)
        yield Finding(
            f"{given.traffic.name} that arrives is limited to {rate:.6g} Gb/s, the port's speed is {speed:g} Gb/s: "
            "what comes beyond that is dropped",
            policer.where,
            key=f"arriving {given.traffic.name}",
            symptom=None if priority is None else Symptom((Sign.DISCARDED_ON_ARRIVAL,), (priority,)),
        )
