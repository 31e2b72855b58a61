"""Three times of a NIC's settings: requested, running, and after the next boot."""

from collections.abc import Iterable, Iterator, Mapping

from auditor.checks.base import Context, Params
from auditor.model.finding import Finding, Level
from auditor.model.nic import Nic
from auditor.model.port import PortConfig
from auditor.model.setting import Known, Undetermined, value_of
from auditor.packet.classify import takes_part
from auditor.util.regex import regex
from auditor.util.values import dataclass

_NEGOTIATED = frozenset({"pause_rx", "pause_tx"})
"""What two ends agree on may differ from what one asked for: that is no fault of the host."""

_OF_ROCE = regex(
    r"[a-z].*|(?:ROCE|CNP|RPG|DCE|CLAMP|RATE|INITIAL_ALPHA|MIN_TIME|QOS|LLDP|DCBX|LINK_TYPE|NUM_OF_(?:TC|PFC)|TX_SCHED"
    r"|USER_PROGRAMMABLE|PCI|ATS|ADVANCED_PCI|MAX_ACC_OUT|MULTIPATH|IB_PROTO|PCC)\w*"
)
"""Parameters of the firmware, and all settings that have a name in the port view, on which RoCE rests."""
_PORT = regex(r"_P[12]$")
FIRMWARE = "firmware"
"""A version that waits for a reset: an update that was begun, which campaigns count, and no setting."""


@dataclass(frozen=True, slots=True)
class Times:
    """Requested settings of a NIC that do not run, or settings of its next boot.

    `unseen` are the settings of which no capture shows the running value.
    """

    values: Mapping[str, Known[str]]
    is_asked: bool
    unseen: tuple[str, ...] = ()


def list_times(port: PortConfig, _context: Context) -> Iterable[Times]:
    """Return RoCE NICs with a capture of requested settings or of the next boot."""
    nic = port.nic
    if nic is None or not takes_part(port):
        return ()
    both = ((nic.requested, nic.requested_unseen, True), (nic.next_boot, nic.next_boot_unseen, False))
    return tuple(
        Times(_select_differing(nic, setting.value), asked, unseen)
        for setting, unseen, asked in both
        if isinstance(setting, Known) and setting.value.keys() != {FIRMWARE}
    )


def _select_differing(nic: Nic, values: Mapping[str, Known[str]]) -> Mapping[str, Known[str]]:
    """Return *values* without those that were set at runtime, too: the firmware's own differ, the NIC does not."""
    running = {"CNP_DSCP": value_of(nic.cnp_dscp), "CNP_802P_PRIO": value_of(nic.cnp_priority)}
    return {
        name: value
        for name, value in values.items()
        if str(running.get(_PORT.sub("", name), "")) != value.value and name != FIRMWARE
    }


def setting_not_running(given: Times, _params: Params, _context: Context) -> Iterator[Finding]:
    """A requested setting is not in effect, or a running setting does not survive the next boot."""
    for name, wanted in sorted(given.values.items()):
        if name in _NEGOTIATED:
            continue
        message = (
            f"{name} is set to {wanted.value}, but the NIC does otherwise"
            if given.is_asked
            else f"{name} becomes {wanted.value} at the next boot: it is not what runs now"
        )
        level = None if _OF_ROCE.fullmatch(name) else Level.NOTE
        yield Finding(message, wanted.where, key=f"{'asked' if given.is_asked else 'boot'} {name}", level=level)
    if unseen := sorted({*given.unseen} - _NEGOTIATED):
        raise Undetermined(f"no capture shows the running {', '.join(unseen)}")
