"""The PFC watchdog: what it does with a queue in a storm, and whether it acts without one."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, list_pausing_switch_ports
from auditor.model.finding import Finding
from auditor.model.port import PortConfig, WatchdogAction
from auditor.model.setting import Known, value_of

_EFFECTS = {
    WatchdogAction.FORWARD: "sends into the storm, and loses what the neighbour drops",
    WatchdogAction.ALERT: "only tells of a storm, and the queue stays stopped",
}


def list_forced_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches with PFC that tell whether their watchdog is forced."""
    is_told = isinstance(port.pfc.watchdog.is_forced, Known)
    return list_pausing_switch_ports(port, context) if is_told else ()


def watchdog_forced(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A watchdog that always acts turns each lossless queue into one that drops or ignores pauses."""
    forced = port.pfc.watchdog.is_forced.known()
    if forced.value:
        yield Finding(
            "the watchdog acts on all lossless queues at all times, storm or not: nothing is lossless", forced.where
        )


def list_acting_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches with PFC whose watchdog runs and has an action."""
    watchdog = port.pfc.watchdog
    is_told = isinstance(watchdog.action, Known) and value_of(watchdog.enabled)
    return list_pausing_switch_ports(port, context) if is_told else ()


def watchdog_keeps_storm(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A watchdog that does not drop protects the port's own queue at most, and leaves the storm to the fabric."""
    action = port.pfc.watchdog.action.known()
    if action.value in _EFFECTS:
        yield Finding(f"the watchdog's action is {action.value}: it {_EFFECTS[action.value]}", action.where)
