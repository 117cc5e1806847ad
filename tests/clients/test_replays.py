"""Iterating over a finished match as one viewer saw it."""

import pytest

from warroom_client import Ended, Updated
from warroom_client.replays import steps
from warroom_protocol import messages as wire
from warroom_protocol.codec import encode
from warroom_protocol.errors import DecodeError
from warroom_protocol.view_replay import ActedFor, ViewReplay

ROOM = 7
ABOUT = wire.About("bids", 1, 2, {}, {}, "00")
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")
BEGIN = wire.Update(ROOM, 1, [((), {"n": 0})], (), wire.Clock(5, 1, 35), None)
HAND = wire.Private(ROOM, 1, 1, True, [((), {"hand": [3]})], ({"type": "dealt"},), None)
STEP = wire.Update(ROOM, 2, [(("n",), 1)], ({"type": "counted"},), None, None)


def replay(*frames: wire.ServerMessage, seat: int | None = None, acted_for: tuple[ActedFor, ...] = ()) -> ViewReplay:
    return ViewReplay(ROOM, ABOUT, seat, tuple(map(encode, frames)), END, acted_for, tuple(range(5, 5 + len(frames))))


def test_a_view_is_gone_through_from_nothing_to_the_end() -> None:
    begun, moved, ended = steps(replay(HAND, BEGIN, STEP, seat=0))
    assert (begun.public, begun.private, begun.turn, begun.at) == ({"n": 0}, {"hand": [3]}, 1, 6)
    assert begun.events == (Updated((), ({"type": "dealt"},)),)
    assert (moved.public, moved.private, moved.turn, moved.at) == ({"n": 1}, {"hand": [3]}, 1, 7)
    assert ended.events == (Ended((1, 2), "victory", "00", "11"),)


def test_each_step_has_the_actions_that_others_made_for_a_seat() -> None:
    hidden, shown, unresolved = ActedFor(1, 0, "stand-in"), ActedFor(2, 1, "clock"), ActedFor(3, 0, "clock")
    view = replay(HAND, BEGIN, STEP, seat=0, acted_for=(hidden, shown, unresolved))
    assert [step.acted_for for step in steps(view)] == [(hidden,), (shown,), (unresolved,)]


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        pytest.param((STEP,), r"frame 0 does not follow .*\(view\.gap\)", id="a gap"),
        pytest.param((BEGIN, BEGIN, END), "frame 2 is neither update nor private", id="another message"),
    ],
)
def test_an_unknown_view_is_refused(frames: tuple[wire.ServerMessage, ...], why: str) -> None:
    with pytest.raises(DecodeError, match=why):
        list(steps(replay(*frames)))
