"""The one place that imports numba: a typed `compile_function`, and the folder of machine code.

The folder is the user's own and never the working folder: numba's files are pickles, which a repository must not bring.
"""

import os
from collections.abc import Callable, Mapping, MutableMapping
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from auditor.estimate.simulation.errors import MISSING_NUMBA, SimulationError

P = ParamSpec("P")
R = TypeVar("R")
_FOLDER = "NUMBA_CACHE_DIR"
_DIGITS = 16


def find_folder(environment: Mapping[str, str]) -> str | None:
    """Return the folder of machine code of all versions; None without an absolute home folder.

    >>> find_folder({"HOME": "/home/me"}), find_folder({"XDG_CACHE_HOME": "/c", "HOME": "/home/me"}), find_folder({})
    ('/home/me/.cache/roce-audit/numba', '/c/roce-audit/numba', None)
    """
    home = environment.get("HOME", "")
    cache = environment.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home else "")
    return str(Path(cache, "roce-audit", "numba")) if Path(cache).is_absolute() else None


def compute_version() -> str:
    """Return a digest of this package: numba alone does not see that a function that another one calls has changed."""
    found = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:_DIGITS]


def is_compiled(environment: Mapping[str, str]) -> bool:
    """Return whether machine code of this version lies on disk, so that a run begins at once."""
    folder = environment.get(_FOLDER) or ""
    return _IS_KEPT and any(Path(folder).rglob("loop.run_slice-*.nbc"))


def open_folder(environment: MutableMapping[str, str]) -> bool:
    """Set the folder of machine code of this version, unless the user did; return whether functions can be kept there.

    Where the folder cannot be written, numba would refuse to work; each run then compiles anew.
    """
    folder = environment.get(_FOLDER)
    if folder is None:
        found = find_folder(environment)
        if found is None:
            return False
        folder = str(Path(found, compute_version()))
    try:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    if not os.access(folder, os.W_OK):
        return False
    environment[_FOLDER] = folder
    return True


_IS_KEPT = open_folder(os.environ)
try:
    from numba import njit
except ImportError as error:
    raise SimulationError(MISSING_NUMBA) from error


def compile_function(function: Callable[P, R]) -> Callable[P, R]:
    """Return *function* as machine code, which the first call compiles or loads.

    `_nrt=False` leaves out the counting of references, which takes four fifths of the time of a run: the caller holds
    all arrays, and no function allocates one.
    """
    options: dict[str, Any] = {"cache": _IS_KEPT, "error_model": "numpy", "_nrt": False}
    compiled: Callable[P, R] = njit(**options)(function)
    return compiled
