"""The documentation of `roce.audit.pull`, for `ansible-doc`."""

DOCUMENTATION = r"""
module: pull
short_description: Fetch the dumps of switches and hosts over SSH, read-only
description:
  - Fetches what C(roce-audit pull) fetches from the hosts of the play, from the control node, with the address, port,
    user, password and private key that Ansible has for each host.
  - Hosts without SSH (C(ansible_connection=local) and the like) are skipped.
  - The task fails where a host does not come whole. In check mode no host is connected.
author: roce-audit
options:
  output:
    description: Folder that gets a folder for each host; a relative path starts beside the playbook.
    type: path
    required: true
  known_hosts:
    description: File of known host keys. Without it, the SSH configuration names the files.
    type: path
  accept_new_host_keys:
    description: Store unknown host keys. Changed host keys are refused in any case.
    type: bool
    default: false
  ssh_config:
    description: SSH configuration, or V(none). Without it, C(~/.ssh/config) is read.
    type: path
  resume:
    description: Fetch only missing and failed captures.
    type: bool
    default: false
  workers:
    description: The number of parallel sessions.
    type: int
    default: 16
  device_seconds:
    description: The seconds for one device.
    type: float
    default: 300
"""
EXAMPLES = r"""
- name: Fetch dumps
  roce.audit.pull:
    output: dumps
"""
RETURN = r"""
devices:
  description: The entry of each device in C(manifest.json), with V(status), V(why), V(captures) and V(missing).
  returned: always
  type: list
"""
