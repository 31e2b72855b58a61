"""VXLAN tunnels of Junos: whether their outer header has the DSCP and ECN of the packet inside."""

from auditor.model.setting import Known
from auditor.model.tunnels import Tunnels
from auditor.systems.junos.reading import StatementReader

_OFF = ("vxlan-disable-copy-tos-encap", "vxlan-disable-copy-tos-decap")
"""Statements by which a switch of the QFX5000 line copies DSCP and ECN no longer out to the tunnel, or back in."""


def read_tunnels(reading: StatementReader) -> Tunnels:
    """Return what the configuration switches off; by its silence it does not tell, because platforms differ.

    Source: https://www.juniper.net/documentation/us/en/software/junos/evpn-vxlan/topics/ref/statement/
    vxlan-disable-copy-tos-decap-edit-forwarding-options.html
    """
    flags = [reading.flag(reading.written.root, "forwarding-options", word) for word in _OFF]
    found = next((flag for flag in flags if flag), None)
    return Tunnels(copies_ecn=Known(value=False, origin=found.origin, where=found.where)) if found else Tunnels()
