"""What is a secret in a line, and what is not."""

import json
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from auditor.util.redact import redact

# `@` is where the secret stands.
TEMPLATES = [
    " local-user admin password irreversible-cipher @",
    " snmp-agent community read cipher @",
    " snmp-agent community write @",
    " radius-server shared-key cipher @",
    " key authentication simple @",
    " ospf authentication-mode md5 1 cipher @",
    "user admin group administrators password ciphertext @",
    "radius-server host 192.0.2.1 key ciphertext @",
    "local-user admin password irreversible-cipher @",
    "snmp-agent usm-user v3 mon authentication-mode sha cipher @ privacy-mode aes128 cipher @",
    "snmp-agent community read cipher @",
    "super password role network-admin hash @",
    "vrrp 1 peer authentication text @",
    "exec /usr/bin/TerminAttr -cvauth=key,@ -smashexcludes=ale",
    '"snmp_rwcommunities": ["x", "@"]',
    '"SNMP_COMMUNITY|@": {"TYPE": "RO"}',
    "auth-md5: '@'",
    "username admin password 5 @ role network-admin",
    "username admin password 0 @",
    "username admin password @",
    "username admin privilege 15 role network-admin secret sha512 @",
    "username admin secret 0 @",
    "system-user linuxadmin password @",
    "enable secret 9 @",
    "enable password level 15 7 @",
    "snmp-server community @ ro",
    "snmp-server community @ group network-operator",
    "snmp-server user admin network-admin auth md5 @ priv aes-128 @ localizedkey",
    "snmp-server user admin network-admin auth md5 @ priv @ localizedkey",
    "snmp-server user u g v3 localized f5717f auth sha @ priv aes 256 @",
    "snmp-server host 10.0.0.1 traps version 2c @ udp-port 162",
    "snmp-server host 10.0.0.1 vrf mgmt version 2c @",
    "snmp-server host 10.0.0.1 @",
    "snmp-server host 10.0.0.1 use-vrf management community @",
    "tacacs-server key 7 @",
    'tacacs-server host 10.0.0.1 key 7 "@" port 49',
    "tacacs-server host 10.0.0.1 timeout 5 key @",
    "radius-server host 10.0.0.1 key 7 @ auth-port 1812",
    "  key 7 @",
    "  key @",
    "    key-string 7 @",
    "   key-octet-string 7 @ cryptographic-algorithm AES_128_CMAC",
    "  neighbor 10.0.0.1 password 3 @",
    " neighbor PEERS password @",
    "  ip ospf message-digest-key 1 md5 3 @",
    "  ip ospf authentication-key 7 @",
    "  ip ospf authentication-key @",
    "  isis authentication key 7 @",
    "    authentication text @",
    "    authentication md5 key-string 7 @",
    "crypto isakmp key @ address 10.0.0.1",
    "  pre-shared-key local @",
    "  pre-shared-key address 10.0.0.1 key @",
    "ntp authentication-key 1 md5 @ 7",
    "set system ntp authentication-key 1 type md5 value @",
    'encrypted-password "@"; ## SECRET-DATA',
    'secret "@"; ## SECRET-DATA',
    'authentication-key "@"; ## SECRET-DATA',
    'pre-shared-key ascii-text "@"; ## SECRET-DATA',
    "set snmp community @ authorization read-only",
    "    community @ {",
    '"password": "@",',
    '{"TACPLUS": {"global": {"auth_type": "login", "passkey": "@"}}}',
    '"secret": "@"',
    '"auth_key" : "@"',
    '"snmp_rocommunity": "@"',
    '"api-token": "two words @", "x": 1',
    r'"body": "{\"psk\": \"two words @\", \"mtu\": 9216}"',
    "password: @",
    "password: two words @",
    "  token: '@'",
    "bind_password=@",
    "<secret>@</secret>",
    "nv set system aaa user cumulus hashed-password '@'",
    "nv set service snmp-server readonly-community @ access any",
    "nv set service snmp-server username u auth-md5 @ encrypt-aes @",
    "nv set vrf default router bgp neighbor swp1 password @",
    "Authorization: Bearer @",
    'curl -H "Authorization: Basic @" https://10.0.0.1/',
    "copy scp://admin:@@10.0.0.1/startup-config running-config",
    "-----BEGIN RSA PRIVATE KEY-----@-----END RSA PRIVATE KEY-----",
    "description $6$saltsalt$@ pasted here",
    "username admin sshkey ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ@",
]

UNTOUCHED = [
    "ssh server cipher aes256_ctr",
    "",
    "  priority-flow-control mode on",
    "  service-policy type qos input QOS_IN",
    '"profile": "pg_lossless_400000_5m_profile",',
    '"pfc_enable": "3,4",',
    "  match dscp 26",
    "class-map type qos match-any RDMA",
    "/sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    "$ cat /sys/class/infiniband/mlx5_0/ports/1/gids/3",
    "0000:0000:0000:0000:0000:ffff:0a00:0001",
    "fe80:0000:0000:0000:0ac0:ebff:fe12:3456",
    "  link/ether 08:c0:eb:12:34:56 brd ff:ff:ff:ff:ff:ff",
    "  description to spine1 Ethernet1/1 cable 5m",
    "ssh key rsa 2048",
    "password strength-check",
    "shared-secret profile MACSEC",
    "ssh server cipher aes256_ctr aes128_ctr",
    "ip ssh cipher strong",
    " ospf authentication-mode null",
    "no password strength-check",
    "service password-encryption",
    "username admin passphrase lifetime 99999 warntime 14 gracetime 3",
    "    community RED members 65000:1;",
    "                community add RED;",
    " set community 65001:2",
    "   neighbor LEAFS send-community",
    '"SNMP_COMMUNITY": {',
    '"password": null,',
    '"token": {',
    "password:",
    "key chain OSPF",
    "  key 1",
    "area 0.0.0.0 authentication message-digest",
    "snmp-server host 10.0.0.1 use-vrf management",
    "snmp-server group ops v3 priv read all",
    "-----BEGIN RSA PRIVATE KEY-----",
    "encrypted-password /* SECRET-DATA */; ## SECRET-DATA",
    "awk '{print $1$2}'",
    "https://docs.example.net:8443/qos",
    "username admin password 5 <REDACTED> role network-admin",
    '"password": "<REDACTED>",',
    "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn",
]


@pytest.mark.parametrize("line", UNTOUCHED)
def test_a_line_without_a_secret_stays(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize("line", [*TEMPLATES, *UNTOUCHED])
@pytest.mark.parametrize("depth", [20, 3_000])
def test_a_line_that_is_nested_deep_is_read_like_any(line: str, depth: int) -> None:
    line = f"{' ' * 16}{line.strip().replace('@', 'Zq7xW4kT9xY')}"
    assert redact(" " * depth + line) == " " * depth + redact(line)


@pytest.mark.parametrize("template", TEMPLATES)
@settings(max_examples=25)
@given(token=st.text("ABCDEFGHabcdefgh0123456789./+=_-!#%^&*~?|", min_size=12, max_size=40))
def test_no_secret_is_left(template: str, token: str) -> None:
    token = f"Zq7{token}9xY"
    host = "@10.0.0.1/" if "scp:" in template else ""
    line = template.replace("@" + host, token.replace("/", "+") + host) if host else template.replace("@", token)
    if "AAAA" in template or "BEGIN" in template:
        line = template.replace("@", token := "".join(filter(str.isalnum, token)))
    shown = redact(line)
    assert token.strip("/") not in shown
    assert token[:10].replace("/", "+") not in shown.replace("/", "+")
    assert "<redacted>" in shown
    assert redact(shown) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('secret "$9$abcdef.ghi"; ## SECRET-DATA', 'secret "<redacted>"; ## SECRET-DATA'),
        ("snmp-server user a g auth md5 0xab priv 0xcd localizedkey", None),
        ('{"password":12345,"mtu":9100}', '{"password":"<redacted>","mtu":9100}'),
        ('{"passkey":"a b\\"c","mtu":9100}', '{"passkey":"<redacted>","mtu":9100}'),
        ('username x password "never closed', 'username x password "<redacted>'),
        ("authentication-key plain;", "authentication-key <redacted>;"),
        ("scp://admin:pw@10.0.0.1/x", "scp://admin:<redacted>@10.0.0.1/x"),
        ("MIIEpAIBAAKCAQEA7bq1Zs3Q8mJ0K9Xn5vTtYwRr2LpHcUu4eDf6GgBh", "<redacted>"),
        (f"kubeadm init --certificate-key {'0a1b' * 16}", "kubeadm init --certificate-key <redacted>"),
        (f"certificateKey: {'0a1b' * 16}", "certificateKey: <redacted>"),
        ('send "Zq7w93xKb\\r"', 'send "<redacted>\\r"'),
    ],
)
def test_the_rest_of_the_line_stays(line: str, shown: str | None) -> None:
    expected = "snmp-server user a g auth md5 <redacted> priv <redacted> localizedkey"
    assert redact(line) == (shown or expected)


VALUES = st.text(string.printable) | st.integers() | st.none()


@given(st.dictionaries(st.sampled_from(["password", "secret", "mtu", "token"]), VALUES))
def test_json_stays_json(table: dict[str, object]) -> None:
    shown = json.loads(redact(json.dumps(table)))
    assert shown.keys() == table.keys()


@given(
    name=st.sampled_from(["MY_PASSWORD", "HF_TOKEN", "secret", "MTU"]),
    key=st.sampled_from(["value", "default", "valueFrom"]),
    value=st.text(string.ascii_letters + string.digits + " -_./:,=+!#$%[]{}<>") | st.none(),
    gaps=st.sampled_from([(",", ":"), (", ", ": "), (",", ": ")]),
    before=st.sampled_from(["", "k8s: ", "          - "]),
)
def test_json_of_names_and_values_stays_json(
    name: str, key: str, value: object, gaps: tuple[str, str], before: str
) -> None:
    line = before + json.dumps({"env": [{"name": name, key: value}]}, separators=gaps)
    shown = redact(line)
    assert json.loads(shown.removeprefix(before))["env"][0].keys() == {"name", key}
    assert redact(shown) == shown


WORDS = st.sampled_from(
    [
        *("password", "secret", "key", "7", '"', "'", '\\"', ":", "=", ">", "<", "://", "@", "$9$", "snmp-server"),
        *(
            "auth",
            "priv",
            "md5",
            "-----BEGIN X-----",
            "-----END",
            "<redacted>",
            "\\",
            " ",
            "\t",
            "\n",
            ",",
            "}",
            "x",
            "1",
        ),
        *("tacacs", "token", "authorization", "bearer", "authentication-key", "host", "{", "[", ";", "/*", "community"),
        *("null", "aes", "A" * 50 + "b1"),
    ]
)


@given(st.lists(WORDS).map("".join) | st.lists(WORDS).map(" ".join) | st.text(string.printable))
@example("password key foo")
@example('key authorization \\" password " "')
def test_a_second_time_changes_nothing(line: str) -> None:
    once = redact(line)
    assert redact(once) == once
