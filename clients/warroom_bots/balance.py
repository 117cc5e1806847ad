"""How fair and how long a game is, and how strong a bot: seeded matches, counted."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from math import sqrt
from statistics import fmean, quantiles

from msgspec import Struct

from warroom_bots.api import BotKind
from warroom_bots.registry import bots_for, find_bot
from warroom_bots.simulation import simulate
from warroom_games.api import AnyGame
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.thardferr.units import RACES

PREFERRED = "greedy"
"""The bot whose matches tell most about a game, where the game has it."""


class Deal(Struct, frozen=True):
    """The options of one match, and what they make of each seat, if anything."""

    options: Mapping[str, object]
    traits: tuple[str, ...]


class Played(Struct, frozen=True):
    """How one match went."""

    turns: int
    actions: int
    reason: str
    ranks: tuple[int, ...]
    traits: tuple[str, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """How much of the victory each seat has: all of it, or an equal part of a shared one."""
        winners = self.ranks.count(1)
        return tuple((rank == 1) / winners for rank in self.ranks)


class Share(Struct, frozen=True):
    """How often somebody won, next to what would be fair."""

    name: str
    matches: int
    won: float
    fair: float

    @property
    def doubt(self) -> float:
        """How far chance alone takes a fair share from its mean, in 95 of 100 reports."""
        return 2 * sqrt(self.fair * (1 - self.fair) / self.matches)

    @property
    def is_off(self) -> bool:
        """Whether it is further from what is fair than chance explains."""
        return abs(self.won - self.fair) > self.doubt


class Balance(Struct, frozen=True):
    """What the matches of one game at one size of table came to."""

    game: AnyGame
    bot: str
    seats: int
    played: tuple[Played, ...]

    @property
    def by_rule(self) -> float:
        """How many matches the victory rule ended, from 0 to 1; a cap on their length ended the others."""
        return sum(match.reason == "victory" for match in self.played) / len(self.played)

    def spread(self, length: Callable[[Played], int]) -> tuple[int, int, int]:
        """Return the length that one match in ten stays below, the median, and what one in ten exceeds."""
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
        """Return how often a seat of each trait won, if the matches were dealt any."""
        shares = defaultdict[str, list[float]](list)
        for match in self.played:
            for seat, trait in enumerate(match.traits):
                shares[trait].append(match.shares[seat])
        return [Share(trait, len(won), fmean(won), 1 / self.seats) for trait, won in sorted(shares.items())]


class Contest(Struct, frozen=True):
    """How one bot fared against others that all play alike, a seat after the other."""

    game: AnyGame
    bot: str
    rival: str
    seats: int
    ranks: tuple[int, ...]
    """What it reached in each match."""

    def top(self, count: int) -> float:
        """Return in which part of the matches it came among the first so many, from 0 to 1."""
        return sum(rank <= count for rank in self.ranks) / len(self.ranks)

    @property
    def share(self) -> Share:
        """How often it came first, alone or with others, next to what a bot like its rivals would."""
        return Share(self.bot, len(self.ranks), self.top(1), 1 / self.seats)


def usual_bot(game: str, name: str | None) -> BotKind:
    """Return the bot of that name; if none is named, the greedy one where there is one, else the usual one."""
    return find_bot(game, PREFERRED if name is None and PREFERRED in bots_for(game) else name)


def usual_tables(game: AnyGame) -> list[int]:
    """Return the smallest table and the usual one."""
    return sorted({game.info.min_seats, game.info.usual_seats})


def weigh(
    game: AnyGame,
    bot: BotKind,
    *,
    seats: int,
    matches: int,
    seed: str,
    options: Mapping[str, object],
    told: Callable[[int], None],
) -> Balance:
    """Play so many matches of equal bots; *told* hears after each how many there were."""
    played = []
    for number in range(1, matches + 1):
        played.append(_play(game, [bot] * seats, f"{seed} {game.info.id} {seats} {number}", options))
        told(number)
    return Balance(game, bot.name, seats, tuple(played))


def compete(
    game: AnyGame,
    bot: BotKind,
    rival: BotKind,
    *,
    seats: int,
    matches: int,
    seed: str,
    options: Mapping[str, object],
    told: Callable[[int], None],
) -> Contest:
    """Play so many matches of one bot against as many rivals as there are other seats, from each seat in turn."""
    ranks = []
    for number in range(1, matches + 1):
        seat = (number - 1) % seats
        bots = [bot if each == seat else rival for each in range(seats)]
        ranks.append(_play(game, bots, f"{seed} {game.info.id} {seats} {number}", options).ranks[seat])
        told(number)
    return Contest(game, bot.name, rival.name, seats, tuple(ranks))


def _play(game: AnyGame, bots: Sequence[BotKind], seed: str, options: Mapping[str, object]) -> Played:
    deal = _DEALS.get(game.info.id, _nothing)(len(bots), seed, options)
    match = simulate(game, bots, seed=seed, options=deal.options).match
    assert match.result is not None
    actions = match.rev - len(bots) - 2  # besides the opening, the seats and the start
    return Played(match.turn, actions, match.result.reason, match.result.ranks, deal.traits)


def _nothing(seats: int, seed: str, options: Mapping[str, object]) -> Deal:
    return Deal(options, ())


def _races(seats: int, seed: str, options: Mapping[str, object]) -> Deal:
    """Deal each seat a race of its own, every one as likely: bots left alone would all pick the same."""
    key = blake2b(seed.encode(), key=b"races", digest_size=KEY_BYTES).digest()
    races, _ = Rng(key).sample(RACES, seats)
    dealt = {f"race_{seat}": race for seat, race in enumerate(races, start=1)}
    return Deal({**dealt, **options}, tuple(str(options.get(name, race)) for name, race in dealt.items()))


_DEALS: Mapping[str, Callable[[int, str, Mapping[str, object]], Deal]] = {"thardferr": _races}
