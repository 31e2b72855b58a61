"""The PFC watchdog."""

from collections.abc import Iterator

from auditor.checks.base import Context, Params
from auditor.finding import Finding
from auditor.model.port import PortConfig


def watchdog_missing(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """Without a watchdog one NIC that never stops pausing can stop the whole fabric."""
    enabled = port.pfc.watchdog.enabled.known()
    if not enabled.value:
        yield Finding("PFC runs without a watchdog", enabled.where)
