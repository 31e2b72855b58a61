"""Audit of RoCEv2 fabrics: parse switch and NIC configurations, check them, estimate what a fault costs.

`audit` returns a report, and `load` a fabric without findings; both take `Options`. `pull` fetches dumps from devices,
by `PullOptions`, and returns what each device gave. `estimate_link` returns what a fault on one link costs. All raise
`CannotAudit` for wrong settings. An unreadable dump or a device that fails is a part of the result, not an exception.

>>> import auditor
>>> auditor.audit("no-such-folder", auditor.Options(jobs=1)).problems[0].file
'no-such-folder'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.engine.audit import audit
    from auditor.engine.errors import CannotAudit
    from auditor.engine.fabric import FabricSnapshot, load
    from auditor.engine.link_estimate import LinkEstimate, estimate_link
    from auditor.engine.options import Options
    from auditor.engine.pull import PullOptions, PullReport, pull
    from auditor.engine.result import Report

__version__ = "0.1.0"
_HOMES = {
    "CannotAudit": "errors",
    "FabricSnapshot": "fabric",
    "LinkEstimate": "link_estimate",
    "Options": "options",
    "PullOptions": "pull",
    "PullReport": "pull",
    "Report": "result",
    "audit": "audit",
    "estimate_link": "link_estimate",
    "load": "fabric",
    "pull": "pull",
}
"""The module of each name in `auditor.engine`: imported on first use, so that `roce-audit --version` stays fast."""
__all__ = [
    "CannotAudit",
    "FabricSnapshot",
    "LinkEstimate",
    "Options",
    "PullOptions",
    "PullReport",
    "Report",
    "__version__",
    "audit",
    "estimate_link",
    "load",
    "pull",
]

if not TYPE_CHECKING:  # a type checker knows the names above, and reports any other

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"auditor.engine.{_HOMES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
