"""The search bot, for games with and without hidden information, bots and estimates."""

import pickle
from functools import partial
from typing import Any

import pytest
import sealed_bids
from connect_four.rules import GAME as CONNECT_FOUR
from connect_four.rules import Drop
from liars_dice.rules import GAME as LIARS_DICE

from warroom_bots.api import Action, BotKind, Decision, Limit
from warroom_bots.failures import BotFailedError
from warroom_bots.search.bot import SearchBot
from warroom_bots.search.budget import Budget
from warroom_bots.search.guide import guide_for
from warroom_bots.search.search import Search
from warroom_bots.search.settings import Settings, settings_for
from warroom_bots.search.tree import Choice, Node
from warroom_bots.search.valuation import seat_count
from warroom_bots.simulation import simulate
from warroom_games.api import AnyGame, Seat
from warroom_games.codec import decode_action, decode_options, encode
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain

GAMES = load_games(["sealed_bids:GAME", "connect_four.rules:GAME", "liars_dice.rules:GAME"])
HIDING = ("liars_dice", "sealed_bids", "tile_blitz", "timberwall", "thardferr")
FEW = Limit(simulations=6)


def rng_of(number: int) -> Rng:
    return Rng(number.to_bytes(KEY_BYTES, "big"))


def opening(game: AnyGame, seats: int | None = None, **options: object) -> Any:
    return game.setup(seats or game.info.usual_seats, decode_options(game, options), rng_of(1))


def decision(game: AnyGame, state: Any, seat: Seat, limit: Limit = FEW) -> Decision:
    """Return what the seat sees over the wire."""
    return Decision(
        seat,
        plain(game.public(state)),
        plain(game.private(state, seat)),
        tuple(map(plain, game.legal_actions(state, seat))),
        game.info.complete,
        limit=limit,
    )


def played(game: AnyGame, state: Any, seat: Seat, action: Action) -> Any:
    """Return the state after an action; it must be legal."""
    decoded = decode_action(game, encode(action))
    game.check(state, seat, decoded)
    return game.apply(state, seat, decoded).state


def wander(game: AnyGame, state: Any, steps: int, rng: Rng) -> Any:
    """Return the state after random actions."""
    for _ in range(steps):
        asked = sorted(game.to_act(state))
        if not asked:
            break
        action, rng = rng.choice(list(game.legal_actions(state, asked[0])))
        state = game.apply(state, asked[0], action).state
    return state


def connect(*columns: int) -> Any:
    state = opening(CONNECT_FOUR)
    for column in columns:
        state = played(CONNECT_FOUR, state, min(CONNECT_FOUR.to_act(state)), {"type": "drop", "column": column})
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_it_plays_legal_actions_in_every_game(game: AnyGame) -> None:
    state = opening(game)
    bots = {seat: SearchBot(game, rng_of(seat)) for seat in range(game.info.max_seats)}
    for _ in range(10):
        asked = game.to_act(state)
        if not asked:
            break
        seat = min(asked)
        action = bots[seat].choose(decision(game, state, seat, Limit(simulations=2)))
        state = played(game, state, seat, action)


def twins(game: AnyGame, steps: int) -> tuple[Any, Any, Seat]:
    """Return two positions that are the same to the seat that is asked, with all else changed; and that seat."""
    opened = opening(game)
    state = wander(game, opened, steps, rng_of(2))
    if game.result(state) is not None:  # a short match
        state = wander(game, opened, 1, rng_of(2))
    seat = min(game.to_act(state))
    fresh, _ = rng_of(3).spawn()
    other = game.imagine(plain(game.public(state)), plain(game.private(state, seat)), seat, fresh)
    assert encode(other) != encode(state)
    return state, other, seat


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("steps", [5, 8, 30])
def test_what_is_hidden_does_not_change_its_choice(name: str, steps: int) -> None:
    game = GAMES.get(name)
    *worlds, seat = twins(game, steps)
    choices = [
        SearchBot(game, rng_of(4)).choose(decision(game, world, seat, Limit(simulations=12))) for world in worlds
    ]
    assert choices[0] == choices[1]


class Begun:
    """A game whose matches begin at a given position."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self._game = game
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, seats: int, options: object, rng: Rng) -> Any:
        """Return the position."""
        return self._state


class EnoughError(Exception):
    """The match need not go on."""


class Watched:
    """A bot that searches once, shows what the search found, and breaks the match off."""

    def __init__(self, game: AnyGame, rng: Rng) -> None:
        self._game = game
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Raise an error with the choice of the bot, and with all that the search tried and how it went."""
        info, settings, root = self._game.info, settings_for(self._game.info.id), Node()
        guide = guide_for(info.id, settings.guide)
        search = Search(self._game, decision, self._rng, taste=self._rng, guide=guide, settings=settings, root=root)
        search.run(Budget.of(decision))
        raise EnoughError(SearchBot(self._game, self._rng).choose(decision), outline(root))


def outline(node: Node) -> object:
    """Return what a tree holds."""
    tried = [
        (seat, key, edge.visits, edge.total) for seat in node.choices for key, edge in node.choices[seat].edges.items()
    ]
    return node.visits, tried, [(keys, outline(child)) for keys, child in node.children.items()]


def found_in_a_match(game: AnyGame, state: Any) -> object:
    """Return what the search of the first decision finds in a simulated match that begins with a position."""
    bot = BotKind(name="watched", game=game.info.id, summary="searches once", make=partial(Watched, game))
    seats = seat_count(game, state)
    with pytest.raises(BotFailedError) as broken:
        simulate(Begun(game, state), [bot] * seats, seed="secret", limit=Limit(simulations=8))
    assert isinstance(broken.value.__cause__, EnoughError), broken.value
    return broken.value.__cause__.args


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("steps", [5, 8, 30])
def test_in_a_simulated_match_it_finds_the_same_whatever_is_hidden(name: str, steps: int) -> None:
    game = GAMES.get(name)
    state, other, _ = twins(game, steps)
    assert found_in_a_match(game, state) == found_in_a_match(game, other)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_with_a_number_of_simulations_it_is_a_function_of_its_generator(game: AnyGame) -> None:
    state = wander(game, opening(game), 4, rng_of(2))
    seat = min(game.to_act(state))
    asked = decision(game, state, seat)
    assert SearchBot(game, rng_of(5)).choose(asked) == SearchBot(game, rng_of(5)).choose(asked)


def test_what_a_tree_knows_of_another_outcome_is_not_played() -> None:
    """A tree that is used again may know actions that are legal only after another roll of the dice."""
    state, root = connect(*(3,) * 6), Node()
    root.choices[0] = Choice()
    full = Drop(3)
    edge = root.choices[0].add(full, encode(full))
    edge.visits, edge.total = 1_000, 1_000.0
    search = Search(
        CONNECT_FOUR,
        decision(CONNECT_FOUR, state, 0),
        rng_of(1),
        taste=rng_of(2),
        guide=None,
        settings=settings_for(""),
        root=root,
    )
    search.run(Budget(simulations=5, time_ms=None))
    assert search.best().action in CONNECT_FOUR.legal_actions(state, 0)


def test_it_follows_a_guide_that_it_trusts() -> None:
    game = GAMES.get("thardferr")
    state = wander(game, opening(game, 2), 2, rng_of(2))
    seat = min(game.to_act(state))
    trusting = Settings(trust=1_000)
    bots = [SearchBot(game, rng_of(1), settings=trusting, most=most) for most in (1, 12)]
    choices = [bot.choose(decision(game, state, seat, Limit(simulations=12))) for bot in bots]
    assert choices[0] == choices[1]


def test_it_thinks_no_longer_once_a_trusted_guide_cannot_be_refuted() -> None:
    game = GAMES.get("thardferr")
    state = wander(game, opening(game, 2), 2, rng_of(2))
    seat, thinking = min(game.to_act(state)), Budget(simulations=1_000, time_ms=None)
    settings = Settings(guide="greedy", is_typed=True, trust=995)
    asked, guide = decision(game, state, seat), guide_for("thardferr", "greedy")
    Search(game, asked, rng_of(1), taste=rng_of(2), guide=guide, settings=settings, root=Node()).run(thinking)
    assert thinking.left() in {996, 997}


def test_without_time_it_still_plays() -> None:
    state = opening(CONNECT_FOUR)
    action = SearchBot(CONNECT_FOUR, rng_of(1)).choose(decision(CONNECT_FOUR, state, 0, Limit(time_ms=0)))
    played(CONNECT_FOUR, state, 0, action)


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        pytest.param((0, 6, 1, 6, 2, 5), 3, id="it completes its line"),
        pytest.param((6, 0, 5, 1, 6, 2), 3, id="it blocks the rival's line"),
    ],
)
def test_it_sees_what_decides_connect_four(columns: tuple[int, ...], column: int) -> None:
    state = connect(*columns)
    bot = SearchBot(CONNECT_FOUR, rng_of(1))
    assert bot.choose(decision(CONNECT_FOUR, state, 0, Limit(simulations=300))) == {"type": "drop", "column": column}


def test_it_doubts_what_its_own_dice_disprove() -> None:
    state = opening(LIARS_DICE, 2, dice=1, wild=False)
    face = state.hands[1].dice[0] % 6 + 1
    state = played(LIARS_DICE, state, 0, {"type": "bid", "count": 2, "face": face})
    asked = decision(LIARS_DICE, state, 1, Limit(simulations=200))
    assert SearchBot(LIARS_DICE, rng_of(1)).choose(asked) == {"type": "doubt"}


def test_seats_that_move_together_choose_without_knowing_of_each_other() -> None:
    game: AnyGame = sealed_bids.GAME
    state, root = opening(game, 3), Node()
    search = Search(
        game, decision(game, state, 1), rng_of(1), taste=rng_of(2), guide=None, settings=settings_for(""), root=root
    )
    search.run(Budget(simulations=60, time_ms=None))
    assert root.choices.keys() == {0, 1, 2}
    # One history for each combination of choices, not a seat after the other: there is one for all three.
    assert max(map(len, root.children)) == 3


def test_it_does_not_go_round_in_circles() -> None:
    """All that is known leads back to where the seat was: then it plays something else."""
    game = GAMES.get("tile_blitz")
    state = opening(game, 2)
    seat = min(game.to_act(state))
    asked, settings = decision(game, state, seat), settings_for("tile_blitz")
    guide = guide_for("tile_blitz", settings.guide)
    search = Search(game, asked, rng_of(1), taste=rng_of(2), guide=guide, settings=settings, root=Node())
    usual = search.best()
    assert search.best(lambda action: action == usual.action).action != usual.action
    assert search.best(lambda action: True).action == usual.action, "there is nothing else"


def test_it_keeps_its_tree_within_a_turn() -> None:
    game = GAMES.get("strata")
    state, bot = opening(game), SearchBot(game, rng_of(1))
    first = decision(game, state, 0, Limit(simulations=40))
    assert bot.visits(first) == 0
    state = played(game, state, 0, bot.choose(first))
    assert bot.visits(decision(game, state, 0)) > 0


def test_it_forgets_its_tree_when_something_else_was_played() -> None:
    game = GAMES.get("strata")
    state, bot = opening(game), SearchBot(game, rng_of(1))
    chosen = bot.choose(decision(game, state, 0))
    other = next(action for action in game.legal_actions(state, 0) if plain(action) != chosen)
    assert bot.visits(decision(game, game.apply(state, 0, other).state, 0)) == 0


@pytest.mark.parametrize("game", [GAMES.get("strata"), GAMES.get("tile_blitz")], ids=lambda game: game.info.id)
def test_it_plays_on_in_another_process_as_it_would_have_here(game: AnyGame) -> None:
    state, bot = opening(game), SearchBot(game, rng_of(1))
    seat = min(game.to_act(state))
    state = played(game, state, seat, bot.choose(decision(game, state, seat)))
    if seat not in game.to_act(state):
        pytest.fail("the turn goes on after the first action")
    asked = decision(game, state, seat)
    there = pickle.loads(pickle.dumps(bot))
    assert there.choose(asked) == bot.choose(asked)
