"""Captures of a host and its NICs, joined into ports: one port per netdev that carries RDMA."""
