"""What a node tells a store again: the rooms that are its own, and for a while those that were."""

from warroom_server.adapters.redis_keys import rooms_key
from warroom_server.adapters.redis_witness import LOOK_EVERY, Witness


def _witness_of(*rooms: int) -> Witness:
    witness = Witness()
    witness.saw(rooms)
    return witness


def _told(witness: Witness) -> list[str]:
    return [
        str(code)
        for command in witness.testimony("node-a")
        if command[1] == rooms_key("node-a")
        for code in command[2:]
    ]


def test_all_rooms_are_looked_at_now_and_then_and_none_otherwise() -> None:
    witness = _witness_of(2, 1)
    looks = [witness.renewed() for _ in range(2 * LOOK_EVERY)]
    assert [look for look in looks if look] == [[1, 2], [1, 2]]


def test_a_room_is_forgotten_that_was_another_s_at_two_looks_in_a_row() -> None:
    witness = _witness_of(1, 2)
    witness.missed([2])
    assert _told(witness) == ["0000001", "0000002"]
    witness.missed([2])
    assert _told(witness) == ["0000001"]


def test_a_room_that_came_back_between_two_looks_is_not() -> None:
    witness = _witness_of(1)
    witness.missed([1])
    witness.missed([])
    witness.missed([1])
    assert _told(witness) == ["0000001"]


def test_nor_is_one_that_was_claimed_since_the_last_look() -> None:
    witness = _witness_of(1)
    witness.missed([1])
    witness.saw([1])
    witness.missed([1])
    assert _told(witness) == ["0000001"]


def test_a_room_that_is_over_is_forgotten_at_once() -> None:
    witness = _witness_of(1)
    witness.missed([1])
    witness.forget(1)
    assert witness.testimony("node-a") == []
    witness.saw([1])
    witness.missed([1])
    assert _told(witness) == ["0000001"]
