"""The ASIC of a switch, from the name of its model."""

import re

from auditor.model.setting import NOT_COLLECTED, Known, Setting, Unknown
from auditor.util.regex import regex

_REFERENCE = "auditor/estimate/asics.yaml"
_ASICS = (
    (regex(r"qfx5100", re.IGNORECASE), "Trident II"),
    (regex(r"qfx5110", re.IGNORECASE), "Trident II+"),
    (regex(r"qfx5120-(?:48y|48t|32c)(?:-|\Z)", re.IGNORECASE), "Trident 3 X7"),
    (regex(r"qfx5130-32cd", re.IGNORECASE), "Trident 4 X11"),
    (regex(r"qfx5200-32c", re.IGNORECASE), "Tomahawk"),
    (regex(r"qfx5200-48y", re.IGNORECASE), "Tomahawk+"),
    (regex(r"qfx5210", re.IGNORECASE), "Tomahawk 2"),
    (regex(r"qfx5220", re.IGNORECASE), "Tomahawk 3"),
    (regex(r"qfx5230", re.IGNORECASE), "Tomahawk 4"),
    (regex(r"qfx524", re.IGNORECASE), "Tomahawk 5"),
)
"""Models, and the ASIC that Juniper's table of packet buffers gives for each."""


def find_asic(model: Known[str] | None) -> Setting[str]:
    """Return the ASIC of a model.

    >>> find_asic(Known("qfx5240-64od", "learned")).value
    'Tomahawk 5'
    """
    if model is None:
        return NOT_COLLECTED
    found = next((asic for pattern, asic in _ASICS if pattern.match(model.value)), None)
    if found is None:
        return Unknown(f"the ASIC of {model.value} is not known here")
    return Known(found, model.origin, model.where, _REFERENCE)
