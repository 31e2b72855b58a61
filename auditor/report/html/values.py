"""Settings of a stage as words."""

import json
from collections.abc import Mapping
from functools import lru_cache

from auditor.report.facts import format_value
from auditor.view.stages import Setting, Stage

ORIGINS: Mapping[str, str] = {
    "intended": "configured",
    "learned": "reported by the device",
    "default": "default of the system",
    "computed": "computed",
    "": "",
}
UNKNOWN, NOT_SET = "not known", "not set"


@lru_cache(maxsize=8192)
def format_setting(setting: Setting) -> str:
    """Return the value of a setting for people."""
    if setting.state == "unknown":
        return UNKNOWN
    return NOT_SET if setting.state == "unset" else format_value(json.loads(setting.value), setting.unit)


def read_number(stage: Stage, label: str) -> float | None:
    """Return a number of a stage, None where it is not known."""
    found = next((each for each in stage.settings if each.label == label and each.state == "known"), None)
    value = json.loads(found.value) if found else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
