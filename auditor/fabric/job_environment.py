"""The environment of jobs on a host: variables of NCCL, RCCL, UCX and NVSHMEM."""

from collections.abc import Mapping

from auditor.model.device import Device
from auditor.model.host import ValuesByName
from auditor.model.setting import Known, value_of
from auditor.util.regex import regex
from auditor.util.values import dataclass

TRAFFIC_CLASSES = (
    "NCCL_IB_TC",
    "RCCL_IB_TC",
    "NCCL_GIN_IB_TC",
    "UCX_IB_TRAFFIC_CLASS",
    "NVSHMEM_IB_TRAFFIC_CLASS",
    "MORI_RDMA_TC",
)
"""Variables that hold a ToS byte (DSCP * 4 + ECN)."""
GID_INDEXES = ("NCCL_IB_GID_INDEX", "RCCL_IB_GID_INDEX", "UCX_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX")
_MAX_DIGITS = 16
_YES = frozenset({"1", "y", "yes", "on", "true"})
_DEVICES = {"NCCL": "NCCL_IB_HCA", "RCCL": "NCCL_IB_HCA", "UCX": "UCX_NET_DEVICES"}


@dataclass(frozen=True, slots=True)
class GpuDriven:
    """A variable that lets the GPU drive queue pairs, with its values that do, and their traffic classes in order.

    The library sets such queue pairs up with DevX. The kernel's global traffic class does not reach them.
    """

    name: str
    values: frozenset[str]
    classes: tuple[str, ...]


GPU_DRIVEN = (
    GpuDriven("NVSHMEM_IB_ENABLE_IBGDA", _YES, ("NVSHMEM_IB_TRAFFIC_CLASS",)),
    GpuDriven("NCCL_GIN_TYPE", frozenset({"3"}), ("NCCL_GIN_IB_TC", "NCCL_IB_TC")),
)


@dataclass(frozen=True, slots=True)
class JobNumber:
    """A number that the job's environment gives, and the variable that gives it."""

    name: str
    number: Known[int]


def read_environment(device: Device) -> ValuesByName:
    """Return the captured variables of the job."""
    return (value_of(device.host.environment) if device.host else None) or {}


def list_numbers(variables: ValuesByName, names: tuple[str, ...]) -> tuple[JobNumber, ...]:
    """Return the variables of *names* that hold a number; the library chooses for `auto` and below 0."""
    found = ((name, variables[name]) for name in names if name in variables)
    numbers = ((name, text, _parse_number(text.value)) for name, text in found)
    return tuple(
        JobNumber(name, Known(number, text.origin, text.where)) for name, text, number in numbers if number is not None
    )


def list_gpu_driven(variables: ValuesByName) -> tuple[GpuDriven, ...]:
    """Return the kinds of queue pairs that the GPU drives in a job of *variables*."""
    return tuple(e for e in GPU_DRIVEN if e.name in variables and variables[e.name].value.strip().lower() in e.values)


_INTEGER = regex(r"\s{0,16}[+-]?(?:0[xX](?P<hexadecimal>[0-9a-fA-F]{1,16})|(?P<decimal>\d{1,20}))")


def is_switched_on(variables: ValuesByName, name: str) -> bool:
    """Return whether a switch of NCCL is on: the number that its text begins with is not 0.

    NCCL reads it by `strtoll` (src/misc/param.cc), to which a text without a number is 0.

    >>> from auditor.model.setting import Known, Origin
    >>> said = {text: Known(text, Origin.INTENDED) for text in ("1", "0", " 2", "0x1", "1 # off", "true", "00", "")}
    >>> [text for text in said if is_switched_on(said, text)]
    ['1', ' 2', '0x1', '1 # off']
    """
    match = _INTEGER.match(variables[name].value) if name in variables else None
    return match is not None and bool((match["hexadecimal"] or match["decimal"]).strip("0"))


def _parse_number(text: str) -> int | None:
    try:
        number = int(text, 0) if len(text) <= _MAX_DIGITS else -1
    except ValueError:
        return None
    return number if number >= 0 else None


def list_named_devices(variables: Mapping[str, Known[str]], variable: str) -> tuple[str, ...]:
    """Return the RDMA devices that the environment names for the library of *variable*; none if it excludes some."""
    listed = variables.get(_DEVICES.get(variable.partition("_")[0], ""))
    if listed is None or listed.value.startswith("^"):
        return ()
    words = listed.value.removeprefix("=").split(",")
    return tuple(name for word in words if (name := word.strip().partition(":")[0]))


def uses(variables: Mapping[str, Known[str]], variable: str, rdma_device: str) -> bool:
    """Return whether the environment lets the library of *variable* use the RDMA device.

    NCCL takes a list of prefixes; `=` before it asks for whole names, `^` for all others. UCX takes whole names, each
    with its port, or `all`.
    """
    library = variable.partition("_")[0]
    listed = variables.get(_DEVICES.get(library, ""))
    if listed is None or not listed.value:
        return True
    exact, text = library == "UCX", listed.value
    is_excluding = text.startswith("^")
    text = text.removeprefix("^")
    exact, text = exact or text.startswith("="), text.removeprefix("=")
    names = [word.strip().partition(":")[0] for word in text.split(",") if word.strip()]
    if library == "UCX" and "all" in names:
        return True
    is_named = any(rdma_device == name if exact else rdma_device.startswith(name) for name in names)
    return is_named is not is_excluding
