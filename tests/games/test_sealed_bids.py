"""Sealed bids, the game of the tests: its rules, and what it keeps secret."""

import msgspec
import pytest
from sealed_bids import GAME, Action, Bid, Options, Peek, Round, Secret, State, Table

from warroom_games.api import Event, IllegalActionError, Result
from warroom_games.rng import Rng

OPTIONS = Options(rounds=3, cards=6, peeks=1)


def table(*hands: tuple[int, ...], deck: tuple[int, ...] = (2, 3), **fields: object) -> State:
    """A table in its first round, where prize 1 lies on the table."""
    secrets = tuple(Secret(hand, None, OPTIONS.peeks, None) for hand in hands)
    public = Table(OPTIONS, 1, (1,), (0,) * len(hands), (), ())
    return State(msgspec.structs.replace(public, **fields), secrets, deck)


def played(state: State, *moves: tuple[int, Action]) -> State:
    for seat, action in moves:
        GAME.check(state, seat, action)
        state = GAME.apply(state, seat, action).state
    return state


class TestBids:
    """§2"""

    def test_all_seats_bid_at_once(self) -> None:
        state = table((1, 2, 3), (4, 5, 6))
        assert GAME.to_act(state) == {0, 1}
        assert GAME.to_act(played(state, (1, Bid(4)))) == {0}

    def test_a_bid_shows_nothing_to_anybody_else(self) -> None:
        state = table((1, 2, 3), (4, 5, 6))
        step = GAME.apply(state, 1, Bid(4))
        assert GAME.public(step.state) is GAME.public(state)
        assert GAME.private(step.state, 0) is GAME.private(state, 0)
        assert step.events == (Event(None, ((1, {"type": "committed", "card": 4}),)),)

    def test_the_last_bid_resolves_the_round(self) -> None:
        state = played(table((1, 2, 3), (4, 5, 6)), (1, Bid(4)))
        step = GAME.apply(state, 0, Bid(3))
        assert step.state.table.past == (Round(row=(1,), bids=(3, 4), winner=1),)
        assert (step.state.table.scores, step.state.table.row, GAME.turn(step.state)) == ((0, 1), (2,), 2)
        assert step.state.secrets == (Secret((1, 2), None, 1, None), Secret((5, 6), None, 1, None))
        assert step.events[1] == Event(
            {"type": "resolved", "bids": (3, 4), "winner": 1, "row": (1,)},
            ((0, {"type": "spent", "card": 3}), (1, {"type": "spent", "card": 4})),
        )

    def test_a_tie_leaves_the_row_for_the_next_round(self) -> None:
        state = played(table((1, 2, 3), (3, 5, 6)), (0, Bid(3)), (1, Bid(3)))
        assert (state.table.row, state.table.scores) == ((1, 2), (0, 0))
        assert played(state, (0, Bid(2)), (1, Bid(5))).table.scores == (0, 3)

    @pytest.mark.parametrize(
        ("moves", "action", "code"),
        [
            pytest.param([], Bid(6), "bid.spent", id="not in the hand"),
            pytest.param([(0, Bid(1))], Bid(2), "bid.waiting", id="twice"),
            pytest.param([(0, Peek())], Peek(), "peek.known", id="peek twice"),
            pytest.param([(0, Peek()), (0, Bid(1)), (1, Bid(4))], Peek(), "peek.spent", id="no peek left"),
        ],
    )
    def test_what_the_rules_do_not_allow_is_refused(
        self, moves: list[tuple[int, Action]], action: Action, code: str
    ) -> None:
        with pytest.raises(IllegalActionError) as refused:
            GAME.check(played(table((1, 2, 3), (4, 5, 6)), *moves), 0, action)
        assert refused.value.code == code

    def test_there_is_nothing_to_peek_at_behind_the_last_prize(self) -> None:
        with pytest.raises(IllegalActionError) as refused:
            GAME.check(table((1,), (2,), deck=()), 0, Peek())
        assert refused.value.code == "peek.nothing"


class TestPeeks:
    """§3"""

    def test_a_peek_is_seen_by_nobody_else(self) -> None:
        state = table((1, 2, 3), (4, 5, 6))
        step = GAME.apply(state, 0, Peek())
        assert GAME.public(step.state) is GAME.public(state)
        assert GAME.private(step.state, 1) is GAME.private(state, 1)
        assert GAME.private(step.state, 0) == Secret((1, 2, 3), None, 0, 2)
        assert step.events == (Event(None, ((0, {"type": "peeked", "prize": 2}),)),)
        assert GAME.to_act(step.state) == {0, 1}

    def test_what_was_seen_is_imagined_alike(self) -> None:
        state = played(table((1, 2, 3), (4, 5, 6)), (0, Peek()))
        public, private = msgspec.to_builtins(state.table), msgspec.to_builtins(state.secrets[0])
        worlds = [GAME.imagine(public, private, 0, Rng(b"imagined sixteen", n * 100)) for n in range(50)]
        assert {world.deck for world in worlds} == {(2, 3)}
        assert len({world.secrets[1].hand for world in worlds}) > 10


class TestTheEnd:
    """§4"""

    def test_the_highest_score_wins(self) -> None:
        state = table((1,), (2,), (3,), deck=(), scores=(9, 2, 1), past=(Round((), (), None),) * 2, round=3)
        state = played(state, (0, Bid(1)), (1, Bid(2)), (2, Bid(3)))
        assert GAME.result(state) == Result((1, 2, 2), "victory")
        with pytest.raises(IllegalActionError) as refused:
            GAME.check(state, 0, Bid(1))
        assert refused.value.code == "match.over"

    def test_who_leaves_ranks_below_and_takes_the_bid_back(self) -> None:
        state = GAME.remove(played(table((1, 2, 3), (4, 5, 6), (1, 5, 6)), (0, Bid(3))), 0).state
        assert (state.table.out, state.secrets[0].hand, GAME.to_act(state)) == ((0,), (1, 2, 3), frozenset({1, 2}))
        assert GAME.result(GAME.remove(state, 2).state) == Result((3, 1, 2), "victory")
        with pytest.raises(IllegalActionError) as refused:
            GAME.check(state, 0, Bid(1))
        assert refused.value.code == "match.left"

    def test_when_the_seat_that_all_waited_for_leaves_the_round_is_resolved(self) -> None:
        state = played(table((1, 2, 3), (4, 5, 6), (1, 5, 6)), (0, Bid(3)), (1, Bid(4)))
        state = GAME.remove(state, 2).state
        assert state.table.past == (Round(row=(1,), bids=(3, 4, None), winner=1),)


def test_the_clock_bids_the_lowest_card() -> None:
    assert GAME.default_action(table((2, 3), (1, 4)), 0) == Bid(2)


def test_the_table_can_be_drawn_with_and_without_a_hand() -> None:
    state = GAME.remove(played(table((1, 2, 3), (4, 5, 6)), (0, Peek())), 1).state
    public, private = msgspec.to_builtins(state.table), msgspec.to_builtins(state.secrets[0])
    assert GAME.draw(public, None).splitlines() == ["round 1 of 3   prizes 1", "  seat 0: 0", "  seat 1: 0  left"]
    assert GAME.draw(public, private).splitlines()[-1] == "hand 1 2 3   bid -   next prize 2"
