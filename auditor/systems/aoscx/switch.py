"""The statements of AOS-CX for all ports: trust, maps, lossless pools, and the profiles in effect."""

from collections.abc import Iterable
from dataclasses import field

from auditor.grammar.body import intend
from auditor.grammar.configuration import ViewConfig
from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import expand
from auditor.grammar.rows import choice, entries, number, value
from auditor.grammar.statements import Arguments, Keys, Negation, Statement, Table, setting
from auditor.model.buffers import Pool
from auditor.model.dump import LineState
from auditor.model.qos import Trust
from auditor.model.setting import NOT_COLLECTED, Known, Origin, Setting, Unknown, Unset, Where
from auditor.systems.aoscx.flowcontrol import GUIDE, KBYTE
from auditor.systems.aoscx.interfaces import TRUSTS
from auditor.systems.aoscx.statements import (
    IGNORED,
    NO_PAGE,
    NOT_MODELLED,
    REWRITE_PAGE,
    TRUST_PAGE,
)
from auditor.util.regex import regex
from auditor.util.values import dataclass

POOL_HEADROOM = 3072 * KBYTE
POOL_PAGE = (
    "AOS-CX Quality of Service Guide, Lossless QoS pool, Considerations and prerequisites: factory-default headroom"
)


@dataclass(slots=True)
class AosCx:
    """The statements for the whole switch.

    `applied` holds the names of the profiles in effect by their kind, `members` the priorities of each lossless pool,
    `detection_ms` and `restoration_ms` the times of the watchdog of PFC. `leaving` holds what ports that rewrite a
    marking write, by the marking and the local priority.
    """

    trust: Setting[Trust] = NOTHING
    dscp: dict[int, Setting[int]] = field(default_factory=dict)
    cos: dict[int, Setting[int]] = field(default_factory=dict)
    applied: dict[str, Setting[str]] = field(default_factory=dict)
    pools: dict[str, Pool | Unset | Unknown] = field(default_factory=dict)
    members: dict[str, tuple[int, ...]] = field(default_factory=dict)
    leaving: dict[tuple[str, int], Setting[int]] = field(default_factory=dict)
    detection_ms: Setting[float] = NOTHING
    restoration_ms: Setting[float] = NOTHING

    def uses(self) -> Iterable[tuple[str, Setting[str]]]:
        """Return the profiles in effect, by their kind."""
        return self.applied.items()


def _points(highest: int) -> Keys:
    """Return what gives the code points of a list, up to *highest*."""
    return lambda arguments: expand(arguments["values"], 0, highest)


def _code_points(what: str, highest: int) -> Statement[AosCx]:
    return entries(
        f"qos {what}-map {{values}} local-priority {{to}} ...",
        what,
        _points(highest),
        lambda arguments: number(0, 7)(arguments["to"]),
        example=f"qos {what}-map 3 local-priority 3",
        page=NO_PAGE,
        every=tuple(range(highest + 1)),
    )


_HIGHEST = {"cos": 7, "dscp": 63}


def _list_rewritten(arguments: Arguments) -> tuple[tuple[str, int], ...] | None:
    """Return the entries that a line names: those of both markings where it names none."""
    listed, kind = expand(arguments["values"], 0, 7), arguments.get("kind")
    if listed is None:
        return None
    return tuple((each, priority) for each in _HIGHEST if kind in {each, None, ""} for priority in listed)


_POOL = regex(
    r"size (?P<percent>\d{1,3}(?:\.\d{1,3})?|factory-default) percent"
    r"(?: headroom (?P<headroom>\d{1,9}|factory-default)(?: kbytes)?)?(?: priorities (?P<priorities>[\d,-]+))?\Z"
)


FACTORY = "factory-default"
FACTORY_PERCENT = 40.6
_SIZE_PAGE = "AOS-CX 10.18 Quality of Service Guide for 832x, 9300 and 10000, qos pool"


def _pool(switch: AosCx, arguments: Arguments, where: Where) -> LineState | None:
    match, name = _POOL.match(arguments["words"]), arguments["name"]
    listed = expand(match["priorities"] or "", 0, 7) if match and match["priorities"] else ()
    if match is None or listed is None:
        return None
    headroom, percent = match["headroom"] or FACTORY, match["percent"]
    by_default = Known(POOL_HEADROOM, Origin.DEFAULT, where, POOL_PAGE)
    size = Known(FACTORY_PERCENT, Origin.DEFAULT, where, _SIZE_PAGE)
    switch.members[name] = listed
    switch.pools[name] = Pool(
        name=name,
        direction="both",
        lossless=intend(value=True, where=where),
        memory_percent=size if percent == FACTORY else intend(float(percent), where),
        shared_headroom_bytes=by_default if headroom == FACTORY else intend(int(headroom) * KBYTE, where),
    )
    return LineState.MODELLED


def _write_times(switch: AosCx, arguments: Arguments, where: Where) -> LineState | None:
    """Write after how many milliseconds the watchdog acts, and for how long."""
    timeout, resume = number(10, 1500)(arguments["timeout"]), number(1, 100_000)(arguments["resume"])
    if timeout is None or resume is None:
        return None
    switch.detection_ms, switch.restoration_ms = intend(float(timeout), where), intend(float(resume), where)
    return LineState.MODELLED


_APPLIED = regex(r"(?P<kind>(?:queue|schedule|threshold)-profile)(?: (?P<name>\S+))?")


def _kinds(arguments: Arguments) -> tuple[str, ...] | None:
    return tuple(f"qos {match['kind']}" for match in _APPLIED.finditer(arguments["words"])) or None


def _apply(switch: AosCx, arguments: Arguments, where: Where) -> LineState | None:
    """Write the profiles in effect, of which one line may name several."""
    found = {f"qos {match['kind']}": match["name"] for match in _APPLIED.finditer(arguments["words"])}
    if not found or None in found.values():
        return None
    switch.applied.update({kind: setting(name, where) for kind, name in found.items()})
    return LineState.MODELLED


SWITCH: Table[AosCx] = Table(
    (
        value("qos trust {mode*}", "trust", choice(TRUSTS), example="qos trust dscp", page=TRUST_PAGE),
        _code_points("dscp", 63),
        _code_points("cos", 7),
        entries(
            "qos egress-rewrite-map local-priority {values} {kind:cos|dscp} {to#}",
            "leaving",
            _list_rewritten,
            lambda arguments: number(0, _HIGHEST[arguments["kind"]])(arguments["to"]),
            example="qos egress-rewrite-map local-priority 3 dscp 26",
            page=REWRITE_PAGE,
            every=tuple((kind, priority) for kind in _HIGHEST for priority in range(8)),
        ),
        Statement(
            "qos pool {name} lossless {words*}",
            "qos pool 1 lossless size 50.00 percent headroom 3072 kbytes priorities 3",
            _pool,
            Negation(NO_PAGE, member=("pools", lambda arguments: (arguments["name"],))),
        ),
        Statement(
            "flow-control watchdog timeout {timeout#} resume {resume#}",
            "flow-control watchdog timeout 100 resume 100",
            _write_times,
            Negation(GUIDE, ("detection_ms", "restoration_ms")),
        ),
        Statement(
            "apply qos {words*}",
            "apply qos queue-profile ROCE schedule-profile ROCE",
            _apply,
            Negation(NO_PAGE, member=("applied", _kinds)),
        ),
    ),
    not_modelled=NOT_MODELLED,
    ignored=IGNORED,
)


def find_pools(config: ViewConfig[AosCx]) -> Setting[tuple[Pool, ...]]:
    """Return the lossless pools; the others that there are by default are not documented."""
    found = tuple(pool for pool in config.switch.pools.values() if isinstance(pool, Pool))
    unread = next((pool for pool in config.switch.pools.values() if isinstance(pool, Unknown)), None)
    if unread or not found:
        return unread or NOT_COLLECTED
    return Known(found, Origin.INTENDED, found[0].lossless.known().where)
