"""How long a search thinks about a decision."""

import pytest

from warroom_bots.api import Decision, Limit
from warroom_bots.search.budget import Budget


def decision(limit: Limit, left_ms: int | None = None) -> Decision:
    return Decision(0, None, None, ({"type": "pass"},), complete=True, limit=limit, left_ms=left_ms)


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
