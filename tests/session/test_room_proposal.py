"""Whether a room can be made as wished for."""

import pytest
import sealed_bids
from msgspec.structs import replace

from warroom_games.codec import load_options
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import RoomOptions
from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_protocol.messages import Create
from warroom_server.session.room_proposal import Declined, Proposal, consider

REGISTRY = Registry([sealed_bids.GAME, GRAPH_BATTLE])
TURNS = "option 'turn_ms' of a room cannot be 10; allowed: whole numbers from 200 to 86400000 or null"
TOGETHER = "watch all needs a delay of at least 2 turns in a room of 3 seats, got 0"
IN_TURN = "watch all needs a delay of at least 5 turns in a room of 5 seats, got 2"
SEATING = "option 'seating' of a room cannot be 1; allowed: as_joined, random"
KNOWN = "a room has no option 'colour' (1); allowed: bank_ms, bot, chat, "


def wish(
    game: str = "sealed_bids",
    seats: int | None = None,
    options: dict[str, object] | None = None,
    room_options: dict[str, object] | None = None,
) -> Create:
    return Create(1, game, seats, options or {}, room_options or {})


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
        pytest.param(wish(room_options={"watch": "all"}), codes.WATCH_DELAY, TOGETHER, id="all hands at once"),
        pytest.param(
            wish("graph_battle", 5, room_options={"watch": "all", "delay": 2}),
            codes.WATCH_DELAY,
            IN_TURN,
            id="all hands before each rival has moved",
        ),
    ],
)
def test_what_cannot_be_made_is_declined_with_a_reason(wished: Create, code: str, says: str) -> None:
    declined = consider(wished, REGISTRY)
    assert isinstance(declined, Declined)
    assert declined.code == code
    assert says in declined.detail


@pytest.mark.parametrize(
    ("game", "seats", "delay"),
    [
        pytest.param("graph_battle", 5, 5, id="in turn, as many turns as seats"),
        pytest.param("graph_battle", 2, 2, id="in turn, fewer seats"),
        pytest.param("sealed_bids", 4, 2, id="together, two turns"),
    ],
)
def test_all_hands_are_shown_once_each_rival_has_moved(game: str, seats: int, delay: int) -> None:
    proposals = [
        consider(wish(game, seats, room_options={"watch": "all", "delay": turns}), REGISTRY)
        for turns in (delay - 1, delay)
    ]
    assert [isinstance(proposal, Proposal) for proposal in proposals] == [False, True]


class Televised(sealed_bids.SealedBids):
    """Shows all hands a while later, unless a room wants it otherwise."""

    info = replace(sealed_bids.GAME.info, watch="all", delay=2)


@pytest.mark.parametrize(
    ("wished", "watch", "delay"),
    [
        pytest.param({}, "all", 2, id="the game says it"),
        pytest.param({"chat": False}, "all", 2, id="for all that is said of other things"),
        pytest.param({"watch": "public"}, "public", 0, id="the room says who sees what"),
        pytest.param({"delay": 1}, "public", 1, id="the room says when"),
    ],
)
def test_what_spectators_see_is_as_in_the_game_unless_the_room_says_it(
    wished: dict[str, object], watch: str, delay: int
) -> None:
    proposal = consider(wish(room_options=wished), Registry([Televised()]))
    assert isinstance(proposal, Proposal)
    assert (proposal.room_options.watch, proposal.room_options.delay) == (watch, delay)
