"""Builds a node from its parts, on the ports and options that it is given."""

from contextlib import suppress
from functools import partial

from warroom_games.registry import Registry
from warroom_protocol.names import server_name
from warroom_protocol.topics import Topics
from warroom_server.archive.match_reader import MatchArchive
from warroom_server.archive.ratings import Rater, skills
from warroom_server.cluster.drain import Drain
from warroom_server.cluster.handover import Handover
from warroom_server.cluster.lease import Lease
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Owns, Vacant
from warroom_server.cluster.peer_dispatcher import PeerDispatcher
from warroom_server.cluster.placement import Placement
from warroom_server.cluster.reclaimed_rooms import Reclaim
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_delivery import RemoteViewers
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.counters import Counters
from warroom_server.feed.news_source import FeedNews
from warroom_server.feed.payloads import Presence, json
from warroom_server.feed.publisher import Publisher
from warroom_server.feed.queue import FeedCounters, FeedQueue
from warroom_server.feed.room_source import FeedSource
from warroom_server.hosting.action_pipeline import ActionPipeline
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.expiry import RoomExpiry
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_archiver import RoomArchiver
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.wait_for_players import ReturningPlayers
from warroom_server.lobby.bot_workers import BotRequests, BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.matchmaker import Matchmaker
from warroom_server.lobby.quick_match_rooms import OpenRooms
from warroom_server.lobby.quota import Quota
from warroom_server.lobby.rematches import Rematches
from warroom_server.lobby.requests import LobbyRequests
from warroom_server.lobby.room_factory import RoomFactory, RoomOpener
from warroom_server.lobby.room_lists import LiveRoomLists, RoomLists
from warroom_server.lobby.room_publisher import RoomPublisher
from warroom_server.node.dispatcher import Dispatcher
from warroom_server.node.options import NodeOptions, NodePorts
from warroom_server.node.revoked_tokens import Tokens
from warroom_server.node.room_requests import RoomRequests
from warroom_server.node.status_report import StatusReporter
from warroom_server.ports.feed import Feed
from warroom_server.ports.store import NodeFacts, UnavailableError
from warroom_server.restoring.finished_rooms import FinishedRooms
from warroom_server.restoring.room_loader import RoomLoader
from warroom_server.restoring.room_restorer import RoomRestorer
from warroom_server.restoring.unplayable_rooms import UnplayableRooms
from warroom_server.restoring.waiting_clients import WaitingClients
from warroom_server.session.session import Session
from warroom_server.session.signer import Signer
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.committer import Committer
from warroom_server.storage.log_repair import LogRepair
from warroom_server.web.api import Api
from warroom_server.web.routes import Pages


class Node:
    """The parts of one node; nothing runs before they are started."""

    def __init__(self, ports: NodePorts, options: NodeOptions, *, registry: Registry, signer: Signer) -> None:
        self._ports = ports
        self._options = options
        self._signer = signer
        self.registry = registry
        self.counters = Counters()
        self.events = RoomEvents()
        self.gate = OwnershipGate(ports.clock.steady_ms)
        self.peers = ports.peers
        self.leased_nodes = LeasedNodes(options.owner, self.peers)
        self._add_storage()
        self._add_rooms()
        self._add_restoring()
        self._add_remote_access()
        self._add_new_rooms()
        self._add_lobby()
        self._add_archive_and_pages()
        self._add_dispatcher()
        self._add_lease()
        self.feed = None if ports.feed is None else self._add_feed(ports.feed)
        if self.feed is None:
            self.events.bot_wanted.append(self.bot_workers.summon)

    def _add_storage(self) -> None:
        """Add what writes to the store, and to connections."""
        ports, options = self._ports, self._options
        self.connections = Connections(
            broadcast=ports.broadcast, clock=ports.clock, timers=ports.timers, counters=self.counters
        )
        self.remote_viewers = RemoteViewers(self.peers, ports.timers.call_soon)
        self._rooms: dict[int, HostedRoom] = {}
        self.delivery = Delivery(self.connections, self.remote_viewers, self.events, self._rooms)
        self.log_repair = LogRepair(
            ports.store,
            options.owner,
            ports.clock.steady_ms,
            self.counters,
            self._signer.create_nonce,
            lambda: self.room_host.epochs(),
            lambda room, epoch: self.room_host.fence(room, epoch),
        )
        self.archiver = Archiver(
            ports.store, ports.records, owner=options.owner, keep_s=options.keep_s, log_repair=self.log_repair
        )
        self.rater = Rater(ports.records, keep_s=options.keep_s)
        self.archiver.published.append(lambda _: self.rater.wake())

    def _add_rooms(self) -> None:
        """Add the rooms of this node."""
        ports, options = self._ports, self._options
        committer = Committer(self.log_repair, primary_of=ports.store.primary_of, counters=self.counters)
        pipeline = ActionPipeline(
            committer, self.log_repair, self.gate, self.delivery, ports.clock, options.owner, self._rooms
        )
        self.room_host = RoomHost(
            pipeline, self.gate, self.delivery, self.events, self.counters, ports.clock, ports.timers
        )
        RoomArchiver(self.archiver, self.room_host, self.events, ports.clock)
        self.expiry = RoomExpiry(self.room_host, ports.clock, ports.timers, idle_ms=options.idle_ms)

    def _add_restoring(self) -> None:
        """Add what hands rooms over to other nodes, and continues rooms of theirs and of earlier processes."""
        store, owner, room_host, clock = self._ports.store, self._options.owner, self.room_host, self._ports.clock
        self.handover = Handover(store, owner, room_host, self.leased_nodes, self.peers, clock, self.log_repair)
        self.returning_players = ReturningPlayers(room_host, self.events, clock, self._ports.timers)
        self.unplayable_rooms = UnplayableRooms(
            store, self.archiver, clock, owner, self._options.keep_s, self.handover.pass_on, self.events.gone
        )
        self.restorer = RoomRestorer(
            self.registry, room_host, clock, self.returning_players, self.unplayable_rooms, self.log_repair
        )
        self.waiting_clients = WaitingClients(self.connections, room_host, self.delivery, self._ports.timers)
        self.room_loader = RoomLoader(
            store, owner, room_host, clock, self.restorer, self.waiting_clients, self.handover
        )
        self.room_loader.taken.append(lambda room, epoch: self.peers.broadcast(Owns(room, epoch)))
        self.events.removed.append(lambda hosted: self.log_repair.left(hosted.room.match, is_over=hosted.is_archived))
        self.events.removed.append(self.room_loader.removed)
        # The store may have been wrong, and the room still this node's.
        self.events.lost.append(lambda _: self.room_loader.hurry())
        self.events.gone.append(self.waiting_clients.resume)
        self.events.sure.append(self.room_loader.hurry)

    def _add_remote_access(self) -> None:
        """Add what finds rooms on other nodes, and connects rooms and clients on different nodes."""
        store, clock, links = self._ports.store, self._ports.clock, self.peers
        room_host, waiting, connections = self.room_host, self.waiting_clients, self.connections
        finished_rooms = FinishedRooms(store, room_host, waiting, self._signer, self.registry, clock)
        self.room_locator = RoomLocator(
            store, self._options.owner, room_host, waiting, self.room_loader, finished_rooms, links
        )
        self.remote_clients = RemoteClients(
            self.remote_viewers, room_host, self.delivery, waiting, self.returning_players, links, clock
        )
        self.remote_rooms = RemoteRooms(
            connections, waiting, self.room_locator, links, self.events, clock, self._ports.timers
        )
        self._drain = Drain(connections, room_host, self.handover, self.leased_nodes)

    def _add_new_rooms(self) -> None:
        """Add what makes rooms, and counts them."""
        ports, options, room_host = self._ports, self._options, self.room_host
        self.quota = Quota(
            in_all=options.max_rooms,
            per_player=options.rooms_per_player,
            per_address=options.rooms_per_address,
            # Its creator may be a spectator, who must not learn of the end sooner than others.
            is_over=lambda number: (hosted := room_host.get(number)) is not None and hosted.room.is_publicly_over,
        )
        self.events.hosted.append(lambda hosted: self.quota.add(hosted.room.match.opened.creator, hosted.room.number))
        self.events.removed.append(lambda hosted: self.quota.discard(hosted.room.number))
        opener = RoomOpener(
            ports.store, options.owner, room_host, self.room_loader, self._signer, ports.entropy, ports.clock
        )
        placement = Placement(self.leased_nodes, self.handover, room_host, ports.entropy, self.counters)
        self.room_factory = RoomFactory(opener, room_host, self.quota, placement, self._signer)
        self.rematches = Rematches(room_host, self.events, self.room_factory, self._signer)

    def _add_lobby(self) -> None:
        """Add what finds rooms for players, and bots for rooms."""
        owner, room_host, connections = self._options.owner, self.room_host, self.connections
        store, directory = self._ports.store, self._ports.directory
        clock, timers = self._ports.clock, self._ports.timers
        open_rooms = OpenRooms(directory, owner, room_host, partial(skills, self._ports.records))
        self.room_publisher = RoomPublisher(directory, owner, room_host, self.events, open_rooms, store.nodes, timers)
        self.catalog = catalog = Catalog(self.registry)
        games = [game.game for game in catalog.games]
        self.room_lists = RoomLists(directory, nodes=self.leased_nodes.owners, games=games, clock=clock)
        live_lists = LiveRoomLists(self.room_lists, connections, timers)
        self.bot_workers = BotWorkers(
            connections, catalog, timers, self.counters, lambda node, bot: self.peers.send(node, Vacant(bot))
        )
        self.leased_nodes.changed.append(lambda: self.bot_workers.know_far(self.leased_nodes.bots()))
        matchmaker = Matchmaker(
            open_rooms, store, room_host, self.room_factory, connections, self.leased_nodes.owners, clock
        )
        self.lobby = LobbyRequests(
            connections, self.registry, catalog, live_lists, self.room_factory, matchmaker, self.bot_workers
        )

    def _add_archive_and_pages(self) -> None:
        """Add what answers questions about finished matches, and GETs."""
        ports, options = self._ports, self._options
        store, records, archived = ports.store, ports.records, self.archiver.archived
        self.match_archive = MatchArchive(
            store, records, self.registry, self.room_host, self.connections, ports.clock, archived
        )
        api = Api(self.catalog, self.room_lists, self.match_archive, self._signer)
        self.pages = Pages(api, self.catalog, self.room_lists, ports.files, self._is_ready, options.version)

    def _add_dispatcher(self) -> None:
        """Add what reads from connections, and from links."""
        ports, options, connections = self._ports, self._options, self.connections
        server = server_name(options.version)
        new_session = partial(Session, signer=self._signer, entropy=ports.entropy, limits=options.limits, server=server)
        self.tokens = Tokens(ports.store, connections, ports.clock)
        rooms = RoomRequests(connections, self.room_host, self.remote_rooms, self.delivery, self.bot_workers)
        self.dispatcher = Dispatcher(connections, new_session, self.tokens, rooms, self.lobby, self.match_archive)
        remote_clients, remote_rooms, loader = self.remote_clients, self.remote_rooms, self.room_loader
        self.peer_dispatcher = PeerDispatcher(
            self.leased_nodes, self.handover, loader, self.room_locator, remote_clients, remote_rooms, self.bot_workers
        )

    def _add_lease(self) -> None:
        """Add what keeps the node alive for others, and tells them and the operator about it."""
        store, options, room_host = self._ports.store, self._options, self.room_host
        self.reclaim = Reclaim(store, options.owner, room_host, self.gate, self.events, self.log_repair)
        self.lease = Lease(store, options.owner, self.gate, self.reclaim, self.room_loader, self.facts, options.lease)
        self.lease.nodes_read.append(self.leased_nodes.update)
        self.lease.sweep_due.append(self.expiry.sweep)
        store.replaced.append(self._store_replaced)
        self.status_reporter = StatusReporter(
            options.owner, store, room_host, self.connections, self.peers, self.lease, self.counters
        )

    def _add_feed(self, feed: Feed) -> FeedNews:
        """Add what publishes to a broker."""
        ports, owner, clock = self._ports, self._options.owner, self._ports.clock
        games, server = tuple(game.info.id for game in self.registry.newest()), server_name(self._options.version)
        topics = Topics(self._options.feed_prefix)
        queue = FeedQueue(topics, owner, rooms=self.room_host, counters=FeedCounters(), wall_ms=clock.wall_ms)

        def presence() -> bytes:
            return json(Presence(owner, server, games, clock.wall_ms()))

        publisher = Publisher(feed, queue, ports.store, clock, presence, lambda: self.gate.is_shut)
        source = FeedSource(publisher, self.room_host, self.events, clock)
        news = FeedNews(publisher, source, ports.records, self.archiver, self.rater, games)
        self.events.bot_wanted.append(BotRequests(self.bot_workers, news.announce, ports.timers).summon)
        return news

    # --- the node as a whole ------------------------------------------------------------------------------------

    def facts(self) -> NodeFacts:
        """Return what other nodes know of this one."""
        return NodeFacts(
            rules=tuple((game.info.id, game.info.rules_version) for game in self.registry),
            bots=self.bot_workers.bots,
            load=sum(not hosted.is_archived for hosted in self.room_host),
            is_draining=self.room_loader.is_leaving,
            version=self._options.version,
        )

    def _is_ready(self) -> bool:
        """Whether clients can be served."""
        return not (self.counters.primaries_away if self._options.lease.is_alone else self.gate.is_shut)

    async def hand_over(self) -> None:
        """Give all rooms to other nodes, if there are any."""
        self.room_loader.leave()
        with suppress(UnavailableError):
            await self.lease.announce()
        await self._drain.run()

    async def close_requests(self) -> None:
        """Cancel everything that waits for the store."""
        await self.dispatcher.close()
        for part in (self.rematches, self.room_publisher, self.room_locator, self.handover, self.room_loader):
            await part.tasks.close()

    def _store_replaced(self) -> None:
        """Write again what the store may have lost, and let other nodes do so before their rooms are taken over."""
        self.lease.doubt()
        self.log_repair.recheck()
        self.archiver.recheck()
        self.room_loader.hurry()
        self.room_publisher.publish_all()
