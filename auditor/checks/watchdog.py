"""The PFC watchdog."""

from collections.abc import Iterator

from auditor.checks.base import Context, Params
from auditor.finding import Finding, Related, Sign, Trace
from auditor.model.port import PortConfig, Watchdog
from auditor.model.setting import Known, value_of


def watchdog_missing(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Without a watchdog one NIC that never stops pausing can stop the whole fabric."""
    enabled = port.pfc.watchdog.enabled.known()
    if not enabled.value:
        paused = port.pfc.priorities.known()
        listed = ",".join(map(str, sorted(paused.value)))
        proof = paused.where if paused.where != enabled.where else None
        related = (Related(f"PFC pauses priority {listed}", proof),) if proof else ()
        yield Finding("PFC runs without a watchdog", enabled.where, related=related, trace=Trace((Sign.PAUSE_STORM,)))


def watchdog_incomplete(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """A watchdog watches each priority that PFC pauses, and looks at least once in the times it waits for.

    Where no priorities are selected it watches all. A port whose watchdog is off is `watchdog_missing`'s.
    """
    watchdog = port.pfc.watchdog
    if value_of(watchdog.enabled) is False:
        return
    if not isinstance(watchdog.priorities, Known):
        watchdog.enabled.known()
    else:
        missed = sorted({*port.pfc.priorities.known().value} - {*watchdog.priorities.value})
        if missed:
            listed = ",".join(map(str, missed))
            message = f"PFC pauses priority {listed}, which the watchdog does not watch"
            yield Finding(message, watchdog.priorities.where, key="priorities")
    yield from _too_seldom(watchdog)


def _too_seldom(watchdog: Watchdog) -> Iterator[Finding]:
    """Compare how often the watchdog looks with the times after which it is to act and to let go."""
    polling = watchdog.polling_ms
    for what, wanted in (("act", watchdog.detection_ms), ("restore", watchdog.restoration_ms)):
        if isinstance(polling, Known) and isinstance(wanted, Known) and 0 < wanted.value < polling.value:
            message = f"the watchdog looks each {polling.value:g} ms, but is to {what} after {wanted.value:g} ms"
            yield Finding(message, polling.where, key="polling")
            return
