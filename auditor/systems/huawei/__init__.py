"""Huawei CloudEngine switches (VRP): their core, from `display current-configuration` and LLDP neighbours."""
