"""Tables of port-channels, whose members stand behind them and below."""

import pytest

from auditor.inputs.detection import identify_file
from auditor.inputs.rawtext import Raw, parse_text
from auditor.model.dump import Capture, LineState
from auditor.model.setting import value_of
from auditor.systems import systems

NXOS = """\
Flags:  D - Down        P - Up in port-channel (members)
        U - Up (port-channel)
--------------------------------------------------------------------------------
Group Port-       Type     Protocol  Member Ports
      Channel
--------------------------------------------------------------------------------
7     Po7(SU)     Eth      LACP      Eth1/7(P)    Eth1/8(s)
30    Po30(RD)    Eth      NONE      --
41    Po41(RU)    Eth      LACP      Eth1/41/1(P) Eth1/41/2(P) Eth1/42/1(P)
                                     Eth1/42/2(D)
"""
EOS = """\
          Flags
------------------------ ---------------------------- -------------------------
  a - LACP Active          p - LACP Passive           * - static fallback
  U - In Use               D - Down

Number of channels in use: 2

   Port-Channel       Protocol    Ports
------------------ -------------- ------------------------------
   Po7(U)             LACP(a)     Et7(PG+) Et8(PG+) PEt9(P)
   Po41(U)            Static      Et41/1(P) Et41/2(D) Et42/1(P)
                                  Et42/2(D)
   Po50(D)            LACP(aF*)
"""
SHOWS = {
    ("cisco_nxos", NXOS): {
        "port-channel7": ["Ethernet1/7", "Ethernet1/8"],
        "port-channel41": ["Ethernet1/41/1", "Ethernet1/41/2", "Ethernet1/42/1", "Ethernet1/42/2"],
    },
    ("arista_eos", EOS): {
        "Port-Channel7": ["Ethernet7", "Ethernet8"],
        "Port-Channel41": ["Ethernet41/1", "Ethernet41/2", "Ethernet42/1", "Ethernet42/2"],
    },
}
each_show = pytest.mark.parametrize(("os", "text", "members"), [(*key, found) for key, found in SHOWS.items()])


@each_show
def test_members_behind_and_below_a_row_belong_to_its_port_channel(
    os: str, text: str, members: dict[str, list[str]]
) -> None:
    device = systems()[os].parse("leaf", "leaf", [Capture("leaf.txt", tuple(text.splitlines()))])
    found: dict[str, list[str]] = {}
    for port in device.ports:
        found.setdefault(str(value_of(port.lag)), []).append(port.name)
    assert found == members
    states = device.dumps[0].states
    rows = [n for n, line in enumerate(text.splitlines()) if "(P" in line and "Flags" not in line]
    assert all(states[n] is LineState.MODELLED for n in rows)


@each_show
def test_the_table_is_recognised_without_a_prompt(os: str, text: str, members: dict[str, list[str]]) -> None:
    assert members
    raw = parse_text(text.encode(), "leaf.txt", given=True)
    assert isinstance(raw, Raw)
    assert identify_file(raw, None).os == os
