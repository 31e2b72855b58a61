"""Live pull: what the audit needs of running switches and hosts, fetched over SSH, read only, into dump folders."""
