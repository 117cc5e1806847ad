"""What the view of a finished match contains besides its frames: who acted, if it was not the player."""

import pytest
from msgspec.structs import replace
from replays import stood_in_match
from sealed_bids import GAME

from warroom_games.replay import entries
from warroom_protocol.codec import decode_server
from warroom_protocol.errors import ViewReplayError
from warroom_protocol.messages import Private, Update
from warroom_protocol.view_replay import ActedFor, ViewReplay, read_view, write_view
from warroom_server.room.replay_view import ReplayView

ADA, BOB = 0, 1


def view(player: str | None, *, reveal_s: int = 0) -> ViewReplay:
    view = ReplayView(GAME, entries(stood_in_match(reveal_s=reveal_s)), player)
    for _ in view.run():
        pass
    return read_view(write_view(view.result()))


def noted(seen: ViewReplay) -> list[tuple[int, str]]:
    return [(each.seat, each.by) for each in seen.acted_for]


def frame(seen: ViewReplay, acted: ActedFor) -> Update | Private:
    message = decode_server(seen.frames[acted.frame])
    assert isinstance(message, Update | Private)
    return message


def test_actions_of_a_stand_in_and_of_the_clock_are_noted() -> None:
    assert noted(view(None)) == noted(view("ada")) == noted(view("bob")) == [(BOB, "stand-in"), (ADA, "clock")]


def test_each_frame_has_the_time_at_which_it_was_sent() -> None:
    public, own = view(None), view("bob")
    for seen in (public, own):
        assert len(seen.times) == len(seen.frames)
        assert list(seen.times) == sorted(seen.times)
        for data, at in zip(seen.frames, seen.times, strict=True):
            message = decode_server(data)
            assert not isinstance(message, Update) or message.clock is None or message.clock.at == at
    assert set(public.times) < set(own.times)  # a hidden action has a frame, and a time, for its own seat alone


def test_times_that_do_not_fit_the_frames_are_damage() -> None:
    seen = view(None)
    with pytest.raises(ViewReplayError, match="1 times of"):
        read_view(write_view(replace(seen, times=(1,))))


def test_a_hidden_action_is_noted_at_the_next_frame_that_the_viewer_got() -> None:
    public, own = view(None), view("bob")
    assert [acted.frame for acted in public.acted_for] == [len(public.frames) - 1] * 2
    bid, resolution = (frame(own, acted) for acted in own.acted_for)
    assert isinstance(bid, Private)
    assert not bid.joint  # only its own seat saw it
    assert isinstance(resolution, Private)
    assert resolution.joint


@pytest.mark.parametrize(
    ("player", "own"), [(None, []), ("ada", [(ADA, "clock")]), ("bob", [(BOB, "stand-in")])], ids=str
)
def test_a_room_that_reveals_later_notes_the_own_seat_alone(player: str | None, own: list[tuple[int, str]]) -> None:
    assert noted(view(player, reveal_s=60)) == own
