"""Secrets that their own shape gives away: hashes, tokens, keys, credentials in addresses."""

import re
from collections.abc import Iterator

from auditor.util.redaction.names import is_random
from auditor.util.redaction.spans import Span, is_mark
from auditor.util.redaction.values import trim
from auditor.util.regex import regex

_CRYPTS = (
    r"apr1|bcrypt[\w-]*+|sha(?:256|512)(?:crypt)?|sm3"
    r"|1|5|6|7|8|9|14|y|gy|7y|2[abxy]?|aes1|sha1|nvsec|argon2(?:id?|d)|pbkdf2[\w-]*+|scrypt|1c|c\$3|h\$6"
)
_PREFIXES = (
    r"gh[oprsu]_\w{16}|github_pat_\w{16}|glpat-[\w-]{12}|hf_\w{16}|nvapi-[\w-]{16}|xox[abeprs]-[\w-]{10}|A[KS]IA[A-Z\d]{12}"
    r"|sk-[\w-]{20}|AIza[\w-]{30}|ya29\.[\w-]{16}|npm_\w{20}|pypi-[\w-]{20}|hvs\.\w{16}|dckr_pat_\w{12}|AQBa[pb][\w+/]{8}"
)
_COOKIE = r"[\w.-]{1,64}+=[^\s\"';]++(?>(?:;[^\"'\n;]++)*)"
_SECURE_STRING = (
    r"(?i:ConvertTo-SecureString(?>(?: +-(?:String|AsPlainText|Force)\b)*)) +[\"']?"
    r"(?P<secret>[^\s\"'()|-][^\s\"')]*)"
)
_SHAPES = tuple(
    regex(pattern)
    for pattern in (
        rf"(?i:(?P<secret>\$(?:{_CRYPTS})\$(?!\d\$\d)[^\s\"';,]{{4,}}+))",
        r"\{(?i:s?sha\d{0,3}|s?md5|crypt|pbkdf2[\w-]{0,20})\}(?P<secret>[^\s\"',{}]{8,}+)",
        r"(?P<secret>%(?:\^%#|#%#|@%@|\$%\$)\S++)",
        r"(?P<secret>\bAAAA[A-Ea-e][\w+/]{12,}+\S*+)",
        r"(?P<secret>\beyJ[\w+/=-]{8,}+(?>\.[^\s\"',;]*+|))",
        rf"(?<![\w-])(?P<secret>(?:{_PREFIXES})[^\s\"',;&]*+)",
        r"-----BEGIN [A-Z\d ]{1,40}-----(?P<secret>(?>(?:[^-\n]++|(?!-----END)-)+))",
        r"(?<![\w+/=])(?P<secret>[A-Za-z\d+/]{43}=)(?![\w+/=])",
        r"^\s*+(?=[^A-Z\n]*+[A-Z])(?=[^a-z\n]*+[a-z])(?=\D*+\d)(?P<secret>[A-Za-z\d+/]{41,}+=*+)\s*+$",
        r"(?i:\bbearer)(?:\s++|-)[\"']?(?P<secret>[\w.~+/=-]{16,}+)",
        r"grub\.pbkdf2\.\w+\.\d+\.(?P<secret>\S++)",
        r"\"SNMP_COMMUNITY\|(?P<secret>[^\"]{1,200}+)\"",
        r"auth=(?:key|token(?:-secure)?),(?P<secret>[^\s,]++)",
        r"--from-literal(?:=|[ \t]++)[^\s=]++=(?P<secret>\S++)",
        r"(?<![^\s\"'])[\w.-]{1,64}+:(?P<secret>[^\s\"'|]++)[\"']?+\s*+\|\s*+(?:sudo\s++)?chpasswd",
        r"(?<!\S)[\w.-]{1,64}:(?P<secret>[^\s@/]++)@(?!sha\d)[\w-]++\.[\w.-]++",
        r"^\s*+(?:\*|localhost|[\w-]++\.[\w.-]++):(?:\d{4,5}|\*):[^\s:]++:[^\s:]++:(?P<secret>\S++)",
        r"^\s*+[\w-]++:(?:543[23]|6432):[^\s:]++:[^\s:]++:(?P<secret>[^\s:]++)(?!\S)",
        r"(?<![\w+/=])(?P<secret>AQ[A-Za-z\d+/]{24,44}==)(?![\w+/=])",
        r":(?:thin|oci8?):[\w.$-]{1,64}+/(?P<secret>[^\s@/\"']++)@",
        rf"\bcurl\b[^\n]{{0,400}}?\s(?:-b|--cookie)(?:[ \t]++|=)[\"']?(?P<secret>{_COOKIE})",
        r"\b(?:sqlplus|sqlcl|sqlldr|rman|expdp|impdp)\b[^\n@]{0,80}?\s[\w.$-]{1,64}+/(?P<secret>[^\s@/\"']++)@",
        r"(?i:\bidentified[ \t]+(?:with[ \t]+\S{1,64}[ \t]+)?by[ \t]+(?:password[ \t]+)?)[\"'](?P<secret>[^\"'\n]++)",
        r"(?i:\bpassword)\([\"'](?P<secret>[^\"'\n]++)",
        r"\.auth\([\"'][^\"'\n]{1,64}+[\"'],[ \t]*+[\"'](?P<secret>[^\"'\n]++)",
        r"^\S{0,40}>[ \t]*+AUTH[ \t]++(?P<secret>\S++)",
        r"^\s*+\S++[ \t]++\*[ \t]++\"(?P<secret>[^\"\s]++)\"",
        r"\bsend[ \t]++(?:--[ \t]++)?\"(?=\D{0,80}\d)(?=[^\"A-Za-z]{0,80}[A-Za-z])(?P<secret>[^\"\\$\s]{8,}+)\\[rn]\"",
        r"(?<![\w-])(?>--|)certificate-?[kK]ey(?:[:=][ \t]*+|[ \t]++)\"?(?P<secret>[\da-fA-F]{64})(?![\w])",
        r"(?<![\w-])_auth=(?P<secret>[^\s\"']++)",
        r"[?&](?i:sig|signature|x-amz-signature|x-goog-signature|key|code|auth)=(?P<secret>[^\s&\"']++)",
        r"login\([^)\n]{0,120}?key\s{0,3}=\s{0,3}[\"'](?P<secret>[^\"'\n]++)",
        _SECURE_STRING,
        r"/bot\d+:(?P<secret>[^/\s\"']++)",
    )
)
_WORD = regex(r"\S++")
_HOOK = regex("hook", re.IGNORECASE)
_PORT = regex(r"\d{1,5}(?:/|$)")
_LEAST_USER_TOKEN = 12


def find_shapes(line: str) -> Iterator[Span]:
    """Yield what reads like a secret wherever it stands."""
    for pattern in _SHAPES:
        for match in pattern.finditer(line):
            start, end = trim(line, *match.span("secret"))
            if not is_mark(line[start:end]):
                yield Span(start, end)
    if "://" in line:
        for match in _WORD.finditer(line):
            if "://" in match[0]:
                yield from _find_in_address(line, *match.span())


def _find_in_address(line: str, start: int, end: int) -> Iterator[Span]:
    """Yield the password of an address, and the token in the path of a webhook."""
    begin = line.find("://", start, end) + 3
    while begin >= 3:  # noqa: PLR2004  the length of "://"
        following = line.find("://", begin, end)
        stop = end if following < 0 else following
        yield from _find_credentials(line, begin, stop)
        begin = following + 3 if following >= 0 else 0


def _find_credentials(line: str, begin: int, stop: int) -> Iterator[Span]:
    at = line.rfind("@", begin, stop)
    path = line.find("/", begin, stop)
    colon = line.find(":", begin, at) if at > begin else -1
    if colon >= 0 and (path < 0 or colon < path) and not (path > 0 and path < at and _PORT.match(line, colon + 1)):
        if not is_mark(line[colon + 1 : at]):
            yield Span(colon + 1, at)
    elif begin < at and (path < 0 or at < path):
        user = line[begin:at]
        if not is_mark(user) and (is_random(user) or len(user) >= _LEAST_USER_TOKEN * 2):
            yield Span(begin, at)
    if hook := _HOOK.search(line, begin, stop):
        yield from _find_hook(line, max(hook.start(), path), stop)


def _find_hook(line: str, hook: int, stop: int) -> Iterator[Span]:
    """Yield the path of a webhook after the first part that follows its name."""
    slash = line.find("/", hook, stop)
    after = line.find("/", slash + 1, stop) if slash >= 0 else -1
    begin = (after if after >= 0 else slash) + 1
    if begin > 0:
        begin, end = trim(line, begin, stop)
        if end > begin and not is_mark(line[begin:end]):
            yield Span(begin, end)
