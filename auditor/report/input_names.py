"""Names of the inputs of an estimate, for people."""

from collections.abc import Mapping

INPUT_NAMES: Mapping[str, tuple[str, str]] = {
    "incast": ("senders at once", ""),
    "message_bytes": ("message of each", "B"),
    "buffer_bytes": ("shared buffer", "B"),
    "alpha": ("dynamic threshold (alpha)", ""),
    "headroom_bytes": ("headroom", "B"),
    "cable_m": ("cable", "m"),
    "response_s": ("response to PAUSE", "s"),
    "blocking_bytes": ("frame in the way of PAUSE", "B"),
    "kappa": ("buffer per byte on the wire", ""),
    "byte_counter_bytes": ("byte counter of DCQCN", "B"),
    "senders": ("senders", ""),
    "recovery": ("recovery", ""),
    "control": ("congestion control", ""),
}
"""The name of an input, and its unit."""
