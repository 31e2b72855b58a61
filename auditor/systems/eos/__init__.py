"""Arista EOS: running configurations and show captures."""
