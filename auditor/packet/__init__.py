"""The way of a packet: its class at a port, and its hops from host to host."""
