"""Whether a room can be made as wished for."""

import pytest
import sealed_bids

from warroom_games.codec import load_options
from warroom_games.log import RoomOptions
from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_server.session.effects import CreateRoom
from warroom_server.session.proposals import Declined, Proposal, consider

REGISTRY = Registry([sealed_bids.GAME])
TURNS = "option 'turn_ms' of a room cannot be 10; allowed: whole numbers from 200 to 86400000 or null"
SEATING = "option 'seating' of a room cannot be 1; allowed: as_joined, random"
KNOWN = "a room has no option 'colour' (1); allowed: bank_ms, bot, chat, "


def wish(
    game: str = "sealed_bids",
    seats: int | None = None,
    options: dict[str, object] | None = None,
    room_options: dict[str, object] | None = None,
) -> CreateRoom:
    return CreateRoom(1, "ada", game, seats, options or {}, room_options or {})


def test_what_is_not_said_is_as_usual() -> None:
    proposal = consider(wish(), REGISTRY)
    assert isinstance(proposal, Proposal)
    assert (proposal.seats, proposal.room_options) == (3, RoomOptions())
    assert load_options(proposal.game, proposal.options) == sealed_bids.Options()


def test_what_is_said_holds() -> None:
    proposal = consider(wish(seats=2, options={"rounds": 2}, room_options={"turn_ms": 500}), REGISTRY)
    assert isinstance(proposal, Proposal)
    assert (proposal.seats, proposal.room_options.turn_ms) == (2, 500)
    assert load_options(proposal.game, proposal.options).rounds == 2


@pytest.mark.parametrize(
    ("wished", "code", "says"),
    [
        pytest.param(wish("chess"), codes.GAME_UNKNOWN, "sealed_bids", id="an unknown game"),
        pytest.param(wish(seats=5), codes.GAME_SEATS, "2 to 4", id="too many seats"),
        pytest.param(wish(options={"colour": 1}), codes.GAME_OPTIONS, "colour", id="an unknown option"),
        pytest.param(wish(options={"rounds": 11}), codes.GAME_OPTIONS, "1 to 10", id="out of range"),
        pytest.param(wish(options={"rounds": 9}), codes.GAME_OPTIONS, "cards", id="options that do not fit together"),
        pytest.param(wish(room_options={"turn_ms": 10}), codes.ROOM_OPTIONS, TURNS, id="too short a turn"),
        pytest.param(wish(room_options={"colour": 1}), codes.ROOM_OPTIONS, KNOWN, id="an unknown room option"),
        pytest.param(wish(room_options={"seating": 1}), codes.ROOM_OPTIONS, SEATING, id="no way to be seated"),
    ],
)
def test_what_cannot_be_made_is_declined_with_a_reason(wished: CreateRoom, code: str, says: str) -> None:
    declined = consider(wished, REGISTRY)
    assert isinstance(declined, Declined)
    assert declined.code == code
    assert says in declined.detail
