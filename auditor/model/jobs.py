"""What jobs are started with and what sets up their nodes, where it belongs to no host: manifests and batch scripts."""

from collections.abc import Mapping

from auditor.model.host import ValuesByName
from auditor.model.qos import Trust
from auditor.model.setting import NOT_COLLECTED, Setting, Where
from auditor.util.values import dataclass

FROM_OUTSIDE = "envFrom "


@dataclass(frozen=True, slots=True)
class Attachment:
    """A network that a pod asks for, in a namespace: an empty one is chosen where the pod is created."""

    namespace: str
    name: str
    where: Where


@dataclass(frozen=True, slots=True)
class Workload:
    """A container of a pod or a batch script, with the variables that it is given.

    `undetermined` are those of which the dump tells that they are set and not to what, each with the reason; one that
    begins with `envFrom` stands for all variables of a source that is not in the dump. `resources` are its limits, such
    as `rdma/rail` and `nvidia.com/gpu`, as they are written. `nodes` are the hosts that it is bound to by name, none
    where any may run it. `networks` are the additional networks of its pod. `sees_devices`: it sees the devices of its
    node beside what its limits give it.
    """

    name: str
    where: Where
    environment: ValuesByName
    undetermined: Mapping[str, str]
    resources: Setting[ValuesByName] = NOT_COLLECTED
    nodes: tuple[str, ...] = ()
    networks: tuple[Attachment, ...] = ()
    sees_devices: bool = False


@dataclass(frozen=True, slots=True)
class NicTemplate:
    """What an operator sets on the NICs of a cluster's nodes: a NicConfigurationTemplate that optimises RoCE.

    `tos` is an 8-bit ToS value (DSCP * 4 + ECN); 0 marks nothing. `nic_type` is the PCI device ID of the NICs that it
    selects, four hexadecimal digits.
    """

    name: str
    where: Where
    trust: Setting[Trust] = NOT_COLLECTED
    pfc_priorities: Setting[tuple[int, ...]] = NOT_COLLECTED
    tos: Setting[int] = NOT_COLLECTED
    cnp_dscp: Setting[int] = NOT_COLLECTED
    nic_type: Setting[str] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class IdleTemplate:
    """A NicConfigurationTemplate that does not optimise RoCE, and the settings for RoCE in it."""

    name: str
    where: Where
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodNetwork:
    """A network that carries RDMA of pods, or the policy that makes its virtual functions, and its MTU in bytes.

    `masters` are the netdevs of the node on which its interfaces are made.
    """

    name: str
    where: Where
    mtu_bytes: Setting[int]
    masters: Setting[tuple[str, ...]] = NOT_COLLECTED


@dataclass(frozen=True, slots=True)
class Jobs:
    """All workloads of a dump, and what prepares NICs and networks for them.

    `defined` are namespace and name of all networks of the dump. `is_overridden`: all hosts of the fabric force a
    traffic class on their NICs, whatever a job asks for.
    """

    workloads: tuple[Workload, ...] = ()
    templates: tuple[NicTemplate, ...] = ()
    networks: tuple[PodNetwork, ...] = ()
    idle_templates: tuple[IdleTemplate, ...] = ()
    defined: frozenset[tuple[str, str]] = frozenset()
    is_overridden: bool = False
