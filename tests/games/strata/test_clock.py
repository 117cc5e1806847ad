"""§6.5 in a room: the clock plays the time-out, and a player cannot."""

import msgspec
from room_table import Table, only
from strata_positions import at, shown

from warroom_games.strata.actions import Place, TimeOut
from warroom_games.strata.rules import GAME
from warroom_protocol.messages import Verdict


def test_a_player_cannot_play_the_time_out() -> None:
    table = Table.playing(GAME)
    before = table.room.match.state
    verdict = only(table.act(0, TimeOut()).sent(0), Verdict)
    assert (verdict.code, verdict.detail) == (
        "act.clock_only", "time_out is reserved for the clock"
    )  # fmt: skip
    assert table.room.match.state == before


def test_the_clock_does_the_duties_and_ends_the_turn() -> None:
    table = Table.playing(GAME, turn_ms=30_000)
    table.act(0, Place(at(0, 2, 2)), at=1_000)
    assert table.expire(30_000).acted == []
    assert table.expire(30_001).acted == [(0, "clock")]
    state = table.room.match.state
    assert (state.seat, shown(state)) == (1, {at(0, 2, 2): "A1*1"})


def test_a_match_left_alone_is_played_to_its_end_by_the_clock() -> None:
    table = Table.playing(GAME, turn_ms=1_000, options={"max_turns": 6})
    acted = [pair for second in range(1, 7) for pair in table.expire(second * 1_001).acted]
    assert acted == [(0, "clock"), (1, "clock")] * 3
    assert table.room.is_over
    assert msgspec.to_builtins(table.room.match.result) == {"ranks": (1, 1), "reason": "cap"}
