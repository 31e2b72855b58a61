"""Rules of a site: YAML over the port view, its three-valued evaluation, and checks in Python."""
