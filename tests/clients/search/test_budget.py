"""How long a search thinks about a decision."""

from time import perf_counter

import pytest

from warroom_bots import bot_executor
from warroom_bots.api import Decision, Limit
from warroom_bots.search import budget
from warroom_bots.search.budget import Budget


def decision(limit: Limit, left_ms: int | None = None, lag_ms: int = 0) -> Decision:
    return Decision(0, None, None, ({"type": "pass"},), complete=True, limit=limit, left_ms=left_ms, lag_ms=lag_ms)


def simulations(budget: Budget) -> int:
    count = 0
    while budget.spend():
        count += 1
    return count


@pytest.mark.parametrize(
    ("limit", "most", "count"),
    [
        pytest.param(Limit(simulations=7), None, 7, id="the limit of the decision"),
        pytest.param(Limit(simulations=7), 3, 3, id="the bot's own limit is lower"),
        pytest.param(Limit(simulations=7), 9, 7, id="the bot's own limit is higher"),
        pytest.param(Limit(time_ms=3_600_000), 5, 5, id="the bot's own limit comes before the time"),
        pytest.param(Limit(time_ms=0), 5, 0, id="no time"),
    ],
)
def test_a_search_ends_by_its_limit(limit: Limit, most: int | None, count: int) -> None:
    assert simulations(Budget.of(decision(limit), most)) == count


def test_a_number_of_simulations_is_not_cut_short_by_time() -> None:
    assert simulations(Budget.of(decision(Limit(simulations=7), left_ms=0))) == 7


@pytest.mark.parametrize(
    ("limit_ms", "left_ms", "lag_ms", "takes_ms"),
    [
        pytest.param(30, 10_000, 0, 30, id="the limit is shorter"),
        pytest.param(30_000, 1_000, 0, 400, id="the clock is shorter"),
        pytest.param(30_000, 1_000, 250, 300, id="the way to the server takes time"),
        pytest.param(30_000, 100, 250, budget.LEAST_MS, id="the clock has run out"),
        pytest.param(0, 100, 250, 0, id="no time at all"),
        pytest.param(None, 1_000, 0, 100, id="only a clock"),
        pytest.param(None, None, 0, budget.MOST_MS, id="neither"),
    ],
)
def test_a_search_keeps_to_the_limit_and_to_the_clock(
    limit_ms: int | None, left_ms: int | None, lag_ms: int, takes_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = perf_counter()
    monkeypatch.setattr(budget, "perf_counter", lambda: now_s)
    thinking = Budget.of(decision(Limit(time_ms=limit_ms), left_ms, lag_ms))
    now_s += max(0, takes_ms - 0.5) / 1000
    assert thinking.is_late() == (takes_ms == 0)
    now_s += 0.001
    assert thinking.is_late()


def test_a_search_with_a_limit_ends_before_its_process_is_given_up() -> None:
    assert budget.MOST_SHARE < bot_executor.SHARE


def test_it_knows_how_many_simulations_will_still_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = perf_counter()
    monkeypatch.setattr(budget, "perf_counter", lambda: now_s)
    by_number, by_time = (Budget.of(decision(limit)) for limit in (Limit(simulations=3), Limit(time_ms=100)))
    assert by_time.left() > 1_000_000, "no simulation has shown how long one takes"
    for thinking in (by_number, by_time):
        thinking.spend()
    now_s += 0.02
    assert by_number.left() == 2
    assert by_time.left() == pytest.approx(4)
    now_s += 1
    assert by_time.left() == 0
