"""A node and its feed, on a broker in memory that can be away, stop reading, and keeps what is retained."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from feed_payloads import objections
from manual_time import ManualTime
from memory_feed import MemoryBroker, MemoryFeed
from small_node import SECRET, FickleStore, LittleNode, NotedConnection
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import (
    Claim,
    Create,
    Created,
    Done,
    Error,
    Fill,
    Hello,
    Join,
    Joined,
    Offer,
    Update,
    Welcome,
)
from warroom_protocol.rooms import room_code
from warroom_protocol.topics import Topics
from warroom_server.feed.publisher import BEAT_MS, DOUBT_MS, SWEEP_MS
from warroom_server.feed.queue import SNAPSHOT_MS
from warroom_server.hosting.expiry import LINGER_MS
from warroom_server.ports.feed import FeedError, Publication
from warroom_server.room.bots.bot_tickets import CLAIM_MS
from warroom_server.room.delayed_view import TAIL_MS
from warroom_server.session.signer import Signer

NewNode = Callable[..., Awaitable[LittleNode]]
TOPICS = Topics()
GAME = "sealed_bids"
PAGE = (Path(__file__).parents[2] / "docs" / "MQTT.md").read_text()


class Newsstand:
    """A broker, and the nodes that publish to it."""

    def __init__(self, new_node: NewNode) -> None:
        self.broker = MemoryBroker()
        self.connections: list[MemoryFeed] = []
        self.nodes: list[LittleNode] = []
        self._new_node = new_node

    async def node(self, name: str = "node-a") -> LittleNode:
        """Return a node with a feed."""
        self.connections.append(MemoryFeed(self.broker))
        node = await self._new_node(name=name, feed=self.connections[-1])
        assert node.feed is not None
        node.feed.publisher.start()
        node.rater.start()
        self.nodes.append(node)
        return node

    def read(self, topic: str) -> Any:
        """Return what is retained under a topic, read as JSON; None if nothing is."""
        kept = self.broker.kept.get(topic)
        return None if kept is None else json.loads(kept)

    def told(self, topic: str) -> list[Any]:
        """Return all that was published under a topic, read as JSON."""
        return [json.loads(payload) for payload in self.broker.of(topic)]

    async def close(self) -> None:
        for node in self.nodes:
            assert node.feed is not None
            await node.feed.close(drain_s=1)
            await node.rater.close()


@pytest.fixture
async def stand(new_node: NewNode) -> AsyncIterator[Newsstand]:
    stand = Newsstand(new_node)
    yield stand
    stand.broker.reads.set()
    await stand.close()


def wake(node: LittleNode) -> None:
    """Let the publisher notice that a test let time pass."""
    assert node.feed is not None
    node.feed.publisher.wake()


def counters(node: LittleNode) -> Any:
    assert node.feed is not None
    return node.feed.publisher.queue.counters


async def draw(node: LittleNode, room: int, players: list[NotedConnection]) -> None:
    for player in players:
        node.say(player, Offer(50, room, "draw"))
    await node.settle()


async def create(node: LittleNode, creator: NotedConnection, **room_options: object) -> int:
    before = len(creator.of(Created))
    node.say(creator, Create(1000 + before, GAME, 2, {}, {"seating": "as_joined", **room_options}))
    await until(lambda: len(creator.of(Created)) > before)
    return creator.of(Created)[-1].room


async def test_a_match_is_told_from_its_lobby_to_the_ranking(stand: Newsstand, time: ManualTime) -> None:
    node = await stand.node()
    room, players = await node.table()
    await until(lambda: stand.told(TOPICS.match(GAME, "started")) != [])
    await until(lambda: stand.read(TOPICS.lobby(GAME, room)) is not None)
    assert stand.read(TOPICS.node("node-a"))["games"] == ["graph_battle", GAME]
    [started] = stand.told(TOPICS.match(GAME, "started"))
    assert (started["room"], [player["name"] for player in started["players"]]) == (room, ["Player 0", "Player 1"])
    await draw(node, room, players)
    await until(lambda: stand.read(TOPICS.ranking(GAME)) is not None)
    [ended] = stand.told(TOPICS.match(GAME, "ended"))
    [rated] = stand.told(TOPICS.match(GAME, "rated"))
    assert (ended["room"], ended["reason"], ended["code"]) == (room, "draw", room_code(room))
    assert (rated["room"], {player["matches"] for player in rated["players"]}) == (room, {1})
    assert "place" not in rated["players"][0]
    assert {player["name"] for player in stand.read(TOPICS.ranking(GAME))["players"]} == {"Player 0", "Player 1"}
    await until(lambda: stand.read(TOPICS.lobby(GAME, room)) is None)
    assert stand.read(TOPICS.room(room, "state"))["ended"]["reason"] == "draw"
    time.advance(LINGER_MS)
    node.expiry.sweep()
    time.advance(LINGER_MS)
    node.expiry.sweep()
    assert room not in node.room_host
    await until(lambda: not [topic for topic in stand.broker.kept if str(room) in topic])


async def test_a_match_between_bots_is_told_with_their_ladder(stand: Newsstand) -> None:
    node = await stand.node()
    room, players = await node.table(bots=("mine", "yours"))
    await draw(node, room, players)
    await until(lambda: stand.read(TOPICS.ranking(GAME, bots=True)) is not None)
    ladder = stand.read(TOPICS.ranking(GAME, bots=True))
    assert {(each["name"], each["bot"]) for each in ladder["players"]} == {("Player 0", "mine"), ("Player 1", "yours")}
    assert (ladder["game"], ladder["size"], ladder["bots"]) == (GAME, 2, True)
    [rated] = stand.told(TOPICS.match(GAME, "rated"))
    assert (rated["bots"], {each["matches"] for each in rated["players"]}) == (True, {1})
    assert stand.read(TOPICS.ranking(GAME)) is None


async def test_the_page_lists_every_topic_with_its_flags(stand: Newsstand, time: ManualTime) -> None:
    node = await stand.node()
    await until(lambda: counters(node).is_open)
    room, players = await node.table()
    for player in players:
        node.act(player, room, 1)
    await node.settle()
    await until(lambda: bool(stand.broker.of(TOPICS.update(room, 1))))
    await draw(node, room, players)
    await until(lambda: stand.read(TOPICS.ranking(GAME)) is not None)
    bots_room, bots = await node.table(bots=("mine", "yours"))
    await draw(node, bots_room, bots)
    await until(lambda: stand.read(TOPICS.ranking(GAME, bots=True)) is not None)
    other = await create(node, players[0])
    await node.join(players[0], other)
    node.say(players[0], Fill(9, other, None, "greedy"))
    await until(lambda: stand.told(TOPICS.wanted(GAME)) != [])
    assert node.feed is not None
    node.feed.drain()
    await until(lambda: stand.told(TOPICS.notice) != [])
    kinds = {
        ("ROOM", str(room)),
        ("ROOM", str(bots_room)),
        ("ROOM", str(other)),
        ("GAME", GAME),
        ("NODE", "node-a"),
        ("LIFE", "1"),
    }
    names = {level: name for name, level in kinds}
    seen = {
        ("/".join(names.get(level, level) for level in p.topic.split("/")), p.retained, p.qos)
        for p in stand.broker.published
    }
    rows = re.findall(r"^\| `(warroom/[^`]+)` \| (\w+) \| (yes|no) \| ([01]) \|", PAGE, re.MULTILINE)
    assert seen == {(topic, retained == "yes", int(qos)) for topic, _, retained, qos in rows}
    assert [objection for publication in stand.broker.published for objection in objections(publication)] == []


async def test_nothing_of_a_private_room_is_ever_told(stand: Newsstand) -> None:
    node = await stand.node()
    ada, bob = node.greet("Ada"), node.greet("Bob")
    room = await create(node, ada, private=True)
    key = ada.of(Created)[-1].key
    for player in (ada, bob):
        node.say(player, Join(7, room, key=key))
        await until(lambda player=player: bool(player.of(Joined)))
    await draw(node, room, [ada, bob])
    other = await create(node, ada)
    await until(lambda: stand.read(TOPICS.lobby(GAME, other)) is not None)
    told = [f"{p.topic} {p.payload!r}" for p in stand.broker.published]
    assert not [line for line in told if str(room) in line or room_code(room) in line]


async def test_the_feed_is_nobody(stand: Newsstand, time: ManualTime) -> None:
    node = await stand.node()
    ada = node.greet("Ada")
    room = await create(node, ada)
    await until(lambda: stand.read(TOPICS.room(room, "about")) is not None)
    hosted = node.hosted(room)
    assert (hosted.room.is_deserted, hosted.room.listing().watching) == (True, 0)
    await node.join(ada, room)
    await until(lambda: (stand.read(TOPICS.room(room, "state")) or {}).get("watching") == 0)
    assert not hosted.room.is_deserted


async def test_a_rematch_is_not_told_before_spectators_know_the_end(stand: Newsstand, time: ManualTime) -> None:
    node = await stand.node()
    ada, bob = node.greet("Ada"), node.greet("Bob")
    room = await create(node, ada, delay=2, turn_ms=600_000)
    for player in (ada, bob):
        await node.join(player, room)
    await draw(node, room, [ada, bob])
    for player in (ada, bob):
        node.say(player, Offer(60, room, "rematch"))
    await until(lambda: len(node.room_host) == 2)
    rematch = next(hosted.room.number for hosted in node.room_host if hosted.room.number != room)
    await node.settle()
    assert stand.read(TOPICS.lobby(GAME, rematch)) is None
    assert not [topic for topic in stand.broker.kept if str(rematch) in topic]
    assert stand.told(TOPICS.match(GAME, "ended")) == []
    time.advance(TAIL_MS)
    await until(lambda: stand.read(TOPICS.lobby(GAME, rematch)) is not None)
    await until(lambda: stand.told(TOPICS.match(GAME, "ended")) != [])


class TestSeatsThatWantABot:
    @staticmethod
    def worker(node: LittleNode) -> NotedConnection:
        connection = node.connect()
        key = Signer(SECRET).bot_key()
        node.say(connection, Hello(0, (1,), "greedy 1", None, bot="greedy", key=key))
        assert connection.of(Welcome)
        return connection

    async def test_who_listens_claims_and_the_second_is_told_that_it_is_gone(self, stand: Newsstand) -> None:
        node = await stand.node()
        ada = node.greet("Ada")
        room = await create(node, ada)
        await node.join(ada, room)
        await until(lambda: counters(node).is_open)
        node.say(ada, Fill(9, room, None, "greedy"))
        await until(lambda: stand.told(TOPICS.wanted(GAME)) != [])
        [wanted] = stand.told(TOPICS.wanted(GAME))
        assert wanted == {
            "node": "node-a", "room": room, "code": room_code(room), "game": GAME, "ticket": wanted["ticket"],
            "bot": "greedy", "claim_ms": CLAIM_MS,
        }  # fmt: skip
        assert not ada.of(Done)
        first, second = self.worker(node), self.worker(node)
        for worker in (first, second):
            node.say(worker, Claim(1, room, wanted["ticket"]))
        await node.settle()
        assert first.of(Joined)
        assert [error.code for error in second.of(Error)] == [codes.CLAIM_GONE]
        await until(lambda: [done.ref for done in ada.of(Done)] == [9])
        stranger = node.greet("Eve")
        node.say(stranger, Claim(1, room, wanted["ticket"]))
        assert [error.code for error in stranger.of(Error)] == [codes.CLAIM_WORKERS]

    async def test_a_host_learns_in_time_that_nobody_came(self, stand: Newsstand, time: ManualTime) -> None:
        node = await stand.node()
        ada = node.greet("Ada")
        room = await create(node, ada)
        await node.join(ada, room)
        await until(lambda: counters(node).is_open)
        node.say(ada, Fill(9, room, None, "greedy"))
        await node.settle()
        assert ada.of(Error) == []
        time.advance(CLAIM_MS)
        await node.settle()
        assert [error.code for error in ada.of(Error)] == [codes.BOT_UNKNOWN]

    @pytest.mark.parametrize("options", [{"private": True}, {"watch": "nobody"}])
    async def test_where_nobody_looks_on_nothing_is_announced(
        self, stand: Newsstand, options: dict[str, object]
    ) -> None:
        node = await stand.node()
        await until(lambda: counters(node).is_open)
        ada = node.greet("Ada")
        room = await create(node, ada, **options)
        key = ada.of(Created)[-1].key
        node.say(ada, Join(7, room, key=key))
        await until(lambda: bool(ada.of(Joined)))
        node.say(ada, Fill(9, room, None, "greedy"))
        await until(lambda: [error.code for error in ada.of(Error)] == [codes.BOT_UNKNOWN])
        assert stand.told(TOPICS.wanted(GAME)) == []

    async def test_who_is_away_from_a_delayed_match_is_not_announced(self, stand: Newsstand, time: ManualTime) -> None:
        node = await stand.node()
        await until(lambda: counters(node).is_open)
        ada, bob = node.greet("Ada"), node.greet("Bob")
        for delay in (0, 2):
            room = await create(node, ada, delay=delay, grace_ms=1_000, turn_ms=600_000)
            for player in (ada, bob):
                await node.join(player, room)
            await node.settle()
        rooms = [hosted.room.number for hosted in node.room_host]
        node.dispatcher.closed(bob)
        for _ in range(4):
            time.advance(1_000)
            await node.settle()
        await until(lambda: stand.told(TOPICS.wanted(GAME)) != [])
        assert {wanted["room"] for wanted in stand.told(TOPICS.wanted(GAME))} == {rooms[0]}


class TestBrokersThatFail:
    async def test_turns_go_on_without_a_broker_and_the_feed_is_complete_when_it_comes(self, stand: Newsstand) -> None:
        stand.broker.is_away = True
        node = await stand.node()
        room, players = await node.table()
        for player in players:
            node.act(player, room, 1)
        await node.settle()
        await until(lambda: counters(node).failures > 1)
        assert stand.broker.published == []
        stand.broker.is_away = False
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        assert stand.read(TOPICS.room(room, "json"))["p"] == 2
        assert stand.read(TOPICS.room(room, "about"))["game"] == GAME
        assert stand.told(TOPICS.match(GAME, "started")) != []

    async def test_a_broker_that_does_not_read_delays_nothing(self, stand: Newsstand, time: ManualTime) -> None:
        node = await stand.node()
        room, players = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        stand.broker.reads.clear()
        for turn in range(3):
            for player in players:
                node.act(player, room, turn + 1)
            await node.settle()
        hosted = node.hosted(room)
        assert hosted.room.match.turn == 4
        stand.broker.reads.set()
        time.advance(SNAPSHOT_MS)
        wake(node)
        await until(lambda: stand.read(TOPICS.room(room, "json"))["clock"]["turn"] == 4)

    async def test_a_line_that_breaks_is_opened_again_and_all_is_told_anew(self, stand: Newsstand) -> None:
        node = await stand.node()
        room, _ = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        stand.broker.kept.clear()
        stand.connections[0].break_off()
        assert stand.read(TOPICS.node("node-a")) is None
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        assert stand.read(TOPICS.node("node-a"))["server"] == "warroom/test"
        assert counters(node).connects == 2

    async def test_the_ranking_is_told_anew_as_well(self, stand: Newsstand) -> None:
        node = await stand.node()
        room, players = await node.table()
        await draw(node, room, players)
        await until(lambda: stand.read(TOPICS.ranking(GAME)) is not None)
        stand.broker.kept.clear()
        stand.connections[0].break_off()
        await until(lambda: stand.read(TOPICS.ranking(GAME)) is not None)
        assert stand.read(TOPICS.ranking(GAME))["size"] == 2
        assert stand.read(TOPICS.ranking("graph_battle")) is None

    async def test_a_line_that_breaks_again_and_again_costs_no_match_and_leaves_nothing_out_at_last(
        self, stand: Newsstand, time: ManualTime
    ) -> None:
        node = await stand.node()
        room, players = await node.table()
        for turn in range(1, 4):
            await until(lambda turn=turn: counters(node).connects >= turn)
            stand.broker.kept.clear()
            stand.connections[0].break_off()
            for player in players:
                node.act(player, room, turn)
            await node.settle()
        hosted = node.hosted(room)
        assert hosted.room.match.turn == 4
        time.advance(SNAPSHOT_MS)
        wake(node)
        await until(lambda: (stand.read(TOPICS.room(room, "json")) or {"p": 0})["p"] == 4)
        assert counters(node).failures == 3

    async def test_a_bug_in_a_line_costs_that_line_alone(
        self, stand: Newsstand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        node = await stand.node()
        await until(lambda: stand.read(TOPICS.node("node-a")) is not None)

        async def fail(publication: Publication) -> None:
            monkeypatch.undo()
            raise ZeroDivisionError

        monkeypatch.setattr(stand.connections[0], "publish", fail)
        room, _ = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        assert "feed line failed" in caplog.text

    async def test_rooms_that_ended_meanwhile_are_taken_back(
        self, stand: Newsstand, time: ManualTime, store: FickleStore
    ) -> None:
        node = await stand.node()
        room, players = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        for number in (1, 2):
            stand.broker.kept[TOPICS.room(number, "about")] = b'{"node": "dead"}'
            stand.broker.kept[TOPICS.lobby(GAME, number)] = b'{"node": "dead"}'
        stand.broker.kept[TOPICS.node("dead")] = b'{"node": "dead", "beat_ms": 1}'
        stand.broker.kept[TOPICS.node("alive")] = json.dumps({"node": "alive", "beat_ms": time.wall_ms()}).encode()
        stand.broker.kept[TOPICS.room(3, "about")] = b'{"node": "alive"}'
        stand.broker.is_away = True
        stand.connections[0].break_off()
        await draw(node, room, players)
        for _ in range(2):
            time.advance(LINGER_MS)
            node.expiry.sweep()
        assert room not in node.room_host
        stand.broker.kept[TOPICS.node("alive")] = json.dumps({"node": "alive", "beat_ms": time.wall_ms()}).encode()
        stand.broker.is_away = False
        await until(lambda: not [topic for topic in stand.broker.kept if f"/{room}" in topic])
        await until(lambda: not [topic for topic in stand.broker.kept if "/1" in topic or "/2" in topic])
        assert stand.read(TOPICS.node("dead")) is None
        assert stand.read(TOPICS.room(3, "about")) is not None

    async def test_remains_stay_while_nobody_knows_whether_they_are_over(
        self, stand: Newsstand, store: FickleStore, time: ManualTime
    ) -> None:
        stand.broker.kept[TOPICS.room(1, "about")] = b'{"node": "dead"}'
        store.is_away = True
        node = await stand.node()
        await until(lambda: len(stand.broker.of(TOPICS.node("node-a"))) == 2)
        await node.settle()
        assert stand.read(TOPICS.room(1, "about")) is not None
        store.is_away = False
        time.advance(SWEEP_MS)
        wake(node)
        await until(lambda: stand.read(TOPICS.room(1, "about")) is None)

    async def test_a_node_says_again_and_again_that_it_is_there(self, stand: Newsstand, time: ManualTime) -> None:
        node = await stand.node()
        await until(lambda: len(stand.broker.of(TOPICS.node("node-a"))) == 2)
        time.advance(BEAT_MS)
        wake(node)
        await until(lambda: len(stand.broker.of(TOPICS.node("node-a"))) == 3)
        assert stand.read(TOPICS.node("node-a"))["beat_ms"] == time.wall_ms()

    async def test_a_room_that_is_lost_for_good_is_taken_back_after_a_while(
        self, stand: Newsstand, time: ManualTime
    ) -> None:
        node = await stand.node()
        room, _ = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        await until(lambda: len(stand.broker.of(TOPICS.node("node-a"))) == 2)
        hosted = node.hosted(room)
        node.room_host.remove(hosted)
        await node.settle()
        assert stand.read(TOPICS.room(room, "about")) is not None
        await node.store.archive(room, "node-a", hosted.epoch, replay=b"", ended_ms=0, keep_s=60)
        time.advance(DOUBT_MS)
        wake(node)
        await until(lambda: stand.read(TOPICS.room(room, "about")) is None)


class TestManyNodes:
    async def test_across_a_take_over_numbers_go_on_and_mean_the_same(self, stand: Newsstand, time: ManualTime) -> None:
        first = await stand.node("node-a")
        room, players = await first.table()
        for player in players:
            first.act(player, room, 1)
        await first.settle()
        await until(lambda: len(stand.broker.of(TOPICS.update(room, 1))) == 2)
        tokens = [connection.of(Welcome)[0].token for connection in players]
        await first.store.renew("node-a", "", lease_ms=2_000)
        time.advance(5_000)
        second = await stand.node("node-b")
        await second.take_over()
        again = [second.greet(f"Player {seat}", token) for seat, token in enumerate(tokens)]
        for player in again:
            await second.join(player, room)
        await second.settle()
        await until(lambda: stand.read(TOPICS.room(room, "about"))["node"] == "node-b")
        for player in again:
            second.act(player, room, 2)
        await second.settle()
        await until(lambda: len(stand.broker.of(TOPICS.update(room, 1))) == 3)
        # The first node still thinks that the room is its own; the store tells it otherwise.
        first.act(players[0], room, 3)
        await first.settle()
        assert room not in first.room_host
        await until(lambda: stand.read(TOPICS.room(room, "about")) is not None)
        numbers: dict[int, set[bytes]] = {}
        for payload in stand.broker.of(TOPICS.update(room, 1)):
            update = decode_server(payload)
            assert isinstance(update, Update)
            numbers.setdefault(update.p, set()).add(payload)
        assert sorted(numbers) == [1, 2, 3]
        assert all(len(payloads) == 1 for payloads in numbers.values())

    async def test_a_node_that_may_have_lost_its_rooms_says_nothing(self, stand: Newsstand) -> None:
        node = await stand.node()
        room, players = await node.table()
        await until(lambda: stand.read(TOPICS.room(room, "json")) is not None)
        actions = [node.first(player, room) for player in players]
        node.reclaim.lose()
        await node.settle()
        before = len(stand.broker.published)
        for player, action in zip(players, actions, strict=True):
            node.act(player, room, 1, action)
        await node.settle()
        assert len(stand.broker.published) == before
        node.gate.open()
        for player, action in zip(players, actions, strict=True):
            node.act(player, room, 1, action)
        await until(lambda: len(stand.broker.of(TOPICS.update(room, 1))) == 2)


async def test_a_room_that_turns_out_to_be_still_the_nodes_own_is_told_of_though_nothing_happens_in_it(
    stand: Newsstand,
) -> None:
    node = await stand.node()
    room, other = [await create(node, node.greet()) for _ in range(2)]
    lobby, others_lobby = TOPICS.lobby(GAME, room), TOPICS.lobby(GAME, other)
    await until(lambda: {lobby, others_lobby} <= stand.broker.kept.keys())
    node.gate.open({room})
    assert node.feed is not None
    for number in (room, other):
        node.feed.publisher.queue.relist(number)
    wake(node)
    await until(lambda: len(stand.told(others_lobby)) == 2)
    assert len(stand.told(lobby)) == 1
    node.gate.open()
    node.events.sure()
    await until(lambda: len(stand.told(lobby)) == 2)


async def test_a_node_that_stops_says_so_and_is_gone(stand: Newsstand) -> None:
    node = await stand.node()
    await until(lambda: stand.read(TOPICS.node("node-a")) is not None)
    assert node.feed is not None
    node.feed.drain()
    await stand.close()
    [notice] = stand.told(TOPICS.notice)
    assert (notice["code"], notice["room"]) == (codes.NOTICE_DRAINING, None)
    assert stand.read(TOPICS.node("node-a")) is None
    with pytest.raises(FeedError):
        await stand.connections[0].publish(Publication("late"))
