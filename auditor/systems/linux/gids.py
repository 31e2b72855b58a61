"""GID tables out of the files of sysfs, one file for each part of an entry."""

from collections.abc import Iterable
from dataclasses import replace

from auditor.model.nic import Gid, Nic, RdmaDevice
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux.evidence import GidPart, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.portnames import Subject


def join_gids(parts: Iterable[GidPart]) -> list[PortFact]:
    """Return the GID table of each port: the entries with both GID and type.

    Where netdevs were captured, an entry without one makes no port of its device.
    """
    rows: dict[Subject, dict[int, dict[str, GidPart]]] = {}
    for part in parts:
        rows.setdefault(part.about, {}).setdefault(part.index, {})[part.name] = part
    found = []
    for about, table in rows.items():
        whole = [
            (index, row) for index, row in sorted(table.items()) if _get_value(row, "gid") and _get_value(row, "type")
        ]
        if not whole:
            continue
        where = whole[0][1]["gid"].where
        gids = tuple(
            Gid(
                index,
                _get_value(row, "gid"),
                _get_value(row, "type"),
                _get_value(row, "netdev") or None,
                row["gid"].where,
            )
            for index, row in whole
        )
        name = Known(about.rdma, Origin.LEARNED, where) if about.rdma else NOT_COLLECTED
        said = replace(make_nic_port(Nic(), where), rdma=RdmaDevice(name, Known(gids, Origin.LEARNED, where)))
        is_placed = any("netdev" in row for _, row in whole)
        strength = Strength.LISTED if is_placed else Strength.RDMA
        found.append(PortFact(about, said, strength, Rank.FALLBACK))
        netdevs = {gid.netdev for gid in gids if gid.netdev}
        found += [
            PortFact(Subject(netdev, about.rdma, about.rdma_port), make_nic_port(Nic(), where, about.rdma))
            for netdev in netdevs
        ]
    return found


def _get_value(row: dict[str, GidPart], name: str) -> str:
    return row[name].value if name in row else ""
