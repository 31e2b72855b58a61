"""Juniper Junos and Junos Evolved: configurations in either form, and show captures."""
