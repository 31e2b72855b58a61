r"""Secrets out of every line that is shown or stored.

Only the secret gives way; the rest stays, so that the line can still be recognised and parsed:

>>> redact("username admin password 5 $5$Kd8fhs$9gJ role network-admin")
'username admin password 5 <redacted> role network-admin'
>>> redact("  priority-flow-control mode on")
'  priority-flow-control mode on'

A line is read four ways: as assignments, as the words of a command, as JSON or flow YAML, and by the shapes of secrets.
Each way takes time linear in the line. `redact_lines` also knows what only the lines around reveal.
"""

from itertools import chain

from auditor.util.redaction.assignments import find_assignments
from auditor.util.redaction.commands import find_commands
from auditor.util.redaction.nesting import find_nested
from auditor.util.redaction.shapes import find_shapes
from auditor.util.redaction.spans import MARK, replace_spans
from auditor.util.regex import regex
from auditor.util.words import join_words

__all__ = ["MARK", "redact"]

_HINTS = (
    "pass|secret|key|psk|pwd|pw|cak|ckn|auth|priv|communit|token|cookie|snmp|encrypt|bearer|cipher|ascii-text|"
    "://|$|aaaa|eyj|-----begin|cred|wandb|hook|jwt|login|net use|trap|sink|com2sec|%^|%#|%@|enc |aead|comp |curl|"
    "mysql| -p| -a| -u| -w| -c| -k| -s|/p:|/rp|ghp_|gho_|ghs_|ghu_|ghr_|github_pat|hf_|glpat|nvapi|xox|akia|asia|"
    "sk-|aiza|ya29|npm_|pypi-|hvs.|dckr|user|ssl|usm|sec|wpa|signature|hset|requirepass|transceiver|mka|data|"
    "pkcs|docker| eap|sig=|@|wlan|winr|wevtutil|api|cryptsetup|keygen|mc alias|config host|radtest| des |clear|"
    "kinit|identified|/bot|* |send |sudo|su -|open -u|ipmi|{sha|{ssha|{md5|{smd5|{crypt|{pbkdf|:5432:|:5433:|:6432:"
)
_HINT = regex(join_words(_HINTS.split("|")))
"""A line that has none of these, and is no line of base64, has no secret: most lines end here."""
_BASE64_CHARS = 41
_MOST_INDENT = 16
"""Spaces before a line that may tell what it is; more say nothing else."""
_MOST_PASSES = 4
"""Of a line with broken quotes a first pass can leave what reads like another secret; twice is nearly always enough."""


def redact(line: str) -> str:
    """Return *line* with each secret in it replaced by `<redacted>`; a line redacted before stays as it is."""
    indent = len(line) - len(line.lstrip(" ")) - _MOST_INDENT
    if indent > 0:  # a document that is nested deep is spaces for the most
        return line[:indent] + redact(line[indent:])
    is_plain = len(line) < _BASE64_CHARS or " " in line.strip()
    if is_plain and not _HINT.search(line.lower()):
        return line
    for _ in range(_MOST_PASSES):
        before = line
        spans = chain(find_assignments(line), find_commands(line), find_shapes(line), find_nested(line))
        line = replace_spans(line, spans)
        if line == before:
            break
    return line
