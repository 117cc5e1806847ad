"""Intervals and the sequential test, compared with known values and with what they promise."""

from collections.abc import Iterator
from math import log
from statistics import fmean

import pytest

from warroom_bots.arena.statistics import Interval, Sprt, interval, wilson
from warroom_games.rng import Rng


def coin_flips(percent: int, count: int, rng: Rng) -> tuple[list[float], Rng]:
    flips = []
    for _ in range(count):
        number, rng = rng.below(100)
        flips.append(float(number < percent))
    return flips, rng


def generators(count: int) -> Iterator[Rng]:
    rng = Rng(bytes(16))
    for _ in range(count):
        own, rng = rng.spawn()
        yield own


def singles(scores: list[float]) -> list[list[float]]:
    return [[score] for score in scores]


def close(found: Interval, low: float, high: float, *, within: float = 1e-4) -> bool:
    return (found.low, found.high) == pytest.approx((low, high), abs=within)


# The values of Wilson's interval without continuity correction, as in Newcombe (1998), table I.
@pytest.mark.parametrize(
    ("won", "count", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_of_independent_games_is_wilsons(won: int, count: int, low: float, high: float) -> None:
    assert close(wilson(won / count, count), low, high)


def test_games_that_scatter_like_independent_ones_give_nearly_wilsons_interval() -> None:
    expected = wilson(0.3, 40)
    found = interval(singles([1.0] * 12 + [0.0] * 28))
    assert close(found, expected.low, expected.high, within=0.003)


def test_draws_say_more_than_as_many_wins_and_losses() -> None:
    flips, draws = interval(singles([1.0, 0.0] * 20)), interval(singles([0.5] * 40))
    assert flips.mean == draws.mean == 0.5
    assert draws.high - draws.low < (flips.high - flips.low) / 2


def test_pairs_that_always_split_say_more_than_single_games() -> None:
    paired, single = interval([[1.0, 0.0]] * 20), interval(singles([1.0, 0.0] * 20))
    assert paired.high - paired.low < (single.high - single.low) / 2


def test_pairs_that_never_split_say_less_than_single_games() -> None:
    paired, single = interval([[1.0, 1.0], [0.0, 0.0]] * 10), interval(singles([1.0, 0.0] * 20))
    assert paired.high - paired.low > 1.3 * (single.high - single.low)


def test_a_clean_sweep_does_not_prove_a_hundred_percent() -> None:
    found = interval([[1.0, 1.0]] * 10)
    assert found.high == 1.0
    assert found.low == pytest.approx(0.8389, abs=1e-4)
    assert interval([]) == Interval(0.0, 0.0, 1.0)


@pytest.mark.parametrize("percent", [50, 70, 90])
def test_the_interval_contains_the_truth_19_times_in_20(percent: int) -> None:
    inside = []
    for rng in generators(800):
        flips, _ = coin_flips(percent, 60, rng)
        found = interval([flips[place : place + 2] for place in range(0, 60, 2)])
        inside.append(found.low <= percent / 100 <= found.high)
    assert 0.92 <= fmean(inside) <= 0.98


def test_the_bounds_of_the_test_are_walds() -> None:
    assert (Sprt().lower, Sprt().upper) == pytest.approx((-log(19), log(19)))
    assert (Sprt(alpha=0.01, beta=0.1).lower, Sprt(alpha=0.01, beta=0.1).upper) == pytest.approx(
        (log(0.1 / 0.99), log(0.9 / 0.01))
    )


def test_a_draw_counts_as_half_a_win_and_half_a_loss() -> None:
    assert Sprt().ratio([[0.5, 0.5]]) == pytest.approx(Sprt().ratio([[1.0, 0.0]]))
    assert Sprt().ratio([[1.0]]) == pytest.approx(log(1.2))
    assert Sprt().ratio([[0.0]]) == pytest.approx(log(0.8))
    assert Sprt().ratio([]) == 0


def test_games_never_count_for_more_than_one_each() -> None:
    assert Sprt().ratio([[1.0, 0.0]] * 10) == pytest.approx(10 * log(1.2) + 10 * log(0.8))


def run(sprt: Sprt, percent: int, rng: Rng, *, never_splits: bool = False) -> tuple[str, int]:
    """Play pairs of games that the bot wins with a probability until the test ends."""
    pairs: list[list[float]] = []
    while True:
        flips, rng = coin_flips(percent, 1 if never_splits else 2, rng)
        pairs.append(flips * 2 if never_splits else flips)
        if verdict := sprt.verdict(sprt.ratio(pairs)):
            return verdict, 2 * len(pairs)


@pytest.mark.parametrize("runs", [100, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("never_splits", [False, True])
@pytest.mark.parametrize(("percent", "wrong"), [(50, "stronger"), (60, "not stronger")])
def test_the_test_errs_as_rarely_as_it_promises(percent: int, wrong: str, never_splits: bool, runs: int) -> None:
    verdicts = [run(Sprt(), percent, rng, never_splits=never_splits)[0] for rng in generators(runs)]
    assert verdicts.count(wrong) / len(verdicts) <= 0.08


def games_until_decided(pattern: list[list[float]]) -> int:
    blocks: list[list[float]] = []
    while Sprt().verdict(Sprt().ratio(blocks)) is None:
        blocks.append(pattern[len(blocks) % len(pattern)])
    return sum(map(len, blocks))


def test_pairs_that_never_split_take_twice_the_games() -> None:
    scores = [1.0, 0.0, 1.0, 1.0, 0.0]
    assert games_until_decided([[score] * 2 for score in scores]) >= 2 * games_until_decided(singles(scores))


def test_a_clear_winner_is_found_quickly() -> None:
    lengths = [run(Sprt(), 90, rng) for rng in generators(50)]
    assert {verdict for verdict, _ in lengths} == {"stronger"}
    assert fmean(length for _, length in lengths) < 40
