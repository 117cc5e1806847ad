"""The rules of Liar's Dice, by docs/examples/liars_dice/RULES.md."""

import pytest
from liars_dice.rules import GAME, Action, Bid, Dice, Doubt, Hand, Options, State, Table, count_dice

from warroom_games.api import IllegalActionError
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain

RNG = Rng(bytes(KEY_BYTES))


def position(*hands: Dice, bid: Bid | None = None, wild: bool = True) -> State:
    """Return a round that the last seat has opened with *bid*, if there is one; seat 0 is to act."""
    held = tuple(map(len, hands))
    out = tuple(seat for seat, count in enumerate(held) if not count)
    bidder = None if bid is None else len(hands) - 1
    table = Table(options=Options(dice=3, wild=wild), held=held, out=out, bid=bid, bidder=bidder)
    return State(table, tuple(map(Hand, hands)), RNG)


def refusal(state: State, seat: int, action: Action) -> str:
    with pytest.raises(IllegalActionError) as refused:
        GAME.check(state, seat, action)
    return refused.value.code


@pytest.mark.parametrize(
    ("bid", "is_higher"),
    [
        pytest.param(Bid(2, 5), True, id="§2.2 as many of a higher face"),
        pytest.param(Bid(3, 1), True, id="§2.2 more dice of any face"),
        pytest.param(Bid(2, 4), False, id="§2.2 the same again"),
        pytest.param(Bid(1, 6), False, id="§2.2 fewer dice"),
    ],
)
def test_a_bid_is_higher_than_the_last_one(bid: Bid, is_higher: bool) -> None:
    state = position((1, 2, 3), (4, 5, 6), bid=Bid(2, 4))
    assert (bid in GAME.legal_actions(state, 0)) == is_higher
    if not is_higher:
        assert refusal(state, 0, bid) == "bid.too_low"


def test_a_bid_names_no_more_dice_than_there_are() -> None:  # §2.2
    assert refusal(position((1, 2), (3,)), 0, Bid(4, 1)) == "bid.impossible"


def test_there_is_nothing_to_doubt_before_a_bid() -> None:  # §2.3
    assert refusal(position((1,), (2,)), 0, Doubt()) == "doubt.nothing"


def test_only_the_seat_to_act_bids() -> None:  # §2.1
    assert refusal(position((1,), (2,)), 1, Bid(1, 1)) == "turn.not_yours"


@pytest.mark.parametrize(
    ("bid", "wild", "held"),
    [
        pytest.param(Bid(3, 4), True, (2, 3), id="§2.4 the bid is true with wild ones, so the doubter loses"),
        pytest.param(Bid(3, 4), False, (3, 2), id="§2.5 without wild ones it is false, so the bidder loses"),
        pytest.param(Bid(4, 4), True, (3, 2), id="§2.4 one die too few"),
    ],
)
def test_the_loser_of_a_doubt_loses_a_die(bid: Bid, wild: bool, held: tuple[int, int]) -> None:
    state = position((1, 4, 6), (2, 4, 5), bid=bid, wild=wild)
    after = GAME.apply(state, 0, Doubt()).state
    assert after.table.held == held
    assert after.table.shown == ((1, 4, 6), (2, 4, 5))
    assert [len(hand.dice) for hand in after.hands] == [*held]


def test_the_player_after_the_doubter_begins_the_next_round() -> None:  # §2.4
    state = position((1, 2), (3, 4), (5, 6), bid=Bid(6, 6))
    after = GAME.apply(state, 0, Doubt()).state
    assert (after.table.seat, after.table.bid) == (1, None)


def test_turns_skip_players_without_dice() -> None:  # §2.1
    state = position((1,), (), (2,), bid=Bid(1, 1))
    assert GAME.apply(state, 0, Bid(2, 2)).state.table.seat == 2


def test_the_last_player_with_dice_wins() -> None:  # §3.1, §3.2
    state = position((2,), (), (3,), bid=Bid(2, 6))
    after = GAME.apply(state, 0, Doubt()).state
    result = GAME.result(after)
    assert result is not None
    assert result.ranks == (1, 3, 2)
    assert all(not hand.dice for hand in after.hands)


def test_all_roll_again_when_somebody_leaves() -> None:  # §3.3
    state = position((1, 2, 3), (1, 1, 1), (4, 5, 6), bid=Bid(2, 4))
    after = GAME.remove(state, 0).state
    assert (after.table.held, after.table.seat, after.table.bid) == ((0, 3, 3), 1, None)
    assert GAME.remove(state, 1).state.table.seat == 0


def test_the_clock_doubts_or_makes_the_lowest_bid() -> None:  # §2.6
    assert GAME.default_action(position((1,), (2,)), 0) == Bid(1, 1)
    assert GAME.default_action(position((1,), (2,), bid=Bid(1, 4)), 0) == Doubt()


def test_an_imagined_round_keeps_the_own_dice_and_rolls_the_others() -> None:
    state = position((1, 2, 3), (1, 1, 1), bid=Bid(2, 4))
    public, private = plain(GAME.public(state)), plain(GAME.private(state, 0))
    worlds, rng = set[Dice](), RNG
    for _ in range(20):
        fresh, rng = rng.spawn()
        world = GAME.imagine(public, private, 0, fresh)
        assert world.hands[0] == Hand((1, 2, 3))
        assert len(world.hands[1].dice) == 3
        worlds.add(world.hands[1].dice)
    assert len(worlds) > 5


def test_wild_ones_count_as_every_face() -> None:  # §2.5
    hands = ((1, 3), (3, 5))
    assert count_dice(hands, 3, wild=True) == 3
    assert count_dice(hands, 3, wild=False) == 2
    assert count_dice(hands, 1, wild=True) == 1


def test_the_picture_shows_the_own_dice_only() -> None:
    state = position((1, 2, 3), (4, 5, 6), bid=Bid(2, 4))
    assert GAME.draw(GAME.public(state), GAME.private(state, 0)) == (
        "bid: 2 x 4\n> seat 0: ***\n  seat 1: ***\nyour dice: 1 2 3"
    )
