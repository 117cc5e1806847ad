"""A match without a server: rooms get what they would get over a network."""

from collections.abc import Awaitable, Callable

import pytest
from sealed_bids import GAME, Bid

from warroom_client import (
    ClientError,
    Ended,
    Event,
    Judged,
    Moved,
    Prompted,
    Refreshed,
    RejectedError,
    SeatsChanged,
    Updated,
)
from warroom_client.local_match import LocalMatch, LocalRoom
from warroom_games.api import AnyGame, OptionsError
from warroom_games.log import Sat
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol import codes
from warroom_protocol.canonical import plain

SEED = b"no server at all"
GAMES = load_games(["sealed_bids:GAME"])
NAMES = ("ada", "bob", "eve", "dan", "kim", "lou")


def match_of(game: AnyGame, seats: int, *, is_dealt: bool = False, **options: object) -> LocalMatch:
    players = [Sat(place, name, name.title()) for place, name in enumerate(NAMES[:seats])]
    return LocalMatch(game, players, options=options, is_dealt=is_dealt, seed=SEED)


def check_views(match: LocalMatch) -> None:
    """Hold what every room shows to the rules."""
    game, state = match.match.game, match.match.state
    for seat, name in enumerate(NAMES[: len(match.match.seats)]):
        room = match.room_of(name)
        assert room.seat == seat
        assert room.public == plain(game.public(state))
        assert room.private == plain(game.private(state, seat))
        assert (room.prompt is not None) == (seat in match.match.asked)


async def events_of(room: LocalRoom) -> list[Event]:
    """Return everything that a room told until the end."""
    return [event async for event in room]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
async def test_every_game_is_played_to_its_end_and_each_room_shows_what_its_seat_may_know(game: AnyGame) -> None:
    match = match_of(game, game.info.usual_seats)
    rng = Rng(bytes(KEY_BYTES))
    check_views(match)
    while asked := sorted(match.match.asked):
        seat, rng = rng.choice(asked)
        room = match.room_of(NAMES[seat])
        legal = await room.legal(notes=True)
        assert legal.complete == game.info.complete
        assert len(legal.notes or ()) == len(legal.actions)
        action, rng = rng.choice(legal.actions)
        assert (await room.act(action, turn=legal.turn)).code is None
        check_views(match)
    for room in (match.room_of(name) for name in NAMES[: game.info.usual_seats]):
        told = await events_of(room)
        assert isinstance(told[-1], Ended)
        assert match.match.result is not None
        assert told[-1].ranks == match.match.result.ranks
        assert (told[-1].seed, told[-1].chain) == (SEED.hex(), match.match.chain.hex())
        assert room.about is not None
        assert room.decision_ms() is room.remaining_ms() is None


async def test_events_come_in_the_order_of_a_server() -> None:
    match = match_of(GAME, 2, rounds=1, peeks=0)
    ada, bob = match.room_of("ada"), match.room_of("bob")
    for room in (bob, ada):
        await room.act((await room.legal()).actions[0])
    kinds = [type(event) for event in await events_of(ada)]
    assert kinds == [Refreshed, Prompted, SeatsChanged, Updated, Judged, Ended]
    assert [type(event) for event in await events_of(bob)][3:] == [Updated, Judged, Updated, Ended]


async def test_private_events_reach_their_own_seat_alone() -> None:
    match = match_of(GAME, 2, rounds=2, cards=3)
    ada, bob = match.room_of("ada"), match.room_of("bob")
    await ada.act({"type": "peek"})
    await ada.resign()
    peeks = [event for event in await events_of(ada) if isinstance(event, Updated) and event.private]
    assert [form["type"] for event in peeks for form in event.private if isinstance(form, dict)] == ["peeked"]
    assert all(not event.private for event in await events_of(bob) if isinstance(event, Updated))


@pytest.mark.parametrize(
    ("action", "turn", "code"),
    [
        pytest.param({"type": "bid", "card": 20}, None, "bid.spent", id="against the rules"),
        pytest.param({"type": "dance"}, None, codes.ACT_MALFORMED, id="no action of the game"),
        pytest.param({"type": "bid", "card": 1}, 7, codes.ACT_STALE, id="another decision"),
    ],
)
async def test_a_refused_action_changes_nothing(action: dict[str, object], turn: int | None, code: str) -> None:
    match = match_of(GAME, 2)
    before = match.match
    with pytest.raises(RejectedError) as refused:
        await match.room_of("ada").act(action, turn=turn)
    assert refused.value.code == code
    assert refused.value.detail
    assert match.match is before


async def test_after_resigning_and_after_the_end_nothing_can_be_played() -> None:
    match = match_of(GAME, 3)
    ada, bob, eve = (match.room_of(name) for name in NAMES[:3])
    await ada.resign()
    assert [state.out for state in bob.seats] == [True, False, False]
    with pytest.raises(RejectedError) as out:
        await ada.act(Bid(1), turn=1)
    assert out.value.code == codes.SEAT_OUT
    with pytest.raises(ClientError, match="taken out of the match"):
        await ada.resign()
    assert (await ada.legal()).actions == ()
    await bob.resign()
    assert eve.ended is not None
    with pytest.raises(RejectedError) as over:
        await eve.act(Bid(1), turn=1)
    assert over.value.code == codes.ROOM_ENDED
    with pytest.raises(ClientError, match="the match is over"):
        await eve.resign()


async def test_a_rematch_is_offered_to_nobody_and_begins_at_once() -> None:
    match = match_of(GAME, 2)
    ada, bob = match.room_of("ada"), match.room_of("bob")
    with pytest.raises(ClientError, match="after the end"):
        await ada.offer("rematch")
    await bob.resign()
    await events_of(ada)
    await ada.offer("rematch")
    assert await anext(ada.afterwards()) == Moved(2, "0000002")
    await ada.leave()


@pytest.mark.parametrize("wish", [lambda room: room.say("hello"), lambda room: room.offer("draw")], ids=["say", "draw"])
async def test_what_needs_other_people_is_refused(wish: Callable[[LocalRoom], Awaitable[None]]) -> None:
    with pytest.raises(ClientError, match="needs a server"):
        await wish(match_of(GAME, 2).room_of("ada"))


async def test_dealt_seats_depend_on_the_seed_and_others_do_not() -> None:
    dealt = match_of(GAME, 4, is_dealt=True)
    seats = [dealt.room_of(name).seat for name in NAMES[:4]]
    assert sorted(seat for seat in seats if seat is not None) == [0, 1, 2, 3] != seats
    again = match_of(GAME, 4, is_dealt=True)
    assert [again.room_of(name).seat for name in NAMES[:4]] == seats


def test_a_table_that_does_not_fit_is_refused() -> None:
    with pytest.raises(OptionsError):
        match_of(GAME, 5)
    with pytest.raises(OptionsError, match="rounds"):
        match_of(GAME, 2, rounds=99)
