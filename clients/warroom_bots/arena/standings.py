"""What the results of a contest say about each bot."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from warroom_bots.arena.contest import Contest
from warroom_bots.arena.results import Fault, MatchResult
from warroom_bots.arena.statistics import Interval, Sprt, Verdict, interval
from warroom_games.api import Seat
from warroom_games.rng import KEY_BYTES, Rng

ORDERS: Final = 25
"""Orders of the matches over which ratings are averaged."""
RATED: Final = 10_000
"""Matches rated in all of these orders together, unless one order has more: rating one takes 50 to 100 microseconds."""


class _Rating(Struct, frozen=True):
    mu: float
    sigma: float


class Standing(Struct, frozen=True, kw_only=True):
    """One bot's results; a seat that it played in a match counts as a game."""

    name: str
    games: int
    wins: int
    """Games in which it was first alone."""
    draws: int
    """Games in which it shared the first place."""
    score: Interval
    """Its share of the victory in a game."""
    mean_rank: float | None
    rating: float
    sigma: float
    """The uncertainty of the rating: one standard deviation."""
    errors: int
    error_kinds: Mapping[str, int]
    last_error: str
    missed: int
    """Moves that came too late for a server's clock."""
    ms_per_move: float | None
    slowest_ms: float | None

    @property
    def losses(self) -> int:
        """Games in which others were first."""
        return self.games - self.wins - self.draws


class Tested(Struct, frozen=True):
    """How far the sequential test of the first bot against the second one has come."""

    ratio: float
    """The log-likelihood ratio."""
    lower: float
    upper: float
    verdict: Verdict | None
    matches: int
    """The matches that it used."""


def standings(contest: Contest, results: Sequence[MatchResult]) -> list[Standing]:
    """Return the standing of each bot, highest score first."""
    counted = [result for result in results if not result.is_void]
    ratings = _ratings(contest, counted)
    found = [_standing(contest, bot.name, counted, ratings[bot.name]) for bot in contest.bots]
    return sorted(found, key=lambda standing: -standing.score.mean)


def ahead(contest: Contest, results: Sequence[MatchResult]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return for each pair of bots how often the first ranked ahead (equal ranks: half), and how often they met."""
    tally: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for result in results:
        if result.is_void:
            continue
        for bot, rank in zip(result.bots, result.ranks, strict=True):
            for other, theirs in zip(result.bots, result.ranks, strict=True):
                if bot != other:
                    tally[bot, other].append((rank < theirs) + (rank == theirs) / 2)
    return {pair: (fmean(values), len(values)) for pair, values in tally.items()}


def sequential_test(contest: Contest, sprt: Sprt, results: Sequence[MatchResult]) -> Tested:
    """Return where the test of the first bot against the second ends, or stands.

    It looks after every pair of matches on one seed, in their order, so that the result does not depend on which match
    happened to end first.
    """
    name = contest.bots[0].name
    scores: list[list[float]] = []
    ratio, used = 0.0, 0
    for block in blocks(contest, results):
        if len(block) < contest.group:
            break
        used += len(block)
        scores.append([_score(result, name) for result in block if not result.is_void])
        ratio = sprt.ratio(scores)
        if sprt.verdict(ratio) is not None:
            break
    return Tested(ratio, sprt.lower, sprt.upper, sprt.verdict(ratio), used)


def blocks(contest: Contest, results: Sequence[MatchResult]) -> list[list[MatchResult]]:
    """Return the results by block, in order, up to the first block of which nothing is known."""
    found: defaultdict[int, list[MatchResult]] = defaultdict(list)
    for result in results:
        found[result.match // contest.group].append(result)
    known = []
    for number in range(len(found)):
        if number not in found:
            break
        known.append(found[number])
    return known


def _score(result: MatchResult, name: str) -> float:
    return sum(result.share(seat) for seat, bot in enumerate(result.bots) if bot == name)


def _standing(contest: Contest, name: str, results: Sequence[MatchResult], rating: _Rating) -> Standing:
    scores: defaultdict[int, list[float]] = defaultdict(list)
    played: list[tuple[MatchResult, Seat]] = []
    for result in results:
        for seat, bot in enumerate(result.bots):
            if bot == name:
                scores[result.match // contest.group].append(result.share(seat))
                played.append((result, seat))
    ranks = [result.ranks[seat] for result, seat in played]
    shares = [result.share(seat) for result, seat in played]
    faults = [fault for result, seat in played for fault in result.faults if fault.seat == seat]
    moves = sum(result.moves[seat] for result, seat in played if result.moves)
    think_ms = sum(result.think_ms[seat] for result, seat in played if result.think_ms)
    return Standing(
        name=name,
        games=len(played),
        wins=sum(share == 1 for share in shares),
        draws=sum(0 < share < 1 for share in shares),
        score=interval(list(scores.values())),
        mean_rank=fmean(ranks) if ranks else None,
        rating=rating.mu,
        sigma=rating.sigma,
        errors=len(faults),
        error_kinds=dict(sorted(Counter(fault.kind for fault in faults).items())),
        last_error=_told(faults[-1]) if faults else "",
        missed=sum(result.missed[seat] for result, seat in played if result.missed),
        ms_per_move=think_ms / moves if moves else None,
        slowest_ms=max((result.slowest_ms[seat] for result, seat in played if result.slowest_ms), default=None),
    )


def _told(fault: Fault) -> str:
    return f"{fault.kind} at decision {fault.decision}: {fault.detail}"


def _ratings(contest: Contest, results: Sequence[MatchResult]) -> dict[str, _Rating]:
    """Rate the bots by OpenSkill.

    It was made for players who improve, so the last matches count most. Bots do not, so their ratings are the mean over
    several orders of the same matches, without the model's allowance for change (`tau`).
    """
    model, rng = PlackettLuce(tau=0.0), Rng(bytes(KEY_BYTES))
    found = []
    for _ in range(max(1, min(ORDERS, RATED // max(len(results), 1)))):
        shuffled, rng = rng.shuffle(results)
        found.append(_rated(model, contest, shuffled))
    return {
        name: _Rating(fmean(ratings[name].mu for ratings in found), fmean(ratings[name].sigma for ratings in found))
        for name in found[0]
    }


def _rated(model: PlackettLuce, contest: Contest, results: Sequence[MatchResult]) -> dict[str, _Rating]:
    """Rate the bots match by match; several seats of one bot change its rating by their average."""
    new = model.rating()
    ratings = {bot.name: _Rating(new.mu, new.sigma) for bot in contest.bots}
    for result in results:
        teams = [[model.rating(mu=ratings[name].mu, sigma=ratings[name].sigma)] for name in result.bots]
        rated = model.rate(teams, ranks=[float(rank) for rank in result.ranks])
        after: defaultdict[str, list[PlackettLuceRating]] = defaultdict(list)
        for name, (rating,) in zip(result.bots, rated, strict=True):
            after[name].append(rating)
        for name, seats in after.items():
            ratings[name] = _Rating(fmean(seat.mu for seat in seats), fmean(seat.sigma for seat in seats))
    return ratings
