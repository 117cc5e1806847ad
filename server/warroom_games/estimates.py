"""Estimates of how a seat stands, for `Evaluating` games: two common forms, and the law."""

from collections.abc import Sequence
from typing import Any

from warroom_games.api import Seat
from warroom_games.codec import encode
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough
from warroom_protocol.canonical import plain

MOST = 1000
"""The estimate of a match that is won."""

_SAMPLE = 12


def of_ranks(ranks: Sequence[int], seat: Seat) -> int:
    """Return the estimate of a match that is over: as many thousandths as the seat leaves more rivals behind."""
    own, rivals = ranks[seat], max(1, len(ranks) - 1)
    return MOST * sum((rank > own) - (rank < own) for rank in ranks) // rivals


def of_shares(own: int, theirs: int, *, slack: int = 0) -> int:
    """Return the estimate of two amounts, neither below 0; *slack* makes small amounts count less."""
    return MOST * (own - theirs) // max(1, own + theirs + slack)


def estimates_are_in_thousandths(match: Playthrough) -> None:
    """An estimate is a whole number from -1000 to 1000, the same from equal views in any form, and changes nothing."""
    game: Any = match.game
    if not hasattr(game, "evaluate"):
        return
    for state in match.sample(_SAMPLE):
        before = encode(state)
        for seat in range(match.seats):
            _hold_estimate(game, state, seat)
        if encode(state) != before:
            raise LawBrokenError(f"the estimate changed {state}")


def _hold_estimate(game: Any, state: Any, seat: Seat) -> None:
    public, private = game.public(state), game.private(state, seat)
    estimate = game.evaluate(public, private, seat)
    if type(estimate) is not int or not -MOST <= estimate <= MOST:
        raise LawBrokenError(f"{estimate!r} for seat {seat} is not a whole number from {-MOST} to {MOST}")
    for again in (game.evaluate(public, private, seat), game.evaluate(plain(public), plain(private), seat)):
        if again != estimate:
            raise LawBrokenError(f"seat {seat} sees the same, but is estimated at {estimate} and {again}")
