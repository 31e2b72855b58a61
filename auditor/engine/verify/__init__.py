"""Verification of a change: whether each of its steps took effect, by captures from before and after it."""
