"""The intent of a fabric: declared in roce-audit.yaml, taken from a preset, or inferred from most ports."""

from auditor.intent.cables import fill_cable_lengths, find_cable_length
from auditor.intent.compare import Comparison, PresetValue, compare_presets, find_nearest
from auditor.intent.file import make_preset_intent, make_schema, parse_intent
from auditor.intent.infer import describe_intents, infer_intents, settle_intents
from auditor.intent.model import (
    CableLength,
    Campaign,
    Decision,
    Design,
    DueVersion,
    Expectation,
    Homing,
    Intent,
    Intents,
    Owner,
    Retirement,
    Role,
    RuleTuning,
    Traffic,
    TrafficKind,
    Tuning,
)
from auditor.intent.presets import Preset, list_presets, load_preset, make_preset_schema
from auditor.intent.votes import Ballot, Votes, add_ballots, cast_ballot, count_votes

__all__ = [
    "Ballot",
    "CableLength",
    "Campaign",
    "Comparison",
    "Decision",
    "Design",
    "DueVersion",
    "Expectation",
    "Homing",
    "Intent",
    "Intents",
    "Owner",
    "Preset",
    "PresetValue",
    "Retirement",
    "Role",
    "RuleTuning",
    "Traffic",
    "TrafficKind",
    "Tuning",
    "Votes",
    "add_ballots",
    "cast_ballot",
    "compare_presets",
    "count_votes",
    "describe_intents",
    "fill_cable_lengths",
    "find_cable_length",
    "find_nearest",
    "infer_intents",
    "list_presets",
    "load_preset",
    "make_preset_intent",
    "make_preset_schema",
    "make_schema",
    "parse_intent",
    "settle_intents",
]
