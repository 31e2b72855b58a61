"""Cisco NX-OS (Nexus 3000 and 9000): running configurations and show captures."""
