"""Statements of interfaces that several command lines write alike; *page* documents the negated form."""

from collections.abc import Callable, Iterable

from auditor.grammar.body import Own, PortBody, QueueBody, QueueStatements
from auditor.grammar.numbers import expand
from auditor.grammar.rows import flag, number, skip, value
from auditor.grammar.statements import Arguments, Negation, Statement, setting
from auditor.model.dump import LineState
from auditor.model.port import Forwarding
from auditor.model.setting import Unknown, Unset, Where
from auditor.util.regex import regex

LOWEST_MTU = 46
_SPAN = regex(r"(?P<first>\d{1,2})(?: to (?P<last>\d{1,2}))?(?= |\Z)")


def parse_numbers(text: str, highest: int) -> tuple[int, ...] | None:
    """Return the numbers of a list such as `1 3 to 5`, None if it is malformed.

    >>> parse_numbers("1 3 to 5", 7), parse_numbers("3 to", 7), parse_numbers("9", 7)
    ((1, 3, 4, 5), None, None)
    """
    spans = [f"{m['first']}-{m['last'] or m['first']}" for m in _SPAN.finditer(text)]
    return expand(",".join(spans), 0, highest) if spans and not _SPAN.sub("", text).strip() else None


def list_queues(body: PortBody | QueueStatements, arguments: Arguments, where: Where) -> Iterable[QueueBody] | None:
    """Return the queues of the argument `queue`, a number or a list such as `0 to 5`; None where it is malformed."""
    found = parse_numbers(arguments["queue"], 7)
    return None if found is None else [body.queue(each, where) for each in found]


def mtu(highest: int, page: str) -> Statement[PortBody]:
    """Return `mtu N`, in bytes."""
    return value("mtu {bytes*}", "mtu", number(LOWEST_MTU, highest), example="mtu 9000", page=page)


def jumbo(highest: int, page: str) -> tuple[Statement[PortBody], ...]:
    """Return `jumboframe enable [N]`: the longest frame that is let in."""

    def write(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
        words = arguments["bytes"].split()
        found = number(LOWEST_MTU, highest)(words[0]) if words else None
        if words and found is None:
            return None
        body.max_frame = Unset(where) if found is None else setting(found, where)
        return LineState.MODELLED

    off = Unknown("how long a frame may be without jumbo frames is not documented")
    negation = Negation(page, off={"max_frame": off})
    return (
        Statement("jumboframe enable {bytes*}", "jumboframe enable 9216", write, negation),
        skip("jumboframe ...", LineState.UNRECOGNISED),
    )


def shutdown(page: str) -> Statement[PortBody]:
    """Return `shutdown`."""
    return flag("shutdown", {"enabled": False}, off={"enabled": True}, page=page)


def _gbps(text: str) -> float | Unknown:
    mbps = number(10, 10**6)(text.partition(" ")[0])
    return Unknown("the speed is negotiated") if mbps is None else mbps / 1000


def speed(page: str) -> Statement[PortBody]:
    """Return `speed N`, in Mb/s."""
    return value("speed {mbps*}", "speed_gbps", _gbps, example="speed 40000", page=page)


def _link_type(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
    """Write the kind of a switched port; `hybrid` ports may send tagged and untagged packets."""
    kind = arguments["kind"].partition(" ")[0]
    if kind not in {"access", "trunk", "hybrid", "dot1q-tunnel"}:
        return None
    body.forwarding = setting(Forwarding.SWITCHED, where)
    is_plain = kind in {"access", "trunk"}
    body.tagged = setting(kind == "trunk" if is_plain else Unknown(f"port link-type {kind} leaves tags open"), where)
    return LineState.MODELLED


def _link_mode(body: PortBody, arguments: Arguments, where: Where) -> LineState | None:
    mode = {"bridge": Forwarding.SWITCHED, "route": Forwarding.ROUTED}.get(arguments["mode"])
    if mode is None:
        return None
    body.forwarding = setting(mode, where)
    if mode is Forwarding.ROUTED:
        body.tagged = setting(found=False, where=where)
    return LineState.MODELLED


def _imply(form: str, example: str, *, tagged: bool, page: str) -> Statement[PortBody]:
    """Return a statement on the VLANs of a switched port; the kind of the port, where it is written, says more.

    Its negation takes VLANs, and leaves the port a switched one.
    """

    def write(body: PortBody, _arguments: Arguments, where: Where) -> LineState:
        body.forwarding = setting(Forwarding.SWITCHED, where)
        if isinstance(body.tagged, Unset):
            body.tagged = setting(tagged, where)
        return LineState.MODELLED

    return Statement(form, example, write, Negation(page))


def port(page: str) -> tuple[Statement[PortBody], ...]:
    """Return the kind of a port, `port link-mode MODE`, and the VLANs that only a switched port has."""
    mode = Negation(page, ("forwarding", "tagged"))
    return (
        _imply("port default vlan {vlan} ...", "port default vlan 10", tagged=False, page=page),
        _imply("port access vlan {vlan} ...", "port access vlan 10", tagged=False, page=page),
        _imply("port trunk {words+}", "port trunk permit vlan 10 to 20", tagged=True, page=page),
        Statement("port link-type {kind*}", "port link-type trunk", _link_type, Negation(page, ("tagged",))),
        Statement("port link-mode {mode*}", "port link-mode route", _link_mode, mode),
        skip("port ...", LineState.IGNORED),
    )


def portswitch(page: str) -> Statement[PortBody]:
    """Return `portswitch`, which makes a port a switched one."""
    off = {"forwarding": Forwarding.ROUTED, "tagged": False}
    return flag("portswitch", {"forwarding": Forwarding.SWITCHED}, off=off, page=page)


def flow_control(page: str) -> tuple[Statement[PortBody], ...]:
    """Return `flow-control` (both directions) and `flow-control receive enable`."""
    both = ("pause_rx", "pause_tx")
    return (
        flag("flow-control receive enable", {"pause_rx": True}, off={"pause_rx": False}, page=page),
        flag("flow-control", dict.fromkeys(both, True), off=dict.fromkeys(both, False), page=page),
    )


def own(form: str, convert: Callable[[str], str | None], *, example: str, page: str) -> tuple[Statement[Own], ...]:
    """Return the statement that makes a port a member of a port-channel, named by *convert*, and the description."""
    return (
        value(form, "lag", convert, example=example, page=page),
        value("description {text+}", "description", _unquote, example="description to gpu01", page=page),
    )


def _unquote(text: str) -> str:
    return text.strip().strip('"')
