"""Finished matches: who may see how much of them, over the wire and over plain HTTP."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from replays import short_match
from small_node import LittleNode, NotedConnection
from wait_until import until

from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.replay import verify
from warroom_protocol import codes
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import (
    Create,
    Created,
    Ended,
    Error,
    Join,
    Joined,
    Leave,
    Offer,
    Private,
    Replay,
    ReplayPart,
    ReplayView,
    Resign,
    Update,
)
from warroom_protocol.patches import apply
from warroom_protocol.rooms import room_code
from warroom_protocol.view_replay import ViewReplay, read_view
from warroom_server.archive import match_reader as library
from warroom_server.archive import replay_runner as projector
from warroom_server.archive.ratings import Rater
from warroom_server.archive.replay_cache import finished_match
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.store import Append, KeptReplay

NewNode = Callable[..., Awaitable[LittleNode]]


async def seated(
    node: LittleNode, before: NotedConnection | None = None, **room_options: object
) -> tuple[list[NotedConnection], Created]:
    """Return a room that has just started, and its two players; *before* sat there for a moment."""
    players = [node.greet("Ada"), node.greet("Bob")]
    node.say(players[0], Create(77, "sealed_bids", 2, {}, {"seating": "as_joined", **room_options}))
    await until(lambda: bool(players[0].of(Created)))
    created = players[0].of(Created)[0]
    if before is not None:
        node.say(before, Join(5, created.room, key=created.key))
        await until(lambda: bool(before.of(Joined)))
        node.say(before, Leave(6, created.room))
        await node.settle()
    for player in players:
        node.say(player, Join(5, created.room, key=created.key))
        await until(lambda player=player: bool(player.of(Joined)))
    await node.settle()
    return players, created


async def finish(
    node: LittleNode, before: NotedConnection | None = None, **room_options: object
) -> tuple[Created, list[NotedConnection]]:
    """Return a room whose two players bid once each and then agreed on a draw."""
    players, created = await seated(node, before, **room_options)
    for number, player in enumerate(players):
        node.act(player, created.room, number)
        await node.settle()
    for player in players:
        node.say(player, Offer(50, created.room, "draw"))
    await node.settle()
    await node.archiver.archived(created.room)
    return created, players


async def fetch(
    node: LittleNode, who: NotedConnection, room: int, view: ReplayView = "all", key: str | None = None
) -> bytes | str:
    """Return the whole file, part by part, or the code that refuses it."""
    data = b""
    while True:
        seen = len(who.of(ReplayPart)) + len(who.of(Error))
        node.say(who, Replay(9, room, view, len(data), key))
        await until(lambda seen=seen: len(who.of(ReplayPart)) + len(who.of(Error)) > seen)
        if who.of(Error):
            return who.of(Error)[-1].code
        part = who.of(ReplayPart)[-1]
        data += part.data
        if len(data) >= part.size:
            return data


async def get(node: LittleNode, path: str, query: str = "") -> HttpResponse:
    answer = node.pages.answer(path, query)
    return await answer if isinstance(answer, Awaitable) else answer


def put_together(view: ViewReplay) -> tuple[object, object]:
    """Return the public and the private view at the end."""
    public: object = None
    private: object = None
    for frame in view.frames:
        match decode_server(frame):
            case Update(patch=patch):
                public = apply(public, patch)
            case Private(patch=patch):
                private = apply(private, patch)
            case _:
                pass  # changes no view
    return public, private


async def test_a_whole_match_is_fetched_part_by_part_and_holds(
    node: LittleNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "PART_BYTES", 100)
    created, players = await finish(node)
    stranger = node.greet()
    data = await fetch(node, stranger, room=created.room)
    assert isinstance(data, bytes)
    assert len(stranger.of(ReplayPart)) > 2
    proof = verify(data, node.registry)
    assert proof.chain.hex() == players[0].of(Ended)[0].chain
    assert (await get(node, f"/api/replays/{created.code}")).body == data


async def test_views_show_what_was_seen_and_no_more(node: LittleNode) -> None:
    created, players = await finish(node)
    match = node.room_host.get(created.room)
    assert match is not None
    for who, seat in ((players[1], 1), (node.greet(), None)):
        data = await fetch(node, who, room=created.room, view="public" if seat is None else "own")
        assert isinstance(data, bytes)
        view = read_view(data)
        public, private = put_together(view)
        assert (view.seat, view.ended.reason) == (seat, codes.END_DRAW)
        assert isinstance(public, dict)
        assert (private is None) == (seat is None)
    assert (await get(node, f"/api/replays/{created.code}", "view=public")).body == data


async def test_whoever_did_not_play_has_no_view_of_its_own(node: LittleNode) -> None:
    created, _ = await finish(node)
    assert await fetch(node, node.greet(), room=created.room, view="own") == codes.SEAT_NONE


async def test_a_room_may_reveal_all_only_later(node: LittleNode) -> None:
    created, players = await finish(node, reveal_s=60)
    assert players[0].of(Ended)[0].seed == ""
    assert await fetch(node, node.greet(), room=created.room) == codes.REPLAY_SEALED
    assert await fetch(node, players[0], room=created.room) == codes.REPLAY_SEALED
    assert (await get(node, f"/api/replays/{created.code}")).status == 403
    view = await fetch(node, node.greet(), room=created.room, view="public")
    assert isinstance(view, bytes)
    assert read_view(view).ended.seed == ""
    node.time.advance(60_000)
    assert isinstance(await fetch(node, node.greet(), room=created.room), bytes)


async def test_the_match_of_a_private_room_needs_its_key(node: LittleNode) -> None:
    created, players = await finish(node, private=True)
    assert await fetch(node, node.greet(), room=created.room) == codes.REPLAY_UNKNOWN
    assert isinstance(await fetch(node, node.greet(), room=created.room, key=created.key), bytes)
    assert isinstance(await fetch(node, players[1], room=created.room), bytes)
    unknown = await get(node, f"/api/replays/{room_code(created.room)}")
    assert (unknown.status, (await get(node, f"/api/replays/{created.code}")).status) == (404, 200)
    assert json.loads((await get(node, "/api/matches")).body) == []


async def test_what_is_not_over_or_never_was_is_refused(node: LittleNode) -> None:
    room, _ = await node.table()
    assert await fetch(node, node.greet(), room=room) == codes.REPLAY_RUNNING
    assert await fetch(node, node.greet(), room=room + 1) == codes.REPLAY_UNKNOWN


async def test_a_private_match_that_runs_is_not_known_of(node: LittleNode) -> None:
    ada = node.greet()
    node.say(ada, Create(77, "sealed_bids", 2, {}, {"private": True}))
    await until(lambda: bool(ada.of(Created)))
    created = ada.of(Created)[0]
    assert await fetch(node, node.greet(), room=created.room) == codes.REPLAY_UNKNOWN
    assert await fetch(node, node.greet(), room=created.room, key=created.key) == codes.REPLAY_RUNNING


async def test_programs_find_matches_and_rankings(node: LittleNode) -> None:
    created, players = await finish(node)
    (match,) = json.loads((await get(node, "/api/matches", "game=sealed_bids")).body)
    assert (match["code"], match["ranks"], match["players"][0]["name"]) == (created.code, [1, 1], "Ada")
    ada = match["players"][0]["player"]
    assert len(json.loads((await get(node, "/api/matches", f"player={ada}")).body)) == 1
    assert json.loads((await get(node, "/api/matches", f"before={created.code}")).body) == []
    ranking = json.loads((await get(node, "/api/ranking/sealed_bids")).body)
    assert ranking == {"game": "sealed_bids", "size": 0, "players": [], "bots": False}
    assert players


async def test_programs_find_the_ladder_of_the_bots(node: LittleNode) -> None:
    room, players = await node.table(bots=("mine", "yours"))
    node.say(players[1], Resign(60, room))
    await node.settle()
    await node.archiver.archived(room)
    await Rater(node.store.records, keep_s=60).count()
    ladder = json.loads((await get(node, "/api/ranking/sealed_bids", "bots=true")).body)
    assert (ladder["game"], ladder["size"], ladder["bots"]) == ("sealed_bids", 2, True)
    assert [(each["place"], each["name"], each["bot"]) for each in ladder["players"]] == [
        (1, "Player 0", "mine"),
        (2, "Player 1", "yours"),
    ]
    after = json.loads((await get(node, "/api/ranking/sealed_bids", "bots=true&offset=1")).body)
    assert [each["place"] for each in after["players"]] == [2]
    assert json.loads((await get(node, "/api/ranking/sealed_bids", "bots=false")).body)["size"] == 0
    refused = await get(node, "/api/ranking/sealed_bids", "bots=yes")
    assert (refused.status, refused.body) == (400, b"bots: expected true or false, got yes\n")


async def test_a_connection_fetches_one_replay_at_a_time(node: LittleNode) -> None:
    created, _ = await finish(node)
    reader = node.greet()
    for ref in (1, 2):
        node.say(reader, Replay(ref, created.room, "public"))
    await until(lambda: bool(reader.of(Error) and reader.of(ReplayPart)))
    assert [(refusal.ref, refusal.code) for refusal in reader.of(Error)] == [(2, codes.ROOM_BUSY)]
    assert [part.ref for part in reader.of(ReplayPart)] == [1]
    assert isinstance(await fetch(node, node.greet(), room=created.room, view="public"), bytes)


async def test_what_nobody_waits_for_any_more_is_dropped(node: LittleNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "PAUSE_S", 3600.0)
    monkeypatch.setattr(projector, "RUNS", 1)
    created, players = await finish(node)
    reader = node.greet()
    node.say(reader, Replay(1, created.room, "public"))
    await node.settle()
    assert await fetch(node, players[0], room=created.room, view="own") == codes.ROOM_BUSY
    node.dispatcher.closed(reader)
    await node.settle()
    monkeypatch.setattr(projector, "PAUSE_S", 0.0)
    assert isinstance(await fetch(node, node.greet(), room=created.room, view="public"), bytes)
    assert not reader.of(ReplayPart)


async def test_later_parts_come_from_memory(node: LittleNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "PART_BYTES", 100)
    created, _ = await finish(node)
    reader = node.greet()
    node.say(reader, Replay(1, created.room))
    await until(lambda: bool(reader.of(ReplayPart)))
    node.store.is_away = True
    assert isinstance(await fetch(node, reader, room=created.room), bytes)


async def test_a_question_to_the_store_outlives_whoever_asked(
    node: LittleNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    created, _ = await finish(node)
    begun, go_on = asyncio.Event(), asyncio.Event()
    answered: list[int] = []
    ask = node.store.replay

    async def slow(room: int) -> KeptReplay | None:
        begun.set()
        await go_on.wait()
        answered.append(room)
        return await ask(room)

    monkeypatch.setattr(node.store, "replay", slow)
    asked = asyncio.ensure_future(get(node, f"/api/replays/{created.code}"))
    await begun.wait()
    asked.cancel()
    await asyncio.wait([asked])
    assert asked.cancelled()
    go_on.set()
    await until(lambda: answered == [created.room])


async def test_more_readers_than_allowed_are_asked_to_come_back(node: LittleNode) -> None:
    created, _ = await finish(node)
    allowed = [asyncio.ensure_future(get(node, f"/api/replays/{created.code}")) for _ in range(library.READERS)]
    await asyncio.sleep(0)
    another = await get(node, f"/api/replays/{created.code}")
    assert (another.status, another.headers["Retry-After"]) == (503, "1")
    assert b"room.busy" in another.body
    assert [answer.status for answer in await asyncio.gather(*allowed)] == [200] * library.READERS


async def test_a_stranger_learns_of_a_private_match_that_has_just_ended_no_more_than_of_none(
    node: LittleNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "WAIT_S", 0.01)
    players, created = await seated(node, private=True)
    node.store.unarchivable.add(created.room)
    for player in players:
        node.say(player, Offer(50, created.room, "draw"))
    await node.settle()
    assert await fetch(node, node.greet(), room=created.room) == codes.REPLAY_UNKNOWN
    assert await fetch(node, players[0], room=created.room) == codes.STORE_UNAVAILABLE
    assert (await get(node, f"/api/replays/{room_code(created.room)}")).status == 404
    assert (await get(node, f"/api/replays/{created.code}")).status == 503


async def test_whoever_left_before_the_start_did_not_play(node: LittleNode) -> None:
    eve = node.greet("Eve")
    created, _ = await finish(node, private=True, before=eve)
    assert await fetch(node, eve, room=created.room) == codes.REPLAY_UNKNOWN


async def test_a_view_needs_the_rules_of_its_game(node: LittleNode, new_node: NewNode) -> None:
    created, _ = await finish(node)
    other = await new_node(name="node-b", games=[GRAPH_BATTLE])
    reader = other.greet()
    assert await fetch(other, reader, room=created.room, view="public") == codes.GAME_UNKNOWN
    assert "unknown game 'sealed_bids'" in reader.of(Error)[0].detail
    answer = await get(other, f"/api/replays/{created.code}", "view=public")
    assert (answer.status, b"game.unknown" in answer.body) == (404, True)
    assert isinstance(await fetch(other, other.greet(), room=created.room), bytes)


async def test_a_replay_that_cannot_be_read_is_as_good_as_none(node: LittleNode) -> None:
    await node.store.create(Append(5, 1, b"e", b"c", node.name, 1))
    await node.store.archive(5, node.name, 1, replay=b"nothing", ended_ms=0, keep_s=60)
    assert await fetch(node, node.greet(), room=5) == codes.REPLAY_UNKNOWN


@pytest.mark.parametrize(
    ("path", "query", "says"),
    [
        ("/api/matches", "colour=red", "expected game, player or before, got colour"),
        ("/api/matches", "before=x", "before: a room code has 7 characters"),
        ("/api/rooms", "phase=over", "phase: expected lobby or playing, got over"),
        ("/api/rooms", "open=1", "open: expected true or false, got 1"),
        ("/api/ranking/sealed_bids", "offset=-1", "offset: expected a whole number, got -1"),
        ("/api/replays/0000000", "view=own", "view: expected all or public, got own"),
    ],
)
async def test_a_wrong_query_is_told(node: LittleNode, path: str, query: str, says: str) -> None:
    answer = await get(node, path, query)
    assert answer.status == 400
    assert says in answer.body.decode()


def test_a_match_that_is_not_sealed_can_be_read_by_any_clock() -> None:
    ended_on_a_fast_clock = KeptReplay(short_match().replay, ended_ms=2**52)
    assert finished_match(ended_on_a_fast_clock).revealed_ms == 0
