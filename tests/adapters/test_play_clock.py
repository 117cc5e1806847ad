"""Milliseconds of play: exact while the loop turns, standing still while it does not."""

import asyncio
import time
from pathlib import Path

from wait_until import until

from warroom_server.adapters.entropy import SystemEntropy
from warroom_server.adapters.play_clock import STALL_MS, PlayClock

MS = 1_000_000


class Reading:
    """A hardware clock that a test sets."""

    def __init__(self) -> None:
        self.ns = 5_000 * MS

    def __call__(self) -> int:
        return self.ns

    def pass_ms(self, delay: float) -> None:
        self.ns += round(delay * MS)


def started() -> tuple[PlayClock, Reading]:
    reading = Reading()
    return PlayClock(reading), reading


def test_time_runs_while_the_loop_turns() -> None:
    clock, reading = started()
    for beat in range(1, 101):
        reading.pass_ms(25)
        clock.beat()
        assert clock.now() == 25 * beat
    assert clock.stalls == 0


def test_fifty_milliseconds_between_beats_are_no_stall() -> None:
    clock, reading = started()
    reading.pass_ms(50)
    assert clock.now() == 50
    clock.beat()
    assert (clock.now(), clock.stalls) == (50, 0)


def test_a_stall_is_not_counted() -> None:
    clock, reading = started()
    reading.pass_ms(20)
    assert clock.now() == 20
    reading.pass_ms(480)
    clock.beat()
    reading.pass_ms(3)
    assert clock.now() == 23
    assert (clock.stalls, clock.stalled_ms) == (1, 500)


def test_bytes_read_after_a_stall_but_before_the_beat_have_the_time_at_which_it_began() -> None:
    clock, reading = started()
    reading.pass_ms(10)
    assert clock.now() == 10
    reading.pass_ms(300)
    assert clock.now() == 10
    reading.pass_ms(5)
    assert clock.now() == 10
    clock.beat()
    reading.pass_ms(5)
    assert clock.now() == 15


def test_a_busy_turn_stands_still_after_fifty_milliseconds_and_never_goes_back() -> None:
    clock, reading = started()
    seen = []
    for _ in range(20):
        reading.pass_ms(10)
        seen.append(clock.now())
    assert seen == [10, 20, 30, 40, 50] + [50] * 15


def test_parts_of_a_millisecond_are_not_lost() -> None:
    clock, reading = started()
    for _ in range(1_000):
        reading.pass_ms(0.3)
        clock.beat()
    assert clock.now() == 300


async def test_it_beats_by_itself() -> None:
    clock = PlayClock()
    clock.start()
    began = clock.now()
    await until(lambda: clock.now() > began + 2 * STALL_MS)  # without beats it stands still after STALL_MS
    clock.stop()


async def test_blocking_the_loop_stops_the_clock() -> None:
    clock = PlayClock()
    clock.start()
    before = clock.now()
    time.sleep(0.2)  # noqa: ASYNC251 - the stall itself
    assert clock.now() == before
    await until(lambda: clock.stalls >= 1)
    assert clock.stalled_ms >= 200
    clock.stop()


async def test_a_stopped_clock_comes_to_stand() -> None:
    reading = Reading()
    clock = PlayClock(reading)
    clock.start()
    clock.stop()
    clock.stop()
    await asyncio.sleep(0)
    reading.pass_ms(1_000)
    assert clock.now() == 0


def test_the_wall_clock_is_the_systems() -> None:
    before = time.time_ns() // MS
    assert before <= PlayClock().wall_ms() <= time.time_ns() // MS


def test_entropy_is_fresh() -> None:
    drawn = [SystemEntropy().bytes(16) for _ in range(100)]
    assert len(set(drawn)) == 100
    assert {len(key) for key in drawn} == {16}


def test_who_tests_may_turn_the_wall_clock_while_the_play_clock_goes_on(tmp_path: Path) -> None:
    offset = tmp_path / "offset"
    clock, right = PlayClock(lambda: 7 * MS, offset_file=offset), PlayClock()
    assert abs(clock.wall_ms() - right.wall_ms()) < 60_000
    offset.write_text("-86400000")
    assert abs(clock.wall_ms() + 86_400_000 - right.wall_ms()) < 60_000
    assert clock.now() == 0
