"""Small contests of a game that hides things, and results as if they had been played."""

from collections.abc import Sequence

import sealed_bids

from warroom_bots.api import Limit
from warroom_bots.arena.contest import Contest, contestants
from warroom_bots.arena.results import MatchResult, names_of

GAME = sealed_bids.GAME


def contest(*bots: str, seats: int = 2, seed: str = "1", move_limit_ms: int = 60_000, **more: object) -> Contest:
    """Return a contest of sealed bids."""
    return Contest(
        game="sealed_bids",
        rules_version=GAME.info.rules_version,
        seats=seats,
        options={"rounds": 2, **more},
        bots=contestants(bots, bots),
        seed=seed,
        limit=Limit(),
        move_limit_ms=move_limit_ms,
    )


def played(settings: Contest, number: int, ranks: Sequence[int]) -> MatchResult:
    """Return a result of a match with these ranks by seat."""
    pairing = settings.pairing(number)
    return MatchResult(
        match=number,
        bots=names_of(settings, pairing.bots),
        ranks=tuple(ranks),
        reason="victory",
        turns=2,
        moves=(2,) * settings.seats,
        think_ms=(1.0,) * settings.seats,
        slowest_ms=(0.75,) * settings.seats,
    )


def won_by(settings: Contest, winners: Sequence[str | None]) -> list[MatchResult]:
    """Return results of matches that these bots won; None: a draw."""
    results = []
    for number, winner in enumerate(winners):
        names = names_of(settings, settings.pairing(number).bots)
        ranks = [1 if winner in (None, name) else 2 for name in names]
        results.append(played(settings, number, ranks))
    return results
