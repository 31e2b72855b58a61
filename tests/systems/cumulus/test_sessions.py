"""A session: a line or two that somebody typed, and what `nv show` prints of the whole."""

import pytest

from auditor.model.device import Device
from auditor.model.dump import Capture
from auditor.model.qos import Trust
from auditor.model.setting import Known, Unknown, value_of
from auditor.systems import systems
from auditor.systems.effective import fill_defaults

ROCE = """\
                    operational  applied
------------------  -----------  ---------
state               enabled      enabled
pfc
  pfc-priority      -
congestion-control
  enabled-tc        2,5
  min-threshold     90.00 KB
  max-threshold     120.00 KB
trust
  trust-mode        pcp,dscp

RoCE PCP/DSCP->SP mapping configurations
===========================================
       pcp  dscp   switch-prio
    -  ---  -----  -----------
    0  0    0,9    0
    5  5    24,41  5

RoCE SP->TC mapping and ETS configurations
=============================================
       switch-prio  traffic-class  scheduler-weight
    -  -----------  -------------  ----------------
"""
ROCE += "".join(f"    {n}  {n}            {n}              DWRR-{n + 9}%\n" for n in range(8))
TYPED = "cumulus@pod7:mgmt:~$ nv set interface swp3-4 qos remark profile OUT"
LISTED = "nv set interface swp3-4 type swp\nnv set system hostname pod7\n"


def _parse(text: str) -> Device:
    shown = Capture("x", tuple(ROCE.split("\n")), "nv show qos roce")
    return fill_defaults(systems()["cumulus_nvue"].parse("x", "x", [Capture("x", tuple(text.split("\n"))), shown]))


def test_what_runs_stands_above_defaults_that_a_typed_line_does_not_show() -> None:
    device = _parse(TYPED)
    port = device.ports[0]
    assert (len(device.ports), device.doubts) == (2, ())
    assert value_of(port.config.classification.trust) is Trust.BOTH
    classes = value_of(port.config.classification.dscp_to_class) or {}
    assert [classes[point].value for point in (9, 24)] == ["0", "5"]
    queues = {queue.queue: queue for queue in value_of(port.config.queues) or ()}
    assert [number for number, queue in queues.items() if value_of(queue.ecn)] == [2, 5]
    assert [value_of(queue.bandwidth_percent) for queue in queues.values()] == [float(n + 9) for n in range(8)]


@pytest.mark.parametrize("text", [LISTED, f"{TYPED}\n{LISTED}"])
def test_what_runs_contradicts_the_defaults_of_a_list_of_all_commands(text: str) -> None:
    device = _parse(text)
    assert isinstance(device.ports[0].config.classification.trust, Unknown)
    assert any(each.what == "trust" for each in device.differences or ())


def test_a_typed_value_contradicts_what_runs() -> None:
    device = _parse(f"{TYPED}\ncumulus@pod7:mgmt:~$ nv set qos mapping default-global trust l3")
    assert not isinstance(device.ports[0].config.classification.trust, Known)
