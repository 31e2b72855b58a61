"""The ASIC of a switch, from the name of its hardware SKU or platform."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from auditor.model.setting import Known, Origin, Setting, Unknown, Unset
from auditor.systems.sonic.config import Config
from auditor.util.values import dataclass
from auditor.util.yamlfile import data_of

REFERENCE = "auditor/parsers/sonic/asics.yaml"


@dataclass(frozen=True, slots=True)
class Hardware:
    """The ASIC behind a name, and its buffer architecture: `shared` or `voq`."""

    sku: re.Pattern[str]
    asic: str
    architecture: str


@lru_cache
def load_catalogue() -> Sequence[Hardware]:
    """Return the catalogue of hardware, in the order in which names are tried."""
    text = (files("auditor.systems.sonic") / "asics.yaml").read_text(encoding="utf-8")
    return tuple(
        Hardware(re.compile(entry["sku"], re.IGNORECASE), entry["asic"], entry.get("architecture", "shared"))
        for entry in data_of(text)["skus"]
    )


def find_hardware(sku: str) -> Hardware | None:
    """Return the hardware of a hardware SKU or platform, None if the catalogue lacks it.

    >>> [found.asic for sku in ("ACS-MSN2700", "Arista-7060X6-64PE-B-O128", "x") if (found := find_hardware(sku))]
    ['Spectrum-1', 'Tomahawk 5']
    """
    return next((found for found in load_catalogue() if found.sku.search(sku)), None)


def _hardware(config: Config, shown: Mapping[str, Known[str]]) -> tuple[Hardware, Known[str]] | Unknown:
    """Return the switch's hardware with the field that names it; a virtual switch only bears the name of one.

    *shown* are the fields of outputs, used where the configuration is silent.
    """
    written = config.metadata
    if written is None and not shown:
        return Unknown("no table DEVICE_METADATA is in the dump")
    sku, platform = (
        found if written and isinstance(found := written.get(name), Known) else shown.get(name)
        for name in ("hwsku", "platform")
    )
    if platform and "kvm" in platform.value:
        return Unknown("the platform is a virtual switch")
    for field in (sku, platform):
        hardware = find_hardware(field.value) if field else None
        if hardware and field:
            return hardware, field
    return Unknown("the hardware SKU is none whose ASIC is known here")


def find_asic(config: Config, shown: Mapping[str, Known[str]]) -> Setting[str]:
    """Return the ASIC of the switch."""
    found = _hardware(config, shown)
    if isinstance(found, Unknown):
        return found
    return Known(found[0].asic, found[1].origin, found[1].where, REFERENCE)


def find_architecture(config: Config, shown: Mapping[str, Known[str]]) -> Setting[str]:
    """Return whether ports share a buffer, or queues are virtual output queues."""
    if config.voq_ports:
        return Known("voq", Origin.INTENDED)
    kind = config.metadata.get("switch_type") if config.metadata else Unset()
    if isinstance(kind, Known) and kind.value == "voq":
        return Known("voq", kind.origin, kind.where)
    found = _hardware(config, shown)
    if isinstance(found, Unknown):
        return found
    return Known(found[0].architecture, found[1].origin, found[1].where, REFERENCE)
