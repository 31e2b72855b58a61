"""Broadcom's `niccli nvm --getoption NAME`: an option in the card's memory, which the next reset puts into force."""

from auditor.model.dump import Capture
from auditor.model.nic import Nic, Pcie
from auditor.model.setting import NOT_COLLECTED, Known, Origin
from auditor.systems.linux import text
from auditor.systems.linux.command import Command
from auditor.systems.linux.evidence import Call, Events, PortFact, Rank, Strength
from auditor.systems.linux.facts import make_nic_port
from auditor.systems.linux.fetch import ADAPTER, BNXT, SCRIPT, Fetch
from auditor.systems.linux.marks import mark_ignored, mark_modelled
from auditor.util.regex import regex

_OPTION = regex(r"(pcie_relaxed_ordering|performance_profile|support_rdma)\s*[=:]\s*(\S[^\n]{0,60})")
_SWITCHES = {"enabled": True, "true": True, "1": True, "disabled": False, "false": False, "0": False}
_ORDERING = "pcie_relaxed_ordering"


def read_option(capture: Capture, call: Call) -> Events:
    """Yield options as the next reset starts with them; the PCI configuration shows the running value."""
    options: dict[str, Known[str]] = {}
    for index, line in text.list_lines(capture):
        match = _OPTION.fullmatch(line)
        is_switch = match is not None and match[1] != "performance_profile"
        if match and is_switch and match[2].lower() not in _SWITCHES:
            yield text.make_doubt(capture, index, "Enabled or Disabled")
        elif match:
            options[match[1]] = Known(match[2], Origin.INTENDED, capture.where(index))
            yield mark_modelled(index)
        elif not text.is_error(line):
            yield mark_ignored(index)
    where, ordering = capture.where(0), options.get(_ORDERING)
    kept = Known(options, Origin.INTENDED, next(iter(options.values())).where) if options else NOT_COLLECTED
    vendor = Known("Broadcom", Origin.LEARNED, where) if options else NOT_COLLECTED
    yield PortFact(call.subject, make_nic_port(Nic(nv=kept, vendor=vendor), where), Strength.NIC)
    if ordering:
        is_on = Known(_SWITCHES[ordering.value.lower()], Origin.INTENDED, ordering.where)
        nic = Nic(pcie=Pcie(relaxed_ordering=is_on))
        yield PortFact(call.subject, make_nic_port(nic, where), Strength.NIC, Rank.FALLBACK)


COMMANDS = (
    Command(
        "niccli[ -dev {card}] nvm --getoption OPTION",
        r"(?:niccli|bnxtnvm)(?: --?(?:dev|i|index) {card})? nvm --?getoption \w+(?: --?scope \d+)?",
        read_option,
        (),
        r"^[^\S\n]*(?:pcie_relaxed_ordering|support_rdma) *= *\w",
        "PCIe relaxed ordering, RDMA support and performance profile from the next reset on (Broadcom)",
        fetch=tuple(
            Fetch(
                (f"niccli --dev {{adapter}} nvm --getoption {option}",),
                why,
                ADAPTER,
                drivers=BNXT,
                is_root=True,
                by=SCRIPT,
            )
            for option, why in (
                (_ORDERING, "whether the card orders its writes"),
                ("performance_profile", "profile of the card"),
                ("support_rdma --scope 0", "whether the card offers RDMA"),
            )
        ),
    ),
)
