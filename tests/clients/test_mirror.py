"""The laws of a mirror: after any cuts, losses and repetitions it is right in the end, and never shows half a step."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from stream_model import LIFE, ROOM, Frame, Streams, fingerprint, over_the_wire

from warroom_client import events
from warroom_client.mirror import GAP, WRONG_SUM, Mirror, Reception
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum

LEAVES = st.none() | st.booleans() | st.integers(-5, 300) | st.text(max_size=3)
VIEWS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4)
)
STEPS = st.lists(st.tuples(st.none() | VIEWS, st.none() | VIEWS), max_size=12)
"""Pairs of new views; None leaves a view as it is."""


def entered(streams: Streams) -> Mirror:
    mirror = Mirror("ada")
    for message in streams.resume(None):
        mirror.receive(message, 0)
    return mirror


def advance(streams: Streams, step: tuple[object, object]) -> list[wire.Update | wire.Private]:
    public, private = step
    return streams.step(streams.public if public is None else public, streams.private if private is None else private)


def assert_shows_one_moment(mirror: Mirror, streams: Streams, received: Reception) -> None:
    if any(isinstance(event, events.Updated | events.Refreshed) for event in received.events):
        assert (mirror.p, mirror.q, fingerprint(mirror.public, mirror.private)) in streams.shown


def assert_is_current(mirror: Mirror, streams: Streams) -> None:
    assert mirror.position == wire.Position(LIFE, streams.p, streams.q)
    assert fingerprint(mirror.public, mirror.private) == fingerprint(streams.public, streams.private)
    assert (mirror.clock.turn, mirror.clock.deadline) == (streams.clock().turn, streams.clock().deadline)


@fewer(2)
@given(STEPS)
def test_the_copy_follows_every_step_and_shows_joint_changes_as_one(steps: list[tuple[object, object]]) -> None:
    streams = Streams()
    mirror = entered(streams)
    for step in steps:
        for frame in advance(streams, step):
            received = mirror.receive(frame, 0)
            assert received.resync is None
            assert_shows_one_moment(mirror, streams, received)
        assert_is_current(mirror, streams)


@fewer(2)
@given(STEPS, st.data())
def test_a_cut_at_any_frame_loses_nothing_and_repeats_nothing(
    steps: list[tuple[object, object]], data: st.DataObject
) -> None:
    streams = Streams()
    mirror = entered(streams)
    updates = 0
    for step in steps:
        frames = advance(streams, step)
        arriving: Sequence[Frame] = frames[: data.draw(st.integers(0, len(frames)))]
        if len(arriving) < len(frames):
            for frame in arriving:
                updates += len(mirror.receive(frame, 0).events)
            arriving = streams.resume(mirror.position)
        for frame in arriving:
            received = mirror.receive(frame, 0)
            assert received.resync is None
            updates += len(received.events)
        assert_is_current(mirror, streams)
    assert updates == len([f for f in streams.frames if not (isinstance(f, wire.Private) and f.joint)])


@fewer(2)
@given(STEPS, st.data())
def test_lost_updates_and_repeated_frames_heal_by_one_snapshot_each(
    steps: list[tuple[object, object]], data: st.DataObject
) -> None:
    streams = Streams()
    mirror = entered(streams)
    for step in steps:
        for frame in advance(streams, step):
            # A slow viewer is left out of public updates only: what is its own always comes.
            fewest = 1 if isinstance(frame, wire.Private) else 0
            for _ in range(data.draw(st.integers(fewest, 2), label="deliveries")):
                received = mirror.receive(frame, 0)
                assert_shows_one_moment(mirror, streams, received)
                if received.resync:
                    assert received.resync == GAP
                    assert_shows_one_moment(mirror, streams, mirror.receive(streams.snapshot(), 0))
    mirror.receive(streams.snapshot(), 0)
    assert_is_current(mirror, streams)


def test_a_joint_private_change_waits_for_its_update() -> None:
    streams = Streams({"bids": 0}, {"hand": [1, 2]})
    mirror = entered(streams)
    private, update = streams.step({"bids": 1}, {"hand": [2]})

    assert mirror.receive(private, 0).events == ()
    assert mirror.private == {"hand": [1, 2]}
    assert mirror.receive(update, 0).events == (events.Updated(("all",), ("mine",)),)
    assert (mirror.public, mirror.private) == ({"bids": 1}, {"hand": [2]})


def test_a_held_change_is_not_part_of_the_position() -> None:
    streams = Streams({"bids": 0}, {"hand": [1, 2]})
    mirror = entered(streams)
    private, _ = streams.step({"bids": 1}, {"hand": [2]})
    mirror.receive(private, 0)
    assert mirror.position == wire.Position(LIFE, 0, 0)


def test_steps_between_a_gap_and_the_snapshot_are_passed_over() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    streams.step({"n": 1}, None)
    (second,) = streams.step({"n": 2}, None)
    (third,) = streams.step({"n": 3}, None)

    assert mirror.receive(second, 0) == Reception((), GAP)
    assert mirror.position is None
    assert mirror.receive(third, 0) == Reception()
    assert mirror.receive(streams.snapshot(), 0).events == (events.Refreshed(),)
    assert mirror.public == {"n": 3}


def wrong(update: Frame) -> wire.Update:
    assert isinstance(update, wire.Update)
    assert update.sum is not None
    return wire.Update(update.room, update.p, update.patch, update.events, update.clock, update.sum ^ 1)


def test_a_wrong_sum_asks_for_a_snapshot_and_a_right_one_forgets_it() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    for n in range(1, 6):
        received = mirror.receive(wrong(streams.step({"n": -n}, None)[0]), 0)
        assert received.resync == WRONG_SUM
        mirror.receive(streams.snapshot(), 0)
        assert mirror.receive(streams.step({"n": n}, None)[0], 0).resync is None
    assert not mirror.has_drifted


def test_after_two_wrong_sums_in_a_row_the_drift_is_reported_and_nothing_more_asked() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    first = mirror.receive(wrong(streams.step({"n": 1}, None)[0]), 0)
    mirror.receive(streams.snapshot(), 0)
    second = mirror.receive(wrong(streams.step({"n": 2}, None)[0]), 0)
    third = mirror.receive(wrong(streams.step({"n": 3}, None)[0]), 0)

    assert first.resync == WRONG_SUM
    assert second == Reception((events.Updated(("all",)), events.Drifted()))
    assert third == Reception((events.Updated(("all",)),))
    assert mirror.has_drifted
    assert mirror.public == {"n": 3}


def test_a_patch_that_does_not_fit_counts_as_a_wrong_sum() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    misfit = wire.Update(ROOM, 1, [(("no", "such"), 1)], (), streams.clock(), None)
    assert mirror.receive(over_the_wire(misfit), 0).resync == WRONG_SUM


def test_a_snapshot_whose_sum_is_wrong_is_shown_and_asked_for_again() -> None:
    mirror = Mirror()
    bad = wire.Snapshot(ROOM, LIFE, 1, 0, {"n": 1}, None, wire.Clock(0, 0, None), 5, checksum(None))
    received = mirror.receive(bad, 0)
    assert received == Reception((events.Refreshed(),), WRONG_SUM)
    assert mirror.receive(bad, 0) == Reception((events.Refreshed(), events.Drifted()))


def test_the_countdown_runs_with_the_local_clock_and_stands_while_the_room_is_paused() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    mirror.receive(streams.step({"n": 1}, None)[0], 500)
    assert mirror.remaining_ms(500) == 30_000
    assert mirror.remaining_ms(2_500) == 28_000
    assert mirror.receive(wire.Paused(ROOM, 3_500, "store"), 3_000).events == (events.Paused("store"),)
    assert mirror.remaining_ms(9_000) == 27_500
    assert mirror.receive(wire.Paused(ROOM, 3_500, None), 9_000).events == (events.Unpaused(),)
    assert mirror.remaining_ms(10_000) == 26_500
    assert mirror.remaining_ms(99_000) == 0


def test_time_runs_on_through_updates_without_a_clock() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    mirror.receive(streams.step({"n": 1}, None)[0], 500)
    mirror.receive(wire.Prompt(ROOM, 0, 1, 1_000, 20_000), 500)
    mirror.receive(streams.step({"n": 2}, None)[0], 1_500)
    assert (mirror.clock.turn, mirror.remaining_ms(1_500), mirror.decision_ms(1_500)) == (1, 29_000, 18_000)


def test_a_repeated_prompt_is_no_news_but_the_next_decision_is() -> None:
    mirror = entered(Streams({"n": 0}))
    prompt = wire.Prompt(ROOM, 1, 4, 1_000, 3_000)
    assert mirror.receive(prompt, 0).events == (events.Prompted(4, 2_000),)
    assert mirror.receive(prompt, 0).events == ()
    mirror.answered(4)
    assert mirror.prompt is None
    assert mirror.receive(wire.Prompt(ROOM, 1, 5, 1_000, 3_000), 0).events == (events.Prompted(5, 2_000),)


def test_a_new_turn_of_the_game_forgets_the_prompt_of_the_old_one() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    mirror.receive(wire.Prompt(ROOM, 0, 1, 0, 30_000), 0)
    mirror.receive(streams.step({"n": 1}, None)[0], 0)
    assert mirror.prompt is None


def test_a_time_out_of_the_own_seat_forgets_its_prompt_and_that_of_another_does_not() -> None:
    mirror = entered(Streams({"n": 0}))
    receipt = wire.Receipt(1_000, 0, None, 1_001)
    mirror.receive(wire.Prompt(ROOM, 0, 1, 0, 1_000), 0)
    assert mirror.receive(wire.Expired(ROOM, 1, 1, receipt), 0).events == (events.TimedOut(1, receipt),)
    assert mirror.prompt is not None
    mirror.receive(wire.Expired(ROOM, 0, 1, receipt), 0)
    assert mirror.prompt is None


def test_a_decision_not_prompted_again_after_a_resume_was_made_elsewhere() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    asked = wire.Prompt(ROOM, 0, 1, 0, 30_000)
    seats = wire.Seats(ROOM, "playing", "ada", (wire.SeatState(0, "ada", "Ada", True, False),), 0)
    for is_open in (True, False):
        mirror.receive(asked, 0)
        for resumed in streams.resume(mirror.position):
            mirror.receive(resumed, 0)
            assert mirror.prompt == asked
        if is_open:
            mirror.receive(asked, 0)
        mirror.receive(seats, 0)
        assert mirror.prompt == (asked if is_open else None)


def test_the_own_seat_is_found_by_player_id_when_seats_are_dealt() -> None:
    mirror = entered(Streams())
    dealt = (wire.SeatState(0, "bob", "Bob", True, False), wire.SeatState(1, "ada", "Ada", True, False))
    assert mirror.seat == 0
    mirror.receive(wire.Seats(ROOM, "playing", "bob", dealt, 2), 0)
    assert (mirror.seat, mirror.phase, mirror.watching) == (1, "playing", 2)


def test_a_borrowed_seat_token_follows_its_seat_when_seats_are_dealt() -> None:
    mirror = Mirror()
    streams = Streams({"n": 0})
    for message in streams.resume(None):
        mirror.receive(message, 0)
    ada, bob = wire.SeatState(0, "ada", "Ada", True, False), wire.SeatState(1, "bob", "Bob", True, False)
    mirror.receive(wire.Seats(ROOM, "lobby", "ada", (ada, bob), 0), 0)
    assert (mirror.player, mirror.seat) == ("ada", 0)
    dealt = (wire.SeatState(0, "bob", "Bob", True, False), wire.SeatState(1, "ada", "Ada", True, False))
    mirror.receive(wire.Seats(ROOM, "playing", "ada", dealt, 0), 0)
    assert (mirror.player, mirror.seat) == ("ada", 1)


@pytest.mark.parametrize(("phase", "seat"), [("lobby", None), ("playing", 0)])
def test_a_seat_left_elsewhere_before_the_match_is_free_then_anothers(phase: str, seat: int | None) -> None:
    mirror = entered(Streams())
    for player in (None, "eve"):
        mirror.receive(wire.Seats(ROOM, phase, None, (wire.SeatState(0, player, "", False, False),), 1), 0)
        assert mirror.seat == seat


def test_a_spectator_whose_id_sits_at_the_table_stays_a_spectator() -> None:
    mirror = Mirror("ada")
    mirror.receive(wire.Seats(ROOM, "playing", None, (wire.SeatState(1, "ada", "Ada", True, False),), 1), 0)
    assert mirror.seat is None


def test_the_end_is_announced_once_and_stops_the_countdown() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    ended = wire.Ended(ROOM, (2, 1), "victory", "00", "11")
    assert mirror.receive(ended, 0).events == (events.Ended((2, 1), "victory", "00", "11"),)
    assert mirror.receive(ended, 0).events == ()
    assert (mirror.phase, mirror.remaining_ms(0)) == ("ended", None)


def test_a_resume_into_another_life_asks_for_a_snapshot() -> None:
    streams = Streams({"n": 0})
    mirror = entered(streams)
    resumed = streams.resume(mirror.position)[0]
    assert isinstance(resumed, wire.Resumed)
    other = wire.Resumed(1, ROOM, resumed.code, LIFE + 1, 0, None, resumed.about)
    assert mirror.receive(other, 0).resync == GAP
