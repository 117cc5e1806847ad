"""A room that moves between nodes: whatever breaks, nothing is lost, played twice or left waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moving_room import PATIENCE_S, MovingCase, in_virtual_time, settle
from stream_model import ROOM
from wait_until import until

from warroom_client import (
    ClientError,
    Disconnected,
    DisconnectedError,
    Noticed,
    Paused,
    Reconnected,
    RejectedError,
    Unpaused,
)
from warroom_client.room_entry import ANSWER_S, LONGEST_S
from warroom_protocol import codes
from warroom_protocol import messages as wire


async def _wait(case: MovingCase) -> None:
    await asyncio.sleep(1.2 * ANSWER_S)


def _at_once(happen: Callable[[MovingCase], None]) -> Callable[[MovingCase], Awaitable[None]]:
    async def happens(case: MovingCase) -> None:
        happen(case)

    return happens


STEPS: dict[str, Callable[[MovingCase], Awaitable[None]]] = {
    "serve": _at_once(lambda case: case.server.serve()),
    "swallow": _at_once(lambda case: case.server.swallow()),
    "swallow after storing": _at_once(lambda case: case.server.swallow(applies=True)),
    "refuse: moving": _at_once(lambda case: case.server.refuse(codes.ROOM_MOVING)),
    "refuse: busy": _at_once(lambda case: case.server.refuse(codes.ROOM_BUSY)),
    "die": _at_once(lambda case: case.server.die()),
    "move": _at_once(lambda case: case.server.move()),
    "moved again": _at_once(lambda case: case.server.repeat_moved()),
    "cut": _at_once(lambda case: case.server.cut()),
    "step": _at_once(lambda case: case.server.step()),
    "act": _at_once(lambda case: case.act()),
    "ask": _at_once(lambda case: case.ask()),
    "say": _at_once(lambda case: case.say()),
    "wait": _wait,
}


STEPS_TO_DRAW = st.sampled_from(sorted(STEPS)) | st.sampled_from(["act", "serve"])
"""Acting and serving are drawn more often; otherwise little happens."""


def play(steps: Sequence[tuple[str, bool]], *, reading_turns: int = 0) -> None:
    """Apply *steps* to a client that enters a room, each with or without a pause; then let everything recover."""

    async def run(case: MovingCase) -> None:
        for step, rests in steps:
            await STEPS[step](case)
            if rests:
                await settle()
        await case.finish()

    in_virtual_time(run, reading_turns=reading_turns)


async def entered(case: MovingCase) -> None:
    """Let the client into the room."""
    case.server.serve()
    await settle()


async def moved(case: MovingCase) -> None:
    """Let the room move; the client has sent its request to enter it again."""
    case.server.die()
    case.server.move()
    await settle()


@given(st.lists(st.tuples(STEPS_TO_DRAW, st.booleans()), max_size=60), st.sampled_from([0, 3]))
def test_whatever_happens_each_action_has_one_verdict_and_the_copy_is_right(
    steps: list[tuple[str, bool]], reading_turns: int
) -> None:
    play(steps, reading_turns=reading_turns)


WAY_BACK = [
    "serve",
    "act",
    "serve",
    "step",
    "act",
    "say",
    "ask",
    "die",
    "act",
    "move",
    "serve",
    "serve",
    "serve",
    "step",
]
"""A room is entered, played in, lost and entered again."""
DISTURBANCES: tuple[Sequence[str], ...] = (
    ["cut"],
    ["die"],
    ["die", "move"],
    ["moved again"],
    ["moved again", "moved again"],
    ["swallow", "wait"],
    ["swallow after storing", "cut"],
    ["refuse: moving"],
    ["refuse: busy", "moved again"],
    ["wait"],
)


@pytest.mark.parametrize("rests", [True, False], ids=["rested", "hasty"])
@pytest.mark.parametrize("disturbance", DISTURBANCES, ids=", ".join)
def test_a_way_back_may_be_disturbed_at_every_point(disturbance: Sequence[str], rests: bool) -> None:
    for point in range(len(WAY_BACK) + 1):
        steps = [*WAY_BACK[:point], *disturbance, *WAY_BACK[point:]]
        for reading_turns in (0, 3):
            play([(step, rests) for step in steps], reading_turns=reading_turns)


def test_a_room_that_moves_right_behind_the_answer_is_entered_once_more() -> None:
    steps = [("serve", True), ("moved again", True), ("serve", False), ("moved again", True)]
    play(steps, reading_turns=3)


def test_an_action_whose_verdict_comes_with_the_answer_is_not_sent_again() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        case.act()
        await settle()
        case.server.swallow(applies=True)
        case.server.move()
        await settle()
        await entered(case)
        assert not case.server.wire.inbox
        await case.finish()

    in_virtual_time(run, reading_turns=3)


# --- the first entry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "disturbance",
    [
        ["swallow", "move", "wait"],
        ["refuse: moving"],
        ["cut"],
        ["moved again"],
        ["moved again", "serve", "moved again"],  # the answer to the first attempt comes before the second
    ],
    ids=", ".join,
)
def test_a_lost_first_entry_is_sent_again(disturbance: list[str]) -> None:
    play([(step, True) for step in (*disturbance, "wait", "serve", "act", "serve")])


def test_an_unanswered_first_entry_fails_after_the_time_limit() -> None:
    async def run(case: MovingCase) -> None:
        began = asyncio.get_running_loop().time()
        with pytest.raises(DisconnectedError, match=f"room 0000007 gave no answer for {PATIENCE_S:g} s"):
            await case.entering
        assert asyncio.get_running_loop().time() - began < PATIENCE_S + 2 * ANSWER_S
        assert case.session.rooms == {}
        await case.close()

    in_virtual_time(run)


def test_a_first_entry_into_a_room_that_moves_for_too_long_fails_with_the_refusal() -> None:
    async def run(case: MovingCase) -> None:
        while not case.entering.done():
            case.server.refuse(codes.ROOM_MOVING)
            await asyncio.sleep(LONGEST_S)
        with pytest.raises(RejectedError) as refused:
            case.entering.result()
        assert refused.value.code == codes.ROOM_MOVING
        await case.close()

    in_virtual_time(run)


# --- a room that moved ----------------------------------------------------------------------------------------------


def test_what_was_asked_of_a_room_that_moved_is_refused_at_once() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        room = case.room
        asked = [
            asyncio.ensure_future(request)
            for request in (
                room.legal(), room.say("hello"), room.fill(), room.kick(1), room.start(), room.resign(),
                room.reclaim(), room.offer("draw"), room.mute("bob"),
            )
        ]  # fmt: skip
        await settle()
        await moved(case)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        late = await asyncio.gather(room.say("hello"), return_exceptions=True)
        for answer in (*answers, *late):
            assert isinstance(answer, RejectedError)
            assert answer.code == codes.ROOM_MOVING
        await case.close()

    in_virtual_time(run)


def test_requests_made_meanwhile_are_sent_once_the_room_is_entered_again() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        asking = asyncio.create_task(case.room.legal())
        await settle()
        assert [type(message) for message in case.server.wire.inbox] == [wire.Join]
        await entered(case)
        case.server.serve()
        assert (await asking).turn == 1
        await case.close()

    in_virtual_time(run)


@pytest.mark.parametrize("code", [codes.ROOM_MOVING, codes.ROOM_BUSY, codes.STORE_UNAVAILABLE])
def test_a_refusal_that_passes_is_followed_by_attempts_further_and_further_apart(code: str) -> None:
    async def run(case: MovingCase) -> None:
        loop = asyncio.get_running_loop()
        await entered(case)
        await moved(case)
        waits = []
        for _ in range(8):
            case.server.refuse(code)
            began = loop.time()
            await until(lambda: bool(case.server.wire.inbox))
            waits.append(loop.time() - began)
        assert waits[0] <= 0.11 < waits[2]
        assert all(LONGEST_S / 2 <= wait <= LONGEST_S + 0.01 for wait in waits[4:])
        await case.finish()

    in_virtual_time(run)


def test_a_move_is_followed_at_once_although_the_last_attempt_was_refused() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        case.server.refuse(codes.ROOM_MOVING)
        await settle()
        assert not case.server.wire.inbox
        case.server.repeat_moved()
        await settle()
        assert [type(message) for message in case.server.wire.inbox] == [wire.Join]
        await case.finish()

    in_virtual_time(run)


def test_a_line_that_breaks_between_two_attempts_is_replaced_at_once() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        for _ in range(6):
            case.server.refuse(codes.ROOM_BUSY)
            await asyncio.sleep(LONGEST_S)
        case.server.refuse(codes.ROOM_BUSY)
        broken = case.server.wire
        broken.cut()
        await asyncio.sleep(LONGEST_S / 3)
        assert case.server.wire is not broken
        await case.finish()

    in_virtual_time(run)


def test_a_permanent_refusal_ends_the_room_and_its_requests() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        waiting = [asyncio.ensure_future(each) for each in (case.room.legal(), case.room.act({"type": "x"}, turn=1))]
        await settle()
        case.server.refuse(codes.ROOM_UNKNOWN)
        for each in (*waiting, case.reading):
            with pytest.raises(RejectedError) as refused:
                await each
            assert refused.value.code == codes.ROOM_UNKNOWN
        with pytest.raises(RejectedError):
            await case.room.act({"type": "x"}, turn=1)
        assert case.session.rooms == {}
        await case.close()

    in_virtual_time(run)


def test_a_room_that_gives_no_answer_is_given_up_when_the_patience_ends() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        with pytest.raises(DisconnectedError, match="room 0000007 gave no answer"):
            await case.reading
        await case.close()

    in_virtual_time(run)


def test_a_room_that_is_left_while_it_is_entered_again_is_left_on_the_server_too() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        asking = asyncio.create_task(case.room.legal())
        await settle()
        with pytest.raises(RejectedError) as refused:
            await case.room.leave()
        assert refused.value.code == codes.ROOM_MOVING
        with pytest.raises(ClientError, match="was left"):
            await asking
        await entered(case)
        assert [type(message) for message in case.server.wire.inbox] == [wire.Leave]
        await case.close()

    in_virtual_time(run)


def test_a_room_that_is_left_while_it_moves_is_not_entered_again() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        with pytest.raises(RejectedError):
            await case.room.leave()
        case.server.refuse(codes.ROOM_MOVING)
        await asyncio.sleep(ANSWER_S)
        assert not [message for message in case.server.wire.inbox if isinstance(message, wire.Join)]
        await case.close()

    in_virtual_time(run)


def test_the_program_sees_the_pause_and_its_end() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        case.server.die()
        await settle()
        paused = [case.room.paused]
        case.server.move()
        await settle()
        paused.append(case.room.paused)
        await entered(case)
        paused.append(case.room.paused)
        assert paused == [codes.PAUSE_MOVING, codes.PAUSE_MOVING, None]
        told = [event for event in case.events if isinstance(event, Paused | Unpaused | Noticed | Reconnected)]
        assert [type(event) for event in told] == [Paused, Noticed, Reconnected, Unpaused]
        await case.finish()

    in_virtual_time(run)


def test_each_loss_of_a_room_is_followed_by_one_return() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        await moved(case)
        case.server.repeat_moved()  # the first request to enter it again is answered late
        await settle()
        await entered(case)
        await entered(case)
        case.server.cut()
        await asyncio.sleep(1)
        await entered(case)
        told = [type(event) for event in case.events if isinstance(event, Disconnected | Noticed | Reconnected)]
        assert told == [Noticed, Noticed, Reconnected, Disconnected, Reconnected]
        await case.finish()

    in_virtual_time(run)


def test_notices_about_other_rooms_mean_nothing() -> None:
    async def run(case: MovingCase) -> None:
        await entered(case)
        case.server.wire.say(wire.Notice(ROOM + 1, codes.NOTICE_MOVED, "not a room of ours"))
        await settle()
        assert not case.server.wire.inbox
        await case.finish()

    in_virtual_time(run)
