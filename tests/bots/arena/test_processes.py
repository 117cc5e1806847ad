"""The processes of an arena: results do not depend on them, and none of them is lost to a bot."""

import re
from collections.abc import Sequence

import faulty_bots
import pytest
from contests import contest

from warroom_bots.arena.contest import Contest
from warroom_bots.arena.processes import Processes, WorkerError
from warroom_bots.arena.results import MatchResult
from warroom_bots.arena.worker import Job

GAME = ("sealed_bids:GAME",)
BOTH_SEATS = range(2)
"""A process that hangs takes seconds to replace, so there are no more matches than a bot needs to sit everywhere."""


def play(settings: Contest, numbers: Sequence[int], processes: int) -> list[MatchResult]:
    """Play some matches of a contest, and return the results in order."""
    pool = Processes(Job(settings, GAME), processes)
    try:
        return sorted(pool.play(map(settings.pairing, numbers)), key=lambda result: result.match)
    finally:
        pool.close()


def untimed(results: Sequence[MatchResult]) -> list[tuple[object, ...]]:
    """Return what does not depend on the clock."""
    return [(each.match, each.bots, each.ranks, each.reason, each.turns, each.moves) for each in results]


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    settings = contest("random", "random", "random", seats=3)
    one, three = play(settings, range(9), 1), play(settings, range(9), 3)
    assert untimed(one) == untimed(three)
    assert [result.match for result in one] == list(range(9))


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(("bot", "kind"), [("hanging", "hang"), ("stubborn", "hang"), ("dying", "died")])
def test_in_a_duel_a_bot_that_stops_its_process_loses_every_match(bot: str, kind: str) -> None:
    settings = contest("random", bot, move_limit_ms=300)
    results = play(settings, BOTH_SEATS, 1)
    for result in results:
        (fault,) = result.faults
        assert (fault.kind, fault.decision) == (kind, faulty_bots.FAILS_AT)
        assert result.bots[fault.seat] == bot
        assert result.ranks[fault.seat] == 2
        assert result.ranks[1 - fault.seat] == 1


@pytest.mark.usefixtures("faulty")
def test_among_three_the_others_play_on_without_the_bots_that_stop_processes() -> None:
    settings = contest("random", "dying", "stubborn", seats=3, move_limit_ms=300, rounds=4)
    first, again = play(settings, range(3), 2), play(settings, range(3), 1)
    assert untimed(first) == untimed(again)
    for result in first:
        assert sorted(fault.kind for fault in result.faults) == ["died", "hang"]
        assert result.ranks[result.bots.index("random")] == 1
        for fault in result.faults:
            assert result.moves[fault.seat] == faulty_bots.FAILS_AT - 1
        assert sum(result.moves) > 2


@pytest.mark.usefixtures("faulty")
def test_a_failing_bot_does_not_change_the_matches_of_others() -> None:
    settings = contest("random", "crashing", "random")
    alone = [number for number in range(6) if 1 not in settings.pairing(number).bots]
    assert untimed(play(settings, alone, 1)) == [
        told for told in untimed(play(settings, range(6), 2)) if told[0] in alone
    ]


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        pytest.param(
            "ENDLESS", r"void: the game hangs: no step within 0\.3 s \(hanging_games\.py, line \d+\)", id="Python"
        ),
        pytest.param("STUBBORN", r"void: the game hangs: no step within 0\.3 s", id="survives interrupts"),
        pytest.param("FATAL", "void: the process ended with code 5 while no bot was thinking", id="ends the process"),
        pytest.param("ILLEGIBLE", r"void: ValueError: no list \(hanging_games\.py, line \d+\)", id="fails a reader"),
    ],
)
def test_a_match_that_its_rules_stop_has_no_result_and_the_next_one_is_played(game: str, reason: str) -> None:
    settings = contest("random", "random", move_limit_ms=300)
    pool = Processes(Job(settings, (f"hanging_games:{game}",), rules_s=0.3), 1)
    try:
        results = list(pool.play(map(settings.pairing, BOTH_SEATS)))
    finally:
        pool.close()
    assert [result.match for result in results] == [0, 1]
    for result in results:
        assert re.fullmatch(reason, result.reason)
        assert (result.is_void, result.faults) == (True, ())


def test_a_process_that_never_plays_ends_the_arena() -> None:
    pool = Processes(Job(contest("random", "no such bot"), GAME), 1)
    try:
        with pytest.raises(WorkerError, match="before its first match"):
            list(pool.play([contest("random", "random").pairing(0)]))
    finally:
        pool.close()
