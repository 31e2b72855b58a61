"""H3C and HPE FlexFabric switches (Comware): their core, from `display current-configuration` and LLDP neighbours."""
