"""The AI service of VRP: the queues whose thresholds of ECN the switch works out by itself (AI ECN)."""

from dataclasses import field

from auditor.grammar.layers import NOTHING
from auditor.grammar.numbers import parse_whole
from auditor.grammar.rows import flag
from auditor.grammar.statements import Arguments, Negation, Statement, Table
from auditor.model.dump import LineState
from auditor.model.setting import Known, Origin, Setting, Where
from auditor.util.regex import regex
from auditor.util.values import dataclass

AI = "ai-service"
"""The kind of the view of the AI service."""
AI_PAGE = "CloudEngine CE6800 V300R023 Command Reference, ai-ecn enable"
"""AI ECN is off by default; no queue has it before `assign queue`."""
_OTHERS = "npcc|buffer|flex-buffer|iqcn|eai|load-balance"


@dataclass(slots=True)
class AiService:
    """The view of the AI service; `queues` are those of AI ECN.

    `is_ecn`: the view of AI ECN was opened last, of those within it.
    """

    where: Where
    is_ecn: bool = True
    enabled: Setting[bool] = NOTHING
    queues: dict[int, Setting[bool]] = field(default_factory=dict)


def _open_ecn(service: AiService, _arguments: Arguments, _where: Where) -> LineState:
    service.is_ecn = True
    return LineState.MODELLED


def _open_other(service: AiService, _arguments: Arguments, _where: Where) -> LineState:
    service.is_ecn = False
    return LineState.NOT_MODELLED


def _keys(arguments: Arguments) -> tuple[int, ...] | None:
    found = parse_whole(arguments["queue"], range(8))
    return None if found is None else (found,)


def _assign(service: AiService, arguments: Arguments, where: Where) -> LineState | None:
    """Give a queue AI ECN; within another section the line is about that."""
    if not service.is_ecn:
        return LineState.NOT_MODELLED
    queues = _keys(arguments)
    for queue in queues or ():
        service.queues[queue] = Known(value=True, origin=Origin.INTENDED, where=where)
    return LineState.MODELLED if queues else None


AI_SERVICE: Table[AiService] = Table(
    (
        flag("ai-ecn enable", {"enabled": True}, page=AI_PAGE),
        Statement("ai-ecn", "ai-ecn", _open_ecn, Negation(AI_PAGE, ("enabled",))),
        Statement(
            "assign queue {queue} ...",
            "assign queue 4 model ai_ecn_hpc",
            _assign,
            Negation(AI_PAGE, member=("queues", _keys), every=tuple(range(8))),
            least=3,
        ),
        Statement(f"{_OTHERS} ...", "npcc", _open_other),
    ),
    undo=("undo",),
    not_modelled=regex(r"(?!ai-ecn|assign)"),
)
