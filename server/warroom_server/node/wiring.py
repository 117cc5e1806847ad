"""All parts of a node put together, on whatever ports it is given."""

from contextlib import suppress
from functools import partial

from warroom_games.registry import Registry
from warroom_protocol.topics import Topics
from warroom_server.archive.changed_rules import ChangedRules
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.archive.match_archive import MatchArchive
from warroom_server.archive.missing_rules import MissingRules
from warroom_server.archive.ratings import Rater, skills
from warroom_server.archive.room_restorer import RoomRestorer
from warroom_server.cluster.drain import Drain
from warroom_server.cluster.handover import Handover
from warroom_server.cluster.lease import Lease, LeaseOptions
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Owns, Vacant
from warroom_server.cluster.peer_dispatcher import PeerDispatcher
from warroom_server.cluster.placement import Placement
from warroom_server.cluster.reclaim import Reclaim
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.remote_viewers import RemoteViewers
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.cluster.takeover import Takeover
from warroom_server.cluster.waiting_clients import WaitingClients
from warroom_server.counters import Counters
from warroom_server.feed.news import FeedNews
from warroom_server.feed.payloads import Presence, json
from warroom_server.feed.publisher import Publisher
from warroom_server.feed.queue import FeedCounters, FeedQueue
from warroom_server.feed.rooms import FeedRooms
from warroom_server.feed.source import FeedSource
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.expiry import RoomExpiry
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.returning_players import ReturningPlayers
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.bot_requests import BotRequests
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.matchmaker import Matchmaker
from warroom_server.lobby.quota import Quota
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.lobby.room_lists import RoomLists
from warroom_server.lobby.room_publisher import RoomPublisher
from warroom_server.node.dispatcher import Dispatcher
from warroom_server.node.options import NodeOptions, NodePorts
from warroom_server.node.status import StatusReporter
from warroom_server.ports.feed import Feed
from warroom_server.ports.store import Fenced, NodeFacts, UnavailableError
from warroom_server.session.identity import Signer
from warroom_server.session.names import server_name
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.log_repair import LogRepair
from warroom_server.web.api import Api
from warroom_server.web.pages import Pages


class Node:
    """The parts of one node; nothing of it runs before it is started."""

    def __init__(self, world: NodePorts, policy: NodeOptions, *, registry: Registry, signer: Signer) -> None:
        store, owner = world.store, policy.owner
        self._owner = owner
        self.registry = registry
        self.counters = Counters()
        self.events = RoomEvents()
        self.log_repair = LogRepair(
            store,
            owner=owner,
            steady_ms=world.clock.steady_ms,
            counters=self.counters,
            create_nonce=signer.create_nonce,
            epochs=lambda: self.room_host.epochs(),
            fenced=lambda room: self.room_host.tell(room, Fenced()),
        )
        self.archiver = Archiver(store, world.records, owner=owner, keep_s=policy.keep_s, log_repair=self.log_repair)
        self.rater = Rater(world.records, keep_s=policy.keep_s)
        self.archiver.published.append(lambda _: self.rater.wake())
        self.connections = Connections(
            build_frame=world.build_frame, clock=world.clock, timers=world.timers, counters=self.counters
        )
        self.gate = OwnershipGate(world.clock.steady_ms)
        self.peers = world.peers
        self.leased_nodes = LeasedNodes(owner, self.peers)
        self.remote_viewers = RemoteViewers(self.peers, world.soon)
        self.delivery = Delivery(self.connections, self.remote_viewers, self.events)
        self._add_rooms(world, policy, signer)
        self._add_neighbours(world)
        self._add_front(world, policy, signer)
        self._add_lease(world, policy)
        self.status_reporter = StatusReporter(
            owner=owner,
            store=store,
            room_host=self.room_host,
            connections=self.connections,
            peers=self.peers,
            lease=self.lease,
            counters=self.counters,
        )
        self.feed_news: FeedNews | None = None
        self.publisher: Publisher | None = None
        if world.feed is None:
            self.events.bot_wanted.append(self.bot_workers.summon)
        else:
            self._add_feed(world.feed, world, policy)

    def _store_replaced(self) -> None:
        """Write again what the store may have lost, and let other nodes do so before their rooms are taken over."""
        self.lease.doubt()
        self.log_repair.recheck()
        self.archiver.recheck()
        self.takeover.hurry()
        self.room_publisher.publish_all()

    def _nodes(self) -> set[str]:
        """Return the nodes whose rooms are shown: those that hold a lease, and this one, which knows its own."""
        return {self._owner, *(lease.owner for lease in self.leased_nodes.leases)}

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
            log_repair=self.log_repair,
        )
        self.room_publisher = RoomPublisher(
            world.directory,
            owner=policy.owner,
            room_host=self.room_host,
            events=self.events,
            leases=world.store.nodes,
            skills=partial(skills, world.records),
            clock=world.clock,
            timers=world.timers,
        )
        self.handover = Handover(
            world.store,
            owner=policy.owner,
            room_host=self.room_host,
            nodes=self.leased_nodes,
            links=self.peers,
            clock=world.clock,
            log_repair=self.log_repair,
        )
        self._add_takeover(world, policy)
        self._add_locator(world, policy, signer)
        self._add_making(world, policy, signer)
        self.expiry = RoomExpiry(self.room_host, world.clock, idle_ms=policy.idle_ms)

    def _add_takeover(self, world: NodePorts, policy: NodeOptions) -> None:
        """Add what continues rooms of other nodes and of earlier processes."""
        self.returning_players = ReturningPlayers(self.room_host, self.events, world.clock, world.timers)
        self.missing_rules = MissingRules(
            world.store,
            owner=policy.owner,
            clock=world.clock,
            keep_s=policy.keep_s,
            pass_on=self.handover.pass_on,
            gone=self.events.gone,
        )
        self.changed_rules = ChangedRules(world.store, self.archiver, clock=world.clock, gone=self.events.gone)
        self.restorer = RoomRestorer(
            registry=self.registry,
            room_host=self.room_host,
            clock=world.clock,
            players=self.returning_players,
            missing_rules=self.missing_rules,
            changed_rules=self.changed_rules,
            log_repair=self.log_repair,
        )
        self.waiting_clients = WaitingClients(
            self.connections, room_host=self.room_host, delivery=self.delivery, clock=world.clock, timers=world.timers
        )
        self.takeover = Takeover(
            world.store,
            owner=policy.owner,
            room_host=self.room_host,
            clock=world.clock,
            restorer=self.restorer,
            waiting=self.waiting_clients,
            handover=self.handover,
        )
        self.takeover.taken.append(lambda room, epoch: self.peers.broadcast(Owns(room, epoch)))
        self.events.removed.append(self.takeover.removed)
        # The store may have been wrong, and the room still this node's.
        self.events.lost.append(lambda _: self.takeover.hurry())
        self.events.gone.append(self.waiting_clients.resume)
        self.events.sure.append(self.takeover.hurry)

    def _add_locator(self, world: NodePorts, policy: NodeOptions, signer: Signer) -> None:
        """Add what finds rooms that are not hosted here."""
        finished_rooms = FinishedRooms(
            owner=policy.owner,
            store=world.store,
            room_host=self.room_host,
            signer=signer,
            registry=self.registry,
            clock=world.clock,
        )
        self.room_locator = RoomLocator(
            world.store,
            owner=policy.owner,
            room_host=self.room_host,
            waiting=self.waiting_clients,
            takeover=self.takeover,
            finished_rooms=finished_rooms,
            links=self.peers,
        )

    def _add_making(self, world: NodePorts, policy: NodeOptions, signer: Signer) -> None:
        """Add what makes rooms and counts them."""
        room_host, events = self.room_host, self.events
        self.quota = Quota(
            in_all=policy.max_rooms,
            per_player=policy.rooms_per_player,
            per_address=policy.rooms_per_address,
            # Its maker may be a spectator, who must not learn of the end sooner than others.
            is_over=lambda number: (hosted := room_host.get(number)) is not None and hosted.room.is_publicly_over,
        )
        events.hosted.append(lambda hosted: self.quota.add(hosted.room.match.opened.creator, hosted.room.number))
        events.removed.append(lambda hosted: self.quota.discard(hosted.room.match.opened.creator, hosted.room.number))
        self.room_factory = RoomFactory(
            owner=policy.owner,
            store=world.store,
            room_host=room_host,
            connections=self.connections,
            signer=signer,
            registry=self.registry,
            entropy=world.entropy,
            clock=world.clock,
            quota=self.quota,
            host=self.takeover.host_new,
            doubtful=self.takeover.track,
            is_moving=lambda number: number in self.takeover,
            placement=Placement(
                nodes=self.leased_nodes,
                handover=self.handover,
                room_host=room_host,
                entropy=world.entropy,
                counters=self.counters,
            ),
        )
        events.sure.append(self.room_publisher.publish_all)

    def _add_neighbours(self, world: NodePorts) -> None:
        """Add what ties rooms and connections to other nodes."""
        self.remote_clients = RemoteClients(
            self.remote_viewers,
            room_host=self.room_host,
            delivery=self.delivery,
            waiting=self.waiting_clients,
            players=self.returning_players,
            links=self.peers,
            clock=world.clock,
        )
        self.remote_rooms = RemoteRooms(
            self.connections,
            waiting=self.waiting_clients,
            locator=self.room_locator,
            links=self.peers,
            events=self.events,
            clock=world.clock,
            timers=world.timers,
        )
        self._drain = Drain(
            connections=self.connections, room_host=self.room_host, handover=self.handover, nodes=self.leased_nodes
        )

    def _add_lease(self, world: NodePorts, policy: NodeOptions) -> None:
        """Add what keeps the node alive for others, and tells them about it."""
        self._version = policy.version
        self.reclaim = Reclaim(
            world.store, owner=policy.owner, room_host=self.room_host, gate=self.gate, events=self.events
        )
        self.lease = Lease(
            world.store,
            owner=policy.owner,
            gate=self.gate,
            reclaim=self.reclaim,
            takeover=self.takeover,
            facts=self.facts,
            options=LeaseOptions(policy.renew_s, policy.lost_after_s, policy.grace_s, policy.is_alone),
        )
        self.lease.nodes_read.append(self.leased_nodes.update)
        self.lease.sweep_due.append(self.expiry.sweep)
        world.store.replaced.append(self._store_replaced)

    def facts(self) -> NodeFacts:
        """Return what other nodes are told of this one."""
        return NodeFacts(
            rules=tuple((game.info.id, game.info.rules_version) for game in self.registry),
            bots=self.bot_workers.bots,
            load=sum(not hosted.is_archived for hosted in self.room_host),
            is_draining=self.takeover.is_leaving,
            version=self._version,
        )

    async def hand_over(self) -> None:
        """Give all rooms to other nodes, if there are any."""
        self.takeover.leave()
        with suppress(UnavailableError):
            await self.lease.announce()
        await self._drain.run()

    def _add_front(self, world: NodePorts, policy: NodeOptions, signer: Signer) -> None:
        """Add what faces connections, GETs and other nodes."""
        clock, timers = world.clock, world.timers
        catalog = Catalog(self.registry)
        self.bot_workers = BotWorkers(
            connections=self.connections,
            catalog=catalog,
            clock=clock,
            timers=timers,
            counters=self.counters,
            lend=lambda node, request: self.peers.send(node, Vacant(request)),
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
        self.room_lists = RoomLists(
            world.directory,
            nodes=self._nodes,
            games=[game.game for game in catalog.games],
            clock=clock,
        )
        self.matchmaker = Matchmaker(
            world.directory,
            owner=policy.owner,
            store=world.store,
            room_host=self.room_host,
            room_factory=self.room_factory,
            connections=self.connections,
            clock=clock,
            nodes=self._nodes,
            skills=partial(skills, world.records),
        )
        self.pages = Pages(
            api=Api(catalog=catalog, room_lists=self.room_lists, match_archive=self.match_archive, signer=signer),
            catalog=catalog,
            room_lists=self.room_lists,
            is_ready=lambda: not (self.counters.primaries_away if policy.is_alone else self.gate.is_shut),
            version=policy.version,
            files=world.files,
        )
        self.dispatcher = Dispatcher(
            room_host=self.room_host,
            events=self.events,
            room_factory=self.room_factory,
            connections=self.connections,
            catalog=catalog,
            room_lists=self.room_lists,
            matchmaker=self.matchmaker,
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
        self.peer_dispatcher = PeerDispatcher(
            nodes=self.leased_nodes,
            handover=self.handover,
            takeover=self.takeover,
            locator=self.room_locator,
            remote_clients=self.remote_clients,
            remote_rooms=self.remote_rooms,
            bot_workers=self.bot_workers,
        )

    def _add_feed(self, feed: Feed, world: NodePorts, policy: NodeOptions) -> None:
        """Add what publishes to a broker."""
        games = tuple(game.info.id for game in self.registry.newest())
        clock, server = world.clock, server_name(policy.version)
        queue = FeedQueue(
            Topics(policy.feed_prefix),
            policy.owner,
            rooms=FeedRooms(self.room_host),
            counters=FeedCounters(),
            wall_ms=clock.wall_ms,
        )
        self.publisher = Publisher(
            feed,
            queue,
            store=world.store,
            clock=clock,
            presence=lambda: json(Presence(policy.owner, server, games, clock.wall_ms())),
            is_silent=lambda: self.gate.is_shut,
        )
        source = FeedSource(
            queue,
            self.publisher,
            room_host=self.room_host,
            events=self.events,
            clock=clock,
        )
        self.feed_news = FeedNews(
            queue,
            self.publisher,
            source,
            records=world.records,
            archiver=self.archiver,
            rater=self.rater,
            games=games,
        )
        bot_requests = BotRequests(self.bot_workers, announce=self.feed_news.announce, clock=clock, timers=world.timers)
        self.events.bot_wanted.append(bot_requests.summon)
