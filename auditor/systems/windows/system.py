"""Windows host with RoCE NICs: its names, and how it is read and pulled."""

from auditor.systems.system import Depth, RemedySyntax, System

SYSTEM = System(
    os="windows",
    folder="windows",
    name="Windows host with RoCE NICs",
    rank=130,
    models="PFC and traffic classes of each NIC",
    give=("Get-NetAdapterQos",),
    aliases=("windows_server",),
    kind="host",
    depth=Depth.BASIC,
    remedies=RemedySyntax("Ethernet"),
)
