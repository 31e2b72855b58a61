"""GID tables out of the files of sysfs, one file for each part of an entry."""

from collections.abc import Iterable

from auditor.model.nic import Gid, Nic
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux.evidence import GidPart, Rank, Statement, Strength, Subject, nic_port


def statements(parts: Iterable[GidPart]) -> list[Statement]:
    """Return the table of each port of each device: the entries whose GID and type are both known."""
    rows: dict[Subject, dict[int, dict[str, GidPart]]] = {}
    for part in parts:
        rows.setdefault(part.about, {}).setdefault(part.index, {})[part.name] = part
    found = []
    for about, table in rows.items():
        whole = [(index, row) for index, row in sorted(table.items()) if _value(row, "gid") and _value(row, "type")]
        if not whole:
            continue
        where = whole[0][1]["gid"].where
        gids = tuple(
            Gid(index, _value(row, "gid"), _value(row, "type"), _value(row, "netdev") or None) for index, row in whole
        )
        nic = Nic(
            gids=Known(gids, Origin.LEARNED, where),
            rdma_device=Known(about.rdma, Origin.LEARNED, where) if about.rdma else NOT_COLLECTED,
        )
        found.append(Statement(about, nic_port(nic, where), Strength.LISTED, Rank.FALLBACK))
        netdevs = {gid.netdev for gid in gids if gid.netdev}
        device = Nic(rdma_device=Known(about.rdma, Origin.LEARNED, where))
        found += [
            Statement(Subject(netdev, about.rdma, about.rdma_port), nic_port(device, where)) for netdev in netdevs
        ]
    return found


def _value(row: dict[str, GidPart], name: str) -> str:
    return row[name].value if name in row else ""
