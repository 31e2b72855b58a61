"""NetworkManager's `nmcli`: running settings of netdevs, requested settings of connections."""

from dataclasses import field

from auditor.model.dump import Capture
from auditor.model.host import Host
from auditor.model.port import Ethernet, Port, PortConfig
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, HostFact, NetdevFact, PortFact, Rank, Strength
from auditor.systems.linux.ip_link import make_mtu
from auditor.systems.linux.marks import mark_modelled, mark_not_modelled
from auditor.systems.linux.portnames import Subject
from auditor.util.regex import regex
from auditor.util.values import dataclass

_FIELD = regex(r"([A-Za-z0-9-]+\.[A-Za-z0-9-]+)(?:\[\d+\])?:\s*(.*)")
_BEGINS = frozenset({"GENERAL.DEVICE", "connection.id"})
_NETDEVS = ("GENERAL.DEVICE", "connection.interface-name")
_MTUS = ("GENERAL.MTU", "802-3-ethernet.mtu", "infiniband.mtu")
_MASTERS = ("connection.master", "connection.controller")
_ROLES = ("connection.slave-type", "connection.port-type")
_UUID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ADDRESS = "GENERAL.HWADDR"
_OPTIONS = "bond.options"
_KEPT = frozenset({*_NETDEVS, *_MTUS, *_MASTERS, *_ROLES, _ADDRESS, _OPTIONS, "GENERAL.TYPE"})
_MAC = regex(r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}")
_MODE = regex(r"\bmode=([^,\s]+)")
_NOTHING = frozenset({"", "--", "auto"})


@dataclass(slots=True)
class _Record:
    """A netdev or a connection: its fields by name."""

    values: dict[str, Known[str]] = field(default_factory=dict)

    def first(self, names: tuple[str, ...]) -> Known[str] | None:
        """Return the first of *names* that has a value."""
        return next((self.values[name] for name in names if name in self.values), None)


def read_nmcli(capture: Capture, _: Call) -> Events:
    """Yield MTU, MAC address and bond of each record; a connection holds requested values."""
    records: list[_Record] = []
    for index, line in text.list_lines(capture):
        match = _FIELD.fullmatch(line)
        if not match:
            continue
        if match[1] in _BEGINS or not records:
            records.append(_Record())
        value = match[2].strip()
        if match[1] in _KEPT and value not in _NOTHING:
            records[-1].values[match[1]] = Known(value, Origin.INTENDED, capture.where(index))
            yield mark_modelled(index)
        else:
            yield mark_not_modelled(index)
    for record in records:
        yield from _describe_record(record)


def _describe_record(record: _Record) -> Events:
    netdev, mtu, master = (record.first(names) for names in (_NETDEVS, _MTUS, _MASTERS))
    if netdev is None:
        return
    size = text.parse_whole(mtu.value, range(1, text.MAX_MTU)) if mtu else None
    address, options = record.values.get(_ADDRESS), record.values.get(_OPTIONS)
    kind, mode = record.values.get("GENERAL.TYPE"), _MODE.search(options.value) if options else None
    if mode and options:
        modes = {netdev.value: Known(mode[1], Origin.INTENDED, options.where)}
        yield HostFact(Host(bonds=Known(modes, Origin.INTENDED, options.where)))
    if mode or (kind and kind.value != "ethernet"):
        yield NetdevFact(netdev.value, is_ethernet=True, kind="bond" if mode else kind.value if kind else "")
    role = record.first(_ROLES)
    is_member = master and role and role.value in {"bond", "team"} and not _UUID.fullmatch(master.value)
    says = Port(
        "",
        PortConfig(ethernet=make_mtu(size, mtu.where) if mtu and size else Ethernet()),
        netdev.where,
        mac=Known(address.value.lower(), Origin.LEARNED, address.where)
        if address and _MAC.fullmatch(address.value)
        else NOT_COLLECTED,
        lag=Known(master.value, Origin.INTENDED, master.where) if is_member and master else NOT_COLLECTED,
    )
    runs = "GENERAL.DEVICE" in record.values
    yield PortFact(Subject(netdev=netdev.value), says, Strength.LISTED, Rank.RUNNING if runs else Rank.REQUESTED)


COMMANDS = (
    Command(
        "nmcli device show",
        r"nmcli(?: -\S+(?: (?:all|common))?)* (?:d(?:ev(?:ice)?)?|c(?:on(?:nection)?)?) (?:show|s)(?: .+)?",
        read_nmcli,
        (),
        r"^(?:GENERAL\.DEVICE|connection\.id):\s",
        "MTU, MAC address and bond, as they run and, of a connection, as requested",
    ),
)
