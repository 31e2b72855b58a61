"""The reaction point of the loss model by the parameters of a NIC."""

from collections.abc import Mapping
from typing import Any

from auditor.estimate.dcqcn import ReactionPoint
from auditor.fabric.dcqcn import find_cut_interval_us, sort_by_symbol
from auditor.model.setting import Undetermined

_MODELLED = {
    "K": ("alpha_timer_s", 1e-6),
    "T": ("increase_timer_s", 1e-6),
    "B": ("byte_counter_bytes", 1),
    "F": ("fast_recovery_stages", 1),
    "R_AI": ("rate_ai", 1e6 / 8),
    "R_HAI": ("rate_hai", 1e6 / 8),
    "least rate": ("min_rate", 1e6 / 8),
    "initial alpha": ("initial_alpha", 1 / 1023),
}
"""Symbols of the table, the field of the loss model that they set, and their unit in that of the model."""


def make_reaction_point(vendor: str | None, given: Mapping[str, float]) -> ReactionPoint:
    """Return the reaction point of a NIC by its parameters in its vendor's units; other parameters have their default.

    Raises Undetermined for a vendor other than NVIDIA: the rate reduction of other NICs is not documented.

    >>> point = make_reaction_point("NVIDIA", {"rpg_ai_rate": 40, "min_time_between_cnps": 32})
    >>> f"{point.rate_ai:.0f} bytes/s, {point.cut_interval_s * 1e6:.0f} us"
    '5000000 bytes/s, 32 us'
    """
    if vendor != "NVIDIA":
        raise Undetermined(f"how DCQCN of {vendor or 'a NIC of unknown make'} reacts is not known")
    by_symbol = sort_by_symbol(vendor, given)
    fields: dict[str, Any] = {
        field: by_symbol[symbol] * unit for symbol, (field, unit) in _MODELLED.items() if symbol in by_symbol
    }
    try:
        return ReactionPoint(**fields, cut_interval_s=find_cut_interval_us(vendor, by_symbol) * 1e-6)
    except ValueError as error:
        raise Undetermined(f"DCQCN of the NIC is beyond the loss model: {error}") from None
