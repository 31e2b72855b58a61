"""The vendor-neutral model of devices, ports and links: frozen, slotted, shared where ports repeat themselves."""
