"""A game that hides things, over the wire: hidden steps leave no trace, and a broken line is resumed at any point."""

import asyncio
from collections.abc import Callable

import pytest
from independent_client import Message, Stranger
from reconnecting_player import Cut, WirePlayer
from replay_log import assert_each_once, entries
from server_process import ServerProcess

from warroom_games.log import Acted
from warroom_protocol import messages as wire

GAME = "sealed_bids"
SHORT = {"rounds": 2, "cards": 4, "peeks": 1}
WHOLE = {"rounds": 6, "cards": 12, "peeks": 3}
IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}
PATIENCE_S = 30
FOR_SPECTATORS = (
    wire.Joined, wire.Resumed, wire.Snapshot, wire.Seats, wire.Update, wire.Paused, wire.Ended, wire.Done,
)  # fmt: skip


def _cut_at(kind: type, *, joint: bool | None = None) -> Cut:
    """Drop the line after each message of a kind, once for each step, decision or action that it is about."""

    def point(message: wire.ServerMessage) -> object:
        if not isinstance(message, kind) or joint not in (None, getattr(message, "joint", None)):
            return None
        return tuple(getattr(message, name, None) for name in ("p", "q", "turn", "id"))

    return point


def _news(stranger: Stranger) -> list[Message]:
    """Return what the room has shown since the last look, without who is connected."""
    stranger.ask("ping")
    news = [message for message in stranger.inbox if message[0] != "seats"]
    stranger.inbox.clear()
    return news


def _bid(hand: list[int]) -> dict[str, object]:
    return {"type": "bid", "card": hand[0]}


def test_a_hidden_step_makes_no_frame_for_anybody_else(newcomer: Callable[..., Stranger]) -> None:
    ada, bob, eve = (newcomer(name) for name in ("Ada", "Bob", "Eve"))
    room = ada.ask("create", GAME, 2, SHORT, IN_ORDER)[2]
    for player in (ada, bob):
        player.ask("join", room, None, None, None)
    eve.ask("watch", room, None)
    hands = [player.await_message("private")[5][0][1]["hand"] for player in (ada, bob)]
    for stranger in (ada, bob, eve):
        _news(stranger)

    assert ada.act(room, 1, 1, {"type": "peek"})[3] is None
    assert [message[0] for message in _news(ada)] == ["private", "prompt"]
    assert _news(bob) == _news(eve) == []
    assert ada.act(room, 2, 2, _bid(hands[0]))[3] is None
    assert [message[0] for message in _news(ada)] == ["private"]
    assert _news(bob) == _news(eve) == []

    assert bob.act(room, 1, 1, _bid(hands[1]))[5:7] == [2, 2]
    private, update, prompt = _news(ada)
    assert (private[0], private[2:5]) == ("private", [4, 2, True])
    assert (update[0], update[2]) == ("update", 2)
    assert prompt[0] == "prompt"
    assert _news(eve) == [update]


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param(_cut_at(wire.Private, joint=True), id="a joint private step"),
        pytest.param(_cut_at(wire.Private, joint=False), id="a hidden step"),
        pytest.param(_cut_at(wire.Update), id="an update"),
        pytest.param(_cut_at(wire.Prompt), id="a prompt"),
        pytest.param(_cut_at(wire.LegalList), id="what is legal"),
        pytest.param(_cut_at(wire.Verdict), id="a verdict"),
        pytest.param(_cut_at(wire.Snapshot), id="a snapshot"),
    ],
)
async def test_a_line_that_breaks_at_any_point_is_resumed_with_the_same_view(
    shared_server: ServerProcess, cut: Cut
) -> None:
    url = shared_server.url
    players = [WirePlayer(url, f"Player {number}", cut=cut) for number in range(3)]
    spectator = WirePlayer(url, "Eve", cut=cut)
    async with asyncio.timeout(PATIENCE_S):
        created = await players[0].create(GAME, 3, WHOLE, IN_ORDER)
        async with asyncio.TaskGroup() as group:
            group.create_task(spectator.watch(created.room))
            for player in players:
                group.create_task(player.play(created.room))
        for player in players:
            assert player.breaks > 0
            fresh = WirePlayer(url, player.name, token=player.token)
            await fresh.play(created.room)
            assert player.viewer.shows == fresh.viewer.shows
        fresh = WirePlayer(url, "Zoe")
        await fresh.watch(created.room)
        assert spectator.viewer.shows == fresh.viewer.shows
    replay = shared_server.await_replay(created.code)
    assert_each_once(replay, [action for player in players for action in player.verdicts])


async def test_a_spectator_is_sent_nothing_but_what_is_public(shared_server: ServerProcess) -> None:
    players = [WirePlayer(shared_server.url, f"Player {number}") for number in range(3)]
    spectator = WirePlayer(shared_server.url, "Eve")
    async with asyncio.timeout(PATIENCE_S):
        created = await players[0].create(GAME, 3, WHOLE, IN_ORDER)
        async with asyncio.TaskGroup() as group:
            group.create_task(spectator.watch(created.room))
            for player in players:
                group.create_task(player.play(created.room))
    seen = spectator.viewer.seen
    assert all(isinstance(message, FOR_SPECTATORS) for message in seen)
    assert (spectator.viewer.q, spectator.viewer.private) == (0, None)
    updates = [message for message in seen if isinstance(message, wire.Update)]
    assert [update.p for update in updates] == list(range(1, WHOLE["rounds"] + 2))
    hidden = [entry for entry in entries(shared_server.await_replay(created.code)) if isinstance(entry, Acted)]
    assert len(hidden) == 3 * (WHOLE["rounds"] + WHOLE["peeks"])
    assert spectator.ended is not None
    before_the_end = b"".join(spectator.received[:-1])
    assert spectator.ended.seed.encode() not in before_the_end
    assert bytes.fromhex(spectator.ended.seed) not in before_the_end
