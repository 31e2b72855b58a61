"""Cisco IOS XR (8000, NCS 5500 and 5700): configurations and outputs."""
