"""Aruba CX switches (AOS-CX): their core, from `show running-config` and LLDP neighbours."""
