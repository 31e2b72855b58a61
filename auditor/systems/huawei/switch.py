"""The statements of VRP for all ports: PFC profiles, DiffServ domains, drop profiles."""

from collections.abc import Iterable
from dataclasses import field, replace
from itertools import takewhile
from typing import Any, TypeVar

from auditor.grammar.body import DROP_PROFILE, QueueBody, intend
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.dialect import ViewForm
from auditor.grammar.interfaces import list_queues
from auditor.grammar.interfaces import parse_numbers as listed_numbers
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import parse_whole
from auditor.grammar.rows import entries, number, skip, value, within, word
from auditor.grammar.statements import Arguments, Keys, Negation, Statement, Table
from auditor.grammar.viewrouting import build_static_route
from auditor.model.buffers import Pool
from auditor.model.dump import LineState
from auditor.model.port import WatchdogAction
from auditor.model.qos import PHBS
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.huawei.ai import AI, AI_PAGE, AI_SERVICE, AiService
from auditor.systems.huawei.buffers import HEADROOM
from auditor.systems.huawei.drops import DROPS, DropProfile
from auditor.systems.huawei.ets import ETS, PROFILE, PROFILE_PAGE, EtsProfile
from auditor.systems.huawei.policies import POLICY, POLICY_VIEWS
from auditor.systems.huawei.spreading import ECMP_VIEW
from auditor.systems.huawei.statements import (
    DOMAIN,
    IGNORED,
    NOT_MODELLED,
    PFC_PAGE,
    PFC_PROFILE,
    QUEUE_PROFILE,
    SCHEDULES,
    UNDO_PAGE,
)
from auditor.systems.huawei.uplinks import UPLINK_VIEW
from auditor.util.regex import regex
from auditor.util.values import dataclass

_UNDO = ("undo",)
T = TypeVar("T")
DOMAIN_PAGE = "https://support.huawei.com/enterprise/en/doc/EDOC1100004202/8b3871ff/configuring-a-diffserv-domain"
"""A domain is created by its head; its mappings stand over those of the domain `default`."""


@dataclass(slots=True)
class Vrp:
    """The statements for the whole switch.

    `detection_ms` and `recovery_ms` are the timers of deadlock detection, `precision_ms` is the unit of those of a
    profile. `headroom` is what the ports of a slot share, in bytes, and `recovery` what happens to packets while a
    deadlock is resolved, both by slot. `by_internal` are the slots whose PFC pauses internal priorities, not
    those of frames. `policy` is the traffic policy for what arrives at any port.
    """

    where: Where = field(default_factory=lambda: Where("", 0))
    detection_ms: Setting[float] = NOTHING
    recovery_ms: Setting[float] = NOTHING
    precision_ms: Setting[float] = NOTHING
    queues: dict[int, QueueBody] = field(default_factory=dict)
    headroom: dict[str, Setting[int]] = field(default_factory=dict)
    recovery: dict[str, Setting[WatchdogAction]] = field(default_factory=dict)
    policy: Setting[str] = NOTHING
    by_internal: dict[str, Setting[bool]] = field(default_factory=dict)
    static_routes: dict[tuple[str, str], Setting[str]] = field(default_factory=dict)

    def queue(self, number: int, where: Where) -> QueueBody:
        """Return the statements of a queue, begun at *where* if there are none yet."""
        return self.queues.setdefault(number, QueueBody(where))

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the policy and the drop profiles of all ports, by their kind."""
        return ((POLICY, self.policy), *((DROP_PROFILE, queue.profile) for queue in self.queues.values()))


@dataclass(slots=True)
class Domain:
    """A DiffServ domain: code points to internal priorities, and these to the DSCP that leaves."""

    where: Where
    dscp: dict[int, Setting[int]] = field(default_factory=dict)
    pcp: dict[int, Setting[int]] = field(default_factory=dict)
    to_dscp: dict[str, Setting[int]] = field(default_factory=dict)


DEFAULT_PERIOD = 10
"""The periods of deadlock detection and of recovery by default, in units of the precision."""


@dataclass(frozen=True, slots=True)
class Periods:
    """How long deadlock detection of a priority waits and how long recovery takes, in units of the precision."""

    detection: int = DEFAULT_PERIOD
    recovery: int = DEFAULT_PERIOD


@dataclass(slots=True)
class PfcProfile:
    """A PFC profile, by priority: those that are never dropped, and those that deadlock detection watches."""

    where: Where
    no_drop: dict[int, Setting[bool]] = field(default_factory=dict)
    watched: dict[int, Setting[Periods]] = field(default_factory=dict)


def _convert_ms(text: str) -> float | None:
    found = number(1, 1500)(text)
    return None if found is None else float(found)


def _timer(form: str, name: str, example: str) -> Statement[Any]:
    return value(form, name, _convert_ms, example=example, page=TIMER_PAGE)


TIMER_PAGE = "CloudEngine CE6800 V300R023 Command Reference, dcb pfc deadlock-detect timer"
"""The timers of the whole switch are in ms; those of a profile count the precision, 10 ms by default."""


BACKPRESSURE_PAGE = "CloudEngine CE6800 V300R023 Command Reference, dcb pfc dscp-mapping enable"
"""Without it PFC pauses the 802.1p priorities of frames; an untagged frame has none."""
_RECOVERIES = {"discard": WatchdogAction.DROP, "forwarding": WatchdogAction.FORWARD}
GLOBAL_PAGE = "CloudEngine CE6800 V300R023 Command Reference, traffic-policy global"
SWITCH: Table[Vrp] = Table(
    (
        _timer("dcb pfc deadlock-detect timer {ms}", "detection_ms", "dcb pfc deadlock-detect timer 512"),
        _timer("dcb pfc deadlock-recovery timer {ms}", "recovery_ms", "dcb pfc deadlock-recovery timer 1000"),
        _timer("dcb pfc deadlock-detect interval {ms}", "precision_ms", "dcb pfc deadlock-detect interval 100"),
        entries(
            "dcb pfc deadlock recovery-behavior {action:discard|forwarding} slot {slot}",
            "recovery",
            lambda arguments: (arguments["slot"],),
            lambda arguments: _RECOVERIES[arguments["action"]],
            example="dcb pfc deadlock recovery-behavior discard slot 1",
            page="CloudEngine CE6800 V300R023 Command Reference, dcb pfc deadlock recovery-behavior",
        ),
        *HEADROOM,
        build_static_route("CloudEngine CE6800 V300R023 Command Reference, ip route-static"),
        entries(
            "dcb pfc dscp-mapping enable slot {slot}",
            "by_internal",
            lambda arguments: (arguments["slot"],),
            lambda _: True,
            example="dcb pfc dscp-mapping enable slot 1",
            page=BACKPRESSURE_PAGE,
        ),
        skip("dcb pfc dscp-mapping|buffer|xon ..."),
        replace(
            value(
                "traffic-policy {name} global inbound",
                "policy",
                word,
                example="traffic-policy SORT global inbound",
                page=GLOBAL_PAGE,
            ),
            least=4,
        ),
        *within(list_queues, QUEUE_PROFILE),
        *SCHEDULES,
    ),
    undo=_UNDO,
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


def _split(arguments: Arguments) -> tuple[tuple[int, ...] | None, str]:
    """Return the priorities of `priority 3 to 4 OPTION …`, None if they are malformed, and the option."""
    words = arguments["words"].split()
    head = list(takewhile(lambda each: each.isdecimal() or each == "to", words))
    return listed_numbers(" ".join(head), 7), "".join(words[len(head) : len(head) + 1])


def _keys(option: str) -> Keys:
    """Return what gives the priorities of a line with *option*, none for a line with another one."""

    def keys(arguments: Arguments) -> tuple[int, ...] | None:
        numbers, found = _split(arguments)
        is_option = found[:1].isalpha() and found != option
        return () if is_option else numbers if found == option else None

    return keys


def _priority(profile: PfcProfile, arguments: Arguments, where: Where) -> LineState | None:
    """Write which priorities are never dropped; the options of a priority are not modelled."""
    priorities = _keys("")(arguments)
    if priorities is None:
        return None
    profile.no_drop.update(dict.fromkeys(priorities, intend(value=True, where=where)))
    return LineState.MODELLED if priorities else LineState.NOT_MODELLED


_PERIODS = regex(r"(?:time (?P<detection>\d{1,2}))?(?: ?deadlock-recovery time (?P<recovery>\d{1,2}))?\Z")


def _read_periods(arguments: Arguments) -> Periods | Unknown:
    match = _PERIODS.match(arguments["periods"])
    if match is None:
        return Unknown("the periods of deadlock detection are malformed")
    return Periods(*(int(match[name] or DEFAULT_PERIOD) for name in ("detection", "recovery")))


_ALL = tuple(range(8))
_PROFILE: Table[PfcProfile] = Table(
    (
        replace(
            entries(
                "priority {words+} deadlock-detect {periods*}",
                "watched",
                _keys(""),
                _read_periods,
                example="priority 3 deadlock-detect time 10",
                page=PFC_PAGE,
                every=_ALL,
            ),
            least=3,
        ),
        Statement(
            "priority {words*}",
            "priority 3 to 4",
            _priority,
            Negation(PFC_PAGE, member=("no_drop", _keys("")), member_off=False, every=_ALL),
        ),
    ),
    undo=_UNDO,
)


def _points(highest: int) -> Keys:
    return lambda arguments: listed_numbers(arguments["values"], highest)


def _inbound(what: str, field_: str, highest: int) -> Statement[Domain]:
    return entries(
        f"{what}-inbound {{values+}} phb {{phb:{'|'.join(PHBS)}}} [green|yellow|red]",
        field_,
        _points(highest),
        lambda arguments: PHBS.index(arguments["phb"]),
        example=f"{what}-inbound 3 to 4 phb af3 green",
        page=DOMAIN_PAGE,
    )


def _outbound(domain: Domain, arguments: Arguments, where: Where) -> LineState | None:
    """Write the DSCP that leaves with green packets; the other colours are read and kept nowhere."""
    dscp = parse_whole(arguments["value"], range(64))
    if dscp is None:
        return LineState.NOT_MODELLED
    for key in _green(arguments):
        domain.to_dscp[key] = intend(dscp, where)
    return LineState.MODELLED


def _green(arguments: Arguments) -> tuple[str, ...]:
    return (arguments["phb"],) if arguments["colour"] in {"green", ""} else ()


_DOMAIN: Table[Domain] = Table(
    (
        _inbound("ip-dscp", "dscp", 63),
        _inbound("8021p", "pcp", 7),
        Statement(
            f"ip-dscp-outbound {{phb:{'|'.join(PHBS)}}} {{colour:green|yellow|red}} map {{value}}",
            "ip-dscp-outbound af3 green map 26",
            _outbound,
            Negation(DOMAIN_PAGE, member=("to_dscp", _green)),
        ),
    ),
    undo=_UNDO,
    not_modelled=regex(""),
)
_NAMED = "dcb pfc {name!enable|dscp-mapping|buffer|uplink|deadlock-detect|xon}"
VIEWS: tuple[ViewForm[Any], ...] = (
    ViewForm(PFC_PROFILE, "dcb pfc", "dcb pfc", PfcProfile, _PROFILE, PFC_PAGE),
    ViewForm(PFC_PROFILE, _NAMED, "dcb pfc storage", PfcProfile, _PROFILE, PFC_PAGE),
    ViewForm(ETS, "dcb ets-profile {name}", "dcb ets-profile turns", EtsProfile, PROFILE, PROFILE_PAGE),
    ViewForm(DOMAIN, "diffserv domain {name} ...", "diffserv domain ds1", Domain, _DOMAIN, DOMAIN_PAGE),
    ViewForm(DROP_PROFILE, "drop-profile {name} ...", "drop-profile P", DropProfile, DROPS, UNDO_PAGE),
    ViewForm(AI, "ai-service", "ai-service", AiService, AI_SERVICE, AI_PAGE),
    *POLICY_VIEWS,
    ECMP_VIEW,
    UPLINK_VIEW,
)


def find_pools(config: ViewConfig[Vrp]) -> Setting[tuple[Pool, ...]]:
    """Return the headroom that the ports of each slot share, as the pool of that slot."""
    found = [(slot, size) for slot, size in config.switch.headroom.items() if not isinstance(size, Unset)]
    if not found:
        return NOT_COLLECTED
    pools = tuple(Pool(f"slot {slot}", "ingress", shared_headroom_bytes=size) for slot, size in found)
    known = next((size for _, size in found if isinstance(size, Known)), None)
    return Known(pools, Origin.INTENDED, known.where if known else None)
