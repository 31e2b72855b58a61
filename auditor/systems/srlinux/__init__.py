"""Nokia SR Linux: configurations as `info`, `info flat` and JSON, and its outputs."""
