"""Settings of a host as a whole."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from auditor.model.setting import NOT_COLLECTED, Known, Setting
from auditor.util.values import dataclass

ValuesByName: TypeAlias = Mapping[str, Known[str]]
"""Values by the name the host gives them, each with its own proof; a name that is missing was not captured."""


class Nearness(StrEnum):
    """What lies between a GPU and a NIC, the nearest first, in the words of `nvidia-smi topo -m`.

    One PCIe bridge at most, several bridges, the host bridge of the CPU, several host bridges of one NUMA node, the
    link between NUMA nodes.
    """

    PIX = "PIX"
    PXB = "PXB"
    PHB = "PHB"
    NODE = "NODE"
    SYS = "SYS"


@dataclass(frozen=True, slots=True)
class Gpu:
    """How near each NIC is to a GPU, by RDMA device.

    `is_coherent`: its memory is a NUMA node of the CPU's, so that it hangs on the CPU and not behind a PCIe switch.
    """

    nics: Mapping[str, Nearness]
    is_coherent: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """The host around its NICs.

    `modules` are the loaded kernel modules. `kernel_parameters` is the command line of the running kernel (a parameter
    without a value has an empty one), `module_parameters` has keys such as `irdma.roce_ena`. `services` are states by
    the name of the daemon (`lldpad`, `lldpd`): `active` or `inactive`. `bonds` are modes by the name of the bond, in
    the kernel's words. `acs` says by PCI address whether a bridge sends peer-to-peer traffic through the root complex
    (PCIe Access Control Services). `environment` holds what jobs are started with, such as `NCCL_IB_TC`, and `gpus`
    how near the NICs are to each GPU. `routes` are the destinations (`10.20.0.0/16`, `default`) that leave by a netdev,
    and `all_routes_of` the IP versions of which the dump shows all routing tables. `rdma_netns` is the mode of the RDMA
    subsystem: in `exclusive` an RDMA device is seen in one network namespace alone, in `shared` in all.
    """

    modules: Setting[Mapping[str, Known[bool]]] = NOT_COLLECTED
    kernel_parameters: Setting[ValuesByName] = NOT_COLLECTED
    module_parameters: Setting[ValuesByName] = NOT_COLLECTED
    sysctls: Setting[ValuesByName] = NOT_COLLECTED
    services: Setting[ValuesByName] = NOT_COLLECTED
    bonds: Setting[ValuesByName] = NOT_COLLECTED
    acs: Setting[Mapping[str, Known[bool]]] = NOT_COLLECTED
    environment: Setting[ValuesByName] = NOT_COLLECTED
    gpus: Setting[Mapping[str, Known[Gpu]]] = NOT_COLLECTED
    routes: Setting[Mapping[str, Known[tuple[str, ...]]]] = NOT_COLLECTED
    all_routes_of: Setting[tuple[int, ...]] = NOT_COLLECTED
    rdma_netns: Setting[str] = NOT_COLLECTED
