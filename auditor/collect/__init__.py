"""Collection for the audit: by a script on a host, or over SSH from switches and hosts, read only."""
