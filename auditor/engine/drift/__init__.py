"""Drift: which settings changed between captures of a fabric, when, where, and whether anything explains it."""
