"""Ports of hosts whose RDMA is no RoCE: the rules leave them alone."""

from collections.abc import Iterable, Iterator

from auditor.model.device import Device
from auditor.model.nic import OTHER_FABRICS, find_other_fabric
from auditor.model.port import Port
from auditor.model.setting import Known, Where
from auditor.util.natsort import natural
from auditor.util.values import dataclass

_MOST_NAMES = 8
_JUDGED = frozenset({"iwarp"})
"""Fabrics of which a rule asks whether the port is meant for RoCE."""


@dataclass(frozen=True, slots=True)
class OtherFabric:
    """The ports of a device that are of one other fabric; `where` is a line that proves the first of them."""

    device: str
    fabric: str
    ports: tuple[str, ...]
    where: Where | None

    def __str__(self) -> str:
        """Return the ports in words."""
        more = f" and {len(self.ports) - _MOST_NAMES} more" if len(self.ports) > _MOST_NAMES else ""
        names = ", ".join(self.ports[:_MOST_NAMES])
        return f"{self.device} {names}{more}: {OTHER_FABRICS[self.fabric]}, which is no RoCE"


def list_other_fabrics(devices: Iterable[Device]) -> Iterator[OtherFabric]:
    """Yield the ports that no rule on RoCE judges because their RDMA is another one, by device and fabric."""
    for device in devices:
        found: dict[str, list[Port]] = {}
        for port in device.ports:
            fabric = find_other_fabric(port.config.nic) if port.config.nic else ""
            if fabric and fabric not in _JUDGED:
                found.setdefault(fabric, []).append(port)
        for fabric, ports in sorted(found.items()):
            names = tuple(sorted((port.name for port in ports), key=natural))
            yield OtherFabric(device.name, fabric, names, _locate(ports[0]))


def has_no_roce(devices: Iterable[Device]) -> bool:
    """Return whether RDMA devices are known, and all of them are of other fabrics."""
    nics = [port.config.nic for device in devices for port in device.ports if port.config.nic]
    fabrics = {find_other_fabric(nic) for nic in nics if nic.has_rdma_device or find_other_fabric(nic)}
    return bool(fabrics) and "" not in fabrics


def _locate(port: Port) -> Where | None:
    nic = port.config.nic
    proofs = (nic.transport, nic.link_layer) if nic else ()
    return port.locate(next((each.where for each in proofs if isinstance(each, Known) and each.where), port.where))
