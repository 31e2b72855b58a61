"""What is fetched for the audit: by a script on a host, or from running switches and hosts over SSH, read only."""
