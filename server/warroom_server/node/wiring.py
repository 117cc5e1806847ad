"""All parts of a node put together, on whatever ports it is given."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from warroom_games.registry import Registry
from warroom_protocol.topics import DEFAULT_PREFIX, Topics
from warroom_server.archive.match_archive import MatchArchive
from warroom_server.archive.ratings import Rater
from warroom_server.cluster.drain import hand_over
from warroom_server.cluster.heirs import Heirs
from warroom_server.cluster.lease import GRACE_S, LOST_AFTER_S, RENEW_S, Lease
from warroom_server.cluster.list_exchange import Bulletin
from warroom_server.cluster.matchmaker_election import Meeting
from warroom_server.cluster.moved_rooms import MovedRooms
from warroom_server.cluster.peer_messages import Neighbourhood
from warroom_server.cluster.peers import Dial, Peers
from warroom_server.cluster.rebalancing import Leveller
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.remote_viewers import RemoteViewers
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.counters import Counters
from warroom_server.feed.payloads import Presence, json
from warroom_server.feed.publisher import Publisher
from warroom_server.feed.source import FeedSource
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.bot_requests import BotRequests
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.room_lists import RoomLists
from warroom_server.node.dispatcher import Dispatcher
from warroom_server.node.status import StatusReporter
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.feed import Feed
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store
from warroom_server.room.commands import Repair
from warroom_server.session.identity import Signer
from warroom_server.session.limits import Limits
from warroom_server.session.names import server_name
from warroom_server.storage.archiver import Archiver
from warroom_server.web.api import Api
from warroom_server.web.pages import Pages


class NodePorts(Struct, frozen=True):
    """What a node needs from outside: where things are kept, time, chance, and how to send."""

    store: Store
    records: Records
    clock: Clock
    timers: Timers
    entropy: Entropy
    build_frame: Callable[[bytes], bytes]
    soon: Callable[[Callable[[], object]], object]
    """Runs something in the loop's next turn, after a poll of the sockets."""
    dial: Dial
    """Opens a line to another node."""
    files: Mapping[str, HttpResponse] = {}
    """What never changes while the server runs, by the path that it is asked for by."""
    feed: Feed | None = None
    """Where the world is told; None: nowhere."""


class NodeOptions(Struct, frozen=True, kw_only=True):
    """What was decided about a node, by its operator or by chance."""

    owner: str
    version: str
    limits: Limits
    keep_s: int
    max_rooms: int
    rooms_per_player: int
    rooms_per_address: int
    idle_ms: int
    feed_prefix: str = DEFAULT_PREFIX
    renew_s: float = RENEW_S
    lost_after_s: float = LOST_AFTER_S
    grace_s: float = GRACE_S


class Node:
    """The parts of one node; nothing of it runs before it is started."""

    def __init__(self, world: NodePorts, policy: NodeOptions, *, registry: Registry, signer: Signer) -> None:
        store, owner = world.store, policy.owner
        self.registry = registry
        self.counters = Counters()
        self.events = RoomEvents()
        self.archiver = Archiver(store, world.records, owner=owner, keep_s=policy.keep_s)
        self.rater = Rater(world.records, keep_s=policy.keep_s)
        self.archiver.on_published.append(lambda _: self.rater.wake())
        self.connections = Connections(
            build_frame=world.build_frame, clock=world.clock, timers=world.timers, counters=self.counters
        )
        self._clock = world.clock
        self.gate = OwnershipGate(world.clock.steady_ms)
        self.peers = Peers(
            own=owner,
            key=signer.link_key(),
            dial=world.dial,
            clock=world.clock,
            timers=world.timers,
            entropy=world.entropy,
        )
        self.remote_viewers = RemoteViewers(self.peers, world.soon)
        self.delivery = Delivery(self.connections, self.remote_viewers, self.events)
        self._add_rooms(world, policy, signer)
        self.lease = Lease(
            store,
            owner=owner,
            room_host=self.room_host,
            adopter=self.directory,
            gate=self.gate,
            clock=world.clock,
            renew_s=policy.renew_s,
            lost_after_s=policy.lost_after_s,
            grace_s=policy.grace_s,
        )
        store.on_doubt = self._doubt_store
        self._add_neighbours(world)
        self._add_front(world, policy, signer)
        self._add_sharing(world, policy)
        self.status_reporter = StatusReporter(
            owner=owner,
            store=store,
            room_host=self.room_host,
            connections=self.connections,
            peers=self.peers,
            lease=self.lease,
            counters=self.counters,
        )
        self.feed_source: FeedSource | None = None
        self.publisher: Publisher | None = None
        if world.feed is None:
            self.events.bot_wanted.append(self.bot_workers.summon)
        else:
            self._add_feed(world.feed, world, policy)

    def _doubt_store(self) -> None:
        """Make good what the store may have lost, and let others do so before their rooms are taken from them."""
        self.lease.doubt()
        self.leveller.pause()
        self.room_host.repair_all()

    def _add_rooms(self, world: NodePorts, policy: NodeOptions, signer: Signer) -> None:
        """Add the rooms, and the way to them."""
        self.room_host = RoomHost(
            owner=policy.owner,
            store=world.store,
            clock=world.clock,
            timers=world.timers,
            delivery=self.delivery,
            archiver=self.archiver,
            events=self.events,
            counters=self.counters,
            gate=self.gate,
            soon=world.soon,
            create_nonce=signer.create_nonce,
        )
        self.archiver.on_behind = lambda room: self.room_host.tell(room, Repair())
        self.directory = RoomDirectory(
            owner=policy.owner,
            store=world.store,
            room_host=self.room_host,
            events=self.events,
            archiver=self.archiver,
            connections=self.connections,
            delivery=self.delivery,
            peers=self.peers,
            signer=signer,
            registry=self.registry,
            entropy=world.entropy,
            clock=world.clock,
            timers=world.timers,
            max_rooms=policy.max_rooms,
            rooms_per_player=policy.rooms_per_player,
            rooms_per_address=policy.rooms_per_address,
            idle_ms=policy.idle_ms,
            keep_s=policy.keep_s,
        )

    def _add_neighbours(self, world: NodePorts) -> None:
        """Add what ties the node to others."""
        clock, timers, locator = world.clock, world.timers, self.directory.room_locator
        self.heirs = Heirs(self.peers)
        self.remote_clients = RemoteClients(
            self.remote_viewers,
            room_host=self.room_host,
            delivery=self.delivery,
            finder=locator,
            waiter=self.directory,
            links=self.peers,
            clock=clock,
        )
        self.remote_rooms = RemoteRooms(
            self.connections,
            locator=locator,
            moved=MovedRooms(self.connections, clock, timers),
            links=self.peers,
            events=self.events,
            clock=clock,
            timers=timers,
        )

    async def hand_over(self) -> None:
        """Give all rooms to other nodes, if there are any."""
        given = self.leveller.stop()
        self.directory.is_leaving = True
        await hand_over(
            self.room_host,
            self.peers,
            self.heirs,
            self.events,
            self._clock,
            on_their_way=given,
            has_rules=self.neighbourhood.has_rules,
        )

    def _add_front(self, world: NodePorts, policy: NodeOptions, signer: Signer) -> None:
        """Add what faces connections and GETs."""
        clock, timers = world.clock, world.timers
        catalog = Catalog(self.registry)
        self.bot_workers = BotWorkers(
            connections=self.connections, catalog=catalog, clock=clock, timers=timers, counters=self.counters
        )
        self.match_archive = MatchArchive(
            store=world.store,
            records=world.records,
            registry=self.registry,
            room_host=self.room_host,
            connections=self.connections,
            clock=clock,
            archived=self.archiver.archived,
        )
        games = [game.game for game in catalog.games]
        room_lists = RoomLists(self.directory.room_index.find, games=games, clock=clock)
        self.pages = Pages(
            api=Api(catalog=catalog, room_lists=room_lists, match_archive=self.match_archive, signer=signer),
            catalog=catalog,
            room_lists=room_lists,
            is_ready=lambda: not self.lease.is_lost,
            version=policy.version,
            files=world.files,
        )
        self.dispatcher = Dispatcher(
            room_host=self.room_host,
            events=self.events,
            directory=self.directory,
            connections=self.connections,
            catalog=catalog,
            room_lists=room_lists,
            pages=self.pages,
            bot_workers=self.bot_workers,
            match_archive=self.match_archive,
            delivery=self.delivery,
            remote_rooms=self.remote_rooms,
            store=world.store,
            signer=signer,
            entropy=world.entropy,
            clock=clock,
            timers=timers,
            limits=policy.limits,
            server=server_name(policy.version),
        )

    def _add_sharing(self, world: NodePorts, policy: NodeOptions) -> None:
        """Add what nodes share: quick matches, the lists of all rooms, and the matches themselves."""
        clock, timers = world.clock, world.timers
        self.meeting = Meeting(
            own=policy.owner, matchmaker=self.dispatcher.matchmaker, peers=self.peers, nodes=self.heirs.peers
        )
        self.neighbourhood = Neighbourhood(
            peers=self.peers,
            directory=self.directory,
            remote_clients=self.remote_clients,
            remote_rooms=self.remote_rooms,
            heirs=self.heirs,
            events=self.events,
            room_host=self.room_host,
            soon=world.soon,
            bulletin=Bulletin(
                room_host=self.room_host,
                room_index=self.directory.room_index,
                peers=self.peers,
                clock=clock,
                timers=timers,
            ),
            meeting=self.meeting,
            registry=self.registry,
            bot_workers=self.bot_workers,
        )
        self.lease.on_nodes = self.neighbourhood.know
        self.leveller = Leveller(
            policy.owner,
            room_host=self.room_host,
            directory=self.directory,
            links=self.peers,
            heirs=self.heirs,
            events=self.events,
            counters=self.counters,
            clock=clock,
            timers=timers,
            has_rules=self.neighbourhood.has_rules,
        )
        self.neighbourhood.on_load = self.leveller.heard

    def _add_feed(self, feed: Feed, world: NodePorts, policy: NodeOptions) -> None:
        """Add what tells the world."""
        games = tuple(game.info.id for game in self.registry.newest())
        feed_source = self.feed_source = FeedSource(
            Topics(policy.feed_prefix),
            policy.owner,
            games=games,
            room_host=self.room_host,
            events=self.events,
            room_index=self.directory.room_index,
            records=world.records,
            clock=world.clock,
        )
        server = server_name(policy.version)
        self.publisher = Publisher(
            feed,
            feed_source.queue,
            store=world.store,
            clock=world.clock,
            presence=lambda: json(Presence(policy.owner, server, games, world.clock.wall_ms())),
            is_silent=lambda: self.gate.is_shut,
        )
        self.publisher.on_open = feed_source.opened
        self.directory.on_sure = feed_source.sure
        feed_source.wake, feed_source.doubt = self.publisher.wake, self.publisher.sweep_soon
        self.archiver.on_published.append(feed_source.archived)
        self.rater.on_rated = feed_source.rated
        bot_requests = BotRequests(
            self.bot_workers, announce=feed_source.announce, clock=world.clock, timers=world.timers
        )
        self.events.bot_wanted.append(bot_requests.summon)
        self.bot_workers.on_claimed = bot_requests.claimed
