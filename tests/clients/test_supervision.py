"""Failing bots at a seat, against a scripted server."""

from collections.abc import Callable, Iterator

import pytest
from scripted_server import Peer, scripted, snapshot

from warroom_bots import supervision as module
from warroom_bots.api import Action, Bot, BotKind, Decision, Limit
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.runner import Think
from warroom_bots.supervision import RESIGNS, BotMakingError, Failure, Supervisor
from warroom_client import Client, RejectedError
from warroom_games.codec import encode
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol import messages as wire

ROOM = 7
CODE = "0000007"
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")
FIRST, SECOND = {"type": "first"}, {"type": "second"}
KEY = bytes(16)


class Scripted:
    """A kind of bot of which each next one does the next thing."""

    def __init__(self, *deeds: Callable[[Decision], Action]) -> None:
        self.deeds = list(deeds)
        self.made = 0
        self.seen: list[Decision] = []

    def kind(self) -> BotKind:
        return BotKind(name="scripted", game=None, summary="", make=self.make, wants_notes=True)

    def make(self, rng: Rng) -> Bot:
        self.made += 1
        return _Doing(self)


class _Doing:
    def __init__(self, plan: Scripted) -> None:
        self._plan = plan

    def choose(self, decision: Decision) -> Action:
        self._plan.seen.append(decision)
        return self._plan.deeds.pop(0)(decision)


def fail(decision: Decision) -> Action:
    raise ZeroDivisionError("too\nmany seats")


def hang(decision: Decision) -> Action:
    while True:
        pass


def second(decision: Decision) -> Action:
    return SECOND


def unsendable(decision: Decision) -> Action:
    return {"type": object()}


def nothing(decision: Decision) -> Action:
    """Forget to return an action."""
    return None


@pytest.fixture(autouse=True)
def _no_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once() -> Iterator[float]:
        while True:
            yield 0.0

    monkeypatch.setattr(module, "backoff", at_once)


async def answer(peer: Peer, code: str | None = None, *, turn: int = 1) -> bytes:
    """List two actions, judge what is played, and return it."""
    legal = await peer.expect(wire.Legal)
    await peer.send(wire.LegalList(legal.ref, ROOM, turn, True, (FIRST, SECOND), ("a", "")))
    act = await peer.expect(wire.Act)
    await peer.send(wire.Verdict(ROOM, act.id, code, "no such thing" if code else None, 1, 0, None))
    return bytes(act.action)


async def play(plan: Scripted, *verdicts: str | None) -> tuple[list[bytes], list[Failure], Supervisor]:
    """Play one decision, on which the server gives these verdicts."""
    played: list[bytes] = []
    told: list[Failure] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 60_000))
        played.extend([await answer(peer, verdict) for verdict in verdicts])
        await peer.send(END)
        await peer.until_closed()

    executor = BotExecutor(1)
    supervisor = Supervisor(plan.kind(), executor, think=Think(), tell=told.append, limit=Limit(simulations=3))
    try:
        async with scripted(script) as url, Client(url) as client:
            await supervisor.play(await client.join(CODE), Rng(KEY))
    finally:
        executor.close()
    return played, told, supervisor


async def test_a_bot_that_fails_is_made_again_and_asked_again() -> None:
    plan = Scripted(fail, second)
    played, told, supervisor = await play(plan, None)
    assert played == [encode(SECOND)]
    assert (plan.made, supervisor.failures) == (2, 1)
    (failure,) = told
    assert failure.bot == "scripted"
    assert failure.room == CODE
    assert failure.reason.startswith("ZeroDivisionError: too many seats (test_supervision.py, line ")
    assert "in fail" in failure.details
    assert "bot_executor.py" not in failure.details, "the traceback begins in the bot"


async def test_it_gets_notes_and_its_limit() -> None:
    plan = Scripted(second)
    await play(plan, None)
    assert [(decision.notes, decision.limit) for decision in plan.seen] == [(("a", ""), Limit(simulations=3))]


@pytest.mark.parametrize("code", ["bid.spent", codes.ACT_MALFORMED, codes.ACT_CLOCK_ONLY])
async def test_an_illegal_action_is_a_failure_and_another_bot_tries(code: str) -> None:
    plan = Scripted(second, second)
    played, told, _ = await play(plan, code, None)
    assert played == [encode(SECOND)] * 2
    assert [failure.reason for failure in told] == [f"illegal action: no such thing ({code})"]
    assert plan.made == 2


@pytest.mark.parametrize("deed", [unsendable, nothing])
async def test_what_cannot_be_sent_is_a_failure(deed: Callable[[Decision], Action]) -> None:
    played: list[bytes] = []
    told: list[Failure] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 60_000))
        legal = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(legal.ref, ROOM, 1, True, (FIRST, SECOND), None))
        played.append(await answer(peer))
        await peer.send(END)
        await peer.until_closed()

    plan = Scripted(deed, second)
    supervisor = Supervisor(plan.kind(), BotExecutor(1), think=Think(), tell=told.append)
    async with scripted(script) as url, Client(url) as client:
        await supervisor.play(await client.join(CODE), Rng(KEY))
    assert played == [encode(SECOND)]
    assert told[0].reason.startswith("illegal action: this")
    assert "cannot be" in told[0].reason


async def test_after_three_failures_the_first_legal_action_is_played() -> None:
    plan = Scripted(fail, fail, fail)
    played, told, _ = await play(plan, None)
    assert played == [encode(FIRST)]
    assert len(told) == 3


PLAYERS = (
    wire.SeatState(0, "ada", "a", True, False, "x"),
    wire.SeatState(1, "bob", "b", True, False, "greedy", hired=True),
)
PERSON = wire.SeatState(1, "bob", "Bob", True, False)
STAND_IN = wire.SeatState(1, "bob", "Bob", False, False, "greedy", stood_in=True)


@pytest.mark.parametrize(
    ("seats", "options", "resigns"),
    [
        pytest.param(PLAYERS, {"rated": True}, True, id="for the ladder"),
        pytest.param(PLAYERS, {"rated": False}, False, id="not rated"),
        pytest.param(PLAYERS, {"rated": True, "private": True}, False, id="private"),
        pytest.param((PLAYERS[0], PERSON), {"rated": True}, False, id="against a person"),
        pytest.param((PLAYERS[0], STAND_IN), {"rated": True}, False, id="against a person who is away"),
    ],
)
async def test_a_bot_that_fails_resigns_only_a_rated_match_between_bots(
    seats: tuple[wire.SeatState, ...], options: dict[str, object], *, resigns: bool
) -> None:
    told: list[Failure] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.expect(wire.Join)
        about = wire.About("bids", 1, 2, {}, options, "00")
        await peer.send(wire.Joined(join.ref, ROOM, CODE, 1, 0, "seat", about), snapshot(ROOM, {"n": 0}, 1))
        await peer.send(wire.Seats(ROOM, "playing", None, seats, 0), wire.Prompt(ROOM, 0, 1, 0, 60_000))
        if resigns:
            legal = await peer.expect(wire.Legal)
            await peer.send(wire.LegalList(legal.ref, ROOM, 1, True, (FIRST, SECOND), None))
            resign = await peer.expect(wire.Resign)
            await peer.send(wire.Done(resign.ref))
        else:
            assert await answer(peer) == encode(FIRST)
        await peer.send(END)
        await peer.until_closed()

    supervisor = Supervisor(Scripted(fail, fail, fail).kind(), BotExecutor(1), think=Think(), tell=told.append)
    async with scripted(script) as url, Client(url) as client:
        await supervisor.play(await client.join(CODE), Rng(KEY))
    assert supervisor.failures == 3
    assert [failure.reason for failure in told[3:]] == ([RESIGNS] if resigns else [])


async def test_refusals_and_errors_count_together() -> None:
    plan = Scripted(fail, second, fail)
    played, told, _ = await play(plan, "bid.spent", None)
    assert played == [encode(SECOND), encode(FIRST)]
    assert len(told) == 3


async def test_a_bot_that_hangs_in_the_loop_is_interrupted_and_another_one_tries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("warroom_bots.bot_executor.IN_LOOP_S", 0.05)
    plan = Scripted(hang, second)
    played, told, _ = await play(plan, None)
    assert played == [encode(SECOND)]
    assert [failure.reason for failure in told] == ["no choice in time"]


async def test_a_refusal_that_is_not_the_bots_fault_is_raised() -> None:
    with pytest.raises(RejectedError, match=codes.INTERNAL):
        await play(Scripted(second), codes.INTERNAL)


def test_a_bot_that_cannot_be_made_is_one_line() -> None:
    def make(rng: Rng) -> Bot:
        raise FileNotFoundError("no\nmodel")

    kind = BotKind(name="empty", game=None, summary="", make=make)
    supervisor = Supervisor(kind, BotExecutor(1), think=Think(), tell=lambda failure: None)
    with pytest.raises(BotMakingError) as refused:
        supervisor.check()
    assert str(refused.value).startswith(
        "the bot empty cannot be made: FileNotFoundError: no model (test_supervision.py, line "
    )
