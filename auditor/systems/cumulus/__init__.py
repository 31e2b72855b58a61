"""NVIDIA Cumulus Linux: NVUE configurations, the older datapath files and commands, and `nv show` captures."""
