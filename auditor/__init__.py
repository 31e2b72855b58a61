"""Audit of RoCEv2 fabrics: parse switch and NIC configurations, check them, estimate what a fault costs.

The library has four names. `audit` returns a report, and `load` a fabric without findings. Both take `Options`, and
both raise `CannotAudit` for wrong settings. An unreadable dump is a problem in the result, not an exception.

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
    from auditor.engine.options import Options
    from auditor.engine.result import Report

__version__ = "0.1.0"
__all__ = ["CannotAudit", "FabricSnapshot", "Options", "Report", "__version__", "audit", "load"]
_HOMES = {
    "CannotAudit": "errors",
    "FabricSnapshot": "fabric",
    "Options": "options",
    "Report": "result",
    "audit": "audit",
    "load": "fabric",
}
"""The module of each name in `auditor.engine`: imported on first use, so that `roce-audit --version` stays fast."""

if not TYPE_CHECKING:  # a type checker knows the names above, and reports any other

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"auditor.engine.{_HOMES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
