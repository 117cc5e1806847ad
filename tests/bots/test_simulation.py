"""Matches without a server: the same as in a room, and as fast as the rules."""

import pickle
from collections import Counter
from collections.abc import Sequence

import pytest
import sealed_bids
from room_table import Table as RoomTable

from warroom_bots.api import Action, BotKind, Decision, Limit
from warroom_bots.failures import BotFailedError
from warroom_bots.random_bot import RandomBot
from warroom_bots.registry import find_bot
from warroom_bots.simulation import Simulated, simulate
from warroom_bots.table import Table
from warroom_games.api import AnyGame, IllegalActionError, MalformedActionError, Noting, View
from warroom_games.codec import encode
from warroom_games.log import hash_state
from warroom_games.registry import Registry, load_games
from warroom_games.replay import verify
from warroom_games.rng import Rng, derived_key
from warroom_protocol.canonical import plain

GAMES = [*load_games().newest(), sealed_bids.GAME]
RANDOM = find_bot("sealed_bids", "random")
KEY = bytes(16)
SHORT: dict[str, dict[str, object]] = {
    "strata": {"max_turns": 40},
    "timberwall": {"max_turns": 20},
    "thardferr": {"max_turns": 6},
    "tile_blitz": {"max_rounds": 6},
    "graph_battle": {"max_rounds": 6},
}


def short_match(game: AnyGame, bots: Sequence[BotKind], seed: str) -> Simulated:
    """Play a match of a few turns."""
    return simulate(game, bots, seed=seed, options=SHORT.get(game.info.id, {}))


def kind(make: type[RandomBot]) -> BotKind:
    """Return a bot as a package would offer it."""
    return BotKind(name="random", game=None, summary="", make=make, wants_notes=True)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_match_is_the_same_with_a_replay_and_in_a_room(game: AnyGame) -> None:
    bots = [RANDOM] * game.info.usual_seats
    played, again = short_match(game, bots, "law"), short_match(game, bots, "law")
    found = verify(played.replay, Registry([game]))  # only one of the two is recorded
    assert played.moves == again.moves
    assert hash_state(played.match.state) == hash_state(again.state)
    assert played.match.result == found.result == again.result
    assert (found.steps, played.match.turn) == (len(again.moves), again.turns)

    options = plain(played.options)
    room = RoomTable.playing(game, len(bots), seed=derived_key("law", "match"), options=options)
    for seat, action in again.moves:
        room.act(seat, plain(action))
    assert room.room.match.result == again.result
    assert hash_state(room.room.match.state) == hash_state(again.state)


def any_notes(game: AnyGame, decision: Decision) -> bool:
    """Whether the game says something about the legal actions."""
    return isinstance(game, Noting) and any(game.notes(decision.public, decision.private, decision.legal))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_bot_that_reads_everything_plays_the_same_match(game: AnyGame) -> None:
    seen: list[object] = []

    class Reader(RandomBot):
        def choose(self, decision: Decision) -> Action:
            assert decision.public is not None
            assert len(decision.notes) == (len(decision.legal) if any_notes(game, decision) else 0)
            seen.append(decision.private)
            action, self._rng = self._rng.choice(decision.legal)
            return action

    seats = game.info.usual_seats
    assert short_match(game, [kind(Reader)] * seats, "7").moves == short_match(game, [RANDOM] * seats, "7").moves
    assert seen


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_decision_shows_what_goes_over_the_wire(game: AnyGame) -> None:
    table = Table(game, game.info.usual_seats, seed="wire")
    rng = Rng(KEY)
    for _ in range(40):
        seat, state = min(table.asked), table.state
        decision = table.decision(seat)
        action, rng = decision.pick(rng)
        listed = tuple(plain(tuple(game.legal_actions(state, seat))))
        assert decision.legal == listed
        assert encode(decision.legal) == encode(listed)
        assert action in listed
        assert (decision.public, decision.private) == (plain(game.public(state)), plain(game.private(state, seat)))
        table.play(seat, action)
        assert decision.legal == listed  # it stays as it was, whatever happens at the table
        if not table.asked:
            break


def test_a_decision_travels_to_another_process_as_an_ordinary_one() -> None:
    limit = Limit(simulations=5)
    decision = Table(sealed_bids.GAME, 3, seed="1", limit=limit).decision(0)
    copy = pickle.loads(pickle.dumps(decision))
    assert type(copy) is Decision
    assert (copy.seat, copy.public, copy.private, copy.legal) == (
        0,
        decision.public,
        decision.private,
        decision.legal,
    )
    assert copy.limit == limit
    assert copy.left_ms is None
    assert repr(decision) == repr(copy)


class Scribbler(RandomBot):
    """Changes the action that it got."""

    def choose(self, decision: Decision) -> Action:
        action = super().choose(decision)
        assert isinstance(action, dict)
        action["card"] = True
        return action


class ListScribbler(Scribbler):
    """Changes an action of the list that it got."""

    def choose(self, decision: Decision) -> Action:
        action = decision.legal[0]
        assert isinstance(action, dict)
        action["card"] = 20
        return action


class Talker(RandomBot):
    """Returns what no message can carry."""

    def choose(self, decision: Decision) -> Action:
        return {"type": object()}


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        pytest.param(Scribbler, MalformedActionError, id="a bool is no number"),
        pytest.param(ListScribbler, IllegalActionError, id="changed action"),
        pytest.param(Talker, MalformedActionError, id="not even a message"),
    ],
)
def test_an_action_counts_as_the_bot_returned_it(bot: type[RandomBot], error: type[Exception]) -> None:
    with pytest.raises(BotFailedError) as failed:
        simulate(sealed_bids.GAME, [kind(bot)] * 2, seed="1")
    assert isinstance(failed.value.__cause__, error)


def test_an_action_of_an_earlier_decision_is_checked_again() -> None:
    table = Table(sealed_bids.GAME, 2, seed="1")
    decision = table.decision(0)
    action = decision.legal[0]
    table.play(0, action)
    with pytest.raises(IllegalActionError):
        table.play(0, action)


def test_a_removed_seat_is_a_resignation_in_the_replay() -> None:
    table = Table(sealed_bids.GAME, 3, seed="1")
    table.remove(1)
    while table.asked:
        seat = min(table.asked)
        assert seat != 1
        table.play(seat, table.decision(seat).legal[0])
    ended = Simulated(
        game=table.game,
        seed="1",
        options=table.options,
        bots=("a", "b", "c"),
        moves=tuple(table.moves),
        state=table.state,
        result=table.result(),
    )
    assert verify(ended.replay, Registry([sealed_bids.GAME])).result == table.result()


class CountingGame(sealed_bids.SealedBids):
    """Counts the views, and the actions that are checked."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def public(self, state: sealed_bids.State) -> View:
        self.calls["public"] += 1
        return super().public(state)

    def private(self, state: sealed_bids.State, seat: int) -> View:
        self.calls["private"] += 1
        return super().private(state, seat)

    def check(self, state: sealed_bids.State, seat: int, action: sealed_bids.Action) -> None:
        self.calls["check"] += 1
        super().check(state, seat, action)


def test_nothing_is_made_that_no_bot_reads() -> None:
    game = CountingGame()
    played = simulate(game, [RANDOM] * 3, seed="1")
    assert game.calls == {}
    assert played.replay
    assert game.calls["check"] == len(played.moves)


def test_a_view_is_made_once_for_a_decision() -> None:
    game = CountingGame()
    table = Table(game, 3, seed="1")
    decision = table.decision(1)
    assert decision.private is decision.private
    assert decision.public is decision.public
    assert game.calls == {"public": 1, "private": 1}
