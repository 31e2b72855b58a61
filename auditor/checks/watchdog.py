"""The PFC watchdog."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from auditor.checks.base import Context, Params, format_priorities, list_pausing_switch_ports
from auditor.model.finding import Facts, Finding, Related, Sign, Symptom
from auditor.model.port import PortConfig, Watchdog
from auditor.model.setting import Known, value_of

USUAL_MS = 200
"""The times that a remedy gives a watchdog without any."""


def watchdog_missing(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Without a watchdog one NIC that never stops pausing can stop the whole fabric."""
    enabled = port.pfc.watchdog.enabled.known()
    if not enabled.value:
        paused = port.pfc.priorities.known()
        proof = paused.where if paused.where != enabled.where else None
        related = (Related(f"PFC pauses priority {format_priorities(paused.value)}", proof),) if proof else ()
        yield Finding(
            "PFC runs without a watchdog", enabled.where, related=related, symptom=Symptom((Sign.PAUSE_STORM,))
        )


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
            message = f"PFC pauses priority {format_priorities(missed)}, which the watchdog does not watch"
            paused = format_priorities(port.pfc.priorities.known().value)
            unwatched, each = (glue.join(map(str, missed)) for glue in (" ", "\n"))
            facts = (("paused", paused), ("unwatched", unwatched), ("each_unwatched", each), *_list_times(watchdog))
            yield Finding(message, watchdog.priorities.where, key="priorities", facts=facts)
    yield from _check_polling(watchdog, value_of(port.pfc.priorities) or ())


def _check_polling(watchdog: Watchdog, paused: tuple[int, ...]) -> Iterator[Finding]:
    """Compare how often the watchdog looks with the times after which it is to act and to let go."""
    polling = watchdog.polling_ms
    for what, wanted in (("act", watchdog.detection_ms), ("restore", watchdog.restoration_ms)):
        if isinstance(polling, Known) and isinstance(wanted, Known) and 0 < wanted.value < polling.value:
            message = f"the watchdog looks each {polling.value:g} ms, but is to {what} after {wanted.value:g} ms"
            yield Finding(
                message,
                polling.where,
                key="polling",
                facts=(("paused", format_priorities(paused)), *_list_times(watchdog)),
            )
            return


def _list_times(watchdog: Watchdog) -> Facts:
    """Return the times of a watchdog for a remedy, in milliseconds: its own, in which it also looks."""
    least = value_of(watchdog.polling_ms) or 0
    times = (("detection", watchdog.detection_ms), ("restoration", watchdog.restoration_ms))
    return tuple((name, round(max(value_of(time) or USUAL_MS, least))) for name, time in times)


class SlowestParams(Params):
    """How long a storm may last."""

    slowest_ms: float = Field(default=1000, gt=0, description="detection time that is still let pass, milliseconds")


def list_timed_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches whose watchdog runs, where the time after which it acts is known."""
    watchdog = port.pfc.watchdog
    is_timed = value_of(watchdog.enabled) and isinstance(watchdog.detection_ms, Known)
    return list_pausing_switch_ports(port, context) if is_timed else ()


def watchdog_slow(port: PortConfig, params: SlowestParams, _context: Context) -> Iterator[Finding]:
    """Until the watchdog acts, the pauses of one NIC stop all that waits for it, switch by switch up to the senders."""
    detection = port.pfc.watchdog.detection_ms.known()
    if detection.value > params.slowest_ms:
        message = f"the watchdog lets a storm of pauses last {detection.value:g} ms (at most {params.slowest_ms:g})"
        yield Finding(message, detection.where)


def list_watched_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return ports of switches that are up and say that their watchdog runs, and for which priorities."""
    watchdog = port.pfc.watchdog
    watched = value_of(watchdog.enabled) and value_of(watchdog.priorities)
    is_up = not port.ethernet.is_shut
    return (port,) if context.device.kind == "switch" and is_up and watched else ()


def watchdog_idle(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """PFC that was taken off a priority leaves a watchdog and headroom that wait for pauses that never come."""
    paused, watched = port.pfc.priorities.known(), port.pfc.watchdog.priorities.known()
    either = (paused.value, *(value_of(setting) or () for setting in (port.pfc.tx_priorities, port.pfc.rx_priorities)))
    left = sorted(set(watched.value).difference(*either))
    if left:
        groups = [
            group.pg
            for group in value_of(port.priority_groups) or ()
            if value_of(group.lossless) and set(value_of(group.priorities) or ()) & set(left)
        ]
        paused_facts = (("paused", format_priorities(paused.value)),) if paused.value else ()
        also = f", and priority group {format_priorities(groups)} is no-drop" if groups else ""
        yield Finding(
            f"PFC does not run for priority {format_priorities(left)}, but the watchdog watches it{also}",
            paused.where,
            key=f"priority {format_priorities(left)}",
            facts=(*paused_facts, ("each_idle", "\n".join(map(str, left)))),
            related=(Related(f"the watchdog watches priority {format_priorities(watched.value)}", watched.where),)
            if watched.where
            else (),
        )
