"""Dell SmartFabric OS10: running configurations and show captures."""
