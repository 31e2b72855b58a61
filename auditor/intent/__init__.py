"""What the fabric is meant to be: declared in roce-audit.yaml, by a preset, or inferred from what most ports do."""

from auditor.intent.cables import length_between, with_cables
from auditor.intent.compare import Comparison, Point, compared, nearest
from auditor.intent.file import declared, from_preset, schema
from auditor.intent.infer import Votes, described, infer, settled, votes_of
from auditor.intent.model import (
    CableLength,
    Design,
    Homing,
    Intent,
    Intents,
    Role,
    RuleTuning,
    Traffic,
    TrafficKind,
    Tuning,
)
from auditor.intent.presets import Preset, preset, preset_names, preset_schema

__all__ = [
    "CableLength",
    "Comparison",
    "Design",
    "Homing",
    "Intent",
    "Intents",
    "Point",
    "Preset",
    "Role",
    "RuleTuning",
    "Traffic",
    "TrafficKind",
    "Tuning",
    "Votes",
    "compared",
    "declared",
    "described",
    "from_preset",
    "infer",
    "length_between",
    "nearest",
    "preset",
    "preset_names",
    "preset_schema",
    "schema",
    "settled",
    "votes_of",
    "with_cables",
]
