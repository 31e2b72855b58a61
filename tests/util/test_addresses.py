"""Addresses are parsed as the library parses their text, and refused where it refuses them."""

from ipaddress import AddressValueError, IPv6Address, ip_interface

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.util.addresses import parse_interface, parse_ipv6

ADDRESSES = st.from_regex(r"[0-9]{1,4}(\.[0-9]{1,4}){2,4}(/[0-9.]{0,9})?", fullmatch=True)


@given(ADDRESSES | st.ip_addresses().map(str) | st.text(alphabet="0123456789./: x\0é", max_size=20))
@example("10.0.0.1")
@example("10.0.0.1/31")
@example("10.0.0.1/255.255.255.0")
@example("10.0.0.1/")
@example("10.0.0.01/24")
@example("10.1/24")
@example("10.0.0.1/24/24")
@example("10.0.0.1\0/24")
@example("fd00::1/64")
def test_an_address_is_what_the_library_says(text: str) -> None:
    """The shorter way is no other way."""
    try:
        expected = ip_interface(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            parse_interface(text)
    else:
        assert parse_interface(text) == expected
        assert parse_interface(text).network == expected.network


@given(st.ip_addresses(v=6).map(str) | st.from_regex(r"[0-9a-fA-F:]{0,30}[0-9.:a-f%]{0,15}", fullmatch=True))
@example("0000:0000:0000:0000:0000:ffff:0a00:0001")
@example("::ffff:10.0.0.1")
@example("::ffff:10.0.0.01")
@example("::ffff:10.0.1")
@example("fe80::1%eth0")
@example("fe80::1%")
@example("fe80:1::2::3")
@example("1:2:3:4:5:6:7::")
@example("1:2:3:4:5:6:7:8:")
@example("00001::1")
@example("::1\0")
@example("::é")
@example(":")
@example("")
def test_an_address_of_ipv6_is_what_the_library_says(text: str) -> None:
    try:
        expected = IPv6Address(text)
    except AddressValueError:
        with pytest.raises(AddressValueError):
            parse_ipv6(text)
    else:
        assert parse_ipv6(text) == expected
        assert str(parse_ipv6(text)) == str(expected)
