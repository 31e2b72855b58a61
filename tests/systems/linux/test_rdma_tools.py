"""Tests of bandwidth and latency, and `show_counters`."""

from collections.abc import Callable, Mapping

import pytest

from auditor.model.device import Device
from auditor.model.setting import value_of

Host = Callable[[Mapping[str, str]], Device]
TEST = """\
---------------------------------------------------------------------------------------
                    {title} Test
 Dual-port       : OFF          Device         : {device}
 Number of qps   : 2            Transport type : {transport}
 Connection type : RC           Using SRQ      : OFF
 Mtu             : 2048[B]
 Link type       : {link}
 GID index       : 5
---------------------------------------------------------------------------------------
 local address: LID 0000 QPN 0x0101 PSN 0x0a0b0c
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000           97.10              97.00                0.185
"""
TITLES = ("RDMA_Write BW", "RDMA_Read BW", "Send BW", "RDMA_Write Bidirectional BW", "RDMA_Write Post List BW")


@pytest.mark.parametrize("command", ["ib_write_bw -d bnxt_re3 -x 5 10.2.0.9", "results"])
@pytest.mark.parametrize("title", [*TITLES, "RDMA_Read Latency", "Send Latency"])
@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (("Ethernet", "IB"), ("ethernet", "roce")),
        (("Ethernet", "IW"), ("ethernet", "iwarp")),
        (("IB", "IB"), (None, None)),
    ],
)
def test_a_test_names_its_device(
    host: Host, command: str, title: str, printed: tuple[str, str], expected: tuple[str | None, str | None]
) -> None:
    """What a test prints of InfiniBand may be forced by an option."""
    link, transport = printed
    (port,) = host({command: TEST.format(title=title, device="bnxt_re3", link=link, transport=transport)}).ports
    nic = port.config.nic
    assert nic is not None
    assert value_of(port.rdma.name) == "bnxt_re3"
    assert (value_of(nic.link_layer), value_of(nic.transport)) == expected


@pytest.mark.parametrize("title", ["Port 1 hw counters:", "Port 1 counters:"])
def test_counters_of_a_script(host: Host, title: str) -> None:
    device = host({"show_counters mlx5_bond_2": f"{title}\nout_of_sequence: 12\nlifespan: 10\nrp_cnp_handled: 0"})
    (port,) = device.ports
    assert port.config.nic is not None
    assert value_of(port.rdma.name) == "mlx5_bond_2"
    assert {name: known.value for name, known in (port.counters or {}).items()} == {
        "out_of_sequence": 12,
        "lifespan": 10,
        "rp_cnp_handled": 0,
    }
    assert device.doubts == ()
