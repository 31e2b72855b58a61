"""Checks that a site writes in Python: imported only where the command line allows their module, and run apart.

They never come from what is audited, nor from the working folder: both may hold anybody's files.
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
"""So many a check may yield of one object."""
_LONGEST = 200
_PARAMETERS = (1, 2)
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


class NoCheckError(Exception):
    """A check cannot be had; the message says why and what was expected."""


class BrokenCheckError(Exception):
    """A check did not run to its end; the message says what it raised and where."""


def shut_out(audited: Iterable[Path]) -> None:
    """Look for modules in none of the folders *audited* and not in the working folder, from now on."""
    barred = tuple(audited)
    here = Path.cwd()
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != here and not _is_in(Path(entry), barred)]
    importlib.invalidate_caches()


def load_check(dotted: str, allowed: Sequence[str], audited: Sequence[Path]) -> Callable[..., Any]:
    """Return the function MODULE.FUNCTION, whose module one of *allowed* is or holds; raises NoCheckError."""
    module_name, _, name = dotted.rpartition(".")
    if not any(module_name == each or module_name.startswith(f"{each}.") for each in allowed):
        raise NoCheckError(f"{dotted} is Python, which only --allow-python {module_name} on the command line allows")
    parts = module_name.split(".")
    module = None
    for count in range(1, len(parts) + 1):
        module = _import_module(".".join(parts[:count]), audited)
    function: Any = getattr(module, name, None)
    if not callable(function):
        raise NoCheckError(f"{module_name} has no function {name}")
    if count_parameters(function) not in _PARAMETERS:
        raise NoCheckError(f"{dotted} does not take what checks are given: the view, and the intent if it asks for it")
    found: Callable[..., Any] = function
    return found


def _import_module(name: str, audited: Sequence[Path]) -> ModuleType:
    spec = _guard_import(name, find_spec)
    if spec is None:
        where = "the working folder and what is audited are not searched"
        raise NoCheckError(f"no module named {name} is installed ({where})")
    places = [*(spec.submodule_search_locations or ()), *([spec.origin] if spec.has_location else [])]
    for place in filter(None, places):
        if _is_in(Path(place), audited):
            raise NoCheckError(f"{name} lies in what is audited ({place}): install it elsewhere")
    module: ModuleType = _guard_import(name, importlib.import_module)
    return module


def _guard_import(name: str, do: Callable[[str], Any]) -> Any:  # noqa: ANN401  what *do* returns
    """Return what *do* gives for the module: a package's own code runs, and may raise anything."""
    try:
        return do(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001
        raise NoCheckError(f"importing {name} raised {_describe_error(error)}") from None


def _is_in(place: Path, folders: Sequence[Path]) -> bool:
    """Tell whether *place* is in one of *folders*, and not one of the interpreter's own library folders."""
    path = place.resolve()
    if any(path.is_relative_to(Path(sysconfig.get_path(own)).resolve()) for own in _LIBRARIES):
        return False
    return any(path.is_relative_to(folder.resolve()) for folder in folders)


def count_parameters(function: Callable[..., Any]) -> int:
    """Return how many of view and intent *function* takes: 1, 2, or 0 where it takes neither so."""
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
    """Return what the check yields of an object, and the place of the value that it asked for in vain.

    Raises BrokenCheckError where the check raises anything else, or yields what is no Failure, or without end.
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
