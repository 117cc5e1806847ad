"""Plays many matches between the same bots in one process, and counts what became of them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from time import perf_counter

from msgspec import Struct

from warroom_bots.api import UNLIMITED, BotKind, Limit
from warroom_bots.move_clock import MoveClock
from warroom_bots.simulation import Simulated, simulate
from warroom_bots.victory import victory_shares
from warroom_games.api import AnyGame
from warroom_protocol.results import ending_in_words


class Series(Struct, frozen=True, kw_only=True):
    """What became of a number of matches."""

    game: AnyGame
    seed: str
    bots: tuple[str, ...]
    """The names of the bots by seat."""
    shares: tuple[tuple[float, ...], ...]
    """By match, each seat's share of the victory: all of it, or an equal part if several are first."""
    reasons: Mapping[str, int]
    """How often each rule ended a match."""
    turns: tuple[int, ...]
    actions: tuple[int, ...]
    seconds: float

    @property
    def matches(self) -> int:
        """The number of matches."""
        return len(self.turns)

    @property
    def won(self) -> tuple[float, ...]:
        """Each seat's share of all victories."""
        return tuple(fmean(match[seat] for match in self.shares) for seat in range(len(self.bots)))


def play_series(
    game: AnyGame,
    bots: Sequence[BotKind],
    *,
    seed: str,
    games: int,
    options: Mapping[str, object] | None = None,
    limit: Limit = UNLIMITED,
    clock: MoveClock | None = None,
    played: Callable[[int, Simulated], None] = lambda number, match: None,
) -> Series:
    """Play matches with seeds made of *seed* and their number, from 1 on; call *played* after each.

    Raise as `simulate` does.
    """
    shares: list[tuple[float, ...]] = []
    reasons: Counter[str] = Counter()
    turns: list[int] = []
    actions: list[int] = []
    began_s = perf_counter()
    for number in range(1, games + 1):
        match = simulate(game, bots, seed=f"{seed} {number}", options=options, limit=limit, clock=clock)
        shares.append(victory_shares(match.result.ranks))
        reasons[match.result.reason] += 1
        turns.append(match.turns)
        actions.append(len(match.moves))
        played(number, match)
    return Series(
        game=game,
        seed=seed,
        bots=tuple(kind.name for kind in bots),
        shares=tuple(shares),
        reasons=dict(sorted(reasons.items())),
        turns=tuple(turns),
        actions=tuple(actions),
        seconds=perf_counter() - began_s,
    )


def as_text(series: Series) -> str:
    """Return the counts for people."""
    count, actions = series.matches, sum(series.actions)
    ended = ", ".join(f"{number / count:.1%} {ending_in_words(reason)}" for reason, number in series.reasons.items())
    lines = [
        f"{series.game.info.name}: {count:,} matches, {len(series.bots)} seats, seed {series.seed}",
        f"{series.seconds:.1f} s: {count / series.seconds:,.1f} matches/s, {actions / series.seconds:,.0f} actions/s",
        f"ended: {ended}",
        f"turns: {_spread(series.turns)}; actions: {_spread(series.actions)}",
        *(f"  seat {seat} {name}: won {won:.1%}" for seat, (name, won) in enumerate(_by_seat(series))),
    ]
    return "\n".join(lines)


def as_data(series: Series) -> dict[str, object]:
    """Return the counts as JSON-ready values."""
    info, actions = series.game.info, sum(series.actions)
    return {
        "game": info.id,
        "rules_version": info.rules_version,
        "seed": series.seed,
        "matches": series.matches,
        "reasons": series.reasons,
        "seats": [{"seat": seat, "bot": name, "won": won} for seat, (name, won) in enumerate(_by_seat(series))],
        "turns": _span(series.turns),
        "actions": _span(series.actions),
        "total_actions": actions,
        "seconds": series.seconds,
        "matches_per_s": series.matches / series.seconds,
        "actions_per_s": actions / series.seconds,
    }


def _by_seat(series: Series) -> list[tuple[str, float]]:
    return list(zip(series.bots, series.won, strict=True))


def _span(lengths: Sequence[int]) -> dict[str, float]:
    return {"least": min(lengths), "median": median(lengths), "most": max(lengths)}


def _spread(lengths: Sequence[int]) -> str:
    return f"{min(lengths):,} to {max(lengths):,}, median {median(lengths):,.0f}"
