"""What counts as one address."""

import pytest

from warroom_server.counted_address import address_of


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        pytest.param("10.0.0.1:4000", "10.0.0.1", id="IPv4"),
        pytest.param("[2001:db8:1:2:3:4:5:6]:4000", "2001:db8:1:2::", id="the network of an IPv6"),
        pytest.param("[fe80::1%eth0]:4000", "fe80::", id="IPv6 of a link"),
        pytest.param("[::ffff:10.0.0.1]:4000", "10.0.0.1", id="IPv4 in IPv6"),
        pytest.param("", "", id="unknown"),
    ],
)
def test_an_address_is_what_one_person_has_one_of(peer: str, address: str) -> None:
    assert address_of(peer) == address
