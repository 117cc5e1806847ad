"""Open rooms of quick matches: of one kind each, and published with what the next player has to know."""

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_games.codec import encode
from warroom_games.log import Opened, RoomOptions
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.lobby.quick_match_rooms import kind_of, open_room
from warroom_server.ports.listings import OpenRoom
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room

GAME = sealed_bids.GAME
SEATS = 4
QUICK = RoomOptions(fill_after_ms=1_000)


def match(number: int, *sitters: Sitter, room_options: RoomOptions = QUICK, **changes: object) -> Match:
    """Return a match before its beginning."""
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
    empty = (None,) * (SEATS - len(sitters))
    return replace(Match.open(replace(opened, **changes), GAME), seats=(*sitters, *empty))


def test_rooms_are_of_one_kind_if_people_would_play_the_same_there() -> None:
    kinds = [kind_of(each) for each in (match(1), match(2), match(3, room_options=replace(QUICK, turn_ms=999)))]
    assert kinds[0] == kinds[1] != kinds[2]
    keys = {kind for kind in kinds if kind is not None}
    assert len(keys) == 2


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(match(1, room_options=RoomOptions()), id="bots do not fill it"),
        pytest.param(match(1, room_options=replace(QUICK, private=True)), id="it is private"),
        pytest.param(match(1, reserved=("bob",) * SEATS), id="it is a rematch"),
    ],
)
def test_other_rooms_are_of_no_kind(other: Match) -> None:
    assert kind_of(other) is None


def test_an_open_room_tells_who_sits_there_and_what_is_known_of_their_skill() -> None:
    sitters = (Sitter("ada", "Ada", since=0), Sitter("bob", "Bob", since=0), Sitter("x7", "Bot", since=0, bot="greedy"))
    seated = replace(match(7, *sitters), kicked=frozenset({"eve"}))
    hosted = HostedRoom(Room(LogFold(seated), now=0), 3)
    known = {"ada": 25_000, "x7": 9}
    assert open_room(hosted, known) == OpenRoom(7, 3, 1, ("ada", "bob", "x7"), ("eve",), (25_000,))
    unrated = replace(match(7, *sitters, room_options=replace(QUICK, rated=False)))
    assert open_room(HostedRoom(Room(LogFold(unrated), now=0), 3), known).skills == ()
