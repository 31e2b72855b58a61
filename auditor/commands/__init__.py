"""The commands of `roce-audit`, one module for each kind; they and `cli` print, and nothing else does."""
