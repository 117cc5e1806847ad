"""Which servers are refused, told from what they say of themselves."""

import pytest

from warroom_server.adapters.redis.checks import is_forgetful, objections, parse_info

GOOD = {
    "redis_version": "7.0.15",
    "role": "master",
    "cluster_enabled": "0",
    "maxmemory": "0",
    "maxmemory_policy": "noeviction",
    "aof_enabled": "1",
}


def test_info_is_read_field_by_field() -> None:
    text = "# Server\r\nredis_version:7.0.15\r\nos:Linux 6 x86_64\r\n\r\n# Empty\r\nexecutable:/usr/bin/a:b\r\n"
    assert parse_info(text) == {"redis_version": "7.0.15", "os": "Linux 6 x86_64", "executable": "/usr/bin/a:b"}


def test_a_good_server_meets_no_objection() -> None:
    assert objections(GOOD) == []
    assert not is_forgetful(GOOD)


@pytest.mark.parametrize("version", ["6.2.0", "6.10.1", "7.2.4", "8.0.1", "10.0.0", "255.255.255"])
def test_a_server_of_today_is_new_enough(version: str) -> None:
    assert objections(GOOD | {"redis_version": version}) == []


@pytest.mark.parametrize("version", ["6.0.16", "5.0.7", "4.0", "2", "", "next"])
def test_a_server_without_what_we_need_is_too_old(version: str) -> None:
    assert objections(GOOD | {"redis_version": version}) == [f"its version is {version}, expected 6.2 or later"]


def test_a_server_that_says_nothing_is_refused() -> None:
    assert len(objections({})) == 3


def test_every_objection_is_told() -> None:
    found = objections(GOOD | {"redis_version": "3.2.1", "role": "slave", "cluster_enabled": "1"})
    assert len(found) == 3


def test_a_server_without_a_file_is_forgetful() -> None:
    assert is_forgetful(GOOD | {"aof_enabled": "0"})
