"""Facts of ports and hosts out of single settings."""

from auditor.model.host import Host
from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.port import Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Where
from auditor.systems.linux.evidence import HostFact


def make_service(name: str, state: str, where: Where) -> HostFact:
    """Return the fact that daemon *name* is in *state*."""
    known = Known(state, Origin.LEARNED, where)
    return HostFact(Host(services=Known({name: known}, Origin.LEARNED, where)))


def make_port(config: PortConfig, where: Where | None = None) -> Port:
    """Return a port without a name that has *config*."""
    return Port("", config, where)


def make_nic_port(
    nic: Nic, where: Where | None = None, rdma: str = "", gids: Setting[tuple[Gid, ...]] = NOT_COLLECTED
) -> Port:
    """Return a port without a name that has *nic*, and an RDMA device that the line at *where* calls *rdma*, if any."""
    config = PortConfig(nic=nic)
    if not rdma:
        return Port("", config, where)
    return Port("", config, where, rdma=RdmaDevice(Known(rdma, Origin.LEARNED, where), gids))
