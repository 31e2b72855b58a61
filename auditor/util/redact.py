r"""Secrets out of every line that is shown or stored.

Only the secret gives way; the rest stays, so that the line can still be recognised and parsed:

>>> redact("username admin password 5 $5$Kd8fhs$9gJ role network-admin")
'username admin password 5 <redacted> role network-admin'
>>> redact("  priority-flow-control mode on")
'  priority-flow-control mode on'

Every pattern runs in time linear in the line: it starts at a word, and what it repeats is possessive or bounded.
"""

import re

MARK = "<redacted>"

# A value: quoted, with whatever is stuck to its end, or a word. An unclosed quote reaches to the end of the line.
_STUCK = r"[^\s;,}\])]*+"
_QUOTED = (
    rf"""(?:\\"(?:[^"\\]|\\[^"])*+(?:\\"{_STUCK})?+"""
    rf"""|"(?:[^"\\]|\\.?)*+(?:"{_STUCK})?+"""
    rf"""|'[^']*+(?:'{_STUCK})?+)"""
)
_SECRET = rf"(?P<secret>{_QUOTED}|(?!/\* SECRET-DATA)\S++)"
# What may stand between a keyword and its secret: the number of an encoding, or how the secret is written.
_HOW = (
    r"(?:\s++(?:\d\d?|8a|level\s++\d++|sha-?\d{1,3}|encrypted|hashed|hash|plain-text|clear-text|cleartext|clear|local|remote"
    r"|(?:irreversible-)?cipher(?:text)?|plaintext|simple|role\s++\S++(?=\s++(?:hash|simple)\s)|cak"
    r"|ascii-text|ascii|hexadecimal|hex|text|value|use-7|address\s++\S++\s++key|hostname\s++\S++\s++key)(?=\s++\S))*"
)
# The same for the keys of a protocol, which have a number and an algorithm.
_WHICH = (
    r"(?:\s++(?:\d{1,5}|type|value|key-string|key|text|encrypted|hmac[\w-]*+|md5|sha[\w-]*+|aes[\w-]*+|cmac[\w-]*+|des|3des"
    r"|keyed[\w-]*+|cipher(?:text)?|plaintext|simple)(?=\s++\S))*"
)
_WORDS = (
    r"passwords?|passwd|passphrase|secret|passkey|psk|key-string|key-octet-string|pre-shared-key|private-key|privacy-key|cak"
    r"|ascii-text|api[-_]token|api[-_]key|(?:readonly|readwrite|read-only|trap)-community|plain-text-password-value"
    r"|(?:auth|priv)-pass|auth-(?:md5|sha\d{0,3})|encrypt-(?:aes|des)\d{0,3}|config-key\s++(?:ascii|password-encrypt)"
)
_FIELDS = (
    r"(?:pass(?:words?|wd|phrase|key|code)|secret|(?<![a-z\d])psk|communit(?:y|ies)|rocommunity|rwcommunity|token|cookie"
    r"|(?:primary|fallback)_cak|auth-(?:md5|sha\d{0,3})|encrypt-(?:aes|des)\d{0,3}"
    r"|(?:auth|api|private|shared|access|secret|pre[-_]?shared|privacy|authentication|encryption|md5)[-_]?key)"
    r"(?:[-_](?:hash|hashed|value|string|text|encrypted|key))?"
)
_KEYED = r"hmac[\w-]*+|sha[\w-]*+"
# Settings about passwords, and views of SNMP groups, stand where a secret could.
_SETTINGS = (
    r"(?:strength-check|profile|encryption|lifetime|policy|prompt|complexity|history|expiration|minimum-length"
    r"|recovery)(?!\S)"
)
_BY = r"(?:md5|sha|hmac|aes|3?des)[\w-]*+"
_PASSES = r"(?:auth|priv)-pass(?:word)?\s"
_VIEWS = r"(?:read|write|notify|context|access|match)(?!\S)"

_CRYPTS = r"1|5|6|7|8|9|14|y|gy|7y|2[abxy]?|sha1|nvsec|argon2(?:id?|d)|pbkdf2[\w-]*+|scrypt"
_TRAPS = r"(?:\s++(?:traps?|informs?|version|[123]|2c|no-?auth|auth|priv|vrf\s++\S++)(?=\s++\S))*"
_NO_CIPHERTEXT = (
    r"(?:(?:aes|3?des|arcfour|rc4|chacha|blowfish|camellia|sm4|null|suite|ecdhe?|dhe|rsa|tls)[\w+@.-]*+|all|any|strong|weak"
    r"|(?:authentication|privacy)-mode)(?!\S)"
)
"""What stands behind `cipher` where it is about algorithms."""
_NO_COMMUNITY = r"(?:use-vrf|filter-vrf|source-interface|udp-port|version|vrf|traps|informs)(?!\S)"
# A line that has none of these, and is no line of base64, has no secret: most lines end here.
_HINTS = (
    *("pass", "secret", "key", "psk", "cak", "auth", "priv", "communit", "token", "cookie", "snmp", "encrypt"),
    *("bearer", "cipher", "ascii-text", "://", "$", "aaaa", "-----begin"),
)
_BASE64_CHARS = 41

_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # what a device has encrypted, whatever it is: Huawei, H3C, Aruba
        rf"(?<![a-z\d])cipher(?:text)?\s++(?!{_NO_CIPHERTEXT}){_SECRET}",
        rf"(?:key|password|mode|md5|{_KEYED}|authentication|read|write|\b\d{{1,5}})\s++(?:cipher|simple)\s++{_SECRET}",
        rf"\bsnmp-agent\s++community\s++(?:read|write)\s++(?:(?:cipher|simple)\s++)?{_SECRET}",
        # username, enable, neighbor, key-string, pre-shared-key …
        rf"(?<![a-z\d])(?:{_WORDS})(?![\w-])(?!\s++{_SETTINGS}){_HOW}\s++{_SECRET}",
        # OSPF, NTP, BFD, HSRP, VRRP, IS-IS
        rf"\b(?:message-digest-key|authentication-key){_WHICH}\s++{_SECRET}",
        rf"\bauthentication\s++(?:text|md5|key){_WHICH}\s++{_SECRET}",
        rf"\b(?:authentication|privacy)-mode\s++{_BY}(?:\s++(?:\d{{1,3}}|cipher|simple|plain)(?=\s++\S))*\s++{_SECRET}",
        rf"\bpeer\s++authentication(?:\s++(?:text|ietf-md5|key-string|\d)(?=\s++\S))*\s++{_SECRET}",
        rf"\bmd5\s++\d{{1,3}}\s++key\s++{_SECRET}",
        # SNMP users, communities and trap receivers
        rf"\bauth\s++(?:md5|sha[\w-]*+)(?:\s++\d(?=\s++\S))?\s++(?!{_PASSES}){_SECRET}",
        rf"\bpriv\s++(?:(?:aes|des|3des)[\w-]*+(?=\s++\S)\s++)?(?:(?:128|192|256|\d)(?=\s++\S)\s++)?(?!{_VIEWS}|{_PASSES}){_SECRET}",
        rf"\bsnmp[\w-]*+[^\n]{{0,80}}?\scommunity(?:\s++(?:\d|read|write|cipher|simple)(?=\s++\S))*\s++{_SECRET}",
        rf"^\s*+community\s++{_SECRET}(?=\s*+\{{)",
        rf"\bsnmp-server\s++host\s++\S++{_TRAPS}\s++(?!{_NO_COMMUNITY}){_SECRET}",
        # TACACS+, RADIUS, IKE, macsec
        rf"(?<![\w-])key\s++(?:[05-9]|8a)\s++(?!(?:md5|sha[\w-]*+|hmac[\w-]*+|type|key-string|secret)\s++\S){_SECRET}",
        rf"\b(?:tacacs|radius|isakmp|ldap)[^\n]{{0,120}}?\skey(?:\s++(?:\d|8a)(?=\s++\S))?\s++{_SECRET}",
        r"^\s++key\s++(?!\d++\s*+$)(?P<secret>\S++)\s*+$",
        rf"^\s++key\s++[\da-f]{{2,64}}\s++(?:0|7|8a)\s++{_SECRET}",
        rf"\bkey\s++(?:authentication|authorization|accounting)\s++(?:(?:cipher|simple)\s++)?{_SECRET}",
        r"auth=(?:key|token(?:-secure)?),(?P<secret>[^\s,]++)",
        # JSON, YAML, assignments and XML
        rf"{_FIELDS}\\?\"\s*+:\s*+\[(?P<list>\s{{0,9}}+\"[^\]\n]{{0,2000}}+)\]",
        rf"{_FIELDS}\\?\"\s*+:\s*+(?:(?P<number>-?\d[^\s,}}\]]*+)|\[?(?P<secret>{_QUOTED}))",
        r"\"SNMP_COMMUNITY(?:\||\"\s*+:\s*+\{\s*+\")(?P<secret>[^\"]{1,200}+)\"",
        r"\"NTP_KEY(?:\|[^\"]*+)?\"\s*+:\s*+\{[^}\n]{0,200}?\"value\"\s*+:\s*+\"(?P<secret>[^\"]{1,200}+)\"",
        rf"{_FIELDS}'?\s*+:\s*+(?!(?:[|>][-+]?|[{{\[]|null|true|false)\s*+,?\s*+$)(?P<secret>{_QUOTED}|\S[^\n]*+)",
        rf"{_FIELDS}'?\s*+=\s*+{_SECRET}",
        rf"{_FIELDS}>(?P<secret>[^<\n]++)",
        # HTTP
        rf"\bauthorization[\"']?\s*+[:=]\s*+(?![{{\[]\s*+(?:$|\"))[\"']?(?:(?:bearer|basic|digest|token)\s++)?{_SECRET}",
        r"\bbearer\s++(?P<secret>[\w.~+/=-]{16,}+)",
        r"://[^\s/:@]*+:(?P<secret>[^\s/]+)@",
        # by their shape: crypt and vendor hashes, public keys, PEM
        rf"(?P<secret>\$(?:{_CRYPTS})\$[^\s\"';,]{{6,}}+)",
        r"(?P<secret>\bAAAA[B-E][a-z\d+/]{20,}+=*+)",
        r"-----BEGIN [A-Z\d ]{1,40}-----(?P<secret>(?:(?!-----END)[^\n])++)",
        rf"^\s*+(?-i:(?=[^A-Z\n]*+[A-Z])(?=[^a-z\n]*+[a-z])(?=\D*+\d))(?P<secret>[a-z\d+/]{{{_BASE64_CHARS},}}+=*+)\s*+$",
    )
)


def redact(line: str) -> str:
    """Return *line* with each secret in it replaced by `<redacted>`; a line redacted before stays as it is."""
    lower = line.lower()
    is_plain = len(line) < _BASE64_CHARS or " " in line.strip()
    if is_plain and not any(hint in lower for hint in _HINTS):
        return line
    for _ in range(_MOST_PASSES):
        before = line
        for pattern in _PATTERNS:
            line = pattern.sub(_hide, line)
        if line == before:
            break
    return line


_MOST_PASSES = 8
"""Of a line with broken quotes a first pass can leave what reads like another secret; twice is nearly always enough."""


def _hide(match: re.Match[str]) -> str:
    """Replace the secret in what matched; the quotes and the syntax around it stay, so that JSON stays JSON."""
    if match.lastgroup == "list":
        return match.group() if MARK in match["list"] else _with(match, "list", f'"{MARK}"')
    if match.lastgroup == "number":
        return _with(match, "number", f'"{MARK}"')
    secret = match["secret"]
    quote = next((quote for quote in ('\\"', '"', "'") if secret.startswith(quote)), "")
    closed = quote and quote in secret[len(quote) :]
    bare = secret.strip("\\\"'") if quote else secret.rstrip("\\\"';,)]}")
    if not bare or bare.lower() == MARK:
        return match.group()
    if closed:
        return _with(match, "secret", f"{quote}{MARK}{quote}")
    return _with(match, "secret", MARK if quote else MARK + secret[len(bare) :])


def _with(match: re.Match[str], group: str, hidden: str) -> str:
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    return match.group()[:start] + hidden + match.group()[end:]
