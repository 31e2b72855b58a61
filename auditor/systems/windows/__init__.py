"""Windows hosts: NICs in the output of PowerShell."""
