"""Bytes to captures: paths, archives, bundles, git revisions, and what each file is."""
