"""A whole node without sockets: real rooms, a store in memory, time that tests move, connections that only note."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import sealed_bids
from manual_time import ManualTime
from memory_links import Network
from memory_peers import MemoryPeers
from msgspec.structs import replace
from wait_until import until

from warroom_games.api import AnyGame
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.registry import Registry
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    Act,
    ClientMessage,
    Create,
    Created,
    Done,
    Error,
    Hello,
    Join,
    Joined,
    Legal,
    LegalList,
    Plays,
    Prompt,
    Resumed,
    ServerMessage,
    Verdict,
    Welcome,
    Work,
)
from warroom_server.adapters.memory.listings import MemoryListings
from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.cluster.lease import LEASE_MS, LeaseOptions
from warroom_server.cluster.messages import CODEC
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.lobby.room_lists import KEPT_MS, Wanted
from warroom_server.node.options import NodeOptions, NodePorts
from warroom_server.node.wiring import Node
from warroom_server.ports.connections import Connection, HttpResponse
from warroom_server.ports.feed import Feed
from warroom_server.ports.listings import ListedRoom, OpenRoom, QuickAnswer, QuickRequest
from warroom_server.ports.store import (
    NO_FACTS,
    Acknowledged,
    Append,
    AppendAnswer,
    Behind,
    KeptReplay,
    LogEntry,
    NodeFacts,
    NodeLease,
    Orphan,
    RoomRelease,
    StoredRoom,
    UnavailableError,
    Whereabouts,
)
from warroom_server.session.limits import Limits
from warroom_server.session.signer import Signer

M = TypeVar("M", bound=ServerMessage)
SECRET = b"secret of the cluster"
GAMES: tuple[AnyGame, ...] = (GRAPH_BATTLE, sealed_bids.GAME)
POOR = GAMES[:1]
"""All but the game that is played here."""


class CountingEntropy:
    """Entropy that differs from draw to draw and from node to node, and can be foreseen."""

    def __init__(self, salt: int) -> None:
        self._count = salt << 32

    def bytes(self, count: int) -> bytes:
        """Return the next number, in *count* bytes."""
        self._count += 1
        return self._count.to_bytes(count, "big")


class FickleStore(MemoryStore):
    """A memory store that a test can take away; every call lets others run first, as one over a wire would."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__(now_s=lambda: time.now() / 1000)
        self._time = time
        self.records = MemoryRecords(now_s=lambda: time.now() / 1000)
        self.directory = FickleListings(self, time)
        self.is_away = False
        self.answer_s = 0.0
        """How long every answer takes."""
        self.fails_to_load = False
        """Whether rooms can be claimed and not loaded."""
        self.spoilt: set[int] = set()
        """Rooms that can be claimed, but not read."""
        self.archived_meanwhile: set[int] = set()
        """Rooms that end elsewhere between their claim and their loading."""
        self.loads_too_early = False
        """Whether rooms that are taken over the next time are loaded before they are claimed."""
        self.fails_to_append = False
        self.reads_logs = True
        """Whether the whole log of a room may be asked for."""
        self.search_ms = 0
        """How much time passes while orphans are looked for."""
        self.saved: list[tuple[int, bytes]] = []
        self.on_save: Callable[[], None] = lambda: None
        self.unarchivable: set[int] = set()
        """Rooms whose replays cannot be stored."""
        self.claims: list[Orphan] = []
        self.claimed_at_once: list[int] = []
        """How many rooms each question claimed."""
        self.bug: Exception | None = None
        """What a search for orphans raises."""
        self.unreadable: int | None = None
        """A room that makes looking for it fail, and for all that are looked for at the same time."""
        self.create_bugs: list[Exception] = []
        """What the next creations of rooms raise."""
        self.answers_creations = asyncio.Event()
        """Not set while the store does not answer whether rooms were created."""
        self.answers_creations.set()
        self.creations = 0
        """How often a room was to be created."""
        self.gone_back: set[int] = set()
        """Rooms of which the store forgot a claim."""
        self.unlisted: set[int] = set()
        """Rooms of which the store forgot whose they are, when orphans are looked for."""
        self.searches = 0
        """How often orphans of all kinds were looked for."""
        self.node_reads = 0
        """How often the leases were read."""
        self.careful_searches = 0
        """How often those alone were looked for whose owners gave their leases up."""

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        """Append, unless the store is away."""
        await self.require()
        if self.fails_to_append:
            raise UnavailableError("nothing can be written")
        return await super().append(batch)

    async def create(self, request: Append) -> bool:
        """Create, unless the store is away."""
        self.creations += 1
        await self.answers_creations.wait()
        await self.require()
        if self.create_bugs:
            raise self.create_bugs.pop()
        return await super().create(request)

    async def load(self, room: int) -> StoredRoom | None:
        """Load, unless the store is away."""
        await self.require()
        if self.fails_to_load:
            raise UnavailableError("taken away by the test, for loading")
        return await super().load(room)

    async def log(self, room: int) -> tuple[LogEntry, ...]:
        """Return a log, if the test allows it."""
        assert self.reads_logs, f"the log of room {room} was asked for"
        return await super().log(room)

    async def dispute(self, entries: Sequence[Acknowledged]) -> list[bool]:
        """Compare what was acknowledged, unless the store is away."""
        await self.require()
        return await super().dispute(entries)

    def cut(self, room: int, head: int) -> None:
        """Lose all that was stored of a room after entry *head*."""
        stored = self._rooms[room]
        del stored.log[head:]
        stored.snapshots = {slot: kept for slot, kept in stored.snapshots.items() if kept[0] <= head}

    def rewrite(self, room: int, rev: int, entry: bytes) -> None:
        """Put other bytes in place of an entry of a room, whose chain stays."""
        log = self._rooms[room].log
        log[rev - 1] = replace(log[rev - 1], entry=entry)

    def drop(self, room: int, rev: int) -> None:
        """Lose one entry of a room."""
        del self._rooms[room].log[rev - 1]

    def forget_rules(self, room: int) -> None:
        """Forget by which rules a room was made."""
        self._rooms[room].rules = ""

    def go_back(self, room: int, owner: str, epoch: int, head: int) -> None:
        """Know of a room no more than when *owner* had it under *epoch*, and lose all after entry *head*."""
        stored = self._rooms[room]
        stored.owner, stored.epoch = owner, epoch
        self.gone_back.add(room)
        self.cut(room, head)

    def lose(self, room: int) -> None:
        """Lose all that was stored of a room."""
        del self._rooms[room]

    def lose_leases(self) -> None:
        """Lose all leases, as a store does that was started anew."""
        self._leases.clear()

    def mark(self) -> Callable[[], None]:
        """Return what lets the store forget all that happens to rooms from now on."""
        rooms = {number: replace(room, log=list(room.log)) for number, room in self._rooms.items()}
        replays = dict(self._replays)

        def rewind() -> None:
            self._rooms, self._replays = rooms, replays

        return rewind

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Claim, unless the store is away."""
        await self.require()
        self.claims += orphans
        self.claimed_at_once.append(len(orphans))
        return await super().claim(orphans, claimant)

    async def take_over(self, orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load, in this order unless the test wants it otherwise."""
        rooms = [room for room, _, _ in orphans]
        if not self.loads_too_early:
            epochs = await self.claim(orphans, claimant)
            if self.fails_to_load:
                raise UnavailableError("taken away by the test, for loading")
            for room in self.archived_meanwhile:
                del self._rooms[room]
            loaded = [None if room in self.spoilt else await MemoryStore.load(self, room) for room in rooms]
            return list(zip(epochs, loaded, strict=True))
        self.loads_too_early = False
        loaded = [await self.load(room) for room in rooms]
        return list(zip(await self.claim(orphans, claimant), loaded, strict=True))

    async def orphans(self, asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        """Look for orphans, unless the store is away; among them are rooms of *asker* that went back to it."""
        await self.require()
        if self.bug is not None:
            raise self.bug
        if only_released:
            self.careful_searches += 1
            return await super().orphans(asker, only_released=True)
        self._time.advance(self.search_ms)
        self.searches += 1
        gone_back = [
            (room, asker, self._rooms[room].epoch) for room in self.gone_back if self._rooms[room].owner == asker
        ]
        return [orphan for orphan in await super().orphans(asker) if orphan[0] not in self.unlisted] + gone_back

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """Remember whose rooms are."""
        self.unlisted -= {room for room, _, _ in rooms}

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Save, unless the store is away."""
        await self.require()
        await super().save(room, owner, epoch, rev=rev, snapshot=snapshot)
        self.saved.append((rev, snapshot))
        self.on_save()

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Archive, unless the store is away, or cannot archive this room."""
        await self.require()
        if room in self.unarchivable:
            raise UnavailableError("refused by the test, for this room")
        return await super().archive(room, owner, epoch, replay=replay, ended_ms=ended_ms, keep_s=keep_s)

    async def replay(self, room: int) -> KeptReplay | None:
        """Return a replay, unless the store is away."""
        await self.require()
        return await super().replay(room)

    async def renew(self, owner: str, address: str, facts: NodeFacts = NO_FACTS, *, lease_ms: int) -> int:
        """Renew, unless the store is away; for a test that says nothing of a node, what that said last holds on."""
        await self.require()
        said = self._leases[owner][2] if facts is NO_FACTS and owner in self._leases else facts
        return await super().renew(owner, address, said, lease_ms=lease_ms)

    async def release_rooms(self, releases: Sequence[RoomRelease]) -> list[bool]:
        """Release rooms, unless the store is away."""
        await self.require()
        return await super().release_rooms(releases)

    async def generations(self, players: Sequence[str]) -> list[int]:
        """Look generations up, unless the store is away."""
        await self.require()
        return await super().generations(players)

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Look owners up, unless one of them cannot be read."""
        await self.require()
        if self.unreadable in rooms:
            raise ZeroDivisionError("a bug")
        return await super().whereabouts(rooms)

    async def nodes(self) -> list[NodeLease]:
        """Return the nodes, unless the store is away."""
        self.node_reads += 1
        await self.require()
        return await super().nodes()

    async def release(self, owner: str) -> None:
        """Release, unless the store is away."""
        await self.require()
        await super().release(owner)

    async def require(self) -> None:
        """Let others run, and raise if the store is away."""
        await asyncio.sleep(self.answer_s)
        if self.is_away:
            raise UnavailableError("taken away by the test")


class FickleListings(MemoryListings):
    """Lists rooms in memory, unless the store is away."""

    def __init__(self, store: FickleStore, time: ManualTime) -> None:
        super().__init__(now_s=lambda: time.now() / 1000)
        self._store = store
        self.batches: list[list[int]] = []
        """The rooms that each question listed."""
        self.on_open: Callable[[], None] = lambda: None
        """Called when rooms are opened to quick matches."""

    def forget_all(self) -> None:
        """Lose everything, as a store does that was started anew."""
        self._rooms.clear()
        self._kinds.clear()

    async def publish(self, owner: str, rooms: Sequence[ListedRoom], gone: Sequence[int]) -> None:
        """Publish, unless the store is away."""
        await self._store.require()
        await super().publish(owner, rooms, gone)
        if rooms:
            self.batches.append([room.room for room in rooms])

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Find rooms, unless the store is away."""
        await self._store.require()
        return await super().find(lists, before=before, owners=owners, limit=limit)

    async def publish_open(self, kind: str, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Publish, unless the store is away."""
        await self._store.require()
        if rooms:
            self.on_open()
        await super().publish_open(kind, owner, rooms, gone)

    async def quick_match(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room, unless the store is away."""
        await self._store.require()
        return await super().quick_match(kind, request)


class NotedConnection:
    """A connection that notes what it is sent; a test says when it is congested."""

    def __init__(self, number: int) -> None:
        self.id = number
        self.peer = f"test:{number}"
        self.is_congested = False
        self.frames: list[bytes] = []
        self.closed: int | None = None

    def asked(self, message: ClientMessage) -> None:
        """Take note of what is sent on the connection."""

    def send(self, frame: bytes) -> None:
        """Note a frame."""
        if self.closed is None:
            self.frames.append(frame)

    def close(self, code: int, reason: str) -> None:
        """Note the first close."""
        assert reason
        self.closed = self.closed or code

    @property
    def messages(self) -> list[ServerMessage]:
        """Everything that was sent so far."""
        return [decode_server(frame) for frame in self.frames]

    def of(self, kind: type[M]) -> list[M]:
        """Return the messages of one kind."""
        return [message for message in self.messages if isinstance(message, kind)]

    def legal(self) -> tuple[object, ...]:
        """Return the last list of legal actions."""
        return [message.actions for message in self.of(LegalList) if message.actions is not None][-1]


def send_to_each(payload: bytes, connections: Sequence[Connection]) -> Sequence[Connection]:
    """Send a payload without a frame to connections that are not congested; return the others."""
    for connection in connections:
        if not connection.is_congested:
            connection.send(payload)
    return [connection for connection in connections if connection.is_congested]


class LittleNode(Node):
    """One node on a store that it may share with others."""

    def __init__(
        self,
        store: FickleStore,
        time: ManualTime,
        *,
        name: str = "node-a",
        games: Sequence[AnyGame] = GAMES,
        limits: Limits | None = None,
        max_rooms: int = 100,
        rooms_per_player: int = 10,
        rooms_per_address: int = 1000,
        idle_ms: int = 60_000,
        network: Network | None = None,
        files: Mapping[str, HttpResponse] | None = None,
        lost_after_s: float = 0.3,
        renew_s: float = 0.01,
        grace_s: float = 0.0,
        is_alone: bool = False,
        feed: Feed | None = None,
    ) -> None:
        self.store, self.time, self.name = store, time, name
        self.network = network or Network(time)
        world = NodePorts(
            store=store,
            records=store.records,
            directory=store.directory,
            clock=time,
            timers=time,
            entropy=CountingEntropy(sum(name.encode())),
            broadcast=send_to_each,
            peers=MemoryPeers(name, self.network, CODEC),
            files=files or {},
            feed=feed,
        )
        policy = NodeOptions(
            owner=name,
            version="test",
            limits=limits or Limits(),
            keep_s=3600,
            max_rooms=max_rooms,
            rooms_per_player=rooms_per_player,
            rooms_per_address=rooms_per_address,
            idle_ms=idle_ms,
            lease=LeaseOptions(renew_s, lost_after_s, grace_s, is_alone),
        )
        super().__init__(world, policy, registry=Registry(games), signer=Signer(SECRET))
        self.lease.address = name
        self._last = 0
        self._ref = 0

    async def start(self) -> None:
        """Start what has a task, except for the lease."""
        self.room_host.pipeline.committer.start()
        self.archiver.start()
        self.peers.start(self.peer_dispatcher)

    async def stop(self) -> None:
        """Stop without a word, as a killed node would: the lease runs on until its end."""
        await self.peers.close()
        await self.close_requests()
        await self.room_host.pipeline.committer.close(drain_s=0.1)
        await self.archiver.close(drain_s=0.1)

    async def renew(self) -> None:
        """Renew the lease once."""
        await self.store.renew(self.name, self.name, self.facts(), lease_ms=LEASE_MS)

    async def take_over(self) -> None:
        """Take the rooms of dead nodes in, then renew and take in no more."""
        await self.store.renew(self.name, "", self.facts(), lease_ms=LEASE_MS)
        await self.room_loader.adopt(await self.store.orphans(self.name))

    # --- people -----------------------------------------------------------------------------------------------

    def connect(self, kind: Callable[[int], NotedConnection] = NotedConnection) -> NotedConnection:
        """Open a connection that has said nothing yet."""
        self._last += 1
        connection = kind(self._last)
        self.dispatcher.opened(connection)
        return connection

    def greet(
        self,
        name: str = "Ada",
        token: str | None = None,
        *,
        bot: str | None = None,
        kind: Callable[[int], NotedConnection] = NotedConnection,
    ) -> NotedConnection:
        """Open a connection and say hello."""
        connection = self.connect(kind)
        self.say(connection, Hello(0, (1,), name, token, bot=bot))
        return connection

    def say(self, connection: NotedConnection, message: ClientMessage) -> int:
        """Send a message now; return for how long the node does not want to read."""
        connection.asked(message)
        return self.dispatcher.received(connection, encode(message), self.time.now(), self.time.now())

    async def settle(self) -> None:
        """Let everything happen that needs no time to pass."""
        for _ in range(3):
            await self.room_host.pipeline.committer.settled()
            for _ in range(12):
                await asyncio.sleep(0)

    async def create(self, connection: NotedConnection, seats: int = 2, ref: int = 77, **options: int) -> int:
        """Create a room for sealed bids and return its number."""
        answers = len(connection.of(Created)) + len(connection.of(Error))
        self.say(connection, Create(ref, "sealed_bids", seats, dict(options), {"seating": "as_joined"}))
        await until(lambda: len(connection.of(Created)) + len(connection.of(Error)) > answers)
        created = connection.messages[-1]
        assert isinstance(created, Created), created
        return created.room

    async def listed(self, **wanted: Any) -> list[int]:
        """Return the rooms that a list shows once everything is published."""
        self.time.advance(KEPT_MS)
        await self.settle()
        found = await self.room_lists.find(Wanted(**wanted))
        assert found is not None
        return [room.room for room in found.rooms]

    def hosted(self, room: int) -> HostedRoom:
        """Return a room that is hosted here."""
        found = self.room_host.get(room)
        assert found is not None
        return found

    async def join(self, connection: NotedConnection, room: int) -> Joined | Resumed | Error:
        """Join and return the answer."""
        self._ref += 1
        ref = 1000 + self._ref
        self.say(connection, Join(ref, room))

        def answers() -> list[Joined | Resumed | Error]:
            found = [message for message in connection.messages if isinstance(message, Joined | Resumed | Error)]
            return [message for message in found if message.ref == ref]

        await until(lambda: bool(answers()))
        return answers()[0]

    async def table(
        self, seats: int = 2, *, bots: Sequence[str | None] = (), **options: int
    ) -> tuple[int, list[NotedConnection]]:
        """Return a running match of sealed bids, and its players in the order of their seats.

        *bots* has for each of them which bot that says to be; None for a person.
        """
        bots = bots or (None,) * seats
        players = [self.greet(f"Player {seat}", bot=bot) for seat, bot in enumerate(bots)]
        room = await self.create(players[0], len(players), **options)
        for player in players:
            assert isinstance(await self.join(player, room), Joined)
        await self.settle()
        return room, players

    def act(self, connection: NotedConnection, room: int, action_id: int, action: object | None = None) -> None:
        """Play *action*, or the first legal one, for the latest prompt."""
        turn = connection.of(Prompt)[-1].turn
        self.say(
            connection,
            Act(room, action_id, turn, msgspec.Raw(msgspec.msgpack.encode(action or self.first(connection, room)))),
        )

    def first(self, connection: NotedConnection, room: int) -> object:
        """Return the first legal action."""
        self._ref += 1
        self.say(connection, Legal(1000 + self._ref, room))
        return connection.legal()[0]


def token_of(connection: NotedConnection) -> str:
    """Return the identity token that a connection was given."""
    return connection.of(Welcome)[0].token


def verdict_of(connection: NotedConnection, action_id: int) -> Verdict:
    """Return the one verdict on an action; who resumes may have been told it again."""
    first, *others = [verdict for verdict in connection.of(Verdict) if verdict.id == action_id]
    assert all(verdict == first for verdict in others)
    return first


def greet_as_bot(node: LittleNode, bot: str) -> NotedConnection:
    """Return a connection that showed the bot key."""
    connection = node.connect()
    node.say(connection, Hello(0, (1,), bot, bot=bot, key=Signer(SECRET).bot_key()))
    return connection


def hire(node: LittleNode, *, seats: int = 10) -> NotedConnection:
    """Return a worker that a node has accepted, with a bot for sealed bids."""
    worker = greet_as_bot(node, "worker")
    node.say(worker, Work(1, (Plays(sealed_bids.GAME.info.id, ("greedy",)),), seats))
    assert worker.of(Done) == [Done(1)]
    return worker
