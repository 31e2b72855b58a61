"""A file of each format of cables, of any length; a format without one fails the tests that enumerate formats."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from auditor.inputs.cable_plans import FORMATS, PlanFormat


@dataclass(frozen=True, slots=True)
class PlanText:
    """The name of a file of a format, and its text with a number of cables, each of leaf1 and a spine of its own.

    `hide` puts a text where nothing reads it, as a secret stands in a real file.
    """

    file: str
    make: Callable[[int], str]
    hide: Callable[[str, str], str]


def _make_layer1(count: int) -> str:
    edge = '{{"node1": {{"hostname": "leaf1", "interfaceName": "Ethernet1/{n}"}},\n "node2": {{"hostname": "spine{n}", '
    edge += '"interfaceName": "Ethernet1/1"}}}}'
    return '{"edges": [\n' + ",\n".join(edge.format(n=n) for n in range(1, count + 1)) + "]}\n"


LINK = """\
      <DeviceLinkBase>
        <ElementType>DeviceInterfaceLink</ElementType>
        <EndDevice>spine{n}</EndDevice>
        <EndPort>Ethernet1/1</EndPort>
        <StartDevice>leaf1</StartDevice>
        <StartPort>Ethernet1/{n}</StartPort>
      </DeviceLinkBase>
"""
MINIGRAPH = """\
<DeviceMiniGraph xmlns="Microsoft.Search.Autopilot.Evolution">
  <PngDec>
    <DeviceInterfaceLinks>
{links}    </DeviceInterfaceLinks>
  </PngDec>
  <Hostname>leaf1</Hostname>
</DeviceMiniGraph>
"""
PORT = "- name: Ethernet1/{n}\n  peer: spine{n}\n  peer_interface: Ethernet1/1\n"


def _make_minigraph(count: int) -> str:
    return MINIGRAPH.format(links="".join(LINK.format(n=n) for n in range(1, count + 1)))


def _make_structured(count: int) -> str:
    ports = "".join(PORT.format(n=n) for n in range(1, count + 1))
    return f"hostname: leaf1\nethernet_interfaces:\n{ports}metadata:\n  platform: x\n"


TEXTS: Mapping[str, PlanText] = {
    "layer-1 topology of Batfish": PlanText(
        "layer1_topology.json", _make_layer1, lambda text, secret: text.replace("{", f'{{"password": "{secret}", ', 2)
    ),
    "SONiC minigraph": PlanText(
        "minigraph.xml",
        _make_minigraph,
        lambda text, secret: text.replace("<PngDec>", f"<PngDec><SnmpCommunity>{secret}</SnmpCommunity>"),
    ),
    "structured configuration of AVD": PlanText(
        "leaf1.yml",
        _make_structured,
        lambda text, secret: text.replace("- name", f"- dot1x: {{password: {secret}}}\n  name", 1),
    ),
}


def get_text(each: PlanFormat) -> PlanText:
    """Return the file of a format."""
    return TEXTS[each.plan.what]


assert set(TEXTS) == {each.plan.what for each in FORMATS}, "each format has a file of its own here"
