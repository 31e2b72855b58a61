"""Windows hosts: what PowerShell shows of their NICs."""
