"""A bot at its seat, against a scripted server."""

import asyncio

import pytest
from scripted_server import Peer, scripted

from warroom_bots.api import Action, Decision, Limit
from warroom_bots.random_bot import RandomBot
from warroom_bots.runner import Runner, Terms, Think
from warroom_client import Client, RejectedError, Room
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol import messages as wire

ROOM = 7
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")
PASS = {"type": "pass"}


def runner(room: Room, think: Think = Think()) -> Runner:  # noqa: B008 - a frozen value
    return Runner(room, RandomBot(Rng(bytes(16))), Rng(bytes(16)), think=think)


async def answer_legal(peer: Peer, turn: int) -> None:
    legal = await peer.expect(wire.Legal)
    await peer.send(wire.LegalList(legal.ref, ROOM, turn, True, (PASS,)))


async def test_a_bot_answers_each_prompt_until_the_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        for turn in (1, 2):
            await peer.send(wire.Prompt(ROOM, 0, turn, 0, 30_000))
            await answer_legal(peer, turn)
            act = await peer.expect(wire.Act)
            assert act.turn == turn
            await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None))
        await peer.send(END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        ended = await runner(await client.join(ROOM)).play()
    assert ended.ranks == (1, 2)


async def test_a_crowded_or_paused_room_is_asked_again_under_a_new_id() -> None:
    ids = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        for code in (codes.ACT_BUSY, codes.ACT_PAUSED, None):
            await answer_legal(peer, 1)
            act = await peer.expect(wire.Act)
            ids.append(act.id)
            await peer.send(wire.Verdict(ROOM, act.id, code, None, 1, 0, None))
        await peer.send(END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        await runner(await client.join(ROOM)).play()
    assert ids[0] != ids[1]


async def test_a_decision_that_the_clock_took_is_let_go() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await answer_legal(peer, 2)
        await peer.send(wire.Prompt(ROOM, 0, 2, 0, 30_000))
        await answer_legal(peer, 2)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, codes.ACT_LATE, "too late", 1, 0, None), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        assert (await runner(await client.join(ROOM)).play()).reason == "victory"


async def test_a_bot_that_plays_illegally_is_stopped() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await answer_legal(peer, 1)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, "bid.spent", "no such card", 1, 0, None))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(RejectedError, match="no such card"):
            await runner(room).play()


async def test_thinking_leaves_time_to_act() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Update(ROOM, 2, [], (), wire.Clock(0, 2, 600), None), wire.Prompt(ROOM, 0, 1, 0, 600))
        await answer_legal(peer, 1)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        async with asyncio.timeout(3):
            await runner(room, Think(60_000, 60_000)).play()
    assert room.phase == "ended"


def test_the_time_to_think_is_drawn_from_its_range() -> None:
    think, rng, drawn = Think(300, 310), Rng(bytes(16)), set()
    for _ in range(200):
        value, rng = think.draw(rng)
        drawn.add(value)
    assert drawn == set(range(300, 311))


async def test_a_bot_runner_may_send_actions_under_its_own_ids() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await answer_legal(peer, 1)
        act = await peer.expect(wire.Act)
        assert (act.id, act.turn) == (42, 1)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None))
        await peer.send(END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        bot = RandomBot(Rng(bytes(16)))
        named = Runner(
            room,
            bot,
            Rng(bytes(16)),
            think=Think(),
            act=lambda action, turn: room.act(action, turn=turn, id=42),
        )
        await named.play()


class Spy:
    """Records what it is asked."""

    def __init__(self) -> None:
        self.seen: list[Decision] = []

    def choose(self, decision: Decision) -> Action:
        """Return the first legal action."""
        self.seen.append(decision)
        return decision.legal[0]


@pytest.mark.parametrize(
    ("terms", "sent", "seen"),
    [
        pytest.param(Terms(has_notes=True), ("wins",), ("wins",), id="wanted"),
        pytest.param(Terms(has_notes=True), ("",), (), id="the game has none"),
        pytest.param(Terms(), None, (), id="not wanted"),
    ],
)
async def test_a_decision_says_how_much_time_is_left_and_what_the_game_notes(
    terms: Terms, sent: tuple[str, ...] | None, seen: tuple[str, ...]
) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 90_000))
        legal = await peer.expect(wire.Legal)
        assert legal.notes == terms.has_notes
        await peer.send(wire.LegalList(legal.ref, ROOM, 1, True, (PASS,), sent))
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None), END)
        await peer.until_closed()

    spy = Spy()
    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        await Runner(room, spy, Rng(bytes(16)), think=Think(), terms=terms).play()
        assert client.round_trip_s > 0
    (decision,) = spy.seen
    assert decision.notes == seen
    assert decision.left_ms is not None
    assert 30_000 < decision.left_ms <= 90_000, "the bank counts"


async def test_a_bot_is_told_its_limit() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await answer_legal(peer, 1)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None), END)
        await peer.until_closed()

    spy = Spy()
    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        await Runner(room, spy, Rng(bytes(16)), think=Think(), terms=Terms(Limit(time_ms=50))).play()
    assert [decision.limit for decision in spy.seen] == [Limit(time_ms=50)]


async def test_a_runner_takes_over_the_decision_that_another_one_left_open() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        await answer_legal(peer, 1)
        await answer_legal(peer, 1)
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None), END)
        await peer.until_closed()

    class Broken(Spy):
        def choose(self, decision: Decision) -> Action:
            raise ZeroDivisionError(decision.seat)

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(ZeroDivisionError):
            await Runner(room, Broken(), Rng(bytes(16)), think=Think()).play()
        assert (await runner(room).play()).reason == "victory"
