"""What is plugged in: the card behind a host port, and the transceiver or cable at a port."""

from auditor.model.setting import NOT_COLLECTED, Setting
from auditor.util.values import dataclass


@dataclass(frozen=True, slots=True)
class Module:
    """The transceiver or cable at a port, as it tells of itself (SFF-8636, CMIS).

    `length_m` is the length of a cable, or how far the transceiver reaches over the fibre named by `kind`.
    `temperature_c` is in degrees Celsius; `rx_power_dbm` is the weakest of its lanes, in dBm.
    """

    kind: Setting[str] = NOT_COLLECTED
    vendor: Setting[str] = NOT_COLLECTED
    part_number: Setting[str] = NOT_COLLECTED
    serial: Setting[str] = NOT_COLLECTED
    length_m: Setting[float] = NOT_COLLECTED
    temperature_c: Setting[float] = NOT_COLLECTED
    rx_power_dbm: Setting[float] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Hardware:
    """The hardware of a port: `slot` is the PCI address of its card (`0000:1a:00.0`), `board` its PSID."""

    slot: Setting[str] = NOT_COLLECTED
    part_number: Setting[str] = NOT_COLLECTED
    serial: Setting[str] = NOT_COLLECTED
    board: Setting[str] = NOT_COLLECTED
    module: Module = Module()
