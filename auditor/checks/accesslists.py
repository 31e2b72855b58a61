"""Access lists on what arrives at a port, and RoCEv2."""

from collections.abc import Iterable, Iterator

from auditor.checks.base import Context, Params, list_rdma_ports
from auditor.model.finding import Finding
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Undetermined, is_unclear


def list_guarded_ports(port: PortConfig, context: Context) -> Iterable[PortConfig]:
    """Return the ports of switches for RDMA that have an access list on what arrives."""
    is_guarded = isinstance(port.access, Known) or is_unclear(port.access)
    return list_rdma_ports(port, context) if context.device.kind == "switch" and is_guarded else ()


def access_list_drops(port: PortConfig, _params: Params, _context: Context) -> Iterator[Finding]:
    """What no line of a list permits is dropped: ping and TCP pass, RDMA does not, and no counter of QoS moves."""
    access = port.access.known()
    if access.value.passes_roce is None:
        why = f"access list {access.value.name} lets RoCE pass or not by addresses or code points"
        raise Undetermined(why, access.where)
    if not access.value.passes_roce:
        message = f"access list {access.value.name} drops RoCEv2 (UDP destination port 4791) that arrives"
        facts = (("access_list", access.value.name),)
        yield Finding(message, access.where, key=access.value.name, is_certain=True, facts=facts)
