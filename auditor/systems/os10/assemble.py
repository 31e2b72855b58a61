"""Ports from statements: ports inherit from the system, and equal ports share one configuration object."""

from auditor.grammar.layers import NOTHING, fall_back, make_absolute
from auditor.grammar.multichassis import list_shared_stanzas, share_ports
from auditor.grammar.running import InterfaceStanzas
from auditor.model.port import ALONE, PEER_LINK, Ethernet, Forwarding, LinkPause, Pfc, Port, PortConfig, Watchdog
from auditor.model.setting import HEAD, Known, Origin, Setting, Unknown, Unset, value_of
from auditor.systems.os10.configuration import Config
from auditor.systems.os10.names import PORT, find_parent
from auditor.systems.os10.queues import build_priority_groups, build_queues
from auditor.systems.os10.resolve import build_classification, build_marking, find_no_drop
from auditor.systems.os10.statements import Statements

_PEER_LINK = Unknown("the port joins a VLT pair, and OS10 itself configures the port-channel that it is in")


class Assembler:
    """Builds the ports of one configuration, with one object for each distinct thing."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._silent = Unset(HEAD)
        self._configs: dict[tuple[object, ...], PortConfig] = {}
        self._speeds = dict(config.breakouts)
        for group in config.port_groups.values():
            self._speeds.update(group.speeds())

    def ports(self) -> tuple[Port, ...]:
        """Return all physical and breakout ports in the order of the dump."""
        config = self._config
        ports = tuple(self._port(n, written) for n, written in config.interfaces.items() if PORT.match(n))
        peers = {n: each for n, each in config.peer_links.items() if isinstance(each, Known) and each.value}
        joins = {n: Known(PEER_LINK, each.origin, each.where) for n, each in peers.items()}
        return share_ports(ports, {**list_shared_stanzas(config.interfaces), **joins})

    def _port(self, name: str, written: InterfaceStanzas[Statements]) -> Port:
        config = self._config
        parent = find_parent(name)
        speed = self._speeds.get(name) or self._speeds.get(parent or name)
        is_peer_link = value_of(config.peer_links.get(name, NOTHING)) is True
        lag = written.lag.value if written.lag else None
        key = (id(written.body), lag, id(speed), is_peer_link)
        if key not in self._configs:
            forwarding, tagged = self._switching(written, is_peer_link=is_peer_link)
            self._configs[key] = self._port_config(written.body, speed or self._silent, forwarding, tagged)
        return Port(
            name=name,
            config=self._configs[key],
            where=written.where,
            aliases=(name.replace("ethernet", "Eth ", 1),),
            lag=written.lag or ALONE,
            parent=Known(parent, Origin.INTENDED, HEAD) if parent else ALONE,
            description=written.description.value.strip('"') if written.description else None,
        )

    def _switching(
        self, written: InterfaceStanzas[Statements], *, is_peer_link: bool
    ) -> tuple[Setting[Forwarding], Setting[bool]]:
        """Return whether a port routes or switches, and with tags; a member does what its port-channel does."""
        if is_peer_link:
            return _PEER_LINK, _PEER_LINK
        if written.lag is None or written.lag.value is None:
            return fall_back(written.body.forwarding, self._silent), fall_back(written.body.tagged, self._silent)
        group = self._config.interfaces.get(written.lag.value)
        if group is None:
            unseen = Unknown(f"interface {written.lag.value} is not in the dump")
            return unseen, unseen
        whole = make_absolute(group.body, group.where)
        silent = Unset(group.where)
        return fall_back(whole.forwarding, silent), fall_back(whole.tagged, silent)

    def _port_config(
        self, body: Statements, speed: Setting[float], forwarding: Setting[Forwarding], tagged: Setting[bool]
    ) -> PortConfig:
        config, silent = self._config, self._silent
        nodrop = find_no_drop(config, body, silent)
        return PortConfig(
            ethernet=Ethernet(
                enabled=fall_back(body.enabled, silent),
                speed_gbps=fall_back(body.speed_gbps, speed),
                fec=fall_back(body.fec, silent),
                mtu_bytes=fall_back(body.mtu, silent),
                ip_mtu_bytes=silent,
                max_frame_bytes=silent,
                forwarding=forwarding,
                tagged=tagged,
            ),
            pfc=Pfc(
                mode=fall_back(body.pfc_mode, silent),
                priorities=nodrop.priorities,
                tx_priorities=silent,
                rx_priorities=silent,
                watchdog=Watchdog(enabled=silent),
            ),
            pause=LinkPause(fall_back(body.pause_rx, silent), fall_back(body.pause_tx, silent)),
            classification=build_classification(config, body, nodrop, silent),
            marking=build_marking(config, body, silent),
            queues=build_queues(config, body, silent),
            priority_groups=build_priority_groups(nodrop, silent),
        )
