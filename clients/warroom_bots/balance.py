"""Measures the fairness and length of a game, and the strength of a bot, from seeded matches."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import fmean, quantiles

from msgspec import Struct

from warroom_bots.api import BotKind
from warroom_bots.registry import bots_for, find_bot
from warroom_bots.simulation import simulate
from warroom_bots.victory import victory_shares
from warroom_games.api import AnyGame
from warroom_games.rng import Rng, derived_key
from warroom_games.thardferr.units import RACES

PREFERRED = "greedy"
"""The preferred bot for measuring a game."""


class Deal(Struct, frozen=True):
    """The options of one match, and the trait they give each seat, if any."""

    options: Mapping[str, object]
    traits: tuple[str, ...]


class Played(Struct, frozen=True):
    """The course of one match."""

    turns: int
    actions: int
    reason: str
    ranks: tuple[int, ...]
    traits: tuple[str, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory: all of it, or an equal part if it is shared."""
        return victory_shares(self.ranks)


class Share(Struct, frozen=True):
    """How often a seat won, compared with the fair share."""

    name: str
    matches: int
    won: float
    fair: float

    @property
    def doubt(self) -> float:
        """The deviation from a fair share that chance explains in 95 of 100 reports."""
        return 2 * sqrt(self.fair * (1 - self.fair) / self.matches)

    @property
    def is_off(self) -> bool:
        """Whether the deviation exceeds what chance explains."""
        return abs(self.won - self.fair) > self.doubt


class Balance(Struct, frozen=True):
    """The results of one game at one table size."""

    game: AnyGame
    bot: str
    seats: int
    played: tuple[Played, ...]

    @property
    def by_rule(self) -> float:
        """The share of matches that ended by the victory rule, from 0 to 1; a length limit ended the others."""
        return sum(match.reason == "victory" for match in self.played) / len(self.played)

    def spread(self, length: Callable[[Played], int]) -> tuple[int, int, int]:
        """Return the 10th percentile, the median and the 90th percentile of the match lengths."""
        lengths = sorted(map(length, self.played))
        if len(lengths) == 1:
            return lengths[0], lengths[0], lengths[0]
        deciles = quantiles(lengths, n=10, method="inclusive")
        return round(deciles[0]), round(deciles[4]), round(deciles[8])

    def by_seat(self) -> list[Share]:
        """Return how often each seat won."""
        count = len(self.played)
        won = [fmean(match.shares[seat] for match in self.played) for seat in range(self.seats)]
        return [Share(str(seat), count, share, 1 / self.seats) for seat, share in enumerate(won)]

    def by_trait(self) -> list[Share]:
        """Return how often a seat of each trait won, if the matches had traits."""
        shares = defaultdict[str, list[float]](list)
        for match in self.played:
            for seat, trait in enumerate(match.traits):
                shares[trait].append(match.shares[seat])
        return [Share(trait, len(won), fmean(won), 1 / self.seats) for trait, won in sorted(shares.items())]


class Comparison(Struct, frozen=True):
    """The results of one bot against equal rivals, from each seat in turn."""

    game: AnyGame
    bot: str
    rival: str
    seats: int
    ranks: tuple[int, ...]
    """Its rank in each match."""

    def top(self, count: int) -> float:
        """Return the share of matches in which it finished among the top *places*, from 0 to 1."""
        return sum(rank <= count for rank in self.ranks) / len(self.ranks)

    @property
    def share(self) -> Share:
        """How often it came first, alone or shared, compared with a bot equal to its rivals."""
        return Share(self.bot, len(self.ranks), self.top(1), 1 / self.seats)


def usual_bot(game: AnyGame, name: str | None) -> BotKind:
    """Return the bot of that name; default: the greedy one if the game has it, else the usual one."""
    prefers = name is None and PREFERRED in bots_for(game.info.id, rules=game)
    return find_bot(game.info.id, PREFERRED if prefers else name, rules=game)


def usual_tables(game: AnyGame) -> list[int]:
    """Return the smallest table size and the usual one."""
    return sorted({game.info.min_seats, game.info.usual_seats})


def measure_balance(
    game: AnyGame,
    bot: BotKind,
    *,
    seats: int,
    matches: int,
    seed: str,
    options: Mapping[str, object],
    progress: Callable[[int], None],
) -> Balance:
    """Play matches between equal bots; call *progress* with the count after each."""
    played = []
    for number in range(1, matches + 1):
        played.append(_play(game, [bot] * seats, f"{seed} {game.info.id} {seats} {number}", options))
        progress(number)
    return Balance(game, bot.name, seats, tuple(played))


def measure_bot(
    game: AnyGame,
    bot: BotKind,
    rival: BotKind,
    *,
    seats: int,
    matches: int,
    seed: str,
    options: Mapping[str, object],
    progress: Callable[[int], None],
) -> Comparison:
    """Play matches of one bot against rivals at all other seats, from each seat in turn."""
    ranks = []
    for number in range(1, matches + 1):
        seat = (number - 1) % seats
        bots = [bot if each == seat else rival for each in range(seats)]
        ranks.append(_play(game, bots, f"{seed} {game.info.id} {seats} {number}", options).ranks[seat])
        progress(number)
    return Comparison(game, bot.name, rival.name, seats, tuple(ranks))


def _play(game: AnyGame, bots: Sequence[BotKind], seed: str, options: Mapping[str, object]) -> Played:
    deal = _DEALS.get(game.info.id, _nothing)(len(bots), seed, options)
    match = simulate(game, bots, seed=seed, options=deal.options)
    return Played(match.turns, len(match.moves), match.result.reason, match.result.ranks, deal.traits)


def _nothing(seats: int, seed: str, options: Mapping[str, object]) -> Deal:
    return Deal(options, ())


def _races(seats: int, seed: str, options: Mapping[str, object]) -> Deal:
    """Give each seat its own random race: bots left alone would all pick the same one."""
    races, _ = Rng(derived_key(seed, "races")).sample(RACES, seats)
    dealt = {f"race_{seat}": race for seat, race in enumerate(races, start=1)}
    return Deal({**dealt, **options}, tuple(str(options.get(name, race)) for name, race in dealt.items()))


_DEALS: Mapping[str, Callable[[int, str, Mapping[str, object]], Deal]] = {"thardferr": _races}
