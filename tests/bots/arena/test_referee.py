"""One match: a bot that fails loses it, and the others go on."""

import re
from collections.abc import Mapping, Sequence

import faulty_bots
import pytest
import sealed_bids
from contests import contest

from warroom_bots.api import BotKind
from warroom_bots.arena.contest import Contest
from warroom_bots.arena.move_board import MoveBoard, own_cells
from warroom_bots.arena.referee import Referee, Timekeeper
from warroom_bots.arena.results import Fault, MatchResult
from warroom_bots.move_clock import MoveClock
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.simulation import simulate

THREE = contest("a", "b", "c", seats=3)


def play(settings: Contest, kinds: Sequence[BotKind], known: Mapping[int, Fault] | None = None) -> MatchResult:
    """Play the first match of a contest, with these bots by seat."""
    keeper = Timekeeper(settings.seats, MoveBoard(own_cells(settings.seats)), known or {}, MoveClock())
    return Referee(settings, sealed_bids.GAME, kinds, settings.pairing(0), keeper).play()


def test_a_match_is_the_one_that_simulate_plays() -> None:
    result = play(THREE, [RANDOM] * 3)
    expected = simulate(sealed_bids.GAME, [RANDOM] * 3, seed="1 0", options=THREE.options)
    assert result.ranks == expected.result.ranks
    assert (result.reason, result.turns) == (expected.result.reason, expected.turns)
    assert sum(result.moves) == len(expected.moves)
    assert result.faults == ()
    assert all(0 < slowest <= total for slowest, total in zip(result.slowest_ms, result.think_ms, strict=True))


@pytest.mark.parametrize(
    ("kind", "fault", "detail"),
    [
        pytest.param(faulty_bots.CRASHING, "crash", "ZeroDivisionError", id="raises"),
        pytest.param(faulty_bots.LEAVING, "crash", "SystemExit: enough", id="exits"),
        pytest.param(faulty_bots.SILENT, "crash", "UntellableError (faulty_bots.py", id="raises what has no message"),
        pytest.param(faulty_bots.CHEATING, "illegal", "not an action of sealed_bids", id="unknown action"),
        pytest.param(faulty_bots.MUMBLING, "illegal", "not an action of sealed_bids", id="no action at all"),
    ],
)
@pytest.mark.parametrize("seat", [0, 2])
def test_a_bot_that_fails_is_last_and_the_others_go_on(kind: BotKind, fault: str, detail: str, seat: int) -> None:
    kinds = [RANDOM] * 3
    kinds[seat] = kind
    result = play(THREE, kinds)
    (found,) = result.faults
    assert (found.seat, found.kind, found.decision) == (seat, fault, faulty_bots.FAILS_AT)
    assert detail in found.detail
    assert result.ranks[seat] == 3
    assert all(result.moves[other] >= 2 for other in range(3) if other != seat)
    assert result.turns == 2


def test_a_bot_that_cannot_be_made_leaves_before_the_match() -> None:
    result = play(THREE, [RANDOM, faulty_bots.UNBORN, RANDOM])
    (fault,) = result.faults
    assert (fault.seat, fault.kind, fault.decision) == (1, "crash", 0)
    assert re.fullmatch(r"RuntimeError: no licence \(faulty_bots.py, line \d+\)", fault.detail)
    assert result.ranks[1] == 3
    assert result.moves[1] == 0


def test_the_first_of_two_that_fail_is_last() -> None:
    result = play(THREE, [faulty_bots.CRASHING, RANDOM, faulty_bots.UNBORN])
    assert result.ranks == (2, 1, 3)


def test_in_a_duel_the_other_one_wins() -> None:
    result = play(contest("a", "b"), [faulty_bots.CRASHING, RANDOM])
    assert result.ranks == (2, 1)


def test_if_all_fail_the_last_to_fail_is_first() -> None:
    result = play(THREE, [faulty_bots.UNBORN] * 3)
    assert sorted(result.ranks) == [1, 2, 3]
    assert result.ranks[0] == 3


def test_a_known_fault_is_not_tried_again() -> None:
    known = Fault(1, "hang", 2, "no move within 1 s")
    result = play(THREE, [RANDOM, faulty_bots.HANGING, RANDOM], {1: known})
    assert result.faults == (known,)
    assert result.ranks[1] == 3
    assert result.moves[1] == 1
