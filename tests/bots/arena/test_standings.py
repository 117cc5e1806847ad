"""What results say about each bot."""

import pytest
from contests import contest, played, won_by

from warroom_bots.arena.results import Fault, MatchResult
from warroom_bots.arena.standings import ahead, sequential_test, standings
from warroom_bots.arena.statistics import Sprt

DUEL = contest("a", "b")


def test_wins_draws_and_losses_are_counted_and_the_best_comes_first() -> None:
    best, other = standings(DUEL, won_by(DUEL, ["b", "b", None, "a"]))
    assert (best.name, best.games, best.wins, best.draws, best.losses) == ("b", 4, 2, 1, 1)
    assert (other.name, other.games, other.wins, other.draws, other.losses) == ("a", 4, 1, 1, 2)
    assert best.score.mean == 0.625
    assert best.mean_rank == 1.25
    assert best.rating > other.rating


def test_a_stronger_bot_gets_a_higher_rating_and_every_match_makes_it_surer() -> None:
    few, many = standings(DUEL, won_by(DUEL, ["a"] * 4))[0], standings(DUEL, won_by(DUEL, ["a"] * 40))[0]
    assert many.rating > few.rating
    assert many.sigma < few.sigma


def test_the_order_of_the_matches_hardly_changes_the_ratings() -> None:
    early, late = won_by(DUEL, ["a"] * 30 + ["b"] * 20), won_by(DUEL, ["b"] * 20 + ["a"] * 30)
    (first, _), (second, _) = standings(DUEL, early), standings(DUEL, late)
    assert first.name == second.name == "a"
    assert min(first.rating, second.rating) > 25
    assert first.rating == pytest.approx(second.rating, abs=first.sigma / 2)


def test_every_seat_of_a_bot_is_a_game() -> None:
    settings = contest("a", "b", seats=3)
    results = [played(settings, 0, [1, 2, 3]), played(settings, 1, [1, 2, 3])]
    assert sum(standing.games for standing in standings(settings, results)) == 6
    assert {standing.games for standing in standings(settings, results)} == {3}


def test_a_shared_victory_among_three_is_a_third_of_one() -> None:
    settings = contest("a", "b", "c", seats=3)
    for standing in standings(settings, [played(settings, 0, [1, 1, 1])]):
        assert standing.score.mean == pytest.approx(1 / 3)
        assert standing.draws == 1


def test_errors_are_counted_by_kind() -> None:
    result = played(DUEL, 0, [2, 1])
    loser = result.bots[0]
    failed = MatchResult(
        match=0, bots=result.bots, ranks=(2, 1), reason="resigned", faults=(Fault(0, "crash", 3, "KeyError: 5"),)
    )
    found = {standing.name: standing for standing in standings(DUEL, [failed, played(DUEL, 1, [1, 2])])}
    assert found[loser].errors == 1
    assert found[loser].error_kinds == {"crash": 1}
    assert found[loser].last_error == "crash at decision 3: KeyError: 5"
    assert found[loser].ms_per_move == 0.5
    assert found[loser].slowest_ms == 0.75
    assert sum(standing.errors for standing in found.values()) == 1


def test_a_match_without_a_result_counts_for_nobody() -> None:
    void = MatchResult(match=0, bots=("a", "b"), ranks=(), reason="void: KeyError")
    assert [standing.games for standing in standings(DUEL, [void])] == [0, 0]
    assert ahead(DUEL, [void]) == {}


def test_bots_are_compared_where_they_met() -> None:
    settings = contest("a", "b", "c", seats=2)
    results = won_by(settings, ["a", "a", "b", "b", None, None])
    met = ahead(settings, results)
    assert len(met) == 6
    for (one, other), (share, count) in met.items():
        assert count == 2
        assert share == 1 - met[other, one][0]


def test_the_test_looks_only_at_whole_pairs_in_their_order() -> None:
    results = won_by(DUEL, ["a"] * 40)
    ended = sequential_test(DUEL, Sprt(), results)
    assert ended.verdict == "stronger"
    assert ended.matches == 18  # 17 wins reach the bound, and pairs are counted whole
    gap = [result for result in results if result.match != 5]
    assert sequential_test(DUEL, Sprt(), gap).matches == 4
    assert sequential_test(DUEL, Sprt(), gap).verdict is None
    assert sequential_test(DUEL, Sprt(), []).ratio == 0


def test_the_weaker_bot_is_not_shown_to_be_stronger() -> None:
    assert sequential_test(DUEL, Sprt(), won_by(DUEL, ["b"] * 40)).verdict == "not stronger"
