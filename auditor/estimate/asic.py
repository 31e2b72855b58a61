"""Switch ASICs: buffer size, allocation unit, and sources."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from auditor.util.values import dataclass
from auditor.util.yamlfile import data_of


@dataclass(frozen=True, slots=True)
class Asic:
    """One ASIC; None is what is not known.

    `parts` are the chip's numbers or, where a chip has none in public, the switches built of it. `buffer_bytes` is the
    packet buffer on the chip, without memory beside it, and 1 MB is 10^6 bytes. `slices` are the parts of the buffer
    that do not share. `reserved_beside_pools`: shared headroom and what priority groups reserve take memory beside the
    ingress pools.
    `confidence` and `source` are by field.
    """

    name: str
    vendor: str
    parts: tuple[str, ...]
    buffer_bytes: int | None
    cell_bytes: int | None
    slices: int | None
    architecture: Literal["shared", "voq"] | None
    confidence: Mapping[str, str]
    source: Mapping[str, str]
    reserved_beside_pools: bool | None = None


@lru_cache
def list_asics() -> Mapping[str, Asic]:
    """Return the known ASICs by name.

    >>> list_asics()["Tomahawk 5"].cell_bytes
    254
    """
    text = (files("auditor.estimate") / "asics.yaml").read_text(encoding="utf-8")
    asics = (Asic(**{**entry, "parts": tuple(entry["parts"])}) for entry in data_of(text))
    return MappingProxyType({asic.name: asic for asic in asics})


def find_asic(name: str) -> Asic | None:
    """Return the ASIC of a name or a part number, in any case and spacing, or of both together; None if unknown.

    >>> names = ("BCM56850", "tomahawk5", "Trident II (BCM56850)")
    >>> [asic.name for asic in map(find_asic, names) if asic]
    ['Trident II', 'Tomahawk 5', 'Trident II']
    """
    return _index_asics().get(_reduce_name(name))


@lru_cache
def _index_asics() -> Mapping[str, Asic]:
    return {
        _reduce_name(text): asic
        for asic in list_asics().values()
        for text in (asic.name, *asic.parts, *(asic.name + part for part in asic.parts))
    }


def _reduce_name(name: str) -> str:
    """Reduce *name* to its letters, digits and `+`, which alone tells Tomahawk+ from Tomahawk."""
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter == "+")
