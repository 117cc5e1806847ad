"""Open rooms of quick matches: by kind, the fullest first, and no others."""

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_games.codec import encode
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.rooms.room import Room
from warroom_server.runtime.hosted import Hosted
from warroom_server.runtime.lobbies import Lobbies, kind_of

GAME = sealed_bids.GAME
SEATS = 3
QUICK = RoomOptions(fill_after_ms=1_000)


def hosted(number: int, taken: int = 0, room_options: RoomOptions = QUICK, **changes: object) -> Hosted:
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
    return Hosted(Room(GAME, replace(Match.open(opened, GAME), seats=sitters, **changes), now=0), 1)


KIND = kind_of(hosted(0).room.match)


def test_the_fullest_room_with_a_free_seat_comes_first() -> None:
    lobbies = Lobbies()
    for number, taken in enumerate((0, 2, 1, 3, 2)):
        assert lobbies.note(hosted(number, taken))
    assert list(lobbies.fullest(KIND)) == [1, 4, 2, 0]
    assert len(lobbies) == 5


def test_a_room_moves_up_as_it_fills_and_is_out_when_it_begins() -> None:
    lobbies = Lobbies()
    rooms = [hosted(0, 1), hosted(1, 0)]
    assert [lobbies.note(room) for room in (*rooms, *rooms)] == [True, True, False, False]
    assert lobbies.note(hosted(1, 2))
    assert list(lobbies.fullest(KIND)) == [1, 0]
    assert lobbies.note(hosted(1, 2, phase="playing"))
    assert not lobbies.note(hosted(1, 2, phase="playing"))
    assert list(lobbies.fullest(KIND)) == [0]
    assert lobbies.forget(0)
    assert not lobbies.forget(0)
    assert (list(lobbies.fullest(KIND)), len(lobbies)) == ([], 0)


@pytest.mark.parametrize(
    "room_options",
    [
        pytest.param(RoomOptions(), id="that bots do not fill"),
        pytest.param(RoomOptions(fill_after_ms=1_000, private=True), id="that is private"),
    ],
)
def test_nobody_is_led_to_a_room(room_options: RoomOptions) -> None:
    lobbies = Lobbies()
    assert not lobbies.note(hosted(1, room_options=room_options))
    assert 1 not in lobbies


def test_a_room_is_of_one_kind() -> None:
    lobbies = Lobbies()
    other = hosted(2, room_options=RoomOptions(fill_after_ms=2_000))
    for room in (hosted(1), other):
        lobbies.note(room)
    assert list(lobbies.fullest(KIND)) == [1]
    assert (lobbies.has(1, KIND), lobbies.has(2, KIND), lobbies.has(3, KIND)) == (True, False, False)
