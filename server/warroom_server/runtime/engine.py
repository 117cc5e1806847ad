"""All parts of a node put together, on whatever ports it is given."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from warroom_games.registry import Registry
from warroom_protocol.topics import DEFAULT_PREFIX, Topics
from warroom_server.feed.payloads import Presence, json
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.feed import Feed
from warroom_server.ports.lines import HttpResponse
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store
from warroom_server.rooms.commands import Repair
from warroom_server.runtime.api import Api
from warroom_server.runtime.bulletin import Bulletin
from warroom_server.runtime.catalogue import Catalogue
from warroom_server.runtime.directory import Directory
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.feeding import Feeder
from warroom_server.runtime.gate import Gate
from warroom_server.runtime.handover import hand_over
from warroom_server.runtime.levelling import Leveller
from warroom_server.runtime.library import Library
from warroom_server.runtime.lines import Lines
from warroom_server.runtime.links import Dial, Links
from warroom_server.runtime.listing import Listings
from warroom_server.runtime.meeting import Meeting
from warroom_server.runtime.metrics import Counters
from warroom_server.runtime.neighbourhood import Neighbourhood
from warroom_server.runtime.node import Node
from warroom_server.runtime.pages import Pages
from warroom_server.runtime.publishing import Publisher
from warroom_server.runtime.ratings import Rater
from warroom_server.runtime.relay import Relay
from warroom_server.runtime.roster import Roster
from warroom_server.runtime.status import Reporter
from warroom_server.runtime.tenancy import GRACE_S, LOST_AFTER_S, RENEW_S, Tenancy
from warroom_server.runtime.upkeep import Upkeep
from warroom_server.runtime.vacancies import Vacancies
from warroom_server.session.identity import Signer
from warroom_server.session.limits import Limits
from warroom_server.session.names import server_name


class World(Struct, frozen=True):
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


class Policy(Struct, frozen=True, kw_only=True):
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


class Engine:
    """The parts of one node; nothing of it runs before it is started."""

    def __init__(self, world: World, policy: Policy, *, registry: Registry, signer: Signer) -> None:
        store, owner = world.store, policy.owner
        self.registry = registry
        self.counters = Counters()
        self.upkeep = Upkeep(store, world.records, owner=owner, keep_s=policy.keep_s)
        self.rater = Rater(world.records, keep_s=policy.keep_s)
        self.upkeep.on_published.append(lambda _: self.rater.wake())
        self.lines = Lines(
            build_frame=world.build_frame, clock=world.clock, timers=world.timers, counters=self.counters
        )
        self._clock = world.clock
        self.gate = Gate(world.clock.steady_ms)
        self._add_rooms(world, policy, signer)
        self.tenancy = Tenancy(
            store,
            owner=owner,
            driver=self.driver,
            adopter=self.directory,
            gate=self.gate,
            clock=world.clock,
            renew_s=policy.renew_s,
            lost_after_s=policy.lost_after_s,
            grace_s=policy.grace_s,
        )
        store.on_doubt = self._doubt_store
        self._add_neighbours(world, owner, signer)
        self._add_front(world, policy, signer)
        self._add_sharing(world, policy)
        self.reporter = Reporter(
            owner=owner,
            store=store,
            driver=self.driver,
            lines=self.lines,
            links=self.links,
            tenancy=self.tenancy,
            counters=self.counters,
        )
        self.feeder: Feeder | None = None
        self.publisher: Publisher | None = None
        if world.feed is not None:
            self._add_feed(world.feed, world, policy)

    def _doubt_store(self) -> None:
        """Make good what the store may have lost, and let others do so before their rooms are taken from them."""
        self.tenancy.doubt()
        self.leveller.pause()
        self.driver.repair_all()

    def _add_rooms(self, world: World, policy: Policy, signer: Signer) -> None:
        """Add the rooms, and the way to them."""
        self.driver = Driver(
            owner=policy.owner,
            store=world.store,
            clock=world.clock,
            timers=world.timers,
            lines=self.lines,
            upkeep=self.upkeep,
            counters=self.counters,
            gate=self.gate,
            soon=world.soon,
            create_nonce=signer.create_nonce,
        )
        self.upkeep.on_behind = lambda room: self.driver.tell(room, Repair())
        self.directory = Directory(
            owner=policy.owner,
            store=world.store,
            driver=self.driver,
            upkeep=self.upkeep,
            lines=self.lines,
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

    def _add_neighbours(self, world: World, owner: str, signer: Signer) -> None:
        """Add what ties the node to others."""
        self.links = Links(
            own=owner,
            key=signer.link_key(),
            dial=world.dial,
            clock=world.clock,
            timers=world.timers,
            entropy=world.entropy,
        )
        self.relay = Relay(
            driver=self.driver,
            directory=self.directory,
            lines=self.lines,
            links=self.links,
            clock=world.clock,
            timers=world.timers,
            soon=world.soon,
        )

    async def hand_over(self) -> None:
        """Give all rooms to other nodes, if there are any."""
        given = self.leveller.stop()
        self.directory.is_leaving = True
        await hand_over(
            self.driver,
            self.links,
            self.relay,
            self._clock,
            on_their_way=given,
            has_rules=self.neighbourhood.has_rules,
        )

    def _add_front(self, world: World, policy: Policy, signer: Signer) -> None:
        """Add what faces connections and GETs."""
        clock, timers = world.clock, world.timers
        catalogue = Catalogue(self.registry)
        self.roster = Roster(lines=self.lines, catalogue=catalogue, clock=clock, timers=timers, counters=self.counters)
        self.driver.on_vacancy = self.roster.summon
        self.library = Library(
            store=world.store,
            records=world.records,
            registry=self.registry,
            driver=self.driver,
            lines=self.lines,
            clock=clock,
            archived=self.upkeep.archived,
        )
        games = [game.game for game in catalogue.games]
        listings = Listings(self.directory.survey.find, games=games, clock=clock)
        self.pages = Pages(
            api=Api(catalogue=catalogue, listings=listings, library=self.library, signer=signer),
            catalogue=catalogue,
            listings=listings,
            is_ready=lambda: not self.tenancy.is_lost,
            version=policy.version,
            files=world.files,
        )
        self.node = Node(
            driver=self.driver,
            directory=self.directory,
            lines=self.lines,
            catalogue=catalogue,
            listings=listings,
            pages=self.pages,
            roster=self.roster,
            library=self.library,
            relay=self.relay,
            store=world.store,
            signer=signer,
            entropy=world.entropy,
            clock=clock,
            timers=timers,
            limits=policy.limits,
            server=server_name(policy.version),
        )

    def _add_sharing(self, world: World, policy: Policy) -> None:
        """Add what nodes share: quick matches, the lists of all rooms, and the matches themselves."""
        clock, timers = world.clock, world.timers
        self.meeting = Meeting(
            own=policy.owner, matchmaker=self.node.matchmaker, links=self.links, nodes=self.relay.heirs
        )
        self.neighbourhood = Neighbourhood(
            links=self.links,
            relay=self.relay,
            bulletin=Bulletin(
                driver=self.driver, survey=self.directory.survey, links=self.links, clock=clock, timers=timers
            ),
            meeting=self.meeting,
            stranded=self.directory.stranded,
            registry=self.registry,
            roster=self.roster,
        )
        self.tenancy.on_nodes = self.neighbourhood.know
        self.leveller = Leveller(
            policy.owner,
            driver=self.driver,
            directory=self.directory,
            links=self.links,
            relay=self.relay,
            counters=self.counters,
            clock=clock,
            timers=timers,
            has_rules=self.neighbourhood.has_rules,
        )
        self.neighbourhood.on_load = self.leveller.heard

    def _add_feed(self, feed: Feed, world: World, policy: Policy) -> None:
        """Add what tells the world."""
        games = tuple(game.info.id for game in self.registry.newest())
        feeder = self.feeder = Feeder(
            Topics(policy.feed_prefix),
            policy.owner,
            games=games,
            driver=self.driver,
            survey=self.directory.survey,
            records=world.records,
            clock=world.clock,
        )
        server = server_name(policy.version)
        self.publisher = Publisher(
            feed,
            feeder.board,
            store=world.store,
            clock=world.clock,
            presence=lambda: json(Presence(policy.owner, server, games, world.clock.wall_ms())),
            is_silent=lambda: self.gate.is_shut,
        )
        self.publisher.on_open = feeder.opened
        self.directory.on_sure = feeder.sure
        feeder.wake, feeder.doubt = self.publisher.wake, self.publisher.sweep_soon
        self.upkeep.on_published.append(feeder.archived)
        self.rater.on_rated = feeder.rated
        vacancies = Vacancies(self.roster, announce=feeder.announce, clock=world.clock, timers=world.timers)
        self.driver.on_vacancy = vacancies.summon
        self.roster.on_claimed = vacancies.claimed
