"""Enterprise SONiC (Dell, Broadcom): command lines, show outputs, and the database that it shares with SONiC."""
