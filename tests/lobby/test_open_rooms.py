"""Open rooms of quick matches: by kind, the fullest first, and no others."""

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_games.codec import encode
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.lobby.open_rooms import OpenRooms, kind_of
from warroom_server.room.room import Room

GAME = sealed_bids.GAME
SEATS = 3
QUICK = RoomOptions(fill_after_ms=1_000)


def hosted(number: int, taken: int = 0, room_options: RoomOptions = QUICK, **changes: object) -> HostedRoom:
    """Return a room where the first so many seats are taken."""
    opened = Opened(
        room=number,
        game=GAME.info.id,
        rules_version=GAME.info.rules_version,
        seats=SEATS,
        options=encode(sealed_bids.Options()),
        room_options=room_options,
        creator="ada",
        ref=number,
        seed=bytes(16),
        opened_ms=0,
    )
    sitters = tuple(Sitter(f"player {seat}", "", since=0) if seat < taken else None for seat in range(SEATS))
    return HostedRoom(Room(GAME, replace(Match.open(opened, GAME), seats=sitters, **changes), now=0), 1)


KIND = kind_of(hosted(0).room.match)


def test_the_fullest_room_with_a_free_seat_comes_first() -> None:
    open_rooms = OpenRooms()
    for number, taken in enumerate((0, 2, 1, 3, 2)):
        assert open_rooms.note(hosted(number, taken))
    assert list(open_rooms.fullest(KIND)) == [1, 4, 2, 0]
    assert len(open_rooms) == 5


def test_a_room_moves_up_as_it_fills_and_is_out_when_it_begins() -> None:
    open_rooms = OpenRooms()
    rooms = [hosted(0, 1), hosted(1, 0)]
    assert [open_rooms.note(room) for room in (*rooms, *rooms)] == [True, True, False, False]
    assert open_rooms.note(hosted(1, 2))
    assert list(open_rooms.fullest(KIND)) == [1, 0]
    assert open_rooms.note(hosted(1, 2, phase="playing"))
    assert not open_rooms.note(hosted(1, 2, phase="playing"))
    assert list(open_rooms.fullest(KIND)) == [0]
    assert open_rooms.forget(0)
    assert not open_rooms.forget(0)
    assert (list(open_rooms.fullest(KIND)), len(open_rooms)) == ([], 0)


@pytest.mark.parametrize(
    "room_options",
    [
        pytest.param(RoomOptions(), id="that bots do not fill"),
        pytest.param(RoomOptions(fill_after_ms=1_000, private=True), id="that is private"),
    ],
)
def test_nobody_is_led_to_a_room(room_options: RoomOptions) -> None:
    open_rooms = OpenRooms()
    assert not open_rooms.note(hosted(1, room_options=room_options))
    assert 1 not in open_rooms


def test_a_room_is_of_one_kind() -> None:
    open_rooms = OpenRooms()
    other = hosted(2, room_options=RoomOptions(fill_after_ms=2_000))
    for room in (hosted(1), other):
        open_rooms.note(room)
    assert list(open_rooms.fullest(KIND)) == [1]
