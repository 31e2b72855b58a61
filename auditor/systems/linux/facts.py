"""Facts of ports and hosts out of single settings."""

from auditor.model.host import Host
from auditor.model.nic import Nic
from auditor.model.port import Port, PortConfig
from auditor.model.setting import Known, Origin, Where
from auditor.systems.linux.evidence import HostFact


def make_service(name: str, state: str, where: Where) -> HostFact:
    """Return the fact that daemon *name* is in *state*."""
    known = Known(state, Origin.LEARNED, where)
    return HostFact(Host(services=Known({name: known}, Origin.LEARNED, where)))


def make_port(config: PortConfig, where: Where | None = None) -> Port:
    """Return a port without a name that has *config*."""
    return Port("", config, where)


def make_nic_port(nic: Nic, where: Where | None = None) -> Port:
    """Return a port without a name that has *nic*."""
    return make_port(PortConfig(nic=nic), where)
