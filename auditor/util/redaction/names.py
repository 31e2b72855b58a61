"""Names of settings, variables and fields: which of them hold a secret.

A name is split into words at punctuation and humps. A word such as `password` makes the name secret, unless a later
word describes the secret only (`password_length`); `key` needs a word before it (`api_key`).
"""

import re
from functools import lru_cache
from itertools import pairwise

from auditor.util.redaction.spans import word_set
from auditor.util.regex import regex

_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STEMS = (
    *("password", "passwd", "passphrase", "passwort", "secret", "credential", "apikey", "authkey", "privatekey"),
    *("presharedkey", "accesskey", "secretkey", "sharedkey", "passkey", "authtok", "webhook", "securitykey"),
)
_WHOLE = word_set(
    "psk cak ckn jwt bearer pwd pw pass passcode token community communities cookie bindpw pskey authpass privpass"
    " keystring dockercfg dockerconfigjson sak passwords tokens credentials requirepass masterauth pswd pwhash"
)
_ENDINGS = ("token", "pass", "pwd", "pw", "community", "communities", "psk")
_NOT_ENDING = word_set("bypass compass askpass underpass overpass trespass oldpwd")

_DESCRIBING = word_set(
    "policy policies length len lifetime minimum maximum min max age aging expiry expire expires expired expiration"
    " warn warning inactive history complexity strength rotation rotate days hours seconds count counter counters limit"
    " retry retries attempt attempts timeout prompt file files filename path paths dir directory folder name names ref"
    " refs reference type types method mode algorithm format enabled required change changed last state status num"
    " size number id ids url uri encryption authentication through thru rate ratio list lists parallel per bucket ring"
    " ttl rotatable profile check quality reuse interval server servers version provider manager store mount"
    " mounts projection volume volumes env envs izer budget level threshold source sources index position"
    " positions usage scope scopes audience issuer endpoint flags recovery group groups class rule rules action"
    " protect protection control validity permit empty only interface port phase statistics stats expected available"
    " present configured supported capable capability exists found valid invalid missing loss throughput second sec"
    " embedding embeddings embed dropout vocab mask ages verify verified set map description descr jar"
)
"""Words after a secret's word that describe it; the value is no secret."""
_TOKEN_KINDS = word_set(
    "max min num n per pad eos bos unk mask cls sep special stop image begin end total new prompt completion input"
    " output new batch context audio video next start"
)
"""Words before `token` where language models count or name tokens."""
_KEY_KINDS = word_set(
    "api auth authentication authorization private priv privacy shared access secret encryption encrypt encrypted enc"
    " decryption md md5 sha sha1 sha256 aes des hmac psk master admin account storage signing sign wep wpa preshared"
    " session service app application client server wandb ngc nvidia hf openai aws azure google gcp subscription"
    " activation recovery db deploy crypto cipher security macsec ike ipsec tacacs radius snmp ldap ntp isis ospf bgp"
    " tls ssl product munge luks vault join cluster root license licence jwt pre papi provisioned bfd message digest"
    " static mka hello sym symmetric dhchap tpm ipmi bmc sp consumer"
)
"""Words before `key` that make it a secret."""
_PUBLIC_KEY_KINDS = word_set(
    "public pub hash hashing sort primary foreign partition registry host p m q b l r sa sm routing search cache lookup"
    " index table map shift group object field order reg hot dict config distribution load balance flow ecmp"
)
_KEY_TAILS = word_set("data string value text material octet digits ascii hex b64 base64 plain content hash")
_SNMP_USER = regex(r"(?:auth-(?:md5|sha\d{0,3})|encrypt-(?:aes|des)\d{0,3})", re.IGNORECASE)
_PLAIN = frozenset({"PWD", "OLDPWD"})


@lru_cache(maxsize=4096)
def split_words(name: str) -> tuple[str, ...]:
    """Return the words of *name* in lower case.

    >>> split_words("snmpV3_authKey-2")
    ('snmp', 'v', '3', 'auth', 'key', '2')
    """
    return tuple(word.lower() for word in _WORD.findall(name[-_LONGEST:]))


_LONGEST = 120


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Return whether a setting, variable or field of this name holds a secret.

    >>> [is_secret_name(name) for name in ("HF_TOKEN", "apiKey", "max_tokens", "password-policy", "hash_key", "PWD")]
    [True, True, False, False, False, False]
    """
    if name in _PLAIN:
        return False
    words = split_words(name)
    if _SNMP_USER.fullmatch(name):
        return True
    if words[-1:] == ("data",) and "certificate" in words:  # of a kubeconfig
        return True
    for index, word in enumerate(words):
        if _is_secret_word(words, index, word) or (word in {"key", "keys"} and _is_secret_key(name, words, index)):
            return not any(later in _DESCRIBING for later in _cut_exceptions(words, index))
    return False


def _is_secret_word(words: tuple[str, ...], index: int, word: str) -> bool:
    if word in {"token", "tokens"} and index and words[index - 1] in _TOKEN_KINDS:
        return False
    if word in _WHOLE or any(stem in word for stem in _STEMS):
        return True
    return word.endswith(_ENDINGS) and word not in _NOT_ENDING


def _is_secret_key(name: str, words: tuple[str, ...], index: int) -> bool:
    tail = words[index + 1 :]
    if any(not (word.isdigit() or word in _KEY_TAILS) for word in tail) and tail != ("id",):
        return False
    before = words[index - 1] if index else ""
    if tail == ("id",):
        return before == "access"  # half of a pair of credentials
    if before.isdigit() and index > 1:  # md5-key, sha256-key: the digits are a word of their own
        before = words[index - 2]
    if before in _KEY_KINDS or tail in {("string",), ("octet", "string"), ("data",)}:
        return before not in {"public", "pub"}
    return name.endswith(("_KEY", "_KEYS")) and before not in _PUBLIC_KEY_KINDS


def _cut_exceptions(words: tuple[str, ...], index: int) -> tuple[str, ...]:
    """Return the words after the secret's word, without those that take nothing from the secret."""
    later = words[index + 1 :]
    if words[index] == "community" and later[:1] == ("name",):
        return later[1:]
    if words[index] == "secret" and later == ("id",):
        return ()
    if words[index] == "webhook" and later == ("url",):
        return ()
    return later if words[index] not in {"key", "keys"} else ()


def is_description(word: str) -> bool:
    """Return whether *word* describes a secret: a length, a policy, a lifetime."""
    words = split_words(word)
    return bool(words) and (words[0] in _DESCRIBING or words[-1] in _DESCRIBING)


@lru_cache(maxsize=4096)
def is_random(text: str) -> bool:
    """Return whether *text* reads like a generated secret, and like no word, port or version.

    >>> [is_random(text) for text in ("Zq7x9Lm2pR", "Ethernet1/1", "token-bucket", "10.0.0.1")]
    [True, False, False, False]
    """
    if len(text) < _LEAST_RANDOM or not text.isascii():
        return False
    kinds = [("d" if c.isdigit() else "a" if c.isalpha() else "") for c in text[:_LONGEST]]
    shown = [kind for kind in kinds if kind]
    changes = sum(a != b for a, b in pairwise(shown))
    return changes >= _LEAST_CHANGES and "a" in shown and not _HARMLESS.fullmatch(text[:_LONGEST])


_LEAST_RANDOM, _LEAST_CHANGES = 8, 2
_HARMLESS = regex(
    r"(?>(?:[\da-fA-F]{2}[:.-]){3,})[\da-fA-F:.-]*|[\da-fA-F]{4}(?:[.:][\da-fA-F]{0,4})+|0x[\da-fA-F]+"
    r"|[vV]?\d++(?>(?:\.\d++)+)\S{0,8}|(?>(?:[A-Za-z]{3,}+[-_/.]?+)+)\d{0,4}+(?>(?:[/.:-]\d{1,4}+)*)"
    r"|[A-Za-z]{2,}+\d{1,4}+(?>(?:-[A-Za-z]{2,}+\d{0,4}+)*)"
)
