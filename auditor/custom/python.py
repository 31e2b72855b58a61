"""Checks of a site in Python, imported only with --allow-python and run in isolation.

Audited folders and the working folder are never searched: both may hold foreign files.
"""

import importlib
import inspect
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from auditor.site import Failure, NotKnown, Place, View

NAME = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+$"
"""MODULE.FUNCTION, the module with its packages."""
MOST_FAILURES = 1000
"""The limit of failures of a check for one object."""
_LONGEST = 200
_PARAMETERS = (1, 2)
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


class NoCheckError(Exception):
    """A check is not available; the message gives the reason."""


class BrokenCheckError(Exception):
    """A check crashed; the message gives the exception and its line."""


def shut_out(audited: Iterable[Path]) -> None:
    """Remove the folders *audited* and the working folder from the module search path."""
    barred = tuple(audited)
    here = Path.cwd()
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != here and not _is_in(Path(entry), barred)]
    importlib.invalidate_caches()


def load_check(dotted: str, allowed: Sequence[str], audited: Sequence[Path]) -> Callable[..., Any]:
    """Return the function MODULE.FUNCTION of an *allowed* module or package; raises NoCheckError."""
    module_name, _, name = dotted.rpartition(".")
    if not any(module_name == each or module_name.startswith(f"{each}.") for each in allowed):
        raise NoCheckError(f"{dotted} is Python: add --allow-python {module_name} to the command line")
    parts = module_name.split(".")
    module = None
    for count in range(1, len(parts) + 1):
        module = _import_module(".".join(parts[:count]), audited)
    function: Any = getattr(module, name, None)
    if not callable(function):
        raise NoCheckError(f"{module_name} has no function {name}")
    if count_parameters(function) not in _PARAMETERS:
        raise NoCheckError(f"{dotted} has wrong parameters: expected the view, and optionally the intent")
    found: Callable[..., Any] = function
    return found


def _import_module(name: str, audited: Sequence[Path]) -> ModuleType:
    spec = _guard_import(name, find_spec)
    if spec is None:
        where = "the working folder and the audited folders are not searched"
        raise NoCheckError(f"no module named {name} is installed ({where})")
    places = [*(spec.submodule_search_locations or ()), *([spec.origin] if spec.has_location else [])]
    for place in filter(None, places):
        if _is_in(Path(place), audited):
            raise NoCheckError(f"{name} lies in an audited folder ({place}): install it elsewhere")
    module: ModuleType = _guard_import(name, importlib.import_module)
    return module


def _guard_import(name: str, do: Callable[[str], Any]) -> Any:  # noqa: ANN401  what *do* returns
    """Return the result of *do* for the module; NoCheckError for any exception of the package."""
    try:
        return do(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001
        raise NoCheckError(f"importing {name} raised {_describe_error(error)}") from None


def _is_in(place: Path, folders: Sequence[Path]) -> bool:
    """Return whether *place* is in one of *folders* and outside of the interpreter's library folders."""
    path = place.resolve()
    if any(path.is_relative_to(Path(sysconfig.get_path(own)).resolve()) for own in _LIBRARIES):
        return False
    return any(path.is_relative_to(folder.resolve()) for folder in folders)


def count_parameters(function: Callable[..., Any]) -> int:
    """Return the number of parameters of *function*: 1 (view), 2 (view and intent), or 0 for another signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return 0
    for count in _PARAMETERS:
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count
    return 0


def run_check(dotted: str, view: View, intent: View) -> tuple[Sequence[Failure], Place | None]:
    """Return the failures of an object, and the place of an unknown value that ended the check.

    Raises BrokenCheckError for another exception, for a yield other than a Failure, and for too many failures.
    """
    module_name, _, name = dotted.rpartition(".")
    function = getattr(sys.modules.get(module_name) or importlib.import_module(module_name), name)
    found: list[Failure] = []
    vain = None
    try:
        given = (view, intent)[: count_parameters(function)]
        for failure in islice(function(*given), MOST_FAILURES + 1):
            found.append(failure)  # noqa: PERF402  one by one: those before a NotKnown are kept
    except NotKnown as unknown:
        vain = unknown.place
    except (Exception, SystemExit) as error:  # noqa: BLE001  what a site writes may raise anything
        raise BrokenCheckError(f"{dotted} raised {_describe_error(error)}") from None
    stranger = next((each for each in found if not isinstance(each, Failure)), None)
    if stranger is not None:
        raise BrokenCheckError(f"{dotted} yielded {type(stranger).__name__}, expected a Failure")
    if len(found) > MOST_FAILURES:
        raise BrokenCheckError(f"{dotted} yielded more than {MOST_FAILURES} failures of one object")
    return found, vain


def _describe_error(error: BaseException) -> str:
    """Return an exception as one line, with the line of the code that raised it."""
    text = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{text}{at}"
