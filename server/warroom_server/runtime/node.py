"""What the node does with its connections: reads what they ask, and leads it where it belongs."""

import logging
from collections.abc import Awaitable, Sequence

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.lines import Connection, HttpResponse
from warroom_server.ports.store import Store
from warroom_server.rooms import commands
from warroom_server.runtime.catalogue import Catalogue
from warroom_server.runtime.directory import Directory
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.identities import Identities
from warroom_server.runtime.library import Library
from warroom_server.runtime.lines import Line, Lines
from warroom_server.runtime.listing import Listings, LiveListings
from warroom_server.runtime.pages import Pages
from warroom_server.runtime.quick import Matchmaker
from warroom_server.runtime.relay import Relay
from warroom_server.runtime.rematches import Rematches
from warroom_server.runtime.roster import Roster
from warroom_server.session.effects import (
    Close,
    Confirm,
    CreateRoom,
    Employ,
    Errand,
    FetchReplay,
    FindRoom,
    ListGames,
    ListMatches,
    ListRooms,
    Reply,
    SessionEffect,
    ShowRanking,
    ToRoom,
    Wait,
    Welcomed,
    ref_of,
)
from warroom_server.session.identity import Signer
from warroom_server.session.limits import Limits
from warroom_server.session.notices import notice
from warroom_server.session.refusals import error
from warroom_server.session.session import Session

logger = logging.getLogger(__name__)

HELLO_MS = 10_000
"""How long a connection may take to say hello."""
CONGESTED_MS = 100
"""How long nothing is read from a connection that does not read what it asked for."""


class Node:
    """The handler of the websocket shell."""

    def __init__(
        self,
        *,
        driver: Driver,
        directory: Directory,
        lines: Lines,
        catalogue: Catalogue,
        listings: Listings,
        pages: Pages,
        roster: Roster,
        library: Library,
        relay: Relay,
        store: Store,
        signer: Signer,
        entropy: Entropy,
        clock: Clock,
        timers: Timers,
        limits: Limits,
        server: str,
    ) -> None:
        self._driver = driver
        self._directory = directory
        self._lines = lines
        self._catalogue = catalogue
        self._live = LiveListings(listings, lines=lines, clock=clock, timers=timers)
        self._pages = pages
        self._roster = roster
        self._library = library
        self._relay = relay
        self._signer = signer
        self._entropy = entropy
        self._clock = clock
        self._timers = timers
        self._limits = limits
        self._server = server
        self._is_draining = False
        self.matchmaker = Matchmaker(
            driver=driver, maker=directory.maker, lines=lines, clock=clock, seated=directory.survey.rooms_of
        )
        driver.on_changed.append(self.matchmaker.changed)
        driver.on_removed.append(self.matchmaker.removed)
        self.rematches = Rematches(driver=driver, maker=directory.maker, signer=signer)
        driver.on_rematch = self.rematches.begin
        self.identities = Identities(store, lines=lines, clock=clock, resolve=self._resolve_all)

    def opened(self, connection: Connection) -> None:
        """Take a connection in, and give it a while to say hello."""
        now = self._clock.now()
        session = Session(
            connection.id,
            signer=self._signer,
            entropy=self._entropy,
            limits=self._limits,
            server=self._server,
            now=now,
        )
        line = Line(connection, session)
        line.hello_timer = self._timers.call_at(now + HELLO_MS, lambda: _close(connection, codes.CLOSE_HELLO_TIMEOUT))
        self._lines.add(line)
        logger.debug("connection opened connection=%d peer=%s", connection.id, connection.peer)

    def received(self, connection: Connection, message: bytes, arrived: int) -> int:
        """Do what one message asks for; return for how many milliseconds to read no further."""
        line = self._lines.get(connection.id)
        if line is None:
            return 0
        if line.session.is_full:
            self._prune(line.session)
        pause = self._resolve_all(line, line.session.receive(message, now=self._clock.now(), arrived=arrived))
        return max(pause, CONGESTED_MS) if connection.is_congested else pause

    def drained(self, connection: Connection) -> None:
        """Bring a viewer that was too slow up to date."""
        for number in sorted(self._lines.caught_up(connection.id)):
            self._lines.answer(connection.id, notice(number, codes.NOTICE_SLOW))
            self._driver.tell(number, commands.Refresh(connection.id))

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """Let the rooms where somebody plays know how long the line takes, even if they knew: one may be new."""
        line = self._lines.get(connection.id)
        if line is not None:
            line.rtt_ms = rtt_ms
            for number in sorted(line.session.following):
                hosted = self._driver.get(number)
                if hosted is None or hosted.room.audience.player_of(connection.id) is not None:
                    self._driver.tell(number, commands.Lag(connection.id, rtt_ms))

    def closed(self, connection: Connection) -> None:
        """Let the rooms know that a connection is gone."""
        self._roster.gone(connection.id)
        self._live.forget(connection.id)
        self._library.gone(connection.id)
        line = self._lines.remove(connection.id)
        if line is not None:
            for number in sorted(line.session.following):
                self._driver.tell(number, commands.Detach(connection.id))
            logger.debug("connection closed connection=%d peer=%s", connection.id, connection.peer)

    def http(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET that is no websocket handshake."""
        return self._pages.answer(path, query)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self.identities.close()
        for part in (self.matchmaker, self.rematches, self._library):
            await part.chores.close()

    def drain(self) -> None:
        """Tell everybody that the server stops: actions are still judged, whatever else they ask for is refused."""
        self._is_draining = True
        payload = notice(None, codes.NOTICE_DRAINING)
        for line in self._lines:
            self._lines.answer(line.connection.id, payload)

    def _resolve_all(self, line: Line, effects: Sequence[SessionEffect]) -> int:
        """Do what a session asks for; return for how many milliseconds it wants nothing to be read."""
        pause = 0
        for effect in effects:
            if isinstance(effect, Wait):
                pause = max(pause, effect.ms)
            else:
                self._resolve(line, effect)
        return pause

    def _resolve(self, line: Line, effect: SessionEffect) -> None:
        connection = line.connection
        match effect:
            case ToRoom():
                self._pass_on(line, effect)
            case Reply():
                self._lines.answer(connection.id, effect.payload)
            case Welcomed():
                line.welcome()
            case Confirm():
                self.identities.confirm(line, effect)
            case Close():
                connection.close(effect.code, effect.reason)
            case Wait():
                raise AssertionError("the caller waits")
            case _ if self._is_draining:
                self._lines.answer(connection.id, error(ref_of(effect), codes.SERVER_DRAINING))
            case _:
                self._run(effect, connection.id)

    def _run(self, errand: Errand, connection: int) -> None:
        """Do what needs no room that exists."""
        match errand:
            case CreateRoom():
                self._directory.maker.create(errand, connection)
            case FindRoom(wish=wish):
                self.matchmaker.find(wish, connection)
            case ListGames():
                self._lines.answer(connection, self._catalogue.message(errand.ref))
            case ListRooms(wanted=wanted):
                self._live.ask(wanted, connection)
            case Employ(work=work, player=player):
                self._roster.employ(work, player, connection)
            case ListMatches() | FetchReplay() | ShowRanking():
                self._library.ask(errand, connection)

    def _pass_on(self, line: Line, effect: ToRoom) -> None:
        number, command = effect.room, effect.command
        if isinstance(command, commands.Join | commands.Claim):
            command = replace(command, rtt_ms=line.rtt_ms)
        if isinstance(command, commands.Claim):
            self._roster.claimed(number, command.ticket, command.player, command.connection)
        elif isinstance(command, commands.Join) and line.session.is_worker:
            self._roster.returned(command.player, command.connection)
        # An action may be one that is in the log already: only its room can give it the one verdict that it has.
        if self._is_draining and not isinstance(command, commands.Act):
            self._lines.refuse(number, command, codes.SERVER_DRAINING)
        elif isinstance(command, commands.Join | commands.Watch | commands.Claim):
            self._directory.enter(number, command)
        else:
            self._driver.tell(number, command)
        if isinstance(command, commands.Join | commands.Watch | commands.Claim | commands.Leave):
            self._forget_if_out(line.session, number)

    def _forget_if_out(self, session: Session, number: int) -> None:
        """Forget a room that refused the connection, or that it left, or that is gone."""
        if self._driver.is_in_doubt(number):
            return  # what it asked for waits, and may lead it in
        hosted = self._driver.get(number)
        if hosted is None:
            is_out = not (number in self._directory.entrance or self._relay.edge.holds(number, session.connection))
        else:
            is_out = not hosted.is_waiting and session.connection not in hosted.room.audience
        if is_out:
            session.forget(number)

    def _prune(self, session: Session) -> None:
        """Forget rooms whose answer came later, while they waited for the store."""
        for number in sorted(session.following):
            self._forget_if_out(session, number)


def _close(connection: Connection, code: int) -> None:
    connection.close(code, codes.CLOSES[code])
