"""Captures of a Linux host and its NICs, joined into ports: one port per netdev that carries RDMA."""

from auditor.parsers.host.host import parse, recognise

__all__ = ["parse", "recognise"]
