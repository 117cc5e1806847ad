"""The byte form of a match loses nothing that later entries depend on."""

import pytest
from sealed_bids import GAME

from warroom_games.codec import decode_options, encode
from warroom_games.log import Agreed, Entry, Kicked, Opened, Resigned, RoomOptions, Sat, Started, StoodIn
from warroom_games.match import Match
from warroom_games.saving import dump_match, load_match

OPENED = Opened(
    room=7,
    game="sealed_bids",
    rules_version=1,
    seats=3,
    options=encode(decode_options(GAME, {})),
    room_options=RoomOptions(turn_ms=1_000, bank_ms=500, seating="as_joined"),
    creator="alice",
    ref=1,
    seed=bytes(range(16)),
    opened_ms=1_700_000_000_000,
    reserved=(None, "bob", None),
    bots=(None, None, "greedy"),
)
SITTING: tuple[Entry, ...] = tuple(
    Sat(place, name, name.title()) for place, name in enumerate(("alice", "bob", "carol"))
)
PLAYING = (*SITTING, Started(100))


@pytest.mark.parametrize(
    ("field", "entries"),
    [
        pytest.param("kicked", (*SITTING, Kicked(1), Kicked(2)), id="people who were sent away"),
        pytest.param("stand_ins", (*PLAYING, StoodIn(200, 1, "bot", "Bot", "greedy")), id="a bot that stands in"),
        pytest.param("out", (*PLAYING, Resigned(200, 1)), id="a seat that gave up"),
        pytest.param("is_halted", (*PLAYING, Agreed(200, "pause")), id="a pause"),
        pytest.param("result", (*PLAYING, Agreed(200, "draw")), id="a result"),
    ],
)
def test_a_match_is_the_same_after_it_was_stored(field: str, entries: tuple[Entry, ...]) -> None:
    match = Match.open(OPENED, GAME)
    for entry in entries:
        match = match.advance(entry).match
    assert getattr(match, field) != getattr(Match.open(OPENED, GAME), field), "there is something to be stored"
    loaded = load_match(dump_match(match), GAME)
    assert getattr(loaded, field) == getattr(match, field)
    assert loaded == match
