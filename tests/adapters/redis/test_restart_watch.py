"""What a node tells a store again: the rooms that are its own, and for a while those that were."""

from warroom_server.adapters.redis.keys import rooms_key
from warroom_server.adapters.redis.restart_watch import LOOK_EVERY, RestartWatch


def _witness_of(*rooms: int) -> RestartWatch:
    restart_watch = RestartWatch()
    restart_watch.saw(rooms)
    return restart_watch


def _told(restart_watch: RestartWatch) -> list[str]:
    return [
        str(code)
        for command in restart_watch.testimony("node-a")
        if command[1] == rooms_key("node-a")
        for code in command[2:]
    ]


def test_all_rooms_are_looked_at_now_and_then_and_none_otherwise() -> None:
    restart_watch = _witness_of(2, 1)
    looks = [restart_watch.renewed() for _ in range(2 * LOOK_EVERY)]
    assert [look for look in looks if look] == [[1, 2], [1, 2]]


def test_a_room_is_forgotten_that_was_another_s_at_two_looks_in_a_row() -> None:
    restart_watch = _witness_of(1, 2)
    restart_watch.missed([2])
    assert _told(restart_watch) == ["0000001", "0000002"]
    restart_watch.missed([2])
    assert _told(restart_watch) == ["0000001"]


def test_a_room_that_came_back_between_two_looks_is_not() -> None:
    restart_watch = _witness_of(1)
    restart_watch.missed([1])
    restart_watch.missed([])
    restart_watch.missed([1])
    assert _told(restart_watch) == ["0000001"]


def test_nor_is_one_that_was_claimed_since_the_last_look() -> None:
    restart_watch = _witness_of(1)
    restart_watch.missed([1])
    restart_watch.saw([1])
    restart_watch.missed([1])
    assert _told(restart_watch) == ["0000001"]


def test_a_room_that_is_over_is_forgotten_at_once() -> None:
    restart_watch = _witness_of(1)
    restart_watch.missed([1])
    restart_watch.forget(1)
    assert restart_watch.testimony("node-a") == []
    restart_watch.saw([1])
    restart_watch.missed([1])
    assert _told(restart_watch) == ["0000001"]
