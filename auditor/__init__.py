"""Audit of RoCEv2 fabrics: parse switch and NIC configurations, check them, estimate what a fault costs."""

__version__ = "0.1.0"
