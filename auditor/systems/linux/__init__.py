"""Captures of a host and its NICs, joined into ports: one port per netdev that carries RDMA."""

from auditor.systems.linux.host import LINUX, WINDOWS

recognise, parse = LINUX.recognise, LINUX.parse

__all__ = ["LINUX", "WINDOWS", "parse", "recognise"]
