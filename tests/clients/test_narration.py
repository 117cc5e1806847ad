"""Sentences about the events of a room."""

from typing import Any

import pytest
from msgspec.structs import replace

from warroom_client import (
    Disconnected,
    Drifted,
    Ended,
    Event,
    Moved,
    Noticed,
    OffersChanged,
    Paused,
    Receipt,
    Reconnected,
    Room,
    Said,
    SeatsChanged,
    SeatState,
    Skipped,
    TimedOut,
    Unpaused,
    Updated,
)
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_terminal.narration import Narrator, color_sentence, ending, in_sentences, seat_lines

ROOM = 7
ABOUT = wire.About("bids", 1, 2, {}, {}, "00")


class Nobody:
    """A line on which nothing is asked."""

    round_trip_s = 0.0

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        raise AssertionError(message)

    async def tell(self, message: wire.ClientMessage) -> None:
        raise AssertionError(message)

    def forget(self, room: Room) -> None:
        raise AssertionError(room)


def ada(**changes: Any) -> SeatState:
    return replace(SeatState(0, "ada", "Ada", connected=True, out=False), **changes)


def bob(**changes: Any) -> SeatState:
    return replace(SeatState(1, "bob", "Bob", connected=True, out=False), **changes)


OPEN = SeatState(1, None, "", False, False)


def room_of_ada(*seats: SeatState, about: wire.About = ABOUT) -> Room:
    room = Room(Nobody(), ROOM, player="ada")
    room.receive(wire.Joined(1, ROOM, "0000007", 1, 0, "seat", about))
    room.receive(wire.Seats(ROOM, "playing", "ada", seats, 0))
    return room


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        pytest.param(OPEN, bob(), ["Bob took seat 1"], id="sits down"),
        pytest.param(OPEN, bob(bot="greedy"), ["Bob (bot greedy) took seat 1"], id="a bot sits down"),
        pytest.param(bob(), OPEN, ["Bob left seat 1"], id="leaves"),
        pytest.param(bob(), bob(connected=False), ["Bob disconnected"], id="disconnected"),
        pytest.param(bob(connected=False), bob(), ["Bob is back"], id="back"),
        pytest.param(bob(bot="greedy"), bob(bot="greedy", connected=False), [], id="a bot without a line"),
        pytest.param(
            bob(connected=False),
            bob(connected=False, bot="greedy", stood_in=True),
            ["bot greedy plays for Bob"],
            id="plays for them",
        ),
        pytest.param(
            bob(bot="greedy", hired=True, connected=False),
            bob(bot="greedy", hired=True, stood_in=True),
            [],
            id="a bot of the server is replaced by its like",
        ),
        pytest.param(
            bob(bot="greedy", hired=True),
            bob(bot="random", hired=True, stood_in=True),
            ["bot random plays for Bob"],
            id="a bot of the server is replaced by another kind",
        ),
        pytest.param(bob(bot="greedy", stood_in=True), bob(), ["Bob took over from the bot"], id="reclaims"),
        pytest.param(bob(), bob(out=True), ["Bob is out of the match"], id="resigns"),
        pytest.param(bob(), bob(), [], id="nothing"),
    ],
)
async def test_changes_of_a_seat_are_announced(before: SeatState, after: SeatState, lines: list[str]) -> None:
    narrator = Narrator(room_of_ada(ada(), after))
    narrator.tell(SeatsChanged("playing", (ada(), before)))
    assert narrator.tell(SeatsChanged("playing", (ada(), after))) == lines


async def test_the_own_seat_is_you() -> None:
    narrator = Narrator(room_of_ada(ada(), bob()))
    assert narrator.tell(SeatsChanged("lobby", (ada(), OPEN)))[0].endswith("Ada                  you")
    begins = narrator.tell(SeatsChanged("playing", (ada(), bob())))
    assert begins == ["the match starts", "  0 Ada                  you", "  1 Bob"]
    stood_in = narrator.tell(SeatsChanged("playing", (ada(bot="greedy", stood_in=True), bob())))
    assert stood_in == ["bot greedy plays for you; type /reclaim to take over again"]
    assert narrator.tell(SeatsChanged("playing", (ada(out=True), bob()))) == [
        "you took over from the bot",
        "you are out of the match; stay and watch, or /quit",
    ]


async def test_the_grace_period_of_a_seat_is_shown() -> None:
    away = bob(connected=False, grace=30_000)
    narrator = Narrator(room_of_ada(ada(), away))
    assert narrator.tell(SeatsChanged("playing", (ada(), away)))[1].startswith(
        "  1 Bob                  disconnected, seat kept for "
    )
    narrator = Narrator(room_of_ada(ada(), away))
    narrator.tell(SeatsChanged("playing", (ada(), bob())))
    (line,) = narrator.tell(SeatsChanged("playing", (ada(), away)))
    assert line.startswith("Bob disconnected; the seat is kept for ")


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (Updated(({"type": "bid", "seat": 1},), ({"type": "peeked", "prize": 2},)), ["bid: Bob", "peeked: prize 2"]),
        (
            Updated(({"type": "bid"}, {"type": "turn", "seat": 1}), ({"type": "peeked", "prize": 2},)),
            ["bid", "peeked: prize 2", "turn: Bob"],
        ),
        (
            Updated(({"type": "bid"}, {"type": "turn", "seat": 0}), ({"type": "dealt", "card": 2},)),
            ["bid", "turn: you", "dealt: card 2"],
        ),
        (Said("bob", "Bob", 1, "hello"), ["Bob: hello"]),
        (Said("eve", "Eve", None, "hello"), ["Eve (watching): hello"]),
        (Paused(codes.PAUSE_STORE), ["clock paused: waiting for storage"]),
        (Paused("moon", 500), ["clock paused, for 500 ms at most: moon"]),
        (Unpaused(), ["clock running again"]),
        (Disconnected("the line is gone"), ["the line is gone; reconnecting…"]),
        (Reconnected(), ["reconnected"]),
        (Skipped(3), ["(3 events skipped)"]),
        (Drifted(), ["the board may be out of date (view.drift)"]),
        (Noticed("server.draining", "it stops"), ["it stops (server.draining)"]),
        (Noticed(codes.NOTICE_STOOD_IN, "a bot plays"), []),
        (Noticed(codes.NOTICE_DECIDED, "another connection acted"), []),
        (Moved(8, "0000008"), []),
        (
            TimedOut(0, Receipt(5000, 60, None, 5061)),
            ["you missed your turn: no valid action before the deadline plus 60 ms of lag credit"],
        ),
        (
            TimedOut(1, Receipt(5000, 19, None, 5020)),
            ["Bob missed a turn: no valid action before the deadline"],
        ),
        (
            TimedOut(0, Receipt(5000, 60, 5140, 5150)),
            ["you missed your turn: your move arrived 140 ms after the deadline (lag credit 60 ms)"],
        ),
        (TimedOut(0, Receipt(5000, 60, None, 5061), acted=True), ["time is up: the clock ended your turn"]),
        (TimedOut(1, Receipt(5000, 60, None, 5061), acted=True), ["time is up: the clock ended Bob's turn"]),
    ],
)
async def test_news_are_sentences(event: Event, lines: list[str]) -> None:
    assert Narrator(room_of_ada(ada(), bob())).tell(event) == lines


async def test_a_missed_turn_warns_once_per_turn() -> None:
    narrator = Narrator(room_of_ada(ada(), bob()))

    def warned(left: int | None, deadline: int) -> list[str]:
        return narrator.tell(TimedOut(0, Receipt(deadline, 0, None, deadline), left=left))[1:]

    assert warned(None, 1000) == []
    assert warned(2, 2000) == ["miss 2 more turns in a row and a bot plays for you"]
    assert warned(2, 2000) == [], "the clock decided once more in the same turn"
    assert warned(1, 3000) == ["miss one more turn and a bot plays for you"]
    assert warned(0, 4000) == ["a bot may take your seat now; type /reclaim to take over again"]


async def test_a_turn_that_the_stand_in_missed_is_not_the_players() -> None:
    narrator = Narrator(room_of_ada(ada(bot="greedy", stood_in=True), bob()))
    assert narrator.tell(TimedOut(0, Receipt(5000, 0, None, 5001))) == [
        "the bot at your seat missed a turn: no valid action before the deadline"
    ]


async def test_the_result_says_who_left_and_what_that_means() -> None:
    room = room_of_ada(ada(), bob())
    rated = Ended((2, 1), "victory", "", "", rated=True, left=(1,))
    assert ending(room, rated) == [
        "Match over: the bot that replaced Bob won.",
        "  2. Ada (you)",
        "  1. Bob (left)",
        "Bob left and a bot finished the match; ratings rank that behind everyone who stayed.",
    ]
    own = Ended((2, 1), "victory", "", "", left=(0,))
    assert ending(room, own)[1:] == [
        "  1. Bob",
        "  2. Ada (you) (left)",
        "You left and a bot finished the match.",
    ]


async def test_the_colours_of_the_seats_are_listed() -> None:
    room = room_of_ada(ada(), bob())
    assert color_sentence(room) == ""
    view = {"colors": ["red", "blue"]}
    room.receive(wire.Snapshot(ROOM, 1, 1, 0, view, None, wire.Clock(0, 1, None), checksum(view), checksum(None)))
    assert color_sentence(room) == "Ada (you) is red, Bob is blue"
    assert seat_lines(room) == ["  0 red  Ada                  you", "  1 blue Bob"]


@pytest.mark.parametrize(("is_hired", "note"), [(True, "bot greedy"), (False, "player's bot greedy")])
async def test_the_owner_of_a_bot_is_shown(is_hired: bool, note: str) -> None:
    room = room_of_ada(ada(), bob(bot="greedy", hired=is_hired))
    assert seat_lines(room)[1] == f"  1 Bob                  {note}"


async def test_an_offer_is_announced_once_with_its_command() -> None:
    room = room_of_ada(ada(), bob())
    narrator = Narrator(room)
    room.receive(wire.Offers(ROOM, (("draw", (1,)),)))
    assert narrator.tell(OffersChanged()) == ["Bob offers a draw (type /draw to accept)"]
    room.receive(wire.Offers(ROOM, (("draw", (0, 1)), ("pause", (0,)))))
    assert narrator.tell(OffersChanged()) == ["you offer a draw", "you offer a pause"]
    room.receive(wire.Offers(ROOM, ()))
    assert narrator.tell(OffersChanged()) == []


def test_an_omniscient_spectator_reads_private_events() -> None:
    event = {"public": {"type": "deal"}, "seats": {"1": {"type": "dealt", "card": 3}}}
    hidden = {"public": None, "seats": {"0": {"type": "peeked"}}}
    assert list(in_sentences(None, (event, hidden), ("Ada", "Bob"))) == [
        "deal",
        "(only Bob) dealt: card 3",
        "(only Ada) peeked",
    ]
