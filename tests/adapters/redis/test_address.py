"""What the URL of a store may say, and what it is taken to mean."""

import pytest
from redis.asyncio.connection import SSLConnection

from warroom_server.adapters.redis.address import Address, parse_address


def places(address: Address) -> list[tuple[object, object]]:
    return [(place.settings["host"], place.settings["port"]) for place in address.places]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("redis://", "the store at localhost:6379"),
        ("redis://10.0.0.1", "the store at 10.0.0.1:6379"),
        ("rediss://ada:secret@example.org:7000/3", "the store at example.org:7000"),
        ("redis://[::1]:7000", "the store at ::1:7000"),
        ("unix:///run/redis.sock?db=2", "the store at /run/redis.sock"),
        ("redis+sentinel://a,b:1/war", "the store war of the Sentinels at a:26379, b:1"),
        ("redis+cluster://:secret@a,b:1", "the cluster at a:6379, b:1"),
    ],
)
def test_a_store_is_called_by_where_it_is_and_never_by_a_password(url: str, name: str) -> None:
    assert parse_address(url).name == name


def test_one_server_is_reached_with_its_name_password_and_database() -> None:
    [place] = parse_address("redis://ada:se%3Acret@example.org:7000/3").places
    assert place.settings["username"] == "ada"
    assert place.settings["password"] == "se:cret"
    assert (place.settings["port"], place.settings["db"]) == (7000, 3)


def test_sentinels_have_a_password_of_their_own() -> None:
    url = "redis+sentinel://ada:theirs@a:1,b:2/war/4?sentinel_username=eve&sentinel_password=ours"
    address = parse_address(url)
    assert (address.kind, address.service, places(address)) == ("sentinel", "war", [("a", 1), ("b", 2)])
    assert [place.settings["username"] for place in address.places] == ["eve", "eve"]
    assert address.server is not None
    server = address.server.at("c", 3).settings
    assert (server["username"], server["password"], server["db"]) == ("ada", "theirs", 4)
    assert (server["host"], server["port"]) == ("c", 3)
    assert all("db" not in place.settings for place in address.places)


def test_all_nodes_of_a_cluster_have_one_password() -> None:
    address = parse_address("redis+cluster://ada:secret@a:1,b:2,c")
    assert (address.kind, places(address)) == ("cluster", [("a", 1), ("b", 2), ("c", 6379)])
    assert {place.settings["password"] for place in address.places} == {"secret"}


@pytest.mark.parametrize("url", ["rediss://a", "rediss+sentinel://a/war", "rediss+cluster://a"])
def test_tls_is_used_for_everything_that_is_connected_to(url: str) -> None:
    address = parse_address(f"{url}?ssl_ca_certs=/etc/ca.pem")
    every = (*address.places, *((address.server,) if address.server else ()))
    for place in every:
        assert place.settings["connection_class"] is SSLConnection
        assert place.settings["ssl_ca_certs"] == "/etc/ca.pem"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a", "URL"),
        ("redis+sentinels://a/war", "expected redis://"),
        ("unix+cluster://a", "expected redis://"),
        ("redis+sentinel://a", "names no service"),
        ("redis+sentinel:///war", "names no host"),
        ("redis+cluster://", "names no host"),
        ("redis+cluster://a/3", "a cluster has none but 0"),
        ("redis://a?max_connections=3", "max_connections cannot be set"),
        ("redis+sentinel://a/war?retry=1", "retry cannot be set"),
        ("redis+sentinel://a/war/x", "URL"),
        ("redis://a?db=x", "URL"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_address(url)
