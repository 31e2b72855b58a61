"""The documentation of `roce.audit.check`, for `ansible-doc`."""

DOCUMENTATION = r"""
module: check
short_description: Audit the dumps of a RoCEv2 fabric
description:
  - Audits dumps of switches and hosts as C(roce-audit check) does, on the control node, once for the play.
  - Nothing is changed, and check mode makes no difference.
  - The task fails on findings at or above O(fail_on), and where a dump cannot be audited.
author: roce-audit
options:
  paths:
    description: Files, folders or archives of dumps; a relative path starts beside the playbook.
    type: list
    elements: str
    required: true
  fail_on:
    description: The lowest level of a finding that fails the task.
    type: str
    choices: [error, warning, note, never]
    default: error
  limit:
    description: The number of causes in the result, the worst first.
    type: int
    default: 100
  config:
    description: File with the declared intent. Without it, C(roce-audit.yaml) in the first path is read.
    type: path
  links:
    description: File with cables.
    type: path
  rules:
    description: Folder with rules of the site.
    type: path
  baseline:
    description: File of known findings; other findings alone count.
    type: path
  old:
    description: Older folder or archive; findings that it lacks alone count.
    type: path
  earlier:
    description: Earlier sample of the same devices, whose counters show what has grown since.
    type: path
"""
EXAMPLES = r"""
- name: Audit the fabric
  roce.audit.check:
    paths: [dumps]
    fail_on: warning
"""
RETURN = r"""
causes:
  description: The causes of the findings that count, the worst first, as in the JSON report.
  returned: always
  type: list
levels:
  description: The number of findings of each level that count.
  returned: always
  type: dict
devices:
  description: The number of audited devices.
  returned: always
  type: int
problems:
  description: What could not be audited, and why.
  returned: always
  type: list
"""
