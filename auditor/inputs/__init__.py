"""Bytes to captures: paths, archives, bundles, git revisions, detection of each file."""
