"""Parts of a running configuration of OS10, and captures of one."""

from auditor.model.dump import Capture

LOSSLESS = """\
class-map type network-qos NQ3
 match qos-group 3
policy-map type network-qos PFC
 !
 class NQ3
  pause
  pfc-cos 3
"""


def capture(text: str, command: str = "", file: str = "leaf1.cfg") -> Capture:
    """Return the capture of *text*."""
    return Capture(file, tuple(text.splitlines()), command)
